"""The laws of answers at more points."""

from fast.proofs_notes.test_laws_of_answers import *
