"""The laws of Markov chains' deviations at more points."""

from fast.proofs_notes.test_markov_deviations import *
