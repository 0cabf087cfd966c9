"""What releases lose together at most: sums of what is claimed, and what is exactly true.

Everything is rounded up. A sum may be above what is lost, and is never below
(proofs_notes/ledger.md).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from ....reference.domain import Value
from ....reference.dyadic import rational_decimal
from ....reference.errors import DomainError
from ....reference.evaluation import evaluate
from ....reference.precision import Budget
from ...mechanisms.questions import Term
from .pairs import BETA, Pairs, rows_of_pairs
from .stated import Stated

# All that is worked out of one ledger; where it is not enough, what is claimed is added up alone.
SECONDS: Final = 20.0
# What a person reads; the last of them is rounded up.
DIGITS: Final = 12
# A sum is exact up to so many bits behind the point, and else rounded up there: decimals of a
# thousand digits are still exact, and many fractions of no common denominator take no time.
_EXACT_BITS: Final = 4_096
_TOGETHER: Final = "dirichlet.composition"
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
            "epsilon": _decimal(self.epsilon, up=True),
            "delta": None if self.delta is None else _decimal(self.delta, up=True),
            "order": None if self.order is None else _decimal(self.order, up=False),
            "by": self.by,
        }


def _decimal(value: Fraction, *, up: bool) -> str:
    return rational_decimal(value, DIGITS, up)


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


def exact_total(releases: Sequence[Stated]) -> Total | None:
    """Return what the releases lose by their parameters alone, where that is known soon."""
    budget = Budget(SECONDS)
    together = _together(releases)
    if together is not None:
        epsilon = _upper(together[0].quantity, together[0].point, budget)
        return None if epsilon is None else Total(epsilon, Fraction(0), None, together[1])
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
    rows = rows_of_pairs(releases)
    if rows is None:
        return None
    sums = [_divergence(row, order, budget) for row in rows]
    known = [epsilon for epsilon in sums if epsilon is not None]
    if len(known) < len(sums):
        return None
    by = "the divergences of the laws that dominate each release, added up"
    return Total(max(known, default=Fraction(0)), None, order, by)


def _divergence(row: Pairs, order: Fraction, budget: Budget) -> Fraction | None:
    """Return at least the sum of the pairs' divergences; None where it is not known."""
    found = [
        (_upper(f"{pair.family}.renyi", {**pair.point, "order": order}, budget), pair.count)
        for pair in row
    ]
    known = [(value, count) for value, count in found if value is not None]
    return added(known) if len(known) == len(found) else None


def _by_pairs(releases: Sequence[Stated], budget: Budget) -> Total | None:
    """Return the exact epsilon of the pairs of Beta laws that dominate each, at all deltas' sum."""
    delta = _delta_of(releases)
    rows = rows_of_pairs(releases)
    if rows is None or not 0 < delta < 1:
        return None
    if any(pair.family != BETA for row in rows for pair in row):
        return None
    found = [
        _upper(f"{_TOGETHER}.epsilon", {"releases": _table(row), "delta": delta}, budget)
        for row in rows
    ]
    known = [epsilon for epsilon in found if epsilon is not None]
    if len(known) < len(found):
        return None
    by = "the exact composition of the pairs of laws that dominate each release"
    return Total(max(known, default=Fraction(0)), delta, None, by)


def _table(row: Pairs) -> tuple[tuple[Fraction, Fraction, int], ...]:
    return tuple((pair.alpha, pair.step, pair.count) for pair in row)


def _upper(quantity: str, point: Mapping[str, Value], budget: Budget) -> Fraction | None:
    """Return the upper end of what is proved of a quantity; None where that is infinite."""
    try:
        upper = evaluate(quantity, point, digits=DIGITS, budget=budget).upper
    except DomainError:
        return None
    return upper if isinstance(upper, Fraction) else None
