"""Max-divergence, and how close an adversary's belief is to a law of the class (song2017 2.3)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Annotated

from flint import arb

from ..arb.balls import INFINITY, ball
from ..domain import AT_LEAST_ZERO, LAW, Condition, Law
from ..matrix_kinds import IndexSets
from ..quantity import Side, Truth, quantity
from ..relations import UNKNOWN

DEFINITION = "song2017 Definition 2.3"
THEOREM = "song2017 Theorem 2.4"
NOTE = "proofs_notes/closeness.md"
SECRETS = Annotated[tuple[tuple[int, ...], ...], IndexSets(among="p")]
SECOND_LAW = Annotated[tuple[Fraction, ...], Law(as_long_as="p")]
EQUALLY_LONG = Condition(
    "p and q of equal length", lambda p, q: len(p) == len(q), "laws over one finite space"
)
WITHIN_THE_SPACE = Condition(
    "every number in secrets at most the length of p",
    lambda p, secrets: all(max(secret) <= len(p) for secret in secrets),
    "secrets are sets of points of the space",
)


def largest_ratio(p: Sequence[Fraction], q: Sequence[Fraction]) -> Fraction | None:
    """Return the largest p_i/q_i where p_i > 0, exactly; None where it is infinite."""
    support = [(ours, theirs) for ours, theirs in zip(p, q, strict=True) if ours]
    if not all(theirs for _, theirs in support):
        return None
    return max(ours / theirs for ours, theirs in support)


def log_ratio(ratio: Fraction | None) -> arb | Fraction:
    """Enclose the logarithm of a ratio that is at least 1; of 1 it is exactly 0, None is infinite.

    Of the excess over 1, for ratios near 1.
    """
    if ratio is None:
        return INFINITY
    return ball(ratio - 1).log1p() if ratio != 1 else Fraction(0)


@quantity(
    "pufferfish.max_divergence",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=DEFINITION,
    conditions=(EQUALLY_LONG,),
    within=AT_LEAST_ZERO,
    rises=UNKNOWN,
)
def max_divergence(p: LAW, q: SECOND_LAW) -> arb | Fraction:
    """Largest log(p_i/q_i) over the points that p can give; infinite where q cannot give one."""
    return log_ratio(largest_ratio(p, q))


def conditional(law: Sequence[Fraction], secret: Iterable[int]) -> tuple[Fraction, ...] | None:
    """Return the law given that its point is one of these numbers, from 1; None if it cannot be."""
    members = {number - 1 for number in secret}
    mass = sum((law[at] for at in members), Fraction(0))
    if not mass:
        return None
    return tuple(law[at] / mass if at in members else Fraction(0) for at in range(len(law)))


@quantity(
    "pufferfish.closeness",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=NOTE,
    conditions=(EQUALLY_LONG, WITHIN_THE_SPACE),
    within=AT_LEAST_ZERO,
    rises=UNKNOWN,
)
def closeness(p: LAW, q: SECOND_LAW, secrets: SECRETS) -> arb | Fraction:
    """Largest max-divergence, either way, of two laws given a secret, for song2017 Theorem 2.4.

    Its Delta is the least over the laws q of the class. Infinite where a secret is possible under
    one law only, which the theorem leaves undefined; one impossible under both is left out.
    """
    worst = Fraction(1)
    for secret in secrets:
        ours, theirs = conditional(p, secret), conditional(q, secret)
        if ours is None and theirs is None:
            continue
        if ours is None or theirs is None:
            return INFINITY
        for ratio in (largest_ratio(ours, theirs), largest_ratio(theirs, ours)):
            if ratio is None:
                return INFINITY
            worst = max(worst, ratio)
    return log_ratio(worst)
