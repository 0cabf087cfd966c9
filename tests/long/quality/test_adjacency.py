"""Adjacent inputs, more of them against each bound."""

from fast.quality.test_adjacency import *
