"""Second opinions on DP-SGD."""

from . import calibration, delta  # noqa: F401
