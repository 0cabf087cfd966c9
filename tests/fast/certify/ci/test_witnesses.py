"""Witnesses are made simpler only by asking the backend again."""

from __future__ import annotations

import json
import math
import re
import shlex
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from simplexcert.certify import certify_backend
from simplexcert.certify.checks.case import case_from
from simplexcert.certify.checks.judgement import rules_for
from simplexcert.certify.ci import witnesses
from simplexcert.certify.ci.again import main as again
from simplexcert.certify.ci.findings import ExpectedFailure, Finding, judged
from simplexcert.certify.ci.witnesses import MAX_TRIES, simpler
from simplexcert.certify.cli import run as cli
from simplexcert.certify.points import Case, Given, exact_point
from simplexcert.certify.verdict import Verdict
from simplexcert.reference.quantity import quantity_named

VARIANCE = "dirichlet.utility.variance"
VARIANCE_BOUND = "dirichlet.utility.variance_bound"
QUANTITY = quantity_named(VARIANCE)
(RULE,) = rules_for(QUANTITY, {}, {})
POINT: dict[str, Any] = {"p": 0.4194, "k": 284.61}


class Asked:
    """A backend's variance, wrong where a condition holds, and the points it was asked at."""

    def __init__(self, is_wrong: Any, wrong: Any = 2.0) -> None:
        self.is_wrong, self.wrong = is_wrong, wrong
        self.points: list[Given] = []

    def __call__(self, point: Given) -> Case:
        self.points.append(point)
        p, k = float(point["p"]), float(point["k"])  # type: ignore[arg-type]
        truth = p * (1 - p) / (k + 1)
        answer = self.wrong if self.is_wrong(p, k) else truth
        return case_from(QUANTITY, point, answer, RULE)


def test_a_witness_is_given_parameters_with_few_digits() -> None:
    asked = Asked(lambda _p, k: k > 77)
    seen = simpler(asked(POINT), asked, 60)
    assert seen.again
    assert seen.case.parameters == {"p": 0.5, "k": 256.0}
    assert seen.case.verdict is Verdict.REFUTED


def test_a_condition_that_needs_digits_keeps_them() -> None:
    asked = Asked(lambda _p, k: 284 < k < 285)
    seen = simpler(asked(POINT), asked, 60)
    assert seen.case.parameters["p"] == 0.5
    assert 284 < float(seen.case.parameters["k"]) < 285  # type: ignore[arg-type]


def test_what_is_told_was_judged_at_the_point_that_is_told() -> None:
    asked = Asked(lambda p, _k: p > 0.3)
    seen = simpler(asked(POINT), asked, 60)
    assert seen.case == asked(seen.case.parameters)


def test_a_failure_that_is_not_seen_again_is_told_as_it_was_found() -> None:
    worst = Asked(lambda _p, _k: True)(POINT)
    asked = Asked(lambda _p, _k: False)
    seen = simpler(worst, asked, 60)
    assert (seen.case, seen.again, len(asked.points)) == (worst, False, 1)


def test_an_error_stays_the_same_error() -> None:
    def answer(point: Given) -> Case:
        short = point["k"] == round(float(point["k"]))  # type: ignore[arg-type]
        raised = ValueError("domain") if short else ZeroDivisionError("division")
        return case_from(QUANTITY, point, raised, RULE)

    seen = simpler(answer(POINT), answer, 60)
    assert seen.case.reason == "ZeroDivisionError: division"


def test_a_refutation_never_becomes_an_error() -> None:
    def answer(point: Given) -> Case:
        value = math.nan if point["k"] == round(float(point["k"])) else 2.0  # type: ignore[arg-type]
        return case_from(QUANTITY, point, value, RULE)

    assert simpler(answer(POINT), answer, 60).case.verdict is Verdict.REFUTED


def test_only_so_many_points_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = Asked(lambda p, k: (p, k) == (POINT["p"], POINT["k"]))
    worst = asked(POINT)
    asked.points.clear()
    simpler(worst, asked, 60)
    assert 5 < len(asked.points) <= MAX_TRIES
    asked.points.clear()
    monkeypatch.setattr(witnesses, "MAX_TRIES", 5)
    simpler(worst, asked, 60)
    assert len(asked.points) == 5


def test_no_time_asks_nothing() -> None:
    asked = Asked(lambda _p, _k: True)
    worst = asked(POINT)
    asked.points.clear()
    assert simpler(worst, asked, -1.0).again is False
    assert asked.points == []


def test_points_outside_the_domain_are_not_asked() -> None:
    quantity = quantity_named("dirichlet.counts.epsilon_bound")
    point = {"k": 20.6, "eta": 0.073, "N": 98, "n": 5, "gamma": 0.19}
    (rule,) = rules_for(quantity, {}, {})
    worst = case_from(quantity, point, -1.0, rule)
    asked: list[Given] = []

    def ask(at: Given) -> Case:
        asked.append(at)
        return replace(worst, parameters=at)

    # With one digit each, n gamma is 1, and it has to be less.
    found = simpler(worst, ask, 60).case
    assert len(asked) > 3
    assert all(quantity.admits(exact_point(at)) for at in [*asked, found.parameters])


def test_what_is_off_by_far_does_not_become_a_matter_of_rounding() -> None:
    """At every simpler point the answer is wrong, too, by a last place."""

    def answer(point: Given) -> Case:
        p, k = float(point["p"]), float(point["k"])  # type: ignore[arg-type]
        truth = p * (1 - p) / (k + 1)
        return case_from(QUANTITY, point, truth * (1.5 if k > 77 else 1 + 1e-8), RULE)

    seen = simpler(answer(POINT), answer, 60)
    assert seen.again
    assert float(seen.case.parameters["k"]) > 77  # type: ignore[arg-type]
    assert seen.case.ulps is not None
    assert seen.case.ulps > 2**40


CLASSES = "markov.communicating_classes"
FAINT = """
import math
class backend:
    name, version = "like csgraph", "1"
    @staticmethod
    def classes(P):
        states = range(len(P))
        reached = [[a == b or P[a][b] > 1e-8 for b in states] for a in states]
        for m in states:
            for a in states:
                for b in states:
                    reached[a][b] |= reached[a][m] and reached[m][b]
        return float(len({tuple(reached[a][b] and reached[b][a] for b in states) for a in states}))
    quantities = {"markov.communicating_classes": classes}
"""


def test_a_matrix_is_told_small_and_the_certificate_has_the_worst(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """SciPy's csgraph leaves entries below 1e-8 out."""
    monkeypatch.setattr(witnesses, "WITNESS_SECONDS", 120.0)  # the machine may be busy
    monkeypatch.chdir(tmp_path)
    (tmp_path / "faint.py").write_text(FAINT, encoding="utf-8")
    files = ["--out", "c.json", "--transcript", "t.gz", "--junit", "j.xml", "--sarif", "s.json"]
    asked = ["certify", "faint:backend", "--quantities", CLASSES, "--screen", "0", "--cases", "20"]
    seen = []
    for _ in range(2):
        assert cli([*asked, *files]) == 1
        out, err = capsys.readouterr()
        seen.append([out, err, *((tmp_path / name).read_bytes() for name in files[1::2])])
    assert seen[0] == seen[1]
    told = " ".join(line.strip() for line in out.splitlines())  # it is folded
    small = re.search(r"refuted: .*? at P = (\[\[.*?\]\]): answered 2\.0, truth in \[1, 1\] ", told)
    assert small
    entries = sorted(entry for row in json.loads(small[1]) for entry in row)
    assert entries[0] == 0 < entries[1] < 1e-8
    assert math.frexp(entries[1])[0] == 0.5
    assert len(entries) == 4
    assert "the point that is told was made simpler, it fails as they do" in told
    (check, *_) = json.loads((tmp_path / "c.json").read_text())["predicate"]["checks"]
    reproduce = shlex.split(re.search("REPRODUCE (.*)", out)[1])  # type: ignore[index]
    assert check["worst"]["parameters"] != json.loads(reproduce[-1])
    assert cli(["verify", "c.json", "--transcript", "t.gz", "--recheck", "all"]) == 1
    assert "does not check" not in capsys.readouterr().err
    assert again(reproduce[4:]) == 1


def test_checks_that_fail_by_one_answer_share_a_witness(make_backend: Callable[..., str]) -> None:
    """Direction and monotone find the same worst case."""
    where = make_backend(VARIANCE_BOUND, "answer = 0.0")
    campaign = certify_backend(where, quantities=VARIANCE_BOUND, cases=12, screen=0)
    worst = [check.worst for check in campaign.checks if check.worst]
    same = [replace(case, check=case.check, parameters=worst[0].parameters, value=worst[0].value)
            for case in worst]  # fmt: skip
    refuted = Verdict.REFUTED
    verdicts = [Verdict.UNDECIDED, refuted, Verdict.CERTIFIED, refuted][: len(same)]
    parts = [
        judged(Finding(VARIANCE_BOUND, case.check, verdict, 1, case), ())
        for case, verdict in zip(same, verdicts, strict=True)
    ]
    shown = witnesses.shown_in_ci(campaign.loaded, parts)
    told = [(one.also, one.told_with) for one in shown]
    first = parts[1].finding.check
    others = tuple(parts[at].finding.check for at in (3, 0))
    assert told == [((), first), (others, ""), ((), ""), ((), first)]
    expected = [ExpectedFailure(VARIANCE_BOUND, first, "known", "f.txt, line 1")]
    apart = witnesses.shown_in_ci(
        campaign.loaded, [judged(part.finding, expected) for part in parts]
    )
    # What is expected tells of nothing that is not.
    assert [(one.also, one.told_with) for one in apart][1] == ((), "")
    assert [one.told_with for one in apart][3] == ""
