"""Losses on lattices, perhaps beside Laplace noise: delta atom by atom, rounded to nearest.

Each kind's chances are convolved with themselves by squaring, the kinds with each other; all
summands are positive, and what of Gaussian noise is far is left out. Two precisions; not rigorous.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import product

import gmpy2
from gmpy2 import mpc, mpfr

from ...precision import check_budget
from ...structures import DiscreteEvent, Event, ResponseEvent
from ..directed import OutOfReachError
from ..nearest import bits_agreed, number, working
from ..trapezoid import two_that_agree
from .laplace import Kinds, two_deltas

_GUARD_BITS, _BITS_MORE = 40, 32
# So many products, combinations, and such beside several Laplace releases take some seconds.
_MOST_PRODUCTS, _MOST_TOGETHER, _MOST_BESIDE = 3_000_000, 40_000, 60
_BETWEEN_LOOKS, _ALIKE = 256, 64
# So many losses of one release, each time that its moment function is asked.
_MOST_LOSSES = 4_000
_NATS_PER_BIT = math.log(2)

Discrete = DiscreteEvent | ResponseEvent
# The least loss, how far neighbouring ones are apart, and the chances.
_Losses = tuple[mpfr, mpfr, list[mpfr]]


def chances_of(event: ResponseEvent) -> tuple[Fraction, Fraction]:
    """Return those of the likelier and of the less likely answer."""
    other = (1 - event.truth_probability) / (event.categories - 1)
    return max(event.truth_probability, other), min(event.truth_probability, other)


def loses(event: Event) -> bool:
    """Whether an event loses anything."""
    return not isinstance(event, ResponseEvent) or len({*chances_of(event)}) > 1


def losses_of(event: Discrete, bits: int) -> _Losses:
    """Return the losses of one release; of Gaussian noise those of more than about 2**-bits."""
    if isinstance(event, ResponseEvent):
        high, low = chances_of(event)
        span = gmpy2.log(number(high / low))
        return -span, span, [number(low), number(1 - high - low), number(high)]
    shift = event.sensitivity
    if event.mechanism == "discrete_laplace":
        if shift > _MOST_LOSSES:
            raise OutOfReachError
        root = gmpy2.exp(-1 / number(event.scale))
        inner = [(1 - root) * root ** (shift - k) for k in range(1, shift)]
        whole = [number(each) / (1 + root) for each in (root**shift, *inner, mpfr(1))]
        return -shift / number(event.scale), 2 / number(event.scale), whole
    rate = 1 / (2 * event.scale**2)
    reach = math.isqrt(int(bits * _NATS_PER_BIT / rate)) + 2
    if reach > _MOST_LOSSES:
        raise OutOfReachError
    sizes = [gmpy2.exp(number(-rate * k * k)) for k in range(reach + 1)]
    total = 2 * sum(sizes[1:], mpfr(0)) + 1
    chances = [size / total for size in (*reversed(sizes[1:]), *sizes)]
    return number(shift * rate * (shift - 2 * reach)), number(2 * shift * rate), chances


def _power(chances: list[mpfr], count: int) -> list[mpfr]:
    """Return the chances of a sum of so many."""
    found: list[mpfr] = [mpfr(1)]
    for bit in f"{count:b}":
        found = _product(found, found)
        if bit == "1":
            found = _product(found, chances)
    return found


def _product(one: list[mpfr], other: list[mpfr]) -> list[mpfr]:
    if len(one) * len(other) > _MOST_PRODUCTS:
        raise OutOfReachError
    found = [mpfr(0)] * (len(one) + len(other) - 1)
    for i, first in enumerate(one):
        if i % _BETWEEN_LOOKS == 0:
            check_budget()
        for j, second in enumerate(other):
            found[i + j] += first * second
    return found


def two_deltas_on_lattices(
    events: list[Discrete],
    densities: tuple[Kinds, Kinds],
    epsilon: Fraction,
    log_delta: float,
    bits: int,
) -> tuple[mpfr, mpfr]:
    """Return delta at two precisions; ``log_delta`` is about its logarithm.

    Densities are Laplace releases and choices by utility.
    """
    # Rounded up, so that the same chances serve all points about a root.
    deep = max(math.ceil(-log_delta / _NATS_PER_BIT / _ALIKE), 0) * _ALIKE

    def rule(which: int, more: float) -> mpfr:
        work = math.ceil((bits + _GUARD_BITS + _BITS_MORE * which + deep) * more)
        with working(work):
            sums = [_losses_of_all(event, work) for event in events]
            return _mean(sums, densities, epsilon, bits + _GUARD_BITS)

    return two_that_agree(rule, bits_agreed, bits)


@lru_cache(maxsize=32)
def _losses_of_all(event: Discrete, work: int) -> _Losses:
    """Return the losses of so many releases; the precision in use is ``work``."""
    first, span, chances = losses_of(event, work)
    return first * event.count, span, _power(chances, event.count)


def _mean(
    sums: list[_Losses], densities: tuple[Kinds, Kinds], epsilon: Fraction, bits: int
) -> mpfr:
    """Return the mean of the innermost delta over all losses of the others."""
    sums = sorted(sums, key=lambda each: len(each[2]))
    inner = _of_densities(*densities, bits) if any(densities) else _of_atoms(sums.pop())
    several = sum(count for kinds in densities for _, count in kinds) > 1
    together = math.prod(len(chances) for _, _, chances in sums)
    if together > (_MOST_BESIDE if several else _MOST_TOGETHER):
        raise OutOfReachError
    total = mpfr(0)
    for weight, loss in _together(sums):
        total += weight * inner(number(epsilon) - loss)
    return total


def _together(sums: list[_Losses]) -> Iterator[tuple[mpfr, mpfr]]:
    every = [
        [(chance, first + d * span) for d, chance in enumerate(chances)]
        for first, span, chances in sums
    ]
    for at, chosen in enumerate(product(*every)):
        if at % _BETWEEN_LOOKS == 0:
            check_budget()
        weight, loss = mpfr(1), mpfr(0)
        for chance, own in chosen:
            weight, loss = weight * chance, loss + own
        yield weight, loss


def _of_atoms(losses: _Losses) -> Callable[[mpfr], mpfr]:
    """Return delta at a threshold, by sums over the losses above it."""
    first, span, chances = losses
    above, weighted = [mpfr(0)], [mpfr(0)]
    for d in range(len(chances) - 1, -1, -1):
        above.append(above[-1] + chances[d])
        weighted.append(weighted[-1] + chances[d] * gmpy2.exp(-first - d * span))

    def profile(threshold: mpfr) -> mpfr:
        place = min(max(int(gmpy2.floor((threshold - first) / span)) + 1, 0), len(chances))
        left = len(chances) - place
        return above[left] - gmpy2.exp(threshold) * weighted[left]

    return profile


def _of_densities(kinds: Kinds, choices: Kinds, bits: int) -> Callable[[mpfr], mpfr]:
    """Return delta of these at a threshold; below 0 by the other order, its equal."""
    most = sum((shift * count for shift, count in (*kinds, *choices)), Fraction(0))
    alone = not choices and sum(count for _, count in kinds) == 1

    def above(threshold: mpfr) -> mpfr:
        if threshold >= number(most):
            return mpfr(0)
        if alone:
            return -gmpy2.expm1((threshold - number(most)) / 2)
        exact = Fraction(*map(int, threshold.as_integer_ratio()))
        return two_deltas(kinds, choices, exact, 1.0, bits)[0]

    def profile(threshold: mpfr) -> mpfr:
        if threshold >= 0:
            return above(threshold)
        return -gmpy2.expm1(threshold) + gmpy2.exp(threshold) * above(-threshold)

    return profile


def moment_on_lattice(event: Discrete, bits: int) -> tuple[Callable[[mpc], mpc], int]:
    """Return the mean of e^(zL), loss by loss, near the imaginary axis; and what it costs.

    Of Gaussian noise the losses that matter lie about a place that moves with the point.
    """
    if isinstance(event, DiscreteEvent) and event.mechanism == "discrete_gaussian":
        return _of_gaussian(event, bits)
    first, span, chances = losses_of(event, bits)

    def moment(z: mpc) -> mpc:
        check_budget()
        factor, total = gmpy2.exp(z * span), mpc(0)
        for chance in reversed(chances):
            total = total * factor + chance
        return total * gmpy2.exp(z * first)

    return moment, len(chances) + 2


def _of_gaussian(event: DiscreteEvent, bits: int) -> tuple[Callable[[mpc], mpc], int]:
    rate, shift = 1 / (2 * event.scale**2), event.sensitivity
    reach = math.isqrt(int(bits * _NATS_PER_BIT / rate)) + 3
    if reach > _MOST_LOSSES:
        raise OutOfReachError
    slope = number(rate)
    total = 2 * sum((gmpy2.exp(number(-rate * k * k)) for k in range(1, reach)), mpfr(0)) + 1

    def moment(z: mpc) -> mpc:
        check_budget()
        # The exponent of noise k is -rate (k - z D)^2 + rate z (z + 1) D^2.
        center = round(float(z.real) * shift)
        away = z * shift - center
        front = gmpy2.exp(slope * (z * (z + 1) * shift * shift - away * away))
        turn, found = gmpy2.exp(2 * slope * away), mpc(1)
        up, down, size = mpc(1), mpc(1), mpfr(1)
        step, shrink = gmpy2.exp(-slope), gmpy2.exp(-2 * slope)
        for _ in range(reach):
            size, step = size * step, step * shrink
            up, down = up * turn, down / turn
            found += size * (up + down)
        return found * front / total

    return moment, 3 * reach
