"""Bounds on what a private chain changes, each of them proved: T4, T5, repairs, certificates."""

from . import (  # noqa: F401
    certificate,
    deviations,
    ergodicity,
    stationary,
)
