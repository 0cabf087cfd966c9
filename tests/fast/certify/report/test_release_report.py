"""A release's report says what its certificate says, and what that means."""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace
from report_pages import Reading, audited, page, release, taken_apart
from simplexcert.certify.audits.decision import Audit, Repair
from simplexcert.certify.certificate.models import ClaimStatement
from simplexcert.certify.mechanisms.protocol import Parts
from simplexcert.certify.report.because import would_do
from simplexcert.certify.report.wording import fails_first, said_exactly, worst_rows
from simplexcert.certify.verdict import Verdict

GRADES, TRAFFIC, FLU = "benvenuti2025-grades", "fallin2023-traffic", "song2017-flu"
WARDS, TAXI = "markov-model", "benvenuti2025-taxi"


def reading_of(example: str) -> Reading:
    return taken_apart(page(release(example), audited(example)))


def replace_worst(found: Audit, **said: Any) -> Audit:
    return dataclasses.replace(found, worst=dataclasses.replace(found.worst, **said))


def undecided(statement: ClaimStatement) -> ClaimStatement:
    predicate = replace(statement.predicate, verdict=Verdict.UNDECIDED)
    return replace(statement, predicate=predicate)


def test_a_number_too_long_for_a_sentence_is_told_by_decimals_around_it() -> None:
    lower, upper = said_exactly(1 - Fraction(1, 10**46)).removeprefix("between ").split(" and ")
    assert Fraction(lower) < 1 - Fraction(1, 10**46) < Fraction(upper) == 1
    assert said_exactly(Fraction(1, 3)) == "1/3"


def test_every_sentence_of_the_certificate_stands_in_the_report() -> None:
    for example in (GRADES, TRAFFIC, WARDS):
        text, predicate = reading_of(example).text, release(example).predicate
        for item in predicate.hypotheses:
            assert item.statement in text
            assert item.source in text
            assert item.note in text
        assert all(sentence in text for sentence in predicate.non_claims)
        assert all(item.lower in text and item.upper in text for item in predicate.evidence)


def test_a_true_claim_is_put_into_plain_words() -> None:
    text = reading_of(GRADES).text
    # e^2.255 is 9.5353..., rounded up
    assert "either one makes it at most 9.54 times as likely as the other, plus 0.0026." in text
    assert "differential privacy with epsilon = 2.255, delta = 0.0026" in text
    assert "the exact epsilon at delta = 0.0026 is at most 0.5707, no more than the claimed" in text
    assert "at least 74 % of epsilon: 0.5707 would do" in text


def test_a_false_claim_comes_with_the_inputs_that_refute_it() -> None:
    reading = reading_of(TRAFFIC)
    assert "The claim is false" in reading.text
    assert "The inputs that refute the claim" in reading.within("h2")
    assert "matrices with (0.1, 0.1125) and (0.1125, 0.1)" in reading.text


def test_what_would_do_stands_in_the_report_as_in_the_text() -> None:
    found = dataclasses.replace(audited(TRAFFIC), would_do=(Repair("k", "2.5", "the largest"),))
    text = taken_apart(page(release(TRAFFIC), found)).text
    assert all(said in text for label, said in would_do(found))
    assert "What would do" not in reading_of(TRAFFIC).within("h2")


def test_a_report_has_the_order_of_the_text() -> None:
    found = dataclasses.replace(audited(TRAFFIC), would_do=(Repair("k", "2.5", "the largest"),))
    heads = taken_apart(page(release(TRAFFIC), found)).within("h2")
    order = ["What would do", "What the verdict and the paper's theorem rest on",
             "What was claimed, what the paper gives, what is true",
             "The inputs that refute the claim", "What is not claimed"]  # fmt: skip
    assert [head for head in heads if head in order] == order


def test_hypotheses_that_fail_are_told_first() -> None:
    statuses = [SimpleNamespace(status=status) for status in ("holds", "assumed", "fails")]
    assert [each.status for each in fails_first(statuses)] == ["fails", "assumed", "holds"]


def test_a_true_claim_has_no_witness() -> None:
    assert "The inputs that refute the claim" not in reading_of(GRADES).within("h2")


def test_a_region_is_ruled_out_only_where_the_truth_is_attained() -> None:
    attained = reading_of(GRADES)
    assert any("ruled out" in text for text in attained.within("text"))
    bounded = taken_apart(page(release("song2017-network"), audited("song2017-network")))
    assert not any("ruled out" in text for text in bounded.within("text"))
    assert "so nothing is ruled out" in bounded.text


@pytest.mark.parametrize(
    ("example", "axes"),
    [
        (GRADES, ("epsilon", "delta")),
        ("ponnoprat2023-histogram", ("order", "epsilon")),
        (FLU, ("scale of the noise, in multiples of the released one", "epsilon")),
    ],
)
def test_each_kind_of_claim_has_its_own_plot(example: str, axes: tuple[str, str]) -> None:
    assert set(axes) <= set(reading_of(example).within("text"))


def test_the_points_of_the_plot_stand_in_its_table() -> None:
    cells = reading_of(GRADES).within("td")
    for what in ("claimed", "the paper's bound", "enough at the claimed delta"):
        at = cells.index(what)
        assert cells[at - 2]
        assert cells[at - 1]
    assert cells[cells.index("claimed") - 2 : cells.index("claimed")] == ["2.255", "0.0026"]


def test_pufferfish_privacy_is_called_by_its_name() -> None:
    text = reading_of(FLU).text
    assert "Pufferfish privacy" in text
    assert "of the secrets that must not be told apart" in text


def test_what_could_not_be_decided_again_is_no_pass() -> None:
    statement = release(GRADES)
    text = taken_apart(page(undecided(statement), None)).text
    assert "It could not be decided whether the claim is true. That is not a pass." in text
    assert "The claim is true" not in text
    assert "(as it states)" in text


def test_a_verdict_that_was_not_found_again_is_told() -> None:
    from simplexcert.certify.report.page import page_of
    from simplexcert.certify.report.page.parts import Origin

    origin = Origin(b"{}", "cert.json", (), Verdict.UNDECIDED, again=True)
    text = taken_apart(page_of(release(GRADES), origin, None)).text
    assert text.count("Undecided") >= 2
    assert "The certificate says certified" in text


def test_data_that_are_no_input_are_named_as_the_reason() -> None:
    statement = undecided(release(GRADES))
    seen = replace(statement.predicate.hypotheses[-1], status="fails", rests_on="data")
    predicate = replace(statement.predicate, hypotheses=[seen])
    text = taken_apart(page(replace(statement, predicate=predicate), audited(GRADES))).text
    assert "The data that were looked at" in text
    assert "The data that were looked at" not in reading_of(GRADES).text


def test_a_signed_certificate_names_its_keys_and_how_to_check_them() -> None:
    keyid = "ab" * 32
    text = taken_apart(page(release(GRADES), audited(GRADES), keyids=(keyid,))).text
    assert f"--key PUBLIC.pem --fingerprint {keyid}" in text
    assert "(not checked against a key)" in text
    assert "The certificate is not signed" not in text


def test_an_unsigned_certificate_is_said_to_be_unsigned() -> None:
    assert "The certificate is not signed: who issued it is not proved." in reading_of(GRADES).text


def test_numbers_of_the_release_are_decimals_where_they_have_short_ones() -> None:
    cells = reading_of(GRADES).within("dd")
    assert "20.6" in cells
    assert "0.073" in cells


def test_a_scale_that_is_asked_for_is_drawn_in_multiples_of_the_released_one() -> None:
    example = "song2017-network"
    cells = taken_apart(page(release(example), audited(example))).within("td")
    at = cells.index("scale that the mechanism asks for")
    # 0.155848... is asked for where 0.2437 was released.
    assert cells[at - 2 : at] == ["0.6396", "10"]


def test_a_formula_whose_hypotheses_fail_is_not_called_a_bound() -> None:
    assert "the paper's formula, which is no bound here" in reading_of(TRAFFIC).within("text")
    assert "the paper's bound" in reading_of(GRADES).within("text")


def test_the_rows_that_lose_most_stand_first_in_the_report() -> None:
    reading, worst = reading_of(TAXI), worst_rows(audited(TAXI).worst.parts.rows, 4)
    assert worst is not None
    cells = reading.within("td")
    for _, *said in worst.lines:  # the table's caption says once how losses are rounded
        line = [cell.removesuffix(" (rounded up)") for cell in said]
        at = next(at for at in range(len(cells)) if cells[at : at + len(line)] == line)
        assert line == cells[at : at + len(line)]
    assert worst.lines[0][0] == "1"
    assert "The rows that lose most" in reading.within("h2")
    assert "Rows, the worst 4 of 4" in reading.text
    assert "The rows that lose most" not in reading_of(GRADES).text


def test_a_report_of_many_rows_shows_the_worst_of_them() -> None:
    found = audited(WARDS)
    many = replace_worst(found, parts=Parts(found.worst.parts.rows * 30))
    text = taken_apart(page(release(WARDS), many)).text
    assert "Rows, the worst 20 of 120" in text


def test_what_is_asked_for_accuracy_alone_stands_apart() -> None:
    reading = reading_of(WARDS)
    before, _, after = reading.text.partition("What the paper asks for its accuracy alone")
    assert "the chain is irreducible" in after
    assert "the chain is irreducible" not in before
    assert "every count is at least eta N" in before
    assert "accuracy alone" not in reading_of(TAXI).text


def test_labels_are_shown_as_they_are_written() -> None:
    statement = release(WARDS)
    claim = statement.predicate.claim
    said = {"labels": ["1/2", "a, b", "007"], "read_off_the_data": ["N"]}
    named = replace(claim, release={**claim.release, **said})
    changed = replace(statement, predicate=replace(statement.predicate, claim=named))
    cells = taken_apart(page(changed, audited(WARDS))).within("dd")
    assert "'1/2', 'a, b', 007" in cells
    assert "'N'" in cells
