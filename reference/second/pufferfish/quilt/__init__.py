"""Second opinions on the Markov quilts of chains."""

from . import approx, exact  # noqa: F401
