"""The papers' verdicts, derived once a session; and a register of a few made-up statements."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from long_evidence import LEFT_OUT
from simplexcert.certify.papers import derive, statement
from simplexcert.certify.papers.derive import Derived
from simplexcert.certify.papers.evidence import (
    Evidence,
    Finding,
    Instance,
    NotDecidable,
    Reproduced,
    Sampled,
)
from simplexcert.certify.papers.statement import Reading, Statement
from simplexcert.certify.papers.values import At, Exactly

HALF = At("dirichlet.profile.delta", {"alpha": 1, "step": 1, "epsilon": 0})
NOTE = "gohari2020/made-up.md"
RIGHT, WRONG = Reproduced("d", "0.5", HALF), Reproduced("d", "0.7", HALF)
TRIED = Sampled("x", lambda: (10, 0))
FLOOR = Instance("x", HALF, ">=", Exactly("1/4"), decides=True)

MADE_UP = (
    Statement("gohari2020.number", "number", "page 1", "A half. More.", NOTE, (RIGHT,)),
    Statement("gohari2020.wrong-number", "number", "page 1", "Not a half", NOTE, (WRONG,)),
    Statement(
        "gohari2020.lemma-1",
        "lemma",
        "Lemma 1",
        "At most a quarter",
        NOTE,
        (Instance("at most a quarter", HALF, "<=", Exactly("1/4"), {"alpha > 0": True}),),
        readings=(Reading("at least a quarter", (FLOOR,)),),
    ),
    Statement(
        "gohari2020.lemma-1-repaired",
        "repair",
        "ours",
        "At most a half",
        NOTE,
        (Instance("at most a half", HALF, "<=", Exactly("1/2"), decides=True),),
        repairs="gohari2020.lemma-1",
        adds=("epsilon >= 0",),
    ),
    Statement("gohari2020.lemma-2", "lemma", "Lemma 2", "Tried", NOTE, (TRIED,)),
    Statement("song2017.figure", "figure", "Figure 4", "No data", NOTE, (NotDecidable("no data"),)),
    Statement(
        "song2017.lemma-3",
        "lemma",
        "Lemma 3",
        "True, wrongly proved",
        NOTE,
        (Instance("at most a half", HALF, "<=", Exactly("1/2"), decides=True),),
        of_proof=(Instance("a step", HALF, "<", Exactly("1/2")),),
    ),
)


@pytest.fixture(scope="session")
def derived_once(
    tmp_path_factory: pytest.TempPathFactory, worker_id: str
) -> Callable[[str], Derived]:
    """Derive a statement of the papers, once a session however many workers ask for it."""
    folder = tmp_path_factory.getbasetemp()
    if worker_id != "master":
        folder = folder.parent  # which the workers share
    kept = folder / "derived"
    kept.mkdir(exist_ok=True)

    @cache
    def derived(name: str) -> Derived:
        file = kept / name
        if not file.exists():
            found = derive.derive(name)
            made = kept / f"{name}.{worker_id}"
            made.write_bytes(pickle.dumps(found))
            made.replace(file)
        one: Derived = pickle.loads(file.read_bytes())  # noqa: S301 - this run wrote it
        return one

    return derived


@pytest.fixture(scope="session")
def pieces(
    derived_once: Callable[[str], Derived],
) -> Callable[[Statement], list[tuple[Evidence, Finding]]]:
    """Return the evidence for a statement, its readings and its proof, each with its finding.

    It is none where the gate leaves it out.
    """

    def all_of(one: Statement) -> list[tuple[Evidence, Finding]]:
        if one.id in LEFT_OUT:
            return []
        found = derived_once(one.id)
        readings = [reading for reading in one.readings if reading.evidence]
        groups = [
            (one.evidence, found.findings),
            (one.of_proof, found.of_proof),
            *zip(
                (reading.evidence for reading in readings),
                (reading.findings for reading in found.readings),
                strict=True,
            ),
        ]
        return [pair for evidence, ours in groups for pair in zip(evidence, ours, strict=True)]

    return all_of


@pytest.fixture
def made_up_claims(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Put the made-up entries in the register, and return the file of recorded verdicts."""
    expected = tmp_path / "expected.json"
    expected.write_text("{}", encoding="utf-8")
    table = {claim.id: claim for claim in MADE_UP}
    monkeypatch.setattr(statement, "_all", lambda: table)
    monkeypatch.setattr(derive, "EXPECTED", expected)
    return expected
