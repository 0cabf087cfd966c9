"""Every point of a curve is proved: the truth is not above it, and nearly as high.

Claims at every edge have a report: no plot where there is nothing to draw, never a failure.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import pytest
from each import each_of
from matplotlib.figure import Figure
from report_pages import Reading, audited, page, taken_apart
from simplexcert.certify.audits.claim import claim_in
from simplexcert.certify.audits.decision import Audit, decide
from simplexcert.certify.certificate.claim import claim_statement_of
from simplexcert.certify.certificate.issuing import claim_subject
from simplexcert.certify.mechanisms.questions import Question
from simplexcert.certify.report.page import loss_plot
from simplexcert.certify.report.page.loss_plot import Curve, curve_of
from simplexcert.certify.verdict import Verdict
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


@each_of("example", CLAIMS)
def test_no_point_is_below_the_truth_and_all_are_near_it(example: str) -> None:
    found = audited(example)
    curve = drawn(found)
    question = deciding(found, curve.key)
    for at, height in curve.points[::8]:
        lower, upper = asked_again(question, curve.key, at)
        assert lower <= upper <= height
        assert height - lower <= NEAR * height


@each_of("example", CLAIMS)
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


def test_an_axis_of_delta_holds_all_points_and_ends_at_1_at_the_most() -> None:
    worst = audited("benvenuti2025-grades").worst
    curve = curve_of(worst, [Fraction(30)], None)
    assert curve
    axes = Figure().subplots()
    loss_plot._draw_loss(axes, curve, [], None, worst)
    assert max(height for _, height in curve.points) <= Fraction(axes.get_ylim()[1]) <= 1


def test_a_small_delta_stands_on_an_axis_as_it_does_in_the_text() -> None:
    axes = Figure().subplots()
    loss_plot._scaled(axes, drawn(audited("benvenuti2025-grades")), 1e-7)
    written = [axes.yaxis.get_major_formatter()(value) for value in (0.1, 1e-5, 1e-12)]
    assert written == ["0.1", "1e-5", "1e-12"]


def test_points_that_are_had_first_are_spread_over_the_whole() -> None:
    parts = list(loss_plot._halvings())
    assert len(set(parts)) == len(parts) == 33
    for count in (2, 3, 5, 9, 17, 33):
        first = sorted(parts[:count])
        gaps = {after - before for before, after in pairwise(first)}
        assert gaps == {Fraction(1, count - 1)}


def test_no_curve_is_waited_for_beyond_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loss_plot, "_CURVE_SECONDS", 0.0)
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


COUNTS = {"mechanism": "dirichlet.counts", "k": "20.6", "eta": "0.073", "N": 98, "n": 5}
IDENTITY = {
    "mechanism": "dirichlet.identity",
    "k": 10,
    "eta": "0.1",
    "eta_bar": "0.1",
    "b": "0.025",
}
IDENTITY["w"] = 3
RENYI = {"mechanism": "dirichlet.renyi", "step": "1/4", "alpha": 5}
ANY_F = {**RENYI, "delta2_squared": 3, "delta_inf": "3/2"}
MATRIX = {
    "mechanism": "dirichlet.matrix", "k": 12, "eta": "0.1", "eta_bar": "0.05", "b": "0.025",
    "w": [2, 3, 9],
}  # fmt: skip
CHAIN = {
    "mechanism": "pufferfish.chain",
    "length": 6,
    "scales": ["4", "8"],
    "chains": [{"initial": "any", "P": [["0.9", "0.1"], ["0.4", "0.6"]]}],
}
# With eta at 1/n, nobody can move: there are no neighbours.
ALONE = {**IDENTITY, "w": 2, "eta": "0.45", "eta_bar": "0.1", "b": 1}
CASES: dict[str, tuple[dict[str, object], dict[str, object]]] = {
    "delta 0": (COUNTS, {"epsilon": 1, "delta": 0}),
    "delta 1": (COUNTS, {"epsilon": 1, "delta": 1}),
    "epsilon 0": (COUNTS, {"epsilon": 0, "delta": "0.01"}),
    "all 0": (COUNTS, {"epsilon": 0, "delta": 0}),
    "huge epsilon": (COUNTS, {"epsilon": "1e9", "delta": "0.01"}),
    "tiny delta": (COUNTS, {"epsilon": 1, "delta": "1e-3000"}),
    "no gamma": (IDENTITY, {"epsilon": 1, "delta": "0.001"}),
    "order 1": (RENYI, {"epsilon": 1, "order": 1}),
    "infinite order": (RENYI, {"epsilon": 1, "order": 1000}),
    "at a delta": (RENYI, {"epsilon": 1, "delta": "1e-6"}),
    "add_remove": ({**RENYI, "neighbours": "add_remove"}, {"epsilon": 1, "order": 3}),
    "any f": (ANY_F, {"epsilon": 1, "order": 3}),
    "any f at a delta": (ANY_F, {"epsilon": 3, "delta": "1e-6"}),
    "rows at an order": (MATRIX, {"epsilon": 1, "order": 3}),
    "several releases": (CHAIN, {"epsilon": 1}),
    "alone": (ALONE, {"epsilon": 1, "delta": "0.001"}),
    "data outside": ({**COUNTS, "counts": [2, 20, 25, 25, 26]}, {"epsilon": 3, "delta": "0.01"}),
}


def decided(name: str) -> Audit:
    release, said = CASES[name]
    return decide(claim_in({"release": release, "claim": said}, "a test"))


def reading_of(found: Audit) -> Reading:
    subject = claim_subject(b"", "claim.toml")
    return taken_apart(page(claim_statement_of(found, [subject]), found))


@each_of("name", CASES)
def test_every_claim_has_a_report(name: str) -> None:
    found = decided(name)
    reading = reading_of(found)
    assert found.verdict.value.capitalize() in reading.text[:400]
    assert reading.names().count("svg") <= 1
    assert "nan" not in "".join(reading.within("td")).lower()


def test_a_delta_of_0_is_drawn_at_the_edge() -> None:
    reading = reading_of(decided("delta 0"))
    assert "claimed (delta = 0, drawn at the edge)" in reading.within("text")


def test_a_bound_that_was_converted_is_drawn_and_nothing_is_ruled_out() -> None:
    reading = reading_of(decided("any f at a delta"))
    assert "A bound on the privacy profile: delta at each epsilon" in reading.within("h2")
    assert "so nothing is ruled out" in reading.text


def test_a_refuted_claim_below_a_bound_is_not_said_to_be_possible() -> None:
    release = {"mechanism": "dirichlet.renyi", "step": "0.8", "alpha": "1.5"}
    release["neighbours"] = "add_remove"
    claimed = {"epsilon": "0.5", "delta": "1e-6"}
    found = decide(claim_in({"release": release, "claim": claimed}, "a claim"))
    assert (found.verdict, found.attained) == (Verdict.REFUTED, False)
    text = reading_of(found).text
    assert "some come as near to it as one likes: what lies below them cannot be true." in text
    assert "so nothing is ruled out" not in text
    # Where other inputs are only known to lose more than is claimed.
    only_nearby = replace(found, worst=replace(found.worst, approached=False))
    text = reading_of(only_nearby).text
    assert "Inputs that lose more than is claimed refute the claim." in text
    assert "so nothing is ruled out" not in text


def test_no_two_sentences_on_a_bound_that_neighbours_come_near_to_contradict_each_other() -> None:
    release = {"mechanism": "dirichlet.renyi", "step": "0.8", "alpha": "1.5"}
    release["neighbours"] = "add_remove"
    claimed = {"epsilon": "5", "delta": "1e-2"}
    found = decide(claim_in({"release": release, "claim": claimed}, "a claim"))
    reading = reading_of(found)
    assert (found.verdict, found.attained) == (Verdict.CERTIFIED, False)
    assert "come as near to it as one likes" in reading.text
    assert "nothing is ruled out" not in reading.text
    assert any("ruled out" in text for text in reading.within("text"))


def test_data_below_the_floor_are_named_as_the_reason() -> None:
    found = decided("data outside")
    assert found.verdict is not Verdict.CERTIFIED
    assert "The data that were looked at" in reading_of(found).text
