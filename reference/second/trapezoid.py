"""The trapezoid rule on a contour's upper half, and two such rules that check each other.

A contour is met at u = 0 on the real axis, where its value counts half; the conjugate half is left
out. Its error falls exponentially with the number of nodes. Rounded to nearest; not rigorous.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple, TypeAlias, TypeVar

from gmpy2 import mpc, mpfr

from .directed import OutOfReachError
from .nearest import binary_exponent, working

NATS_PER_BIT = math.log(2)
# How much finer and more precise the second of two rules is.
FINER, BITS_MORE = 1.3, 16
_MOST_NODES = 20_000
# After so many nodes in a row that do not matter the sum ends.
_QUIET_NODES = 3
# Up to 2^200 times where it is begun the reach is sought, and then to an eighth of it.
_MOST_DOUBLINGS, _HALVINGS = 200, 3
# Attempts with ever more nodes; the first is mostly enough.
_ATTEMPTS = 6
_LEAST_GROWTH, _MOST_GROWTH, _GROWTH_TO_SPARE = 1.3, 8.0, 1.1
_BITS_SPARED = 8

# The integrand times the contour's slope at u, and a companion that is summed along.
_Values: TypeAlias = Callable[[mpfr], tuple[mpc, mpc]]
_Found = TypeVar("_Found")


class TooFewNodesError(OutOfReachError):
    """A sum cannot be what it is meant to be; with more nodes it may."""


class _Sums(NamedTuple):
    """The imaginary parts' sums, and the binary exponent of the largest value."""

    total: mpfr
    companion: mpfr
    top: int


def reach(values: _Values, start: float, bits: int) -> float:
    """Return a u from which on the values are below 2**-bits of that at 0."""
    least = binary_exponent(values(mpfr(0))[0]) - bits

    def is_small(u: float) -> bool:
        return binary_exponent(values(mpfr(u))[0]) < least

    low, high = 0.0, start
    for _ in range(_MOST_DOUBLINGS):
        if is_small(high):
            break
        low, high = high, 2 * high
    else:
        raise OutOfReachError
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if is_small(middle) else (middle, high)
    return high


def step_for(length: float, nodes: float) -> mpfr:
    """Return the step of a rule with so many nodes on a length."""
    if nodes > _MOST_NODES:
        raise OutOfReachError
    return mpfr(length / math.ceil(nodes))


def sums_until_quiet(values: _Values, step: mpfr, bits: int) -> _Sums:
    """Return the sums at 0, step, 2 step, ... as long as the values matter, in ``bits`` bits."""
    with working(bits):
        value, other = values(mpfr(0))
        total, companion = value.imag / 2, other.imag / 2
        top, quiet = binary_exponent(value), 0
        for n in range(1, _MOST_NODES):
            value, other = values(n * step)
            total, companion = total + value.imag, companion + other.imag
            size = binary_exponent(value)
            top, quiet = max(top, size), quiet + 1 if size < top - bits else 0
            if quiet == _QUIET_NODES:
                return _Sums(total, companion, top)
    raise OutOfReachError


def two_that_agree(
    rule: Callable[[int, float], _Found], bits_shared: Callable[[_Found, _Found], int], bits: int
) -> tuple[_Found, _Found]:
    """Return what two rules find that share about ``bits`` bits.

    ``rule(which, more)`` is asked for rule 0 or 1 with ``more`` times its usual number of nodes.
    Raises OutOfReachError where they do not agree.
    """
    more = 1.0
    for _ in range(_ATTEMPTS):
        agreed = 0
        try:
            first, second = rule(0, more), rule(1, more)
        except TooFewNodesError:
            pass
        else:
            agreed = bits_shared(first, second)
            if agreed >= bits - _BITS_SPARED:
                return first, second
        growth = _GROWTH_TO_SPARE * bits / max(agreed, 1)
        more *= min(_MOST_GROWTH, max(_LEAST_GROWTH, growth))
    raise OutOfReachError
