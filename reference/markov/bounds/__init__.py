"""Proved bounds on how far a private chain is from the chain: T4, T5, repairs, certificates."""

from . import (  # noqa: F401
    certificate,
    deviations,
    ergodicity,
    stationary,
)
