"""Domains of a quantity's parameters, one by one and together."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Annotated, TypeAlias

from ..dyadic import PLUS_INFINITY, Dyadic
from ..enclosure import Enclosure, Trilean
from ..structures import ChainLaw, Event, LineLaw, Matrix, Network
from .events import Events
from .kinds import Domain, Entries, Exact, Interval, Law, Rows, Table, Value, Vector, Word
from .matrices import ANY_NUMBERS, MAX_LAWS, Counts, IndexSet, IndexSets, MatrixKind, Stochastic
from .structures import Chains, InitialKind, LawOnTheLine, NetworkKind, Networks

__all__ = [
    "Chains",
    "Condition",
    "Counts",
    "Domain",
    "Entries",
    "Events",
    "Exact",
    "Hypothesis",
    "IndexSet",
    "IndexSets",
    "InitialKind",
    "Interval",
    "Law",
    "LawOnTheLine",
    "MatrixKind",
    "NetworkKind",
    "Networks",
    "Parameters",
    "Rows",
    "Stochastic",
    "Table",
    "Value",
    "Vector",
    "Word",
]

Parameters: TypeAlias = Mapping[str, Value]

ZERO, ONE = Fraction(0), Fraction(1)
ANY_NUMBER = Enclosure.nothing_known()
A_PROBABILITY = Enclosure(Dyadic(0), Dyadic(1))
AT_LEAST_ZERO = Enclosure(Dyadic(0), PLUS_INFINITY)
AT_LEAST_ONE = Enclosure(Dyadic(1), PLUS_INFINITY)

Positive = Annotated[Fraction, Interval(above=ZERO)]
NonNegative = Annotated[
    Fraction, Interval(at_least=ZERO, search=("0.001", "30"), beyond=("1e-9", "700"))
]
Order = Annotated[Fraction, Interval(at_least=ONE, search=("1", "100"), beyond=("1", "1e6"))]
_CHANCE = Interval(at_least=ZERO, at_most=ONE, search=("1e-12", "1"), beyond=("1e-300", "1"))
Probability = Annotated[Fraction, _CHANCE]
OpenProbability = Annotated[
    Fraction, Interval(above=ZERO, below=ONE, search=_CHANCE.search, beyond=_CHANCE.beyond)
]
Share = Annotated[Fraction, Interval(above=ZERO, below=ONE, search=("0.001", "1"))]
NOISE_MULTIPLIER = Annotated[
    Fraction, Interval(above=ZERO, search=("0.05", "100"), beyond=("0.001", "1e6"))
]
Distance = Annotated[Fraction, Interval(above=ZERO, search=("0.001", "2"))]


def count_from(least: int, most_searched: int, most_beyond: int | None = None) -> Interval:
    """Return the domain of a whole number that is at least ``least``."""
    low, high, beyond = str(least), str(most_searched), str(most_beyond or most_searched)
    return Interval("integer", at_least=Fraction(least), search=(low, high), beyond=(low, beyond))


# A drawn point repeats one release at most so often, and sums so many coordinates; hints both.
_MOST_RELEASES, _MOST_COORDINATES = 10, 50
LAW = Annotated[tuple[Fraction, ...], Law()]
RELEASES = Annotated[
    tuple[tuple[Fraction, Fraction, int], ...],
    Table(
        "releases",
        (
            ("alpha", Interval(above=ZERO)),
            ("step", Interval(above=ZERO)),
            ("count", count_from(1, _MOST_RELEASES, 1_000)),
        ),
    ),
]
ROWS = Annotated[
    tuple[tuple[int, Fraction], ...],
    Table(
        "rows",
        (
            ("w", count_from(1, _MOST_COORDINATES, 1_000)),
            ("gamma", _CHANCE),
        ),
    ),
]

# Where a hint for the search has to be given, the kind is annotated anew with it.
NUMBERS = Annotated[tuple[Fraction, ...], ANY_NUMBERS]
WHOLE_NUMBERS = Annotated[tuple[int, ...], Entries(count_from(1, 8))]
STOCHASTIC = Annotated[Matrix, Stochastic()]
COUNTS = Annotated[tuple[tuple[int, ...], ...], Counts()]
# Of each state one, of a chain that an earlier parameter gives.
CONCENTRATIONS = Annotated[
    tuple[Fraction, ...], Entries(Interval(above=ZERO), longest_searched=3, as_long_as="P")
]
CONCENTRATIONS_OF_COUNTS = Annotated[
    tuple[Fraction, ...], Entries(Interval(above=ZERO), longest_searched=3, as_long_as="counts")
]
# A matrix norm: the largest row sum of absolute values, or the largest column sum.
NORM = Annotated[str, Word(("row", "column"))]
# Which inverse is meant: that of I - P + 1 pi, or that of I - P - 1 pi.
SIGN = Annotated[str, Word(("plus", "minus"))]
LAWS = Annotated[Matrix, MatrixKind(each="law", most_rows=MAX_LAWS)]
VALUES = Annotated[Matrix, MatrixKind(ANY_NUMBERS)]
INDEX_SET = Annotated[tuple[int, ...], IndexSet()]
INDEX_SETS = Annotated[tuple[tuple[int, ...], ...], IndexSets()]
PAIRS = Annotated[tuple[tuple[int, ...], ...], IndexSets(each="pair", size=2)]
INITIAL = Annotated[tuple[Fraction, ...] | str, InitialKind()]
CHAINS = Annotated[tuple[ChainLaw, ...], Chains()]
LINE_LAW = Annotated[LineLaw, LawOnTheLine()]
NETWORK = Annotated[Network, NetworkKind()]
NETWORKS = Annotated[tuple[Network, ...], Networks()]
EVENTS = Annotated[tuple[Event, ...], Events()]


@dataclass(frozen=True)
class Condition:
    """Something that several parameters must satisfy together for the quantity to exist.

    ``why`` takes the same parameters and says what of them breaks it, where that needs saying;
    ``about`` names them where the test's signature does not.
    """

    statement: str
    test: Callable[..., bool | Trilean]
    source: str
    why: Callable[..., str] | None = None
    about: tuple[str, ...] = ()

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The parameters that the condition is about."""
        return self.about or tuple(inspect.signature(self.test).parameters)

    def holds(self, parameters: Parameters) -> Trilean:
        """Evaluate the condition on the parameters that it names."""
        answer = self.test(**{name: parameters[name] for name in self.names})
        return answer if isinstance(answer, Trilean) else Trilean.of(answer)

    def reason(self, parameters: Parameters) -> str:
        """Return which of the parameters break the condition, as the end of a sentence."""
        if self.why is None:
            return ""
        return f"; {self.why(**{name: parameters[name] for name in self.names})}"


# A hypothesis is what a paper asks beyond the domain: same shape, other consequences.
Hypothesis: TypeAlias = Condition
