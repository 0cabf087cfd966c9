"""The rows of a model: their labels, their losses, and which of them decide or refute a claim.

A loss is worked out once for rows with equal numbers. Labels, and what was read off the data or
left out of them, are found out where the data are given; where they are not, such as in a
certificate, the claim states them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from ....reference.dirichlet import counts
from ....reference.dirichlet.pair import Neighbours, Pair
from ....reference.domain import Value
from ....reference.domain.matrices import MAX_STATES
from ....reference.enclosure import Enclosure
from ....reference.errors import InputError
from ....reference.exact import Texts, exact_text, shown
from ....reference.labels import label_of
from ....reference.markov.model.data import DataModel
from ....reference.precision import MAX_SECONDS, Budget
from ..protocol import Claim, Inputs, Nearby, Parameters, Parts, RowLosses, asked_of
from ..questions import Question, truth_of, value_of

# The labels of the rows; without them these are called 1, 2, and so on.
LABELS = "labels"
# Which of the keys were read off the data, and which states were left out of these.
READ_OFF = "read_off_the_data"
LEFT_OUT = "left_out_of_the_data"
# What the data have and a claim may leave out, in the order in which it is published.
OF_DATA = ("eta", "N", "n")
SAID = (LABELS, READ_OFF, LEFT_OUT)
_DATA_KEYS = ("counts", "without")

Words = tuple[str, ...]


def labels_in(table: Mapping[str, Any], where: str) -> Words | None:
    """Return the labels of the rows, None where a claim gives none. Raises InputError."""
    if LABELS not in table:
        return None
    labels = _labels(table, LABELS, where)
    if not labels or len(set(labels)) != len(labels):
        raise InputError(f"{where}: labels = {shown(labels)} must hold one label a row, all others")
    return labels


def labelled(table: Mapping[str, Any], data: DataModel, where: str) -> DataModel:
    """Return the data with the claim's labels. Raises InputError where a file has other ones."""
    labels = labels_in(table, where)
    if labels is None:
        return data
    if isinstance(table["counts"], str) and labels != data.labels:
        raise InputError(
            f"{where}: labels = {shown(labels)} are not those of the counts, {shown(data.labels)}"
        )
    return replace(data, labels=labels)


def said_of(
    table: Mapping[str, Any], labels: Sequence[str], missing: Iterable[str], where: str
) -> dict[str, Words]:
    """Return what a claim with data says of them; ``missing`` are the keys that were read off."""
    for key in (READ_OFF, LEFT_OUT):
        if key in table:
            raise InputError(f"{where}: {key} is found out where counts are given; leave it out")
    read_off = list(missing)
    if LABELS not in table and isinstance(table["counts"], str) and not _are_numbers(labels):
        read_off.append(LABELS)
    left_out = tuple(dict.fromkeys(table.get("without", [])))
    return _without_empty(labels, read_off, left_out)


def said_in(table: Mapping[str, Any], where: str) -> dict[str, Words]:
    """Return what a claim without data says of them by itself. Raises InputError."""
    labels = labels_in(table, where) or ()
    read_off = table.get(READ_OFF, [])
    known = [key for key in (*OF_DATA, LABELS) if key in table]
    if not isinstance(read_off, list) or read_off != [key for key in known if key in read_off]:
        raise InputError(
            f"{where}: {READ_OFF} is {shown(read_off)}; it lists those of {', '.join(known)} that "
            "were read off the data, in this order"
        )
    left_out = tuple(dict.fromkeys(_labels(table, LEFT_OUT, where)))
    return _without_empty(labels, read_off, left_out)


def without_a_file(release: Mapping[str, Any], published: Mapping[str, Any]) -> dict[str, Any]:
    """Return a claim's [release] whose counts are in a file, without that file.

    What is missing then is taken from what was published as read off the data, and nothing else.
    """
    if not isinstance(release.get("counts"), str):
        return dict(release)
    kept = {key: value for key, value in release.items() if key not in _DATA_KEYS}
    told = published.get(READ_OFF)
    off = [key for key in (*OF_DATA, LABELS) if isinstance(told, list) and key in told]
    found = {key: published[key] for key in off if key in published and key not in release}
    return {**kept, **found, READ_OFF: list(found), LEFT_OUT: release.get("without", [])}


def _without_empty(labels: Sequence[str], read_off: Sequence[str], out: Words) -> dict[str, Words]:
    """Return what is published: no numbers as labels, and nothing that is empty."""
    names = () if _are_numbers(labels) else labels
    said = {LABELS: names, READ_OFF: read_off, LEFT_OUT: out}
    return {key: tuple(words) for key, words in said.items() if words}


def _are_numbers(labels: Sequence[str]) -> bool:
    return all(label == str(at) for at, label in enumerate(labels, 1))


def _labels(table: Mapping[str, Any], key: str, where: str) -> Words:
    given = table.get(key, [])
    if not isinstance(given, list) or not all(isinstance(item, str) for item in given):
        raise InputError(f"{where}: {key} is {shown(given)}; it lists labels of states")
    if len(given) > MAX_STATES:
        raise InputError(f"{where}: {key} lists {len(given)} states; {MAX_STATES} are read")
    return tuple(label_of(item, f"{where}: {key}, {at}") for at, item in enumerate(given, 1))


_FAMILY = "dirichlet.profile"
# For more different rows the paper's delta, up to a fifth of a second each, is left out row by row.
_MOST_TAILS = 100
# All rows together are worked out one by one for so long; of the rest little is told, and what
# decides is asked once more of all of them at once.
_ROWS_SECONDS = MAX_SECONDS
_OTHERS = (
    "the other categories of the row the same in both; the other rows the same in both, anywhere "
    "in their bordered simplex"
)


@dataclass(frozen=True)
class ModelParameters(Parameters):
    """Concentration, floor, records and feasible transitions of each row; gamma for the bounds.

    The words say what the rows are called, and what a claim without its data tells of these.
    """

    k: tuple[Fraction, ...]
    eta: tuple[Fraction, ...]
    N: tuple[int, ...]
    n: tuple[int, ...]
    gamma: tuple[Fraction, ...] | None = None
    labels: Words = ()
    read_off_the_data: Words = ()
    left_out_of_the_data: Words = ()

    @property
    def given(self) -> dict[str, Value]:
        """Those that are not left out, by name; lists of no words are."""
        return {key: value for key, value in super().given.items() if value != ()}

    @property
    def rows(self) -> tuple[Row, ...]:
        """The numbers of each row."""
        gammas = self.gamma or (None,) * len(self.k)
        return tuple(
            Row(*row) for row in zip(self.k, self.eta, self.N, self.n, gammas, strict=True)
        )


@dataclass(frozen=True)
class Row:
    """The numbers of one row, exact; two rows with the same are one."""

    k: Fraction
    eta: Fraction
    N: int
    n: int
    gamma: Fraction | None

    @cached_property
    def pair(self) -> Pair:
        """Floor and step, and whether inputs attain them; one category has no neighbours."""
        return counts.worst_pair(self.k, self.eta, self.N, self.n)

    @property
    def movable(self) -> bool:
        """Whether the row has neighbouring inputs."""
        return self.pair.neighbours.exist

    @property
    def attained(self) -> bool:
        """Whether neighbouring inputs attain the row's pair."""
        return self.pair.neighbours is Neighbours.ATTAINED

    @property
    def point(self) -> dict[str, Any]:
        """The parameters of the paper's formulas."""
        numbers = {"k": self.k, "eta": self.eta, "N": self.N, "n": self.n}
        return numbers if self.gamma is None else {**numbers, "gamma": self.gamma}

    def asked(self, claim: Claim) -> tuple[Question, ...]:
        """Return what the claim asks of this row alone."""
        return asked_of(claim, _FAMILY, {"alpha": self.pair.alpha, "step": self.pair.step})

    def inputs(self, label: str) -> Inputs:
        """Return the two count vectors that attain the pair, the first two categories differing."""
        least = counts.smallest_count(self.eta, self.N)
        spare = self.N - 2 * least - 1
        rest = [least] * (self.n - 3) + [spare - (self.n - 3) * least] if self.n > 2 else []  # noqa: PLR2004
        first, second = ([*two, *rest] for two in ((least, least + 1), (least + 1, least)))
        facts: dict[str, Texts] = {
            "row": label,
            "k": exact_text(self.k),
            "alpha": exact_text(self.pair.alpha),
            "step": exact_text(self.pair.step),
        }
        low, high = shown(least), shown(least + 1)
        return Inputs(
            [exact_text(count) for count in first],
            [exact_text(count) for count in second],
            _OTHERS,
            f"row {label}: counts ({low}, {high}) and ({high}, {low}) in two "
            f"categories, {shown(self.N)} records; others: {_OTHERS}",
            facts,
        )


@dataclass(frozen=True)
class Losses:
    """Each row of a claim, and what the claim asks of it; equal rows are worked out once.

    ``exact`` are the rows that have neighbouring inputs: of any other nothing is lost or kept.
    ``in_time`` says whether every row was worked out within the time that there is.
    """

    claim: Claim
    rows: tuple[Row, ...]
    labels: tuple[str, ...]
    exact: Mapping[Row, Mapping[str, Enclosure]]
    printed: Mapping[Row, Mapping[str, Enclosure | None]]
    in_time: bool

    @classmethod
    def of(cls, claim: Claim) -> Losses:
        """Work out what the claim asks of each row, and what the paper prints of it.

        Either has one budget for all rows.
        """
        rows = rows_of(claim)
        different, for_exact = dict.fromkeys(rows), Budget(_ROWS_SECONDS)
        exact = {row: _exact(claim, row, for_exact) for row in different if row.movable}
        in_time = not for_exact.is_over()
        for_printed, few = Budget(_ROWS_SECONDS), len(different) <= _MOST_TAILS
        printed = {row: _printed(row, tails=few and not for_printed.is_over()) for row in different}
        in_time = in_time and not for_printed.is_over()
        return cls(claim, rows, labels_of(claim), exact, printed, in_time)

    def largest(self, key: str, rows: list[Row]) -> Row:
        """Return the first of the rows that loses most, as far as the enclosures tell."""
        return max(rows, key=lambda row: self.exact[row][key].low)

    def label(self, row: Row) -> str:
        """Return the label of the first row with these numbers."""
        return self.labels[self.rows.index(row)]

    @property
    def parts(self) -> Parts:
        """One line a row: its numbers, the paper's bounds, and what is exactly true."""
        keys = next(iter(self.exact.values()))
        nothing = dict.fromkeys(keys)
        rows = tuple(
            RowLosses(label, _numbers(row), {**self.printed[row], **self.exact.get(row, nothing)})
            for label, row in zip(self.labels, self.rows, strict=True)
        )
        return Parts(rows, self.in_time)


def rows_of(claim: Claim) -> tuple[Row, ...]:
    """Return the numbers of each row."""
    return ModelParameters.of(claim).rows


def labels_of(claim: Claim) -> tuple[str, ...]:
    """Return the labels of the states, or their numbers from 1."""
    own = ModelParameters.of(claim)
    return own.labels or tuple(str(at) for at in range(1, len(own.k) + 1))


def _exact(claim: Claim, row: Row, budget: Budget) -> dict[str, Enclosure]:
    return {
        question.key: truth_of(question, budget, settled=True).value
        for question in row.asked(claim)
    }


def _printed(row: Row, *, tails: bool) -> dict[str, Enclosure | None]:
    return {
        "epsilon_bound": value_of("dirichlet.counts.epsilon_bound", row.point),
        "delta_bound": value_of("dirichlet.counts.delta_bound", row.point) if tails else None,
    }


def _numbers(row: Row) -> dict[str, Texts]:
    numbers = {key: exact_text(value) for key, value in row.point.items()}
    return {
        **numbers,
        "k_minimum": exact_text(3 / (2 * row.eta)),
        "neighbours": row.pair.neighbours.value,
    }


# Rows that the enclosures do not tell apart; each may take a while to be judged by itself.
_MOST_RIVALS = 5


@dataclass(frozen=True)
class Refuting:
    """The rows that may lose most, and whether inputs attain what all rows together lose.

    ``candidates`` attain their own pairs; the first one loses most as far as the enclosures tell,
    and each further one has another pair that may lose more.
    """

    losses: Losses
    worst: Row
    candidates: tuple[Row, ...]
    reached: bool

    @classmethod
    def of(cls, losses: Losses, movable: list[Row], keys: Sequence[str]) -> Refuting:
        """Find them; the first of the keys decides the claim."""
        attained = [row for row in movable if row.attained]
        if not attained:
            return cls(losses, losses.largest(keys[0], movable), (), reached=False)
        reached = all(_reached(losses, key, attained, movable) for key in keys)
        candidates = _candidates(losses, keys[0], attained)
        worst = candidates[0] if reached else losses.largest(keys[0], movable)
        return cls(losses, worst, candidates, reached)

    @property
    def inputs(self) -> Inputs | None:
        """The count vectors that lose most of all, where one row is known to."""
        if not self.reached or len(self.candidates) > 1:
            return None
        return self._inputs(self.candidates[0])

    @property
    def nearby(self) -> Nearby | None:
        """The count vectors to be judged one by one, where no row is known to lose most of all."""
        return self._nearby if self.candidates and self.inputs is None else None

    def _nearby(self) -> Iterator[tuple[Inputs, Question]]:
        for row in self.candidates:
            yield self._inputs(row), row.asked(self.losses.claim)[0]

    def _inputs(self, row: Row) -> Inputs:
        return row.inputs(self.losses.label(row))


def _reached(losses: Losses, key: str, attained: list[Row], rows: list[Row]) -> bool:
    """Whether some row whose pair is attained loses at least as much as every other's pair."""
    pairs = {_pair(row) for row in attained}
    most = losses.exact[losses.largest(key, attained)][key].low
    return all(losses.exact[row][key].high <= most for row in rows if _pair(row) not in pairs)


def _candidates(losses: Losses, key: str, attained: list[Row]) -> tuple[Row, ...]:
    top = losses.largest(key, attained)
    least = losses.exact[top][key].low
    found = {_pair(top): top}
    for row in attained:
        if losses.exact[row][key].high > least:
            found.setdefault(_pair(row), row)
    return tuple(found.values())[:_MOST_RIVALS]


def _pair(row: Row) -> object:
    return row.pair.alpha, row.pair.step
