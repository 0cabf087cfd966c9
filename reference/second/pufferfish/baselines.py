"""Second opinions on the baselines; rigorous: rationals, and MPFR for the logarithms.

Influences come from their definition, conditional laws compared one by one. The sums over rows of
the inverse of 1 - Gamma are eliminated from the last node to the first.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import product
from typing import TypeAlias

from ...enclosure import Enclosure
from ...precision import check_budget
from ...structures import ANY, STATIONARY, ChainLaw, Matrix
from ..directed import OutOfReachError, Span, or_nothing
from ..opinion import second_opinion

_Law: TypeAlias = tuple[Fraction, ...]
# Rows beside the diagonal: what stands to the left of it and to the right.
_Beside: TypeAlias = list[tuple[Span, Span]]

# All quadruples of states are compared, and all rows eliminated.
_MOST_STATES, _LONGEST = 16, 20_000
_SPARE_BITS = 64


@second_opinion("pufferfish.entry_scale", engine="mpfr", rigorous=True)
def entry_scale(bits: int, lipschitz: Fraction, epsilon: Fraction) -> Enclosure:  # noqa: ARG001
    """Return the reciprocal of the epsilon that a query of Lipschitz constant 1 has left."""
    return Enclosure.of(1 / (epsilon / lipschitz))


@second_opinion("pufferfish.group_scale", engine="mpfr", rigorous=True)
def group_scale(
    bits: int,  # noqa: ARG001
    lipschitz: Fraction,
    size: int,
    epsilon: Fraction,
) -> Enclosure:
    """Return the scale at which as many steps of one entry use up epsilon."""
    return Enclosure.of(lipschitz / (epsilon / size))


@second_opinion("pufferfish.gk16_scale", engine="mpfr", rigorous=True)
@or_nothing
def gk16_scale(
    bits: int, chains: tuple[ChainLaw, ...], length: int, epsilon: Fraction
) -> Enclosure:
    """Enclose 2/epsilon times the largest sum over a row or column; rigorous."""
    if length > _LONGEST or len(chains[0].P) > _MOST_STATES:
        raise OutOfReachError
    precision = bits + _SPARE_BITS
    sums = [
        total
        for chain in chains
        for beside in _both_ways(*_influences(chain, precision), length)
        for total in _sums(beside)
    ]
    largest = Span(max(total.low for total in sums), max(total.high for total in sums))
    return (Span.of(2 / epsilon, precision) * largest).enclosure()


def _influences(chain: ChainLaw, bits: int) -> tuple[Span, Span, Span]:
    """Enclose half the logarithms of the largest ratios: from before, from after, on node 1."""
    states = range(len(chain.P))
    inner = {(x, y): _between(chain, x, y) for x in states for y in states}
    before = _largest((inner[x, y], inner[z, y]) for x, z, y in product(states, repeat=3))
    after = _largest((inner[x, y], inner[x, z]) for x, y, z in product(states, repeat=3))
    first = after if chain.initial == STATIONARY else _on_first(chain)
    half = Span.of(Fraction(1, 2), bits)
    one, two, three = (half * Span.of(ratio, bits).log() for ratio in (before, after, first))
    return one, two, three


def _between(chain: ChainLaw, before: int, after: int) -> _Law:
    """Return the law of a node between two that are known."""
    return _normalised(p * row[after] for p, row in zip(chain.P[before], chain.P, strict=True))


def _on_first(chain: ChainLaw) -> Fraction:
    """Return the largest ratio for node 1; over all initial laws, the one of two-point laws.

    Their weights may be as uneven as one likes: then the state of less weight has the ratio of its
    odds against the other one.
    """
    states = range(len(chain.P))
    if chain.initial == ANY:
        return max(_ratio_of_odds(chain.P, *four) for four in product(states, repeat=4))
    start = [share for share in chain.initial if isinstance(share, Fraction | int)]
    laws = [_normalised(q * row[r] for q, row in zip(start, chain.P, strict=True)) for r in states]
    return _largest((one, other) for one in laws for other in laws)


def _ratio_of_odds(P: Matrix, x: int, z: int, r: int, s: int) -> Fraction:
    check_budget()
    return P[x][r] * P[z][s] / (P[x][s] * P[z][r])


def _normalised(weights: Iterable[Fraction]) -> _Law:
    parts = tuple(weights)
    total = sum(parts, Fraction(0))
    return tuple(part / total for part in parts)


def _largest(pairs: Iterable[tuple[_Law, _Law]]) -> Fraction:
    """Return the largest ratio of two laws' probabilities of one state, 0/0 left out."""
    check_budget()
    return max(a / b for one, other in pairs for a, b in zip(one, other, strict=True) if b)


def _both_ways(before: Span, after: Span, first: Span, length: int) -> tuple[_Beside, _Beside]:
    """Return what stands beside the diagonal of Gamma and of its transpose, in all rows."""
    zero = Span.of(0, before.bits)
    left = [zero, *[before] * (length - 1)]
    right = [*[first, *[after] * (length - 1)][: length - 1], zero]
    rows = list(zip(left, right, strict=True))
    columns = list(zip([zero, *right[:-1]], [*left[1:], zero], strict=True))
    return rows, columns


def _sums(beside: _Beside) -> list[Span]:
    """Enclose the solution of s_i = 1 + left s_(i-1) + right s_(i+1), from the last row up."""
    one = Span.of(1, beside[0][0].bits)
    reduced: _Beside = []
    constant, slope = one - one, one - one  # s_(i+1) = constant + slope s_i
    for left, right in reversed(beside):
        check_budget()
        room = one - right * slope
        if room.sign <= 0:
            raise OutOfReachError
        constant, slope = (one + right * constant) / room, left / room
        reduced.append((constant, slope))
    found: list[Span] = []
    for constant, slope in reversed(reduced):
        found.append(constant + slope * found[-1] if found else constant)
    return found
