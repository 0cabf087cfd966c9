"""The entries of ponnoprat2023, in the order of the paper."""

from ..entries import Claim
from . import (
    calibration,
    complexity,
    conversion,
    earlier_work,
    experiments,
    figures,
    guarantee,
    models,
    noise_example,
    polygamma,
    privacy_model,
    setting,
    tail,
)

# By topic they stand in these modules; the paper's order is that of the ids below.
_MODULES = (
    noise_example,
    privacy_model,
    setting,
    polygamma,
    earlier_work,
    guarantee,
    calibration,
    figures,
    tail,
    complexity,
    models,
    experiments,
    conversion,
)
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


def _in_order() -> tuple[Claim, ...]:
    """Return the entries as the paper has them, each repair after what it repairs."""
    found = [claim for module in _MODULES for claim in module.CLAIMS]
    place = {f"ponnoprat2023.{name}": at for at, name in enumerate(_ORDER)}
    return tuple(sorted(found, key=lambda claim: place[claim.repairs or claim.id]))


CLAIMS: tuple[Claim, ...] = _in_order()
