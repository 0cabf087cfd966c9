"""Noise on a query of a Markov chain or a Bayesian network: its law and scales, the query's sum.

A query is public and linear: each of its numbers is a sum over the nodes of the weight of a node's
state. Its sums on private data are shown to nobody.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import isqrt
from typing import Any

from gmpy2 import mpq

from ....reference.domain import Domain, Value
from ....reference.domain.kinds import MAX_ROWS
from ....reference.domain.matrices import ANY_NUMBERS, MAX_STATES, MatrixKind
from ....reference.errors import DomainError, InputError, UnknownNameError
from ....reference.exact import shown
from ....reference.exact_lists import exact_whole_numbers
from ....reference.pufferfish.quilt.gaussian import rate_of_squares
from ....reference.quantity import quantity_named
from ....reference.structures import ChainLaw, Matrix, Network
from .. import reading
from ..data.sequence import States
from ..plan import NoisePlan
from ..protocol import Claim, Parameters, PublicSettings
from .claims import DRAWN, LAPLACE, NOISE_LAW, law_of_noise

_ANY_QUERY = "any"


@dataclass(frozen=True)
class Added:
    """Noise of these scales on queries that change by at most ``lipschitz`` in the 1-norm.

    ``values`` is the one query that was released, where it is known: the sum over the nodes of
    values[node][state]. ``every_query`` says that the claim is about each such query.
    """

    scales: tuple[Fraction, ...]
    lipschitz: Fraction
    values: Matrix | None
    every_query: bool
    law: str = LAPLACE

    @property
    def together(self) -> Fraction:
        """The scale of one release that quilts protect as well as all of these together.

        What they give depends on the sum of 1/scale alone
        (proofs_notes/quilt-influence.md#privacy-of-several-releases); with normal noise on that of
        1/scale^2, and several scales give a decimal just below its root
        (proofs_notes/gaussian-quilts.md#several-releases-count-the-influence-once).
        """
        if self.law != LAPLACE:
            return (
                self.scales[0]
                if len(self.scales) == 1
                else root_below(1 / rate_of_squares(self.scales))
            )
        return 1 / sum((1 / scale for scale in self.scales), Fraction(0))

    @property
    def alone(self) -> Fraction | None:
        """The scale where there is one release; None where there are several."""
        return self.scales[0] if len(self.scales) == 1 else None

    @property
    def of_entry(self) -> Fraction:
        """The epsilon of all releases towards who knows every other node, whatever the law.

        At most: proofs_notes/laplace-loss.md#entry-level-epsilon.
        """
        return self.lipschitz / self.together

    @property
    def per_unit(self) -> tuple[Fraction, ...]:
        """The scales for queries that change by at most 1."""
        return tuple(scale / self.lipschitz for scale in self.scales)


@dataclass(frozen=True, kw_only=True)
class NoiseParameters(Parameters):
    """What releases of data on nodes say of noise, query and quilts, besides the laws.

    Either ``scale`` or ``scales`` is there. ``query`` is a word, of a claim about every query.
    """

    scale: Fraction | None = None
    scales: tuple[Fraction, ...] | None = None
    lipschitz: Fraction
    values: Matrix | None = None
    query: str | None = None
    noise: str | None = None
    width: int

    @property
    def laws(self) -> dict[str, Value]:
        """Those that say which laws the data may follow."""
        of_noise = {*NOISE_KEYS, "width"}
        return {key: value for key, value in super().given.items() if key not in of_noise}

    @property
    def given(self) -> dict[str, Value]:
        """Those that are not left out, the laws first."""
        return {**self.laws, **super().given}

    @property
    def added(self) -> Added:
        """The noise, and what is known of the query."""
        alone = () if self.scale is None else (self.scale,)
        every = self.query is not None
        law = self.noise or LAPLACE
        return Added(self.scales or alone, self.lipschitz, self.values, every, law)


# So many figures of a root are kept.
_FIGURES = 15


def root_below(square: Fraction) -> Fraction:
    """Return the root of a positive number, rounded down to a decimal."""
    places = max(0, _FIGURES - len(str(isqrt(int(square)))))
    while isqrt(int(square * 10 ** (2 * places))) < 10 ** (_FIGURES - 1):
        places += 1
    return Fraction(isqrt(int(square * 10 ** (2 * places))), 10**places)


def noise_of(claim: Claim) -> Added:
    """Return the noise of a claim that has been read."""
    return NoiseParameters.of(claim).added


NOISE_KEYS = ("scale", "scales", "lipschitz", "values", "query", "noise")


def noise_domains(loss: str) -> dict[str, Domain]:
    """Return the domains of what is said of noise and query; ``loss`` is the exact one's name."""
    group = quantity_named("pufferfish.group_scale").parameters
    exact = quantity_named(loss).parameters
    scales = quantity_named("pufferfish.quilt_epsilon").parameters["scales"]
    return {
        "scale": exact["scale"],
        "scales": scales,
        "lipschitz": group["lipschitz"],
        "values": exact["values"],
        "noise": NOISE_LAW,
    }


def require_one_of(table: Mapping[str, Any], first: str, second: str, where: str) -> None:
    """Raise InputError unless exactly one of two keys is given."""
    if (first in table) == (second in table):
        raise InputError(f"{where}: [release] needs exactly one of {first} and {second}")


def require_one_query(table: Mapping[str, Any], where: str) -> None:
    """Raise InputError unless what is said of the query fits together."""
    require_one_of(table, "scale", "scales", where)
    word = table.get("query", _ANY_QUERY)
    if word != _ANY_QUERY:
        raise InputError(
            f'{where}: query = {shown(word)}; it is "{_ANY_QUERY}", for a claim about every query '
            "that changes by at most lipschitz; a particular one is given by values"
        )
    if "values" in table and "query" in table:
        raise InputError(f"{where}: values are one query and query = any is every one; give one")
    if "values" in table and "scales" in table:
        raise InputError(f"{where}: values are the query of one release; give scale, not scales")


def with_lipschitz(
    exact: dict[str, Value], spreads: Sequence[Fraction], where: str
) -> dict[str, Value]:
    """Return the release with its Lipschitz constant; ``spreads`` are those of a known query.

    One node's change moves an additive query by the spread of the node's values at most, and by
    as much where both states are possible. Unknown queries have the constant 1 if none is given.
    """
    known = max(spreads, default=Fraction(0))
    given = exact.get("lipschitz")
    if not spreads:
        return {**exact, "lipschitz": given if given is not None else Fraction(1)}
    if known == 0:
        raise DomainError(f"{where}: values are the same for all states: the query is a constant")
    if isinstance(given, Fraction) and given < known:
        raise DomainError(
            f"{where}: lipschitz = {shown(given)}, but values change by up to {shown(known)}"
        )
    return {**exact, "lipschitz": known}


def spread(row: Sequence[Fraction]) -> Fraction:
    """Return the largest difference of two entries."""
    return max(row) - min(row)


def with_matrices(value: object, where: str) -> object:
    """Return chains in which a table of counted transitions has become the matrix of its shares."""
    if not isinstance(value, list | tuple):
        return value
    return [_with_matrix(chain, f"{where}, chain {at}") for at, chain in enumerate(value, 1)]


def _with_matrix(chain: object, where: str) -> object:
    if not isinstance(chain, dict):
        return chain
    reading.require_keys(chain, ("initial", "P", "transitions"), where)
    if "transitions" not in chain:
        if "P" not in chain:
            raise InputError(f"{where} lacks P, the matrix; or give transitions, which are counts")
        return chain
    if "P" in chain:
        raise InputError(f"{where}: give P or transitions, which are counts, not both")
    rows = chain["transitions"]
    if not isinstance(rows, list) or not rows:
        raise InputError(f"{where}, transitions: {shown(rows)} is not a list of rows of counts")
    others = {key: value for key, value in chain.items() if key != "transitions"}
    shares = [_shares(row, f"{where}, transitions, row {at}") for at, row in enumerate(rows, 1)]
    return {**others, "P": shares}


def _shares(row: object, where: str) -> list[Fraction]:
    counts = exact_whole_numbers(row, where, MAX_STATES)
    if min(counts) < 0:
        raise InputError(f"{where} holds {shown(min(counts))}; a count is at least 0")
    if not any(counts):
        raise InputError(f"{where} is all 0: leave out a state that nothing follows, or give P")
    return [Fraction(count, sum(counts)) for count in counts]


def require_values_for_chains(exact: Mapping[str, Any], states: int, where: str) -> None:
    """Raise DomainError unless each node has a row of values, with an entry for each state."""
    values = exact["values"]
    if len(values) not in (1, exact["length"]):
        raise DomainError(
            f"{where}: values has {len(values)} rows; it needs one, or length = "
            f"{shown(exact['length'])}"
        )
    if len(values[0]) != states:
        raise DomainError(
            f"{where}: values has {len(values[0])} entries a row, but there are {states} states"
        )


def require_values_for_networks(exact: Mapping[str, Any], where: str) -> None:
    """Raise DomainError unless each node has a row of values, with an entry for each state."""
    values = exact["values"]
    for at, network in enumerate(exact["networks"], 1):
        if len(values) not in (1, len(network)):
            raise DomainError(
                f"{where}: values has {len(values)} rows; it needs one, or {len(network)} for the "
                f"nodes of network {at}"
            )
        most = max(len(node.table[0]) for node in network)
        if len(values[0]) < most:
            raise DomainError(
                f"{where}: values has {len(values[0])} entries a row, but a node of network {at} "
                f"has {most} states"
            )


def spreads_in_networks(networks: Sequence[Network], values: Matrix) -> Iterator[Fraction]:
    """Yield the spread of each node's values; entries beyond its states have no use."""
    for network in networks:
        for at, node in enumerate(network):
            row = values[0] if len(values) == 1 else values[at]
            yield spread(row[: len(node.table[0])])


def independent(chains: Sequence[ChainLaw]) -> bool:
    """Whether all nodes of each chain are independent: every row of its matrix is the same."""
    return all(row == chain.P[0] for chain in chains for row in chain.P)


def read_parts(
    table: Mapping[str, Any], domains: Mapping[str, Domain], mechanism: str, where: str
) -> dict[str, Value]:
    """Return what is given, exact and in its domain, and the word for every query."""
    exact = law_of_noise(reading.parameters(table, domains, mechanism, where))
    return {**exact, "query": _ANY_QUERY} if "query" in table else exact


ANSWER = "answer"
HISTOGRAM, _RELATIVE = "histogram", "relative histogram"
QUERY_KEYS = ("query", "weights")
# How far weights move is looked for among all pairs of states: some seconds at most.
MAX_DIFFERENCES = 5_000_000
# An exact answer is at most this, whatever the data are; with noise it is still read again.
_LARGEST_CENTRE = 10**1_000
_WAYS = f'query = "{HISTOGRAM}", query = "{_RELATIVE}" or weights = [[..], ..]'


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
    noise = noise_of(claim)
    if noise.alone is None:
        raise InputError(
            f"{where}: scales are of {len(noise.scales)} releases, and one is drawn at a time; "
            "give each its own claim with one scale, and record them together with --ledger"
        )
    return noise.alone


def query_of(claim: Claim, settings: PublicSettings, nodes: Nodes) -> Query:
    """Return the query that a claim's values or its file's [data] give. Raises InputError."""
    values = noise_of(claim).values
    given = [key for key in QUERY_KEYS if key in settings.data]
    if values is not None:
        if given:
            raise InputError(f"{settings.where}: values in [release] are the query; leave "
                             f"{' and '.join(given)} out of [data]")  # fmt: skip
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
    if any(abs(entry) * nodes > _LARGEST_CENTRE for entry in entries):
        raise DomainError(f"{where}: values or weights are so large that an answer could have more "
                          "than 1000 digits")  # fmt: skip


def _within_lipschitz(query: Query, claim: Claim, where: str) -> Query:
    """Return the query. Raises DomainError if one node can change it by more than was claimed."""
    claimed = NoiseParameters.of(claim).lipschitz
    if query.change > claimed:
        raise DomainError(
            f"{where}: the query changes by up to {shown(query.change)} in the 1-norm when "
            f"one node changes, but lipschitz = {shown(claimed)} (song2017 Algorithm 2)"
        )
    return query


def _counting(settings: PublicSettings, nodes: Nodes) -> Query:
    word = settings.data["query"]
    if not isinstance(word, str):
        raise InputError(f"{settings.where} [data]: query is {shown(word)}; it needs {_WAYS}")
    if word not in (HISTOGRAM, _RELATIVE):
        raise UnknownNameError("query", word, (HISTOGRAM, _RELATIVE), f"({settings.where} [data])")
    if nodes.names is None:
        raise InputError(f'{settings.where} [data]: query = "{word}" counts states that all nodes '
                         "share: give states as one list, or weights")  # fmt: skip
    unit = Fraction(1, nodes.number if word == _RELATIVE else 1)
    change = histogram_change(nodes.states, unit)
    return Query(nodes.names, _indicators(nodes.states, unit), change)


def histogram_change(states: int, unit: Fraction) -> Fraction:
    """Return by how much a node changes counts of so many states: one falls, another rises."""
    return 2 * unit if states > 1 else Fraction(0)


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
    if len(rows) > most_numbers(len(columns)):
        raise DomainError(f"{where}: weights of {len(rows)} rows and {len(columns)} states take "
                          f"more than {MAX_DIFFERENCES} differences to be compared")  # fmt: skip
    pairs = combinations(columns, 2)
    found = max((_distance(one, other) for one, other in pairs), default=mpq(0))
    return Fraction(int(found.numerator), int(found.denominator))


def most_numbers(states: int) -> int:
    """Return of how many numbers the weights are compared, and read."""
    pairs = states * (states - 1) // 2
    return min(MAX_ROWS, MAX_DIFFERENCES // max(pairs, 1))


def _distance(one: Iterable[mpq], other: Iterable[mpq]) -> mpq:
    return sum((abs(a - b) for a, b in zip(one, other, strict=True)), mpq(0))


def plan_of(query: Query, states: States, claim: Claim, where: str) -> NoisePlan:
    """Return what is drawn: the query's exact answers, and the claim's noise on each."""
    scale, noise = scale_of(claim, where), DRAWN[noise_of(claim).law]
    return NoisePlan(query.names, query.centres(states), scale, query.scalar, noise)
