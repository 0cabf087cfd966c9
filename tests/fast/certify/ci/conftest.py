"""Findings of every kind, of a backend with a name that somebody hostile has chosen."""

from __future__ import annotations

import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from outside_project import Outcome, shell
from simplexcert.certify.backends.protocol import Backend
from simplexcert.certify.checks.case import case_from
from simplexcert.certify.checks.judgement import rules_for
from simplexcert.certify.ci.findings import ExpectedFailure, Finding, judged, sampler_findings
from simplexcert.certify.ci.violations import Run
from simplexcert.certify.ci.witnesses import Seen, Shown
from simplexcert.certify.points import Case
from simplexcert.certify.samplers import sampler_results
from simplexcert.certify.verdict import Verdict
from simplexcert.reference.quantity import quantity_named

# A program that writes each of its arguments on a line of its own, and ends as it is told; it tells
# of a certificate that it is to verify.
RECORDER = """#!/bin/sh
if [ "$1" = verify ]; then
  printf "%s" "${TOLD-told}"
  exit "${VERIFIED:-0}"
fi
printf "%s\\n" "$@" >> "$RECORDED"
if [ "${SAYS-}" ]; then echo "$SAYS"; echo "$SAYS" >&2; fi
exit "${ENDS:-0}"
"""
Recorded: TypeAlias = Callable[..., tuple[Outcome, list[str]]]
VARIANCE = "dirichlet.utility.variance"
HOSTILE = "a\"b'<c>&]]>\x1b[31m\n\x00\ud800é\u202e$(touch pwned)`x`::error::%0A[fixed](https://example.org){0}"


def case_of(answer: object) -> Case:
    quantity = quantity_named(VARIANCE)
    (rule,) = rules_for(quantity, {}, {})
    return case_from(quantity, {"p": 0.5, "k": 3.0}, answer, rule)


def shown_with(
    verdict: Verdict, answer: object = None, expected: str | None = None, *, again: bool = True
) -> Shown:
    """Return what is shown of a finding; an answer makes its witness."""
    witness = None if answer is None else case_of(answer)
    found = Finding(VARIANCE, "accuracy", verdict, 1, witness)
    lines = [ExpectedFailure(VARIANCE, "*", expected, "f.txt, line 1")] if expected else []
    return Shown(judged(found, lines), Seen(witness, again) if witness else None)


@pytest.fixture
def run() -> Run:
    return Run(f"mine:{HOSTILE}", HOSTILE, "1", 20, 0)


@pytest.fixture
def every_kind() -> list[Shown]:
    """Return one of each outcome, with hostile words wherever somebody else chooses them."""
    return [
        shown_with(Verdict.CERTIFIED, 0.0625),
        shown_with(Verdict.REFUTED, 0.25),
        shown_with(Verdict.ERROR, ValueError(HOSTILE)),
        shown_with(Verdict.UNDECIDED, 0.0625),
        shown_with(Verdict.INAPPLICABLE),
        shown_with(Verdict.REFUTED, 0.25, "a <reason> & more"),
        shown_with(Verdict.CERTIFIED, 0.0625, "it was wrong"),
    ]


@pytest.fixture(scope="session")
def samplers() -> list[Shown]:
    """Return what is shown of a sampler that draws zeros alone, and of one that raises."""

    def zeros(alpha: list[float], count: int, seed: int) -> list[list[float]]:  # noqa: ARG001
        return [[0.0] * len(alpha)] * count

    def broken(**_given: object) -> list[float]:
        raise ValueError(HOSTILE)

    backend = Backend("mine", "1", {}, samplers={"dirichlet": zeros, "laplace": broken})
    return [
        Shown(judged(finding, ()), None)
        for finding in sampler_findings(sampler_results(backend, seed=0))
    ]


@pytest.fixture
def recorded(tmp_path: Path) -> Recorded:
    """Return a function that runs a step with programs that only record what they are given."""
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in ("python", "simplexcert"):
        program = programs / name
        program.write_text(RECORDER, encoding="utf-8")
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
    work = tmp_path / "work"
    work.mkdir()
    (work / "a").touch()

    def run(step: dict[str, Any], **inputs: str) -> tuple[Outcome, list[str]]:
        record = tmp_path / "recorded"
        # A runner's bash is started with these options.
        done = shell(
            f'set -eo pipefail; PATH="{programs}:$PATH"; {step["run"]}',
            work,
            RECORDED=str(record),
            GITHUB_OUTPUT=str(tmp_path / "output"),
            GITHUB_ACTION_PATH="/action",
            **inputs,
        )
        assert not (work / "pwned").exists()
        given = record.read_text(encoding="utf-8").splitlines() if record.exists() else []
        return done, given

    return run
