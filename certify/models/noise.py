"""The baselines: Gaussian or Laplace noise on every count, at the same privacy.

A record that is replaced changes two counts of each table by 1, one that is added or removed
changes one (proofs_notes/private-models.md).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias

from flint import arb

from ...reference.arb.balls import ball, enclosure_of, working_precision
from ...reference.dirichlet.renyi import to_approximate_dp
from ...reference.exact import exact_decimals, exact_text
from .calibration import smallest_that_holds
from .privacy import Budget, End, Evidence

_BITS = 128
# Orders at which Laplace noise is converted to (epsilon, delta). Any of them is a proof, and the
# best epsilon hardly changes between two of them.
_ORDERS = tuple(1 + Fraction(2**j, 8) for j in range(14))
_KEPT = 64


@dataclass(frozen=True)
class GaussianLoss:
    """Independent normal noise of one variance on each count of ``tables`` tables."""

    variance: Fraction
    tables: int
    method: str = "gaussian"

    @property
    def parameters(self) -> Mapping[str, str]:
        """The variance."""
        return {"variance": exact_text(self.variance)}

    @property
    def deviation(self) -> float:
        """About the standard deviation."""
        return math.sqrt(self.variance)

    def shift(self, budget: Budget) -> Fraction:
        """Return the squared distance of neighbouring counts, in standard deviations."""
        return Fraction(_changed_counts(budget) * self.tables) / self.variance

    def evidence(self, budget: Budget) -> Evidence:
        """Return the number that has to be within the budget."""
        square = self.shift(budget)
        if budget.order is not None:
            spent = budget.order * square / 2
            says = (
                f"normal laws {exact_decimals(square)} apart (squared, in units of the variance) "
                f"have the divergence {exact_decimals(spent)} at order "
                f"{exact_decimals(budget.order)}"
            )
            return Evidence(says, budget.epsilon, lambda: spent)
        says = (
            "the exact delta of two normal laws, Phi(-epsilon/m + m/2) - e^epsilon Phi(-epsilon/m "
            f"- m/2) with m^2 = {exact_decimals(square)}, is at most "
            f"{exact_decimals(budget.delta or 0)}"
        )
        return Evidence(
            says, budget.delta or Fraction(0), lambda: gaussian_delta(square, budget.epsilon)
        )


@dataclass(frozen=True)
class LaplaceLoss:
    """Independent Laplace noise of one scale on each count of ``tables`` tables."""

    scale: Fraction
    tables: int
    method: str = "laplace"

    @property
    def parameters(self) -> Mapping[str, str]:
        """The scale."""
        return {"scale": exact_text(self.scale)}

    @property
    def deviation(self) -> float:
        """About the standard deviation."""
        return float(self.scale) * math.sqrt(2)

    def evidence(self, budget: Budget) -> Evidence:
        """Return the number that has to be within the budget."""
        counts = _changed_counts(budget) * self.tables
        if budget.order is not None:
            order = budget.order
            says = (
                f"{counts} counts change by 1, and each has the exact divergence of two Laplace "
                f"laws at order {exact_decimals(order)}"
            )
            return Evidence(says, budget.epsilon, lambda: _laplace_renyi(self.scale, order), counts)
        says = (
            f"{counts} counts change by 1: the least of what is lost at most, {counts}/scale, and "
            "of exact Renyi divergences converted by ponnoprat2023 Lemma 3, is within epsilon"
        )
        delta = budget.delta or Fraction(0)
        return Evidence(says, budget.epsilon, lambda: _laplace_epsilon(self.scale, counts, delta))


NoiseLoss: TypeAlias = GaussianLoss | LaplaceLoss


def _changed_counts(budget: Budget) -> int:
    """Return how many counts of each table one record changes, by 1 each."""
    return 2 if budget.replaces else 1


@lru_cache(_KEPT)
def gaussian(tables: int, budget: Budget) -> GaussianLoss:
    """Return the least variance, exactly at an order, else next to it, that keeps the budget."""
    if budget.order is not None:
        variance = _changed_counts(budget) * tables * budget.order / (2 * budget.epsilon)
        return GaussianLoss(variance, tables)
    return GaussianLoss(_least(lambda one: GaussianLoss(one, tables), budget), tables)


@lru_cache(_KEPT)
def laplace(tables: int, budget: Budget) -> LaplaceLoss:
    """Return about the least scale that keeps the budget."""
    return LaplaceLoss(_least(lambda one: LaplaceLoss(one, tables), budget), tables)


def _least(loss: Callable[[Fraction], NoiseLoss], budget: Budget) -> Fraction:
    def holds(number: Fraction) -> bool:
        return loss(number).evidence(budget).holds()

    return smallest_that_holds(holds, Fraction(1))


def gaussian_delta(square: Fraction, epsilon: Fraction) -> End:
    """Return a proved upper bound on the delta of normal laws whose squared distance is given."""
    with working_precision(_BITS):
        distance = ball(square).sqrt()
        shift = ball(epsilon) / distance
        near, far = ((shift - sign * distance / 2) / arb(2).sqrt() for sign in (1, -1))
        delta = (near.erfc() - ball(epsilon).exp() * far.erfc()) / 2
        return enclosure_of(delta).upper


def _laplace_renyi(scale: Fraction, order: Fraction) -> End:
    """Return a proved upper bound on the divergence of Laplace noise from itself moved by 1.

    log[order/(2 order - 1) e^((order-1)/b) + (order-1)/(2 order - 1) e^(-order/b)]/(order - 1), at
    order 1 1/b + e^(-1/b) - 1 (mironov2017 Proposition 6).
    """
    with working_precision(_BITS):
        return enclosure_of(_laplace_divergence(scale, order)).upper


def _laplace_divergence(scale: Fraction, order: Fraction) -> arb:
    inverse = ball(1 / scale)
    if order == 1:
        return inverse + (-inverse).expm1()
    top, rest = ball(order), ball(order - 1)
    moment = top * (rest * inverse).exp() + rest * (-top * inverse).exp()
    return (moment / ball(2 * order - 1)).log() / rest


def _laplace_epsilon(scale: Fraction, counts: int, delta: Fraction) -> End:
    """Return the least of several proved epsilons."""
    found: list[End] = [counts / scale]
    with working_precision(_BITS):
        for order in _ORDERS:
            spent = counts * _laplace_renyi(scale, order)
            if isinstance(spent, Fraction):
                value = to_approximate_dp(order, spent, delta)
                found.append(enclosure_of(value).upper)
    return min(found)
