"""The power of the tests of samplers at all points."""

from fast.proofs_notes.test_sampler_tests import *
