"""The pass-or-fail rule: one answer of a backend against the exact truth.

The answer is compared with the enclosure, and the precision is raised until the comparison is
decided; so "at or above the truth" means just that, with no tolerance. A slack that the backend
declares moves the line, and only the line it declares.

A vector or a matrix is judged entry by entry, and is as good as its worst entry. Its accuracy is
measured against its largest entry, as is usual: entries that cancel have none of their own.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Protocol

from ...reference.domain import Value
from ...reference.dyadic import Dyadic
from ...reference.enclosure import Enclosed, Enclosure, Place, entries_of, entry_at, largest_size
from ...reference.evaluation import climb_quantity
from ...reference.likely import looking_near
from ...reference.precision import ProcessorBudget
from ...reference.quantity import Quantity, Side, Truth, quantity_named
from ..backends.answers import Real, Reals, of_one_shape, placed, real_answers, shape_of
from ..points import Note
from ..verdict import GRAVEST_FIRST, Verdict, overall

# Precision, and seconds of the processor, beyond which a case of a campaign is called undecided.
CASE_MAX_BITS = 4096
CASE_MAX_SECONDS = 20.0
# Relative error allowed where a quantity has no safe side and the backend promises nothing.
DEFAULT_ACCURACY = Fraction(1, 10**9)
# The checks that hold an answer against its truth; all others are relations.
AGAINST_THE_TRUTH = ("direction", "accuracy")
_NOTHING = Enclosure.nothing_known()
_SMALLEST_NORMAL = Fraction(sys.float_info.min)


@dataclass(frozen=True)
class Judgement:
    """The verdict on one answer, the truth it was held against, and how far off it is.

    ``ulps`` is a lower bound of the distance in units in the last place of the truth (None where
    there is no finite distance); ``side`` says whether the answer is above or below. Of an array
    it is the worst entry's judgement, ``place`` says which one that is, counted from 1, and
    ``value`` is what was answered there (None if that was no number).
    """

    verdict: Verdict
    truth: Enclosure
    ulps: Fraction | None
    side: str
    reason: str = ""
    value: Real | None = None
    place: Place = ()


@dataclass(frozen=True)
class Rule:
    """When an answer passes. Of an array's entry, the last argument is the largest one's size.

    ``infinite`` is the infinity that passes wherever the truth is finite, if there is one.
    """

    check: str
    passes: Callable[[Enclosure, Fraction, Enclosure | None], Verdict]
    infinite: float | None = None


class Checked(Protocol):
    """What one check of a quantity found, in a campaign, a certificate or a CI."""

    @property
    def quantity(self) -> str:
        """The quantity's name."""

    @property
    def check(self) -> str:
        """The check's name."""

    @property
    def verdict(self) -> Verdict:
        """Its verdict on all cases."""


def not_shown_sound(checks: Iterable[Checked]) -> set[str]:
    """Return the quantities whose answers a check against the truth does not apply to."""
    return {
        one.quantity
        for one in checks
        if one.check in AGAINST_THE_TRUTH and one.verdict is Verdict.INAPPLICABLE
    }


def overall_of_checks(checks: Sequence[Checked]) -> Verdict:
    """Return the verdict of all checks of a backend: the gravest one's.

    A relation says how answers go with each other, and nothing of whether they are sound: where
    the check against the truth is inapplicable, what a quantity's relations certify counts for
    nothing.
    """
    aside = not_shown_sound(checks)
    return overall(
        one.verdict
        for one in checks
        if one.quantity not in aside or one.verdict is not Verdict.CERTIFIED
    )


def rules_for(
    quantity: Quantity, slack: Mapping[str, Fraction], accuracy: Mapping[str, Fraction]
) -> list[Rule]:
    """Return the checks that apply to a quantity under a backend's own declarations."""
    admitted = slack.get(quantity.name, Fraction(0))
    promised = accuracy.get(quantity.name)
    rules = []
    if quantity.safe is Side.NONE:
        promised = DEFAULT_ACCURACY if promised is None else promised
    else:
        rules.append(_direction(quantity.safe, admitted))
    if promised is not None:
        rules.append(_accuracy(promised))
    return rules


def admitted_slack(
    quantity: Quantity, slack: Mapping[str, Fraction], accuracy: Mapping[str, Fraction]
) -> Fraction:
    """Return the relative error on an unsafe side that passes under a backend's declarations.

    That is the slack. Without a safe side either is unsafe: an accuracy beyond the usual one is
    slack as well.
    """
    share = slack.get(quantity.name, Fraction(0))
    promised = accuracy.get(quantity.name, Fraction(0))
    if quantity.safe is Side.NONE and promised > DEFAULT_ACCURACY:
        return max(share, promised)
    return share


def _direction(safe: Side, slack: Fraction) -> Rule:
    """The answer is on the safe side of the truth, or wrong by no more than the slack.

    An upper answer v passes when v >= t - slack |t|, that is t <= v/(1 - slack) for v >= 0.
    """
    sign = 1 if safe is Side.UPPER else -1

    def passes(truth: Enclosure, value: Fraction, _largest: Enclosure | None) -> Verdict:
        line = value / (1 - slack if (value >= 0) == (sign > 0) else 1 + slack)
        return _on_side(truth, line, sign)

    return Rule("direction", passes, sign * math.inf)


def _on_side(truth: Enclosure, line: Fraction, sign: int) -> Verdict:
    """Whether the truth is at or below the line (sign +1), or at or above it (sign -1)."""
    if truth.exact is not None:
        return Verdict.CERTIFIED if sign * (line - truth.exact) >= 0 else Verdict.REFUTED
    inner, outer = (truth.high, truth.low) if sign > 0 else (truth.low, truth.high)
    if sign * inner.compared_with(line) <= 0:
        return Verdict.CERTIFIED
    return Verdict.REFUTED if sign * outer.compared_with(line) > 0 else Verdict.UNDECIDED


def _accuracy(promised: Fraction) -> Rule:
    """The answer is within a relative error of the truth, on either side.

    Below the smallest normal double, where doubles have no relative accuracy to promise, one
    such double is allowed instead.
    """

    def passes(truth: Enclosure, value: Fraction, largest: Enclosure | None) -> Verdict:
        if largest is not None:
            return _near(truth, value, promised, largest)
        # |v - t| <= p |t| means that t lies between v/(1 + p) and v/(1 - p).
        low, high = sorted((value / (1 + promised), value / (1 - promised)))
        low, high = min(low, value - _SMALLEST_NORMAL), max(high, value + _SMALLEST_NORMAL)
        return overall([_on_side(truth, high, 1), _on_side(truth, low, -1)])

    return Rule("accuracy", passes)


def _near(truth: Enclosure, value: Fraction, promised: Fraction, largest: Enclosure) -> Verdict:
    """Whether the truth is within a share of the largest entry's size, which is enclosed too."""
    if not largest.high.is_finite:
        return Verdict.UNDECIDED
    least = max(promised * Fraction(largest.lower), _SMALLEST_NORMAL)
    inside = (_on_side(truth, value + least, 1), _on_side(truth, value - least, -1))
    if inside == (Verdict.CERTIFIED, Verdict.CERTIFIED):
        return Verdict.CERTIFIED
    most = max(promised * Fraction(largest.upper), _SMALLEST_NORMAL)
    outside = (_on_side(truth, value + most, 1), _on_side(truth, value - most, -1))
    return Verdict.REFUTED if Verdict.REFUTED in outside else Verdict.UNDECIDED


def judge(
    quantity: Quantity,
    exact: Mapping[str, Value],
    answer: object,
    rule: Rule,
    bits: int | None = None,
) -> Judgement:
    """Hold one answer against the truth. NaN, text, None or an exception never pass.

    Undecided is what would need more than so many bits, by default what a case may take.
    """
    bits = CASE_MAX_BITS if bits is None else bits
    values, reason = real_answers(answer)
    if values is None:
        return _error(reason)
    given = list(placed(values))

    def decided(truth: Enclosed) -> bool:
        return not of_one_shape(truth, values) or Verdict.UNDECIDED not in _verdicts(
            rule, truth, given
        )

    budget = ProcessorBudget(CASE_MAX_SECONDS, bits)
    with looking_near(root_at(quantity, values)):
        truth = climb_quantity(quantity, exact, decided, budget).enclosure
    if truth == _NOTHING or (isinstance(values, tuple) and truth == quantity.within):
        return Judgement(Verdict.UNDECIDED, _NOTHING, None, "unknown")  # there was no time for it
    if not of_one_shape(truth, values):
        return _error(f"answered {shape_of(values)} where {shape_of(truth)} is asked for")
    worst = max(_each_judged(rule, truth, given), key=_gravity)
    if worst.verdict is not Verdict.REFUTED or not is_printed(quantity, rule):
        return worst

    def enclosed(
        least: Quantity, point: Mapping[str, Value], shown: Callable[[Enclosed], bool]
    ) -> Enclosed:
        limits = ProcessorBudget(CASE_MAX_SECONDS, bits)
        return climb_quantity(least, point, shown, limits).enclosure

    found = beyond_the_least(quantity, exact, rule, worst.value, enclosed)
    reason = worst.reason if found is Verdict.REFUTED else not_shown(quantity)
    return replace(worst, verdict=found, reason=reason)


def root_at(quantity: Quantity, answer: Reals) -> Fraction | None:
    """Return where the truth may be, if it is a root: by what was answered. It decides nothing."""
    return answer if quantity.inverse is not None and isinstance(answer, Fraction) else None


def is_printed(quantity: Quantity, rule: Rule) -> bool:
    """Whether an answer that fails by this rule need not be unsound: it is held to a formula."""
    return quantity.truth is Truth.PRINTED and rule.check == "direction"


def not_shown(quantity: Quantity) -> str:
    """Return what is said of an answer beyond a printed number and not beyond the least."""
    side = "above" if quantity.safe is Side.LOWER else "below"
    return f"{side} what {quantity.name} prints; that it is unsound is not shown"


def shows_nothing(quantity: Quantity, counts: Counts) -> str:
    """Return why a check against the truth does not apply, though answers were held against it."""
    if counts.say_enough:
        return f"an answer is {not_shown(quantity)}"
    return (
        f"of {counts.cases} answers to {quantity.name} {counts.open} could say something, and "
        f"{counts.trivial} of these say nothing"
    )


def beyond_the_least(
    quantity: Quantity,
    exact: Mapping[str, Value],
    rule: Rule,
    value: Real | None,
    enclosed: Callable[[Quantity, Mapping[str, Value], Callable[[Enclosed], bool]], Enclosed],
) -> Verdict:
    """Return the verdict on an answer that is beyond what a printed quantity gives.

    Refuted where it is certainly beyond the least sound number as well, which the registry names,
    or beyond every number; else inapplicable. ``enclosed`` encloses a quantity until the function
    that it is given holds.
    """
    if isinstance(value, float) and (value < 0) == (quantity.safe is Side.UPPER):
        return Verdict.REFUTED
    point = None if quantity.least is None else quantity.least.point(exact)
    if quantity.least is None or point is None or value is None:
        return Verdict.INAPPLICABLE

    def shown(truth: Enclosed) -> bool:
        return verdict_on(rule, truth, (), value) is not Verdict.UNDECIDED

    truth = enclosed(quantity_named(quantity.least.quantity), point, shown)
    found = verdict_on(rule, truth, (), value)
    return found if found is Verdict.REFUTED else Verdict.INAPPLICABLE


def note_of(quantity: Quantity, check: str, value: Real | None, truth: Enclosure) -> Note:
    """Return whether the end of the range is all that can be said, or is all that was said.

    That end is infinity, 1 or the like of an upper bound, 0 or minus infinity of a lower one; of an
    array its worst entry tells. More can be said where some other double certainly is safe.
    """
    if check != "direction" or value is None:
        return ""
    sign = 1 if quantity.safe is Side.UPPER else -1
    end = float(quantity.within.upper if sign > 0 else quantity.within.lower)
    near = truth.high if sign > 0 else truth.low
    if sign * near.compared_with(Fraction(math.nextafter(end, -sign * math.inf))) > 0:
        return "closed"
    return "trivial" if sign * value >= sign * end else ""


@dataclass(frozen=True)
class Counts:
    """How many cases of a check there were, and of what sort.

    Of a check against the truth ``open`` are those where more can be said than the end of the range
    that is always safe, ``trivial`` those of them that have that end for an answer. Of a relation
    ``loose`` are coarser than need be.
    """

    cases: int = 0
    wrong: int = 0
    errors: int = 0
    open: int = 0
    trivial: int = 0
    loose: int = 0

    @classmethod
    def of(cls, verdicts: Mapping[Verdict, int], notes: Mapping[Note, int], check: str) -> Counts:
        """Return the counts of a check from how often there was which verdict, and which note."""
        cases, trivial = sum(verdicts.values()), notes.get("trivial", 0)
        errors = verdicts.get(Verdict.ERROR, 0)
        is_held = check in AGAINST_THE_TRUTH
        opened = cases - notes.get("closed", 0) - errors if is_held else 0
        wrong = verdicts.get(Verdict.REFUTED, 0)
        return cls(cases, wrong, errors, opened, trivial, notes.get("loose", 0))

    @property
    def say_enough(self) -> bool:
        """Whether at least half of the open cases, and one, have an answer that says something."""
        return self.open > self.trivial and 2 * self.trivial <= self.open

    def verdict(self, check: str, of_cases: Verdict) -> Verdict:
        """Return the verdict on a check, given that on its cases: sound answers may say nothing."""
        if of_cases is Verdict.CERTIFIED and check in AGAINST_THE_TRUTH and not self.say_enough:
            return Verdict.INAPPLICABLE
        return of_cases


def _error(reason: str) -> Judgement:
    return Judgement(Verdict.ERROR, _NOTHING, None, "none", reason)


def verdict_on(rule: Rule, truth: Enclosed, place: Place, value: Real) -> Verdict:
    """Apply a rule to what was answered for a number, whose place is (), or for an entry.

    Where the truth is infinite, only that passes, or any answer below it where that is the safe
    side. Elsewhere an infinite answer passes on the safe side, where it says nothing, and no other.
    """
    return _verdict_on(rule, entry_at(truth, place), value, largest_size(truth) if place else None)


def _verdict_on(rule: Rule, entry: Enclosure, value: Real, largest: Enclosure | None) -> Verdict:
    if entry == Enclosure.infinite():
        passes = value == math.inf or rule.infinite == -math.inf
        return Verdict.CERTIFIED if passes else Verdict.REFUTED
    if isinstance(value, float):
        if value == rule.infinite:
            return Verdict.CERTIFIED
        return Verdict.REFUTED if entry.high.is_finite or value < 0 else Verdict.UNDECIDED
    return rule.passes(entry, value, largest)


def _verdicts(
    rule: Rule, truth: Enclosed, given: Sequence[tuple[Place, Real]]
) -> Iterator[Verdict]:
    """Yield the verdict on each entry of an answer that has the truth's shape, in order."""
    largest = largest_size(truth)
    for (place, entry), (_, value) in zip(entries_of(truth), given, strict=True):
        yield _verdict_on(rule, entry, value, largest if place else None)


def _each_judged(
    rule: Rule, truth: Enclosed, given: Sequence[tuple[Place, Real]]
) -> Iterator[Judgement]:
    """Yield the judgement on each entry of an answer that has the truth's shape, in order."""
    largest = largest_size(truth)
    verdicts = _verdicts(rule, truth, given)
    for verdict, (place, entry), (_, value) in zip(verdicts, entries_of(truth), given, strict=True):
        ulps, side, reason = off_by(entry, value, largest)
        yield Judgement(verdict, entry, ulps, side, reason, value, place)


def off_by(entry: Enclosure, value: Real, largest: Enclosure) -> tuple[Fraction | None, str, str]:
    """Return how far off an answer is, on which side, and why there is no distance."""
    if isinstance(value, float):
        if entry == Enclosure.infinite() and value > 0:
            return Fraction(0), "at", ""
        return None, "above" if value > 0 else "below", "infinite answer"
    if entry == Enclosure.infinite():
        return None, "below", "the truth is infinite"
    return *distance(entry, value, largest), ""


def _gravity(judged: Judgement) -> tuple[int, bool, Fraction]:
    """Return how bad an entry's judgement is, for comparison."""
    far = Fraction(0) if judged.ulps is None else judged.ulps
    return -GRAVEST_FIRST.index(judged.verdict), judged.ulps is None, far


def distance(truth: Enclosure, value: Fraction, largest: Enclosure) -> tuple[Fraction | None, str]:
    """Return how many units in the last place the value is off by at least, and on which side.

    The place is the last of the truth, or of the largest entry's size where this is an entry.
    """
    if not (truth.low.is_finite and truth.high.is_finite and largest.high.is_finite):
        return None, "unknown"
    high = _in_double_range(truth.high)
    if value > high:
        return (value - high) / _unit_at(largest.high), "above"
    low = _in_double_range(truth.low)
    if value < low:
        return (low - value) / _unit_at(largest.high), "below"
    return Fraction(0), "at"


@lru_cache(maxsize=4)  # the entries of an array have one
def _unit_at(end: Dyadic) -> Fraction:
    return Fraction(math.ulp(float(_in_double_range(end))))


def _in_double_range(end: Dyadic) -> Fraction:
    """Return the endpoint, or the nearest number that doubles reach: distances are reports only."""
    leading = end.mantissa.bit_length() + end.exponent
    if leading < sys.float_info.min_exp - sys.float_info.mant_dig:
        return Fraction(0)
    largest = Fraction(sys.float_info.max)
    if leading > sys.float_info.max_exp:
        return largest if end.mantissa > 0 else -largest
    exact = end.as_fraction()
    return min(max(Fraction(exact), -largest), largest)
