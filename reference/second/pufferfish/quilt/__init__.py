"""Second opinions on the Markov quilts of chains."""

from . import approx, exact, gaussian  # noqa: F401
