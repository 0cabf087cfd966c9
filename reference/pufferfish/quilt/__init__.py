"""The Markov Quilt mechanism for chains: exactly, and from a class's two numbers."""

from . import approx, contraction, gaussian, influence  # noqa: F401
from .exact import WorstNode, worst_node_for_scale

__all__ = ["WorstNode", "worst_node_for_scale"]
