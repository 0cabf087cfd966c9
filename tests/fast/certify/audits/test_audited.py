"""Audits as their asker has them: from a table, a text or a file; written, and shown in a line."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from each import each_of
from simplexcert.certify import Audited, Verdict, audit, verify
from simplexcert.certify.audits.claim import example_names, example_text
from simplexcert.certify.audits.table import toml_of
from simplexcert.certify.mechanisms.questions import Question, Term
from simplexcert.certify.report.wording import facts_of
from simplexcert.reference import InputError
from simplexcert.reference.exact import parse_toml

EXAMPLE = "example:ponnoprat2023-histogram"
RELEASE = {"mechanism": "dirichlet.renyi", "alpha": "2", "step": "1/2"}


@pytest.fixture(scope="module")
def refuted() -> Audited:
    return audit({"release": RELEASE, "claim": {"epsilon": 1, "delta": "1e-5"}})


def test_a_table_a_text_and_a_file_make_one_claim(tmp_path: Path, refuted: Audited) -> None:
    text = refuted.source.decode()
    (tmp_path / "claim.toml").write_text(text)
    for given in (text, tmp_path / "claim.toml", str(tmp_path / "claim.toml")):
        again = audit(given)
        assert (again.claim, again.verdict, again.exact) == (
            refuted.claim, refuted.verdict, refuted.exact
        )  # fmt: skip


@each_of("name", example_names())
def test_a_table_is_written_as_text_that_is_read_as_it(name: str) -> None:
    table = parse_toml(example_text(name))
    assert parse_toml(toml_of(table)) == {key: _numbers_in_quotes(table[key]) for key in table}


def _numbers_in_quotes(value: object) -> object:
    if isinstance(value, dict):
        return {key: _numbers_in_quotes(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_numbers_in_quotes(item) for item in value]
    return str(value) if isinstance(value, Fraction) and value.denominator != 1 else value


def test_each_number_is_said_to_be_of_the_quantity_that_it_is(refuted: Audited) -> None:
    names = {
        "delta_at_epsilon": ["dirichlet.profile.delta"],
        "epsilon_at_delta": ["dirichlet.profile.epsilon"],
    }
    assert refuted.as_json()["quantities"] == names
    for label, fact in facts_of(refuted):
        if label.startswith("exact "):
            assert fact.endswith(f"(dirichlet.profile.{label.removeprefix('exact ')})")


def test_a_number_that_is_a_sum_is_said_to_be_one() -> None:
    term = Term("dirichlet.profile.renyi", {})
    assert Question("", Fraction(1), (term,)).formula == term.quantity
    for terms in ((term, term), (replace(term, times=Fraction(2)),)):
        assert Question("", Fraction(1), terms).formula == f"a sum of {term.quantity}"


def test_a_float_in_a_table_is_the_dyadic_that_it_is_and_a_text_the_decimal() -> None:
    def epsilon(value: object) -> Fraction:
        return audit(
            {"release": RELEASE, "claim": {"epsilon": value, "delta": "1/2"}}
        ).claim.epsilon

    assert epsilon("0.1") == Fraction(1, 10)
    assert epsilon(0.1) == epsilon(np.float64(0.1)) == Fraction(0.1)
    assert epsilon(np.int64(2)) == epsilon(2) == 2


def test_lists_and_arrays_and_odd_keys_are_written() -> None:
    table = {"release": {"rows": np.array([[1, 0.5], [2, 3]]), 'a "key"': [{"on": True}], "w": ()}}
    assert parse_toml(toml_of(table)) == {
        "release": {"rows": [["1", "1/2"], ["2", "3"]], 'a "key"': [{"on": True}], "w": []}
    }


@each_of(
    "table, said",
    [
        ({"release": 1, "claim": {}}, "'release'.*is none"),
        ({"release": {"mechanism": None}, "claim": {}}, "mechanism: None is no number"),
        ({"release": {"alpha": float("nan")}}, "alpha: nan is not a finite number"),
        ({"release": {1: 2}}, "the key 1 is no text"),
        ({"release": {"alpha": b"1"}}, "is no number, text, list or table"),
        ({"release": RELEASE}, r"claim.toml has no table \[claim\]"),
    ],
)
def test_what_no_claim_file_holds_is_refused(table: dict[str, object], said: str) -> None:
    with pytest.raises(InputError, match=said):
        audit(table)


def test_its_certificate_verifies_with_the_same_verdict(tmp_path: Path, refuted: Audited) -> None:
    out, claim = tmp_path / "cert.json", tmp_path / "claim.toml"
    refuted.write_certificate(out)
    claim.write_bytes(refuted.source)
    assert verify(out, subject=claim).verdict is refuted.verdict is Verdict.REFUTED


def test_its_report_is_a_page_about_it(tmp_path: Path, refuted: Audited) -> None:
    refuted.write_report(tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text()
    assert page.startswith("<!DOCTYPE html>")
    assert "REFUTED" in page.upper()
    refuted.write_report(tmp_path / "report.html")  # over its own


@pytest.mark.parametrize("write", [Audited.write_certificate, Audited.write_report])
def test_nobodys_file_is_written_over(tmp_path: Path, refuted: Audited, write: object) -> None:
    (tmp_path / "mine").write_text("my thesis")
    with pytest.raises(InputError, match="is there and is no"):
        write(refuted, tmp_path / "mine")  # type: ignore[operator]
    assert (tmp_path / "mine").read_text() == "my thesis"


def test_a_file_named_like_standard_output_is_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refuted: Audited
) -> None:
    monkeypatch.chdir(tmp_path)
    refuted.write_certificate("-")
    assert (tmp_path / "-").is_file()


def test_it_is_one_line_that_begins_with_the_verdict(refuted: Audited) -> None:
    assert repr(refuted) == str(refuted)
    assert repr(refuted).startswith("REFUTED  'dirichlet.renyi' (dirichlet.renyi): epsilon = 1")
    assert "\n" not in repr(refuted)
    assert len(repr(refuted)) < 200


def test_it_says_why_and_what_would_do(refuted: Audited) -> None:
    assert refuted.because.startswith("the exact epsilon at delta = 1e-5 is")
    assert "because" in refuted._repr_html_()
    assert refuted.would_do == ()
    repaired = refuted.repaired()
    assert {repair.parameter for repair in repaired.would_do} >= {"epsilon", "step"}
    assert (repaired.verdict, repaired.source) == (refuted.verdict, refuted.source)


def test_a_notebook_gets_a_table_in_which_a_name_is_no_markup() -> None:
    named = {**RELEASE, "name": "<script>"}
    found = audit({"release": named, "claim": {"epsilon": 9, "delta": "1/2"}})
    text = found._repr_html_()
    assert text.startswith("<table>")
    assert "<script>" not in text
