"""The laws of the note on renyi to dp at more points."""

from fast.proofs_notes.test_renyi_to_dp import *
