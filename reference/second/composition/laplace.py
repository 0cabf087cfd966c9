"""Laplace releases and choices by utility alone: delta by a trapezoid rule on a circle.

Rounded to nearest, not rigorous.
delta is one integral of a finite sum of e^(vt/2) times powers around v = 0 and 1, t > 0
(proofs_notes/mixtures.md): on a circle the rule's error falls exponentially with its nodes.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import gmpy2
from gmpy2 import mpc, mpfr

from ...precision import check_budget
from ..directed import OutOfReachError
from ..nearest import binary_exponent, number, working
from ..trapezoid import two_that_agree

Kinds = list[tuple[Fraction, int]]
_GUARD_BITS, _BITS_MORE = 40, 32
_MOST_PRODUCTS, _FEW_BITS = 2_000_000, 200
_RADII = (1.0, 1.2)


def two_deltas(
    kinds: Kinds, choices: Kinds, epsilon: Fraction, crossing: float, bits: int
) -> tuple[mpfr, mpfr]:
    """Return delta by two circles about a crossing.

    Kinds are (1/multiplier, count), choices (loss range, count).
    """
    releases = sum(count for _, count in (*kinds, *choices))
    lost = [0, 0]

    def rule(which: int, more: float) -> mpfr:
        work = bits + _GUARD_BITS + _BITS_MORE * which + lost[which]
        nodes = math.ceil((releases + work) * (1 + which / 4) * more)
        with working(work):
            found, most = _rule(
                (kinds, choices), epsilon, (2 * crossing + 1) * _RADII[which], nodes
            )
            lost[which] += max(binary_exponent(most) - binary_exponent(found), 0)
        return found

    def shared(first: mpfr, second: mpfr) -> int:
        with working(max(first.precision, second.precision)):
            return binary_exponent(first) - binary_exponent(first - second)

    return two_that_agree(rule, shared, bits)


def _rule(
    both_kinds: tuple[Kinds, Kinds], epsilon: Fraction, radius: float, nodes: int
) -> tuple[mpfr, mpfr]:
    """Return the rule's sum, and its largest summand."""
    kinds, choices = both_kinds
    releases, chosen = (sum(count for _, count in each) for each in both_kinds)
    most = sum(count * shift for shift, count in kinds)
    terms: list[tuple[int, int, mpfr]] = []
    for each in product(*(range(count + 1) for _, count in (*kinds, *choices))):
        pairs = list(zip((*kinds, *choices), each, strict=True))
        turned, back = sum(each[: len(kinds)]), sum(each[len(kinds) :])
        excess = sum((n - 2 * k) * shift for (shift, n), k in pairs) - epsilon
        if excess > 0:
            weight = math.prod(math.comb(n, k) for (_, n), k in pairs)
            terms.append((turned, -weight if back % 2 else weight, number(excess / 2)))
    bits = int(gmpy2.get_context().precision)
    if not nodes * len(terms) * bits <= _MOST_PRODUCTS * _FEW_BITS:
        raise OutOfReachError
    total, largest = mpfr(0), mpfr(0)
    turn = 2 * gmpy2.const_pi() / nodes
    for j in range(nodes // 2 + 1):
        check_budget()
        angle = turn * j
        v = mpfr(radius) * mpc(gmpy2.cos(angle), gmpy2.sin(angle))
        up, down = v + 1, v - 1
        value = mpc(0)
        for turned, weight, half in terms:
            power = up ** (releases - turned - 1) * down ** (turned - 1)
            value += weight * gmpy2.exp(v * half) * power
        value *= v ** (1 - releases - chosen)
        both = 1 if j in (0, nodes / 2) else 2
        total += both * value.real
        largest = max(largest, abs(value))
    front = 2 * gmpy2.exp(number((epsilon - most) / 2)) / mpfr(2) ** releases / nodes
    for size, count in choices:
        front /= (2 * gmpy2.sinh(number(size / 2))) ** count
    return total * front, largest * front * nodes
