"""The certificate of a Markov model's release: of larger chains, too."""

from fast.proofs_notes.test_markov_certificate import *
