"""Releases whose losses lie on lattices, perhaps beside Laplace ones: delta without a tail.

Their moments do not fall along a line. Where all lie on one lattice, one period of a line tells
delta, at any count; else atom by atom, the kinds convolved but for one (proofs_notes/mixtures.md).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache, reduce
from itertools import product

from flint import arb, arb_poly, ctx

from ..arb.balls import ball, enclosure_of, sharpened
from ..pairs import Composed, falling_root, period_for, saddle_about, wanted_nats
from ..precision import check_budget
from . import laplace
from .lattices import Lattice, Response, needed_bits
from .pairs import Choice, Laplace

# So many atoms of one kind, and so many of all together, are quicker than a rule.
_FEW_ATOMS, _FEW_TOGETHER = 10_000, 50_000
# More take longer than anybody waits: of one kind, of all others, of others beside Laplace noise.
_MOST_ATOMS, _MOST_OTHERS, _MOST_BESIDE = 20_000, 40_000, 2_000
_BETWEEN_LOOKS = 256
# So many losses of random answers are added up in rationals.
_MOST_EXACT = 2_000
_NONE = Fraction(0)

Kinds = tuple[tuple[Lattice, int], ...]


@dataclass(frozen=True)
class Common:
    """The losses at an offset and at rational spans from it."""

    offset: Fraction
    exact_span: Fraction
    falls: bool

    def span(self) -> arb:
        """Enclose the span."""
        return ball(self.exact_span)

    def place(self, epsilon: Fraction) -> int:
        """Return where the largest loss is that does not exceed epsilon."""
        return int((epsilon - self.offset) // self.exact_span)


@dataclass(frozen=True)
class OfOne:
    """The losses of several random answers of one kind: multiples of an irrational number."""

    kind: Lattice
    offset: Fraction = Fraction(0)
    falls: bool = False

    def span(self) -> arb:
        """Enclose the span."""
        return self.kind.span()

    def place(self, epsilon: Fraction) -> int | None:
        """Return where the largest loss is that does not exceed epsilon; no other one is epsilon.

        None where that is not to be told at the working precision.
        """
        if epsilon == 0:
            return 0
        found = (ball(epsilon) / self.span()).floor().unique_fmpz()
        return None if found is None else int(found)


@dataclass(frozen=True)
class Discrete:
    """Kinds of losses on lattices, each so many times; and those with densities.

    These are Laplace releases (1/multiplier, count) and choices by utility (loss range, count).
    """

    kinds: Kinds
    laplaces: laplace.Kinds = ()
    choices: laplace.Kinds = ()

    @property
    def has_densities(self) -> bool:
        """Whether any losses are not on lattices."""
        return bool(self.laplaces or self.choices)

    @cached_property
    def pairs(self) -> Composed:
        """All pairs."""
        beside = tuple((Laplace(shift), count) for shift, count in self.laplaces)
        chosen = tuple((Choice(size), count) for size, count in self.choices)
        return Composed((*self.kinds, *beside, *chosen))

    @cached_property
    def lattice(self) -> Common | OfOne | None:
        """The one lattice that all losses lie on, where one is seen."""
        if self.has_densities:
            return None
        if len(self.kinds) == 1 and self.kinds[0][0].exact_span is None:
            return OfOne(self.kinds[0][0])
        spans = [kind.exact_span for kind, _ in self.kinds]
        if not all(spans):
            return None
        offset = sum((count * kind.offset for kind, count in self.kinds), Fraction(0))
        span = reduce(_divisor, (span for span in spans if span))
        falls = all(kind.falls and kind.exact_span == span for kind, _ in self.kinds)
        return Common(offset, span, falls)

    def largest(self) -> arb | Fraction | None:
        """Enclose the largest loss of all together; None where there is none."""
        total: arb | Fraction = laplace.largest_loss(self.laplaces, self.choices)
        for kind, count in self.kinds:
            if kind.largest is None:
                return None
            if kind.exact_span is None:
                total = count * kind.span() * kind.largest + _as_ball(total)
            else:
                own = count * (kind.offset + kind.exact_span * kind.largest)
                total = total + own if isinstance(total, Fraction) else total + ball(own)
        return total

    def exceeds_none(self, epsilon: Fraction) -> bool:
        """Whether certainly no loss is above epsilon."""
        most = self.largest()
        if most is None or isinstance(most, Fraction):
            return most is not None and most <= epsilon
        return bool(most <= ball(epsilon))


def distance_of_answers(kinds: Kinds) -> Fraction | None:
    """Return the total variation distance of random answers, delta at 0, exactly.

    None where there are others, or too many losses for rationals. A loss is above 0 where the first
    law's chance is the larger one.
    """
    answers = [(kind, count) for kind, count in kinds if isinstance(kind, Response)]
    together = math.prod(2 * count + 1 for _, count in answers)
    if len(answers) < len(kinds) or together > _MOST_EXACT:
        return None
    laws: list[tuple[Fraction, Fraction]] = [(Fraction(1), Fraction(1))]
    for kind, count in answers:
        # The chances of each loss from -count to count times the kind's span.
        rows = [Fraction(1)]
        parts = (kind.low, 1 - kind.high - kind.low, kind.high)
        for _ in range(count):
            rows = [
                sum((p * rows[d - k] for k, p in enumerate(parts) if 0 <= d - k < len(rows)), _NONE)
                for d in range(len(rows) + 2)
            ]
        laws = [
            (first * one, second * other)
            for first, second in laws
            for one, other in zip(rows, reversed(rows), strict=True)
        ]
    return sum((max(first - second, _NONE) for first, second in laws), _NONE)


def _as_ball(value: arb | Fraction) -> arb:
    return ball(value) if isinstance(value, Fraction) else value


def _divisor(one: Fraction, other: Fraction) -> Fraction:
    """Return the largest number of which both are multiples."""
    bottom = math.lcm(one.denominator, other.denominator)
    tops = (each.numerator * (bottom // each.denominator) for each in (one, other))
    return Fraction(math.gcd(*tops), bottom)


def delta(found: Discrete, epsilon: Fraction) -> tuple[arb | Fraction, str] | None:
    """Enclose delta, and say by which way; None where each is too long."""
    if found.exceeds_none(epsilon):
        return Fraction(0), "no loss is so large"
    if len(found.kinds) == found.pairs.count == 1:
        return found.kinds[0][0].delta(epsilon), "closed form"
    about = saddle_about(found.pairs, float(epsilon)).log_delta
    about = about if math.isfinite(about) else 0.0
    most, others = _atoms(found, about)
    if found.has_densities:
        short = laplace.in_closed_form(found.laplaces, found.choices)
        within = short and most * others <= _MOST_BESIDE
    else:
        value = None if _are_few(most, others) else _by_period(found, epsilon)
        if value is not None:
            return value, "trapezoid rule on one period"
        within = most <= _MOST_ATOMS and others <= _MOST_OTHERS
    return (_by_atoms(found, epsilon, about), "atom by atom") if within else None


def _atoms(found: Discrete, log_delta: float) -> tuple[int, int]:
    """Return about how many atoms the largest kind has, and all others together."""
    bits = needed_bits(log_delta)
    sizes = sorted(count * kind.atoms(bits) for kind, count in found.kinds)
    return sizes[-1], math.prod(sizes[:-1])


def _are_few(most: int, others: int) -> bool:
    return most <= _FEW_ATOMS and most * others <= _FEW_TOGETHER


def epsilon_by_period(found: Discrete, delta: Fraction, about: float) -> arb | None:
    """Enclose the least epsilon of a delta by one rule, planned near it; None where that is long.

    Also None where so few atoms make each delta quicker.
    """
    if found.lattice is None or _are_few(*_atoms(found, float(ball(delta).log()))):
        return None
    root = arb("nan")
    for _ in range(2):  # the second is planned where the first has found it
        rule = period_for(found.pairs, found.lattice, about, wanted_nats())
        if rule is None:
            return None
        root = falling_root(rule.delta, delta, about)
        if not root.is_finite() or root.is_zero():
            return None
        about = float(root.mid())
    return root


def _by_period(found: Discrete, epsilon: Fraction) -> arb | None:
    """Enclose delta where all losses are on one lattice; None where the rule is too long."""
    if found.lattice is None:
        return None
    rule = period_for(found.pairs, found.lattice, float(epsilon), wanted_nats())
    value = rule.delta(epsilon) if rule else None
    return value if value is not None and value.is_finite() else None


@dataclass(frozen=True)
class _Sum:
    """The losses of so many equal releases: first + d span with chances, and what is left out."""

    first: arb
    span: arb
    chances: list[arb]
    left: arb

    @classmethod
    def of(cls, kind: Lattice, count: int, bits: int) -> _Sum:
        """Convolve the losses of one kind."""
        place, chances, left = kind.chances(bits)
        whole = arb_poly(chances) ** count
        span = kind.span()
        first = count * (ball(kind.offset) + span * place)
        return cls(first, span, [*whole], count * left)


# The same serves all points about a root.
@lru_cache(maxsize=16)
def _sum_of(kind: Lattice, count: int, bits: int, _precision: int) -> _Sum:
    return _Sum.of(kind, count, bits)


def _by_atoms(found: Discrete, epsilon: Fraction, about: float) -> arb:
    """Enclose delta as the mean of the innermost kind's over all losses of the others."""

    def formula() -> arb:
        bits = needed_bits(about)
        sums = [_sum_of(kind, count, bits, ctx.prec) for kind, count in found.kinds]
        left = sum((each.left for each in sums), arb(0))
        if found.has_densities:
            inner, outer = _profile_of_densities(found.laplaces, found.choices), sums
        else:
            sums.sort(key=lambda each: len(each.chances))
            inner, outer = _profile_of_atoms(sums[-1]), sums[:-1]
        total = arb(0)
        for weight, loss in _losses(outer):
            total += weight * inner(ball(epsilon) - loss)
        return total + arb(0).union(left)

    return sharpened(formula)


def _losses(sums: list[_Sum]) -> Iterator[tuple[arb, arb]]:
    """Yield the chance and the size of each loss together."""
    every = [
        [(chance, each.first + d * each.span) for d, chance in enumerate(each.chances)]
        for each in sums
    ]
    for at, chosen in enumerate(product(*every)):
        if at % _BETWEEN_LOOKS == 0:
            check_budget()
        weight, loss = arb(1), arb(0)
        for chance, own in chosen:
            weight, loss = weight * chance, loss + own
        yield weight, loss


def _profile_of_atoms(losses: _Sum) -> Callable[[arb], arb]:
    """Return delta at any threshold, A - e^threshold B, by sums over the larger losses.

    A loss that may be the threshold is taken in: its part is between e^-width - 1 and nothing.
    """
    above, weighted = [arb(0)], [arb(0)]
    for d in range(len(losses.chances) - 1, -1, -1):
        own = losses.chances[d]
        above.append(above[-1] + own)
        weighted.append(weighted[-1] + own * (-(losses.first + d * losses.span)).exp())
    count = len(losses.chances)

    def profile(threshold: arb) -> arb:
        at = (threshold - losses.first) / losses.span
        low, high = (end.floor().unique_fmpz() for end in (at.lower(), at.upper()))
        if low is None or high is None or high > low + 1:
            return arb("nan")
        first = min(max(int(low) + 1, 0), count)
        found = above[count - first] - threshold.exp() * weighted[count - first]
        if high > low:
            width = (threshold - losses.first - (int(low) + 1) * losses.span).abs_upper()
            return found + arb(0).union(width.expm1())
        return found

    return profile


def _profile_of_densities(laplaces: laplace.Kinds, choices: laplace.Kinds) -> Callable[[arb], arb]:
    """Return delta of these at any threshold: it falls, so both ends are enough."""

    def at(threshold: Fraction) -> arb:
        if threshold >= 0:
            return _as_ball(laplace.delta(laplaces, threshold, choices))
        grown = ball(threshold)
        return -grown.expm1() + grown.exp() * _as_ball(laplace.delta(laplaces, -threshold, choices))

    def profile(threshold: arb) -> arb:
        ends = enclosure_of(threshold)
        low, high = (at(Fraction(end)) for end in (ends.lower, ends.upper))
        return low.union(high)

    return profile
