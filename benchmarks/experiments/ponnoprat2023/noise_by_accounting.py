"""How large noise has to be at (epsilon, 1e-5), by two ways to account for all tables."""

from __future__ import annotations

from math import log, sqrt
from typing import TYPE_CHECKING

from simplexcert.certify.models.noise import gaussian, laplace

from ..outcome import Table
from .ways import DELTA, approximate_budget

if TYPE_CHECKING:
    from .bayes import Study

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
