"""The query of a Laplace release: what it comes to on data, and how far one node moves it.

A query is public and linear: each of its numbers is a sum over the nodes of the weight of a node's
state. What it comes to on private data is told to nobody.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

from gmpy2 import mpq

from ....reference.errors import DomainError, InputError, UnknownNameError
from ....reference.exact import exact_text, shown
from ....reference.matrix_kinds import ANY_NUMBERS, MatrixKind
from ....reference.structures import Matrix
from .. import reading
from ..data.sequence import States
from ..plan import NoisePlan
from ..protocol import Claim, PublicSettings
from .noise import NoiseParameters, laplace_of

ANSWER = "answer"
HISTOGRAM, RELATIVE = "histogram", "relative histogram"
QUERY_KEYS = ("query", "weights")
# How far weights move is looked for among all pairs of states: some seconds at most.
MAX_DIFFERENCES = 5_000_000
# An exact answer is at most this, whatever the data are; with noise it is still read again.
LARGEST_CENTRE = 10**1_000
_WAYS = f'query = "{HISTOGRAM}", query = "{RELATIVE}" or weights = [[..], ..]'


@dataclass(frozen=True)
class Nodes:
    """What is public of the nodes: how many there are, and what states they can have.

    ``states`` is how many states a node has at most. ``names`` are those of the states; None where
    each node has its own.
    """

    number: int
    states: int
    names: tuple[str, ...] | None


@dataclass(frozen=True)
class Query:
    """Numbers to be released, by name: for each a row of weights for every node, or one for all.

    ``change`` is by how much they change at most, in the 1-norm, when one node changes.
    """

    names: tuple[str, ...]
    weights: tuple[Matrix, ...]
    change: Fraction
    scalar: bool = False

    def centres(self, states: States) -> tuple[Fraction, ...]:
        """Return the exact answers on private data."""
        width = len(self.weights[0][0])
        counts = states.counts(width)
        return tuple(
            _total(rows[0], counts) if len(rows) == 1 else _total_by_node(rows, states)
            for rows in self.weights
        )


def _total(row: Sequence[Fraction], counts: Sequence[int]) -> Fraction:
    # Most weights of a histogram are 0.
    products = (entry * count for entry, count in zip(row, counts, strict=True) if entry)
    return sum(products, Fraction(0))


def _total_by_node(rows: Matrix, states: States) -> Fraction:
    found = (row[state] for row, state in zip(rows, states.numbers.tolist(), strict=True))
    return sum(found, Fraction(0))


def scale_of(claim: Claim, where: str) -> Fraction:
    """Return the scale of the one release that is drawn. Raises InputError: there are several."""
    noise = laplace_of(claim)
    if noise.alone is None:
        raise InputError(
            f"{where}: scales are of {len(noise.scales)} releases, and one is drawn at a time; "
            "give each its own claim with one scale, and record them together with --ledger"
        )
    return noise.alone


def query_of(claim: Claim, settings: PublicSettings, nodes: Nodes) -> Query:
    """Return the query that a claim's values or its file's [data] give. Raises InputError."""
    values = laplace_of(claim).values
    given = [key for key in QUERY_KEYS if key in settings.data]
    if values is not None:
        if given:
            raise InputError(f"{settings.where}: values in [release] are the query; leave "
                             f"{' and '.join(given)} out of [data]")  # fmt: skip
        require_moderate((entry for row in values for entry in row), nodes.number, settings.where)
        return Query((ANSWER,), (values,), NoiseParameters.of(claim).lipschitz, scalar=True)
    if len(given) != 1:
        raise InputError(f"{settings.where}: [data] needs exactly one query, {_WAYS}, or [release] "
                         "values")  # fmt: skip
    found = (
        _weighted(claim, settings, nodes) if given == ["weights"] else _counting(settings, nodes)
    )
    return _within_lipschitz(found, claim, settings.where)


def require_moderate(entries: Iterable[Fraction], nodes: int, where: str) -> None:
    """Raise DomainError where some data, whichever they are, could have too large an answer."""
    if any(abs(entry) * nodes > LARGEST_CENTRE for entry in entries):
        raise DomainError(f"{where}: values or weights are so large that an answer could have more "
                          "than 1000 digits")  # fmt: skip


def _within_lipschitz(query: Query, claim: Claim, where: str) -> Query:
    """Return the query. Raises DomainError if one node can change it by more than was claimed."""
    claimed = NoiseParameters.of(claim).lipschitz
    if query.change > claimed:
        raise DomainError(
            f"{where}: the query changes by up to {exact_text(query.change)} in the 1-norm when "
            f"one node changes, but lipschitz = {shown(claimed)} (song2017 Algorithm 2)"
        )
    return query


def _counting(settings: PublicSettings, nodes: Nodes) -> Query:
    word = settings.data["query"]
    if not isinstance(word, str):
        raise InputError(f"{settings.where} [data]: query is {shown(word)}; it needs {_WAYS}")
    if word not in (HISTOGRAM, RELATIVE):
        raise UnknownNameError("query", word, (HISTOGRAM, RELATIVE), f"({settings.where} [data])")
    if nodes.names is None:
        raise InputError(f'{settings.where} [data]: query = "{word}" counts states that all nodes '
                         "share: give states as one list, or weights")  # fmt: skip
    unit = Fraction(1, nodes.number if word == RELATIVE else 1)
    # One count falls by one and another rises.
    change = 2 * unit if nodes.states > 1 else Fraction(0)
    return Query(nodes.names, _indicators(nodes.states, unit), change)


def _indicators(states: int, unit: Fraction) -> tuple[Matrix, ...]:
    nothing = Fraction(0)
    return tuple(
        (tuple(unit if at == one else nothing for at in range(states)),) for one in range(states)
    )


def _weighted(claim: Claim, settings: PublicSettings, nodes: Nodes) -> Query:
    where = f"{settings.where} [data]"
    domain = {"weights": MatrixKind(ANY_NUMBERS)}
    read: Any = reading.parameters(settings.data, domain, claim.mechanism.name, where)
    rows: Matrix = read["weights"]
    require_moderate((entry for row in rows for entry in row), nodes.number, where)
    width = nodes.states
    if len(rows[0]) != width:
        raise DomainError(f"{where}: weights has {len(rows[0])} entries a row, but there are "
                          f"{width} states")  # fmt: skip
    names = tuple(str(at) for at in range(1, len(rows) + 1))
    return Query(names, tuple((row,) for row in rows), _largest_change(rows, where))


def _largest_change(rows: Matrix, where: str) -> Fraction:
    """Return the largest 1-norm of the difference of two states' columns."""
    columns = [[mpq(entry) for entry in column] for column in zip(*rows, strict=True)]
    differences = len(rows) * len(columns) * (len(columns) - 1) // 2
    if differences > MAX_DIFFERENCES:
        raise DomainError(f"{where}: weights of {len(rows)} rows and {len(columns)} states take "
                          f"more than {MAX_DIFFERENCES} differences to be compared")  # fmt: skip
    pairs = combinations(columns, 2)
    found = max((_distance(one, other) for one, other in pairs), default=mpq(0))
    return Fraction(int(found.numerator), int(found.denominator))


def _distance(one: Iterable[mpq], other: Iterable[mpq]) -> mpq:
    return sum((abs(a - b) for a, b in zip(one, other, strict=True)), mpq(0))


def plan_of(query: Query, states: States, scale: Fraction) -> NoisePlan:
    """Return what is drawn: the query's exact answers, and noise of this scale on each."""
    return NoisePlan(query.names, query.centres(states), scale, query.scalar)
