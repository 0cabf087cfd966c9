"""What each row of a model loses, worked out once for rows with equal numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from ....reference.dirichlet import counts
from ....reference.dirichlet.pair import Neighbours, Pair
from ....reference.domain import Value
from ....reference.enclosure import Enclosure
from ....reference.exact import Texts, exact_text, shown
from ....reference.precision import MAX_SECONDS, Budget
from ..printed import value_of
from ..protocol import Claim, Inputs, Parameters, Parts, RowLosses, asked_of
from ..questions import Question
from ..truth import truth_of
from .said import Words

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
