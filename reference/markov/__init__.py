"""Markov chains with finitely many states, given by exact stochastic matrices."""
