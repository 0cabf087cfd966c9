"""The matrix mechanism: several rows may change at once, each a release of its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ...reference.dirichlet.matrix import HYPOTHESES, WorstRows
from ...reference.domain import Domain, count_from
from ...reference.errors import DomainError, InputError
from ...reference.exact import Texts, exact_json, exact_text, shown
from ...reference.quantity import quantity_named
from . import reading
from .hypotheses import Finding, Told, decided, of_unseen_data
from .printed import Printed, value_of
from .protocol import Claim, Inputs, Release, Vacuity, Worst, asked_of
from .questions import Question, Term
from .rows import best_rows, sizes_of, table_of, worst_of
from .vector import NO_DISTANCE_TOO, NOT_GIVEN, PUBLIC, SAMPLING

_BOUND = "dirichlet.matrix.epsilon_bound"
_DELTA_BOUND = "dirichlet.matrix.delta_bound"
_COUNT = count_from(0, 50)
_OTHERS = (
    "eta on the rest of W in each of these rows, what is left outside W; other rows the same in "
    "both, anywhere in the bordered simplex"
)


@dataclass(frozen=True)
class Matrix:
    """The rows of a stochastic matrix, of which some change at once."""

    name: str = "dirichlet.matrix"
    example: str = "matrix"

    @property
    def keys(self) -> tuple[str, ...]:
        """The parameters; w lists the sizes of W instead of rows, if there are no gammas."""
        return (*self._domains, "w")

    @property
    def _domains(self) -> dict[str, Domain]:
        known = quantity_named(_BOUND).parameters
        return {**known, "b": NO_DISTANCE_TOO, "changed_rows": _COUNT}

    def read(self, table: Mapping[str, Any], where: str) -> tuple[Release, None]:
        """Return exact parameters, with how many rows change: all of them, if not given."""
        if ("rows" in table) == ("w" in table):
            raise InputError(
                f"{where}: [release] needs exactly one of rows = [[w, gamma], ...] and "
                "w = [w, ...], the sizes of W alone"
            )
        needed = (key for key in quantity_named(_BOUND).parameters if key != "rows")
        reading.require_all(table, needed, where)
        exact = reading.parameters(table, self._domains, self.name, where)
        if "w" in table:
            sizes = reading.numbers(table["w"], f"{where}: w", Fraction(1))
            exact["w"] = tuple(Fraction(size) for size in sizes)
        changed = exact.setdefault("changed_rows", len(sizes_of(exact)))
        if isinstance(changed, int) and changed > len(sizes_of(exact)):
            raise DomainError(
                f"{where}: changed_rows = {shown(changed)}, but there are "
                f"{len(sizes_of(exact))} rows"
            )
        return exact, None

    def told_of_data(self, _claim: Claim) -> tuple[Told, ...]:
        """Return nothing: a claim about a matrix brings no data."""
        return ()

    def vacuity(self, claim: Claim) -> Vacuity | None:
        """Return why no two different matrices are adjacent, if so."""
        found = worst_of(claim)
        return None if found.neighbours.exist else Vacuity(found.neighbours, found.why)

    def worst(self, claim: Claim) -> Worst:
        """Return the composition of the changed rows' pairs, which two matrices attain.

        Of all choices of rows those with the largest steps are the worst
        (proofs_notes/matrix.md, never-passes-floor-and-step and rows-attain).
        """
        found = worst_of(claim)
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

    def beside_the_data(self, _claim: Claim, worst: Worst) -> Worst:
        """Return the same: a claim about a matrix brings no data."""
        return worst

    def printed(self, claim: Claim) -> Printed:
        """Evaluate the theorem's formulas, at each row's best gamma where none is named."""
        point, chosen = claim.values, "rows" not in claim.release
        if chosen:
            rows = best_rows(point, claim.delta)
            if rows is None:
                return Printed(None, None, point, chosen=True, lacks=NOT_GIVEN)
            point["rows"] = rows
        notes = ("at the best gammas for the claimed delta, row by row",) if chosen else ()
        epsilon, delta = value_of(_BOUND, point), value_of(_DELTA_BOUND, point)
        facts = {"rows": exact_json(table_of(point))}
        return Printed(epsilon, delta, point, chosen=chosen, notes=notes, facts=facts)

    def findings(self, _claim: Claim, printed: Printed) -> list[Finding]:
        """Decide the assumptions of the theorem."""
        conditions = (*quantity_named(_BOUND).conditions, *HYPOTHESES)
        return [*decided(conditions, printed.point), *of_unseen_data()]

    def non_claims(self, claim: Claim) -> list[str]:
        """Return what a verdict does not say."""
        changed = exact_text(claim.number("changed_rows"))
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


def _described(releases: tuple[tuple[Fraction, Fraction, int], ...]) -> list[str]:
    return [
        f"{count} {'row' if count == 1 else 'rows at once'} with floor alpha = "
        f"{exact_text(alpha)}, step = {exact_text(step)}"
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
        for low, count in Counter(tuple(map(exact_text, pair)) for pair in first).items()
    )
    return Inputs(
        exact_json(first),
        exact_json(second),
        _OTHERS,
        f"matrices with {said}; others: {_OTHERS}",
        {"rows": [str(at) for at in found.numbers], **facts},
    )


MATRIX = Matrix()
