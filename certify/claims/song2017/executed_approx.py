"""Formulas of the note on MQMApprox, executed in balls and rationals."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from flint import arb

from ....reference.arb.balls import ball, working_precision
from ....reference.evaluation import evaluate
from .approx_scores import ByBalls, Class, influence_bound, lag_of_lemma_4_9
from .chain_scores import Lags
from .exact_chains import (
    Law,
    Moves,
    influence_by_formula,
)
from .inputs import P_1, matrix, one_chain, slow_line

_BITS = 128
# A bound of e^-188 is found as the logarithm of a number near 1.
_MANY_BITS = 1024


# pi_min, g, epsilon; the lengths are those of the lemma.
_CLASSES = (("1/5", "3/4", "1"), ("1/2", "1", "4"), ("1/3", "1/2", "6"))


def _classes(factor: int, more: int) -> Iterator[tuple[Class, int]]:
    for pi_min, gap, epsilon in _CLASSES:
        known = Class(Fraction(pi_min), Fraction(gap), 1, Fraction(epsilon))
        lag = lag_of_lemma_4_9(known)
        yield known._replace(length=factor * lag + more), lag


def bound_at_the_lag_is_small() -> bool:
    """W at a* is at most epsilon/6."""
    with working_precision(_BITS):
        return all(
            influence_bound(known.pi_min, known.gap, lag) <= ball(known.epsilon / 6)
            for known, lag in _classes(8, 0)
        )


def middle_quilt_is_two_sided() -> bool:
    """At T = 8 a* the middle node's best quilt has both ends and a + b <= 4 a*."""
    for known, lag in _classes(8, 0):
        _, (left, right) = _middle(known)
        if not (left and right and left + right <= 4 * lag):
            return False
    return True


def _middle(known: Class) -> tuple[object, Lags]:
    return ByBalls(known).least((known.length + 1) // 2)


def no_node_needs_more_than_the_middle() -> bool:
    """At T = 8 a* no node's least score is certainly above the middle node's."""
    for known, _ in _classes(8, 0):
        scores = ByBalls(known)
        middle = scores.least((known.length + 1) // 2)[0]
        if any(scores.least(node)[0].low > middle.high for node in (1, 2, 5, known.length)):
            return False
    return True


def scale_is_below_the_constant() -> bool:
    """At T = 4 a* + 3 every node that is looked at needs at most (4 a* - 2)/epsilon."""
    for known, lag in _classes(4, 3):
        scores, most = ByBalls(known), (4 * lag - 2) / known.epsilon
        nodes = (1, lag, 2 * lag + 2, 2 * lag + 3, known.length - lag, known.length)
        if any(scores.least(node)[0].high.compared_with(most) > 0 for node in nodes):
            return False
    return True


def every_constant_is_exceeded() -> bool:
    """With epsilon = (2/pi) e^(-g (C+1)/4) no lag up to (C+1)/2 has w below epsilon."""
    pi, gap = Fraction(1, 5), Fraction(3, 4)
    with working_precision(_MANY_BITS):
        for constant in (8, 48, 200, 1000):
            epsilon = 2 / ball(pi) * (-ball(gap) * (constant + 1) / 4).exp()
            for lag in ((constant + 1) // 2, (constant + 1) // 4):
                if not influence_bound(pi, gap, lag) > epsilon:
                    return False
    return True


def mixing_time_is_below() -> bool:
    """(2/g) log(2/pi) <= (4/g) log(1/pi) for pi <= 1/2, which is 2/pi <= 1/pi^2."""
    return all(2 / pi <= 1 / pi**2 for pi in (Fraction(1, k) for k in range(2, 40)))


def total_variation(pi: Law, moves: Moves) -> Fraction:
    """Return the largest distance of a row from the stationary law."""
    rows = [[abs(p - q) for p, q in zip(row, pi, strict=True)] for row in moves]
    return max(sum(row, Fraction(0)) / 2 for row in rows)


def exact_is_below_the_bound() -> bool:
    """e(a, b) <= 2 w_a + w_b on the first running chain, for its start and the stationary one."""
    with working_precision(_BITS):
        for start in ((Fraction(1), Fraction(0)), (Fraction(4, 5), Fraction(1, 5))):
            for a, b in product(range(5, 12), repeat=2):
                found = influence_by_formula(start, matrix(P_1), a + 1, a, b)
                bound = arb(0)
                for lag, times in ((a, 2), (b, 1)):
                    bound += times * influence_bound(Fraction(1, 5), Fraction(3, 4), lag)
                if ball(Fraction(found)).log() > bound:
                    return False
    return True


def slow_chains_ask_no_more_in_the_end() -> bool:
    """Whether twice the length asks MQMExact for the same, g being 0 by multiplicity."""
    for states, length in ((3, 80), (4, 160)):
        first, second = (
            evaluate(
                "pufferfish.quilt_scale_exact",
                {
                    "chains": one_chain("stationary", slow_line(states)),
                    "length": steps,
                    "epsilon": 1,
                    "width": steps,
                },
            )
            for steps in (length, 2 * length)
        )
        alike = first.lower <= second.upper and second.lower <= first.upper
        if not (alike and second.upper < length):
            return False
    return True
