"""Appendix, Theorem 3: the integral inequality of Prekopa and Leindler."""

from __future__ import annotations

from fractions import Fraction

from ....reference.arb.balls import ball
from ..evidence import Formula, Instance, NotDecidable, Proof
from ..statement import Reading, Statement
from ..values import Exactly, Worked, by_balls, by_spans, draws, span
from .good_set import NOT_JOINTLY

_NOTE = "gohari2020/prekopa-leindler.md"
_TRIALS = 30


def _sums_of_unions_are_long() -> bool:
    """Whether |s A + (1-s) B| >= s |A| + (1-s) |B| for finite unions of intervals, exactly."""
    for random in draws(1, _TRIALS):
        share = Fraction(random.randint(1, 9), 10)
        first, second = (
            [
                (Fraction(start), Fraction(start) + Fraction(random.randint(0, 30), 10))
                for start in random.sample(range(0, 40, 4), 3)
            ]
            for _ in range(2)
        )
        sums = [
            (share * low + (1 - share) * start, share * high + (1 - share) * end)
            for low, high in first
            for start, end in second
        ]
        if _length(sums) < share * _length(first) + (1 - share) * _length(second):
            return False
    return True


def _length(intervals: list[tuple[Fraction, Fraction]]) -> Fraction:
    """Return the length of a union of intervals."""
    total, reached = Fraction(0), min(low for low, _ in intervals)
    for low, high in sorted(intervals):
        total += max(Fraction(0), high - max(low, reached))
        reached = max(reached, high)
    return total


def _step_functions_obey() -> bool:
    """Whether the inequality holds for step functions that two levels make, share 1/2, exactly.

    f = 1 on an interval and 1 + c on a part of it; both sides are squared, so as to be rational.
    """
    for random in draws(2, _TRIALS):
        heights = [Fraction(random.randint(0, 20), 10) for _ in range(2)]
        tops = [Fraction(random.randint(1, 9), 10) for _ in range(2)]  # [0, top] in [0, 1]
        integrals = [1 + height * top for height, top in zip(heights, tops, strict=True)]
        # r(t)^2 = sup of f_1(x_1) f_2(x_2) over (x_1 + x_2)/2 = t, level by level from the left
        both = (1 + heights[0]) * (1 + heights[1])
        one = sorted(((1 + heights[at], (tops[at] + 1) / 2) for at in range(2)), reverse=True)
        ends = [((tops[0] + tops[1]) / 2, both), (one[0][1], one[0][0]), (one[1][1], one[1][0])]
        if not _root_integral_is_above(ends, integrals[0] * integrals[1]):
            return False
    return True


def _root_integral_is_above(ends: list[tuple[Fraction, Fraction]], product: Fraction) -> bool:
    """Whether the integral over [0, 1] of the root of a falling step function has a square above.

    The roots are cut off to rationals from below, so a yes is certain.
    """
    total, at = Fraction(0), Fraction(0)
    for end, square in [*ends, (Fraction(1), Fraction(1))]:
        total += max(Fraction(0), end - at) * _root_below(square)
        at = max(at, end)
    return total**2 >= product


def _root_below(square: Fraction) -> Fraction:
    from math import isqrt

    scale = 10**18
    return Fraction(isqrt(int(square * scale * scale)), scale)


# e^(x y) is log-linear in x and in y, each for itself, and its integral over x in [-1, 1] is
# 2 at y = 0 and e - 1/e at y = 1 and at y = -1.
_SEPARATELY = Instance(
    "(3) f(x, y) = e^(x y) over x in [-1, 1]: the square of the integral at y = 0 is at least the "
    "product of those at y = 1 and y = -1",
    Exactly("4", "the square of the integral at y = 0"),
    ">=",
    Worked(
        "(e - 1/e)^2",
        by_balls(lambda: (ball(1).exp() - ball(-1).exp()) ** 2),
        by_spans(lambda: span(1).exp() * span(1).exp() + span(-1).exp() * span(-1).exp() - span(2)),
    ),
)

STATEMENTS = (
    Statement(
        "gohari2020.section-1-generalisation",
        "remark",
        "I, on its reference 21; appendix -A",
        "Theorem 6 of its reference 21, on integrals of log-concave functions, is generalised.",
        _NOTE,
        (
            NotDecidable(
                "no generalisation is stated: Theorem 3 is taken from reference 21 as it is, and "
                "Lemma 2 is of one family of densities"
            ),
        ),
        readings=(
            Reading(
                "what appendix -A argues from: log-concave in each of two variables, not jointly, "
                "is enough for the integral over one to be log-concave in the other",
                (_SEPARATELY,),
            ),
            Reading(
                "Lemma 2 follows from Theorem 3, as appendix -A has it",
                (NOT_JOINTLY,),
            ),
        ),
    ),
    Statement(
        "gohari2020.theorem-3",
        "theorem",
        "appendix, Theorem 3 (from Prekopa 1973)",
        "The integral of a supremum of products is at least the product of norms.",
        _NOTE,
        (
            Proof(
                f"{_NOTE}#by-levels-and-dimensions",
                "level sets in one dimension, then one coordinate after the other",
                (
                    Formula("(1): unions of intervals", _sums_of_unions_are_long),
                    Formula("(2): step functions of two levels", _step_functions_obey),
                ),
            ),
        ),
        ("f_i >= 0 Borel, lambda_i > 0 with the sum 1",),
        garbled="The constraint lacks x_k in its last term.",
    ),
    Statement(
        "gohari2020.theorem-3-measurable",
        "remark",
        "appendix, Theorem 3, before its inequality",
        "That supremum is a Borel measurable function.",
        _NOTE,
        (
            NotDecidable(
                "Erdos and Stone 1970 construct Borel sets whose sum is not Borel, and the "
                "indicators of such a pair would refute it; cited, not worked out here"
            ),
        ),
    ),
)
