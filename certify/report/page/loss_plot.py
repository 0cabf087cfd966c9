"""The plot of a release's privacy loss: proved points of a curve, and marks beside it.

The curve is that of the number which decides the claim, asked again at other values of one
parameter: delta at each epsilon, the divergence at each order, the loss at each scale of noise.
Each point is an upper end; between two points the line guides the eye. Marks are the claim, the
paper's bound, and the parameters that are enough.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain
from typing import TYPE_CHECKING, Final

from ....reference.domain import Value
from ....reference.dyadic import leading
from ....reference.enclosure import Enclosure
from ....reference.errors import DomainError
from ....reference.evaluation import answer_at
from ....reference.precision import Budget, ProcessorBudget
from ...audits.decision import Audit
from ...mechanisms.protocol import Worst
from ...mechanisms.questions import Question, Term
from ...verdict import Verdict
from .drawing import LIGHT, Picture, drawn, legend_below

if TYPE_CHECKING:
    from matplotlib.axes import Axes


# A power of two, so that halving finds every place; a few dozen points look like a curve.
_PARTS = 32
# Plotted on a screen, a thousandth cannot be seen; this is a ten-thousandth at most.
_DIGITS = 5
# How long a page may wait for its curve: an audit of a long chain asks for as much a point.
_CURVE_SECONDS = 2.0
# Of fewer points a line would lie far off the curve between them.
_FEWEST = 5
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
    """Return the curve of the number that decides a claim; None where there is nothing to draw.

    It reaches beyond all of ``epsilons``, the ones that were claimed, printed or found, and
    beyond the order that was claimed.
    """
    asked = {question.key: question for question in worst.asked if question.terms}
    right = min(_BEYOND * max(epsilons, default=Fraction(0)), _FARTHEST) or _WITHOUT_SIZE
    if "delta_at_epsilon" in asked:
        # Marks lie on the right side of a curve that is known where they are.
        marked = [epsilon for epsilon in epsilons if epsilon < right]
        return _curve_of(asked["delta_at_epsilon"], "epsilon", lambda part: right * part, marked)
    if "epsilon_at_delta" in asked:
        return _turned(_curve_of(asked["epsilon_at_delta"], "delta", _small))
    if "epsilon_at_order" in asked:
        span = _AROUND_SCALE * ((order or 1) - 1) or Fraction(_AROUND_SCALE)
        return _curve_of(asked["epsilon_at_order"], "order", lambda part: 1 + span * part)
    if "epsilon_at_scale" in asked:
        return _curve_of(asked["epsilon_at_scale"], "scale", _around)
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


def _curve_of(
    question: Question,
    parameter: str,
    place: Callable[[Fraction], Fraction],
    first: Iterable[Fraction] = (),
) -> Curve | None:
    """Return the points that can be had in time, the ``first`` ones and the coarsest division.

    None where they are so few that lines between them would be no picture of the curve.
    """
    budget = ProcessorBudget(_CURVE_SECONDS)
    found: dict[Fraction, Fraction] = {}
    for at in chain(first, map(place, _halvings())):
        left = budget.left()
        if left <= 0:
            break
        asked, shown_at = _asked_at(question, parameter, at)
        height = _upper(asked, left)
        if height is not None:
            found[shown_at] = height
    return Curve(question.key, tuple(sorted(found.items()))) if len(found) >= _FEWEST else None


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
            found = answer_at(
                term.quantity, term.point, digits=_DIGITS, budget=Budget(seconds=seconds)
            )
        except DomainError:
            return None
        upper = _drawable_end(found.number)
        if not found.narrow or upper is None:
            return None
        total += term.times * upper
    return total


def _drawable_end(value: Enclosure | None) -> Fraction | None:
    """Return the upper end where a plot could show it; None where it is infinite, huge or tiny.

    Such an end may have a hundred million bits, and is not built.
    """
    if value is None or not value.high.is_finite:
        return None
    if value.high.mantissa and abs(leading(value.high)) > _MOST_OCTAVES:
        return None
    upper = value.upper
    return upper if isinstance(upper, Fraction) else None


# What a double holds with room to spare; what lies beyond is in the table alone.
_LARGEST, _SMALLEST = Fraction(10**200), Fraction(1, 10**200)
# A decade below the smallest number in question there is nothing to see.
_ROOM = 10.0
# The truth at the claimed epsilon may be so small that the rest would be squeezed: so far, no more.
_DEEPEST = Fraction(1, 10**9)

_AXES: Final = {
    "delta_at_epsilon": ("epsilon", "delta"),
    "epsilon_at_delta": ("epsilon", "delta"),
    "epsilon_at_order": ("order", "epsilon"),
    "epsilon_at_scale": ("scale of the noise, in multiples of the released one", "epsilon"),
}
_DOT, _SQUARE, _DIAMOND = "o", "s", "D"
_SIZES = {_DOT: 6, _SQUARE: 10, _DIAMOND: 9}
_RULED_OUT = "ruled out: some inputs lose more than this"
_CURVES = {True: "exact: some inputs lose this much", False: "proved: no inputs lose more"}
_LOWERED = " (delta = 0, drawn at the edge)"


@dataclass(frozen=True)
class _Mark:
    """A point to be drawn beside a curve, in a colour of the palette."""

    label: str
    right: Fraction
    up: Fraction
    shape: str
    colour: str


def _drawable(curve: Curve) -> list[tuple[Fraction, Fraction]]:
    """Return the points that a plot of doubles can show."""
    return [(x, y) for x, y in curve.points if _SMALLEST <= y <= _LARGEST >= x]


def _draw_loss(
    axes: Axes, curve: Curve, marks: Iterable[_Mark], truth: Fraction | None, worst: Worst
) -> None:
    """Draw a curve with its marks; claims below it are ruled out where it is the least number.

    ``truth`` is the number at the claimed point, which should be on the plot if it can be.
    """
    marks, points = list(marks), _drawable(curve)
    right, up = [float(x) for x, _ in points], [float(y) for _, y in points]
    axes.plot(right, up, color=LIGHT["curve"], linewidth=2, label=_CURVES[worst.attained])
    floor = _floor(curve, marks, truth)
    if _is_least(worst):
        excluded = LIGHT["excluded"]
        axes.fill_between(right, up, floor or 0.0, color=excluded, linewidth=0, label=_RULED_OUT)
    for mark in marks:
        _draw_mark(axes, mark, floor)
    _scaled(axes, curve, floor)
    if _AXES[curve.key][1] == "delta":
        axes.set_ylim(top=_ceiling([*up, *(float(mark.up) for mark in marks)]))
    legend_below(axes)


def _draw_mark(axes: Axes, mark: _Mark, floor: float | None) -> None:
    colour = LIGHT[mark.colour]
    axes.plot(
        [float(mark.right)],
        [max(float(mark.up), floor or 0.0)],
        color=colour,
        marker=mark.shape,
        # Points may coincide: all but the dot are outlines, through which others are seen.
        markerfacecolor=colour if mark.shape == _DOT else "none",
        markeredgewidth=2,
        markersize=_SIZES[mark.shape],
        linestyle="none",
        clip_on=False,
        label=mark.label + (_LOWERED if floor and not mark.up else ""),
    )


def _floor(curve: Curve, marks: list[_Mark], truth: Fraction | None) -> float | None:
    """Return where a logarithmic axis begins: below all that matters; None for a straight one."""
    lowest = min(y for _, y in _drawable(curve))
    if curve.key == "epsilon_at_order":
        return None
    if curve.key == "epsilon_at_scale":
        return float(lowest) / 2
    lowest = min((mark.up for mark in marks if mark.up >= _SMALLEST), default=lowest)
    return float(min(lowest, max(truth or lowest, lowest * _DEEPEST))) / _ROOM


def _ceiling(heights: list[float]) -> float:
    """Return where a logarithmic axis ends: at the least power of ten that nothing is above."""
    return 10.0 ** math.ceil(math.log10(max(heights)))


def _scaled(axes: Axes, curve: Curve, floor: float | None) -> None:
    """Label the axes and set their scales; powers are written so that any font can."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

    right, up = _AXES[curve.key]
    axes.set_xlabel(right)
    axes.set_ylabel(up)
    if floor is None:
        axes.set_ylim(bottom=0)
        return
    plain = FuncFormatter(lambda value, _: f"{value:g}".replace("e-0", "e-"))
    axes.set_yscale("log")
    if curve.key == "epsilon_at_scale":
        axes.set_xscale("log", base=2)
        axes.xaxis.set_major_formatter(plain)
        axes.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    else:
        axes.set_xlim(left=0)
    axes.yaxis.set_major_formatter(plain)
    axes.yaxis.set_minor_locator(NullLocator())
    axes.set_ylim(bottom=floor)


def _marks_beside(key: str, audit: Audit) -> list[_Mark]:
    """Return the points beside the curve of a question that can be drawn, the claimed one last."""
    return [mark for mark in _MARKS_OF[key](audit) if mark.right <= _LARGEST >= mark.up]


def _on_the_profile(audit: Audit) -> Iterator[_Mark]:
    claim, paper = audit.claim, _drawable_end(audit.paper.epsilon)
    delta = claim.delta or Fraction(0)
    at = _drawable_end(audit.paper.delta) if audit.paper.delta else delta
    if paper is not None and at is not None:
        yield _Mark(_printed(audit), paper, at, _SQUARE, "printed")
    needed = _drawable_end(audit.exact.get("epsilon_at_delta"))
    if needed is not None:
        yield _Mark("enough at the claimed delta", needed, delta, _DOT, "curve")
    yield _Mark("claimed", claim.epsilon, delta, _DIAMOND, "claimed")


def _on_the_orders(audit: Audit) -> Iterator[_Mark]:
    claim, paper = audit.claim, _drawable_end(audit.paper.epsilon)
    order = claim.order or Fraction(1)
    if paper is not None:
        yield _Mark(_printed(audit), order, paper, _SQUARE, "printed")
    yield _Mark("claimed", order, claim.epsilon, _DIAMOND, "claimed")


def _on_the_scales(audit: Audit) -> Iterator[_Mark]:
    epsilon, times = audit.claim.epsilon, _times_needed(audit)
    if times is not None:
        yield _Mark("scale that the mechanism asks for", times, epsilon, _SQUARE, "printed")
    yield _Mark("claimed", Fraction(1), epsilon, _DIAMOND, "claimed")


def _printed(audit: Audit) -> str:
    if audit.bound_applies:
        return "the paper's bound"
    return "the paper's formula, which is no bound here"


def _times_needed(audit: Audit) -> Fraction | None:
    """Return the scale that the mechanism asks for, in multiples of the released one."""
    needed = _drawable_end(audit.exact.get("scale_needed"))
    released = [item.claimed for item in audit.worst.sufficient if item.key == "scale_needed"]
    return needed / released[0] if needed is not None and released else None


_MARKS_OF: dict[str, Callable[[Audit], Iterator[_Mark]]] = {
    "delta_at_epsilon": _on_the_profile,
    "epsilon_at_delta": _on_the_profile,
    "epsilon_at_order": _on_the_orders,
    "epsilon_at_scale": _on_the_scales,
}

# In a table behind a plot.
_FIGURES = 4
_NAME = "loss"
_TITLES: Final = {
    "delta_at_epsilon": "Privacy profile: delta at each epsilon",
    "epsilon_at_delta": "A bound on the privacy profile: delta at each epsilon",
    "epsilon_at_order": "Renyi divergence at each order",
    "epsilon_at_scale": "Loss at each scale of the noise",
}


def release_picture(audit: Audit) -> Picture | None:
    """Return the plot of the number that decides a claim; None where it has no finite points."""
    curve = curve_of(audit.worst, list(_epsilons(audit)), audit.claim.order)
    if curve is None or not _drawable(curve):
        return None
    marks = _marks_beside(curve.key, audit)
    title, truth = _TITLES[curve.key], _drawable_end(audit.exact.get("delta_at_epsilon"))
    description = _described(audit, curve, marks)
    svg = drawn(
        _NAME,
        lambda axes: _draw_loss(axes, curve, marks, truth, audit.worst),
        title,
        description,
    )
    rows = [(_short(x), _short(y), _kind(audit)) for x, y in curve.points]
    rows += [(_short(mark.right), _short(mark.up), mark.label) for mark in marks]
    columns = (*_AXES[curve.key], "what")
    return Picture(title, description, svg, columns, tuple(rows), _notes(audit, curve))


def _epsilons(audit: Audit) -> Iterator[Fraction]:
    """Yield the finite epsilons that a plot has to show."""
    yield audit.claim.epsilon
    for value in (audit.paper.epsilon, audit.exact.get("epsilon_at_delta")):
        upper = _drawable_end(value)
        if upper is not None:
            yield upper


def _is_least(worst: Worst) -> bool:
    """Whether nothing below what is stated is true: inputs lose it, or come near to it."""
    return worst.attained or worst.approached


def _kind(audit: Audit) -> str:
    return "exact" if audit.attained else "proved to be enough"


def _described(audit: Audit, curve: Curve, marks: list[_Mark]) -> str:
    """Return a description of the plot in words."""
    right, up = _AXES[curve.key]
    (first, high), (last, low) = curve.points[0], curve.points[-1]
    whole = (
        f"A curve of {up} against {right}, {_kind(audit)}: {up} is {_short(high)} at "
        f"{_short(first)} and {_short(low)} at {_short(last)}."
    )
    said = [whole]
    said += [
        f"{mark.label[0].upper()}{mark.label[1:]}: ({_short(mark.right)}, {_short(mark.up)})."
        for mark in marks
    ]
    if _is_least(audit.worst):
        said.append("What lies below the curve is ruled out.")
    return " ".join(said)


def _notes(audit: Audit, curve: Curve) -> tuple[str, ...]:
    """Return two notes: on the proved points, and on the region below them."""
    guide = (
        f"The curve goes through {len(curve.points)} points. Each is proved: not below the truth, "
        "nor above it by more than one part in ten thousand. Between them it only guides the eye."
    )
    if audit.attained:
        below = (
            "What lies below these points cannot be true: neighbouring inputs lose what they show."
        )
    elif audit.worst.approached:
        below = (
            "No inputs lose as much as these points show, but some come as near to it as one "
            "likes: what lies below them cannot be true."
        )
    elif audit.verdict is Verdict.REFUTED:
        below = (
            "Inputs that lose more than is claimed refute the claim. None are known that lose as "
            "much as the curve shows, so not all that lies below it is ruled out."
        )
    else:
        below = "No inputs are known that lose as much as the curve shows, so nothing is ruled out."
    return guide, below


def _short(value: Fraction) -> str:
    return Enclosure.of(value).decimals(_FIGURES - 2)[1]
