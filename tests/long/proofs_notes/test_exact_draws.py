"""The laws of the note on exact draws at more points."""

from fast.proofs_notes.test_exact_draws import *
