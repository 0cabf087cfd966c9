"""How the series route goes about an event: which expansion, how long, and with how many bits.

All of it is guessed in doubles, a matter of speed alone: a poor guess makes the ball of `series`
wide, or the work longer, and never wrong.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from flint import ctx, fmpq

from .event import Miss, Quick

# A plan is made to know the cost, and used at once if it is the cheapest way.
_PLANS_KEPT = 16
# Longer series, or more coefficients in all, are for another route or for none.
_LONGEST = 1_000_000
_MOST_COEFFICIENTS = 20_000_000
# For the rounding of some thousand operations one after another, and for these guesses.
_GUARD_BITS = 24
_SLACK_TERMS = 8
# Bits to which a single chance is guessed.
_ROUGH_BITS = 40
# Doubles out of these bounds are of no use in a guess.
_TINY, _HUGE = 1e-300, 1e300
_LARGEST_EXPONENT = 700.0
# Below this a chance and its logarithm's exponential are as good as each other.
_SMALL = 1e-9
_NATS = math.log(2)
# From here on log-Gammas of doubles are subtracted by Stirling's formula.
_LARGE = 1e5
# Measured seconds: of this planning, of one coefficient and what a further bit and a further parent
# add to it, of one choice and, by the square of the bits, of its logarithms, of each kind of
# parameter in a choice, and of a product of polynomials by the square of their length.
_PLANNING = 0.5e-3
_COEFFICIENT, _COEFFICIENT_BIT, _PARENT = 0.7e-6, 1.7e-9, 1 / 8
_CHOICE, _LOGARITHMS, _KIND = 20e-6, 3.5e-11, 1e-6
_PRODUCT, _PRODUCT_BIT = 8e-9, 8e-12
_HALF = fmpq(1, 2)
# A walk's logarithms are off by less than this for each of its terms.
_DOUBT = 2e-4
# Above three times (alpha + 1)/c a coordinate is less often than once in twenty.
_RARE = math.log(1 / 20)
# What the guess of the bracket at level one should have to spare.
_MARGIN = 1.1
# The moments of the law that is constantly 1.
_EVEN = (1.0, 1.0)

# How many coordinates are chosen of each parameter.
_Chosen: TypeAlias = list[tuple[int, fmpq]]


@dataclass(frozen=True)
class Plan:
    """The sizes of the work; ``extra`` are the bits by which it exceeds the precision outside."""

    seconds: float
    levels: int
    terms: int
    extra: int
    outward: bool = False
    about_gamma: bool = False


class _Walk(NamedTuple):
    """How many terms a series needs, and the logarithms of its parts in units of the first."""

    terms: int
    parts: list[float]


# A sum whose first term is within a factor 2 of it, and below which load that is so.
_FIRST_TERM, _SMALL_LOAD = _Walk(1, [_NATS]), 0.5


class _Need(NamedTuple):
    """How many terms a level needs, and by how many bits more it has to be worked out."""

    terms: int
    lost: float


class _Level(NamedTuple):
    """How many coordinates are chosen, and the logarithm of what that adds to the sum."""

    level: int
    size: float


# What one level needs, given the last one and the bits that its terms should cover.
_NeedOf: TypeAlias = Callable[[Quick, int, int, float], _Need | None]


def levels_in_all(miss: Miss | Quick) -> int:
    """Return how many coordinates may be below gamma at once: not all of them without a rest."""
    return miss.count if miss.rest else miss.count - 1


def plan_for(miss: Miss) -> Plan | None:
    """Return the cheapest plan at the present precision, or None if there is none."""
    return _plan_at(miss, ctx.prec)


@lru_cache(maxsize=_PLANS_KEPT)
def _plan_at(miss: Miss, _bits: int) -> Plan | None:
    """Plan at the precision named, which is the present one; asked for twice in a row."""
    try:
        plans = [plan for plan in (_by_levels(miss.quick), _about_gamma(miss.quick)) if plan]
    except (OverflowError, ValueError, ZeroDivisionError):  # doubles, at absurd parameters
        return None
    return min(plans, key=lambda plan: plan.seconds, default=None)


def _by_levels(miss: Quick) -> Plan | None:
    result, levels = _result_and_levels(miss)
    outward = True
    needs = _needs(miss, levels, result, _outward_need)
    if needs is None:
        outward, needs = False, _needs(miss, levels, result, _inward_need)
    last = levels[-1].level
    choices = _choices(miss, last)
    if needs is None or choices * needs.terms > _MOST_COEFFICIENTS:
        return None
    extra = _GUARD_BITS + math.ceil(max(needs.lost, 0.0)) + (last * needs.terms).bit_length()
    parents = min(last, len(miss.groups))
    each = _seconds_of_a_choice(miss, parents, needs.terms, ctx.prec + extra)
    return Plan(_PLANNING + choices * each, last, needs.terms, extra, outward=outward)


def _about_gamma(miss: Quick) -> Plan | None:
    if (miss.count + 1) * miss.gamma <= 1:
        return None
    size = max(abs(alpha - 1) for alpha, _ in miss.groups)
    reach = 1 / miss.gamma - miss.count
    lost = math.ceil((-_result_and_levels(miss)[0] - _double(size) * _log_left(reach)) / _NATS)
    walk = _walk(reach, 1 - size, _EVEN, ctx.prec + _GUARD_BITS + lost)
    if walk is None:
        return None
    extra = _GUARD_BITS + lost + walk.terms.bit_length()
    bits = ctx.prec + extra
    product = (_PRODUCT + _PRODUCT_BIT * bits) * float(walk.terms) ** 2
    seconds = _PLANNING + miss.count * product + _seconds_of_a_choice(miss, 0, walk.terms, bits)
    return Plan(seconds, 0, walk.terms, extra, about_gamma=True)


def _seconds_of_a_choice(miss: Quick, parents: int, terms: int, bits: int) -> float:
    one = (_COEFFICIENT + _COEFFICIENT_BIT * bits) * (1 + _PARENT * parents)
    logarithms = _LOGARITHMS * (bits + int(miss.total.ceil()).bit_length()) ** 2
    return terms * one + _CHOICE + _KIND * len(miss.groups) * (1 + parents) + logarithms


def _result_and_levels(miss: Quick) -> tuple[float, list[_Level]]:
    """Guess the logarithm of the result, and the sizes of some levels up to where they end."""
    chances = [(count, _log_chance(miss, [(1, alpha)])) for alpha, count in miss.groups]
    mean = _log_sum(math.log(count) + chance for count, chance in chances)
    survival = sum(
        count * min(_log_complement(min(chance, -_NATS)), _log_survival(miss, alpha))
        for (count, chance), (alpha, _) in zip(chances, miss.groups, strict=True)
    )
    if survival < -_MARGIN * ctx.prec * _NATS:
        return 0.0, [_Level(1, mean)]  # the first level's bracket is narrow enough
    result = mean if mean < math.log(_SMALL) else math.log(-math.expm1(survival))
    return result, list(_levels(miss, result - ctx.prec * _NATS))


def _log_survival(miss: Quick, alpha: fmpq) -> float:
    """Guess log P(x_i >= gamma), rather more, where gamma is far above what is likely."""
    return _RARE if miss.gamma * (miss.total - alpha) > 3 * (alpha + 1) else 0.0


def _levels(miss: Quick, aim: float) -> Iterator[_Level]:
    """Yield levels, ever further apart, up to the first one smaller than what is aimed at.

    As if all choices were as likely as the likeliest, that of the least parameters.
    """
    level = 1
    while True:
        size = _log_chance(miss, _smallest(miss, level)) + _log_binomial(miss.count, level)
        yield _Level(level, size)
        if size < aim or level == levels_in_all(miss):
            return
        level = min(level + 1 + level // 8, levels_in_all(miss))


def _smallest(miss: Quick, level: int) -> _Chosen:
    chosen = []
    for alpha, count in miss.groups:
        chosen.append((min(count, level), alpha))
        level -= min(count, level)
        if level == 0:
            break
    return chosen


def _log_chance(miss: Quick, chosen: _Chosen) -> float:
    """Guess log P(all the chosen coordinates are below gamma), rather more, by a walk outward.

    Where k times what they can hold is small the first term is all there is to the sum.
    """
    level, taken = sum(number for number, _ in chosen), _sum(chosen)
    small = _double(miss.total * level * miss.gamma) < _SMALL_LOAD
    walk = _FIRST_TERM if small else _outward_walk(miss, chosen, _ROUGH_BITS)
    if walk is None:
        return _log_others(miss, taken, level)
    a, c = _double(taken), _double(miss.total - taken)
    front = a * _log(miss.gamma) + (c - 1) * _log_left(level * miss.gamma)
    front += _log_gamma_ratio(_double(miss.total), a, c)
    front -= sum(number * math.lgamma(_double(alpha) + 1) for number, alpha in chosen)
    return min(front + _log_sum(walk.parts) + _DOUBT * walk.terms, 0.0)


def _log_others(miss: Quick, taken: fmpq, level: int) -> float:
    """Guess log P(the other coordinates make up what is missing), rather more, by Markov.

    From the moment of their share that suits what is missing; the mean, where k is too large for
    log-Gammas of doubles.
    """
    others, away = miss.total - taken, -_log(1 - level * miss.gamma)
    k, c = (max(_double(number), _TINY) for number in (miss.total, others))
    if k > _LARGE:
        return min(_log(others / miss.total) + away, 0.0)
    power = 1 / max(away, 1.0)
    moment = math.lgamma(c + power) - math.lgamma(c) + math.lgamma(k) - math.lgamma(k + power)
    return min(moment + power * away, 0.0)


def _sum(chosen: _Chosen) -> fmpq:
    return sum((number * alpha for number, alpha in chosen), fmpq(0))


def _log_gamma_ratio(total: float, a: float, c: float) -> float:
    """Return log Gamma(total) - log Gamma(c), c = total - a."""
    if c < _LARGE:
        return math.lgamma(max(total, _TINY)) - math.lgamma(max(c, _TINY))
    share = math.log1p(-a / total) if 2 * a < total else math.log(c) - math.log(total)
    return a * (math.log(total) - 1) - (c - 0.5) * share


def _needs(miss: Quick, levels: list[_Level], result: float, need: _NeedOf) -> _Need | None:
    """Return how many terms, and bits more than outside, serve every level."""
    terms, lost = 0, 0.0
    for level, size in levels:
        own = (size - result) / _NATS
        found = need(miss, level, levels[-1].level, ctx.prec + _GUARD_BITS + own)
        if found is None:
            return None
        terms, lost = max(terms, found.terms), max(lost, own + found.lost)
    return _Need(terms, lost)


def _outward_need(miss: Quick, level: int, _last: int, bits: float) -> _Need | None:
    walk = _outward_walk(miss, _smallest(miss, level), bits)
    return walk and _Need(walk.terms, 0.0)


def _inward_need(miss: Quick, level: int, last: int, bits: float) -> _Need | None:
    """Guess also the bits lost by alternation: log2 of the largest term over the sum."""
    reach = last * miss.gamma / (1 + (last - level) * miss.gamma)
    rest = miss.total - _sum(_smallest(miss, level))
    lost = max(_double(rest) - 1, 0.0) * (_log_left(-reach) - _log_left(reach)) / _NATS
    walk = _walk(reach, rest, _EVEN, bits + lost)
    return walk and _Need(walk.terms, lost)


def _outward_walk(miss: Quick, chosen: _Chosen, bits: float) -> _Walk | None:
    """Walk along the outward series of a choice.

    The moments of sum(1 - y) are guessed as those of a Beta law that is as large as the number of
    coordinates, with the same mean and variance; for one coordinate that is what it is.
    """
    level = sum(number for number, _ in chosen)
    reach = level * miss.gamma / (1 - level * miss.gamma)
    doubles = [(number, max(_double(alpha), _TINY)) for number, alpha in chosen]
    mean = sum(number / (a + 1) for number, a in doubles) / level
    left = sum(number * a / (a + 1) for number, a in doubles) / level
    variance = sum(number * a / (a + 1) ** 2 / (a + 2) for number, a in doubles) / level**2
    both = mean * left / variance - 1
    return _walk(reach, miss.total - _sum(chosen), (mean * both, both), bits)


def _walk(reach: fmpq, exponent: fmpq, moments: tuple[float, float], bits: float) -> _Walk | None:
    """Walk along the integral of a binomial series, in growing steps.

    The ratio after term n is near reach |exponent - 1 - n|/(1 + n) (first + n)/(second + n) for
    the moments of a Beta law. The walk ends so many bits below the largest term; None if that
    takes too long, or never happens.
    """
    first, second = moments
    x, load, turn = _double(reach), _double(reach * exponent), _double(exponent)
    count, size, peak, parts = 0, 0.0, 0.0, [0.0]
    while size > peak - bits * _NATS:
        step = 1 + count // 16
        middle = count + (step - 1) / 2
        ratio = abs(load - x * (1 + middle)) / (1 + middle)
        ratio *= (first + middle) / (second + middle)
        if count > _LONGEST or (x >= 1 and count > turn and ratio >= 1):
            return None
        size += step * math.log(max(ratio, _TINY))
        count += step
        peak = max(peak, size)
        parts.append(size + math.log(step))
    return _Walk(count + _SLACK_TERMS, parts)


def _choices(miss: Quick, levels: int) -> float:
    """Bound how many choices of coordinates, different in kind, there are up to a level."""
    kinds = len(miss.groups)
    every = sum(math.log(min(count, levels) + 1) for _, count in miss.groups)
    few = _log_binomial(levels + kinds, kinds)
    return math.exp(min(every, few, _LARGEST_EXPONENT))


def _log_binomial(count: int, chosen: int) -> float:
    return math.lgamma(count + 1) - math.lgamma(chosen + 1) - math.lgamma(count - chosen + 1)


def _log_sum(logarithms: Iterable[float]) -> float:
    """Return the logarithm of a sum of exponentials."""
    values = list(logarithms)
    largest = max(values)
    return largest + math.log(sum(math.exp(value - largest) for value in values))


def _log_complement(chance: float) -> float:
    """Return log(1 - exp(chance)), for chance <= 0 a logarithm."""
    return math.log(max(-math.expm1(chance), _TINY))


def _double(value: fmpq) -> float:
    try:
        return min(max(int(value.p) / int(value.q), -_HUGE), _HUGE)
    except OverflowError:
        return _HUGE if value > 0 else -_HUGE


def _log(value: fmpq) -> float:
    return math.log(int(value.p)) - math.log(int(value.q))


def _log_left(share: fmpq) -> float:
    """Return log(1 - share)."""
    return math.log1p(-_double(share)) if share < _HALF else _log(1 - share)
