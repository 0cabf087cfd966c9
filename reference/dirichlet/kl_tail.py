"""The chance that KL(p || y) exceeds eta for y of Dirichlet(beta p + alpha): bounds and exactly."""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from ..arb.balls import INFINITY, ball, middle, sharpened, sign
from ..arb.roots import positive_root
from ..domain import A_PROBABILITY, LAW, NonNegative, Positive
from ..enclosure import Trilean
from ..quantity import LeastSound, Side, Truth, quantity
from ..relations import UNKNOWN
from .kl_contour import tail
from .kl_moments import Divergence

KL_TAIL_NOTE = "proofs_notes/kl-tail.md"
_ANY_PROBABILITY = arb(0).union(arb(1))


@quantity(
    "dirichlet.utility.kl_tail_bound",
    safe=Side.UPPER,
    truth=Truth.PRINTED,
    source="ponnoprat2023 Theorem 2",
    within=A_PROBABILITY,
    rises=UNKNOWN,
    vanishes="high eta",
)
def kl_tail_bound(beta: Positive, eta: NonNegative) -> arb:
    """Bound of ponnoprat2023 Theorem 2 on P(KL(p || y) > eta): no bound for small alpha.

    exp(-beta eta^2/(2 (2+eta) (4+3 eta))). It bounds the tail if alpha >= 1/2 and
    beta (e^(eta/2) - 1) >= d alpha, and fails for smaller alpha (proofs_notes/kl-tail.md).
    """
    return ball(-beta * eta**2 / (2 * (2 + eta) * (4 + 3 * eta))).exp()


@quantity(
    "dirichlet.utility.kl_tail",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=KL_TAIL_NOTE,
    within=A_PROBABILITY,
    falls="eta",
    vanishes="high eta",
)
def kl_tail(p: LAW, beta: Positive, alpha: NonNegative, eta: NonNegative) -> arb | Fraction:
    """Chance that KL(p || y) exceeds eta, y of Dirichlet(beta p + alpha), exactly.

    With alpha = 0 a coordinate with p_i = 0 is 0 in y as well.
    """
    divergence = Divergence.of(p, beta, alpha)
    if divergence.is_zero or eta == 0:
        return Fraction(0 if divergence.is_zero else 1)
    return tail(divergence, eta)


@quantity(
    "dirichlet.utility.kl_chernoff",
    safe=Side.UPPER,
    truth=Truth.PRINTED,
    least=LeastSound("dirichlet.utility.kl_tail", lambda point: point, "the same parameters"),
    source=KL_TAIL_NOTE,
    within=A_PROBABILITY,
    falls="eta",
    vanishes="high eta",
)
def kl_chernoff(p: LAW, beta: Positive, alpha: NonNegative, eta: NonNegative) -> arb | Fraction:
    """Least value over z >= 0 of E e^(z (KL(p || y) - eta)), an upper bound on that chance.

    For every alpha and beta. 1 where eta is at most the mean of KL(p || y).
    """
    divergence = Divergence.of(p, beta, alpha)
    if divergence.is_zero or eta == 0:
        return Fraction(0 if eta else 1)
    above_mean = sign(sharpened(lambda: ball(eta) - divergence.slope_at(Fraction(0))))
    if above_mean is not Trilean.TRUE:
        return Fraction(1) if above_mean is Trilean.FALSE else _ANY_PROBABILITY
    return _least(divergence, eta)


def _least(divergence: Divergence, eta: Fraction) -> arb:
    """Enclose the minimum: by convexity the tangent at a point near it bounds it from below."""
    limit = divergence.limit

    def slope(z: Fraction) -> arb:
        if z == limit:
            return INFINITY
        return sharpened(lambda: divergence.slope_at(z) - ball(eta))

    place = positive_root(slope, limit / 2, limit)
    z = middle(place)
    if z >= limit:
        return _ANY_PROBABILITY
    drop = (slope(z) * 2 * place.rad()).abs_upper()
    logarithm = sharpened(lambda: divergence.log_moment_at(z) - ball(eta * z))
    return (logarithm - drop.union(arb(0))).exp()
