"""Which way to the tail: the cheapest of those that can do it, and the next where it fails.

Every route encloses the same number, so a wrong guess of the cost wastes time and nothing else.
"""

from __future__ import annotations

from fractions import Fraction
from types import ModuleType

from flint import arb, ctx

from ...precision import check_budget
from ...quantity import Routed
from . import contour, cubature, series
from .event import Miss

# Expected seconds beyond which a route is not even begun at some precision.
_HOPELESS_SECONDS = 600.0
_ROUTES: dict[str, ModuleType] = {"series": series, "contour": contour, "cubature": cubature}


def routed(miss: Miss) -> Routed:
    """Enclose the probability of a miss by the cheapest route, and say which it was.

    A route whose enclosure keeps less than half of the working precision is followed by the next
    cheapest; enclosures of one number may be intersected.
    """
    if miss.known is not None:
        return Routed(miss.known, "known exactly")
    found, taken = arb("nan"), "none: every route is too long"
    for name in routes_by_cost(miss):
        check_budget()
        found, taken = _narrower(found, _ROUTES[name].probability(miss)), name
        if found.is_finite() and 2 * found.rel_accuracy_bits() >= ctx.prec:
            break
    return Routed(found, taken)


def probability(miss: Miss) -> arb:
    """Enclose the probability of a miss by the cheapest route."""
    value = routed(miss).value
    return arb(int(value)) if isinstance(value, Fraction) else value


def routes_by_cost(miss: Miss) -> list[str]:
    """Return the routes that are worth a try at the working precision, the cheapest first."""
    expected = {name: route.seconds_expected(miss) for name, route in _ROUTES.items()}
    usable = [name for name, seconds in expected.items() if seconds <= _HOPELESS_SECONDS]
    return sorted(usable, key=expected.__getitem__)


def _narrower(known: arb, found: arb) -> arb:
    if not known.is_finite():
        return found
    return known.intersection(found) if found.is_finite() else known
