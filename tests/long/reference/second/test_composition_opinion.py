"""The second engine's compositions at more points."""

from fast.reference.second.test_composition_opinion import *
