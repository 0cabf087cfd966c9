"""The notes' laws are evaluated with balls of the same precision as in the gate."""

from fast.proofs_notes.conftest import *
