"""The regularised incomplete gamma functions P(a, z), Q = 1 - P at many complex points for one a.

Three expansions, each cut off with a proved bound on what is left out (tail-contour.md):

    rising   P = z^a e^-z / Gamma(a+1) * sum z^n / (a+1)_n
    entire   P = z^a / Gamma(a+1) * sum a/(a+n) * (-z)^n / n!
    falling  Q = z^(a-1) e^-z / Gamma(a) * sum (a-1)...(a-n) / z^n

The coefficients belong to a alone, so they are worked out once and evaluated as a polynomial at
each point. FLINT's own `acb_hypgeom_gamma_upper` and `acb_hypgeom_1f1` answer NaN or nothing from
a of some hundreds on, until the precision is about 2a bits.

Which expansion, and with how many terms, is chosen in `incomplete_gamma_plan.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import islice

from flint import acb, acb_poly, arb

from ..precision import check_budget
from .balls import ball
from .incomplete_gamma_plan import Kind

_TERMS_BETWEEN_LOOKS = 10_000
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
        if n % _TERMS_BETWEEN_LOOKS == 0:
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
