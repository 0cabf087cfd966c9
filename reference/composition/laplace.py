"""Laplace releases alone, of any multipliers: delta as a finite sum (proofs_notes/mixtures.md)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import comb, prod

from flint import arb, arb_poly, fmpz_poly

from ..arb.balls import ball, sharpened
from ..precision import check_budget

# Releases in all, and terms of the sum times them, that take a second or two.
_MOST_RELEASES, _MOST_PRODUCTS = 800, 400_000

Kinds = tuple[tuple[Fraction, int], ...]


def in_closed_form(kinds: Kinds) -> bool:
    """Whether the sum is short enough; kinds are (1/multiplier, count)."""
    releases = sum(count for _, count in kinds)
    terms = prod(count + 1 for _, count in kinds)
    return releases <= _MOST_RELEASES and releases * terms <= _MOST_PRODUCTS


def largest_loss(kinds: Kinds) -> Fraction:
    """Return the largest loss of all together."""
    return sum((shift * count for shift, count in kinds), Fraction(0))


def delta(kinds: Kinds, epsilon: Fraction) -> arb | Fraction:
    """Enclose delta at an epsilon of at least 0."""
    most = largest_loss(kinds)
    if epsilon >= most:
        return Fraction(0)
    releases = sum(count for _, count in kinds)
    terms = _terms(kinds, epsilon)
    coefficients = {turned: _coefficients(releases, turned) for turned in terms}

    def formula() -> arb:
        total = arb(0)
        for turned, found in terms.items():
            check_budget()
            series = arb_poly([arb(0)])
            for weight, excess in found:
                series += weight * _exponential(excess / 2, releases)
            total += sum(
                (series[releases - 1 - j] * ball(c) for j, c in enumerate(coefficients[turned])),
                arb(0),
            )
        return 1 + total * 2 * ball((epsilon - most) / 2).exp() / arb(2) ** releases

    return sharpened(formula)


def _terms(kinds: Kinds, epsilon: Fraction) -> dict[int, list[tuple[int, Fraction]]]:
    """Return how often and by how much the sum of all +-m exceeds epsilon, by the number of -m."""
    found: dict[int, list[tuple[int, Fraction]]] = {}
    for turned, weight, loss in _signs(kinds):
        if loss > epsilon:
            found.setdefault(turned, []).append((weight, loss - epsilon))
    return found


def _signs(kinds: Kinds) -> Iterator[tuple[int, int, Fraction]]:
    if not kinds:
        yield 0, 1, Fraction(0)
        return
    (shift, count), *others = kinds
    for turned, weight, loss in _signs(tuple(others)):
        for k in range(count + 1):
            yield turned + k, weight * comb(count, k), loss + (count - 2 * k) * shift


def _exponential(rate: Fraction, length: int) -> arb_poly:
    """Enclose the series of e^(rate v) to so many terms."""
    terms, value, by = [], arb(1), ball(rate)
    for j in range(length):
        terms.append(value)
        value = value * by / (j + 1)
    return arb_poly(terms)


def _coefficients(releases: int, turned: int) -> list[int]:
    """Return those of (v + 1)^(n - k - 1) (v - 1)^(k - 1) up to v^(n - 1), as a series."""
    one, other = fmpz_poly([1, 1]), fmpz_poly([-1, 1])
    if turned:
        return [int(c) for c in one ** (releases - turned - 1) * other ** (turned - 1)]
    # 1/(v - 1) is -(1 + v + v^2 + ...).
    found, total = [], 0
    for c in one ** (releases - 1):
        total -= int(c)
        found.append(total)
    return found
