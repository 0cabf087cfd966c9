"""Second opinions on the bounds on stationary laws; rigorous, by MPFR on rationals."""

from __future__ import annotations

from ...enclosure import Enclosure
from ..directed import Span, or_nothing, sharpened
from ..opinion import second_opinion
from .bound_chain import Matrix, Vector
from .bound_private import PrivateChain
from .bound_spans import least
from .bounds import ZERO


def _answer(bits: int, P: Matrix, k: Vector, way: str) -> Enclosure:
    private = PrivateChain(P, k)
    if not private.rows:
        return ZERO
    return sharpened(bits, getattr(private, way)).enclosure()


@second_opinion("markov.stationary_bound_a", engine="mpfr", rigorous=True)
@or_nothing
def stationary_bound_a(bits: int, P: Matrix, k: Vector) -> Enclosure:
    """Enclose T4-A with kappa in rationals; rigorous."""
    return _answer(bits, P, k, "first")


@second_opinion("markov.stationary_bound_b", engine="mpfr", rigorous=True)
@or_nothing
def stationary_bound_b(bits: int, P: Matrix, k: Vector) -> Enclosure:
    """Enclose T4-B with the variances in rationals; rigorous."""
    return _answer(bits, P, k, "second")


@second_opinion("markov.stationary_bound_c", engine="mpfr", rigorous=True)
@or_nothing
def stationary_bound_c(bits: int, P: Matrix, k: Vector) -> Enclosure:
    """Enclose T4-C, every r in its turn; rigorous."""
    return _answer(bits, P, k, "third")


@second_opinion("markov.stationary_rate", engine="mpfr", rigorous=True)
@or_nothing
def stationary_rate(bits: int, P: Matrix, k: Vector) -> Enclosure:
    """Enclose S/2, every column's square in rationals; rigorous."""
    return _answer(bits, P, k, "rate")


@second_opinion("markov.stationary_bound", engine="mpfr", rigorous=True)
@or_nothing
def stationary_bound(bits: int, P: Matrix, k: Vector) -> Enclosure:
    """Enclose the least of the three and 1; rigorous."""
    private = PrivateChain(P, k)
    if not private.rows:
        return ZERO
    ways = (private.first, private.second, private.third)

    def at(precision: int) -> Span:
        return least([Span.of(1, precision), *(way(precision) for way in ways)])

    return sharpened(bits, at).enclosure()
