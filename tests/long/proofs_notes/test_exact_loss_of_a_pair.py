"""The laws of the note on exact loss of a pair at more points."""

from fast.proofs_notes.test_exact_loss_of_a_pair import *
