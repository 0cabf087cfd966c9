"""What the paper's own formulas give for a claim, as every mechanism states it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from ...reference.domain import Parameters
from ...reference.enclosure import Enclosure
from ...reference.evaluation import DEFAULT_DIGITS, evaluate
from ...reference.exact import Texts, exact_text
from ...reference.precision import BudgetSpentError
from ...reference.quantity import quantity_named


@dataclass(frozen=True)
class Printed:
    """The paper's bounds; None where a formula has no value, or lacks what it needs.

    ``point`` is where they were evaluated: the claim's release, with a gamma or an order that was
    chosen. ``chosen`` says that the claim left gamma open and that it is the best one. ``also``
    are further formulas by what they are published as, ``facts`` what else is published. ``lacks``
    says why a bound is None, ``notes`` what they belong to.
    """

    epsilon: Enclosure | None
    delta: Enclosure | None
    point: Parameters
    gamma: Fraction | None = None
    chosen: bool = False
    lacks: str = "the formula has no value here"
    notes: tuple[str, ...] = ()
    also: Mapping[str, tuple[str, Enclosure | None]] = field(default_factory=dict)
    facts: Mapping[str, Texts | None] = field(default_factory=dict)

    def as_json(self) -> dict[str, object]:
        """Return the published shape."""
        return {
            "epsilon_bound": written(self.epsilon),
            "delta_bound": written(self.delta),
            "gamma": None if self.gamma is None else exact_text(self.gamma),
            "gamma_chosen": self.chosen,
            **{key: written(value) for key, (_, value) in self.also.items()},
            **self.facts,
        }


def written(value: Enclosure | None) -> dict[str, str] | None:
    """Return an enclosure's ends as outward-rounded decimals."""
    if value is None:
        return None
    lower, upper = value.decimals(DEFAULT_DIGITS)
    return {"lower": lower, "upper": upper}


def value_of(name: str, given: Parameters) -> Enclosure | None:
    """Return a quantity at those of the parameters that it takes, or None outside its domain."""
    quantity = quantity_named(name)
    if not set(quantity.parameters) <= set(given):
        return None
    taken = {key: given[key] for key in quantity.parameters}
    if not quantity.admits(taken):
        return None
    try:
        return evaluate(name, taken).number
    except BudgetSpentError:
        return Enclosure.nothing_known()
