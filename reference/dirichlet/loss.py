"""The privacy loss of one concrete pair of inputs: two Dirichlet laws, not the worst neighbours.

The quantities of `profile`, `composition` and `add_remove` are suprema over neighbours. Here is
the other side of that inequality, for a pair that somebody drew: the log-ratio of the densities at
one outcome, and the hockey-stick between the two laws.

What concrete pairs of inputs lose together: independent releases, each its own move.

The trapezoid rule of proofs_notes/composition.md on one vertical line, for pairs that need not be
dominating ones. The proofs there use of M only that it is the moment generating function of a loss
with a density and that |M(c + iy)| falls with |y|, and both hold here: M is a product of Gammas of
arguments with a positive real part and real slopes, times e^(offset z).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TypeAlias, TypeVar

from flint import acb, arb, ctx

from ..arb.balls import ball, extra_bits, sharpened
from ..arb.gamma import log_beta, log_beta_change, log_gamma
from ..arb.incomplete_beta import regularised_on_ball
from ..precision import check_budget

# Where Chernoff's bound is looked at, as shares of the way to the pole: losses that matter lie far
# apart or close together, so any few do.
_SHARES_OF_A_STRIP = (Fraction(1, 2), Fraction(1, 16), Fraction(1, 256))
# Nobody reads the digits of a smaller delta than with so many zeros: that it is one is enough.
_MOST_BINARY_PLACES = 1 << 40

_Vector: TypeAlias = tuple[Fraction, ...]


def log_density_ratio(u: _Vector, v: _Vector, outcome: _Vector) -> arb:
    """Enclose the log-ratio of the densities of Dirichlet(u) and Dirichlet(v) at an outcome.

    Only coordinates in which u and v differ are looked at, and there the outcome is positive:
    where another one is 0 it is the limit.
    """
    changed = [(a, b, x) for a, b, x in zip(u, v, outcome, strict=True) if a != b]
    if not changed:
        return arb(0)
    total, other = sum(u, Fraction(0)), sum(v, Fraction(0))

    def value() -> arb:
        result = arb(0) if total == other else log_gamma(total) - log_gamma(other)
        for a, b, x in changed:
            result += log_gamma(b) - log_gamma(a) + ball(a - b) * ball(x).log()
        return result

    return sharpened(value)


@dataclass(frozen=True)
class Move:
    """Beta(near + moved, far) against Beta(near, far + moved), all three positive.

    That is what two Dirichlet laws come to that differ in two coordinates and agree in their sum:
    the share of the first of the two is sufficient (proofs_notes/dominating-pair.md).
    """

    near: Fraction
    far: Fraction
    moved: Fraction

    @classmethod
    def between(cls, u: _Vector, v: _Vector) -> Move | None:
        """Return the move from v to u, or None where they are equal.

        Raises ValueError if more than two coordinates differ, or the sums do.
        """
        changed = [(a, b) for a, b in zip(u, v, strict=True) if a != b]
        if not changed:
            return None
        if len(changed) != 2 or sum(a - b for a, b in changed) != 0:  # noqa: PLR2004
            raise ValueError("the two laws differ in more than a move between two coordinates")
        (more, near), (far, _) = sorted(changed, key=lambda pair: pair[0] < pair[1])
        return cls(near, far, more - near)

    def reversed(self) -> Move:
        """Return the same pair in the other order, coordinates exchanged as well."""
        return Move(self.far, self.near, self.moved)

    def offset(self) -> arb:
        """Enclose the log-ratio where both coordinates are equal."""
        return log_beta_change(self.near, self.far + self.moved, self.moved)


def delta_of_move(move: Move | None, epsilon: Fraction) -> arb | Fraction:
    """Enclose the hockey-stick of the pair at e^epsilon, any epsilon >= 0; 0 without a move.

    The log-ratio at the share r of the first coordinate is offset + moved logit(r), rising. With
    q the chance 1 - r at which it is epsilon, delta = I_q(far, near + moved)
    - e^epsilon I_q(far + moved, near).
    """
    if move is None:
        return Fraction(0)
    at_an_end = _next_to_an_end(move, epsilon)
    if at_an_end is not None:
        return at_an_end
    near, far, moved = move.near, move.far, move.moved

    def value() -> arb:
        at = (ball(epsilon) - move.offset()) / ball(moved)
        shares = 1 / (1 + at.exp()), 1 / (1 + (-at).exp())
        first = _below(far, near + moved, shares, log_beta(far, near + moved))
        second = _below(far + moved, near, shares, log_beta(far + moved, near))
        return first - ball(epsilon).exp() * second

    return sharpened(value)


def _next_to_an_end(move: Move, epsilon: Fraction) -> arb | None:
    """Enclose delta where Chernoff's bound puts it next to 1 or to 0 for good; None elsewhere.

    With f(z) = log E e^(z L) - z epsilon, L the log-ratio, 1 - delta <= e^f(z) for -1 <= z <= 0
    and delta <= e^f(z) for 0 <= z < far/moved (proofs_notes/exact-loss-of-a-pair.md, next-to-1).
    """
    near, far, moved = move.near, move.far, move.moved

    def exponent(z: Fraction) -> arb:
        shifted = log_beta(near + (1 + z) * moved, far - z * moved)
        ends = log_beta(near + moved, far), log_beta(near, far + moved)
        return shifted - ball(1 + z) * ends[0] + ball(z) * ends[1] - ball(z * epsilon)

    negligible = -ball(Fraction(max(ctx.prec, _MOST_BINARY_PLACES)))
    for share in _SHARES_OF_A_STRIP:
        missing = sharpened(partial(exponent, -share))
        if missing < -ctx.prec:
            return 1 - arb(0).union(missing.exp())
        bound = sharpened(partial(exponent, share * far / moved))
        if bound < negligible:
            return arb(0).union(bound.exp())
    return None


def delta_between(u: _Vector, v: _Vector, epsilon: Fraction) -> arb | Fraction:
    """Enclose the hockey-stick of Dirichlet(u) from Dirichlet(v), two coordinates changed."""
    return delta_of_move(Move.between(u, v), epsilon)


@dataclass(frozen=True)
class Addition:
    """Beta(alpha, rest) and Beta(alpha + step, rest): one coordinate changed, and the sum with it.

    Given the others' proportions, the changed coordinate is sufficient.
    """

    alpha: Fraction
    rest: Fraction
    step: Fraction

    @classmethod
    def between(cls, less: _Vector, more: _Vector) -> Addition:
        """Return what two parameters come to, the second larger in one coordinate alone."""
        changed = [(a, b) for a, b in zip(less, more, strict=True) if a != b]
        if len(changed) != 1 or changed[0][0] > changed[0][1]:
            raise ValueError("the second law adds to one coordinate of the first, and to no other")
        ((alpha, larger),) = changed
        return cls(alpha, sum(less, Fraction(0)) - alpha, larger - alpha)


def delta_of_removal(pair: Addition, epsilon: Fraction) -> arb:
    """Enclose the hockey-stick of the smaller count from the larger, epsilon >= 0.

    The log-ratio at x is log(B(alpha + step, rest)/B(alpha, rest)) - step log x, falling; x* is
    where it is epsilon, and delta = I_x*(alpha, rest) - e^epsilon I_x*(alpha + step, rest).
    """

    def value() -> arb:
        less, more = _both_logs(pair)
        logarithm = (more - less - ball(epsilon)) / ball(pair.step)
        shares = logarithm.exp(), -logarithm.expm1()
        first = _below(pair.alpha, pair.rest, shares, less)
        second = _below(pair.alpha + pair.step, pair.rest, shares, more)
        return first - ball(epsilon).exp() * second

    return sharpened(value)


def delta_of_addition(pair: Addition, epsilon: Fraction) -> arb:
    """Enclose the hockey-stick of the larger count from the smaller, epsilon >= 0.

    The log-ratio rises to its bound at x = 1. Where epsilon is certainly not below that, delta
    is 0; else y* = 1 - x* is where it is epsilon, and the two chances of 1 - x below it are
    compared, which keeps all digits where both are small.
    """

    def value() -> arb:
        less, more = _both_logs(pair)
        logarithm = (ball(epsilon) + more - less) / ball(pair.step)
        shares = -logarithm.expm1(), logarithm.exp()
        if shares[0] <= 0:
            return arb(0)
        first = _below(pair.rest, pair.alpha, shares, less)
        second = _below(pair.rest, pair.alpha + pair.step, shares, more)
        return second - ball(epsilon).exp() * first

    return sharpened(value)


def _both_logs(pair: Addition) -> tuple[arb, arb]:
    return log_beta(pair.alpha, pair.rest), log_beta(pair.alpha + pair.step, pair.rest)


def _below(first: Fraction, second: Fraction, shares: tuple[arb, arb], log_of_beta: arb) -> arb:
    """Enclose I_x(first, second), given x, 1 - x, and log B(first, second)."""
    return regularised_on_ball(first, second, shares[0], log_of_beta, shares[1])


# For sums of log Gammas that cancel; a matter of width alone.
_SPARE_BITS = 64
# Beyond so many nodes the answer is what is known by then, a wider ball.
_MOST_NODES = 1000
# Halvings of the interval in which the crossing is looked for; a matter of speed alone.
_SEARCH_STEPS = 24
_Point = TypeVar("_Point", arb, acb)


def delta_of_moves(moves: Sequence[Move], epsilon: Fraction) -> arb | Fraction:
    """Enclose the hockey-stick at e^epsilon of the product laws, epsilon >= 0; 0 without moves."""
    if not moves:
        return Fraction(0)
    if len(moves) == 1:
        return delta_of_move(moves[0], epsilon)
    wanted = ctx.prec
    with extra_bits(_SPARE_BITS):
        return _on_line(_Exponent(moves, epsilon), wanted)


class _Exponent:
    """f(z) = log M(z) - z epsilon on 0 <= Re z < limit, M(z) = E e^(z loss) under the first law."""

    def __init__(self, moves: Sequence[Move], epsilon: Fraction) -> None:
        self.limit = ball(min(move.far / move.moved for move in moves))
        counted = Counter(moves)
        offsets = (count * move.offset() for move, count in counted.items())
        self._slope = sum(offsets, arb(0)) - ball(epsilon)
        self._moves = [
            (ball(move.near + move.moved), ball(move.far), ball(move.moved), count)
            for move, count in counted.items()
        ]
        parts = (count * (a.lgamma() + b.lgamma()) for a, b, _, count in self._moves)
        self._at_zero = sum(parts, arb(0))

    def __call__(self, z: _Point) -> _Point:
        """Enclose f at a point; NaN unless every Gamma's argument is certainly right of 0."""
        total = z * self._slope - self._at_zero
        for near, far, moved, count in self._moves:
            check_budget()
            shift = z * moved
            if not ((near + shift).real > 0 and (far - shift).real > 0):
                return total * arb("nan")
            total += count * ((near + shift).lgamma() + (far - shift).lgamma())
        return total

    def integrand(self, z: acb) -> acb:
        """Enclose e^f(z)/(z (z + 1))."""
        return self(z).exp() / (z * (z + 1))


def _on_line(exponent: _Exponent, wanted: int) -> arb:
    """Enclose delta by nodes c + ijh: aliases and what lies beyond the last node are bounded."""
    crossing = _crossing(exponent)
    right = ((crossing + exponent.limit) / 2).mid()
    nats = wanted * arb(2).log()
    at_crossing, at_right = exponent(crossing), exponent(right)
    # Each bound on aliases is then about 2^-wanted of the integrand's size on the axis.
    left_step = crossing / (nats - at_crossing.min(arb(0)))
    right_step = (right - crossing) / (nats + (at_right - at_crossing).max(arb(0)))
    step = (2 * arb.pi() * left_step.min(right_step)).mid()
    total = exponent.integrand(acb(crossing)).real
    scale, beyond = abs(total) * arb(2) ** -wanted, arb("inf")
    for node in range(1, _MOST_NODES):
        point = acb(crossing, node * step)
        total += 2 * exponent.integrand(point).real
        beyond = exponent(point).real.exp() / (arb.pi() * node * step)
        if beyond < scale:
            break
    found = total * step / (2 * arb.pi()) + beyond.union(-beyond)
    left = _geometric(2 * arb.pi() * crossing / step)
    aliases = left + at_right.exp() * _geometric(2 * arb.pi() * (right - crossing) / step)
    return found - aliases.union(arb(0))


def _geometric(rate: arb) -> arb:
    """Enclose the sum of e^(-rate m) over m >= 1; NaN unless it certainly converges."""
    ratio = (-rate).exp()
    return ratio / (1 - ratio) if rate > 0 else arb("nan")


def _crossing(exponent: _Exponent) -> arb:
    """Return about where the integrand is least on the axis; any point of the strip is right."""
    low, high = arb(0), exponent.limit.lower().mid()
    for _ in range(_SEARCH_STEPS):
        first, second = (low + (high - low) * share / 8 for share in (3, 5))
        if _height(exponent, first.mid()) < _height(exponent, second.mid()):
            high = second.mid()
        else:
            low = first.mid()
    return ((low + high) / 2).mid()


def _height(exponent: _Exponent, point: arb) -> arb:
    return exponent(point) - (point * (point + 1)).log()
