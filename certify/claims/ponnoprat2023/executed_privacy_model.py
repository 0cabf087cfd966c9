"""Formulas of the note on Section 2.1, executed in rationals and in balls."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product

from flint import arb

from ....reference.arb.balls import ball
from ..forms import at_precision, draws
from .forms import divergence, law, number, total

Law = tuple[Fraction, ...]


def renyi(p: Law, q: Law, order: Fraction) -> arb:
    """Enclose the Renyi divergence of two laws on the same points."""
    if order == 1:
        return divergence(p, q)
    kappa = ball(order - 1)
    pairs = zip(p, q, strict=True)
    return total([ball(a) * (ball(a) / ball(b)) ** kappa for a, b in pairs]).log() / kappa


@at_precision
def divergence_rises_with_the_order() -> bool:
    """D at orders 1, 3/2, 2, 5, 9 of drawn laws; epsilon bounds E e^((order-1) Z)."""
    for random in draws(51):
        p, q = law(random), law(random)
        found = [renyi(p, q, Fraction(order)) for order in ("1", "3/2", "2", "5", "9")]
        if any(one > other for one, other in pairwise(found)):
            return False
    return True


@at_precision
def products_add() -> bool:
    """At one order the divergences of independent pairs add up."""
    for random in draws(52):
        p, q, s, t = (law(random) for _ in range(4))
        order = random.choice((Fraction(1), 1 + number(random)))
        both = [tuple(a * b for a, b in product(x, y)) for x, y in ((p, s), (q, t))]
        if not renyi(both[0], both[1], order).overlaps(renyi(p, q, order) + renyi(s, t, order)):
            return False
    return True


_KEPT = Fraction(3, 4)


def shared_key(secret: int) -> dict[tuple[int, int], Fraction]:
    """Return the law of (K, secret xor K xor B): K an even bit, B = 0 with probability 3/4."""
    noise = {0: _KEPT, 1: 1 - _KEPT}
    return {(key, secret ^ key ^ b): noise[b] / 2 for key, b in product((0, 1), repeat=2)}


def squares_over(
    one: dict[tuple[int, int], Fraction], other: dict[tuple[int, int], Fraction]
) -> Fraction:
    """Return sum P^2/Q, which is e to the divergence of order 2."""
    return sum((mass**2 / other[at] for at, mass in one.items()), Fraction(0))


def alone(place: int, secret: int) -> Law:
    """Return the law of one of the two outputs."""
    both = shared_key(secret)
    return tuple(
        sum((m for at, m in both.items() if at[place] == bit), Fraction(0)) for bit in (0, 1)
    )
