"""The laws of the note on profile integral at more points."""

from fast.proofs_notes.test_profile_integral import *
