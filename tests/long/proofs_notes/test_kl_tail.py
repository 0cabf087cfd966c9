"""The laws of the divergence's tail at more points."""

from fast.proofs_notes.test_kl_tail import *
