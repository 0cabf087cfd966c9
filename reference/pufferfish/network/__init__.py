"""Bayesian networks given as tables: the Markov Quilt mechanism, and additive queries' losses."""

from . import gaussian  # noqa: F401
from .mechanism import WorstNode, laws_by_node, worst_node_for_scale

__all__ = ["WorstNode", "laws_by_node", "worst_node_for_scale"]
