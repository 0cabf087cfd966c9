"""The laws of the note on loss density at more points."""

from fast.proofs_notes.test_loss_density import *
