"""The laws of the note on private models at more points."""

from fast.proofs_notes.test_private_models import *
