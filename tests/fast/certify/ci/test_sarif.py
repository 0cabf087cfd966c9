"""The SARIF file is valid by its published schema, and names files by relative paths."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Any

import jsonschema
import pytest
from sarif_schema import PUBLISHED
from simplexcert.certify.ci import sarif
from simplexcert.certify.ci.sarif import relative_file, sarif_of
from simplexcert.certify.ci.violations import Run
from simplexcert.certify.ci.witnesses import Shown


def log_of(run: Run, parts: list[Shown], file: str | None = "a b/mine.py") -> dict[str, Any]:
    log: dict[str, Any] = json.loads(sarif_of(run, parts, file, 1))
    jsonschema.validate(log, PUBLISHED, format_checker=jsonschema.FormatChecker())
    return log


def test_the_schema_is_the_published_one() -> None:
    assert PUBLISHED["id"].startswith("https://docs.oasis-open.org/sarif/sarif/v2.1.0/")


@pytest.mark.parametrize("file", ["a b/mine.py", None])
def test_the_file_is_valid(run: Run, every_kind: list[Shown], file: str | None) -> None:
    (found,) = log_of(run, every_kind, file)["runs"]
    assert [result["level"] for result in found["results"]] == [
        "error", "error", "warning", "error", "error",
    ]  # fmt: skip


def test_nothing_found_is_a_valid_file_without_results(run: Run, every_kind: list[Shown]) -> None:
    (found,) = log_of(run, every_kind[:1])["runs"]
    assert found["results"] == []


def test_a_result_has_its_rule_its_places_and_exact_numbers(
    run: Run, every_kind: list[Shown]
) -> None:
    (found,) = log_of(run, every_kind)["runs"]
    result = found["results"][0]
    rule = found["tool"]["driver"]["rules"][result["ruleIndex"]]
    assert rule["id"] == result["ruleId"] == "dirichlet.utility.variance/accuracy"
    (place,) = result["locations"]
    assert place["physicalLocation"]["artifactLocation"]["uri"] == "a%20b/mine.py"
    (logical,) = place["logicalLocations"]
    assert logical["fullyQualifiedName"] == "dirichlet.utility.variance.accuracy"
    told = result["properties"]
    assert told["parameters"] == {"p": "0x1.0000000000000p-1", "k": "0x1.8000000000000p+1"}
    assert (told["value"], told["lower"]) == ("0x1.0000000000000p-2", "0.0625")
    assert told["lines"][0].startswith("VIOLATION ")


def test_what_is_expected_is_suppressed_with_its_reason(run: Run, every_kind: list[Shown]) -> None:
    (found,) = log_of(run, every_kind)["runs"]
    suppressed = [result.get("suppressions") for result in found["results"]]
    reason = {"kind": "external", "status": "accepted", "justification": "a <reason> & more"}
    assert suppressed == [None, None, None, [reason], None]


def test_a_result_is_recognised_in_the_next_run(run: Run, every_kind: list[Shown]) -> None:
    prints = [
        [result["partialFingerprints"] for result in log_of(each, every_kind)["runs"][0]["results"]]
        for each in (run, replace(run, seed=1))
    ]
    assert prints[0] == prints[1]


def test_there_are_no_more_results_than_are_taken(
    run: Run, every_kind: list[Shown], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sarif, "MAX_RESULTS", 2)
    assert len(log_of(run, every_kind)["runs"][0]["results"]) == 2


@pytest.mark.parametrize(
    ("names", "where", "expected"),
    [
        (["mine.py"], "mine:backend", "mine.py"),
        (["pkg/__init__.py", "pkg/a.py", "pkg/b.py"], "pkg:backend", "pkg/__init__.py"),
        (["pkg/__init__.py", "pkg/a.py"], "pkg.a:backend", "pkg/a.py"),
        (["program.py", "python3"], "command:python3 program.py", "program.py"),
        (["pkg/a.py", "pkg/b.py"], "registered", "pkg/b.py"),
        (["../elsewhere/program"], "command:../elsewhere/program", "program"),
        (["/abs/program"], "command:/abs/program", "program"),
        ([], "command:true", None),
    ],
)
def test_the_backends_file_is_named_by_a_relative_path(
    names: list[str], where: str, expected: str | None
) -> None:
    found = relative_file(names, where)
    assert found == expected
    assert found is None or not PurePosixPath(found).is_absolute()
