"""Deltas of Pufferfish releases by brute force: all paths and data sets, in doubles or mpmath.

Nothing here is shared with the engines, and nothing is proved: a delta is good to about 10^-14.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise, product
from typing import Any

import gmpy2
import mpmath
import numpy as np
from gmpy2 import mpq

Law = dict[Fraction, Fraction]
# Data sets, as tuples of states, with their probabilities.
Joint = Mapping[tuple[int, ...], Fraction]
_DIGITS = 30
# A normal density is looked at on a grid of so many points, so many deviations beyond the last.
_GRID, _BEYOND = 20_001, 9.0


def paths(initial: Sequence[Fraction], P: Any, length: int) -> Joint:
    """Return all sequences of a chain."""
    found = {}
    for path in product(range(len(P)), repeat=length):
        share = Fraction(initial[path[0]])
        for one, other in pairwise(path):
            share *= Fraction(P[one][other])
        found[path] = share
    return found


def data_sets(network: Sequence[Mapping[str, Any]]) -> Joint:
    """Return all data sets of a network; the last parent's states run fastest."""
    found = {}
    for states in product(*(range(len(node["table"][0])) for node in network)):
        share = Fraction(1)
        for node, state in zip(network, states, strict=True):
            row = 0
            for parent in node["parents"]:
                row = row * len(network[parent - 1]["table"][0]) + states[parent - 1]
            share *= Fraction(node["table"][row][state])
        found[states] = share
    return found


def pairs_of_states(joint: Joint, values: Sequence[Sequence[int]]) -> Iterator[tuple[Law, Law]]:
    """Yield the laws of the sum of values given two states of one node, both possible."""
    for node in range(len(next(iter(joint)))):
        given: dict[int, Law] = {}
        for states, share in joint.items():
            if share:
                rows = zip(states, values * len(states) if len(values) == 1 else values,
                           strict=True)  # fmt: skip
                answer = sum((Fraction(row[state]) for state, row in rows), Fraction(0))
                law = given.setdefault(states[node], {})
                law[answer] = law.get(answer, Fraction(0)) + share
        yield from combinations(map(_normed, given.values()), 2)


def law_of(values: Sequence[int], law: Sequence[Fraction], secret: Sequence[int]) -> Law | None:
    """Return the law of an instantiation's answer given a secret; None where that is impossible."""
    found: Law = {}
    for at in secret:
        answer = Fraction(values[at - 1])
        found[answer] = found.get(answer, Fraction(0)) + Fraction(law[at - 1])
    return _normed(found) if any(found.values()) else None


def _normed(law: Law) -> Law:
    total = sum(law.values(), Fraction(0))
    return {point: share / total for point, share in law.items() if share}


def largest_delta(
    pairs: Iterable[tuple[Law, Law]], noise: str, scale: Fraction, epsilon: Fraction
) -> Fraction:
    """Return about the largest delta of these pairs, in both orders."""
    delta = {"laplace": _laplace, "gaussian": _gaussian}[noise]
    with mpmath.workdps(_DIGITS):
        found = [
            delta(one, other, scale, mpmath.exp(_real(epsilon)))
            for first, second in pairs
            for one, other in ((first, second), (second, first))
        ]
        return max((Fraction(str(value)) for value in found), default=Fraction(0))


def _real(number: Fraction) -> Any:
    return mpmath.mpf(number.numerator) / number.denominator


def _weights(one: Law, other: Law, factor: Any) -> list[tuple[Any, Any]]:
    """Return the points in order, and the signed weights of one law less the other times t."""
    points = sorted({*one, *other})
    zero = Fraction(0)
    return [
        (_real(at), _real(one.get(at, zero)) - factor * _real(other.get(at, zero))) for at in points
    ]


def _laplace(one: Law, other: Law, scale: Fraction, factor: Any) -> Any:
    """Integrate the positive part between points, on either side of where it vanishes."""
    b, atoms = _real(scale), _weights(one, other, factor)

    total, points = mpmath.mpf(0), [z for z, _ in atoms]
    tails = (
        sum(w * mpmath.exp(-abs(z - end) / b) for z, w in atoms) / 2
        for end in (points[0], points[-1])
    )
    total += sum(max(tail, mpmath.mpf(0)) for tail in tails)
    for low, high in pairwise(points):
        left = sum(w * mpmath.exp((z - low) / b) for z, w in atoms if z <= low)
        right = sum(w * mpmath.exp((high - z) / b) for z, w in atoms if z >= high)
        cuts = [low, high]
        if left * right < 0:
            # left e^(-(x - low)/b) + right e^((x - high)/b) = 0
            root = (low + high + b * mpmath.log(-left / right)) / 2
            if low < root < high:
                cuts.insert(1, root)
        total += sum(
            max(_part(left, right, low, high, b, *cell), mpmath.mpf(0)) for cell in pairwise(cuts)
        )
    return total


def _part(left: Any, right: Any, low: Any, high: Any, b: Any, start: Any, end: Any) -> Any:
    falls = left * (mpmath.exp((low - start) / b) - mpmath.exp((low - end) / b))
    rises = right * (mpmath.exp((end - high) / b) - mpmath.exp((start - high) / b))
    return (falls + rises) / 2


def _gaussian(one: Law, other: Law, scale: Fraction, factor: Any) -> Any:
    """Integrate the positive part between the roots that a fine grid shows."""
    sigma, atoms = _real(scale), _weights(one, other, factor)
    places, weights, deviation = (
        np.array([float(z) for z, _ in atoms]), np.array([float(w) for _, w in atoms]), float(scale)
    )  # fmt: skip
    grid = np.linspace(places[0] - _BEYOND * deviation, places[-1] + _BEYOND * deviation, _GRID)
    heights = np.exp(-(((grid[:, None] - places) / deviation) ** 2) / 2) @ weights

    positive = heights > 0  # a root may lie on the grid

    def height(w: Any) -> Any:
        return sum(a * mpmath.exp(-(((w - z) / sigma) ** 2) / 2) for z, a in atoms)

    def up_to(w: Any) -> Any:
        return sum(a * mpmath.erfc((z - w) / (sigma * mpmath.sqrt(2))) / 2 for z, a in atoms)

    roots = [
        _root(height, grid[at], grid[at + 1])
        for at in np.flatnonzero(positive[:-1] != positive[1:])
    ]
    sums = [mpmath.mpf(0), *map(up_to, roots), sum(a for _, a in atoms)]
    return sum(max(high - low, mpmath.mpf(0)) for low, high in pairwise(sums))


def _root(height: Callable[[Any], Any], low: float, high: float) -> Any:
    start, end = mpmath.mpf(low), mpmath.mpf(high)
    rises = height(end) > 0
    for _ in range(50):
        middle = (start + end) / 2
        if (height(middle) > 0) == rises:
            end = middle
        else:
            start = middle
    return (start + end) / 2


# Of Renyi divergences: bits, nodes of a piece (3 * 2^(degree - 1)), and where normal laws end.
_BITS, _DEGREE, _OUT = 120, 4, 13


def largest_renyi(
    pairs: Iterable[tuple[Law, Law]], noise: str, scale: Fraction, order: Fraction
) -> Fraction:
    """Return about the largest Renyi divergence of these pairs, in both orders.

    The definition, by Gauss's rule of 24 nodes on pieces so short that it has 20 digits and more.
    """
    with gmpy2.context(precision=_BITS):
        found = [each for pair in pairs for each in _both_orders(*pair, noise, scale, order)]
        best = max(found, default=gmpy2.mpfr(0))
        return Fraction(*(int(part) for part in best.as_integer_ratio()))


def _both_orders(one: Law, other: Law, noise: str, scale: Fraction, order: Fraction) -> list[Any]:
    laws = [
        [(gmpy2.mpfr(mpq(at / scale)), gmpy2.mpfr(mpq(mass))) for at, mass in sorted(law.items())]
        for law in (one, other)
    ]
    power = gmpy2.mpfr(mpq(order))

    def means(w: Any) -> tuple[Any, Any]:
        """Return the integrand in both orders."""
        logs = [gmpy2.log(sum(mass * _kernel(noise, w - at) for at, mass in law)) for law in laws]
        p, r = logs
        return gmpy2.exp(power * p + (1 - power) * r), gmpy2.exp(power * r + (1 - power) * p)

    points = sorted({at for law in laws for at, _ in law})
    extent = points[-1] - points[0]
    totals = [gmpy2.mpfr(0), gmpy2.mpfr(0)]
    if noise == "laplace":
        ends, cuts = [means(points[0]), means(points[-1])], points
        totals = [sum(both) for both in zip(*ends, strict=True)]
        longest = 1 / max(gmpy2.mpfr(1), power / 4)
    else:
        # The ends' means may be far from all atoms, towards order times the extent.
        reach = _OUT + power * extent
        cuts = [points[0] - reach, points[-1] + reach]
        longest = 2 / max(gmpy2.mpfr(2), extent)
    for low, high in pairwise(cuts):
        count = int(gmpy2.ceil((high - low) / longest))
        half = (high - low) / (2 * count)
        for piece in range(count):
            middle = low + (2 * piece + 1) * half
            for node, weight in _gauss():
                values = means(middle + half * node)
                totals = [
                    total + half * weight * value
                    for total, value in zip(totals, values, strict=True)
                ]
    return [gmpy2.log(total) / (power - 1) for total in totals]


def _kernel(noise: str, away: Any) -> Any:
    if noise == "laplace":
        return gmpy2.exp(-abs(away)) / 2
    return gmpy2.exp(-(away * away) / 2) / gmpy2.sqrt(2 * gmpy2.const_pi())


@cache
def _gauss() -> list[tuple[Any, Any]]:
    nodes = mpmath.calculus.quadrature.GaussLegendre(mpmath.mp).calc_nodes(_DEGREE, _BITS)
    exact = mpmath.libmp.to_rational
    return [(gmpy2.mpfr(mpq(*exact(x._mpf_))), gmpy2.mpfr(mpq(*exact(w._mpf_)))) for x, w in nodes]
