"""Claims of which proofs for Coq can be written, one of each kind, and deltas beside the truth."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from simplexcert import audit
from simplexcert.certify.audited import Audited
from simplexcert.reference.evaluation import answer_at
from simplexcert.reference.exact import exact_text

FLOORS = {"eta": "1/10", "eta_bar": "1/20", "b": "1/50"}
RELEASES: Mapping[str, dict[str, Any]] = {
    "identity": {"mechanism": "dirichlet.identity", "k": "21/2", "w": 3, **FLOORS},
    "average": {"mechanism": "dirichlet.average", "k": 400, "w": 2, "N": 7, **FLOORS},
    "counts": {"mechanism": "dirichlet.counts", "k": "1/3", "eta": "1/10", "N": 60, "n": 2},
    "histogram": {"mechanism": "dirichlet.renyi", "alpha": "7/5", "step": "1/4"},
    "matrix": {
        "mechanism": "dirichlet.matrix", "k": 90, "w": [2, 3], "changed_rows": 1, **FLOORS
    },
}  # fmt: skip


def claimed(kind: str, epsilon: str, delta: Fraction) -> Audited:
    said = {"epsilon": epsilon, "delta": exact_text(delta)}
    return audit({"release": {"name": kind, **RELEASES[kind]}, "claim": said})


def delta_above(found: Audited, share: Fraction) -> Fraction:
    """Return a delta above what is true at a claim's epsilon, by this share of it."""
    point = {name: Fraction(str(found.worst.facts[name])) for name in ("alpha", "step")}
    exact = answer_at(
        "dirichlet.profile.delta", {**point, "epsilon": found.claim.epsilon}, digits=30
    )
    return Fraction(exact.number.decimals(30)[1]) * (1 + share)


def nearly_true(kind: str, epsilon: str, share: Fraction) -> Audited:
    """Return a claim with a delta above the truth, by this share of it."""
    return claimed(kind, epsilon, delta_above(claimed(kind, epsilon, Fraction(1, 2)), share))
