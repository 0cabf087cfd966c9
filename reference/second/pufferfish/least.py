"""Second opinions on the least noise: for the pairs farthest apart first, both orders at once.

Those for which the scale at hand is more than enough are left out. Whether no noise is needed is
decided by rational sums, and by a logarithm where e^epsilon counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import permutations
from typing import TypeAlias

from ...dyadic import Dyadic
from ...enclosure import Enclosure
from ...likely import likely_answer
from ...structures import ChainLaw, Matrix, Network
from ..directed import OutOfReachError, Span, or_nothing
from ..dirichlet.series import log_of
from ..opinion import second_opinion
from ..roots import bracketed
from . import additive, network, wasserstein
from .divergences import Masses, loss_span
from .gaussian_profile import gaussian_hockey_stick
from .laplace_profile import laplace_hockey_stick, largest_delta

_Vector: TypeAlias = tuple[Fraction, ...]
_Sets: TypeAlias = tuple[tuple[int, ...], ...]
HOCKEY_STICKS = {"laplace": laplace_hockey_stick, "gaussian": gaussian_hockey_stick}


@second_opinion("pufferfish.least_scale", engine="mpfr", rigorous=True)
@or_nothing
def least_scale(
    bits: int,
    values: _Vector,
    laws: tuple[_Vector, ...],
    secrets: _Sets,
    pairs: _Sets,
    noise: str,
    epsilon: Fraction,
    delta: Fraction,
) -> Enclosure:
    """Enclose the root of the largest delta over all pairs and laws; rigorous."""
    groups = [[*pair] for pair in wasserstein.laws_of_pairs(values, laws, secrets, pairs)]
    return _least(bits, groups, noise, epsilon, delta)


@second_opinion("pufferfish.chain_least_scale", engine="mpfr", rigorous=True)
@or_nothing
def chain_least_scale(
    bits: int,
    chains: tuple[ChainLaw, ...],
    length: int,
    values: Matrix,
    noise: str,
    epsilon: Fraction,
    delta: Fraction,
) -> Enclosure:
    """Enclose the root of the largest delta over chains, nodes and pairs of states; rigorous."""
    groups = [*additive.laws_by_node(chains, length, values)]
    return _least(bits, groups, noise, epsilon, delta)


@second_opinion("pufferfish.network_least_scale", engine="mpfr", rigorous=True)
@or_nothing
def network_least_scale(
    bits: int,
    networks: tuple[Network, ...],
    values: Matrix,
    noise: str,
    epsilon: Fraction,
    delta: Fraction,
) -> Enclosure:
    """Enclose the root of the largest delta over networks, nodes and states; rigorous."""
    groups = [*network.laws_by_node(networks, values)]
    return _least(bits, groups, noise, epsilon, delta)


def _least(
    bits: int,
    groups: Iterable[Sequence[Masses]],
    noise: str,
    epsilon: Fraction,
    delta: Fraction,
) -> Enclosure:
    pairs = [pair for pair in _unequal(groups) if not _is_hidden(*pair, epsilon, delta, bits)]
    if not pairs:
        return Enclosure.of(Fraction(0), bits)
    if not epsilon and not delta:
        return Enclosure.infinite()

    def room(pair: tuple[Masses, Masses], scale: Fraction, precision: int) -> Span:
        if not delta:
            return Span.of(epsilon, precision) - loss_span(precision, [pair], scale)
        found = largest_delta(precision, [pair], HOCKEY_STICKS[noise](scale, epsilon))
        if found.sign > 0:
            return log_of(delta, precision) - found.log()
        return Span.of(1, precision) - found / Span.of(delta, precision)

    near = likely_answer()
    start = max(_spread(pair) for pair in pairs) / (epsilon + delta)
    low = high = Fraction(0)
    for pair in sorted(pairs, key=_spread, reverse=True):
        if high and room(pair, high, bits).sign > 0:
            continue
        bracket = bracketed(partial(room, pair), high or start, bits, likely=near)
        if bracket.low is None or bracket.high is None:
            raise OutOfReachError
        low, high = max(low, bracket.low), max(high, bracket.high)
    return Enclosure(Dyadic.rounded(low, bits, up=False), Dyadic.rounded(high, bits, up=True))


def _spread(pair: tuple[Masses, Masses]) -> Fraction:
    return max(abs(x - y) for x in pair[0] for y in pair[1])


def _unequal(groups: Iterable[Sequence[Masses]]) -> Iterator[tuple[Masses, Masses]]:
    for laws in groups:
        for one, other in permutations(laws, 2):
            if one != other:
                yield one, other


def _is_hidden(one: Masses, other: Masses, epsilon: Fraction, delta: Fraction, bits: int) -> bool:
    """Whether the first's mass beyond e^epsilon times the other's is at most delta, undisturbed."""
    beyond = [
        at
        for at, mass in one.items()
        if at not in other or _is_larger(mass / other[at], epsilon, bits)
    ]
    mass = sum((one[at] for at in beyond), Fraction(0))
    shared = sum((other.get(at, Fraction(0)) for at in beyond), Fraction(0))
    if mass <= delta:
        return True
    return bool(shared) and not _is_larger((mass - delta) / shared, epsilon, bits)


def _is_larger(ratio: Fraction, epsilon: Fraction, bits: int) -> bool:
    """Whether a positive rational number is larger than e^epsilon; equal only at epsilon 0."""
    if not epsilon:
        return ratio > 1
    sign = (log_of(ratio, bits) - Span.of(epsilon, bits)).sign
    if not sign:
        raise OutOfReachError
    return sign > 0
