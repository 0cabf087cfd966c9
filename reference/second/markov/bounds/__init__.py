"""Second opinions on the bounds on how far a private chain is from the chain."""

from . import (  # noqa: F401
    deviations,
    ergodicity,
    stationary,
)
