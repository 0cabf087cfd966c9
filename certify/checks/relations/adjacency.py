"""Adjacency: promises about neighbours hold for neighbours that are drawn.

Neighbours are parameters of two distributions in doubles, exactly adjacent, on a dyadic grid. A
pair is decoded from shares of [0, 1], without a jump, whole moves and floors often. Floors are
rounded up to the grid and moves down, so that floor, step and sum hold exactly in the doubles that
are written down.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import isqrt
from random import Random
from typing import Any, NamedTuple, TypeAlias

from ....reference.adjacency import Floored, Grown, Neighbourhood, Released, Sensitive, Vector
from ....reference.enclosure import Enclosed, Enclosure, Trilean
from ....reference.errors import InputError
from ....reference.quantity import Quantity, Side, quantity_named
from ....reference.relations import GoodSet, Promise
from ...backends.answers import Real
from ...points import Answered, Drawn, Given, exact_point
from ...verdict import Verdict
from .relation import (
    TIE,
    Ask,
    Declared,
    First,
    Found,
    Other,
    Ruling,
    Truths,
    Witness,
    Wording,
    answered_as,
    number_answered,
    point_at,
    rounded,
)

_Doubles: TypeAlias = tuple[float, ...]

# The grid's unit is so many bits below what is largest, and never below the smallest double.
_GRID_BITS, _SMALLEST_EXPONENT = 50, -1074
# How far above the floor a pair is drawn, in units of it; any distance would be right.
_EXCESS = 4
# A record comes or goes beside so many times as much: the more, the nearer to the worst.
_BESIDE = 1 << 12
# Coordinates of a pair with sensitivities: at least, and at most so many more.
_FEWEST, _MORE = 2, 3
# What a share is decoded from: a whole number up to this. A quarter of them at each end stands
# for the end.
VALUES, _END = 1 << 18, 1 << 16


class VectorPair(NamedTuple):
    """Two adjacent inputs (or parameters, or values)."""

    first: Vector
    second: Vector


class _DoublesPair(NamedTuple):
    """The parameters of two laws, in doubles."""

    u: _Doubles
    v: _Doubles


def neighbours_in(space: Neighbourhood, seed_text: str, *, worst: bool) -> _DoublesPair:
    """Return two neighbours in doubles: the worst that there are, or some."""
    rng = Random(seed_text)  # noqa: S311 (test points, the same every time)

    def shares(count: int) -> list[Fraction]:
        return [share_of(int(rng.random() * (VALUES + 1))) for _ in range(count)]

    pair = next(draw for kind, draw in _DRAWN.items() if isinstance(space, kind))(
        space, shares, worst
    )
    turned = not worst and 2 * rng.random() < 1
    return _DoublesPair(pair.v, pair.u) if turned else pair


_Drawn: TypeAlias = Callable[[int], list[Fraction]]


def _moved(space: Floored, shares: _Drawn, worst: bool) -> _DoublesPair:
    drawn = [Fraction(1), Fraction(0), Fraction(0)] if worst else shares(3)
    return _on_grid(*floored_pair(space, _EXCESS * space.alpha, drawn))


def _grown(space: Grown, shares: _Drawn, worst: bool) -> _DoublesPair:
    move, near, far = [Fraction(1), Fraction(0), Fraction(1)] if worst else shares(3)
    less = space.alpha * (1 + _EXCESS * near)
    rest = space.alpha + far * _BESIDE * (space.alpha + space.step)
    return _on_grid((less, rest), (less + move * space.step, rest))


def _released(space: Released, shares: _Drawn, worst: bool) -> _DoublesPair:
    length = _FEWEST + int(shares(1)[0] * _MORE)
    drawn = [shares(length) for _ in range(3)]
    if worst:
        drawn = [[Fraction(0)] * length, [Fraction(1)] * length, [Fraction(0)] * length]
    size = _EXCESS * space.alpha / space.step
    pair = sensitive_pair(space.values, size, drawn)
    return _on_grid(
        *(tuple(space.alpha + space.step * value for value in vector) for vector in pair)
    )


_DRAWN: dict[type, Callable[..., _DoublesPair]] = {
    Floored: _moved,
    Grown: _grown,
    Released: _released,
}


def _on_grid(first: Sequence[Fraction], second: Sequence[Fraction]) -> _DoublesPair:
    """Return both on a grid of their own: the smaller of two entries up, their difference down.

    Equal moves stay equal, so what is moved is neither lost nor won.
    """
    largest = max(*first, *second)
    bits = largest.numerator.bit_length() - largest.denominator.bit_length()
    unit = Fraction(2) ** max(bits - _GRID_BITS, _SMALLEST_EXPONENT)
    u, v = [], []
    for a, b in zip(first, second, strict=True):
        common = -(-min(a, b) // unit) * unit
        u.append(float(common + max(a - b, Fraction(0)) // unit * unit))
        v.append(float(common + max(b - a, Fraction(0)) // unit * unit))
    return _DoublesPair(tuple(u), tuple(v))


def share_of(drawn: int) -> Fraction:
    """Return the share that a whole number from 0 to ``VALUES`` stands for; both ends often."""
    place = Fraction(drawn - _END, VALUES - 2 * _END)
    return min(max(place, Fraction(0)), Fraction(1))


def floored_pair(space: Floored, excess: Fraction, drawn: Sequence[Fraction]) -> VectorPair:
    """Return two pairs of parameters, up to ``excess`` above the floor: move, and what both keep.

    The dominating pair is the whole move with nothing above the floor.
    """
    move, near, far = drawn
    common = [space.alpha + part * excess for part in (near, far)]
    moved = move * space.step
    return VectorPair((common[0] + moved, common[1]), (common[0], common[1] + moved))


def sensitive_pair(
    space: Sensitive, size: Fraction, drawn: Sequence[Sequence[Fraction]]
) -> VectorPair:
    """Return values up to about ``size`` and their change, in each direction.

    A rational square root of what is left of the 2-norm is rounded down.
    """
    left, first, second = space.delta2_squared, [], []
    for value, part, sign in zip(*drawn, strict=True):
        change = part * min(_root_below(left), space.delta_inf)
        left -= change**2
        both = value * size, value * size + change
        lower, upper = both if 2 * sign < 1 else reversed(both)
        first.append(lower)
        second.append(upper)
    return VectorPair(tuple(first), tuple(second))


def _root_below(square: Fraction) -> Fraction:
    """Return a rational at most the square root, within 2^-30 of it; exact for whole squares."""
    unit = 1 << 30
    scaled_square = square.numerator * unit**2 // square.denominator
    return Fraction(isqrt(scaled_square), unit)


# A step or a k beyond this is looked at as if it were this, which loses less: losses of much larger
# parameters take minutes to enclose.
_LARGEST_SIZE = Fraction(1 << 18)
# Of so many cases one takes the worst pair; for the others some are drawn. Half of the worst pairs
# are looked at where the good set of a printed epsilon is seldom missed, if there is one.
_WORST_ONE_IN = 2
# To how many digits the chance of the good set is enclosed where it is not answered.
_CHANCE_DIGITS = 6
NOTHING_LOST = point_at(Fraction(0))


class _Promised(NamedTuple):
    """What an answer promises: of whom, at which epsilon or order, and (if it says so) the most."""

    spaces: tuple[Neighbourhood, ...]
    at: float
    most: Real | None


class Most(NamedTuple):
    """The most that may be lost lies between these: equal, unless it is a truth itself."""

    low: Real
    high: Real


class Adjacency:
    """Two neighbours lose no more than was answered; the worst pair and drawn ones, in turn.

    Held against the answer is the exact loss of a pair, enclosed by the reference. An answer on
    the safe side of the truth, or off it by the slack that is declared, always passes: the truth is
    a bound on every such pair (``relations.Promise``), and the answer is first moved by that slack.
    Where two answers make one promise (a printed epsilon, the chance of the good set) both have to;
    a chance that is not answered is the true one, which no answer about that good set can contest.
    """

    check = "adjacency"
    wording = Wording(
        "what was answered holds for the adjacent inputs that were drawn, or for the queries with "
        "noise",
        "what is lost",
        "At what was answered no more is lost: by this pair of adjacent inputs, or this query.",
        "At what was answered more is lost: by this pair of adjacent inputs, or this query.",
    )

    def applies_to(self, quantity: Quantity) -> bool:
        """Whether an answer promises anything of neighbours."""
        return quantity.promise is not None

    def found(self, quantity: Quantity, first: First, ask: Ask, declared: Declared) -> Found:
        """Choose two neighbours by the point and the answer, and ask what else is promised."""
        promise, point, value = _promise_of(quantity), first.point, first.number
        turn, not_worst = divmod(first.turn, _WORST_ONE_IN)
        if promise.good_set:
            point = _good_point(promise.good_set, point, seldom=not not_worst and turn % 2 == 1)
            point = point if quantity.admits(exact_point(point)) else first.point
        if point is not first.point:
            value = number_answered(point, ask(quantity.name, point))
        slack = declared.slack.get(quantity.name, Fraction(0))
        proved = promise.good_set is None or promise.good_set.holds_at(exact_point(point))
        promised = _promised(quantity, exact_point(point), value, slack) if proved else None
        if promised is None:
            return Found(point, value, ())
        seed_text = f"{quantity.name}/{sorted(point.items())}/{first.turn}"
        space = promised.spaces[turn % len(promised.spaces)]
        pair = neighbours_in(space, seed_text, worst=not not_worst)
        given: dict[str, Drawn] = {"u": pair.u, "v": pair.v, promise.at: promised.at}
        others = [answered_as(promise.loss, given, None), *_good_set(promise, point, ask, declared)]
        return Found(point, value, tuple(others))

    def verdict_on(
        self,
        witness: Witness,
        slack: Fraction,
        accuracy: Fraction | None,  # noqa: ARG002
        truths: Truths,
    ) -> Ruling:
        """Hold the pair's loss against what was promised."""
        quantity, promise = witness.quantity, _promise_of(witness.quantity)
        good_set = promise.good_set
        proved = good_set is None or good_set.holds_at(witness.parameters)
        promised = _promised(quantity, witness.parameters, witness.value, slack) if proved else None
        if promised is None:
            require(not witness.others, "a pair, where nothing is promised")
            return Ruling(Verdict.CERTIFIED, NOTHING_LOST)
        pair, answered = _read(witness, promise)
        _require_neighbours(pair, promise, promised)
        chance = _chance_given(witness, promise) or answered
        most = _most(promised, chance, truths)
        loss = truths(
            pair.quantity,
            pair.parameters,
            lambda found: held_to(found, most) is not Verdict.UNDECIDED,
        )
        assert isinstance(loss, Enclosure)
        return Ruling(held_to(loss, most), loss)


def _promise_of(quantity: Quantity) -> Promise:
    """Return what a quantity's answers promise; they must promise something."""
    assert quantity.promise is not None
    return quantity.promise


def _promised(
    quantity: Quantity, parameters: Mapping[str, Any], value: Real, slack: Fraction
) -> _Promised | None:
    """Return what an answer promises, moved by the slack; None where it promises nothing.

    An infinite epsilon promises nothing, nor does a step or a k that is not positive, nor any
    answer where there are no neighbours.
    """
    promise = _promise_of(quantity)
    if quantity.safe is Side.UPPER:
        line = value if isinstance(value, float) else _divided(value, 1 - slack, 1 + slack)
    else:
        line = min(value, _LARGEST_SIZE)
        line = line if isinstance(line, float) else _divided(line, 1 + slack, 1 - slack)
        if line <= 0:
            return None
    complete = {"epsilon": Fraction(0), **parameters, promise.answer: line}
    at = max(complete[promise.at], Fraction(0))  # whatever is lost below 0, -inf too, is lost at 0
    at = math.inf if at == math.inf else rounded(Fraction(at), 1)
    if at == math.inf:
        return None
    most = None if promise.good_set else complete[promise.limit]
    spaces = promise.spaces(complete)
    return _Promised(spaces, at, most) if spaces else None


def _good_point(good_set: GoodSet, point: Given, *, seldom: bool) -> Given:
    """Return the point, moved to where the promise is proved, and seldom void if that is asked."""
    if not good_set.holds_at(exact_point(point)):
        point = good_set.admitted(point)
    return good_set.seldom_missed(point) if seldom else point


def _divided(value: Fraction, positive: Fraction, negative: Fraction) -> Fraction:
    return value / (positive if value >= 0 else negative)


def _good_set(promise: Promise, point: Given, ask: Ask, declared: Declared) -> tuple[Answered, ...]:
    """Return the chance that was answered for the good set; or no value, and the truth serves.

    So it is where no chance is answered (laws-of-answers.md, chances-that-are-not-answered), and
    where slack is declared for it, which need then not be known to whoever reads this. A chance
    whose parameters need not be doubles is not written down: it follows from the point.
    """
    if promise.good_set is None or promise.good_set.given:
        return ()
    name = promise.good_set.delta
    given = {each: point[each] for each in quantity_named(name).parameters}
    if not declared.are_asked(name, given) or declared.slack.get(name):
        return (answered_as(name, given, None),)
    return (answered_as(name, given, number_answered(point, ask(name, given))),)


def _read(witness: Witness, promise: Promise) -> tuple[Other, Other | None]:
    """Return the pair of a witness and, where there has to be one, the good set's chance."""
    good_set = promise.good_set
    names = [promise.loss, *([good_set.delta] if good_set and not good_set.given else [])]
    found = [other.quantity.name for other in witness.others]
    require(found == names and not witness.place, "not a pair and what belongs to it")
    pair, *rest = witness.others
    require(pair.value is None, "the loss of a pair is not answered but enclosed")
    if not rest:
        return pair, None
    given = {name: witness.parameters[name] for name in rest[0].quantity.parameters}
    require(rest[0].parameters == given, "the good set is not that of the answer")
    return pair, rest[0]


def _chance_given(witness: Witness, promise: Promise) -> Other | None:
    """Return the chance whose exact parameters follow from the point, if there is one: a truth."""
    good_set = promise.good_set
    if good_set is None or good_set.given is None:
        return None
    return Other(quantity_named(good_set.delta), good_set.given(witness.parameters), None)


def _require_neighbours(pair: Other, promise: Promise, promised: _Promised) -> None:
    u, v, at = (pair.parameters[name] for name in ("u", "v", promise.at))
    adjacent = any(space.are_adjacent(u, v) for space in promised.spaces)  # type: ignore[arg-type]
    require(adjacent, "the two are not neighbours")
    require(at == Fraction(promised.at), f"not the {promise.at} that was answered for")


def require(condition: bool, otherwise: str) -> None:
    """Raise InputError, with what is no case of this relation, unless the condition holds."""
    if not condition:
        raise InputError(f"adjacency: {otherwise}")


def _most(promised: _Promised, chance: Other | None, truths: Truths) -> Most:
    """Return between which numbers the most that may be lost lies, a tie included."""
    if chance is not None and chance.value is None:
        found = truths(chance.quantity, chance.parameters, _is_known)
        assert isinstance(found, Enclosure)
        return Most(tied(found.lower), tied(found.upper))
    most = promised.most if chance is None else chance.value
    assert most is not None
    return Most(tied(most), tied(most))


def tied(most: Real) -> Real:
    """Return what may be lost, and so little more that no precision tells a tie from it."""
    return most * (1 + TIE) if isinstance(most, Fraction) and most > 0 else most


def _is_known(found: Enclosed) -> bool:
    return isinstance(found, Enclosure) and found.is_narrow(_CHANCE_DIGITS)


def held_to(loss: Enclosed, most: Most) -> Verdict:
    """Refuted where more is certainly lost than the most, certified where certainly no more is."""
    assert isinstance(loss, Enclosure)
    if _is_above(loss, most.high) is Trilean.TRUE:
        return Verdict.REFUTED
    certified = _is_above(loss, most.low) is Trilean.FALSE
    return Verdict.CERTIFIED if certified else Verdict.UNDECIDED


def _is_above(loss: Enclosure, line: Real) -> Trilean:
    if isinstance(line, Fraction):
        return loss.is_above(line)
    return Trilean.of(line < 0)
