"""A stochastic matrix: each row Dirichlet(k row), after it was found in its bordered simplex."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from ...reference.errors import DomainError, InputError
from ...reference.exact import shown
from .data.bordered import Border, require_bordered
from .data.labels import label_sets_in, labels_in
from .data.numbers import exact_fields
from .data.squares import is_sparse, sparse, square
from .data.table import read_table
from .drawn import require_reach, require_support, row_of, with_support
from .maker import Said
from .plan import Row, SimplexPlan
from .protocol import Claim
from .rows import sizes_of

SOURCE = "fallin2023 Definition 4"
ZEROS = "fallin2023 Section V"
STATES, PROTECTED, SHARE = "states", "protected", "share"


@dataclass(frozen=True)
class Matrix:
    """The matrix mechanism of fallin2023."""

    mechanism: str = "dirichlet.matrix"
    data_keys: tuple[str, ...] = (STATES, PROTECTED)

    def public_names(self, _claim: Claim, said: Said) -> tuple[str, ...]:
        """Return the floors and the states."""
        return with_support(said, ("eta", "eta_bar", STATES))

    def plan(self, claim: Claim, said: Said, file: Path) -> SimplexPlan:
        """Return k times each row. Raises InputError, with no private value in its sentence."""
        states = labels_in(said, STATES)
        borders = _borders(claim, said, states)
        rows = [
            _drawn(claim, said, label, states, vector, border, f"{file}, row {shown(label)}")
            for label, vector, border in zip(states, _shares(file, states), borders, strict=True)
        ]
        return SimplexPlan(tuple(rows), matrix=True)


def _drawn(
    claim: Claim,
    said: Said,
    label: str,
    states: tuple[str, ...],
    vector: list[Fraction],
    border: Border,
    place: str,
) -> Row:
    require_bordered(vector, border, place)
    require_support(vector, said, place, ZEROS)
    k = claim.number("k")
    return row_of(label, states, [k * share for share in vector], place)


def _shares(file: Path, states: tuple[str, ...]) -> list[list[Fraction]]:
    table = read_table(file, corner=True)
    if is_sparse(table, SHARE):
        return sparse(table, SHARE, states, exact_fields, Fraction(0))
    return square(table, states, exact_fields)


def _borders(claim: Claim, said: Said, states: tuple[str, ...]) -> list[Border]:
    """Return what is asked of each row, whose protected sets have the sizes of the claim."""
    sizes = sizes_of(claim.values)
    if len(sizes) != len(states):
        raise DomainError(f"{said.where}: [data] {STATES} lists {len(states)}, but [release] says "
                          f"w of {len(sizes)} rows")  # fmt: skip
    protected = label_sets_in(said, PROTECTED, states)
    for label, size in zip(states, sizes, strict=True):
        if label not in protected:
            raise InputError(f"{said.where}: [data] {PROTECTED} lacks row {shown(label)}")
        if len(protected[label]) != size:
            raise DomainError(f"{said.where}: [data] {PROTECTED} lists {len(protected[label])} in "
                              f"row {shown(label)}, but its w is {shown(size)}")  # fmt: skip
    k, eta, eta_bar = (claim.number(key) for key in ("k", "eta", "eta_bar"))
    require_reach(k * eta, k, said.where)
    return [
        Border(eta, eta_bar, tuple(map(states.index, protected[label])), SOURCE) for label in states
    ]


MATRIX = Matrix()
