"""The laws of the note on add remove at more points."""

from fast.proofs_notes.test_add_remove import *
