"""Bounds that hold with a probability, from what is public: the private matrix, k_i and n_i.

With probability 1 - beta at least, all rows have |P~_i - P_i|_1 <= r_i,
r_i^2 = 2 log(n (2^n_i - 2)/beta)/(k_i + 1) for n states, whatever P is. Both certificates follow
from that, so they hold together.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated

from flint import arb

from ...arb.balls import ball
from ...domain import (
    AT_LEAST_ZERO,
    STOCHASTIC,
    Condition,
    Entries,
    Interval,
    OpenProbability,
)
from ...quantity import Side, quantity
from ...structures import Matrix
from ..stationary import has_one_stationary_law, not_unique
from ..structure import closed_classes
from .chain import closed_part, closed_states
from .rows import largest

NOTE = "proofs_notes/markov-certificate.md"
# As many states as a matrix may have: nothing larger is a number of feasible transitions.
_SIZE = Interval("integer", at_least=Fraction(2), at_most=Fraction(1000), search=("3", "8"))
_POSITIVE = Interval(above=Fraction(0))
OF_Q = Annotated[tuple[Fraction, ...], Entries(_POSITIVE, longest_searched=3, as_long_as="Q")]
SIZES_OF_Q = Annotated[tuple[int, ...], Entries(_SIZE, longest_searched=3, as_long_as="Q")]
OF_ROWS = Annotated[tuple[Fraction, ...], Entries(_POSITIVE, longest_searched=3, fewest=2)]
SIZES = Annotated[tuple[int, ...], Entries(_SIZE, longest_searched=3, fewest=2, as_long_as="k")]


def _has_room(Q: Matrix, sizes: Sequence[int]) -> bool:
    return _crowded(Q, sizes) is None


def _crowded(Q: Matrix, sizes: Sequence[int]) -> tuple[int, int, int] | None:
    """Return the first row with more positive entries than its size, how many, and its size."""
    counted = (
        (sum(1 for entry in row if entry), size) for row, size in zip(Q, sizes, strict=False)
    )
    return next(
        ((at, held, size) for at, (held, size) in enumerate(counted, 1) if held > size), None
    )


def _why_crowded(Q: Matrix, sizes: Sequence[int]) -> str:
    at, held, size = _crowded(Q, sizes) or (0, 0, 0)
    return f"row {at} of Q has {held} positive entries, and n_{at} = {size}"


@quantity(
    "markov.certificate_stationary",
    safe=Side.UPPER,
    source=NOTE,
    within=AT_LEAST_ZERO,
    conditions=(
        Condition(
            "Q with one closed class of states",
            lambda Q: has_one_stationary_law(Q),  # noqa: PLW0108 - its parameter is named Q
            NOTE,
            lambda Q: not_unique(closed_classes(Q)),
        ),
        Condition(
            "as many entries of k and of sizes as Q has rows",
            lambda Q, k, sizes: len(Q) == len(k) == len(sizes),
            NOTE,
            lambda Q, k, sizes: f"Q has {len(Q)} rows, k {len(k)} entries, sizes {len(sizes)}",
        ),
        Condition("no row of Q with more positive entries than n_i", _has_room, NOTE, _why_crowded),
    ),
)
def certificate_stationary(
    Q: STOCHASTIC, k: OF_Q, sizes: SIZES_OF_Q, beta: OpenProbability
) -> arb | Fraction:
    """Bound on the distance of the stationary laws that holds with probability 1 - beta at least.

    Half the largest r_i times kappa of the private matrix Q, on its closed class. ``sizes`` are the
    n_i, the numbers of feasible transitions; for a row with one, or where not all is known, any
    larger number serves.
    """
    closed = closed_states(Q)
    if len(closed) == 1:
        return Fraction(0)
    radii = [_radius(k[state], sizes[state], len(Q), beta) for state in closed]
    return closed_part(Q, k).condition * largest(*radii) / 2


@quantity(
    "markov.certificate_ergodicity",
    safe=Side.UPPER,
    source=NOTE,
    within=AT_LEAST_ZERO,
    conditions=(
        Condition(
            "as many sizes as entries of k",
            lambda k, sizes: len(k) == len(sizes),
            NOTE,
            lambda k, sizes: f"k has {len(k)} entries, sizes {len(sizes)}",
        ),
    ),
)
def certificate_ergodicity(k: OF_ROWS, sizes: SIZES, beta: OpenProbability) -> arb:
    """Bound on the change of the ergodicity coefficient, with probability 1 - beta at least.

    Half the sum of the r_i, for the coefficient in the maximum norm; ``sizes`` are the n_i.
    """
    radii = (_radius(one, size, len(k), beta) for one, size in zip(k, sizes, strict=True))
    return sum(radii, arb(0)) / 2


def _radius(k: Fraction, size: int, states: int, beta: Fraction) -> arb:
    """Enclose r_i: row i is further than this from P_i with probability beta/n at most."""
    return (2 * ball(states * (2**size - 2) / beta).log() / ball(k + 1)).sqrt()
