"""The statements of ponnoprat2023, in the order of the paper."""

from __future__ import annotations

from ..statement import Statement
from . import complexity, conversion, experiments, figures, guarantee, polygamma, setting, tail

# By topic they stand in these modules; the paper's order is that of the ids below.
_MODULES = (setting, polygamma, conversion, guarantee, figures, tail, complexity, experiments)
_ORDER = [
    "example-1",
    "definition-2-2",
    "lemma-1",
    "equation-2",
    "equation-3",
    "equation-variance",
    "applications-1-2",
    "equation-4",
    "remark-consistency",
    "equation-5",
    "equation-6",
    "remark-bounded-likelihood",
    "remark-bounded-likelihood-repaired",
    "remark-approximate-dp",
    "remark-cited",
    "equation-7",
    "figure-2",
    "algorithm-1",
    "lemma-2",
    "theorem-1",
    "figure-3-top",
    "remark-1",
    "remark-2",
    "figure-3-bottom",
    "figure-3-comparison",
    "figure-3-uniform",
    "theorem-2",
    "corollary-theorem-2",
    "sample-complexity",
    "equation-8-9-limits",
    "sample-complexity-regimes",
    "sample-complexity-categorical",
    "table-1",
    "equation-10",
    "naive-bayes-axis",
    "naive-bayes-privacy",
    "gaussian-baseline",
    "laplace-baseline",
    "random-guess",
    "figures-4-5",
    "accuracy-ratio",
    "accuracy-against-loss",
    "bayesian-network-privacy",
    "figure-7",
    "proposition-3",
    "lemma-3",
    "equation-14",
    "figure-8",
    "appendix-c",
    "equation-15",
    "equation-16",
    "equation-18",
    "equation-18-case-2",
    "equation-19",
    "equation-20",
    "equation-20-taylor",
    "theorem-2-exponent",
]


def _in_order() -> tuple[Statement, ...]:
    """Return the statements as the paper has them, each repair after the repaired."""
    found = [statement for module in _MODULES for statement in module.STATEMENTS]
    place = {f"ponnoprat2023.{name}": at for at, name in enumerate(_ORDER)}
    return tuple(sorted(found, key=lambda statement: place[statement.repairs or statement.id]))


STATEMENTS: tuple[Statement, ...] = _in_order()

__all__ = ["STATEMENTS"]
