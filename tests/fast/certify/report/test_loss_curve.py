"""Every point of a curve is proved: the truth is not above it, and nearly as high."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import pytest
from report_pages import audited
from simplexcert.certify.audits.decision import Audit
from simplexcert.certify.mechanisms.questions import Question
from simplexcert.certify.report.page import loss_curve
from simplexcert.certify.report.page.loss_curve import Curve, curve_of
from simplexcert.reference import evaluate

CLAIMS = ("benvenuti2025-grades", "ponnoprat2023-histogram", "song2017-flu", "song2017-network")
NEAR = Fraction(1, 1000)


def drawn(found: Audit) -> Curve:
    curve = curve_of(found.worst, [found.claim.epsilon], found.claim.order)
    assert curve
    return curve


def deciding(found: Audit, key: str) -> Question:
    return next(item for item in found.worst.asked if item.key == key)


def asked_again(question: Question, key: str, at: Fraction) -> tuple[Fraction, Fraction]:
    """Return the sum of the question's terms at another parameter, evaluated sharply."""
    ends = Fraction(0), Fraction(0)
    for term in question.terms:
        point = dict(term.point)
        if key == "epsilon_at_scale" and "scales" in point:
            point["scales"] = tuple(at * scale for scale in point["scales"])  # type: ignore[union-attr, operator]
        else:
            name = {"delta_at_epsilon": "epsilon", "epsilon_at_order": "order"}.get(key, "scale")
            point[name] = at * point[name] if name == "scale" else at  # type: ignore[operator]
        number = evaluate(term.quantity, point).number
        ends = ends[0] + term.times * number.lower, ends[1] + term.times * number.upper  # type: ignore[operator, assignment]
    return ends


@pytest.mark.parametrize("example", CLAIMS)
def test_no_point_is_below_the_truth_and_all_are_near_it(example: str) -> None:
    found = audited(example)
    curve = drawn(found)
    question = deciding(found, curve.key)
    for at, height in curve.points[::8]:
        lower, upper = asked_again(question, curve.key, at)
        assert lower <= upper <= height
        assert height - lower <= NEAR * height


@pytest.mark.parametrize("example", CLAIMS)
def test_a_loss_falls_with_epsilon_and_scale_and_rises_with_the_order(example: str) -> None:
    curve = drawn(audited(example))
    heights = [height for _, height in curve.points]
    rising = curve.key == "epsilon_at_order"
    assert heights == sorted(heights, reverse=not rising)
    assert len(set(heights)) > 10


def test_a_curve_reaches_beyond_what_was_claimed() -> None:
    found = audited("benvenuti2025-grades")
    curve = drawn(found)
    assert curve.points[0][0] == 0
    assert curve.points[-1][0] > found.claim.epsilon


def test_points_that_are_had_first_are_spread_over_the_whole() -> None:
    parts = list(loss_curve._halvings())
    assert len(set(parts)) == len(parts) == 33
    for count in (2, 3, 5, 9, 17, 33):
        first = sorted(parts[:count])
        gaps = {after - before for before, after in pairwise(first)}
        assert gaps == {Fraction(1, count - 1)}


def test_no_curve_is_waited_for_beyond_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loss_curve, "_SECONDS", 0.0)
    found = audited("benvenuti2025-grades")
    assert curve_of(found.worst, [found.claim.epsilon], None) is None


def test_where_nothing_is_asked_there_is_no_curve() -> None:
    worst = audited("benvenuti2025-grades").worst
    nothing = [Question(item.key, item.claimed, ()) for item in worst.asked]
    assert curve_of(replace(worst, asked=tuple(nothing)), [Fraction(1)], None) is None


def test_infinite_divergences_are_left_out() -> None:
    found = audited("ponnoprat2023-histogram")
    limit = Fraction(str(found.worst.facts["largest_order"]))
    curve = curve_of(found.worst, [], limit)  # reaches far beyond the last finite order
    assert curve
    assert max(order for order, _ in curve.points) < limit
