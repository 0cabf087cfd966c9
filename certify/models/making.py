"""From public sizes and a budget to a way of release; from counts to released tables."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TypeAlias

from ...reference.errors import DomainError, InputError, UnknownNameError
from ...reference.exact import exact_number, shown
from . import choosing, noise
from .budget import Budget
from .dirichlet import DirichletLoss, algorithm_1, given, tight_step
from .drawing import Draws
from .floors import floor_of
from .layout import Counts, Layout, Numbers, Table
from .noise import NoiseLoss
from .privacy import Privacy

METHODS = ("dirichlet", "algorithm-1", "gaussian", "laplace")
# Where the number of records is not public (one may be added or removed) and no guess is given,
# alpha is chosen for so many.
USUAL_RECORDS = 1000

AnyLoss: TypeAlias = DirichletLoss | NoiseLoss


def planned(
    layout: Layout, budget: Budget, method: object, records: int, alpha: object, step: object
) -> AnyLoss:
    """Return a calibrated way to release so many tables. Raises InputError."""
    if method not in METHODS:
        raise UnknownNameError("method", str(method), METHODS, f"(known: {', '.join(METHODS)})")
    if budget.replaces and layout.different_records == 1:
        raise DomainError(
            "inapplicable: no two different inputs are neighbours, for there is one record alone "
            "that can replace another: every variable has one category, so a claim of privacy "
            "would be of nothing; give more categories"
        )
    if method == "dirichlet":
        return _dirichlet(layout, budget, records, alpha, step)
    if alpha is not None or step is not None:
        raise InputError("alpha and step are parameters of method='dirichlet' alone")
    if method == "algorithm-1":
        return algorithm_1(layout.paid, budget)
    if method == "gaussian":
        return noise.gaussian(layout.paid, budget)
    return noise.laplace(layout.paid, budget)


def _dirichlet(
    layout: Layout, budget: Budget, records: int, alpha: object, step: object
) -> DirichletLoss:
    if alpha is None:
        if step is not None:
            raise InputError("step was given without alpha; give alpha, or both, or none")
        best, near = choosing.chosen(layout, records, budget)
        return DirichletLoss(best, tight_step(best, layout.paid, budget, near), layout.paid)
    exact = _positive(alpha, "alpha")
    if step is not None:
        return given(exact, _positive(step, "step"), layout.paid, budget)
    near = choosing.step_near(exact, layout.paid, budget)
    return DirichletLoss(exact, tight_step(exact, layout.paid, budget, near), layout.paid)


def _positive(value: object, name: str) -> Fraction:
    exact = exact_number(value, name)
    if exact <= 0:
        raise DomainError(f"{name} = {shown(exact)}; it has to be above 0")
    return exact


def privacy_of(layout: Layout, budget: Budget, loss: AnyLoss) -> Privacy:
    """Return the claim, proved once more. Raises InputError should it not hold."""
    privacy = Privacy(budget, layout.paid, loss)
    if not privacy.holds():
        raise InputError(f"that these tables keep {budget.text} cannot be proved")
    return privacy


def released(
    layout: Layout, counts: Mapping[str, Counts], loss: AnyLoss, draws: Draws, floor: object
) -> dict[str, Numbers]:
    """Draw every table, and return the logarithms of its released laws, a row a vector."""
    if isinstance(loss, DirichletLoss):
        return {
            table.name: draws.laws(counts[table.name], loss.step, loss.alpha * table.weight)
            for table in layout.tables
        }
    least = floor_of(floor, loss.deviation)
    noisy = {
        table.name: draws.noisy(counts[table.name], loss)
        for table in layout.tables
        if table.is_paid
    }
    return {table.name: _law_of_noisy(table, noisy, least) for table in layout.tables}


def _law_of_noisy(table: Table, noisy: Mapping[str, Numbers], least: float) -> Numbers:
    """Return the logarithms of the relative noisy counts, none of them below the floor."""
    import numpy as np

    if table.summed is None:
        raised = np.maximum(noisy[table.name], least)
    else:
        raised = np.maximum(noisy[table.summed].sum(axis=1)[None, :], least)
    found: Numbers = np.log(raised) - np.log(raised.sum(axis=1, keepdims=True))
    return found
