"""The built-in backend's tails at more points."""

from fast.certify.backends.test_float64_tails import *
