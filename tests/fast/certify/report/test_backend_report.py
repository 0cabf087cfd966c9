"""A backend's report says what its certificate says, in numbers that a person can read."""

from __future__ import annotations

from dataclasses import replace as changed

import pytest
from each import each_of
from msgspec.structs import replace
from report_pages import Reading, backend, page, stated, taken_apart
from simplexcert.certify.campaign import certify_backend
from simplexcert.certify.certificate.models import Sample, Statement
from simplexcert.certify.points import Answered
from simplexcert.certify.report.campaign_wording import RELATIONS, TOO_FAR, case_said
from simplexcert.certify.report.campaigns import violations
from simplexcert.certify.report.page.backend import error_picture, group_of
from simplexcert.certify.verdict import Verdict

DELTA, STEP, PLAIN = (
    "dirichlet.profile.delta",
    "dirichlet.profile.step_for_dp",
    "dirichlet.utility.variance",
)


def with_check(**fields: object) -> Statement:
    statement = backend()
    first, *others = statement.predicate.checks
    predicate = replace(statement.predicate, checks=[replace(first, **fields), *others])
    return replace(statement, predicate=predicate)


def reading_of(statement: Statement) -> Reading:
    return taken_apart(page(statement))


def one(quantity: str, side: str, ulps: str = "2.5", size: str = "0x1.0p+0") -> Sample:
    return Sample(quantity, "direction", ulps, side, size)  # type: ignore[arg-type]


def test_every_check_stands_in_the_report() -> None:
    reading = reading_of(backend())
    for check in backend().predicate.checks:
        assert check.quantity in reading.within("th")
        assert check.second in reading.within("td")
        assert str(check.cases) in reading.within("td")


def test_a_worst_case_is_told_in_decimals_and_exactly() -> None:
    worst = backend().predicate.checks[0].worst
    assert worst
    reading = reading_of(backend())
    for value in (*worst.parameters.values(), worst.value):
        assert isinstance(value, str)
        assert repr(float.fromhex(value)) in reading.text
        assert value in reading.within("code")
    assert f"between {worst.lower} and {worst.upper}" in reading.text


def test_only_an_answer_on_the_unsafe_side_is_said_to_be_one() -> None:
    told = {
        check: "on the wrong side of the truth" in reading_of(with_verdicts(check)).text
        for check in ("direction", "accuracy", "determinism", "adjacency")
    }
    assert told == {"direction": True, "accuracy": False, "determinism": False, "adjacency": True}


def with_verdicts(refuted: str) -> Statement:
    checks = [
        replace(one, verdict=Verdict.REFUTED) if one.check == refuted else one
        for one in backend().predicate.checks
    ]
    predicate = replace(backend().predicate, checks=checks, verdict=Verdict.REFUTED)
    return replace(backend(), predicate=predicate)


def test_a_refuted_check_is_shown_at_once_and_others_on_demand() -> None:
    def is_open(statement: Statement) -> list[bool]:
        found = [attributes for tag, attributes in reading_of(statement).tags if tag == "details"]
        # Behind the plot's table stand the worst cases, before the files.
        return ["open" in attributes for attributes in found[1:-1]]

    assert not any(is_open(backend()))
    assert any(is_open(with_check(verdict=Verdict.REFUTED)))


def test_the_sentence_counts_answers_once_however_many_checks_judge_them() -> None:
    statement = backend()
    assert [one.cases for one in statement.predicate.checks[:2]] == [12, 12]
    assert len(statement.predicate.checks) > 2
    assert "this software answered at 12 points" in reading_of(statement).text


@each_of(
    "quantity, side, group",
    [
        (DELTA, "above", "on the safe side"),
        (DELTA, "at", "on the safe side"),
        (DELTA, "below", "on the unsafe side"),
        (STEP, "below", "on the safe side"),
        (STEP, "above", "on the unsafe side"),
        (PLAIN, "above", "of a quantity without a safe side"),
        ("no.such.quantity", "above", "of a quantity without a safe side"),
    ],
)
def test_an_answer_is_drawn_by_its_side(quantity: str, side: str, group: str) -> None:
    assert group_of(one(quantity, side)) == group


def test_answers_without_a_finite_place_are_left_to_the_table() -> None:
    sample = [one(DELTA, "above"), one(DELTA, "above", "unbounded"), one(DELTA, "at", size="inf")]
    picture = error_picture(sample)
    assert picture
    assert len(picture.rows) == 3
    assert "2 of them have no finite place" in picture.notes[1]
    assert "on the safe side (1)" in picture.svg


def test_where_nothing_can_be_drawn_there_is_no_plot() -> None:
    assert error_picture([]) is None
    assert error_picture([one(DELTA, "above", "unbounded")]) is None
    predicate = replace(backend().predicate, sample=[])
    assert "svg" not in reading_of(replace(backend(), predicate=predicate)).names()


@each_of(
    "value, lower, upper, off",
    [
        ("0x1.0p+1", "1", "1", ", off by 1, below the truth"),
        ("0x1.8p-1", "1", "1.1", ", off by 0.228, below the truth"),
        ("0x0.0p+0", "4.2e-445", "4.3e-445", ", off by 0.977, below the truth"),
        ("0x1.0p-30", "0", "0", ", off by 9.32e-10 (absolute), below the truth"),
        ("0x1.0p+0", "0.9", "1.1", ", below the truth"),
        ("inf", "1", "1", ""),
        ("0x1.0p+0", "-inf", "inf", ""),
        ("0x1.0p+0", "1e-99999", "2e-99999", ""),
        ("ValueError('no')", "1", "1", ""),
    ],
)
def test_how_far_off_the_worst_answer_is_is_told_as_a_share_of_the_truth(
    value: str, lower: str, upper: str, off: str
) -> None:
    """Units in the last place would be astronomic: 4510000000000000 of them for 2 in place of 1."""
    (check, *_) = backend().predicate.checks
    assert check.worst
    worst = replace(check.worst, value=value, lower=lower, upper=upper)
    text = reading_of(with_check(worst=worst, side="below", ulps="4510000000000000")).text
    assert f"{check.quantity}, {check.check}: {check.verdict.value}{off}\n" in text
    assert "4510000000000000" not in text
    assert "4.51e+15" not in text


MATRIX = [["0x1.0000000000000p-1", "0x1.0000000000000p-1"], [1, "0x0.0p+0"]]


@pytest.mark.parametrize(
    ("entry", "said"),
    [([1, 2], "row 1, column 2 of the answer"), ([2], "number 2 of the answer"), ([], None)],
)
def test_the_worst_entry_of_an_array_is_named(entry: list[int], said: str | None) -> None:
    worst = backend().predicate.checks[0].worst
    assert worst
    changed = replace(worst, entry=entry, parameters={"P": MATRIX})
    cells = reading_of(with_check(worst=changed)).within("dd")
    assert [cell for cell in cells if "of the answer" in cell] == ([said] if said else [])
    assert "[[0.5, 0.5], [1, 0.0]] " in cells


@each_of(
    "accuracy, said",
    [
        ("3961408125713217/39614081257132168796771975168", "at most 1e-13 "),
        ("1/2", "at most 0.5 "),
        ("1/3", "at most 1/3"),
        ("1/0", "at most 1/0"),
        ("9" * 400, "at most 9999999"),
    ],
)
def test_a_promise_is_told_as_it_was_written(accuracy: str, said: str) -> None:
    cells = reading_of(with_check(accuracy=accuracy)).within("dd")
    assert any(said in cell for cell in cells)


# --- Laws and samplers --------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["backend", "backend-lawless"])
def test_a_laws_case_says_what_it_compares_with(name: str) -> None:
    reading = reading_of(stated(name))
    run = [one for one in stated(name).predicate.checks if one.worst and one.check in RELATIONS]
    for check in run:
        assert check.worst
        for other in check.worst.others:
            assert other.quantity in reading.text
            for value in (*other.parameters.values(), other.value):
                assert value is None or isinstance(value, list) or value in reading.within("code")
    for law in {check.check for check in run}:
        assert law in reading.within("em")
        assert RELATIONS[law].ends in reading.within("dt")
    certified = [one for one in run if one.verdict is Verdict.CERTIFIED]
    kept = {RELATIONS[one.check].kept for one in certified if not one.loose}
    assert kept <= set(reading.within("p"))


def test_a_broken_law_is_told_of_in_its_own_sentence() -> None:
    told = reading_of(stated("backend-lawless")).within("p")
    assert RELATIONS["determinism"].broken in told
    assert f"{TOO_FAR} That is safe: no accuracy is promised." in told
    assert RELATIONS["inverse"].broken not in told


@each_of("law", RELATIONS)
@each_of("verdict", Verdict)
def test_every_verdict_on_a_law_has_a_sentence_that_says_no_more(
    law: str, verdict: Verdict
) -> None:
    said = case_said(law, verdict)
    assert bool(said) is (verdict in (Verdict.CERTIFIED, Verdict.REFUTED, Verdict.UNDECIDED))
    assert (said == RELATIONS[law].kept) is (verdict is Verdict.CERTIFIED)
    assert case_said("direction", verdict) == ""


def test_a_law_without_a_distance_shows_none() -> None:
    text = reading_of(stated("backend")).text
    assert "unbounded" not in text
    assert "dirichlet.profile.delta, monotone: certified\n" in text
    assert "dirichlet.profile.delta, determinism: certified, at the first answer\n" in text


def test_samplers_are_told_with_every_test() -> None:
    statement = stated("backend-drawing")
    reading = reading_of(statement)
    assert "Samplers" in reading.within("h2")
    rows = reading.within("td")
    for sampler in statement.predicate.samplers:
        for test in sampler.tests:
            assert str(test.count) in rows
            assert any(test.probability.upper in row for row in rows)
    assert "Samplers" not in reading_of(stated("backend")).within("h2")


def test_what_failed_is_a_line_for_each_check() -> None:
    campaign = certify_backend(
        "simplexcert.certify.backends.float64:backend", quantities=DELTA, cases=4
    )
    assert list(violations(campaign.checks)) == []
    (first, *_) = campaign.checks
    assert first.worst
    told = Answered(DELTA, first.worst.parameters, "0x1.8p-1")
    truth = Answered("dirichlet.pair.delta", first.worst.parameters, None)
    for check, words, others, says in (
        ("direction", "is on the unsafe side of the truth", (), "truth in ["),
        ("determinism", "is not the same for the same call", (told,), "Asked twice, two answers."),
        ("inverse", "does not keep its target", (truth,), "does not keep the target."),
        ("inverse", "is needlessly far", (truth, told), "half as far would have done"),
        (
            "adjacency",
            "promises less loss than two neighbours show",
            (truth,),
            "At what was answered more is lost: by this pair of adjacent inputs",
        ),
    ):
        worst = changed(first.worst, check=check, others=others, verdict=Verdict.REFUTED)
        failed = changed(first, check=check, worst=worst, verdict=Verdict.REFUTED)
        line, counted = violations([failed])
        assert counted.lstrip().startswith("0 of 4 cases fail")
        assert line.startswith(f"refuted: {DELTA} {words} ({check}) at ")
        assert says in line
        assert "\n" not in line
        assert (": 0.75" in line) is (told in others)
