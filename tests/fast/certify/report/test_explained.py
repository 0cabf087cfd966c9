"""What there is, told to people in 100 columns: quantities, mechanisms and shipped claims."""

from __future__ import annotations

import json
import shlex
from typing import Any

import pytest
from command_line import Cli, calling
from each import each_of
from simplexcert.certify.audits.claim import EXAMPLE_PREFIX, example_names
from simplexcert.certify.mechanisms import MECHANISMS, mechanism_named, template_text
from simplexcert.certify.papers.statement import AUTHORS, PAPERS, year_of
from simplexcert.certify.published.decided import FORMATS, statement_names
from simplexcert.certify.report.explained import (
    GLOSSARY,
    SAFE_SIDE,
    examples_explained,
    mechanisms_explained,
    quantity_explained,
)
from simplexcert.reference import quantities

WIDEST = 100
VARIANCE = "dirichlet.utility.variance"


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Cli:
    return calling(capsys, "quantities")


@pytest.fixture(autouse=True)
def nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tell no width, as in a pipe."""
    monkeypatch.setenv("COLUMNS", "0")


def together(lines: Any) -> str:
    return " ".join(" ".join(lines).split())


@each_of("name", sorted(quantities()))
def test_an_explanation_fits_and_holds_all_that_is_known(name: str) -> None:
    item = quantities()[name]
    lines = list(quantity_explained(item))
    assert max(map(len, lines)) <= WIDEST
    told = together(lines)
    assert told.startswith(f"{name}: {item.summary}")
    for parameter, domain in item.parameters.items():
        assert f"{parameter} {item.meanings[parameter].says} {domain.kind}: " in told
        assert domain.describe(parameter) in told
    for said in (
        *(condition.statement for condition in item.conditions),
        together([item.explanation]),
        together([item.formula]),
        f"safe side {SAFE_SIDE[item.safe]}",
        f"truth {item.truth.value}: ",
        f"source {item.source}",
        GLOSSARY,
    ):
        assert said in told


@each_of("name", sorted(quantities()))
def test_a_shell_takes_the_example_s_lines_as_one(name: str) -> None:
    item = quantities()[name]
    lines = list(quantity_explained(item))
    first = next(at for at, line in enumerate(lines) if line.startswith("example "))
    # A shell drops a backslash with the end of its line.
    command = "\n".join(lines[first:-1]).removeprefix("example").replace("\\\n", "")
    for word, wanted in zip(shlex.split(command), shlex.split(item.example), strict=True):
        key, equals, value = wanted.partition("=")
        if equals and value[:1] in "[{":
            assert word.partition("=")[0] == key
            assert json.loads(word.partition("=")[2]) == json.loads(value)
        else:
            assert word == wanted


def test_a_narrow_terminal_gets_narrow_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    for line in quantity_explained(quantities()["dirichlet.profile.delta"]):
        assert len(line) <= 60


def test_a_name_is_explained_and_a_glob_is_listed(cli: Cli) -> None:
    assert cli(VARIANCE).out.startswith(f"{VARIANCE}: Variance of a coordinate")
    assert cli("dirichlet.utility.varianc*").out.startswith("2 quantities")


def test_a_quiet_answer_is_one_line(cli: Cli) -> None:
    for words in ([VARIANCE], ["dirichlet.*"], ["--mechanisms"]):
        assert len(cli(*words, "-q").out.splitlines()) == 1


def test_a_verbose_list_explains_each(cli: Cli) -> None:
    out = cli("dirichlet.utility.varianc*", "-v").out
    for name in (VARIANCE, f"{VARIANCE}_bound"):
        assert "\n".join(quantity_explained(quantities()[name])) in out


def test_programs_get_one_shape_of_a_name_and_of_a_glob(cli: Cli) -> None:
    named = json.loads(cli(VARIANCE, "--json").out)
    assert named == json.loads(cli("dirichlet.utility.varianc?", "--json").out)
    assert [each["name"] for each in named["quantities"]] == [VARIANCE]


def test_every_mechanism_is_told_with_its_paper_and_its_template(cli: Cli) -> None:
    out = cli("--mechanisms").out
    lines = out.splitlines()
    assert max(map(len, lines)) <= WIDEST
    told = together(lines)
    for name in MECHANISMS:
        each = mechanism_named(name)
        paper = each.paper and (
            f"paper {AUTHORS[each.paper]} {year_of(each.paper)}: {PAPERS[each.paper]} "
        )
        start = f"simplexcert audit --template {name} > claim.toml"
        assert f"{name} releases {each.releases} {paper}to start {start}" in told
        assert template_text(name)


def test_programs_get_the_mechanisms_too(cli: Cli) -> None:
    (found,) = json.loads(cli("--mechanisms", "markov.*", "--json").out)["mechanisms"]
    assert found == {
        "name": "markov.model",
        "releases": mechanism_named("markov.model").releases,
        "paper": {
            "key": "benvenuti2025",
            "authors": AUTHORS["benvenuti2025"],
            "year": 2025,
            "title": PAPERS["benvenuti2025"],
        },
        "template": "simplexcert audit --template markov.model",
    }


def test_a_mechanism_of_no_paper_is_told_without_one(monkeypatch: pytest.MonkeyPatch) -> None:
    mechanism = mechanism_named("dirichlet.counts")
    monkeypatch.setattr(type(mechanism), "paper", "")
    assert "paper" not in together(mechanisms_explained([mechanism]))


def test_an_unknown_mechanism_is_answered_with_the_nearest(cli: Cli) -> None:
    found = cli("--mechanisms", "dirichlet.count")
    assert (found.code, found.out) == (3, "")
    assert "dirichlet.counts" in found.err


def test_every_paper_has_its_authors() -> None:
    assert AUTHORS.keys() == PAPERS.keys()
    assert {mechanism_named(name).paper for name in MECHANISMS} <= {"", *PAPERS}


def test_every_shipped_claim_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    found = calling(capsys, "audit")("--examples")
    assert (found.code, found.err) == (0, "")
    lines = found.out.splitlines()
    assert lines == list(examples_explained())
    assert max(map(len, lines)) <= WIDEST
    listed = {line.split()[0] for line in lines if not line.startswith(" ")}
    texts = [name for form in FORMATS for name in statement_names(form)]
    assert listed == {f"{EXAMPLE_PREFIX}{name}" for name in (*example_names(), *texts)}
