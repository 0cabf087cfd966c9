"""Bounds that hold with a probability, from what is public: a released matrix, its grid, k and n.

P~ is drawn from the private P, row by row, and Q is its rounding by largest remainders to multiples
of 2^-grid_bits: all that is ever published. With probability 1 - beta at least, all rows that are
random have |P~_i - P_i|_1 <= r_i, r_i^2 = 2 log(m (2^n_i - 2)/beta)/(k_i + 1) for m of them,
whatever P is; what rounding adds is bounded for every draw. Both certificates follow from that, so
they hold together.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated

from flint import arb

from ...arb.balls import ball
from ...domain import (
    A_PROBABILITY,
    AT_LEAST_ZERO,
    Condition,
    Entries,
    Interval,
    OpenProbability,
    Stochastic,
)
from ...exact import shown
from ...quantity import Side, Truth, quantity
from ...relations import each
from ...sampling.draw import MOST_GRID_BITS
from ...structures import Matrix
from ...vocabulary import Meaning
from ..fundamental import condition_number
from ..structure import has_one_stationary_law
from .deviations import as_ball, largest

_NOTE = "proofs_notes/markov-certificate.md"
_ZERO, _ONE = Fraction(0), Fraction(1)
# As many states as a matrix may have: nothing larger is a number of feasible transitions.
_SIZE = Interval("integer", at_least=_ONE, at_most=Fraction(1000), search=("2", "8"))
_CONCENTRATION = Interval(above=_ZERO, search=("1", "1e9"))
_OF_Q = Annotated[tuple[Fraction, ...], Entries(_CONCENTRATION, longest_searched=3, as_long_as="Q")]
_SIZES_OF_Q = Annotated[tuple[int, ...], Entries(_SIZE, longest_searched=3, as_long_as="Q")]
_OF_ROWS = Annotated[tuple[Fraction, ...], Entries(_CONCENTRATION, longest_searched=3, fewest=2)]
_SIZES = Annotated[tuple[int, ...], Entries(_SIZE, longest_searched=3, fewest=2, as_long_as="k")]
_RELEASED = Annotated[Matrix, Stochastic(on_grid_of="grid_bits")]
_FAILURE = Annotated[OpenProbability, Meaning("probability with which the bound may fail", "0.05")]
_GRID_BITS = Annotated[
    int, Interval("integer", at_least=_ZERO, at_most=Fraction(MOST_GRID_BITS), search=("6", "64"))
]


def _is_on_grid(Q: Matrix, grid_bits: int) -> bool:
    return _off_grid(Q, grid_bits) is None


def _off_grid(Q: Matrix, grid_bits: int) -> tuple[int, int] | None:
    """Return the first entry that is no multiple of 2^-grid_bits, by row and column."""
    whole = 1 << grid_bits
    return next(
        (
            (at, place)
            for at, row in enumerate(Q, 1)
            for place, entry in enumerate(row, 1)
            if whole % entry.denominator
        ),
        None,
    )


def _why_off_grid(Q: Matrix, grid_bits: int) -> str:
    at, place = _off_grid(Q, grid_bits) or (0, 0)
    return (
        f"entry {place} of row {at} is none: Q has to be the released matrix, exactly as it was "
        "published, with the grid_bits of its release"
    )


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
    return f"row {at} of Q has {held} positive entries, and n_{at} = {shown(size)}"


@quantity(
    "markov.certificate_stationary",
    safe=Side.UPPER,
    truth=Truth.PRINTED,
    source=_NOTE,
    formula=r"\min\left\{1, \frac{\kappa(Q)}{2} \max_i (r_i + \rho_i)\right\} \ge "
    r"\mathrm{TV}(\pi_Q, \pi_P) \text{ with probability } 1 - \beta",
    within=A_PROBABILITY,
    conditions=(
        Condition(
            "entries of Q that are multiples of 2^-grid_bits", _is_on_grid, _NOTE, _why_off_grid
        ),
        Condition(
            "as many entries of k and of sizes as Q has rows",
            lambda Q, k, sizes: len(Q) == len(k) == len(sizes),
            _NOTE,
            lambda Q, k, sizes: f"Q has {len(Q)} rows, k {len(k)} entries, sizes {len(sizes)}",
        ),
        Condition(
            "no row of Q with more positive entries than n_i", _has_room, _NOTE, _why_crowded
        ),
    ),
    rises=each("sizes"),
    falls=("beta grid_bits", each("k")),
)
def certificate_stationary(
    Q: _RELEASED, k: _OF_Q, sizes: _SIZES_OF_Q, beta: _FAILURE, grid_bits: _GRID_BITS
) -> arb | Fraction:
    """Bound on the released chain's distance from a stationary law of the private one, at 1 - beta.

    With probability 1 - beta at least over the release Q of a matrix P: the total variation of Q's
    stationary law and every one of P is at most kappa of Q, on all of its states, times half the
    largest radius r_i + rounding_norm of all rows; 1 where Q has several closed classes of states,
    and never above 1. ``sizes`` are the n_i, the numbers of feasible transitions of P; where not
    all is known, any larger number serves.
    """
    if not has_one_stationary_law(Q):
        return _ONE
    deviations = _deviations(k, sizes, beta)
    if not deviations:
        return _ZERO
    moved = [
        (deviation + ball(rounding_norm(sizes[row], grid_bits))).min(arb(2))
        for row, deviation in deviations.items()
    ]
    return _at_most(_ONE, as_ball(condition_number(Q)) * largest(*moved) / 2)


@quantity(
    "markov.certificate_ergodicity",
    safe=Side.UPPER,
    truth=Truth.PRINTED,
    source=_NOTE,
    formula=r"\sum_i \min\left\{1, \frac{r_i}{2} + \rho_i\right\} \ge |\tau(Q) - \tau(P)| \text{ "
    r"with probability } 1 - \beta",
    within=AT_LEAST_ZERO,
    conditions=(
        Condition(
            "as many sizes as entries of k",
            lambda k, sizes: len(k) == len(sizes),
            _NOTE,
            lambda k, sizes: f"k has {len(k)} entries, sizes {len(sizes)}",
        ),
    ),
    rises=each("sizes"),
    falls=("beta grid_bits", each("k")),
)
def certificate_ergodicity(
    k: _OF_ROWS, sizes: _SIZES, beta: _FAILURE, grid_bits: _GRID_BITS
) -> arb | Fraction:
    """Bound on how far a release moves the ergodicity coefficient, with probability 1 - beta.

    At least that, over the release Q of a matrix P: |tau(Q) - tau(P)|, tau in the maximum norm, is
    at most the sum over rows of r_i/2 + rounding_entry, of each row at most 1; and never more than
    half the number of states, rounded down, which is the largest tau. ``sizes`` are the n_i.
    """
    deviations = _deviations(k, sizes, beta)
    if not deviations:
        return _ZERO
    moved = [
        (deviation / 2 + ball(rounding_entry(sizes[row], grid_bits))).min(arb(1))
        for row, deviation in deviations.items()
    ]
    return _at_most(Fraction(len(k) // 2), sum(moved, arb(0)))


def rounding_norm(size: int, grid_bits: int) -> Fraction:
    """Return the least upper bound on the 1-norm of what largest remainders change in a row.

    2 m (n - m)/n steps of the grid, m the lesser of n/2, rounded down, and 2^grid_bits: with m of n
    coordinates rounded up the mean of their fractions is at least m/n, that of all.
    """
    up = min(size // 2, 1 << grid_bits)
    return Fraction(2 * up * (size - up), size << grid_bits)


def rounding_entry(size: int, grid_bits: int) -> Fraction:
    """Return the least upper bound on what largest remainders change in an entry: 1 - 1/n steps."""
    return Fraction(size - 1, size << grid_bits)


def _deviations(k: Sequence[Fraction], sizes: Sequence[int], beta: Fraction) -> dict[int, arb]:
    """Enclose r_i for each row that is random.

    Row i is further than that from P_i with probability beta/m at most, for m such rows. A row of
    one feasible transition is released as it is.
    """
    random = [row for row, size in enumerate(sizes) if size > 1]
    return {
        row: (2 * ball(len(random) * (2 ** sizes[row] - 2) / beta).log() / ball(k[row] + 1)).sqrt()
        for row in random
    }


def _at_most(most: Fraction, bound: arb) -> arb | Fraction:
    limit = ball(most)
    return most if bound >= limit else bound.min(limit)
