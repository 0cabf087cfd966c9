"""Markov chains with finitely many states, given by exact stochastic matrices."""

from . import ergodicity  # noqa: F401
