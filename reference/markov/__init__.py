"""Markov chains with finitely many states, given by exact stochastic matrices."""

from . import bounds, classes, eigenvalues, ergodicity, fundamental, model, printed  # noqa: F401
