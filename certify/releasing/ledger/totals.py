"""Bound what releases lose together: sums of their claims, and what is exactly true.

Releases are added up where they have neighbours, or secrets, in common. Everything is rounded up:
a sum may be above what is lost, and is never below (proofs_notes/ledger.md).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final, TypeAlias

import msgspec

from ....reference.domain import Exact, Value
from ....reference.dyadic import rational_decimal
from ....reference.errors import DomainError, InputError
from ....reference.evaluation import answer_at
from ....reference.precision import Budget, ProcessorBudget, seconds_left
from ....reference.quantity import quantities
from ....reference.structures import EVENTS, Event
from ...certificate.claim import claim_of
from ...certificate.errors import CertificateError
from ...mechanisms.neighbours import (
    ADD_REMOVE,
    NAMES,
    REPLACE,
    Adjacency,
    Unlike,
    why_none_in_common,
)
from ...mechanisms.protocol import Claim
from ...mechanisms.questions import Term
from .contents import Entry


@dataclass(frozen=True)
class Stated:
    """A release that was made so many times; ``number`` is its first entry's, from 1."""

    number: int
    times: int
    entry: Entry
    claim: Claim


def stated(entries: Sequence[Entry]) -> list[Stated]:
    """Return the different releases. Raises InputError where an entry states no claim."""
    found: dict[bytes, list[int]] = {}
    for at, entry in enumerate(entries):
        same = msgspec.json.encode((entry.claim, entry.data, entry.private), order="sorted")
        found.setdefault(same, []).append(at)
    return [
        Stated(at[0] + 1, len(at), entries[at[0]], _claim(entries[at[0]], at[0] + 1))
        for at in found.values()
    ]


def _claim(entry: Entry, number: int) -> Claim:
    try:
        return claim_of(entry.claim)
    except CertificateError as error:
        raise InputError(f"entry {number} of the ledger states no claim: {error}") from None


# Of a single release, whatever its claim says they are; and of none.
OF_ITS_CLAIM: Final = Adjacency("", {})


def in_common(entries: Sequence[Entry]) -> tuple[list[Stated], Adjacency] | Unlike:
    """Return the different releases and the neighbours of them all, or why there is no total.

    Raises InputError where an entry states no claim.
    """
    if not entries:
        return Unlike("there are no releases")
    seeded = [at for at, entry in enumerate(entries, 1) if not entry.private]
    if seeded:
        return Unlike(
            f"entry {seeded[0]} was drawn from a seed: it is not private, and nothing bounds what "
            "it gives away"
        )
    releases = stated(entries)
    for release in releases:
        vacuity = release.claim.mechanism.vacuity(release.claim)
        if vacuity is not None:
            why = f"the claim of entry {release.number} speaks of no two inputs"
            return Unlike(f"{why}: {vacuity.sentence}")
    common = _common(releases)
    return common if isinstance(common, Unlike) else (releases, common)


def _common(releases: Sequence[Stated]) -> Adjacency | Unlike:
    """Return the neighbours of all the releases, or why there are none that all have.

    A single release has those of its own claim, whatever they are.
    """
    if len(releases) == 1 and releases[0].times == 1:
        return _of_its_claim(releases[0].claim)
    agreed: dict[str, Any] = {}
    found: list[Adjacency] = []
    for release in releases:
        claim = release.claim
        one = claim.mechanism.adjacency(claim, release.entry.data)
        if isinstance(one, Unlike):
            return one
        one = replace(one, laws=claim.mechanism.class_of(claim))
        found.append(one)
        why = _disagreement(one, found[0], agreed)
        if why:
            return Unlike(f"entry {release.number} {why}")
        agreed.update(one.fixed)
    why = why_none_in_common(found) or _vacuous_together([one.claim for one in releases])
    return Unlike(why) if why else found[0]


def _vacuous_together(claims: Sequence[Claim]) -> str:
    """Return why no two inputs of all these claims are neighbours; nothing where some are.

    Of several mechanisms nothing is known.
    """
    mechanism = claims[0].mechanism
    if any(claim.mechanism is not mechanism for claim in claims):
        return ""
    vacuity = mechanism.vacuity(mechanism.narrowest(claims))
    return f"of data that every release admits {vacuity.sentence}" if vacuity else ""


def _of_its_claim(claim: Claim) -> Adjacency:
    """Return what a claim is about, in no words; its class of laws is named all the same."""
    return replace(OF_ITS_CLAIM, laws=claim.mechanism.class_of(claim))


def _disagreement(one: Adjacency, first: Adjacency, agreed: Mapping[str, Any]) -> str:
    """Return what keeps a release's neighbours from being those of the ones before."""
    if one.words != first.words:
        return f"is about {one.words}, and entry 1 about {first.words}"
    if one.missing:
        return f"does not say {', '.join(one.missing)}, which decides what its {one.noun} are"
    differing = [key for key, value in one.fixed.items() if agreed.get(key, value) != value]
    if differing:
        return f"has another {differing[0]} than those before, and so other {one.noun}"
    return ""


_BETA: Final = "dirichlet.profile"
_GAMMA: Final = "dirichlet.add_remove"
_TOGETHER: Final = "dirichlet.composition"
_OF_ANY_EVENTS: Final = "composition.epsilon"
# Of a model with more rows of different numbers nothing exact is worked out.
_MOST_ROWS: Final = 50


@dataclass(frozen=True, order=True)
class _Pair:
    """Two laws that dominate a release, which was made so many times.

    ``family`` is the family of quantities that is about such pairs, ``numbers`` are its parameters
    besides what is asked; ``neighbours`` the relation under which they dominate.
    """

    family: str
    neighbours: str
    numbers: tuple[Exact, ...]
    count: int

    @property
    def point(self) -> dict[str, Value]:
        """The parameters of the family's quantities, besides what is asked."""
        return dict(zip(self._event_type._fields[1:-1], self.numbers, strict=True))

    @property
    def event(self) -> Event:
        """The pair as an event of a composition."""
        found: Event = self._event_type._make([self._mechanism, *self.numbers, self.count])
        return found

    @property
    def _mechanism(self) -> str:
        return "dirichlet" if self.family in (_BETA, _GAMMA) else self.family

    @property
    def _event_type(self) -> Any:
        return EVENTS[self._mechanism]


_Pairs: TypeAlias = tuple[_Pair, ...]


def _rows_of_pairs(releases: Sequence[Stated]) -> list[_Pairs] | None:
    """Return the different lists of pairs, of which the worst one bounds what is lost.

    There is one list, but where rows are released by themselves one for each row: neighbours
    differ in one row. None where some release is dominated by no such pairs, or there are too
    many rows.
    """
    listed = []
    for same in zip(*(one.claim.mechanism.by_row(one.claim) for one in releases), strict=True):
        several = [_of_terms(terms, one) for terms, one in zip(same, releases, strict=True)]
        if any(pairs is None for pairs in several):
            return None
        if all(same):
            listed.append([pair for pairs in several for pair in pairs or ()])
    different = {_merged(pairs) for pairs in listed if pairs}
    return sorted(different) if len(different) <= _MOST_ROWS else None


def _of_terms(terms: Sequence[Term], release: Stated) -> list[_Pair] | None:
    """Return the pairs that dominate neighbours in one row; None if none do."""
    found: list[_Pair] = []
    for term in terms:
        pairs = _of_term(term, release)
        if pairs is None:
            return None
        found.extend(pairs)
    return found


def _of_term(term: Term, release: Stated) -> list[_Pair] | None:
    family = term.quantity.rpartition(".")[0]
    point: Mapping[str, Any] = term.point
    count = release.times * int(term.times)
    if family in (_BETA, _GAMMA):
        neighbours = REPLACE if family == _BETA else ADD_REMOVE
        return [_Pair(family, neighbours, (point["alpha"], point["step"]), count)]
    if family == _TOGETHER:
        numbers = ((alpha, step, n * count) for alpha, step, n in point["releases"])
        return [_Pair(_BETA, REPLACE, (alpha, step), n) for alpha, step, n in numbers]
    neighbours = str(release.claim.parameters.given.get("neighbours"))
    if family == _OF_ANY_EVENTS.rpartition(".")[0]:
        return [_of_event(event, count, neighbours) for event in point["events"]]
    if family in EVENTS and neighbours in NAMES:
        fields = EVENTS[family]._fields[1:-1]
        return [_Pair(family, neighbours, tuple(point[key] for key in fields), count)]
    return None


def _of_event(event: Event, times: int, neighbours: str) -> _Pair:
    family: str = event.mechanism
    if family == "dirichlet":
        family = _BETA if neighbours == REPLACE else _GAMMA
    return _Pair(family, neighbours, tuple(event[1:-1]), event.count * times)


def _merged(pairs: Iterable[_Pair]) -> _Pairs:
    """Return the pairs with equal ones counted together."""
    counts: Counter[_Pair] = Counter()
    for pair in pairs:
        counts[replace(pair, count=1)] += pair.count
    return tuple(replace(one, count=counts[one]) for one in sorted(counts))


# An exact composition costs as much as _ONE_ROW pairs, and as its pairs; this many take a few
# seconds. So it does not depend on the machine what is worked out of a ledger.
_MOST_PAIRS: Final = 210
_ONE_ROW: Final = 20
# Of the processor, whatever else it does. No ledger of so few should take so long; where one does,
# that is said, and what is claimed is added up alone.
SECONDS: Final = 20.0
# What a person reads; the last of them is rounded up.
_DIGITS: Final = 12
# A sum is exact up to so many bits behind the point, and else rounded up there: decimals of a
# thousand digits are still exact, and many fractions of no common denominator take no time.
_EXACT_BITS: Final = 4_096
_ONE: Final = "the claim of the only entry"


@dataclass(frozen=True)
class Total:
    """What all releases lose together at most: epsilon with a delta, or at an order.

    ``by`` says how it is known. It is a guarantee for releases that were fixed without regard to
    any answer, and for no others: what was spent on the way that was taken bounds nothing
    (proofs_notes/ledger.md#what-was-spent-on-the-way-is-no-total).
    """

    epsilon: Fraction
    delta: Fraction | None
    order: Fraction | None
    by: str

    def as_json(self) -> dict[str, str | None]:
        """Return the published shape: decimals that are rounded up, the order down."""
        return {
            "epsilon": decimal(self.epsilon, up=True),
            "delta": None if self.delta is None else decimal(self.delta, up=True),
            "order": None if self.order is None else decimal(self.order, up=False),
            "by": self.by,
        }


def decimal(value: Fraction, *, up: bool) -> str:
    """Return a number as people read it, rounded in this direction."""
    return rational_decimal(value, _DIGITS, up)


def added(values: Iterable[tuple[Fraction, int]]) -> Fraction:
    """Return a number that is at least the sum of the values, each taken so many times."""
    total = Fraction(0)
    for value, times in values:
        total = _upward(total + _upward(value) * times)
    return total


def _upward(value: Fraction) -> Fraction:
    if value.denominator.bit_length() <= _EXACT_BITS:
        return value
    return Fraction(math.ceil(value * 2**_EXACT_BITS), 2**_EXACT_BITS)


def of_one(release: Stated) -> Total:
    """Return what a single release promises."""
    claim = release.claim
    return Total(claim.epsilon, claim.delta, claim.order, _ONE)


def sum_of_claims(releases: Sequence[Stated]) -> Total | None:
    """Return what the claims add up to; None where they are of both kinds, or delta reaches 1.

    Claims at several orders hold at the smallest of them.
    """
    claims = [(release.claim, release.times) for release in releases]
    epsilon = added((claim.epsilon, times) for claim, times in claims)
    orders = [claim.order for claim, _ in claims if claim.order is not None]
    if len(orders) == len(claims):
        by = "the epsilons that are claimed, added up"
        return Total(epsilon, None, min(orders), by)
    delta = _delta_of(releases)
    if orders or delta >= 1:
        return None
    return Total(epsilon, delta, None, "the epsilons and deltas that are claimed, added up")


def _delta_of(releases: Sequence[Stated]) -> Fraction:
    return added((one.claim.delta, one.times) for one in releases if one.claim.delta is not None)


class LateError(Exception):
    """There was no time to work out what releases lose: on another machine there may be."""


def exact_total(releases: Sequence[Stated]) -> Total | None:
    """Return what the releases lose by their parameters alone; None where that is not known.

    Raises LateError where there was no time.
    """
    budget = ProcessorBudget(SECONDS)
    together = _together(releases)
    if together is not None:
        epsilon = _upper(together[0].quantity, together[0].point, budget)
        order: Any = together[0].point.get("order")
        delta = Fraction(0) if order is None else None
        return None if epsilon is None else Total(epsilon, delta, order, together[1])
    if all(one.claim.order is not None for one in releases):
        return _at_an_order(releases, budget)
    return _by_pairs(releases, budget)


def _together(releases: Sequence[Stated]) -> tuple[Term, str] | None:
    """Return what bounds releases by one mechanism at once, if it knows."""
    if len({one.claim.mechanism.name for one in releases}) > 1:
        return None
    claims = [(one.claim, one.times) for one in releases]
    return claims[0][0].mechanism.together(claims, added)


def _at_an_order(releases: Sequence[Stated], budget: Budget) -> Total | None:
    """Return the sum of the divergences at the smallest order that is claimed."""
    order = min(one.claim.order for one in releases if one.claim.order is not None)
    rows = _rows_of_pairs(releases)
    if rows is None:
        return None
    sums = [_divergence(row, order, budget) for row in rows]
    known = [epsilon for epsilon in sums if epsilon is not None]
    if len(known) < len(sums):
        return None
    by = "the divergences of the laws that dominate each release, added up"
    return Total(max(known, default=Fraction(0)), None, order, by)


def _divergence(row: _Pairs, order: Fraction, budget: Budget) -> Fraction | None:
    """Return at least the sum of the pairs' divergences; None where it is not known."""
    names = [f"{pair.family}.renyi" for pair in row]
    if not all(quantities(name) for name in names):
        return None
    found = [
        (_upper(name, {**pair.point, "order": order}, budget), pair.count)
        for name, pair in zip(names, row, strict=True)
    ]
    known = [(value, count) for value, count in found if value is not None]
    return added(known) if len(known) == len(found) else None


def _by_pairs(releases: Sequence[Stated], budget: Budget) -> Total | None:
    """Return the exact epsilon of the pairs of laws that dominate each, at all deltas' sum."""
    delta = _delta_of(releases)
    rows = _rows_of_pairs(releases)
    if rows is None or delta >= 1:
        return None
    if len({pair.neighbours for row in rows for pair in row}) > 1:
        return None
    if sum(_ONE_ROW + len(row) for row in rows) > _MOST_PAIRS:
        return None
    found = [_epsilon_of(row, delta, budget) for row in rows]
    known = [epsilon for epsilon in found if epsilon is not None]
    if len(known) < len(found):
        return None
    by = "the exact composition of the pairs of laws that dominate each release"
    return Total(max(known, default=Fraction(0)), delta, None, by)


def _epsilon_of(row: _Pairs, delta: Fraction, budget: Budget) -> Fraction | None:
    """Return at least the epsilon of the product of pairs; None where that is infinite."""
    if all(pair.family == _BETA for pair in row):
        return _upper(f"{_TOGETHER}.epsilon", {"releases": _table(row), "delta": delta}, budget)
    events, neighbours = tuple(pair.event for pair in row), row[0].neighbours
    point: dict[str, Value] = {"events": events, "neighbours": neighbours, "delta": delta}
    return _upper(_OF_ANY_EVENTS, point, budget)


def _table(row: _Pairs) -> tuple[tuple[Exact, ...], ...]:
    return tuple((*pair.numbers, pair.count) for pair in row)


def _upper(quantity: str, point: Mapping[str, Value], budget: Budget) -> Fraction | None:
    """Return the upper end of what is proved of a quantity; None where that is infinite.

    Raises LateError where it would be another one, had there been more time.
    """
    try:
        found = answer_at(quantity, point, digits=_DIGITS, budget=budget)
    except DomainError:
        return None
    finite = isinstance(found.upper, Fraction)
    # An upper end that is not near may have been found sooner or later.
    if not found.narrow and (finite or budget.is_over() or not seconds_left()):
        raise LateError
    return found.upper if finite else None
