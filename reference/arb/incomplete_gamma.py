"""The regularised incomplete gamma functions P(a, z), Q = 1 - P at many complex points for one a.

Three expansions, each cut off with a proved bound on what is left out (tail-contour.md):

    rising   P = z^a e^-z / Gamma(a+1) * sum z^n / (a+1)_n
    entire   P = z^a / Gamma(a+1) * sum a/(a+n) * (-z)^n / n!
    falling  Q = z^(a-1) e^-z / Gamma(a) * sum (a-1)...(a-n) / z^n

The coefficients belong to a alone, so they are worked out once and evaluated as a polynomial at
each point. FLINT's own `acb_hypgeom_gamma_upper` and `acb_hypgeom_1f1` answer NaN or nothing from
a of some hundreds on, until the precision is about 2a bits.

Which expansion is the shortest on a region, and how many terms it takes, is planned in doubles: a
matter of speed alone, since the bounds are evaluated in balls at each point, and a plan that is
too short gives a wide ball.

The difference of two rising series is summed term by term, without subtraction. With
V(a) = sum over n >= 0 of x^n/(a)_(n+1), for which P(a, x) = x^a e^-x/Gamma(a) * V(a), it is
V(a) - V(a + shift). Its terms T_n = x^n [1/(a)_(n+1) - 1/(a+shift)_(n+1)] are positive and obey

    T_n = x/(a+n) * [T_(n-1) + U_(n-1) shift/(a+shift+n)],   U_n = x U_(n-1)/(a+shift+n),

so no digit cancels however small the shift (proofs_notes/add-remove.md).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import islice
from typing import Literal

from flint import acb, acb_poly, arb, ctx

from ..precision import check_budget
from .balls import ball

Kind = Literal["rising", "entire", "falling"]
# Beyond so many coefficients (a hundred megabytes) an expansion counts as hopeless.
_MOST_TERMS = 1_000_000


@dataclass(frozen=True)
class Region:
    """Where the points lie, in doubles: |z|, Re z, and the largest |z|/|Im z| where Re z < 0."""

    least: float
    most: float
    low: float
    high: float
    tilt: float = 1.0


@dataclass(frozen=True)
class Plan:
    """An expansion, its number of terms, and how many nats cancel in its sum at worst."""

    kind: Kind
    terms: float
    loss: float

    @property
    def cost(self) -> float:
        """Return the number that plans are compared by: terms, and the precision that they need."""
        return self.terms * (1 + self.loss / 100)


def cheapest_plan(parameter: float, region: Region, nats: float) -> Plan:
    """Return the expansion with the fewest terms whose rest is below e^-nats on the region."""
    check_budget()
    # Below |z| = a the terms of the rising sum decrease, and nothing cancels.
    above = region.most - region.low if region.most > parameter else 0.0
    plans = (
        Plan("rising", _terms_rising(parameter, region.most, nats), above),
        Plan("entire", _terms_entire(region.most, nats), max(region.most + region.high, 0.0)),
        Plan("falling", _terms_falling(parameter, region, nats), 0.0),
    )
    return min(plans, key=lambda plan: plan.cost)


def _first(enough: Callable[[int], bool], start: int, end: float = _MOST_TERMS) -> float:
    """Return the least n > start with enough(n), which stays true from there on; else inf."""
    low, reach = start, 16
    while not enough(low + reach):
        low, reach = low + reach, 2 * reach
        if low + reach > end:
            return math.inf
    high = low + reach
    while high - low > 1 + high // 64:  # a few terms too many do no harm
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return float(high)


def _terms_rising(parameter: float, most: float, nats: float) -> float:
    if most > parameter + _MOST_TERMS:
        return math.inf
    log_most, base = math.log(most) if most else -math.inf, math.lgamma(parameter + 1)
    return _first(
        lambda n: n * log_most - math.lgamma(parameter + 1 + n) + base < -nats,
        max(int(most - parameter), 0),
    )


def _terms_entire(most: float, nats: float) -> float:
    if most > _MOST_TERMS:
        return math.inf
    log_most = math.log(most) if most else -math.inf
    return _first(lambda n: n * log_most - math.lgamma(n + 1) < -nats, int(most))


def _terms_falling(parameter: float, region: Region, nats: float) -> float:
    """Count terms until they are small; they fall up to the parameter and some way beyond."""
    least = region.least
    if least <= parameter or not least:
        return math.inf
    log_least, tilt = math.log(least), math.log(region.tilt)
    base = math.lgamma(parameter)

    def enough(n: int) -> bool:
        left = parameter - n
        if left >= 1:
            return base - math.lgamma(left) - n * log_least < -nats
        # |Gamma(a)/Gamma(a-n)| <= Gamma(a) Gamma(n+1-a)/pi, by reflection
        return base + math.lgamma(1 - left) - n * log_least + (1 - left) * tilt < -nats

    return _first(enough, 0, parameter + least / region.tilt + 16)


_COEFFICIENTS_BETWEEN_LOOKS = 10_000
# Each multiplication by z turns the box around a complex number and makes it larger by a factor
# of up to the square root of 2, so Horner's rule is used for so many terms only.
_BLOCK = 32


@dataclass(frozen=True)
class Expansion:
    """P(a, .) and Q(a, .) for one exact a > 0, by one expansion with a fixed number of terms.

    The coefficients have the precision at which the object was made.
    """

    parameter: Fraction
    kind: Kind
    terms: int
    blocks: list[acb_poly] = field(init=False, repr=False)
    next_coefficient: arb = field(init=False, repr=False)
    log_gamma: arb = field(init=False, repr=False)

    def __post_init__(self) -> None:
        *kept, last = islice(_coefficients(self.parameter, self.kind), self.terms + 1)
        blocks = [acb_poly(kept[n : n + _BLOCK]) for n in range(0, len(kept), _BLOCK)]
        object.__setattr__(self, "blocks", blocks)
        object.__setattr__(self, "next_coefficient", abs(last))
        shift = 0 if self.kind == "falling" else 1
        object.__setattr__(self, "log_gamma", ball(self.parameter + shift).lgamma())

    def both(self, point: acb, logarithm: acb) -> tuple[acb, acb]:
        """Enclose P(a, z) and Q(a, z); ``logarithm`` encloses the principal log z.

        Right on every box on which ``logarithm`` is: the cut is the logarithm's alone. Where the
        rest cannot be bounded the answer is not finite.
        """
        check_budget()
        a = ball(self.parameter)
        if self.kind == "falling":
            front = ((a - 1) * logarithm - point - self.log_gamma).exp()
            upper = front * self._sum(1 / point, _rest_of_falling(self, point))
            return 1 - upper, upper
        exponent = a * logarithm - self.log_gamma
        if self.kind == "rising":
            lower = (exponent - point).exp() * self._sum(point, _rest_of_rising(self, point))
        else:
            lower = exponent.exp() * self._sum(point, _rest_of_entire(self, point))
        return lower, 1 - lower

    def _sum(self, variable: acb, rest: arb) -> acb:
        either = rest.union(-rest)
        values, power = [block(variable) for block in self.blocks], variable**_BLOCK
        while len(values) > 1:
            if len(values) % 2:
                values.append(acb(0))
            values = [a + power * b for a, b in zip(values[::2], values[1::2], strict=True)]
            power *= power
        return values[0] + acb(either, either)


def _coefficients(parameter: Fraction, kind: Kind) -> Iterator[arb]:
    """Yield the coefficients of the expansion, in order."""
    a, coefficient, n = ball(parameter), arb(1), 0
    while True:
        if kind == "entire":
            yield coefficient * a / (a + n)
        else:
            yield coefficient
        if n % _COEFFICIENTS_BETWEEN_LOOKS == 0:
            check_budget()
        n += 1
        if kind == "rising":
            coefficient = coefficient / (a + n)
        elif kind == "entire":
            coefficient = -coefficient / n
        else:
            coefficient = coefficient * (a - n)


def _rest_of_rising(expansion: Expansion, point: acb) -> arb:
    """Bound what follows: the next term over one less the ratio after it, which only falls."""
    size = point.abs_upper()
    return _geometric(
        expansion.next_coefficient * size**expansion.terms,
        size / (ball(expansion.parameter) + expansion.terms + 1),
    )


def _rest_of_entire(expansion: Expansion, point: acb) -> arb:
    size = point.abs_upper()
    return _geometric(
        expansion.next_coefficient * size**expansion.terms, size / (expansion.terms + 1)
    )


def _geometric(term: arb, ratio: arb) -> arb:
    return term / (1 - ratio) if ratio < 1 else arb("inf")


def _rest_of_falling(expansion: Expansion, point: acb) -> arb:
    """Bound |(a-1)...(a-N) Gamma(a-N, z) / (z^(a-1) e^-z)|, N terms kept, b = a - N.

    |Gamma(b, z)| e^(Re z) is at most |z|^(b-1)/(1 - (b-1)/|z|) for 1 <= b < 1 + |z|, and for
    b <= 1 at most |z|^(b-1) where Re z > 0, |Im z|^(b-1) elsewhere.
    """
    size, left = point.abs_lower(), expansion.parameter - expansion.terms
    term = expansion.next_coefficient / size**expansion.terms
    if left >= 1:
        return _geometric(term, ball(left - 1) / size)
    if point.real > 0:
        return term
    height = point.imag.abs_lower()
    if not height > 0:
        return arb("inf")
    return term * (point.abs_upper() / height) ** ball(1 - left)


_TERMS_BETWEEN_LOOKS = 32
# A sum of more terms than this is not begun: some ten seconds on one machine.
_LONGEST_SUM = 10_000_000


def series_difference(parameter: Fraction, shift: Fraction, point: arb) -> arb:
    """Enclose V(parameter) - V(parameter + shift) at ``point`` = x >= 0, both above 0.

    Each T_(m+1)/T_m with m >= n is at most r = x (n+2)/((n+1)(a+n+1)), so what follows T_n is at
    most T_n r/(1 - r). Where the sum is too long the answer is a ball that says nothing.
    """
    if not _terms_of_difference(parameter, point) < _LONGEST_SUM:
        return arb("nan")
    low, high, move = ball(parameter), ball(parameter + shift), ball(shift)
    other = 1 / high
    term = result = move * other / low
    negligible, count = arb(2) ** -ctx.prec, 0
    while term.is_finite():
        check_budget()
        for _ in range(_TERMS_BETWEEN_LOOKS):
            count += 1
            factor = 1 / (high + count)
            term = (term + other * move * factor) * point / (low + count)
            other = other * point * factor
            result += term
        ratio = point * (count + 2) / ((low + count + 1) * (count + 1))
        if ratio < 1:
            rest = term * ratio / (1 - ratio)
            if rest.abs_upper() < result.abs_upper() * negligible:
                return result + rest.union(arb(0))
    return arb("nan")


def _terms_of_difference(parameter: Fraction, point: arb) -> float:
    """Estimate the number of terms: rising up to x - a, then falling like a Gaussian."""
    beyond = _LONGEST_SUM**2  # where the sum is hopeless, and a float need not hold the number
    if not point.is_finite() or parameter > beyond or point > beyond:
        return math.inf
    a, x, nats = float(parameter), float(point.mid()), ctx.prec * math.log(2)
    return max(x - a, 0.0) + math.sqrt(2 * nats * max(a, x)) + nats
