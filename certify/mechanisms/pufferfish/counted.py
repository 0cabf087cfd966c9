"""Bounds on a chain's transition probabilities from counts of transitions, with stated confidence.

How often a state was left is no fixed number: it depends on where the chain went. So each bound
holds at every length of the count at once, by Ville's inequality for the mean over all
probabilities of what the counts are likely under (proofs_notes/counted-chains.md).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache

from flint import arb

from ....reference.arb.balls import ball, working_precision
from ....reference.structures import Matrix

# Bounds are multiples of 10^-9, each on its safe side.
_GRID = 10**9
_BITS = 128


def bounds_of(transitions: Sequence[Sequence[int]], confidence: Fraction) -> tuple[Matrix, Matrix]:
    """Return a lower and an upper bound on each probability, which all hold with this confidence.

    Entry j of row i counts the moves from state i to state j; each row has some. Of two states the
    bounds on one entry of a row are those on the other, so they count once.
    """
    states = len(transitions)
    bounds = states * (1 if states == 2 else states)  # noqa: PLR2004
    doubt = (1 - confidence) / bounds
    low = tuple(tuple(least(count, sum(row), doubt) for count in row) for row in transitions)
    high = tuple(
        tuple(1 - least(sum(row) - count, sum(row), doubt) for count in row) for row in transitions
    )
    return low, high


@lru_cache(maxsize=20_000)
def least(count: int, total: int, doubt: Fraction) -> Fraction:
    """Return a probability below which the truth is not, but with this chance at most.

    The largest multiple of 10^-9 up to count/total that is proved to be excluded: at p the counts
    are less likely, (total + 1) C(total, count) p^count (1 - p)^(total - count) < doubt; 0 if none.
    """
    low, high = 0, count * _GRID // total
    with working_precision(_BITS):
        known = _log_of_likelihood(count, total, doubt)
        while low < high:
            middle = (low + high + 1) // 2
            if known(Fraction(middle, _GRID)) < 0:
                low = middle
            else:
                high = middle - 1
    return Fraction(low, _GRID)


def _log_of_likelihood(count: int, total: int, doubt: Fraction) -> Callable[[Fraction], arb]:
    """Return the log of (total + 1) C(total, count) p^count (1 - p)^(total - count)/doubt at p."""
    rest = total - count
    ways = arb(total + 2).lgamma() - arb(count + 1).lgamma() - arb(rest + 1).lgamma()
    constant = ways - ball(doubt).log()

    def at(p: Fraction) -> arb:
        found = constant + count * ball(p).log()
        return found + rest * ball(1 - p).log() if rest else found

    return at
