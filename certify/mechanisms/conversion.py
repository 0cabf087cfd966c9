"""From Renyi privacy to a claimed delta: ponnoprat2023 Lemma 3, for a given or the best order."""

from __future__ import annotations

from fractions import Fraction

from ...reference.enclosure import Enclosure
from ...reference.evaluation import evaluate
from ...reference.exact import shown
from .printed import value_of
from .protocol import Claim, asked_of
from .questions import Question, Term
from .sensitivities import HistogramParameters

_CONVERSION = "dirichlet.renyi.to_approximate_dp"
_BOUND = "dirichlet.renyi.epsilon_sensitivity"
# Every order gives a bound; so many are compared, to so few digits, closer together near 1.
_ORDERS = 48
_ROUGHLY = 6


def converted(bound: Enclosure | None, order: Fraction, delta: Fraction) -> Enclosure | None:
    """Return the epsilon at a delta that a bound at one order gives; it rises with the bound."""
    if bound is None:
        return None
    low, high = (_epsilon_at(end, order, delta) for end in (bound.lower, bound.upper))
    return None if low is None or high is None else Enclosure(low.low, high.high)


def _epsilon_at(bound: Fraction | float, order: Fraction, delta: Fraction) -> Enclosure | None:
    if not isinstance(bound, Fraction):
        return Enclosure.infinite()
    return value_of(_CONVERSION, {"order": order, "epsilon": bound, "delta": delta})


def asked_of_sensitivities(claim: Claim) -> tuple[tuple[Question, ...], Fraction | None]:
    """Return what bounds every f with the claim's sensitivities, and the order that was chosen.

    A claimed order needs no choice. At delta 0 nothing finite is known and at delta 1 nothing is
    needed, whatever the laws.
    """
    if claim.order is not None:
        term = Term(_BOUND, _point(claim, claim.order))
        return (Question("epsilon_at_order", claim.epsilon, (term,)),), None
    delta = claim.delta or Fraction(0)
    if not 0 < delta < 1:
        own = HistogramParameters.of(claim)
        asked = asked_of(claim, "dirichlet.profile", {"alpha": own.alpha, "step": own.step})
        return tuple(each for each in asked if each.key == "epsilon_at_delta"), None
    order = _best_order(claim, delta)
    given = {"order": order, "epsilon": _bound_above(claim, order, 2 * _ROUGHLY), "delta": delta}
    return (Question("epsilon_at_delta", claim.epsilon, (Term(_CONVERSION, given),)),), order


def _best_order(claim: Claim, delta: Fraction) -> Fraction:
    """Return about the order, among those of a finite bound, of the smallest epsilon at delta."""
    own = HistogramParameters.of(claim)
    span = own.alpha / (own.step * own.delta_inf)
    orders = [1 + span * Fraction(part, _ORDERS) ** 3 for part in range(1, _ORDERS)]

    def epsilon(order: Fraction) -> Fraction | float:
        bound = _bound_above(claim, order, _ROUGHLY)
        given = {"order": order, "epsilon": bound, "delta": delta}
        return evaluate(_CONVERSION, given, digits=_ROUGHLY).number.upper

    return min(orders, key=epsilon)


def _bound_above(claim: Claim, order: Fraction, digits: int) -> Fraction:
    """Return an upper bound on the divergence at an order where it is finite."""
    found = evaluate(_BOUND, _point(claim, order), digits=digits).upper
    if not isinstance(found, Fraction):
        raise TypeError(f"the bound at order {shown(order)} is not finite")
    return found


def _point(claim: Claim, order: Fraction) -> dict[str, Fraction]:
    own = HistogramParameters.of(claim)
    return {
        "step": own.step,
        "alpha": own.alpha,
        "delta2_squared": own.delta2_squared,
        "delta_inf": own.delta_inf,
        "order": order,
    }
