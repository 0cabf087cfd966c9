"""The laws of the note on monotone roots at more points."""

from fast.proofs_notes.test_monotone_roots import *
