"""The laws of the note on dominating pair at more points."""

from fast.proofs_notes.test_dominating_pair import *
