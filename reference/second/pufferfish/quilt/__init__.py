"""Second opinions on the Markov quilts of chains."""

from . import approx, contraction, exact, gaussian  # noqa: F401
