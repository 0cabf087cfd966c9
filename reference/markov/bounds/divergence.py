"""The largest deviation by the moments of the divergence: R_i^2 <= 2 KL(P_i || private row i).

For X of Dirichlet(k p) and 0 < l < k the mean of e^(l KL(p || X)) is exactly
e^(l sum p log p) B((k-l) p)/B(k p) (proofs_notes/markov-deviations.md#divergence-moments).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

from flint import arb

from ...arb.balls import ball, extra_bits
from ...precision import check_budget
from .rows import Row, largest

# The values of l are these parts of the least k. For rows of m cells and large k the bound is like
# (log(rows) - (m-1)/2 log(1-x))/x, x = l/k, which is flat around its least value: measured at most
# 1.3 % above it for up to 63 rows and cells.
PARTS = tuple(Fraction(j, 8) for j in range(1, 8))
# The terms of a logarithm are near k log k, and what is left of them near the number of cells.
_SPARE_BITS = 32


def square_by_divergence(rows: Sequence[Row]) -> Iterator[arb]:
    """Yield (2/l) log of the sum over rows of E e^(l KL): each is at least E R*^2."""
    size = int(max(row.k for row in rows)).bit_length()
    with extra_bits(2 * size.bit_length() + size + _SPARE_BITS):
        log_moments = [log_moment_of(row) for row in rows]
        for part in PARTS:
            l = part * min(row.k for row in rows)  # noqa: E741 - the note's name
            logs = [log_moment(l) for log_moment in log_moments]
            most = largest(*logs)
            total = sum(((each - most).exp() for each in logs), arb(0))
            yield 2 * (most + total.log()) / ball(l)


def log_moment_of(row: Row) -> Callable[[Fraction], arb]:
    """Return the function that encloses log E e^(l KL) for one row, 0 < l < k."""
    shares = [(ball(share), times) for share, times in Counter(row.shares).items()]
    entropy = sum((times * p * p.log() for p, times in shares), arb(0))
    whole = ball(row.k)
    fixed = whole.lgamma() - sum((times * (whole * p).lgamma() for p, times in shares), arb(0))

    def log_moment(l: Fraction) -> arb:  # noqa: E741
        check_budget()
        rest = ball(row.k - l)
        gammas = sum((times * (rest * p).lgamma() for p, times in shares), arb(0))
        return fixed + gammas - rest.lgamma() + ball(l) * entropy

    return log_moment
