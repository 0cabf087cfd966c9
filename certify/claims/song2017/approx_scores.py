"""Scores by the bound of Lemma 4.8 for a pair pi_min, g, in two arithmetics.

With D_t = exp(-g t/2)/pi_min and w_t = log((1 + D_t)/(1 - D_t)), infinite where D_t is not below 1,
the quilt {i-a, i+b} scores (a+b-1)/(epsilon - 2 w_a - w_b); one-sided quilts lack a term.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import NamedTuple

from flint import arb

from ....reference.arb.balls import ball, enclosure_of, working_precision
from ....reference.enclosure import Enclosure
from ....reference.second.directed import Span
from .chain_scores import Lags, Scores
from .exact_chains import near

_BITS = 128


class Class(NamedTuple):
    """What Algorithm 4 knows of a class of chains, and what it is asked for."""

    pi_min: Fraction
    gap: Fraction
    length: int
    epsilon: Fraction


class ByBalls(Scores):
    """Scores in FLINT's balls: w from the quotient."""

    def __init__(self, known: Class) -> None:
        super().__init__((), (), known.length, known.epsilon)
        self.w = cache(lambda lag: influence_bound(known.pi_min, known.gap, lag))

    def score(self, node: int, lags: Lags) -> Enclosure | None:
        """Return a quilt's score."""
        with working_precision(_BITS):
            room = ball(self.epsilon)
            for lag, times in zip(lags, (2, 1), strict=True):
                room -= times * self.w(lag) if lag else 0
            return enclosure_of(near(node, self.length, *lags) / room) if room > 0 else None


def influence_bound(pi_min: Fraction, gap: Fraction, lag: int) -> arb:
    """Return w of a lag; infinite where D is not below 1."""
    share = (-ball(gap) * lag / 2).exp() / ball(pi_min)
    return ((1 + share) / (1 - share)).log() if share < 1 else arb("inf")


class BySpans(Scores):
    """Scores in MPFR: w from exp(g t/2) pi_min, whose reciprocal D is."""

    def __init__(self, known: Class) -> None:
        super().__init__((), (), known.length, known.epsilon)
        self.known = known
        self.w = cache(self._bound)

    def _bound(self, lag: int) -> Span | None:
        grown = Span.of(self.known.gap * lag / 2, _BITS).exp() * Span.of(self.known.pi_min, _BITS)
        above = grown - Span.of(1, _BITS)
        return (grown + Span.of(1, _BITS)).log() - above.log() if above.sign > 0 else None

    def score(self, node: int, lags: Lags) -> Enclosure | None:
        """Return a quilt's score."""
        room = Span.of(self.epsilon, _BITS)
        for lag, times in zip(lags, (2, 1), strict=True):
            if lag:
                bound = self.w(lag)
                if bound is None:
                    return None
                room -= Span.of(times, _BITS) * bound
        if room.sign <= 0:
            return None
        return (Span.of(near(node, self.length, *lags), _BITS) / room).enclosure()


def lag_of_lemma_4_9(known: Class) -> int:
    """Return a* = 2 ceil(log((e^(epsilon/6) + 1)/((e^(epsilon/6) - 1) pi_min))/g)."""
    with working_precision(_BITS):
        grown = ball(known.epsilon / 6).exp()
        steps = ((grown + 1) / (grown - 1) / ball(known.pi_min)).log() / ball(known.gap)
        whole = steps.ceil().unique_fmpz()
    if whole is None:
        raise ArithmeticError("the ceiling is not decided: take more bits")
    return 2 * int(whole)
