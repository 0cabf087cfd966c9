"""What the paper's own formulas give for a claim: epsilon, delta, and the gamma they belong to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from ...reference.domain import Exact
from ...reference.enclosure import Enclosure
from ...reference.errors import InputError
from ...reference.evaluation import evaluate
from ...reference.exact import exact_number
from ...reference.quantity import quantity_named
from .claim import Claim

# A chosen gamma is told in full, so it has no more figures than a person would copy.
_GAMMA_DIGITS = 12


@dataclass(frozen=True)
class Printed:
    """The paper's bounds; None where a formula has no value, or gamma neither given nor chosen.

    ``release`` is the claim's, with that gamma. ``chosen`` says that the claim left gamma open
    and that it is the best one: the largest whose delta is at most the claimed one, hence of the
    smallest epsilon, rounded down.
    """

    epsilon: Enclosure | None
    delta: Enclosure | None
    release: Mapping[str, Exact]
    chosen: bool

    @property
    def gamma(self) -> Fraction | None:
        """The gamma that the bounds belong to, if there is one."""
        return Fraction(self.release["gamma"]) if "gamma" in self.release else None


def printed_bounds(claim: Claim) -> Printed:
    """Evaluate the paper's formulas at the claim's parameters."""
    release = dict(claim.release)
    chosen = "gamma" not in release
    if chosen:
        best = _best_gamma(claim)
        if best is None:
            return Printed(None, None, release, chosen)
        release["gamma"] = best
    return Printed(
        _value(claim.mechanism.bound, release),
        _value(claim.mechanism.delta_bound, release),
        release,
        chosen,
    )


def _best_gamma(claim: Claim) -> Fraction | None:
    if claim.delta is None:
        return None
    found = _value(claim.mechanism.level, {**claim.release, "delta": claim.delta})
    if found is None:
        return None
    try:
        gamma = exact_number(found.decimals(_GAMMA_DIGITS - 2)[0])
    except InputError:  # so small that no formula reads it
        return None
    return gamma if gamma > 0 else None


def _value(name: str, given: Mapping[str, Exact]) -> Enclosure | None:
    """Return a quantity at those of the parameters that it takes, or None outside its domain."""
    quantity = quantity_named(name)
    if not set(quantity.parameters) <= set(given):
        return None
    taken = {key: given[key] for key in quantity.parameters}
    return evaluate(name, taken).enclosure if quantity.admits(taken) else None
