"""Second opinions on Markov chains: other formulas and other algorithms, in rationals and MPFR."""

from . import bounds, eigenvalues, ergodicity, fundamental, model, printed, structure  # noqa: F401
