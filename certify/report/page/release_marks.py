"""The points that stand beside a release's curve: claimed, printed, and what is enough."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

from ...audits.decision import Audit
from .loss_curve import drawable_end
from .release_axes import DIAMOND, DOT, LARGEST, SQUARE, Mark


def marks_beside(key: str, audit: Audit) -> list[Mark]:
    """Return the points beside the curve of a question that can be drawn, the claimed one last."""
    return [mark for mark in _MARKS[key](audit) if mark.right <= LARGEST >= mark.up]


def _on_the_profile(audit: Audit) -> Iterator[Mark]:
    claim, paper = audit.claim, drawable_end(audit.paper.epsilon)
    delta = claim.delta or Fraction(0)
    at = drawable_end(audit.paper.delta) if audit.paper.delta else delta
    if paper is not None and at is not None:
        yield Mark(_printed(audit), paper, at, SQUARE, "printed")
    needed = drawable_end(audit.exact.get("epsilon_at_delta"))
    if needed is not None:
        yield Mark("enough at the claimed delta", needed, delta, DOT, "curve")
    yield Mark("claimed", claim.epsilon, delta, DIAMOND, "claimed")


def _on_the_orders(audit: Audit) -> Iterator[Mark]:
    claim, paper = audit.claim, drawable_end(audit.paper.epsilon)
    order = claim.order or Fraction(1)
    if paper is not None:
        yield Mark(_printed(audit), order, paper, SQUARE, "printed")
    yield Mark("claimed", order, claim.epsilon, DIAMOND, "claimed")


def _on_the_scales(audit: Audit) -> Iterator[Mark]:
    epsilon, times = audit.claim.epsilon, _times_needed(audit)
    if times is not None:
        yield Mark("scale that the mechanism asks for", times, epsilon, SQUARE, "printed")
    yield Mark("claimed", Fraction(1), epsilon, DIAMOND, "claimed")


def _printed(audit: Audit) -> str:
    if audit.bound_applies:
        return "the paper's bound"
    return "the paper's formula, which is no bound here"


def _times_needed(audit: Audit) -> Fraction | None:
    """Return the scale that the mechanism asks for, in multiples of the released one."""
    needed = drawable_end(audit.exact.get("scale_needed"))
    released = [item.claimed for item in audit.worst.sufficient if item.key == "scale_needed"]
    return needed / released[0] if needed is not None and released else None


_MARKS: dict[str, Callable[[Audit], Iterator[Mark]]] = {
    "delta_at_epsilon": _on_the_profile,
    "epsilon_at_delta": _on_the_profile,
    "epsilon_at_order": _on_the_orders,
    "epsilon_at_scale": _on_the_scales,
}
