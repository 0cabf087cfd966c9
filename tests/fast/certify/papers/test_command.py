"""``simplexcert claims``: what is recorded, what is derived again, and when they differ."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from command_line import Cli, calling
from each import each_of
from simplexcert.certify.papers.derive import Recorded, derived, record_of, standing_of
from simplexcert.certify.papers.evidence import Strength
from simplexcert.certify.papers.statement import Reading, statements
from simplexcert.certify.verdict import Verdict

pytestmark = pytest.mark.usefixtures("made_up_claims")
ALL = 7


@pytest.fixture
def claims(capsys: pytest.CaptureFixture[str]) -> Cli:
    return calling(capsys, "claims")


def test_what_was_recorded_is_derived_again(claims: Cli) -> None:
    assert claims("--check").code == 1
    assert claims("--check", "--record").code == 0
    assert claims("--check").code == 0
    assert claims().code == 0


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("verdict", "certified"),
        ("strength", "exact identity"),
        ("proof_fails", True),
        ("readings", []),
    ],
)
def test_a_verdict_that_is_not_the_recorded_one_exits_1(
    claims: Cli, made_up_claims: Path, field: str, value: object
) -> None:
    claims("--check", "--record")
    table = json.loads(made_up_claims.read_text("utf-8"))
    assert table["gohari2020.lemma-1"][field] != value
    table["gohari2020.lemma-1"][field] = value
    made_up_claims.write_text(json.dumps(table), "utf-8")
    found = claims("--check", "--json")
    assert found.code == 1
    assert json.loads(found.out)["differing"] == ["gohari2020.lemma-1"]
    assert claims("song2017.*", "--check").code == 0


def test_recording_some_keeps_the_others(claims: Cli, made_up_claims: Path) -> None:
    claims("gohari2020.*", "--check", "--record")
    claims("song2017.*", "--check", "--record")
    assert list(json.loads(made_up_claims.read_text("utf-8"))) == list(statements())


def test_json_has_the_published_fields_and_the_evidence(claims: Cli) -> None:
    shown = json.loads(claims("gohari2020.lemma-1", "--check", "--json").out)
    (claim,) = shown["claims"]
    fields = {"id", "paper", "kind", "says", "verdict", "strength", "note"}
    assert fields <= set(claim)
    assert claim["verdict"] == "refuted"
    assert claim["evidence"][0]["numbers"][0]["lower"] == "0.5"
    assert claim["readings"][0]["verdict"] == "certified"


def test_the_table_has_one_line_an_entry(claims: Cli) -> None:
    lines = claims("--check").out.splitlines()
    for name in statements():
        assert sum(line.partition("  (")[0].endswith(f"  {name}") for line in lines) == 1


def test_a_single_entry_shows_the_numbers_that_decide_it(claims: Cli) -> None:
    out = claims("gohari2020.lemma-1", "--check").out
    assert "dirichlet.profile.delta(alpha = 1, step = 1, epsilon = 0) in [0.5, 0.5]" in out


def test_a_glob_without_entries_exits_3(claims: Cli) -> None:
    found = claims("gohari2020.lemma-11")
    assert found.code == 3
    assert "gohari2020.lemma-1" in found.err


def test_recording_without_deriving_exits_3(claims: Cli) -> None:
    assert claims("--record").code == 3


def test_a_recorded_file_of_another_shape_exits_3(claims: Cli, made_up_claims: Path) -> None:
    for text in ("[]", '{"a": 1}', '{"a": {"verdict": "true"}}', "{"):
        made_up_claims.write_text(text, "utf-8")
        assert claims().code == 3


@each_of(
    "name, words",
    [
        ("gohari2020.number", "true as stated"),
        ("gohari2020.wrong-number", "not reproduced"),
        ("gohari2020.lemma-1", "true under an extra hypothesis: gohari2020.lemma-1-repaired"),
        ("gohari2020.lemma-1-repaired", "certified; stands in the place of gohari2020.lemma-1"),
        ("gohari2020.lemma-2", "undecided"),
        ("song2017.figure", "inapplicable"),
        ("song2017.lemma-3", "true; the printed proof fails"),
    ],
)
def test_how_a_statement_stands_is_told_apart(name: str, words: str) -> None:
    one = derived([name])[name]
    assert standing_of(statements()[name], record_of(one)) == words


def standing_with(verdict: Verdict, *readings: Verdict, beyond: bool = False) -> str:
    """Return how a statement stands whose readings came out so."""
    claim = replace(
        statements()["gohari2020.number"],
        readings=tuple(Reading("another way", (), beyond=beyond) for _ in readings),
    )
    return standing_of(
        claim, Recorded(verdict, Strength.PROOF, proof_fails=False, readings=[*readings])
    )


def test_a_reading_that_is_false_shows_in_the_headline() -> None:
    good, bad = Verdict.CERTIFIED, Verdict.REFUTED
    assert standing_with(good, good) == "true as stated"
    assert standing_with(good, good, bad) == "true as read here, in another reading false"
    assert standing_with(Verdict.UNDECIDED, bad) == "undecided; in another reading false"
    assert standing_with(bad, bad) == "not reproduced"


def test_what_goes_further_than_the_page_takes_nothing_from_it() -> None:
    assert standing_with(Verdict.CERTIFIED, Verdict.REFUTED, beyond=True) == "true as stated"


def test_a_false_reading_names_what_stands_in_its_place() -> None:
    claim = replace(statements()["gohari2020.lemma-1"], kind="lemma")
    line = Recorded(Verdict.CERTIFIED, Strength.PROOF, proof_fails=True, readings=[Verdict.REFUTED])
    assert standing_of(claim, line) == (
        "true as read here, in another reading false; the printed proof fails: "
        "gohari2020.lemma-1-repaired"
    )


def test_evidence_that_takes_too_long_is_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("simplexcert.certify.papers.derive.EVIDENCE_SECONDS", 0.0)
    one = derived(["gohari2020.lemma-1"])["gohari2020.lemma-1"]
    assert one.verdict is Verdict.UNDECIDED


def test_progress_counts_every_entry() -> None:
    seen: list[tuple[int, int]] = []
    note: Callable[[int, int], None] = lambda done, total: seen.append((done, total))  # noqa: E731
    derived(statements(), on_progress=note)
    assert seen == [(done, ALL) for done in range(1, ALL + 1)]
