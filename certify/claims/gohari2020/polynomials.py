"""Exact integrals of polynomials over parts of the simplex, and identities of polynomials."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from math import factorial, prod

from flint import Ordering, fmpq, fmpq_mpoly, fmpq_mpoly_ctx

_CONTEXT = fmpq_mpoly_ctx.get(("x", "y", "z"), Ordering.lex)


def vanishes(polynomial: Callable[..., Fraction], degrees: Sequence[int]) -> bool:
    """Whether a polynomial of at most these degrees is 0: it is, if it is on a large enough grid.

    A polynomial of degree d in one variable that is 0 at d + 1 points is 0; so for each in turn.
    """
    points = (range(1, degree + 2) for degree in degrees)
    return all(polynomial(*map(Fraction, point)) == 0 for point in product(*points))


def good_mass(parameters: Sequence[int], low: Fraction, floors: int) -> Fraction:
    """Return P(t_i >= low for the first ``floors`` coordinates) of Dirichlet(parameters).

    Whole parameters, three or four; the density is integrated from the last free coordinate on.
    """
    *powers, rest = parameters
    gens = _CONTEXT.gens()[: len(powers)]
    found = _total(gens) ** (rest - 1)
    for coordinate, power in zip(gens, powers, strict=True):
        found *= coordinate ** (power - 1)
    for at in reversed(range(len(powers))):
        # What is left for this coordinate: 1 less those before it, and no floor comes after it.
        start = low if at < floors else Fraction(0)
        tops = _total(gens[:at]) - _constant(low * max(0, floors - at - 1))
        found = _between(found, at, _constant(start), tops)
    return _value(found) / beta(parameters)


def beta(parameters: Sequence[int]) -> Fraction:
    """Return the multivariate Beta function of whole parameters."""
    return Fraction(prod(factorial(a - 1) for a in parameters), factorial(sum(parameters) - 1))


def _total(coordinates: Sequence[fmpq_mpoly]) -> fmpq_mpoly:
    """Return 1 less the coordinates."""
    return _constant(Fraction(1)) - sum(coordinates, _constant(Fraction(0)))


def _constant(value: Fraction) -> fmpq_mpoly:
    return _CONTEXT.constant(fmpq(value.numerator, value.denominator))


def _between(polynomial: fmpq_mpoly, at: int, start: fmpq_mpoly, end: fmpq_mpoly) -> fmpq_mpoly:
    """Integrate over one variable, from ``start`` to ``end``."""
    whole = polynomial.integral(at)
    upper, lower = ([*_CONTEXT.gens()] for _ in range(2))
    upper[at], lower[at] = end, start
    return whole.compose(*upper, ctx=_CONTEXT) - whole.compose(*lower, ctx=_CONTEXT)


def _value(polynomial: fmpq_mpoly) -> Fraction:
    """Return a constant polynomial's value. Raises ValueError for any other."""
    if not polynomial.is_constant():
        raise ValueError(f"{polynomial} is not constant")
    value = polynomial(0, 0, 0)
    return Fraction(int(value.p), int(value.q))
