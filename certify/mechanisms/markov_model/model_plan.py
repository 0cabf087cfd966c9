"""A chain counted from records: rows Dirichlet(k_i counts_i/N_i), 0 where publicly impossible."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from pathlib import Path

from ....reference.errors import DomainError, InputError
from ....reference.exact import shown
from ....reference.markov.structure import is_irreducible
from ....reference.matrix_kinds import MAX_STATES
from ..counts_plan import require_floor, require_total
from ..data.labels import label_sets_in, labels_in, labels_of, text_in
from ..data.squares import SOURCE as FROM
from ..data.squares import TARGET as TO
from ..data.transitions import counts_of_transitions, given_transitions
from ..drawn import require_reach, row_of
from ..maker import Said
from ..plan import Row, SimplexPlan
from ..protocol import Claim
from .rows import Row as Numbers
from .rows import rows_of
from .said import LABELS, LEFT_OUT, READ_OFF

REACHED = "benvenuti2025 Assumption 5"
ADJACENT = "benvenuti2025 Definition 3"
STATES, FEASIBLE, WITHOUT = "states", "feasible", "without"


@dataclass(frozen=True)
class Model:
    """Algorithm 2 of benvenuti2025."""

    mechanism: str = "markov.model"
    data_keys: tuple[str, ...] = (FROM, TO, STATES, FEASIBLE, WITHOUT)

    def public_names(self, _claim: Claim, _said: Said) -> tuple[str, ...]:
        """Return all that is told of the rows but their counts."""
        return ("eta", "N", "n", STATES, FEASIBLE)

    def plan(self, claim: Claim, said: Said, file: Path) -> SimplexPlan:
        """Return k_i counts_i/N_i. Raises InputError, with no private value in its sentence."""
        states, numbers = _states(claim, said), rows_of(claim)
        for one in numbers:
            require_reach(one.k / one.N * ceil(one.eta * one.N), one.k, said.where)
        possible = _feasible(said, states, numbers)
        counts = _counts(said, states, _left_out(claim, said, states), file)
        rows = [
            _drawn(states, state, one, feasible, found, f"{file}, row {shown(label)}")
            for state, (label, one, feasible, found) in enumerate(
                zip(states, numbers, possible, counts, strict=True)
            )
        ]
        return SimplexPlan(tuple(rows), matrix=True)


def _drawn(
    states: tuple[str, ...],
    state: int,
    numbers: Numbers,
    feasible: Sequence[bool],
    counts: Sequence[int],
    place: str,
) -> Row:
    """Return a row, after its counts were found to be an input."""
    if any(count for count, possible in zip(counts, feasible, strict=True) if not possible):
        raise DomainError(f"{place}: a record makes a transition that [data] {FEASIBLE} does not "
                          f"list, and so says to be impossible ({ADJACENT})")  # fmt: skip
    require_total(counts, numbers.N, place)
    # A row of one transition has no neighbours.
    if numbers.n > 1:
        seen = [count for count, possible in zip(counts, feasible, strict=True) if possible]
        require_floor(seen, numbers.eta * numbers.N, place)
    step = numbers.k / numbers.N
    return row_of(states[state], states, [step * count for count in counts], place)


def _states(claim: Claim, said: Said) -> tuple[str, ...]:
    """Return the states, which are the claim's rows in order. Raises InputError."""
    states, numbers = labels_in(said, STATES), rows_of(claim)
    if len(states) > MAX_STATES:
        raise InputError(f"{said.where} [data]: {STATES} lists more than {MAX_STATES}")
    if len(states) != len(numbers):
        raise DomainError(f"{said.where}: [data] {STATES} lists {len(states)}, but [release] has "
                          f"{len(numbers)} rows")  # fmt: skip
    if claim.release.get(LABELS, states) != states:
        raise DomainError(f"{said.where}: [data] {STATES} are not the {LABELS} of [release], or "
                          "stand in another order")  # fmt: skip
    if claim.release.get(READ_OFF):
        raise DomainError(f"{said.where}: [release] {READ_OFF} says that numbers were read off the "
                          "private data; nothing that the release shows may be")  # fmt: skip
    return states


def _feasible(said: Said, states: tuple[str, ...], numbers: Sequence[Numbers]) -> list[list[bool]]:
    """Return which transitions are possible, by source and target. Raises InputError.

    A row that [data] says nothing of has all of them.
    """
    listed = label_sets_in(said, FEASIBLE, states)
    rows = [listed.get(label, states) for label in states]
    for label, row, one in zip(states, rows, numbers, strict=True):
        if len(row) != one.n:
            raise DomainError(f"{said.where}: {len(row)} transitions are feasible from "
                              f"{shown(label)}, but its n is {shown(one.n)}; list them in [data] "
                              f"{FEASIBLE}")  # fmt: skip
    possible = [[label in row for label in states] for row in map(frozenset, rows)]
    if not is_irreducible([[Fraction(one) for one in row] for row in possible]):
        raise DomainError(
            f"{said.where}: by the feasible transitions not every state can be "
            f"reached from every other one: the chain is reducible ({REACHED})"
        )
    return possible


def _left_out(claim: Claim, said: Said, states: tuple[str, ...]) -> tuple[str, ...]:
    """Return the states whose records are left out, as the claim says, too. Raises InputError."""
    gone = labels_of(said.data.get(WITHOUT, []), f"{said.where} [data]: {WITHOUT}")
    if gone != claim.release.get(LEFT_OUT, ()):
        raise DomainError(
            f"{said.where}: [data] {WITHOUT} and [release] {LEFT_OUT} have to list "
            "the same, so that the certificate says what is not protected"
        )
    if set(gone) & set(states):
        raise InputError(f"{said.where} [data]: a label stands in {STATES} and in {WITHOUT}")
    return gone


def _counts(
    said: Said, states: tuple[str, ...], gone: tuple[str, ...], file: Path
) -> list[list[int]]:
    """Return the counts between states, of a column each for from and to, or as given."""
    if FROM in said.data or TO in said.data:
        columns = text_in(said, FROM), text_in(said, TO)
        return counts_of_transitions(file, columns, (*states, *gone), len(states))
    return given_transitions(file, (*states, *gone), len(states))


MODEL = Model()
