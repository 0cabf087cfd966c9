"""Second opinions on what a private chain changes, and by how much."""

from . import deviations, ergodicity, repairs, stationary  # noqa: F401
