"""The laws of the note on positive series at more points."""

from fast.proofs_notes.test_positive_series import *
