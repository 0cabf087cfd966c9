"""Second opinions on Markov chains: other formulas and other algorithms, in rationals and MPFR."""

from . import (  # noqa: F401
    bounds,
    eigenvalues,
    fundamental,
    model,
    printed,
)
