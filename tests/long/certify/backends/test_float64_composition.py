"""The built-in backend's compositions at more points."""

from fast.certify.backends.test_float64_composition import *
