"""What is promised of neighbours holds for neighbours that are drawn."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from ....reference.adjacency import Neighbourhood
from ....reference.enclosure import Enclosure, Trilean
from ....reference.enclosures import Enclosed
from ....reference.errors import InputError
from ....reference.quantity import Quantity, Side, quantity_named
from ....reference.relations import GoodSet, Promise
from ...backends.answers import Real
from ...points import Answered, Drawn, Given, exact_point
from ...verdict import Verdict
from .law import (
    Ask,
    Declared,
    First,
    Found,
    Other,
    Truths,
    Witness,
    answered_as,
    number_answered,
    rounded,
)
from .neighbours import neighbours_in
from .tolerances import TIE, point_at

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

    def applies_to(self, quantity: Quantity) -> bool:
        """Whether an answer promises anything of neighbours."""
        return quantity.promise is not None

    def needs(self, quantity: Quantity) -> tuple[str, ...]:  # noqa: ARG002
        """Return nothing: where no chance of the good set is answered, its truth serves."""
        return ()

    def found(self, quantity: Quantity, first: First, ask: Ask, declared: Declared) -> Found:
        """Choose two neighbours by the point and the answer, and ask what else is promised."""
        promise, point, value = _promise_of(quantity), first.point, first.number
        turn, not_worst = divmod(first.turn, _WORST_ONE_IN)
        if promise.good_set:
            point = _good_point(promise.good_set, point, seldom=not not_worst and turn % 2 == 1)
        if point is not first.point:
            value = number_answered(point, ask(quantity.name, point))
        slack = declared.slack.get(quantity.name, Fraction(0))
        promised = _promised(quantity, exact_point(point), value, slack)
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
    ) -> tuple[Verdict, Enclosure]:
        """Hold the pair's loss against what was promised."""
        quantity, promise = witness.quantity, _promise_of(witness.quantity)
        good_set = promise.good_set
        if good_set and not good_set.holds_at(witness.parameters):
            raise InputError(f"adjacency: nothing is proved of {quantity.name} at this point")
        promised = _promised(quantity, witness.parameters, witness.value, slack)
        if promised is None:
            _require(not witness.others, "a pair, where nothing is promised")
            return Verdict.CERTIFIED, NOTHING_LOST
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
        return held_to(loss, most), loss


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
    if name not in declared.answers or declared.slack.get(name):
        return (answered_as(name, given, None),)
    return (answered_as(name, given, number_answered(point, ask(name, given))),)


def _read(witness: Witness, promise: Promise) -> tuple[Other, Other | None]:
    """Return the pair of a witness and, where there has to be one, the good set's chance."""
    good_set = promise.good_set
    names = [promise.loss, *([good_set.delta] if good_set and not good_set.given else [])]
    found = [other.quantity.name for other in witness.others]
    _require(found == names and not witness.place, "not a pair and what belongs to it")
    pair, *rest = witness.others
    _require(pair.value is None, "the loss of a pair is not answered but enclosed")
    if not rest:
        return pair, None
    given = {name: witness.parameters[name] for name in rest[0].quantity.parameters}
    _require(rest[0].parameters == given, "the good set is not that of the answer")
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
    _require(adjacent, "the two are not neighbours")
    _require(at == Fraction(promised.at), f"not the {promise.at} that was answered for")


def _require(condition: bool, otherwise: str) -> None:
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
