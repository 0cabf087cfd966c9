"""What a release loses, as a curve: proved points to draw beside what was claimed.

The curve is that of the number which decides the claim, asked again at other values of one
parameter: delta at each epsilon, the divergence at each order, the loss at each scale of noise.
Each point is an upper end; what lies between two points is drawn to guide the eye.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from ....reference.domain import Value
from ....reference.dyadic import leading
from ....reference.enclosure import Enclosure
from ....reference.errors import DomainError
from ....reference.evaluation import evaluate
from ....reference.precision import Budget
from ...mechanisms.protocol import Worst
from ...mechanisms.questions import Question, Term

# A power of two, so that halving finds every place; a few dozen points look like a curve.
_PARTS = 32
# Plotted on a screen, a thousandth cannot be seen; this is a ten-thousandth at most.
_DIGITS = 5
# How long a page may wait for its curve: an audit of a long chain asks for as much a point.
_SECONDS = 1.0
# How far beyond the largest number in question a curve is drawn, and around a scale.
_BEYOND = Fraction(5, 4)
# No protection is left at such an epsilon; beyond it there is nothing to see.
_FARTHEST = Fraction(10**6)
_AROUND_SCALE = 4
# Of the deltas at which a bound's epsilon is asked for.
_DECADES = 11
# Powers of two that a double holds with room to spare.
_MOST_OCTAVES = 660
_WITHOUT_SIZE = Fraction(1)  # where all that is in question is 0


@dataclass(frozen=True)
class Curve:
    """Points of a curve from left to right, each height an upper end.

    ``key`` is the question's. Where the parameter is a delta, the points lie (epsilon, delta).
    """

    key: str
    points: tuple[tuple[Fraction, Fraction], ...]


def curve_of(worst: Worst, epsilons: list[Fraction], order: Fraction | None) -> Curve | None:
    """Return the curve of what decides a claim; None where there is nothing to draw.

    It reaches beyond all of ``epsilons``, the ones that were claimed, printed or found, and
    beyond the order that was claimed.
    """
    asked = {question.key: question for question in worst.asked if question.terms}
    right = min(_BEYOND * max(epsilons, default=Fraction(0)), _FARTHEST) or _WITHOUT_SIZE
    if "delta_at_epsilon" in asked:
        return _drawn(asked["delta_at_epsilon"], "epsilon", lambda part: right * part)
    if "epsilon_at_delta" in asked:
        return _turned(_drawn(asked["epsilon_at_delta"], "delta", _small))
    if "epsilon_at_order" in asked:
        span = _AROUND_SCALE * ((order or 1) - 1) or Fraction(_AROUND_SCALE)
        return _drawn(asked["epsilon_at_order"], "order", lambda part: 1 + span * part)
    if "epsilon_at_scale" in asked:
        return _drawn(asked["epsilon_at_scale"], "scale", _around)
    return None


def _small(part: Fraction) -> Fraction:
    """Return a delta between 10^-12 and 1/10, evenly spaced by ratio."""
    # A float chooses where to look, which is a matter of looks alone.
    return Fraction(f"{10 ** -float(1 + _DECADES * part):.2e}")


def _turned(curve: Curve | None) -> Curve | None:
    """Return the curve with epsilon to the right and delta up."""
    if curve is None:
        return None
    return replace(curve, points=tuple(sorted((right, up) for up, right in curve.points)))


def _around(part: Fraction) -> Fraction:
    """Return a factor between 1/4 and 4, evenly spaced by ratio as far as a plot can tell."""
    # A float chooses where to look, which is a matter of looks alone.
    return Fraction(_AROUND_SCALE ** float(2 * part - 1)).limit_denominator(1_000)


def _drawn(
    question: Question, parameter: str, place: Callable[[Fraction], Fraction]
) -> Curve | None:
    """Return the points that can be had in time, the coarsest division first."""
    ends_at = time.monotonic() + _SECONDS
    found: dict[Fraction, Fraction] = {}
    for part in _halvings():
        left = ends_at - time.monotonic()
        if left <= 0:
            break
        at = place(part)
        asked, shown_at = _asked_at(question, parameter, at)
        height = _upper(asked, left)
        if height is not None:
            found[shown_at] = height
    return Curve(question.key, tuple(sorted(found.items()))) if len(found) > 1 else None


def _halvings() -> Iterator[Fraction]:
    """Yield 0, 1, 1/2, 1/4, 3/4 and so on: any first few of them are spread evenly."""
    yield from (Fraction(0), Fraction(1))
    step = _PARTS
    while step > 1:
        yield from (Fraction(at, _PARTS) for at in range(step // 2, _PARTS, step))
        step //= 2


def _asked_at(question: Question, parameter: str, at: Fraction) -> tuple[Question, Fraction]:
    """Return the question at another value of its parameter, and that value; scales by a factor."""
    terms = []
    shown_at = at
    for term in question.terms:
        point, shown_at = _moved(term.point, parameter, at)
        terms.append(Term(term.quantity, point, term.times))
    return replace(question, terms=tuple(terms)), shown_at


def _moved(
    point: Mapping[str, Value], parameter: str, at: Fraction
) -> tuple[dict[str, Value], Fraction]:
    if parameter != "scale":
        return {**point, parameter: at}, at
    if "scales" in point:
        scales = point["scales"]
        given = [x for x in scales if isinstance(x, Fraction)] if isinstance(scales, tuple) else []
        return {**point, "scales": tuple(at * scale for scale in given)}, at
    scale = point["scale"]
    if not isinstance(scale, Fraction | int):
        raise TypeError("scale is no number")
    return {**point, "scale": at * scale}, at


def _upper(question: Question, seconds: float) -> Fraction | None:
    """Return an upper end of the sum of the terms; None where none is had, finite, in time."""
    total = Fraction(0)
    for term in question.terms:
        try:
            found = evaluate(
                term.quantity, term.point, digits=_DIGITS, budget=Budget(seconds=seconds)
            )
        except DomainError:
            return None
        upper = drawable_end(found.number)
        if not found.narrow or upper is None:
            return None
        total += term.times * upper
    return total


def drawable_end(value: Enclosure | None) -> Fraction | None:
    """Return the upper end where a plot could show it; None where it is infinite, huge or tiny.

    Such an end may have a hundred million bits, and is not built.
    """
    if value is None or not value.high.is_finite:
        return None
    if value.high.mantissa and abs(leading(value.high)) > _MOST_OCTAVES:
        return None
    upper = value.upper
    return upper if isinstance(upper, Fraction) else None
