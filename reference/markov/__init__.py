"""Markov chains with finitely many states, given by exact stochastic matrices."""

from . import (  # noqa: F401
    bounds,
    eigenvalues,
    ergodicity,
    fundamental,
    model,
    printed,
    structure,
)
