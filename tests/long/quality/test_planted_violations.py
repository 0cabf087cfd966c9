"""Wrong bounds, all that are planted, and the right ones beside them for longer."""

from fast.quality.test_planted_violations import *
