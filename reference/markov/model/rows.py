"""The parameters of a model: vectors with one entry a row, and the largest number of all rows.

They have one length, and satisfy a condition row by row.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, TypeAlias

from flint import arb

from ...arb.balls import ball
from ...domain import ONE, ZERO, Condition, Entries, Interval, Parameters, Value, count_from
from ...enclosure import Trilean
from ...exact import exact_text

NOTE = "proofs_notes/markov-model.md"
PAPER = "benvenuti2025 Theorem 3"

# Hints for the search: points of few rows that often satisfy the conditions in each; of fewer where
# a row takes long.
_ROWS, _FEW_ROWS = 3, 2
_SHARE = Interval(above=ZERO, below=ONE, search=("0.001", "0.3"))
_CHANCE = Interval(at_least=ZERO, at_most=ONE, search=("1e-12", "0.3"), beyond=("1e-300", "0.3"))

_Numbers: TypeAlias = tuple[Fraction, ...]
Whole: TypeAlias = tuple[int, ...]
KS = Annotated[_Numbers, Entries(Interval(above=ZERO), _ROWS)]
ETAS_ALONE = Annotated[_Numbers, Entries(_SHARE, _FEW_ROWS)]
FEW_KS = Annotated[_Numbers, Entries(Interval(above=ZERO), _FEW_ROWS)]
ETAS = Annotated[_Numbers, Entries(_SHARE, _ROWS, as_long_as="k")]
# A root in k takes time that grows with the least count.
FEW_RECORDS = Annotated[Whole, Entries(count_from(1, 100), _ROWS, as_long_as="eta")]
RECORDS = Annotated[Whole, Entries(count_from(1, 10_000, 1_000_000), _ROWS, as_long_as="eta")]
CATEGORIES = Annotated[Whole, Entries(count_from(3, 8), _ROWS, as_long_as="eta")]
GAMMAS = Annotated[_Numbers, Entries(_SHARE, _ROWS, as_long_as="eta")]
CHANCES = Annotated[_Numbers, Entries(_CHANCE, _ROWS, as_long_as="eta")]


def largest(values: Iterable[arb | Fraction]) -> arb | Fraction:
    """Return the largest of several numbers, exactly where all of them are."""
    found = list(values)
    exact = [value for value in found if isinstance(value, Fraction)]
    if len(exact) == len(found):
        return max(exact)
    top, *others = (ball(value) if isinstance(value, Fraction) else value for value in found)
    for other in others:
        top = top.max(other)
    return top


# So many rows are named in a sentence.
_LISTED = 3


@dataclass(frozen=True)
class SameLength(Condition):
    """Vectors with one entry a row have as many entries each."""

    vectors: tuple[str, ...] = ()

    @classmethod
    def of(cls, *vectors: str) -> SameLength:
        """Return the condition on the parameters of these names."""
        statement = f"as many entries in {', '.join(vectors)}, one a row"
        return cls(statement, lambda: True, "one row of the model each", vectors=vectors)

    @property
    def names(self) -> tuple[str, ...]:
        """The vectors."""
        return self.vectors

    def holds(self, parameters: Parameters) -> Trilean:
        """Whether all are equally long."""
        return Trilean.of(len(set(self._lengths(parameters))) == 1)

    def reason(self, parameters: Parameters) -> str:
        """Return how long each is, as the end of a sentence."""
        return f"; they have {', '.join(map(str, self._lengths(parameters)))}"

    def _lengths(self, parameters: Parameters) -> list[int]:
        vectors = [parameters[name] for name in self.vectors]
        return [len(vector) if isinstance(vector, tuple) else 1 for vector in vectors]


@dataclass(frozen=True)
class EachRow(Condition):
    """A condition on the numbers of one row, asked of each row; a single number is every row's."""

    @classmethod
    def of(cls, condition: Condition) -> EachRow:
        """Return the condition for all rows, each by itself."""
        return cls(f"in each row {condition.statement}", condition.test, condition.source)

    def holds(self, parameters: Parameters) -> Trilean:
        """Whether it holds in all rows; a row in which it fails decides."""
        found = set(self._answers(parameters))
        if Trilean.FALSE in found:
            return Trilean.FALSE
        return Trilean.UNKNOWN if Trilean.UNKNOWN in found else Trilean.TRUE

    def reason(self, parameters: Parameters) -> str:
        """Return the first row that breaks it with its numbers, as the end of a sentence."""
        at = self.rows_without(parameters)[0]
        numbers = zip(self.names, self._rows(parameters)[at - 1], strict=True)
        given = ", ".join(f"{name} = {exact_text(value)}" for name, value in numbers)
        return f"; row {at} has {given}"

    def rows_without(self, parameters: Parameters) -> list[int]:
        """Return the rows, counted from 1, in which it is not known to hold."""
        answers = self._answers(parameters)
        return [at for at, answer in enumerate(answers, 1) if answer is not Trilean.TRUE]

    def _answers(self, parameters: Parameters) -> list[Trilean]:
        rows = self._rows(parameters)
        known = {row: self._answer(row) for row in set(rows)}
        return [known[row] for row in rows]

    def _answer(self, row: tuple[Value, ...]) -> Trilean:
        return Condition.holds(self, dict(zip(self.names, row, strict=True)))

    def _rows(self, parameters: Parameters) -> list[tuple[Value, ...]]:
        given = [parameters[name] for name in self.names]
        count = max(len(value) for value in given if isinstance(value, tuple))
        return list(zip(*(_column(value, count) for value in given), strict=True))


def _column(value: Value, count: int) -> Iterator[Value]:
    return iter(value) if isinstance(value, tuple) else iter([value] * count)


def listed(places: Iterable[object], what: str = "row") -> str:
    """Return a few names of rows as words, such as ``rows 1, 4, 5 and 7 more``."""
    names = [str(place) for place in places]
    more = len(names) - _LISTED
    shown = ", ".join(names[:_LISTED]) + (f" and {more} more" if more > 0 else "")
    return f"{what}{'s' if len(names) > 1 else ''} {shown}"
