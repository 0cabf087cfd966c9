"""Tables released as Dirichlet(step counts + alpha): their privacy loss, and its calibration.

One pair of laws dominates each table, whichever of its vectors a record leaves and enters, so all
of them together lose as much as that many independent pairs (proofs_notes/private-models.md).

A record replaced gives pairs of Beta laws. A record added or removed gives P = Gamma(alpha) against
Q = Gamma(alpha + step) for each of ``count`` tables, all in the same order. With
M(z) = [K^z Gamma(alpha - z step)/Gamma(alpha)]^count and K = Gamma(alpha + step)/Gamma(alpha),
delta is an integral of M on a vertical line, and that of the other order the same integral of
M(-1 - z). The trapezoid rule overestimates such an integral, and the part beyond its last node is
bounded.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TypeVar, cast

from flint import acb, arb

from ...reference.arb.balls import ball, enclosure_of, working_precision
from ...reference.dirichlet.add_remove import delta as delta_of_one
from ...reference.dirichlet.composition.moments import Releases
from ...reference.dirichlet.composition.route import delta_of
from ...reference.dirichlet.renyi import largest_order
from ...reference.dyadic import Dyadic
from ...reference.errors import DomainError, InputError
from ...reference.evaluation import answer_at
from ...reference.exact import Texts, exact_decimals, exact_text, shown
from ...reference.precision import check_budget
from .calibration import largest_that_holds
from .privacy import Budget, End, Evidence

_Point = TypeVar("_Point", arb, acb)
# What rule and end may add to delta, as a power of two below the delta that is asked about: enough
# for a parameter that is a thousandth off at most. A matter of usefulness.
_BITS_BELOW = 20
_SPARE_BITS = 64
# Steps of the search for the crossing; each leaves two thirds of the interval.
_THIRDS = 32
# How far out of the way from the crossing to the pole the bound on the aliases is taken.
_OUTWARDS = Fraction(7, 8)
# With more nodes the bound by Beta pairs answers, a little above.
_MOST_NODES = 4_000
_MOST_DOUBLINGS = 60


@dataclass(frozen=True)
class _Losses:
    """The privacy loss of all tables together, a record being added, or removed."""

    alpha: Fraction
    step: Fraction
    count: int
    epsilon: Fraction
    removes: bool

    def logarithm(self, point: _Point) -> _Point:
        """Enclose log M(z) - z epsilon; NaN unless Gamma's argument is certainly off the cut."""
        a, s = ball(self.alpha), ball(self.step)
        turned = -1 - point if self.removes else point
        argument = a - turned * s
        if not (argument.real > 0 or argument.imag > 0 or argument.imag < 0):
            return point * arb("nan")
        rise = (a + s).lgamma() - a.lgamma()
        one = turned * rise + argument.lgamma() - a.lgamma()
        return one * self.count - point * ball(self.epsilon)

    def integrand(self, point: acb) -> arb:
        """Enclose the real part of M(z) e^(-z epsilon)/(z (z + 1))."""
        value = self.logarithm(point).exp() / (point * (point + 1))
        return value.real

    @property
    def far(self) -> Fraction:
        """Where to look for a crossing: up to M's pole, or to where it has long begun to rise."""
        limit = self.alpha / self.step
        return 4 * (1 + limit + self.epsilon / self.step) if self.removes else limit


@dataclass(frozen=True)
class _Rule:
    """A vertical line, and the nodes on it."""

    crossing: arb
    step: arb
    nodes: int


def delta_upper(
    alpha: Fraction, step: Fraction, count: int, epsilon: Fraction, about: Fraction
) -> End:
    """Return a proved upper bound on delta, next to it where delta is near ``about``.

    The larger of both orders, adding and removing. One table has a quantity of its own; where a
    rule would be too long, Beta pairs bound what gamma pairs lose.
    """
    bits = _SPARE_BITS + _BITS_BELOW + about.denominator.bit_length()
    with working_precision(bits):
        if count == 1:
            return enclosure_of(delta_of_one(alpha, step, epsilon)).upper
        kinds = (_Losses(alpha, step, count, epsilon, removes) for removes in (False, True))
        sums = [_upper(losses, about) for losses in kinds]
        if None not in sums:
            return max(found for found in sums if found is not None)
        return enclosure_of(delta_of(Releases.of([(alpha, step, count)]), epsilon)).upper


def _upper(losses: _Losses, about: Fraction) -> End | None:
    """Return the upper end of one order's delta; None where the rule would be too long."""
    rule = _planned(losses, about)
    if rule is None:
        return None
    total = losses.integrand(acb(rule.crossing))
    for j in range(1, rule.nodes + 1):
        check_budget()
        total += 2 * losses.integrand(acb(rule.crossing, j * rule.step))
    height = rule.nodes * rule.step
    end = losses.logarithm(acb(rule.crossing, height)).real.exp() / (arb.pi() * height)
    found = total * rule.step / (2 * arb.pi()) + end
    return min(enclosure_of(found).upper, Fraction(1)) if found.is_finite() else None


def _planned(losses: _Losses, about: Fraction) -> _Rule | None:
    """Choose the line, the step and the last node: a matter of speed and width, not of truth."""
    crossing = ball(_crossing(losses))
    nats = -(ball(about).log()) + _BITS_BELOW * arb(2).log()
    step = _step(losses, crossing, nats)
    if step is None or not step > 0:
        return None
    nodes = 1
    for _ in range(_MOST_DOUBLINGS):
        height = nodes * step
        end = losses.logarithm(acb(crossing, height)).real - (arb.pi() * height).log()
        if end < -nats or nodes > _MOST_NODES:
            break
        nodes *= 2
    return _Rule(crossing, step, nodes) if nodes <= _MOST_NODES else None


def _step(losses: _Losses, crossing: arb, nats: arb) -> arb | None:
    """Return the step at which the aliases on both sides are e^-nats or less."""
    further = (ball(losses.far) - crossing) * ball(_OUTWARDS)
    if losses.removes:
        further = crossing + 1
    excess = losses.logarithm(crossing + further) + nats
    left = 2 * arb.pi() * crossing / nats
    if not excess.is_finite() or not further > 0:
        return None
    right = 2 * arb.pi() * further / excess if excess > 0 else left
    return arb((min(right, left)).mid())


def _crossing(losses: _Losses) -> Fraction:
    """Return about the point of the real axis where the integrand is least."""
    low, high = Fraction(0), losses.far

    def height(place: Fraction) -> float:
        point = ball(place)
        value = losses.logarithm(point) - (point * (point + 1)).log()
        return float(value.mid()) if value.is_finite() else float("inf")

    for _ in range(_THIRDS):
        third = (high - low) / 3
        if height(low + third) < height(high - third):
            high -= third
        else:
            low += third
    return ((low + high) / 2).limit_denominator(1 << 30)


# Of what is tried and kept; more digits than a calibration needs to tell two parameters apart.
_DIGITS = 12
# Line 2 of Algorithm 1 sets alpha = 1 + 4 (order - 1) step.
_ALL_PARTS = 4
# Of the step that Algorithm 1 chooses: a trillionth below its own at most.
_STEP_BITS = 40
_KEPT = 64
_COMPOSED = "so many dominating pairs, composed exactly"


@dataclass(frozen=True)
class DirichletLoss:
    """Privacy loss of ``tables`` independent tables at one ``alpha`` and one ``step``."""

    alpha: Fraction
    step: Fraction
    tables: int
    method: str = "dirichlet"

    @property
    def parameters(self) -> Mapping[str, str]:
        """Both parameters."""
        return {"step": exact_text(self.step), "alpha": exact_text(self.alpha)}

    @property
    def largest_order(self) -> Fraction:
        """The supremum of the orders at which the loss is finite."""
        return cast("Fraction", largest_order(self.alpha, self.step))

    def evidence(self, budget: Budget) -> Evidence:
        """Return the number that has to be within the budget."""
        if budget.order is not None:
            return self._of_order(budget, budget.order)
        if budget.replaces:
            return self._composed(budget)
        return self._of_added_records(budget)

    def _of_order(self, budget: Budget, order: Fraction) -> Evidence:
        family = "profile" if budget.replaces else "add_remove"
        point: dict[str, Texts] = {**self.parameters, "order": exact_text(order)}
        name = f"dirichlet.{family}.renyi"
        says = (
            f"{self.tables} times {name} is at most {exact_decimals(budget.epsilon)}, and the "
            f"divergence is finite below order {exact_decimals(self.largest_order)}"
        )
        return Evidence(
            says, budget.epsilon, lambda: _upper_end(name, point), self.tables, name, point
        )

    def _composed(self, budget: Budget) -> Evidence:
        """Return the delta of the composed Beta pairs, one a table."""
        delta = _delta_of(budget)
        row: Texts = [exact_text(self.alpha), exact_text(self.step), str(self.tables)]
        point: dict[str, Texts] = {"releases": [row], "epsilon": exact_text(budget.epsilon)}
        name = "dirichlet.composition.delta"
        says = f"{name} ({_COMPOSED}) is at most {exact_decimals(delta)}"
        return Evidence(says, delta, lambda: _upper_end(name, point), 1, name, point)

    def _of_added_records(self, budget: Budget) -> Evidence:
        """Return the delta of the composed gamma pairs, one a table."""
        delta = _delta_of(budget)
        arguments = (self.alpha, self.step, self.tables, budget.epsilon, delta)
        if self.tables == 1:
            name = "dirichlet.add_remove.delta"
            point: dict[str, Texts] = {**self.parameters, "epsilon": exact_text(budget.epsilon)}
            says = f"{name} is at most {exact_decimals(delta)}"
            return Evidence(says, delta, lambda: delta_upper(*arguments), 1, name, point)
        says = (
            f"the delta of {self.tables} times Gamma(alpha) against Gamma(alpha + step) "
            f"({_COMPOSED}) is at most {exact_decimals(delta)}"
        )
        return Evidence(says, delta, lambda: delta_upper(*arguments))


@lru_cache(_KEPT)
def tight_step(alpha: Fraction, tables: int, budget: Budget, guess: Fraction) -> Fraction:
    """Return about the largest step with which the tables keep the budget at this alpha.

    The search begins at the guess; what is returned was proved to keep it.
    """

    def holds(step: Fraction) -> bool:
        return DirichletLoss(alpha, step, tables).evidence(budget).holds()

    return largest_that_holds(holds, guess)


@lru_cache(_KEPT)
def algorithm_1(tables: int, budget: Budget) -> DirichletLoss:
    """Return the parameters of ponnoprat2023 Algorithm 1 for an equal share of epsilon.

    One record replaced changes two counts of a table by 1, one added or removed changes one.
    """
    if budget.order is None:
        raise InputError(
            "ponnoprat2023 Algorithm 1 calibrates Renyi privacy: give order instead of delta, or "
            "method='dirichlet'"
        )
    point = {
        "order": budget.order,
        "epsilon": budget.epsilon / tables,
        "delta2_squared": 2 if budget.replaces else 1,
        "delta_inf": 1,
    }
    root = answer_at("dirichlet.renyi.step", point, digits=_DIGITS).lower
    step = _rounded_down(root)
    if not step > 0:
        raise InputError(f"no step was found with which {tables} tables keep {budget.text}")
    alpha = 1 + _ALL_PARTS * (budget.order - 1) * step
    return DirichletLoss(alpha, step, tables, "algorithm-1")


def given(alpha: Fraction, step: Fraction, tables: int, budget: Budget) -> DirichletLoss:
    """Return the loss at parameters that were given. Raises DomainError if it is too large."""
    loss = DirichletLoss(alpha, step, tables)
    if not loss.evidence(budget).holds():
        raise DomainError(
            f"step = {shown(step)} and alpha = {shown(alpha)}: that {tables} such tables keep "
            f"{budget.text} cannot be proved; take a smaller step, or leave it out"
        )
    return loss


def _rounded_down(value: Fraction) -> Fraction:
    """Return a dyadic of few bits, at or below a number."""
    return Fraction(Dyadic.rounded(value, _STEP_BITS, up=False).as_fraction())


def _upper_end(name: str, point: Mapping[str, Texts]) -> End:
    return cast("End", answer_at(name, point, digits=_DIGITS).upper)


def _delta_of(budget: Budget) -> Fraction:
    if budget.delta is None:
        raise InputError("this budget has no delta")
    return budget.delta
