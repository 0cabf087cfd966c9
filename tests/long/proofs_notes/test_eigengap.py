"""The laws of the eigengap at more points."""

from fast.proofs_notes.test_eigengap import *
