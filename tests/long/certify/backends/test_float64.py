"""The laws of the built-in backend at more points."""

from fast.certify.backends.test_float64 import *
