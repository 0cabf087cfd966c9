"""Quilts of chains that are known within bounds: what one step forgets, by Birkhoff's theorem.

A matrix without zeros brings rows and columns nearer to each other in Hilbert's metric by a factor
tau = tanh(log(cross)/4), where ``cross`` is its largest cross-ratio. So the influence of a node on
one so many steps away falls at least as tau^(steps - 1), and two numbers of a class of matrices
bound all of them, for every start, also where the matrix changes from step to step
(proofs_notes/contraction.md).
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, permutations, product
from math import isqrt
from typing import Annotated, NamedTuple

from flint import arb

from ...arb.balls import ball, middle
from ...domain import AT_LEAST_ZERO, Condition, Interval, Positive, count_from
from ...quantity import Side, Truth, quantity
from ...relations import Complete, NoisePromise, OfTwoStates
from ...structures import Matrix
from ...vocabulary import Meaning
from .approx import QuiltSide, Release

NOTE = "proofs_notes/contraction.md"
_RATIO = Interval(at_least=Fraction(1), search=("1", "50"), beyond=("1", "1e9"))
_LENGTH = Annotated[int, count_from(1, 1_000, 1_000_000)]
# A square root is taken of so many binary digits more.
_ROOT_BITS = 40


class Contraction(NamedTuple):
    """By which factor one step contracts, tau = (cross - 1)/(sqrt(cross) + 1)^2 < 1."""

    cross: Fraction

    @property
    def _rate(self) -> arb:
        """Enclose -log tau."""
        return -(-2 / (ball(self.cross).sqrt() + 1)).log1p()

    def influence(self, lag: int) -> arb:
        """Enclose tau^(lag - 1)."""
        return (-(lag - 1) * self._rate).exp()

    def lag_with(self, influence: arb) -> int:
        """Return about the lag at which tau^(lag - 1) is so much; it proves nothing."""
        lag = 1 - influence.log() / self._rate
        return int(middle(lag)) if lag.is_finite() else 1

    def best_lag(self, weight: arb) -> int:
        """Return about the lag with the least lag + weight tau^(lag - 1)."""
        return self.lag_with(1 / (weight * self._rate))


def tightened(low: Matrix, high: Matrix) -> tuple[Matrix, Matrix]:
    """Return bounds on a stochastic matrix as tight as its rows' sums allow, entry by entry."""
    rows = tuple(zip(low, high, strict=True))
    least = tuple(
        tuple(max(one, 1 - sum(most) + other) for one, other in zip(few, most, strict=True))
        for few, most in rows
    )
    largest = tuple(
        tuple(min(other, 1 - sum(few) + one) for one, other in zip(few, most, strict=True))
        for few, most in rows
    )
    return least, largest


def within_bounds(low: Matrix, high: Matrix) -> tuple[Fraction, Fraction] | None:
    """Return the ratio and cross-ratio that no matrix between these bounds exceeds.

    None where an entry may be 0: then there is no bound.
    """
    least, largest = tightened(low, high)
    if not all(entry > 0 for row in least for entry in row):
        return None
    quotients = {
        (x, other): [top / bottom for top, bottom in zip(largest[x], least[other], strict=True)]
        for x, other in permutations(range(len(low)), 2)
    }
    ratio = max(max(row) for row in quotients.values())
    pairs = combinations(range(len(low)), 2)
    return ratio, max(_at_two_places(quotients[x, y], quotients[y, x]) for x, y in pairs)


def _at_two_places(one: list[Fraction], other: list[Fraction]) -> Fraction:
    """Return the largest product of two numbers of one list each, at different places."""
    first, second = (sorted(enumerate(row), key=lambda item: -item[1])[:2] for row in (one, other))
    return max(a * b for (x, a), (y, b) in product(first, second) if x != y)


def _released(p: Complete) -> OfTwoStates:
    """Return some releases of the class: of two states with all entries from 1 - s to s.

    Their ratios are at most s/(1 - s), their cross-ratios its square.
    """
    root = Fraction(isqrt(int(p["cross"] * 4**_ROOT_BITS)), 2**_ROOT_BITS)
    ratio = max(min(p["ratio"], root), Fraction(1))
    stay = ratio / (1 + ratio)
    return OfTwoStates(1 - stay, stay, p["length"], p["scale"])


@quantity(
    "pufferfish.quilt_scale_contraction",
    safe=Side.UPPER,
    truth=Truth.PRINTED,
    source=NOTE,
    formula=r"\sigma = \max_t \; \min_Q \frac{\mathrm{card}(X_N)}{\varepsilon - \tau^{l - 1} \log c"
    r" - \tau^{r - 1} \log \varrho}, \quad \tau = \frac{\sqrt{c} - 1}{\sqrt{c} + 1}",
    within=AT_LEAST_ZERO,
    conditions=(
        Condition("ratio <= cross", lambda ratio, cross: ratio <= cross, f"{NOTE}#ratio-and-cross"),
    ),
    rises="ratio cross length",
    falls="epsilon",
    noise=NoisePromise("scale", _released),
)
def quilt_scale_contraction(
    ratio: Annotated[
        Fraction,
        _RATIO,
        Meaning("largest ratio of two entries of a column of any matrix", "4", r"\varrho"),
    ],
    cross: Annotated[
        Fraction,
        _RATIO,
        Meaning("largest cross-ratio of four entries of any matrix", "9", "c"),
    ],
    length: _LENGTH,
    epsilon: Positive,
) -> arb | Fraction:
    """Laplace scale that is enough for all chains whose matrices have no larger ratios.

    Per unit of the query's Lipschitz constant, for every initial law, also where each step has a
    matrix of its own. ``ratio`` bounds P(x, z)/P(x', z), ``cross`` P(x, z) P(x', z')/(P(x, z')
    P(x', z)). ``length``/``epsilon`` is never exceeded.
    """
    if cross == 1:
        return 1 / epsilon  # all nodes are independent
    before, after = (QuiltSide(ball(number - 1).log1p()) for number in (cross, ratio))
    return Release(Contraction(cross), length, epsilon, before, after).scale()
