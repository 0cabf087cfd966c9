"""Second opinions on what a private chain changes, and by how much."""

from . import (  # noqa: F401
    deviations,
    ergodicity,
    stationary,
)
