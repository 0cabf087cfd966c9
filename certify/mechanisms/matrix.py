"""The matrix mechanism of fallin2023: several rows may change at once, each released by itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from ...reference.dirichlet.matrix import HYPOTHESES, WorstRows, worst_rows
from ...reference.domain import Domain, Rows, count_from
from ...reference.domain import Parameters as Point
from ...reference.errors import DomainError, InputError
from ...reference.exact import Texts, exact_json, exact_text, shown
from ...reference.quantity import quantity_named
from . import reading
from .data.fields import exact_fields
from .data.table import Border, is_sparse, read_table, require_bordered, sparse, square
from .hypotheses import Finding, decided, of_unseen_data
from .laid_out import require_square
from .neighbours import Adjacency, fixed_by
from .plan import (
    A_VECTOR,
    Row,
    SimplexPlan,
    drawn_from,
    require_reach,
    require_support,
    row_of,
    rows_in,
    shares_in,
    with_support,
)
from .protocol import (
    SAMPLING,
    Claim,
    Inputs,
    Layout,
    Mechanism,
    Parameters,
    PublicSettings,
    Vacuity,
    Worst,
    asked_of,
)
from .questions import Printed, Question, Term, value_of
from .reading import label_sets_in, labels_in
from .tight import Largest
from .vector import (
    NO_DISTANCE_TOO,
    PROTECTED,
    PUBLIC,
    best_gamma,
    budget_beside,
    no_gamma,
    require_unprotected,
    within_all_borders,
)

_BOUND = "dirichlet.matrix.epsilon_bound"
_DELTA_BOUND = "dirichlet.matrix.delta_bound"
_LEVEL = "dirichlet.identity.gamma"
# Each size of W needs a root of its own, up to a second; for more of them none is chosen.
_MOST_SIZES = 50
_COUNT = count_from(0, 50)
_OTHERS = (
    "eta on the rest of W in each of these rows, what is left outside W; other rows the same in "
    "both, anywhere in the bordered simplex"
)
_DEFINITION, _ZEROS = "fallin2023 Definition 4", "fallin2023 Section V"
_STATES, _SHARE = "states", "share"


@dataclass(frozen=True)
class _MatrixParameters(Parameters):
    """Those of one vector, for all rows; how many change; and of each row the size of W.

    Either ``rows`` has a size and a gamma for each row, or ``w`` the sizes alone.
    """

    k: Fraction
    eta: Fraction
    eta_bar: Fraction
    b: Fraction
    rows: Rows | None = None
    changed_rows: int = 0
    w: tuple[Fraction, ...] | None = None

    @property
    def sizes(self) -> list[int]:
        """The size of W in each row."""
        return _sizes(self.rows, self.w)

    @property
    def worst(self) -> WorstRows:
        """The worst change. No gamma has a part in it."""
        rows = tuple((w, Fraction(0)) for w in self.sizes)
        return worst_rows(self.k, self.eta, self.eta_bar, self.b, rows, self.changed_rows)


def _sizes(rows: Any, w: Any) -> list[int]:
    return [int(row[0]) for row in rows] if rows is not None else [int(size) for size in w]


class Matrix(Mechanism):
    """The rows of a stochastic matrix, of which some change at once."""

    name = "dirichlet.matrix"
    releases = "a stochastic matrix with private rows, each as Dirichlet(k row)"
    paper = "fallin2023"
    tight = Largest("k")
    data_keys = (_STATES, PROTECTED)

    @property
    def keys(self) -> tuple[str, ...]:
        """The parameters; w lists the sizes of W instead of rows, if there are no gammas."""
        return (*self._domains, "w")

    @property
    def _domains(self) -> dict[str, Domain]:
        known = quantity_named(_BOUND).parameters
        return {**known, "b": NO_DISTANCE_TOO, "changed_rows": _COUNT}

    def read(self, table: Mapping[str, Any], where: str) -> tuple[_MatrixParameters, None]:
        """Return exact parameters, with how many rows change: all of them, if not given."""
        if ("rows" in table) == ("w" in table):
            raise InputError(
                f"{where}: [release] needs exactly one of rows = [[w, gamma], ...] and "
                "w = [w, ...], the sizes of W alone"
            )
        needed = (key for key in quantity_named(_BOUND).parameters if key != "rows")
        reading.require_all(table, needed, where)
        exact: dict[str, Any] = reading.parameters(table, self._domains, self.name, where)
        if "w" in table:
            sizes = reading.numbers(table["w"], f"{where}: w", Fraction(1))
            exact["w"] = tuple(Fraction(size) for size in sizes)
        rows = len(_sizes(exact.get("rows"), exact.get("w")))
        changed = exact.setdefault("changed_rows", rows)
        if changed > rows:
            raise DomainError(
                f"{where}: changed_rows = {shown(changed)}, but there are {rows} rows"
            )
        return _MatrixParameters.read(exact), None

    def require_inputs(self, claim: Claim, settings: PublicSettings) -> None:
        """Raise DomainError where all states that [data] names are protected in a row.

        States of another number are not those of the rows; a release says so.
        """
        sizes, states = _MatrixParameters.of(claim).sizes, settings.data.get(_STATES)
        if isinstance(states, list) and len(states) == len(sizes):
            require_unprotected(sizes, settings, _STATES, _DEFINITION)

    def vacuity(self, claim: Claim) -> Vacuity | None:
        """Return why no two different matrices are adjacent, if so."""
        found = _MatrixParameters.of(claim).worst
        return None if found.neighbours.exist else Vacuity(found.neighbours, found.why)

    def worst(self, claim: Claim) -> Worst:
        """Return the composition of the changed rows' pairs, which two matrices attain.

        Of all choices of rows those with the largest steps are the worst
        (proofs_notes/matrix.md, never-passes-floor-and-step and rows-attain).
        """
        found = _MatrixParameters.of(claim).worst
        largest = found.pairs[0]
        facts = {
            "alpha": exact_text(largest.alpha),
            "step": exact_text(largest.step),
            "releases": exact_json(found.releases),
        }
        return Worst(
            found.neighbours,
            _asked(claim, found.releases),
            facts,
            (*_described(found.releases), found.neighbours.value),
            _inputs(found, facts),
        )

    def printed(self, claim: Claim) -> Printed:
        """Evaluate the theorem's formulas, at each row's best gamma where none is named."""
        own, point = _MatrixParameters.of(claim), claim.parameters.point
        rows = own.rows if own.rows is not None else _best_rows(own.sizes, point, claim.delta)
        chosen = own.rows is None
        if rows is None:
            return no_gamma(point)
        point["rows"] = rows
        notes = ("at the best gammas for the claimed delta, row by row",) if chosen else ()
        epsilon = value_of(_BOUND, point, budget_beside())
        delta = value_of(_DELTA_BOUND, point, budget_beside())
        facts = {"rows": exact_json(rows)}
        return Printed(epsilon, delta, point, chosen=chosen, notes=notes, facts=facts)

    def findings(self, _claim: Claim, printed: Printed) -> list[Finding]:
        """Decide the assumptions of the theorem."""
        conditions = (*quantity_named(_BOUND).conditions, *HYPOTHESES)
        return [*decided(conditions, printed.point), *of_unseen_data()]

    def non_claims(self, claim: Claim) -> list[str]:
        """Return what a verdict does not say."""
        changed = exact_text(_MatrixParameters.of(claim).changed_rows)
        adjacency = (
            f"Neighbours differ in at most {changed} of the rows, which is what changed_rows says; "
            "more rows, changes of more than two coordinates of a row, or outside its protected "
            "set, are not covered."
        )
        return [
            adjacency,
            "That zero entries, if there are any, need no protection: the support is public.",
            PUBLIC,
            SAMPLING,
        ]

    def public_names(self, _claim: Claim, settings: PublicSettings) -> tuple[str, ...]:
        """Return the floors and the states."""
        return with_support(settings, ("eta", "eta_bar", _STATES))

    def require_releasable(self, claim: Claim, where: str) -> None:
        """Raise DomainError where the floor or k is out of the samplers' reach."""
        own = _MatrixParameters.of(claim)
        require_reach(own.k * own.eta, own.k, where)

    def layout(self, claim: Claim, settings: PublicSettings) -> Layout:
        """Return the states, and which are protected in each row. Raises InputError."""
        self.require_releasable(claim, settings.where)
        own, states = _MatrixParameters.of(claim), labels_in(settings, _STATES)
        protected = _protected(own, settings, states)
        return Layout(states, states, protected=tuple(protected[label] for label in states))

    def require_possible(self, claim: Claim, seen: Layout) -> None:
        """Raise DomainError unless the matrix is square."""
        require_square(seen, len(_MatrixParameters.of(claim).sizes))

    def protected_sizes(self, claim: Claim) -> Sequence[int]:
        """Return w of each row."""
        return _MatrixParameters.of(claim).sizes

    def plan(self, claim: Claim, settings: PublicSettings, file: Path) -> SimplexPlan:
        """Return k times each row. Raises InputError, with no private value in its sentence."""
        own, laid_out = _MatrixParameters.of(claim), self.layout(claim, settings)
        states, borders = laid_out.names, _borders(own, laid_out)
        rows = [
            _drawn(own.k, settings, label, states, vector, border, f"{file}, row {shown(label)}")
            for label, vector, border in zip(states, _shares(file, states), borders, strict=True)
        ]
        return SimplexPlan(tuple(rows), matrix=True)

    def adjacency(self, claim: Claim, data: Mapping[str, Any]) -> Adjacency:
        """Return the neighbours of a matrix of which some rows change."""
        words = (
            "matrices that differ in at most changed_rows rows, in each in two protected "
            "coordinates and by at most b in the 1-norm"
        )
        found = fixed_by(claim, data, words, ("b", "changed_rows"), ("states", "protected"))
        sizes = tuple(_MatrixParameters.of(claim).sizes)
        return replace(found, fixed={**found.fixed, "w": sizes})

    def narrowest(self, claims: Sequence[Claim]) -> Claim:
        """Return the claim of the largest eta and the largest eta_bar."""
        return within_all_borders(claims)

    def plan_of_input(self, claim: Claim, value: Any, _where: str) -> SimplexPlan:
        """Return k times each given row."""
        own = _MatrixParameters.of(claim)
        rows = rows_in(value, len(own.sizes), A_VECTOR)
        drawn = ([own.k * share for share in shares_in(row)] for row in rows)
        return drawn_from(*drawn, matrix=True)


def _best_rows(sizes: list[int], point: Point, delta: Fraction | None) -> Rows | None:
    """Return each row with the largest gamma whose delta is at most the claimed one, if there is.

    None, too, for so many different rows that it would take long; the truth needs no gamma.
    """
    if len(set(sizes)) > _MOST_SIZES:
        return None
    best = {w: best_gamma(_LEVEL, {**point, "w": w}, delta) for w in set(sizes)}
    rows = tuple((w, gamma) for w in sizes if (gamma := best[w]) is not None)
    return rows if len(rows) == len(sizes) else None


def _described(releases: tuple[tuple[Fraction, Fraction, int], ...]) -> list[str]:
    return [
        f"{count} {'row' if count == 1 else 'rows at once'} with floor alpha = "
        f"{shown(alpha)}, step = {shown(step)}"
        for alpha, step, count in reversed(releases)
    ]


def _asked(
    claim: Claim, releases: tuple[tuple[Fraction, Fraction, int], ...]
) -> tuple[Question, ...]:
    """Return what a claim asks of the rows together; a Renyi divergence is the sum of theirs."""
    (alpha, step, count), *others = releases
    if count == 1 and not others:
        return asked_of(claim, "dirichlet.profile", {"alpha": alpha, "step": step})
    if claim.order is None:
        return asked_of(claim, "dirichlet.composition", {"releases": releases})
    terms = tuple(
        Term(
            "dirichlet.profile.renyi",
            {"alpha": alpha, "step": step, "order": claim.order},
            Fraction(count),
        )
        for alpha, step, count in releases
    )
    return (Question("epsilon_at_order", claim.epsilon, terms),)


def _inputs(found: WorstRows, facts: Mapping[str, Texts]) -> Inputs:
    """Return two matrices: the rows that differ, in the two coordinates in which they do."""
    first = tuple(pair.first for pair in found.pairs)
    second = tuple(pair.second for pair in found.pairs)
    said = ", ".join(
        f"({', '.join(low)}) and ({', '.join(low[::-1])}) in two protected coordinates of "
        f"{'one row' if count == 1 else f'each of {count} rows'}"
        for low, count in Counter(tuple(map(shown, pair)) for pair in first).items()
    )
    return Inputs(
        exact_json(first),
        exact_json(second),
        _OTHERS,
        f"matrices with {said}; others: {_OTHERS}",
        {"rows": [str(at) for at in found.numbers], **facts},
    )


def _drawn(
    k: Fraction,
    settings: PublicSettings,
    label: str,
    states: tuple[str, ...],
    vector: list[Fraction],
    border: Border,
    place: str,
) -> Row:

    require_bordered(vector, border, place)
    require_support(vector, settings, place, _ZEROS)
    return row_of(label, states, [k * share for share in vector], place)


def _shares(file: Path, states: tuple[str, ...]) -> list[list[Fraction]]:

    table = read_table(file, corner=True)
    if is_sparse(table, _SHARE):
        return sparse(table, _SHARE, states, exact_fields, Fraction(0))
    return square(table, states, exact_fields)


def _protected(
    own: _MatrixParameters, settings: PublicSettings, states: tuple[str, ...]
) -> dict[str, tuple[str, ...]]:
    """Return the protected states of each row, as many as the claim says. Raises InputError."""
    where, sizes = settings.where, own.sizes
    if len(sizes) != len(states):
        raise DomainError(f"{where}: [data] {_STATES} lists {len(states)}, but [release] says "
                          f"w of {len(sizes)} rows")  # fmt: skip
    require_unprotected(sizes, settings, _STATES, _DEFINITION)
    protected = label_sets_in(settings, PROTECTED, states)
    for label, size in zip(states, sizes, strict=True):
        if label not in protected:
            raise InputError(f"{where}: [data] {PROTECTED} lacks row {shown(label)}")
        if len(protected[label]) != size:
            raise DomainError(f"{where}: [data] {PROTECTED} lists {len(protected[label])} in "
                              f"row {shown(label)}, but its w is {shown(size)}")  # fmt: skip
    return protected


def _borders(own: _MatrixParameters, laid_out: Layout) -> list[Border]:
    """Return what is asked of each row."""
    at = {label: number for number, label in enumerate(laid_out.names)}
    return [
        Border(own.eta, own.eta_bar, tuple(at[label] for label in names), _DEFINITION)
        for names in laid_out.protected or ()
    ]


MATRIX = Matrix()
