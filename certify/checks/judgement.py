"""The pass-or-fail rule: one answer of a backend against the exact truth.

The answer is compared with the enclosure, and the precision is raised until the comparison is
decided; so "at or above the truth" means just that, with no tolerance. A slack that the backend
declares moves the line, and only the line it declares.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from ...reference.domain import Value
from ...reference.dyadic import Dyadic
from ...reference.enclosure import Enclosure
from ...reference.evaluation import climb_quantity
from ...reference.exact import shown
from ...reference.precision import Budget
from ...reference.quantity import Quantity, Side
from ..verdict import Verdict, overall

# Precision beyond which one case of a campaign is called undecided.
CASE_MAX_BITS = 4096
CASE_MAX_SECONDS = 20.0
# Relative error allowed where a quantity has no safe side and the backend promises nothing.
DEFAULT_ACCURACY = Fraction(1, 10**9)
_SMALLEST_NORMAL = Fraction(sys.float_info.min)


@dataclass(frozen=True)
class Judgement:
    """The verdict on one answer, the truth it was held against, and how far off it is.

    ``ulps`` is a lower bound of the distance in units in the last place of the truth (None where
    there is no finite distance); ``side`` says whether the answer is above or below.
    """

    verdict: Verdict
    truth: Enclosure
    ulps: Fraction | None
    side: str
    reason: str = ""


@dataclass(frozen=True)
class Rule:
    """When an answer passes: ``line(value)`` is what the truth must not lie beyond."""

    check: str
    passes: Callable[[Enclosure, Fraction], Verdict]


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


def _direction(safe: Side, slack: Fraction) -> Rule:
    """The answer is on the safe side of the truth, or wrong by no more than the slack.

    An upper answer v passes when v >= t - slack |t|, that is t <= v/(1 - slack) for v >= 0.
    """
    sign = 1 if safe is Side.UPPER else -1

    def passes(truth: Enclosure, value: Fraction) -> Verdict:
        line = value / (1 - slack if (value >= 0) == (sign > 0) else 1 + slack)
        return _on_side(truth, line, sign)

    return Rule("direction", passes)


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

    def passes(truth: Enclosure, value: Fraction) -> Verdict:
        # |v - t| <= p |t| means that t lies between v/(1 + p) and v/(1 - p).
        low, high = sorted((value / (1 + promised), value / (1 - promised)))
        low, high = min(low, value - _SMALLEST_NORMAL), max(high, value + _SMALLEST_NORMAL)
        return overall([_on_side(truth, high, 1), _on_side(truth, low, -1)])

    return Rule("accuracy", passes)


def judge(quantity: Quantity, exact: Mapping[str, Value], answer: object, rule: Rule) -> Judgement:
    """Hold one answer against the truth. NaN, text, None or an exception never pass."""
    value, reason = real_answer(answer)
    if value is None:
        return Judgement(Verdict.ERROR, Enclosure.nothing_known(), None, "none", reason)
    budget = Budget(CASE_MAX_SECONDS, CASE_MAX_BITS)
    if isinstance(value, float):
        return _judge_infinite(quantity, exact, value, budget)
    climbed = climb_quantity(
        quantity, exact, lambda truth: rule.passes(truth, value) is not Verdict.UNDECIDED, budget
    )
    truth = climbed.enclosure
    if truth == Enclosure.infinite():
        verdict = Verdict.REFUTED  # a finite answer where the truth is infinite
        return Judgement(verdict, truth, None, "below", "the truth is infinite")
    ulps, side = distance(truth, value)
    return Judgement(rule.passes(truth, value), truth, ulps, side)


def _judge_infinite(
    quantity: Quantity, exact: Mapping[str, Value], value: float, budget: Budget
) -> Judgement:
    """An infinite answer passes only where the truth is infinite."""
    truth = climb_quantity(quantity, exact, lambda found: found.is_narrow(2), budget).enclosure
    if truth == Enclosure.infinite() and value > 0:
        return Judgement(Verdict.CERTIFIED, truth, Fraction(0), "at")
    decided = truth.high.is_finite or truth == Enclosure.infinite()
    verdict = Verdict.REFUTED if decided else Verdict.UNDECIDED
    return Judgement(verdict, truth, None, "above" if value > 0 else "below", "infinite answer")


def real_answer(answer: object) -> tuple[Fraction | float | None, str]:
    """Return the double that was answered, exactly (or an infinity), or None and why it is none.

    An answer is an object of the backend's: looking at it may raise anything at all.
    """
    try:
        return _read_answer(answer)
    except Exception as error:  # noqa: BLE001
        return None, f"answered a {type(answer).__name__} that raises {type(error).__name__}"


def _read_answer(answer: object) -> tuple[Fraction | float | None, str]:
    if isinstance(answer, BaseException):
        return None, f"{type(answer).__name__}: {answer}"
    if getattr(answer, "shape", None) == () and hasattr(answer, "item"):
        answer = answer.item()  # a NumPy scalar, or an array of no dimension
    if isinstance(answer, bool) or not isinstance(answer, float | int):
        return None, f"answered {shown(answer)}, which is not a real number"
    try:
        number = float(answer)
    except OverflowError:
        return None, f"answered {shown(answer)}, which is beyond double range"
    if math.isnan(number):
        return None, "answered NaN"
    if isinstance(answer, int) and int(number) != answer:
        return None, f"answered {shown(answer)}, a whole number that is no double"
    return (number if math.isinf(number) else Fraction(number)), ""


def distance(truth: Enclosure, value: Fraction) -> tuple[Fraction | None, str]:
    """Return how many units in the last place the value is off by at least, and on which side."""
    if not (truth.low.is_finite and truth.high.is_finite):
        return None, "unknown"
    low, high = _in_double_range(truth.low), _in_double_range(truth.high)
    unit = Fraction(math.ulp(float(max(abs(low), abs(high)))))
    if value > high:
        return (value - high) / unit, "above"
    if value < low:
        return (low - value) / unit, "below"
    return Fraction(0), "at"


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
