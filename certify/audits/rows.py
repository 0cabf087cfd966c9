"""The rows of a claim about a matrix: how many coordinates are protected, how far each can move."""

from __future__ import annotations

from fractions import Fraction

from ...reference.dirichlet.identity import floor_and_step
from ...reference.domain import Parameters, Rows
from .bordered import best_gamma
from .mechanism import Claim

_LEVEL = "dirichlet.identity.gamma"
_TWO = 2  # A row with fewer protected coordinates has no neighbours.


def table_of(exact: Parameters) -> Rows:
    """Return the rows [w, gamma]."""
    rows = exact["rows"]
    return tuple(row for row in rows if isinstance(row, tuple)) if isinstance(rows, tuple) else ()


def sizes_of(exact: Parameters) -> list[int]:
    """Return the size of W in each row."""
    if "rows" in exact:
        return [int(row[0]) for row in table_of(exact)]
    sizes = exact["w"]
    return [int(w) for w in sizes if not isinstance(w, tuple)] if isinstance(sizes, tuple) else []


def steps_of(claim: Claim) -> list[Fraction]:
    """Return each row's largest step; 0 where it has no neighbours, negative without an input."""
    k, eta, eta_bar, b = (claim.number(key) for key in ("k", "eta", "eta_bar", "b"))
    steps = []
    for w in sizes_of(claim.values):
        step = floor_and_step(k, eta, eta_bar, b, w)[1]
        steps.append(min(step, Fraction(0)) if w < _TWO else step)
    return steps


def largest_first(claim: Claim, steps: list[Fraction]) -> list[tuple[int, Fraction]]:
    """Return as many rows as change, numbered from 1, those with the largest steps."""
    numbered = sorted(enumerate(steps, 1), key=lambda row: -row[1])
    return numbered[: int(claim.number("changed_rows"))]


def best_rows(point: Parameters, delta: Fraction | None) -> Rows | None:
    """Return each row with the largest gamma whose delta is at most the claimed one."""
    sizes = sizes_of(point)
    best = {w: best_gamma(_LEVEL, {**point, "w": w}, delta) for w in set(sizes)}
    rows = tuple((w, gamma) for w in sizes if (gamma := best[w]) is not None)
    return rows if len(rows) == len(sizes) else None
