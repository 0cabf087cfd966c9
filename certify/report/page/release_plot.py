"""The picture of what a release loses: the curve, the paper's bound, the claim, in words too."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from ....reference.enclosure import Enclosure
from ...audits.decision import Audit
from .drawing import Picture, drawn
from .loss_curve import Curve, curve_of, drawable_end
from .release_axes import AXES, Mark, draw_loss, drawable
from .release_marks import marks_beside

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
    """Return the plot of what decides a claim; None where nothing is asked or nothing is finite."""
    curve = curve_of(audit.worst, list(_epsilons(audit)), audit.claim.order)
    if curve is None or not drawable(curve):
        return None
    marks = marks_beside(curve.key, audit)
    title, truth = _TITLES[curve.key], drawable_end(audit.exact.get("delta_at_epsilon"))
    description = _described(audit, curve, marks)
    svg = drawn(
        _NAME,
        lambda axes: draw_loss(axes, curve, marks, truth, attained=audit.attained),
        title,
        description,
    )
    rows = [(_short(x), _short(y), _kind(audit)) for x, y in curve.points]
    rows += [(_short(mark.right), _short(mark.up), mark.label) for mark in marks]
    columns = (*AXES[curve.key], "what")
    return Picture(title, description, svg, columns, tuple(rows), _notes(audit, curve))


def _epsilons(audit: Audit) -> Iterator[Fraction]:
    """Yield the finite epsilons that a plot has to show."""
    yield audit.claim.epsilon
    for value in (audit.paper.epsilon, audit.exact.get("epsilon_at_delta")):
        upper = drawable_end(value)
        if upper is not None:
            yield upper


def _kind(audit: Audit) -> str:
    return "exact" if audit.attained else "proved to be enough"


def _described(audit: Audit, curve: Curve, marks: list[Mark]) -> str:
    """Say in words what the plot shows."""
    right, up = AXES[curve.key]
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
    if audit.attained:
        said.append("What lies below the curve is ruled out.")
    return " ".join(said)


def _notes(audit: Audit, curve: Curve) -> tuple[str, ...]:
    """Say what the plot proves, and what it does not."""
    guide = (
        f"The curve goes through {len(curve.points)} points. Each is proved: not below the truth, "
        "nor above it by more than one part in ten thousand. Between them it only guides the eye."
    )
    below = (
        "What lies below these points cannot be true: neighbouring inputs lose what they show."
        if audit.attained
        else "No inputs are known that lose as much as the curve shows, so nothing is ruled out."
    )
    return guide, below


def _short(value: Fraction) -> str:
    return Enclosure.of(value).decimals(_FIGURES - 2)[1]
