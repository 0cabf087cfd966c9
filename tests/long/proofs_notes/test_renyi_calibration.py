"""The laws of the note on renyi calibration at more points."""

from fast.proofs_notes.test_renyi_calibration import *
