"""The experiments of benvenuti2025, fallin2023 and gohari2020 run, and agree with the claims."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from each import each_of
from experiments import benvenuti2025, fallin2023, gohari2020
from experiments.outcome import Finding, Outcome, Verdict
from experiments.testing import quick
from made_up_data import write_all
from simplexcert.certify.papers.derive import recorded
from simulation.chains import DATA, NoDataError

PAPERS = (benvenuti2025, fallin2023, gohari2020)
IDS = [one.id for paper in PAPERS for one in paper.EXPERIMENTS]
NEED_DATA = [
    "benvenuti2025.figure-2",
    "benvenuti2025.figure-3",
    "benvenuti2025.table-1",
    "fallin2023.figure-2",
    "fallin2023.figure-3",
]
CLAIM = re.compile(r"\b(?:benvenuti2025|fallin2023|gohari2020)\.[a-z0-9-]+")
CERTIFIED, REFUTED = "certified", "refuted"


@pytest.fixture(scope="module", autouse=True)
def _made_up(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    folder = tmp_path_factory.mktemp("data")
    write_all(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(DATA, str(folder))
        yield


@cache
def ran(name: str) -> Outcome:
    return quick(name)


def named(finding: Finding) -> list[str]:
    return CLAIM.findall(finding.why)


@each_of("name", IDS)
def test_an_experiment_ends_with_tables_a_plot_and_findings(name: str) -> None:
    outcome = ran(name)
    assert outcome.tables
    assert outcome.plots
    assert outcome.findings
    assert not outcome.skipped


@each_of("name", NEED_DATA)
def test_without_data_it_is_skipped_with_the_reason(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(DATA)
    with pytest.raises(NoDataError, match=DATA):
        quick(name)


def test_grades_are_privatised_without_the_sections(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(DATA)
    assert any(DATA in reason for reason in quick("benvenuti2025.figure-1").skipped)


@each_of("name", IDS)
def test_every_claim_that_is_named_is_in_the_register(name: str) -> None:
    texts = [*ran(name).notes, *(finding.why for finding in ran(name).findings)]
    claims = [claim for text in texts for claim in CLAIM.findall(text)]
    assert [claim for claim in claims if claim not in recorded()] == []


@each_of("name", IDS)
def test_what_comes_out_as_printed_has_no_claim_that_is_refuted(name: str) -> None:
    for finding in ran(name).findings:
        if finding.verdict is Verdict.AS_PRINTED:
            assert named(finding)
            assert REFUTED not in {recorded()[claim].verdict for claim in named(finding)}


@each_of("name", IDS)
def test_what_does_not_come_out_has_a_claim_that_is_not_certified(name: str) -> None:
    for finding in ran(name).findings:
        if finding.verdict is Verdict.NOT_AS_PRINTED:
            assert {recorded()[claim].verdict for claim in named(finding)} - {CERTIFIED}


@pytest.mark.skipif(DATA not in os.environ, reason=f"{DATA} is not set")
@pytest.mark.parametrize("name", NEED_DATA)
def test_it_runs_on_the_real_data(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(DATA, REAL)
    assert quick(name).findings


# Read before the fixture puts the made-up data in its place.
REAL = os.environ.get(DATA, "")


def test_made_up_data_are_not_the_real_ones() -> None:
    assert Path(os.environ[DATA]) != Path(REAL)
