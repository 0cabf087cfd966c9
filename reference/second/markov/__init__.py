"""Second opinions on Markov chains: other formulas and other algorithms, in rationals and MPFR."""

from . import (  # noqa: F401
    bounds,
    bounds_ergodicity,
    bounds_repairs,
    bounds_stationary,
    chain,
    classes,
    eigenvalues,
    ergodicity,
    model,
    model_merging,
    printed,
)
