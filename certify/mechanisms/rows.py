"""The rows of a claim about a matrix: how many coordinates are protected, which change most."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ...reference.dirichlet.matrix import WorstRows, worst_rows
from ...reference.domain import Parameters, Rows
from .protocol import Claim
from .vector import best_gamma

_LEVEL = "dirichlet.identity.gamma"
# Each size of W needs a root of its own, up to a second; for more of them none is chosen.
_MOST_SIZES = 50


def table_of(exact: Parameters) -> Rows:
    """Return the rows [w, gamma]."""
    rows: Any = exact["rows"]
    return tuple(row for row in rows if isinstance(row, tuple)) if isinstance(rows, tuple) else ()


def sizes_of(exact: Parameters) -> list[int]:
    """Return the size of W in each row."""
    if "rows" in exact:
        return [int(row[0]) for row in table_of(exact)]
    sizes = exact["w"]
    return [int(w) for w in sizes if not isinstance(w, tuple)] if isinstance(sizes, tuple) else []


def worst_of(claim: Claim) -> WorstRows:
    """Return the worst change of the claim's matrix. No gamma has a part in it."""
    rows = tuple((w, Fraction(0)) for w in sizes_of(claim.values))
    k, eta, eta_bar, b = (claim.number(key) for key in ("k", "eta", "eta_bar", "b"))
    return worst_rows(k, eta, eta_bar, b, rows, int(claim.number("changed_rows")))


def best_rows(point: Parameters, delta: Fraction | None) -> Rows | None:
    """Return each row with the largest gamma whose delta is at most the claimed one, if there is.

    None, too, for so many different rows that it would take minutes; the truth needs no gamma.
    """
    sizes = sizes_of(point)
    if len(set(sizes)) > _MOST_SIZES:
        return None
    best = {w: best_gamma(_LEVEL, {**point, "w": w}, delta) for w in set(sizes)}
    rows = tuple((w, gamma) for w in sizes if (gamma := best[w]) is not None)
    return rows if len(rows) == len(sizes) else None
