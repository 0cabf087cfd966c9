"""The data-driven model: rows counted from records, of which one record changes in one row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import ceil
from pathlib import Path
from typing import Any

from ....reference.dirichlet.pair import Neighbours, why_no_row
from ....reference.domain.matrices import MAX_STATES
from ....reference.errors import DomainError, InputError
from ....reference.exact import exact_text, shown
from ....reference.markov.model.data import DataModel
from ....reference.markov.structure import is_irreducible, may_be_irreducible
from ..data.table import SOURCE as FROM
from ..data.table import TARGET as TO
from ..data.table import counts_of_transitions, given_transitions
from ..hypotheses import Finding, Told
from ..laid_out import require_square
from ..neighbours import Adjacency, fixed_by
from ..plan import (
    COUNTS,
    SimplexPlan,
    counts_in,
    drawn_from,
    require_countable,
    require_reach,
    row_of,
    rows_in,
)
from ..plan import Row as PlanRow
from ..protocol import (
    SAMPLING,
    Claim,
    Layout,
    Mechanism,
    PublicSettings,
    Vacuity,
    Worst,
    asked_of,
)
from ..questions import Printed, Question, Term, value_of
from ..reading import LEAST_LABELS, label_sets_in, labels_in, text_in
from ..reading import labels_of as labels_listed
from ..tight import LargestOfEachRow, OpenRow
from ..vector import PROBABILISTIC, require_floor, require_total
from . import findings
from .reading import KEYS, read_model
from .rows import (
    LABELS,
    LEFT_OUT,
    READ_OFF,
    Losses,
    ModelParameters,
    Refuting,
    Row,
    labels_of,
    rows_of,
    without_a_file,
)

_FAMILY = "markov.model"
_BOUND = "markov.model.epsilon_bound"
_DELTA_BOUND = "markov.model.delta_bound"
_EVENT = (
    "Neighbours differ in one record, which keeps its row and changes its category there. A record "
    "that changes its origin, a record added or removed, and all records of one person together "
    "are not covered."
)
_PUBLIC = (
    "That k, eta and gamma, every N, and which transitions are feasible were known or chosen "
    "without looking at the private data; nothing here hides them."
)
_REACHED, _ADJACENT = "benvenuti2025 Assumption 5", "benvenuti2025 Definition 3"
_STATES, _FEASIBLE, _WITHOUT = "states", "feasible", "without"
_ACCURACY = "How near the private chain is to the true one."


def _open_rows(claim: Claim) -> list[OpenRow]:
    """Return the rows to be calibrated, each by itself.

    One that has nothing to hide takes its N, which blurs no more than counting.
    """
    pairs = zip(rows_of(claim), labels_of(claim), strict=True)
    return [
        OpenRow(
            label,
            row.k,
            row,
            lambda k, row=row: replace(row, k=k).asked(claim)[0],  # type: ignore[misc]
            None if row.movable else Fraction(row.N),
        )
        for row, label in pairs
    ]


class _MarkovModel(Mechanism):
    """Algorithm 2 of benvenuti2025: all rows of a matrix counted from records, each by itself."""

    name = _FAMILY
    releases = "a Markov chain counted from records, each row as Dirichlet(k counts/N)"
    paper = "benvenuti2025"
    tight = LargestOfEachRow("k", _open_rows)
    data_keys = (FROM, TO, _STATES, _FEASIBLE, _WITHOUT)

    @property
    def keys(self) -> tuple[str, ...]:
        """The parameters of the rows, the data, and which states to leave out."""
        return KEYS

    def without_files(
        self, release: Mapping[str, Any], published: Mapping[str, Any]
    ) -> Mapping[str, Any]:
        """Return [release] whose counts are in a file, without that file."""
        return without_a_file(release, published)

    def told_of_data(self, claim: Claim) -> tuple[Told, ...]:
        """Return what counts decide of the floors, and of the chain."""
        return findings.told_of(claim)

    def read(
        self, table: Mapping[str, Any], where: str
    ) -> tuple[ModelParameters, DataModel | None]:
        """Return one exact entry a row for each parameter, and the data if given."""
        return read_model(table, where)

    def vacuity(self, claim: Claim) -> Vacuity | None:
        """Return why no row has two different neighbouring inputs, or one has none, if so."""
        pairs = [row.pair for row in rows_of(claim)]
        for label, pair in zip(labels_of(claim), pairs, strict=True):
            if pair.neighbours is Neighbours.NO_INPUT:
                return Vacuity(pair.neighbours, f"in row {findings.shown_label(label)} {pair.why}")
        if any(pair.neighbours.exist for pair in pairs):
            return None
        return Vacuity(Neighbours.NONE, why_no_row([pair.why for pair in pairs]))

    def worst(self, claim: Claim) -> Worst:
        """Return the largest loss of a row, which is that of the whole.

        Inputs attain it where they attain that of a row that loses as much as any other can.
        """
        losses = Losses.of(claim)
        movable = list(losses.exact)
        asked = _asked(claim, movable)
        refuting = Refuting.of(losses, movable, [question.key for question in asked])
        top = refuting.worst
        label = losses.label(top)
        facts = {
            "row": label,
            "alpha": exact_text(top.pair.alpha),
            "step": exact_text(top.pair.step),
        }
        neighbours = Neighbours.ATTAINED if refuting.reached else Neighbours.BOUNDED
        return Worst(
            neighbours,
            asked,
            facts,
            (_set_by(losses, label, refuting), neighbours.value),
            inputs=refuting.inputs,
            nearby=refuting.nearby,
            parts=losses.parts,
        )

    def beside_the_data(self, claim: Claim, worst: Worst) -> Worst | None:
        """Return what stands once the counts are looked at.

        Data below a row's floor are no input of the mechanism that is claimed about. An eta that
        was read off them is not public: where a neighbour of theirs is below it, the floor of both
        has to do, and at a count of 0 nothing can be shown.
        """
        if not isinstance(claim.data, DataModel):
            return worst
        rows = list(zip(rows_of(claim), findings.least_counts(claim, claim.data), strict=True))
        if any(least < row.eta * row.N for row, least in rows):
            return replace(worst, neighbours=Neighbours.NO_INPUT)
        if not findings.eta_was_read_off(claim):
            return worst
        movable = [(row, least) for row, least in rows if row.n > 1]
        near = {least for row, least in movable if least - 1 < row.eta * row.N}
        if not near:
            return worst
        if 1 in near:
            return None
        both = [_with_floor(row, least - 1) for row, least in movable]
        return replace(worst, asked=_asked(claim, both), neighbours=Neighbours.BOUNDED)

    def printed(self, claim: Claim) -> Printed:
        """Evaluate the theorem's formulas, the largest of all rows'."""
        point = claim.parameters.point
        if "gamma" not in point:
            return Printed(None, None, point, lacks="gamma is not given")
        notes = (f"the largest of {len(rows_of(claim))} rows each",)
        return Printed(value_of(_BOUND, point), value_of(_DELTA_BOUND, point), point, notes=notes)

    def findings(self, claim: Claim, printed: Printed) -> list[Finding]:
        """Decide the assumptions of the theorem, row by row, and what the data say of the chain."""
        data = claim.data if isinstance(claim.data, DataModel) else None
        return [
            *findings.of_rows(printed.point, labels_of(claim)),
            *findings.of_data(claim, data),
        ]

    def non_claims(self, _claim: Claim) -> list[str]:
        """Return what a verdict does not say."""
        return [PROBABILISTIC, _EVENT, _PUBLIC, _ACCURACY, SAMPLING]

    def public_names(self, _claim: Claim, _settings: PublicSettings) -> tuple[str, ...]:
        """Return all that is told of the rows but their counts."""
        return ("eta", "N", "n", _STATES, _FEASIBLE)

    def require_columns(self, _claim: Claim, settings: PublicSettings) -> None:
        """Raise InputError unless there are a column for from and one for to, or none."""
        _columns(settings)

    def require_releasable(self, claim: Claim, where: str) -> None:
        """Raise DomainError where numbers are not public, or no data or draw has such ones."""
        own, numbers = ModelParameters.of(claim), rows_of(claim)
        if own.read_off_the_data:
            raise DomainError(
                f"{where}: [release] {READ_OFF} says that numbers were read off the private data; "
                "nothing that the release shows may be"
            )
        if len(numbers) < LEAST_LABELS:
            raise DomainError(f"{where}: a chain of one state has nothing to be released")
        for one in numbers:
            if one.n > len(numbers):
                raise DomainError(f"{where}: n = {shown(one.n)}, but there are {len(numbers)} "
                                  "states to move to")  # fmt: skip
            require_countable(one.N, one.n, where)
            require_reach(one.k / one.N * ceil(one.eta * one.N), one.k, where)

    def layout(self, claim: Claim, settings: PublicSettings) -> Layout:
        """Return the states, and which transitions are possible. Raises InputError."""
        self.require_releasable(claim, settings.where)
        states, numbers = _states(claim, settings), rows_of(claim)
        possible = _feasible(settings, states, numbers)
        _left_out(claim, settings, states)
        return Layout(states, states, possible=tuple(map(tuple, possible)))

    def require_possible(self, claim: Claim, seen: Layout) -> None:
        """Raise DomainError unless the matrix is square, with n possible entries in each row.

        These have to be some of those of an irreducible chain, and no state one that was left out.
        """
        own, numbers = ModelParameters.of(claim), rows_of(claim)
        require_square(seen, len(numbers))
        if own.labels and seen.names != own.labels:
            raise DomainError(f"its states are not the {LABELS} of the claim")
        if set(seen.names) & set(own.left_out_of_the_data):
            raise DomainError("one of its states is left out of the data, as the claim says")
        for one, row in zip(numbers, seen.possible or (), strict=True):
            if sum(row) > one.n:
                raise DomainError(f"a row has {shown(sum(row))} entries above 0, and n = "
                                  f"{shown(one.n)} of the claim's are possible")  # fmt: skip
        if seen.possible and not may_be_irreducible(seen.possible, [one.n for one in numbers]):
            raise DomainError(
                "no n transitions of each row that hold its entries above 0 make every state "
                f"reachable from every other one ({_REACHED})"
            )

    def plan(self, claim: Claim, settings: PublicSettings, file: Path) -> SimplexPlan:
        """Return k_i counts_i/N_i. Raises InputError, with no private value in its sentence."""
        laid_out, numbers = self.layout(claim, settings), rows_of(claim)
        states, possible = laid_out.names, laid_out.possible or ()
        counts = _counts(settings, states, _left_out(claim, settings, states), file)
        rows = [
            _drawn(states, state, one, feasible, found, f"{file}, row {shown(label)}")
            for state, (label, one, feasible, found) in enumerate(
                zip(states, numbers, possible, counts, strict=True)
            )
        ]
        return SimplexPlan(tuple(rows), matrix=True)

    def adjacency(self, claim: Claim, data: Mapping[str, Any]) -> Adjacency:
        """Return the neighbours of one transition, by the row that it is in."""
        words = "data that differ in one transition, which keeps its origin and changes its end"
        found = fixed_by(claim, data, words, ("N", "n", "labels"), ("states",))
        return replace(found, rows=tuple(row.movable for row in rows_of(claim)))

    def by_row(self, claim: Claim) -> list[tuple[Term, ...]]:
        """Return the pair of each row that has neighbours."""
        return [row.asked(claim)[0].terms if row.movable else () for row in rows_of(claim)]

    def plan_of_input(self, claim: Claim, value: Any, where: str) -> SimplexPlan:
        """Return k_i counts_i/N_i of given counts, row by row."""
        numbers, found = rows_of(claim), []
        rows = rows_in(value, len(numbers), COUNTS)
        for at, (one, row) in enumerate(zip(numbers, rows, strict=True), 1):
            counts = counts_in(row)
            if sum(counts) != one.N:
                raise DomainError(f"the input: row {at} has {shown(sum(counts))} records; {where} "
                                  f"says N = {shown(one.N)}")  # fmt: skip
            found.append([one.k * Fraction(count, one.N) for count in counts])
        return drawn_from(*found, matrix=True)


def _asked(claim: Claim, rows: list[Row]) -> tuple[Question, ...]:
    """Return what the claim asks of all rows together."""
    numbers = sorted({(row.k, row.eta, row.N) for row in rows})
    k, eta, size = zip(*numbers, strict=True)
    return asked_of(claim, _FAMILY, {"k": k, "eta": eta, "N": size})


def _with_floor(row: Row, least: int) -> Row:
    """Return the row with a floor of at most so many records."""
    return replace(row, eta=min(row.eta, Fraction(least, row.N)))


def _set_by(losses: Losses, label: str, refuting: Refuting) -> str:
    pair = refuting.worst.pair
    near = " (others are too near to be told apart)" if len(refuting.candidates) > 1 else ""
    return (
        f"the largest of {len(losses.rows)} rows, set by row {label}{near}: floor alpha = "
        f"{shown(pair.alpha)}, step = {shown(pair.step)}"
    )


def _drawn(
    states: tuple[str, ...],
    state: int,
    numbers: Row,
    feasible: Sequence[bool],
    counts: Sequence[int],
    place: str,
) -> PlanRow:
    """Return a row, after its counts were found to be an input."""
    if any(count for count, possible in zip(counts, feasible, strict=True) if not possible):
        raise DomainError(f"{place}: a record makes a transition that [data] {_FEASIBLE} does not "
                          f"list, and so says to be impossible ({_ADJACENT})")  # fmt: skip
    require_total(counts, numbers.N, place)
    # A row of one transition has no neighbours.
    if numbers.n > 1:
        seen = [count for count, possible in zip(counts, feasible, strict=True) if possible]
        require_floor(seen, numbers.eta * numbers.N, place)
    step = numbers.k / numbers.N
    return row_of(states[state], states, [step * count for count in counts], place)


def _states(claim: Claim, settings: PublicSettings) -> tuple[str, ...]:
    """Return the states, which are the claim's rows in order. Raises InputError."""
    states, numbers = labels_in(settings, _STATES), rows_of(claim)
    if len(states) > MAX_STATES:
        raise InputError(f"{settings.where} [data]: {_STATES} lists more than {MAX_STATES}")
    if len(states) != len(numbers):
        raise DomainError(f"{settings.where}: [data] {_STATES} lists {len(states)}, but [release] "
                          f"has {len(numbers)} rows")  # fmt: skip
    own = ModelParameters.of(claim)
    if own.labels and own.labels != states:
        raise DomainError(f"{settings.where}: [data] {_STATES} are not the {LABELS} of [release], "
                          "or stand in another order")  # fmt: skip
    return states


def _feasible(
    settings: PublicSettings, states: tuple[str, ...], numbers: Sequence[Row]
) -> list[list[bool]]:
    """Return which transitions are possible, by source and target. Raises InputError.

    A row that [data] says nothing of has all of them.
    """
    listed = label_sets_in(settings, _FEASIBLE, states)
    rows = [listed.get(label, states) for label in states]
    for label, row, one in zip(states, rows, numbers, strict=True):
        if len(row) != one.n:
            raise DomainError(f"{settings.where}: {len(row)} transitions are feasible from "
                              f"{shown(label)}, but its n is {shown(one.n)}; list them in [data] "
                              f"{_FEASIBLE}")  # fmt: skip
    possible = [[label in row for label in states] for row in map(frozenset, rows)]
    if not is_irreducible([[Fraction(one) for one in row] for row in possible]):
        raise DomainError(
            f"{settings.where}: by the feasible transitions not every state can be "
            f"reached from every other one: the chain is reducible ({_REACHED})"
        )
    return possible


def _left_out(claim: Claim, settings: PublicSettings, states: tuple[str, ...]) -> tuple[str, ...]:
    """Return the states whose records are left out, as the claim says, too. Raises InputError."""
    gone = labels_listed(settings.data.get(_WITHOUT, []), f"{settings.where} [data]: {_WITHOUT}")
    if gone != ModelParameters.of(claim).left_out_of_the_data:
        raise DomainError(
            f"{settings.where}: [data] {_WITHOUT} and [release] {LEFT_OUT} have to list "
            "the same, so that the certificate says what is not protected"
        )
    if set(gone) & set(states):
        raise InputError(f"{settings.where} [data]: a label stands in {_STATES} and in {_WITHOUT}")
    return gone


def _columns(settings: PublicSettings) -> tuple[str, str] | None:
    """Return the columns of moves, None where the file holds counts. Raises InputError."""
    if FROM in settings.data or TO in settings.data:
        return text_in(settings, FROM), text_in(settings, TO)
    return None


def _counts(
    settings: PublicSettings, states: tuple[str, ...], gone: tuple[str, ...], file: Path
) -> list[list[int]]:
    """Return the counts between states, of a column each for from and to, or as given."""
    columns = _columns(settings)
    if columns:
        return counts_of_transitions(file, columns, (*states, *gone), len(states))
    return given_transitions(file, (*states, *gone), len(states))


MODEL = _MarkovModel()
