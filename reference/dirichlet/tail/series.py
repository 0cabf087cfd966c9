"""The tail by inclusion and exclusion over the coordinates below gamma, each part a power series.

For a choice J of m protected coordinates, A the sum of their parameters and c = k - A, the chance
that all of them are below gamma is an integral over [0, 1]^m of (1 - gamma sum(y))^(c-1). It is
expanded outward, about y = 1, in terms that are positive up to the c-th; or, where that does not
get far enough, inward, in terms that are all positive if c < 1. The coefficients of all choices
follow from one another by positive operations, and the remainder is the first term that is left
out times a ball. Partial sums over m bracket the tail. Where gamma is so large that no further
coordinate would fit, the integral of the complement is expanded about gamma instead.

All of that is proved in proofs_notes/tail-series.md.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TypeAlias

from flint import arb, arb_poly, ctx, fmpq

from ...arb.balls import ball, extra_bits
from ...arb.gamma import log_gamma
from ...precision import check_budget
from .event import Miss
from .plans import Plan, levels_in_all, plan_for

# How many coordinates of each group are chosen, and the coefficients that belong to a choice.
Choice: TypeAlias = tuple[int, ...]
Row: TypeAlias = list[arb]

# Bits before the point of a factor's logarithm, beyond those of k: it is at most k + 1 times
# logarithms of the parameters, and those stay far below 2^32.
_LOGARITHM_BITS = 32
# Terms from one look at the deadline to the next: each is quick, but there may be a million.
_TERMS_AT_ONCE = 256
_HALF = fmpq(1, 2)


def probability(miss: Miss) -> arb:
    """Enclose the probability of the event; NaN where the series would be too long."""
    plan = plan_for(miss)
    if plan is None:
        return arb("nan")
    negligible = arb(2) ** -ctx.prec
    with extra_bits(plan.extra):
        if plan.about_gamma:
            return 1 - _all_above(miss, plan.terms)
        return _alternating_sum(_Expansion(miss, plan), negligible)


def seconds_expected(miss: Miss) -> float:
    """Estimate the seconds that ``probability`` takes; a matter of speed alone."""
    plan = plan_for(miss)
    return math.inf if plan is None else plan.seconds


def _alternating_sum(expansion: _Expansion, negligible: arb) -> arb:
    """Enclose the sum over all levels between its last two partial sums."""
    miss = expansion.miss
    rows = {(0,) * len(miss.groups): expansion.first_row()}
    before = partial = arb(0)
    for level in range(1, expansion.plan.levels + 1):
        rows = {choice: expansion.row(choice, rows) for choice in _one_more(rows, miss)}
        parts = {choice: expansion.part(choice, row) for choice, row in rows.items()}
        size = sum((_ways(choice, miss) * part for choice, part in parts.items()), arb(0))
        before, partial = partial, partial + (size if level % 2 else -size)
        if level == levels_in_all(miss):
            return partial
        if level == 1 and (survival := _survival_bound(parts, miss)) < negligible:
            return 1 - survival.union(arb(0))
        if size < negligible * partial:
            break
    return before.union(partial)


def _survival_bound(parts: Mapping[Choice, arb], miss: Miss) -> arb:
    """Bound P(all >= gamma) by the product of the single coordinates' P(x_i >= gamma)."""
    bound = arb(1)
    for choice, part in parts.items():
        bound *= (1 - part).abs_upper() ** _ways(choice, miss)
    return bound


def _one_more(choices: Iterable[Choice], miss: Miss) -> set[Choice]:
    """Return every choice that adds one coordinate to one of these."""
    return {
        (*choice[:group], chosen + 1, *choice[group + 1 :])
        for choice in choices
        for group, chosen in enumerate(choice)
        if chosen < miss.groups[group][1]
    }


def _ways(choice: Choice, miss: Miss) -> int:
    return math.prod(
        math.comb(count, chosen) for (_, count), chosen in zip(miss.groups, choice, strict=True)
    )


@dataclass(frozen=True)
class _Expansion:
    """The series of every choice of coordinates of one event, at the working precision."""

    miss: Miss
    plan: Plan

    def first_row(self) -> Row:
        """Return the coefficients of the empty choice: 1, or inward those of an exponential."""
        return self._recurrence([], arb(0), 0)

    def row(self, choice: Choice, smaller: Mapping[Choice, Row]) -> Row:
        """Return the coefficients of a choice from those of the choices with one less."""
        parents = []
        # Outward the row of the empty choice is 1 and then 0, which adds nothing.
        if sum(choice) > 1 or not self.plan.outward:
            for group, (chosen, alpha) in enumerate(zip(choice, self._alphas, strict=True)):
                if chosen:
                    parent = (*choice[:group], chosen - 1, *choice[group + 1 :])
                    parents.append((chosen * alpha, smaller[parent]))
        return self._recurrence(parents, arb(self._sum(choice)), sum(choice))

    def _recurrence(self, parents: list[tuple[arb, Row]], total: arb, level: int) -> Row:
        """(total + n) s_n = push s_(n-1) + sum over the parents of weight times s_n of theirs."""
        push = self._gamma * (level if self.plan.outward else self.plan.levels - level)
        value = arb(1)
        row = [value]
        if push.is_zero() and not parents:
            return row + [arb(0)] * self.plan.terms
        # Each of these loops is what the last one says; most of the time is spent in them.
        for numbers in _in_time(range(1, self.plan.terms + 1)):
            if not parents:
                for n in numbers:
                    value = push * value / (total + n)
                    row.append(value)
            elif len(parents) == 1:
                ((weight, parent),) = parents
                for n in numbers:
                    value = (push * value + weight * parent[n]) / (total + n)
                    row.append(value)
            else:
                for n in numbers:
                    value = push * value
                    for weight, parent in parents:
                        value += weight * parent[n]
                    value /= total + n
                    row.append(value)
        return row

    def part(self, choice: Choice, row: Row) -> arb:
        """Enclose the probability that all the chosen coordinates are below gamma."""
        taken = self._sum(choice)
        rest = self.miss.quick.total - taken
        base = self._base(sum(choice))
        last = self._last(row, rest, base)
        value = row[last] * self._remainder(row, rest, base, last)
        c, slope = arb(rest), arb((1 if self.plan.outward else -1) / base)
        for numbers in _in_time(range(last, 0, -1)):
            for n in numbers:
                value = row[n - 1] + value * (slope * (c - n))
        return self._front(choice, taken, base) * value

    def _last(self, row: Row, rest: fmpq, base: fmpq) -> int:
        """Return where to stop: outward, with reach above 1, the terms grow again in the end."""
        last = self.plan.terms
        if self.plan.outward and base < _HALF:
            c, b = arb(rest), arb(base)
            while last - 1 > rest and row[last] * (last - c) > row[last - 1] * b:
                last -= 1
        return last

    def _remainder(self, row: Row, rest: fmpq, base: fmpq, last: int) -> arb:
        """Enclose what is left out from the last term on, in units of that term."""
        if not self.plan.outward:
            reach = self.plan.levels * self.miss.quick.gamma / base
            return arb(1 / (1 - reach)).union(arb(0))
        if last >= rest - 1:
            return arb(1).union(arb(0))
        ratio = arb((rest - 1 - last) / base) * row[last] / row[last - 1]
        return (1 / (1 - ratio)).union(arb(0)) if ratio < 1 else arb("nan")

    def _front(self, choice: Choice, taken: fmpq, base: fmpq) -> arb:
        rest = self.miss.quick.total - taken
        with extra_bits(self._logarithm_bits):
            logarithm = self._log_gamma_total - arb(rest).lgamma()
            logarithm += arb(rest - 1) * arb(base).log() + arb(taken) * self._log_of_gamma
            for chosen, single in zip(choice, self._log_gammas, strict=True):
                logarithm -= chosen * single
            return logarithm.exp()

    def _base(self, level: int) -> fmpq:
        """Return the number whose power the series begins with."""
        away = -level if self.plan.outward else self.plan.levels - level
        return 1 + away * self.miss.quick.gamma

    def _sum(self, choice: Choice) -> fmpq:
        pairs = zip(choice, self.miss.quick.groups, strict=True)
        return sum((chosen * alpha for chosen, (alpha, _) in pairs), fmpq(0))

    @cached_property
    def _alphas(self) -> list[arb]:
        return [ball(alpha) for alpha, _ in self.miss.groups]

    @cached_property
    def _gamma(self) -> arb:
        return ball(self.miss.gamma)

    @cached_property
    def _logarithm_bits(self) -> int:
        return math.ceil(self.miss.total).bit_length() + _LOGARITHM_BITS

    @cached_property
    def _log_gamma_total(self) -> arb:
        return log_gamma(self.miss.total)

    @cached_property
    def _log_of_gamma(self) -> arb:
        return ball(self.miss.gamma).log()

    @cached_property
    def _log_gammas(self) -> list[arb]:
        return [log_gamma(alpha + 1) for alpha, _ in self.miss.groups]


def _all_above(miss: Miss, terms: int) -> arb:
    """Enclose P(all >= gamma) by its expansion about gamma; converges iff (w + 1) gamma > 1."""
    room = 1 - miss.count * miss.gamma
    reach, mass = room / miss.gamma, miss.rest + miss.count
    product = arb_poly([1])
    for alpha, count in miss.groups:
        factor = arb_poly(_falling(alpha, reach, terms))
        for _ in range(count):
            check_budget()
            product = (product * factor).truncate(terms)
    value, c = arb(0), ball(mass)
    for numbers in _in_time(range(terms - 1, -1, -1)):
        for n in numbers:
            value = product[n] + value / (c + n)
    size = max(abs(alpha - 1) for alpha, _ in miss.groups)
    value += _majorant_remainder(size, reach, terms)
    with extra_bits(math.ceil(miss.total).bit_length() + _LOGARITHM_BITS):
        logarithm = log_gamma(miss.total) - log_gamma(mass)
        logarithm += ball(miss.total - mass) * ball(miss.gamma).log()
        logarithm += ball(mass - 1) * ball(room).log()
        for alpha, count in miss.groups:
            logarithm -= count * log_gamma(alpha)
        return logarithm.exp() * value


def _falling(alpha: Fraction, reach: Fraction, terms: int) -> Row:
    """Return (alpha - 1)(alpha - 2)...(alpha - n) reach^n for n < terms."""
    a, x, row = ball(alpha), ball(reach), [arb(1)]
    for numbers in _in_time(range(1, terms)):
        for n in numbers:
            row.append(row[-1] * (a - n) * x)
    return row


def _majorant_remainder(size: Fraction, reach: Fraction, terms: int) -> arb:
    """Enclose what follows so many terms by the same part of the series of (1 - reach)^-size."""
    ratio = reach * max(Fraction(1), (size + terms) / (terms + 1))
    if ratio >= 1:
        return arb("nan")
    bound = ball(size).rising(arb(terms)) / arb.fac_ui(terms) * ball(reach) ** terms
    return ball(1 / (1 - ratio)) * bound * arb(0, 1)


def _in_time(numbers: range) -> Iterator[range]:
    """Yield the numbers some at once, and look at the deadline before each of these."""
    for start in range(0, len(numbers), _TERMS_AT_ONCE):
        check_budget()
        yield numbers[start : start + _TERMS_AT_ONCE]
