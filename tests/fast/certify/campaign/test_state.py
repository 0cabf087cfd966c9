"""What a backend keeps from one call to the next: asked again late, and arguments that stay."""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from each import each_of
from simplexcert.certify import certify_backend
from simplexcert.certify.verdict import Verdict

Maker = Callable[..., str]

DELTA, LAW = "dirichlet.profile.delta", "markov.stationary"
UP = "answer = math.nextafter(truth, math.inf)"
# Sound as long as few questions were put: what is asked again at once is answered alike.
TIRED = f"""
{UP}
answering.asked = getattr(answering, "asked", 0) + 1
if answering.asked > 50:
    answer = math.nextafter(answer, math.inf)
"""


def test_what_a_backend_comes_to_after_many_questions_is_found_when_it_is_asked_again(
    make_backend: Maker,
) -> None:
    lines: list[str] = []
    where = make_backend(DELTA, TIRED)
    campaign = certify_backend(where, quantities=DELTA, cases=40, on_case=lines.append)
    verdicts = {check.check: check.verdict for check in campaign.checks}
    assert verdicts["direction"] is Verdict.CERTIFIED
    assert verdicts["determinism"] is Verdict.REFUTED
    order = [json.loads(line)["check"] for line in lines[:6]]
    assert order[:3] == ["direction", "determinism", "monotone"]


@each_of("hosted", [False, True])
def test_a_call_that_changes_its_arguments_is_an_error(
    hosted: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = f"sorting_{'hosted' if hosted else 'imported'}"
    source = f"""
import simplexcert.certify.backends.float64 as ours

def stationary(P):
    found = ours.backend.quantities[{LAW!r}](P=P)
    for row in P:
        row.sort(reverse=True)
    P[0][0] = 0.5
    return found

class Backend:
    name, version, quantities = "sorting", "1", {{{LAW!r}: stationary}}

backend = Backend()
"""
    (tmp_path / f"{name}.py").write_text(source, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    if not hosted:
        monkeypatch.syspath_prepend(tmp_path)
        importlib.import_module(name)
    campaign = certify_backend(f"{name}:backend", quantities=LAW, cases=4)
    assert campaign.verdict is Verdict.ERROR
    worst = campaign.checks[0].worst
    assert worst is not None
    assert "it changed its arguments" in worst.reason
