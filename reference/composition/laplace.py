"""Laplace releases and choices by utility: delta as a finite sum (proofs_notes/mixtures.md)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import accumulate
from math import comb, prod

from flint import arb, arb_poly, ctx, fmpz_poly

from ..arb.balls import ball, sharpened, working_precision
from ..precision import check_budget

# Releases in all, and terms of the sum times them, that take a second or two.
_MOST_RELEASES, _MOST_PRODUCTS = 800, 400_000
# With choices, whose moments fall along a line; and bits that cancel.
_MOST_PRODUCTS_BESIDE, _MOST_LOST = 20_000, 10_000

Kinds = tuple[tuple[Fraction, int], ...]


def in_closed_form(kinds: Kinds, choices: Kinds = ()) -> bool:
    """Whether the sum is short enough; kinds are (1/multiplier, count), choices (range, count)."""
    releases = sum(count for _, count in (*kinds, *choices))
    terms = prod(count + 1 for _, count in (*kinds, *choices))
    most = _MOST_PRODUCTS_BESIDE if choices else _MOST_PRODUCTS
    short = releases <= _MOST_RELEASES and releases * terms <= most
    return short and _lost_bits(choices) <= _MOST_LOST


def largest_loss(kinds: Kinds, choices: Kinds = ()) -> Fraction:
    """Return the largest loss of all together."""
    return sum((shift * count for shift, count in (*kinds, *choices)), Fraction(0))


def delta(kinds: Kinds, epsilon: Fraction, choices: Kinds = ()) -> arb | Fraction:
    """Enclose delta at an epsilon of at least 0."""
    if epsilon >= largest_loss(kinds, choices):
        return Fraction(0)
    releases, chosen = (sum(count for _, count in each) for each in (kinds, choices))
    terms = _terms(kinds, choices, epsilon)
    coefficients = {turned: _coefficients(releases, chosen, turned) for turned in terms}

    def formula() -> arb:
        total, length = arb(0), releases + chosen
        for turned, found in terms.items():
            check_budget()
            series = arb_poly([arb(0)])
            for weight, excess in found:
                half = ball(excess / 2)
                series += weight * _exponential(half, length)
                # The poles at 1 and at -1.
                if turned == 0:
                    total += weight * half.exp() * arb(2) ** (releases - 1)
                if turned == releases:
                    sign = 1 if chosen % 2 else -1
                    total += sign * weight * (-half).exp() * arb(2) ** (releases - 1)
            total += sum(
                (series[length - 1 - j] * ball(c) for j, c in enumerate(coefficients[turned])),
                arb(0),
            )
        front = 2 * ball((epsilon - largest_loss(kinds)) / 2).exp() / arb(2) ** releases
        for size, count in choices:
            front /= (2 * ball(size / 2).sinh()) ** count
        return total * front

    with working_precision(ctx.prec + _lost_bits(choices)):
        return sharpened(formula)


def _lost_bits(choices: Kinds) -> int:
    """Return about what small ranges cancel: the sum is of the size of the product of them."""
    sizes = [
        (size.denominator.bit_length() - size.numerator.bit_length(), n) for size, n in choices
    ]
    return sum(count * (max(bits, 0) + 2) for bits, count in sizes)


def _terms(
    kinds: Kinds, choices: Kinds, epsilon: Fraction
) -> dict[int, list[tuple[int, Fraction]]]:
    """Return how often and by how much the sum of all +-m and +-r exceeds epsilon.

    By the number of -m; each -r turns the sign.
    """
    found: dict[int, list[tuple[int, Fraction]]] = {}
    for turned, weight, loss in _signs(kinds):
        for back, ways, more in _signs(choices):
            if loss + more > epsilon:
                signed = -weight * ways if back % 2 else weight * ways
                found.setdefault(turned, []).append((signed, loss + more - epsilon))
    return found


def _signs(kinds: Kinds) -> Iterator[tuple[int, int, Fraction]]:
    if not kinds:
        yield 0, 1, Fraction(0)
        return
    (shift, count), *others = kinds
    for turned, weight, loss in _signs(tuple(others)):
        for k in range(count + 1):
            yield turned + k, weight * comb(count, k), loss + (count - 2 * k) * shift


def _exponential(rate: arb, length: int) -> arb_poly:
    """Enclose the series of e^(rate v) to so many terms."""
    terms, value = [], arb(1)
    for j in range(length):
        terms.append(value)
        value = value * rate / (j + 1)
    return arb_poly(terms)


def _coefficients(releases: int, chosen: int, turned: int) -> list[int]:
    """Return those of (v + 1)^(n - k - 1) (v - 1)^(k - 1) up to v^(n + m - 1), as a series."""
    one, other = fmpz_poly([1, 1]), fmpz_poly([-1, 1])
    plus, minus = releases - turned - 1, turned - 1
    found = [int(c) for c in one ** max(plus, 0) * other ** max(minus, 0)]
    found = [*found, *([0] * (releases + chosen - len(found)))]
    # 1/(v + 1) is 1 - v + v^2 - ..., and 1/(v - 1) is -(1 + v + v^2 + ...).
    if plus < 0:
        found = [*accumulate(found, lambda before, own: own - before)]
    return [-total for total in accumulate(found)] if minus < 0 else found
