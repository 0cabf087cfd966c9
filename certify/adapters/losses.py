"""Privacy loss of a Dirichlet release by the distance of its inputs: upper bounds.

One record apart the numbers are exact (proofs_notes/dominating-pair.md and add-remove.md), and so
they are further apart where one coordinate gives to one other alone: that is one larger step. Else
two proved bounds:

- delta: a chain of d neighbours, all of them inputs of the mechanism. For any three laws
  H_(st)(P, R) <= H_s(P, Q) + s H_t(Q, R), so d steps of e^(epsilon/d) lose at most
  (1 + e^(epsilon/d) + ... + e^((d-1) epsilon/d)) delta(epsilon/d).
- Renyi: d records change the counts by at most sqrt(2) d (replaced) or d (added, removed) in
  2-norm, and by at most d in each cell: dirichlet.renyi.epsilon_sensitivity
  (proofs_notes/renyi-calibration.md).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction

from flint import arb

from ...reference.arb.balls import ball, enclosure_of, working_precision
from ...reference.dirichlet.pair import Pair
from ...reference.errors import DomainError, InputError
from ...reference.evaluation import answer_at
from ...reference.exact import exact_number, shown
from ...reference.quantity import quantity_named


def float_at_least(value: Fraction | float) -> float:
    """Return the smallest float that is not below a number that is at least 0."""
    try:
        nearest = float(value)
    except OverflowError:  # beyond the largest float
        return math.inf
    # Python compares a float with a fraction exactly.
    return nearest if nearest >= value else math.nextafter(nearest, math.inf)


def float_above(value: arb) -> float:
    """Return a float that is not below any number in a ball, nor below 0."""
    upper = enclosure_of(value).upper
    return float_at_least(max(upper, Fraction(0)))


REPLACED, ADD_REMOVED = "dirichlet.profile", "dirichlet.add_remove"
# A float has up to 17 digits; with one more the float above is seldom the second one above.
_DIGITS = 18
# So many changed records have long lost everything; each more takes a term of a sum.
MAX_CHANGES = 1_000
# A privacy profile falls, so what it is here bounds it beyond; nobody asks for more.
LARGEST_EPSILON = Fraction(2**20)
# Enough for a sum of MAX_CHANGES exponentials to keep a float's digits.
_SUM_BITS = 128
_SENSITIVITY = "dirichlet.renyi.epsilon_sensitivity"


@dataclass(frozen=True)
class Loss:
    """Privacy loss of inputs ``changes`` records apart, at this floor and step of a record.

    ``family`` is dirichlet.profile (a record replaced) or dirichlet.add_remove. ``two_cells``: what
    one coordinate gains another one loses, and no third one changes.
    """

    family: str
    alpha: Fraction
    step: Fraction
    changes: int = 1
    two_cells: bool = False

    def apart(self, changes: int) -> Loss:
        """Return the loss of inputs ``changes`` apart. Raises InputError beyond MAX_CHANGES."""
        if not 0 <= changes <= MAX_CHANGES:
            raise InputError(
                f"{shown(changes)} changed records: losses of 0 to {MAX_CHANGES} are known"
            )
        if self.two_cells and changes:
            return replace(self, step=self.step * changes)
        return replace(self, changes=changes)

    def delta(self, epsilon: Fraction) -> float:
        """Return a float at or above delta, at an epsilon that is at least 0."""
        if not self.changes:
            return 0.0
        nearer = min(epsilon, LARGEST_EPSILON) / self.changes
        point = {"alpha": self.alpha, "step": self.step, "epsilon": nearer}
        once = answer_at(f"{self.family}.delta", point, digits=_DIGITS).upper
        if self.changes == 1:
            return float_at_least(once)
        with working_precision(_SUM_BITS):
            factor = sum((ball(nearer * j).exp() for j in range(self.changes)), ball(0))
            return min(1.0, float_above(factor * ball(once)))

    def renyi(self, order: Fraction) -> float:
        """Return a float at or above the Renyi divergence at an order; infinity where it is."""
        if not self.changes:
            return 0.0
        point = {"alpha": self.alpha, "step": self.step, "order": order}
        if self.changes == 1:
            return float_at_least(answer_at(f"{self.family}.renyi", point, digits=_DIGITS).upper)
        most = Fraction(self.changes)
        squared = (2 if self.family == REPLACED else 1) * most**2
        point |= {"delta2_squared": squared, "delta_inf": most}
        return float_at_least(answer_at(_SENSITIVITY, point, digits=_DIGITS).upper)


def exact_loss(
    alpha: object, step: object, *, replaced: bool = True, two_cells: bool = False
) -> Loss:
    """Return the loss of a floor and a step, exact numbers above 0. Raises InputError."""
    given = {"alpha": alpha, "step": step, "epsilon": 0}
    exact = quantity_named(f"{REPLACED}.delta").read(given)
    floor, shift = (exact_number(exact[name]) for name in ("alpha", "step"))
    # Where a record comes or goes the total changes with it: never only two cells.
    return Loss(
        REPLACED if replaced else ADD_REMOVED, floor, shift, two_cells=two_cells and replaced
    )


def pair_loss(pair: Pair, *, two_cells: bool) -> Loss:
    """Return the loss of a mechanism's dominating pair. Raises DomainError without neighbours.

    Where no two different inputs are neighbours no loss is 0: there is none, and nothing is drawn.
    """
    if not pair.neighbours.exist:
        raise DomainError(f"this measurement promises nothing: {pair.neighbours.value}: {pair.why}")
    return Loss(REPLACED, pair.alpha, pair.step, 1, two_cells)
