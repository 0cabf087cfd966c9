"""One command a mechanism: data in, an exact draw and a certificate out that a stranger checks."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import jsonschema
import pytest
from each import each_of
from private_data import DATA, DRAWN, given
from simplexcert.certify import Verdict, draw_release, verify
from simplexcert.certify.audits.claim import read_claim
from simplexcert.certify.certificate.release import read_released, require_values
from simplexcert.certify.certificate.schema import schema
from simplexcert.certify.cli import run
from simplexcert.certify.mechanisms import MECHANISMS, mechanism_named, template_text
from simplexcert.certify.mechanisms.protocol import Layout, PublicSettings
from simplexcert.reference.errors import DomainError


@pytest.mark.parametrize("mechanism", DRAWN)
def test_a_release_and_its_certificate_verify_and_its_claim_is_certified(
    mechanism: str, tmp_path: Path
) -> None:
    claim, data = map(str, given(tmp_path, mechanism))
    out, certificate = str(tmp_path / "release.json"), str(tmp_path / "certificate.json")
    assert run(["release", claim, "--data", data, "--out", out, "--certificate", certificate]) == 0
    assert run(["verify", certificate, "--subject", out, "--subject", claim]) == 0
    assert run(["audit", claim]) == 0
    statement = json.loads(Path(certificate).read_bytes())
    jsonschema.validate(statement, schema("claim-v1.schema.json"))
    released = json.loads(Path(out).read_bytes())
    jsonschema.validate(released, schema("released-v1.schema.json"))
    assert released["private"] is True
    assert released["seed"] is None


@each_of("mechanism", DRAWN)
def test_what_is_released_lies_where_the_mechanism_releases(mechanism: str, tmp_path: Path) -> None:
    claim, data = given(tmp_path, mechanism)
    made = draw_release(claim, data, seed=1)
    for row in require_values(made.released, "it"):
        assert mechanism_named(mechanism).noise or (sum(row) == 1 and min(row) >= 0)
        assert all((value / Fraction(made.released.grid)).denominator == 1 for value in row)


def test_there_are_private_data_for_every_mechanism() -> None:
    assert set(DRAWN) == set(DATA), "tests/support/private_data.py has data for each mechanism"


@each_of("mechanism", sorted(set(MECHANISMS) - set(DRAWN)))
def test_nothing_is_drawn_by_the_others_and_their_data_are_not_opened(
    mechanism: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    claim = tmp_path / "claim.toml"
    claim.write_text(template_text(mechanism), encoding="utf-8")
    files = ["--data", str(tmp_path / "nowhere.csv"), "--out", str(tmp_path / "release.json")]
    assert run(["release", str(claim), *files]) == 3
    said = capsys.readouterr()
    assert f"nothing is drawn by {mechanism} here" in said.err
    assert "nowhere" not in said.err
    assert run(["simulate", str(claim)]) == 3
    assert f"nothing is drawn by {mechanism} here" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == [claim]


@each_of("mechanism", sorted(set(MECHANISMS) - set(DRAWN)))
def test_what_would_be_asked_of_a_release_is_refused_by_the_others(
    mechanism: str, tmp_path: Path
) -> None:
    own, claim = mechanism_named(mechanism), read_claim(f"example:{mechanism}")
    settings, seen = PublicSettings("it", {}, {}, frozenset()), Layout(("a", "b"))
    assert own.public_names(claim, settings) == ()
    for ask in (
        lambda: own.require_releasable(claim, "it"),
        lambda: own.layout(claim, settings),
        lambda: own.require_possible(claim, seen),
        lambda: own.plan(claim, settings, tmp_path),
        lambda: own.plan_of_input(claim, None, "it"),
    ):
        with pytest.raises(DomainError, match="nothing is drawn"):
            ask()


def test_in_python_values_come_by_name_and_nothing_is_written(tmp_path: Path) -> None:
    claim, data = given(tmp_path, "markov.model")
    made = draw_release(claim, data)
    assert set(made.value) == {"north", "south", "isle"}
    assert set(made.value["isle"]) == {"north", "south", "isle"}
    assert made.value["isle"]["north"] == 0
    assert sum(made.value["isle"].values()) == 1
    assert made.private
    assert made.audit.verdict is Verdict.CERTIFIED
    assert {file.name for file in tmp_path.iterdir()} == {"claim.toml", "private.csv"}


def test_two_releases_are_two_draws(tmp_path: Path) -> None:
    claim, data = given(tmp_path, "dirichlet.counts")
    assert draw_release(claim, data).value != draw_release(claim, data).value


def test_a_seed_gives_the_same_bytes_and_they_say_that_they_are_not_private(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    claim, data = given(tmp_path, "dirichlet.counts")
    found = []
    for at in range(2):
        out, certificate = tmp_path / f"{at}.json", tmp_path / f"certificate{at}.json"
        arguments = ["release", str(claim), "--data", str(data), "--out", str(out), "--seed", "7"]
        report = tmp_path / f"{at}.html"
        options = ["--certificate", str(certificate), "--report", str(report)]
        assert run([*arguments, *options]) == 0
        told = capsys.readouterr()
        assert "NOT PRIVATE" in told.err
        assert "NOT PRIVATE" in told.out
        assert "not private" in report.read_text(encoding="utf-8")
        assert "Inapplicable" in report.read_text(encoding="utf-8")
        assert run(["verify", str(certificate), "--subject", str(out)]) == 5
        assert "NOT PRIVATE" in capsys.readouterr().out
        assert verify(certificate).verdict is Verdict.INAPPLICABLE
        found.append(out.read_bytes())
    assert found[0] == found[1]
    released = read_released(found[0], "it")
    assert (released.private, released.drawn_from, released.seed) == (False, "seed", "7")


def test_json_is_for_programs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    claim, data = map(str, given(tmp_path, "dirichlet.counts"))
    out = str(tmp_path / "release.json")
    assert run(["release", claim, "--data", data, "--out", out, "--seed", "0", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["verdict"] == "inapplicable"
    assert told["private"] is False
    assert told["warning"].startswith("NOT PRIVATE")
    assert told["release"] == out


def test_a_report_shows_how_it_was_drawn_also_later(tmp_path: Path) -> None:
    claim, data = map(str, given(tmp_path, "dirichlet.counts"))
    out, certificate, page = (str(tmp_path / name) for name in ("r.json", "c.json", "p.html"))
    options = ["--out", out, "--certificate", certificate]
    assert run(["release", claim, "--data", data, *options]) == 0
    assert run(["report", certificate, "--out", page]) == 0
    text = Path(page).read_text(encoding="utf-8")
    for said in ("How the release was drawn", "multiples of 2^-53", "r.json"):
        assert said in text
