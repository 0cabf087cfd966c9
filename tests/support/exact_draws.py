"""Draws of the exact samplers, as the places, digits and cells that are counted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

import numpy as np
from counted_draws import Counted, of_cells, of_digits, of_few_digits, of_law, of_sign
from counted_laws import GammaLaw, NormalLaw, cells_of_noise, cells_of_three, cells_of_two
from counted_shares import of_dirichlet, statistics
from flint import arb
from numpy.typing import NDArray
from places import SHARE, Balls, decided, words_of
from simplexcert.certify.samplers.distributions import BetaLaw, ExponentialLaw, LaplaceLaw
from simplexcert.reference import sampling
from simplexcert.reference.arb.balls import ball, working_precision

DRAWS = 100_000
# Digits of a uniform number that are looked at; asked for in two steps, so that the end of what a
# source was asked for first lies among them.
DIGITS, _FIRST_DIGITS = 96, 40
# Digits in which a double, or a product of some, would have only zeros, and on which grid.
FEW, FEW_GRID = 24, 88
# Published noise: where, how wide, how fine, and how far out its multiples are told apart.
CENTRE, SCALE, GRID, MOST = Fraction(1, 3), Fraction(3, 2), 1, 24
SHARES_GRID = 3
# Shares whose published values have rational chances.
SLOPE = (Fraction(1), Fraction(1), Fraction(2))
# Where a concentration that is off is found most surely: all but the far ends are tiny.
SMALL = (Fraction(1, 1000), Fraction(1, 100), Fraction(1, 100))


def gamma_tests(shape: Fraction, source: sampling.Bits, count: int = DRAWS) -> list[Counted]:
    """Return the tests of gamma draws."""
    drawn = (sampling.gamma(shape, source) for _ in range(count))
    places = [decided(_alone(one), list)[0] for one in drawn]
    return [*of_law("gamma", np.array(places), GammaLaw(shape))]


def beta_tests(
    a: Fraction, b: Fraction, source: sampling.Bits, count: int = DRAWS
) -> list[Counted]:
    """Return the tests of beta draws."""
    drawn = (sampling.beta(a, b, source) for _ in range(count))
    places = [decided(_alone(one), list, SHARE)[0] for one in drawn]
    return [*of_law("beta", np.array(places), BetaLaw(a, b))]


def _alone(draw: sampling.Draw) -> Balls:
    return lambda bits: [draw.enclosure(bits)]


def dirichlet_tests(
    alpha: Sequence[Fraction], source: sampling.Bits, count: int = DRAWS
) -> list[Counted]:
    """Return the tests of Dirichlet draws."""
    drawn = (sampling.dirichlet(alpha, source) for _ in range(count))
    places = [decided(one.enclosures, statistics, SHARE) for one in drawn]
    return [*of_dirichlet(alpha, np.array(places))]


def published_tests(
    alpha: Sequence[Fraction], source: sampling.Bits, count: int = DRAWS
) -> list[Counted]:
    """Return the tests of published shares."""
    unit = 2**SHARES_GRID
    found = [
        [int(unit * one) for one in sampling.published_vector(alpha, SHARES_GRID, source)]
        for _ in range(count)
    ]
    return [*shares_tests(alpha, np.array(found))]


def shares_tests(alpha: Sequence[Fraction], found: NDArray[np.int64]) -> Iterator[Counted]:
    """Return the tests of published shares: of ``SLOPE``, or of two, whose chances are known."""
    if tuple(alpha) == SLOPE:
        return of_cells("shares", found, cells_of_three(SHARES_GRID))
    first, second = alpha
    return of_cells("shares", found[:, :1], cells_of_two(first, second, SHARES_GRID))


def noise_tests(source: sampling.Bits, count: int = DRAWS) -> Iterator[Counted]:
    """Yield the tests of published numbers."""
    found = [
        int(sampling.published_number(CENTRE, SCALE, GRID, source) * 2**GRID) for _ in range(count)
    ]
    return cells_of_published(np.array(found))


def normal_noise_tests(source: sampling.Bits, count: int = DRAWS) -> Iterator[Counted]:
    """Yield the tests of published numbers with normal noise."""
    found = [
        int(sampling.published_number(CENTRE, SCALE, GRID, source, sampling.gaussian) * 2**GRID)
        for _ in range(count)
    ]
    return _cells(np.array(found), NormalLaw(SCALE))


def cells_of_published(found: NDArray[np.int64]) -> Iterator[Counted]:
    """Yield the tests of published numbers, as multiples of the grid."""
    return _cells(found, LaplaceLaw(SCALE))


def _cells(found: NDArray[np.int64], law: LaplaceLaw | NormalLaw) -> Iterator[Counted]:
    told = np.clip(found, -MOST - 1, MOST + 1)
    return of_cells("noise", told[:, None], cells_of_noise(law, CENTRE, GRID, MOST))


def uniform_tests(source: sampling.Bits, count: int = DRAWS) -> list[Counted]:
    """Return the tests of the digits of uniform draws."""
    words = [_digits(sampling.uniform(source), lambda draw: draw) for _ in range(count)]
    return [*of_digits("uniform", words_of(words, DIGITS))]


def laplace_tests(scale: Fraction, source: sampling.Bits, count: int = DRAWS) -> Iterator[Counted]:
    """Yield the tests of Laplace draws: sizes, and the digits of the sign and e^(-size/scale)."""
    words, sizes, few = [], [], []
    for _ in range(count):
        draw = sampling.laplace(scale, source)
        word = _digits(draw, lambda one: (-abs(one) / ball(scale)).exp(), DIGITS - 1)
        negative = draw.enclosure(_FIRST_DIGITS) < 0
        words.append((int(negative) << (DIGITS - 1)) | word)
        sizes += decided(_alone(draw), lambda one: [abs(one[0])])
        few.append(_whole(draw, lambda one: abs(one) * arb((1, FEW_GRID))) % (1 << FEW))
    yield from of_law("size", np.array(sizes), ExponentialLaw(scale))
    digits = words_of(words, DIGITS)
    yield from of_digits("sign and size", digits)
    yield of_sign(digits[:, 0])
    yield of_few_digits("size", words_of(few, FEW), few_chance(scale))


def few_chance(scale: Fraction) -> Fraction:
    """Bound the chance that a size has only zeros in its digits from the 65th to the 88th.

    Its density falls, so each stretch of such has at most its part, 2^-24, of the mass of the
    stretch before it; the first has at most its length over the scale.
    """
    return Fraction(1, 2**FEW) + Fraction(1, 2**FEW_GRID) / scale


def _digits(draw: sampling.Draw, uniform: Callable[[arb], arb], length: int = DIGITS) -> int:
    """Return the first digits of a number that is uniform on [0, 1], a function of a draw."""
    draw.enclosure(_FIRST_DIGITS)
    return _whole(draw, lambda one: uniform(one) * arb((1, length)))


def _whole(draw: sampling.Draw, number: Callable[[arb], arb]) -> int:
    """Return the whole part of a number, a function of a draw."""
    bits = DIGITS + 16
    while True:
        with working_precision(bits + 16):
            found = number(draw.enclosure(bits)).floor().unique_fmpz()
        if found is not None:
            return int(found)
        bits *= 2
