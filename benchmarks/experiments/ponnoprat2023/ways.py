"""The ways in which a model's tables are released, each calibrated to one budget of the whole.

How large noise has to be at (epsilon, 1e-5) is found by two ways to account for all tables.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from functools import cache
from math import log, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import betaincinv, digamma
from simplexcert.certify.models.dirichlet import DirichletLoss
from simplexcert.certify.models.layout import Layout
from simplexcert.certify.models.noise import gaussian, laplace
from simplexcert.certify.models.privacy import Budget, budget_of
from simplexcert.certify.models.release import NOISE, AnyLoss, planned, privacy_of
from simplexcert.reference import evaluate

from ..outcome import Table

if TYPE_CHECKING:
    from .bayes import Study

# Section 5: one order for all mechanisms, and 9 budgets from 0.001 to 10.
ORDER = Fraction(5)
EPSILONS = ("0.001", "0.003", "0.01", "0.03", "0.1", "0.3", "1", "3", "10")
QUICK_EPSILONS = ("0.01", "10")
# Appendix C.
DELTA = Fraction(1, 10**5)
# What noisy counts are raised to: the paper does not say. A millionth, one record, or the noise.
FLOORS = {"1e-6": "1e-6", "1": "1", "max(1, sd)": NOISE}
DIRICHLET, TIGHT = "Algorithm 1", "tight, tuned"
AT_ORDER = f"Algorithm 1, order {ORDER}"
PRINTED_AXIS = "Algorithm 1, axis as printed"
NOISES = ("Gaussian", "Laplace")
_DIGITS = 12
# Where the mean over a share is taken.
_QUANTILES = (np.arange(64) + 0.5) / 64
# Orders at which a guarantee is converted: the best is public, for no data are asked.
_ORDERS = tuple(1 + Fraction(2) ** power for power in range(-4, 18))

Calibration = Callable[[Layout, Budget, int], "AnyLoss | None"]


class Form(Enum):
    """What becomes of the draws."""

    USUAL = "laws of a feature's values in each class"
    # Section 5.1 divides a noisy count of a class and value by the noisy count of the class.
    DIVIDED = "noisy counts over the noisy count of the class"
    # Section 5.1 draws over the classes for each value.
    PRINTED_AXIS = "laws of the classes for each value"


@dataclass(frozen=True)
class Way:
    """One way to release; ``loss`` is None where a budget is out of its reach."""

    label: str
    loss: Calibration
    floor: object = NOISE
    form: Form = Form.USUAL


def renyi_budget(epsilon: str) -> Budget:
    """Return (5, epsilon)-Renyi privacy, one record replaced."""
    return budget_of(epsilon, None, ORDER, "replace")


def approximate_budget(epsilon: str) -> Budget:
    """Return (epsilon, 1e-5)-privacy, one record replaced."""
    return budget_of(epsilon, DELTA, None, "replace")


def by(method: str) -> Calibration:
    """Return a calibration of ``certify.models``, which proves it anew here."""

    def calibrated(layout: Layout, budget: Budget, records: int) -> AnyLoss:
        loss = planned(layout, budget, method, records, None, None)
        privacy_of(layout, budget, loss)
        return loss

    return calibrated


def noisy(method: str) -> tuple[Way, ...]:
    """Return a noise on every count, once with each floor."""
    return tuple(
        Way(noise_label(method, floor), by(method.lower()), value)
        for floor, value in FLOORS.items()
    )


def noise_label(method: str, floor: str) -> str:
    """Return what a noise with a floor is called."""
    return f"{method}, floor {floor}"


def all_noises() -> list[str]:
    """Return what each noise with each floor is called."""
    return [noise_label(method, floor) for method in NOISES for floor in FLOORS]


def divided_label(floor: str) -> str:
    """Return what Gaussian noise is called where it is divided by the noisy class count."""
    return f"{noise_label('Gaussian', floor)}, divided as printed"


def converted(layout: Layout, budget: Budget, records: int) -> DirichletLoss | None:
    """Return Algorithm 1 by Lemma 3 at the best order; None out of reach.

    Best by the expected divergence, averaged over all laws: by public sizes alone.
    """
    reached = {order: _spending(budget, order) for order in _ORDERS}
    losses = {
        order: planned(layout, spent, "algorithm-1", 1, None, None)
        for order, spent in reached.items()
        if spent
    }
    if not losses:
        return None
    best = min(losses, key=lambda order: mean_divergence(layout, losses[order], records))
    return converted_at(best)(layout, budget, records)


def mean_divergence(layout: Layout, loss: AnyLoss, records: int) -> float:
    """Return the mean of KL(p || y), y of Dirichlet(step n p + alpha), over p and a draw.

    Less what does not depend on the loss. n is the records' number over that of the vectors, and
    p is uniform on the simplex: a share has the law Beta(1, d-1), with its size as a weight
    Beta(2, d-1).
    """
    assert isinstance(loss, DirichletLoss)
    alpha, step = float(loss.alpha), float(loss.step)
    total = 0.0
    for table in layout.tables:
        if table.categories > 1:
            size = step * records / table.vectors
            shares = betaincinv(2, table.categories - 1, _QUANTILES)
            total += float(digamma(size + table.categories * alpha))
            total -= float(np.mean(digamma(size * shares + alpha)))
    return total


def converted_at(order: Fraction) -> Callable[[Layout, Budget, int], DirichletLoss | None]:
    """Return Algorithm 1 with Lemma 3 at one order."""

    def calibrated(layout: Layout, budget: Budget, _records: int) -> DirichletLoss | None:
        spent = _spending(budget, order)
        if spent is None:
            return None
        loss = planned(layout, spent, "algorithm-1", 1, None, None)
        privacy_of(layout, spent, loss)
        assert isinstance(loss, DirichletLoss)
        return loss

    return calibrated


def _spending(budget: Budget, order: Fraction) -> Budget | None:
    """Return what may be spent at an order before the conversion; None if that is nothing."""
    left = budget.epsilon - converting(order)
    return replace(budget, epsilon=left, delta=None, order=order) if left > 0 else None


@cache
def converting(order: Fraction) -> Fraction:
    """Return what Lemma 3 adds to epsilon at an order, rounded up, at delta 1e-5.

    The quantity is cut off at 0; at an epsilon this large it never is.
    """
    large = 10**6
    given = {"order": order, "epsilon": large, "delta": DELTA}
    answer = evaluate("dirichlet.renyi.to_approximate_dp", given, digits=_DIGITS)
    assert isinstance(answer.upper, Fraction)
    return answer.upper - large


_SHARED_WAYS = (
    Way(TIGHT, by("dirichlet")),
    *(way for method in NOISES for way in noisy(method)),
)
RENYI_WAYS = (
    Way(DIRICHLET, by("algorithm-1")),
    *_SHARED_WAYS,
    *(
        Way(divided_label(floor), by("gaussian"), value, Form.DIVIDED)
        for floor, value in FLOORS.items()
    ),
    Way(PRINTED_AXIS, by("algorithm-1"), form=Form.PRINTED_AXIS),
)
APPROXIMATE_WAYS = (
    Way(DIRICHLET, converted),
    Way(AT_ORDER, converted_at(ORDER)),
    *_SHARED_WAYS,
)


_COLOURS = {DIRICHLET: "tab:blue", AT_ORDER: "tab:cyan", TIGHT: "tab:orange"}
_NOISE_COLOURS, _LINES = ("tab:green", "tab:red"), (":", "--", "-.")
_STYLES = {label: (colour, "-") for label, colour in _COLOURS.items()} | {
    noise_label(method, floor): (colour, line)
    for method, colour in zip(NOISES, _NOISE_COLOURS, strict=True)
    for floor, line in zip(FLOORS, _LINES, strict=True)
}


def style_of(way: Way) -> dict[str, Any]:
    """Return the colour and the kind of line of a way."""
    colour, line = _STYLES[way.label]
    return {"color": colour, "linestyle": line, "label": way.label}


def plotted(way: Way) -> bool:
    """Whether a way is drawn: one whose laws are laws."""
    return way.form is Form.USUAL


# A replaced record changes two counts of a table.
_CHANGED = 2

Row = tuple[str, str, float, float, float, float]


def classical_gaussian(tables: int, epsilon: float) -> float:
    """Return the deviation by basic composition of the textbook's bound.

    sqrt(2 log(1.25/delta)) times the 2-norm over epsilon, an equal share of both for each table
    (Dwork and Roth 2014, Theorem A.1).
    """
    return sqrt(2 * log(1.25 * tables / float(DELTA))) * sqrt(_CHANGED) * tables / epsilon


def classical_laplace(tables: int, epsilon: float) -> float:
    """Return the deviation by basic composition: the scale is the 1-norm over epsilon."""
    return sqrt(2) * _CHANGED * tables / epsilon


def rows(study: Study) -> list[Row]:
    """Return the four deviations of each table at each budget."""
    found = []
    for table in study.tables:
        paid = len(table.split.sizes) + 1
        for epsilon in study.epsilons:
            budget, basic = approximate_budget(epsilon), float(epsilon)
            found.append(
                (
                    table.split.source.name,
                    epsilon,
                    classical_gaussian(paid, basic),
                    classical_laplace(paid, basic),
                    gaussian(paid, budget).deviation,
                    laplace(paid, budget).deviation,
                )
            )
    return found


def deviations(study: Study) -> Table:
    """Return the deviations as a table."""
    columns = (
        *("table", "epsilon", "Gaussian, a share each", "Laplace, a share each"),
        *("Gaussian, together", "Laplace, together"),
    )
    return Table("deviations", "Standard deviation of a noisy count", columns, tuple(rows(study)))


def smaller(study: Study) -> tuple[float, float]:
    """Return in which share of the cells Laplace has the smaller deviation, by either way."""
    found = rows(study)
    basic = sum(laplace < gaussian for _, _, gaussian, laplace, _, _ in found)
    together = sum(laplace < gaussian for *_, gaussian, laplace in found)
    return basic / len(found), together / len(found)
