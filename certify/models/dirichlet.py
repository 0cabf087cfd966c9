"""Tables released as Dirichlet(step counts + alpha): what they lose, and how they are calibrated.

One pair of laws dominates each table, whichever of its vectors a record leaves and enters, so all
of them together lose what so many independent pairs lose (proofs_notes/private-models.md).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import cast

from ...reference.dirichlet.renyi import largest_order
from ...reference.dyadic import Dyadic
from ...reference.errors import DomainError, InputError
from ...reference.evaluation import evaluate
from ...reference.exact import Texts, exact_text, shown
from .budget import Budget
from .edges import largest_that_holds
from .gamma_pairs import delta_upper
from .privacy import End, Evidence

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
    """So many independent tables at one ``alpha`` and one ``step``."""

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
            f"{self.tables} times {name} is at most {exact_text(budget.epsilon)}, and the "
            f"divergence is finite below order {exact_text(self.largest_order)}"
        )
        return Evidence(
            says, budget.epsilon, lambda: _upper_end(name, point), self.tables, name, point
        )

    def _composed(self, budget: Budget) -> Evidence:
        """Return the delta of so many Beta pairs."""
        delta = _delta_of(budget)
        row: Texts = [exact_text(self.alpha), exact_text(self.step), str(self.tables)]
        point: dict[str, Texts] = {"releases": [row], "epsilon": exact_text(budget.epsilon)}
        name = "dirichlet.composition.delta"
        says = f"{name} ({_COMPOSED}) is at most {exact_text(delta)}"
        return Evidence(says, delta, lambda: _upper_end(name, point), 1, name, point)

    def _of_added_records(self, budget: Budget) -> Evidence:
        """Return the delta of so many gamma pairs."""
        delta = _delta_of(budget)
        arguments = (self.alpha, self.step, self.tables, budget.epsilon, delta)
        if self.tables == 1:
            name = "dirichlet.add_remove.delta"
            point: dict[str, Texts] = {**self.parameters, "epsilon": exact_text(budget.epsilon)}
            says = f"{name} is at most {exact_text(delta)}"
            return Evidence(says, delta, lambda: delta_upper(*arguments), 1, name, point)
        says = (
            f"the delta of {self.tables} times Gamma(alpha) against Gamma(alpha + step) "
            f"({_COMPOSED}) is at most {exact_text(delta)}"
        )
        return Evidence(says, delta, lambda: delta_upper(*arguments))


@lru_cache(_KEPT)
def tight_step(alpha: Fraction, tables: int, budget: Budget, guess: Fraction) -> Fraction:
    """Return about the largest step with which so many tables keep the budget at this alpha.

    The search begins at the guess; what is returned was proved to keep it.
    """

    def holds(step: Fraction) -> bool:
        return DirichletLoss(alpha, step, tables).evidence(budget).holds()

    return largest_that_holds(holds, guess)


@lru_cache(_KEPT)
def algorithm_1(tables: int, budget: Budget) -> DirichletLoss:
    """Return what ponnoprat2023 Algorithm 1 chooses for an equal share of epsilon.

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
    root = evaluate("dirichlet.renyi.step", point, digits=_DIGITS).lower
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
    return cast("End", evaluate(name, point, digits=_DIGITS).upper)


def _delta_of(budget: Budget) -> Fraction:
    if budget.delta is None:
        raise InputError("this budget has no delta")
    return budget.delta
