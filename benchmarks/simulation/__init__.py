"""Simulated privatised Markov chains beside the bounds on them: what the benchmarks share."""
