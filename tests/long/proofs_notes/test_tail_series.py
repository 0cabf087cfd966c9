"""The laws of the note on tail series at more points."""

from fast.proofs_notes.test_tail_series import *
