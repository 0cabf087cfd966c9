"""What the notes on the Beta bounds and gamma state in formulas, tried at exact points."""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from ....reference.arb.balls import ball, enclosure_of, working_precision
from ....reference.arb.gamma import log_beta, log_beta_change
from ....reference.enclosure import Enclosure
from ....reference.second.directed import Span
from ..forms import BITS, draws, fractions, span
from ..values import Worked
from .forms import exchanged

_TRIALS = 30
_HALF_STEP = Fraction("0.05")  # b/2 of Figure 1


def offset(number: int, eta: str, eta_bar: str, k: str) -> Worked:
    """Return by how much Lemma 5 raises epsilon in a case of Figure 1."""
    low, bar, scale = fractions(eta, eta_bar, k)
    first, second, moved = scale * low, scale * (1 - bar - low), scale * _HALF_STEP
    upper = _upper(first, second)

    def by_balls() -> Enclosure:
        with working_precision(BITS):
            change = log_beta_change(first, second, moved)
            return enclosure_of(ball(upper).log() + ball(first + second - 2) - change)

    def by_spans() -> Enclosure:
        bounds: Span = span(upper).log() + span(first + second - 2)
        return (bounds - exchanged(first, second, moved)).enclosure()

    return Worked(
        f"offset of case {number}: eta {eta}, eta_bar {eta_bar}, k {k}", by_balls, by_spans
    )


def _upper(a: Fraction, c: Fraction) -> Fraction:
    return (a + c - 1) / ((2 * a - 1) * (2 * c - 1))


def beta_bounds_hold() -> bool:
    """Whether both bounds are strict at drawn a, c above 1/2, and equal B at a = c = 1."""
    for random in draws(1, _TRIALS):
        a, c = (Fraction(1, 2) + Fraction(random.randint(1, 300), 40) for _ in range(2))
        beta = log_beta(a, c)
        if a != 1 != c and not (
            bool(ball(2 - a - c) < beta) and bool(beta < ball(_upper(a, c)).log())
        ):
            return False
    return _upper(Fraction(1), Fraction(1)) == 1


def jensen_on_unit() -> bool:
    """Whether (integral of f)^2 <= integral of f^2 over [0, 1], f = u + v x with exact u, v."""
    for random in draws(2, _TRIALS):
        u, v = (Fraction(random.randint(-9, 9)) for _ in range(2))
        if (u + v / 2) ** 2 > u * u + u * v + v * v / 3:
            return False
    return True


def simplified_bound_holds() -> bool:
    """Whether no height up to b/2 passes the simplified epsilon."""
    for random in draws(3, _TRIALS):
        eta, bar = (Fraction(random.randint(1, 40), 100) for _ in range(2))
        far = 1 - bar - eta
        k = (1 + Fraction(1, random.randint(1, 50))) / (2 * min(eta, far))
        t, gamma = far * Fraction(random.randint(1, 9), 10), Fraction(random.randint(1, 99), 200)
        ratio = ball((1 - gamma) / gamma).log()
        a, c = k * eta, k * far
        simplified = ball(_upper(a, c)).log() + ball(a + c - 2) + ball(k * t) * ratio
        for share in range(1, 9):
            moved = k * t * Fraction(share, 8)
            if not bool(log_beta_change(a, c, moved) + ball(moved) * ratio < simplified):
                return False
    return True


def offset_is_free() -> bool:
    """Whether simplified less printed epsilon is the offset, at several gammas and |W|."""
    from ....reference.dirichlet.identity import epsilon_bound, epsilon_simplified

    eta, bar, b, k = fractions("0.2", "0.2", "0.1", "5.1")
    known = offset(2, "0.2", "0.2", "5.1").enclosed().first
    middle = ball(Fraction(known.lower)).union(ball(Fraction(known.upper)))
    for w, gamma in ((3, Fraction(1, 100)), (3, Fraction(3, 10)), (4, Fraction(1, 50))):
        given = (k, eta, bar, b, w, gamma)
        if not arb(epsilon_simplified(*given) - epsilon_bound(*given)).overlaps(middle):
            return False
    return True


def ratios_fall() -> bool:
    """Whether R = (1 - (w-1) gamma)/gamma falls, to 1 at gamma = 1/w."""
    for w in range(1, 5):
        gammas = [Fraction(x, 20 * w) for x in range(1, 21)]
        ratios = [(1 - (w - 1) * gamma) / gamma for gamma in gammas]
        if ratios != sorted(ratios, reverse=True) or ratios[-1] != 1:
            return False
    return True
