"""Section 3.2, Figure 3: guarantees against exact divergences over ranges of r."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from flint import arb

from ....reference.arb.balls import ball
from ....reference.arb.gamma import trigamma
from ....reference.dirichlet.renyi_laws import divergence
from ..forms import at_precision, draws
from .forms import number
from .inputs import COUNTS, PRINTED_PAIR

Pair = tuple[Sequence[int], Sequence[int]]
# How many times the exact divergence the guarantee may be, over the range of r below.
FACTOR = Fraction(13, 5)


def _gap(u: arb, v: arb, order: int) -> arb:
    """Enclose T(u, v), the part of one coordinate, order > 1."""
    kappa = order - 1
    far = order * u - kappa * v
    return (far.lgamma() + kappa * v.lgamma() - order * u.lgamma()) / kappa


def part(r: arb, counts: tuple[int, int], share: int, order: int) -> arb:
    """Enclose T for r f + share alpha against r f' + share alpha, alpha = 1 + 4 kappa r."""
    alpha = share * (1 + 4 * (order - 1) * r)
    return _gap(counts[0] * r + alpha, counts[1] * r + alpha, order)


def line_1(r: arb, order: int) -> arb:
    """Enclose line 1 for D2^2 = 2 and Dinf = 1."""
    return order * r**2 * trigamma(1 + 3 * (order - 1) * r)


def within_factor(pair: Pair, order: int) -> Callable[..., arb]:
    """Return FACTOR times a lower bound on D less an upper bound on line 1, over balls of r.

    All parts of D and line 1 rise in r, so the ends of the range bound each of them.
    """
    f, g = pair
    moved = [(a, b) for a, b in zip(f, g, strict=True) if a != b]

    def room(r: arb) -> arb:
        low, high = r.lower(), r.upper()
        least = sum((part(low, each, 1, order) for each in moved), arb(0))
        if sum(f) != sum(g):
            least -= part(high, (sum(f), sum(g)), len(f), order)
        return ball(FACTOR) * least - line_1(high, order)

    return room


@at_precision
def parts_rise() -> bool:
    """T for r f + alpha against r f' + alpha rises in r, f, f' >= 0 and alpha = 1 + 4 kappa r."""
    for random in draws(71):
        least = random.randint(0, 70)
        order, share = random.choice((2, 20, 200)), random.randint(1, 6)
        more_counts = least + random.choice((1, 2))
        counts = random.choice(((least, more_counts), (more_counts, least)))
        r, more = number(random), number(random)
        one, other = (part(ball(x), counts, share, order) for x in (r, r + more))
        if not 0 < one < other:
            return False
        if not line_1(ball(r), order) < line_1(ball(r + more), order):
            return False
    return True


@at_precision
def parts_make_the_divergence() -> bool:
    """Parts of the coordinates less that of the totals against the divergence."""
    for random in draws(72):
        r, order = number(random), random.choice((2, 20, 200))
        alpha = 1 + 4 * (order - 1) * r
        u, v = (tuple(r * x + alpha for x in each) for each in PRINTED_PAIR)
        known = divergence(u, v, Fraction(order))
        parts = [part(ball(r), (a, b), 1, order) for a, b in zip(*PRINTED_PAIR, strict=True)]
        whole = part(ball(r), (sum(PRINTED_PAIR[0]), sum(PRINTED_PAIR[1])), len(u), order)
        if not (sum(parts, arb(0)) - whole).overlaps(
            known if isinstance(known, arb) else ball(known)
        ):
            return False
    return True


def means_come_near_uniform() -> bool:
    """The mean is w f/N + (1-w)/d, w = r N/(r N + d alpha) < N/(N + 4 d kappa), in rationals."""
    records, d = sum(COUNTS), len(COUNTS)
    for random in draws(73):
        r, kappa = number(random), Fraction(random.choice((1, 19, 199, 10**6)))
        alpha = 1 + 4 * kappa * r
        whole = r * records + d * alpha
        w = r * records / whole
        if not w < Fraction(records) / (records + 4 * d * kappa):
            return False
        for count in COUNTS:
            mean = (r * count + alpha) / whole
            if mean != w * Fraction(count, records) + (1 - w) / d:
                return False
            if mean * (1 - mean) / (whole + 1) > 1 / (16 * d * kappa * r):
                return False
    return True
