"""JUnit is as Jenkins' schema has it, SARIF as its published one; both have every finding, once."""

from __future__ import annotations

import json
import re
import shlex
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Any
from xml.etree import ElementTree as ET

import jsonschema
import pytest
from each import each_of
from sarif_schema import PUBLISHED
from simplexcert.certify.ci import output
from simplexcert.certify.ci.findings import Finding, Outcome, exit_code_of, judged
from simplexcert.certify.ci.output import junit_of, relative_file, sarif_of
from simplexcert.certify.ci.violations import Run, lines_about
from simplexcert.certify.ci.witnesses import Shown
from simplexcert.certify.cli.issuing import certify
from simplexcert.certify.verdict import Verdict

# What junit-10.xsd of Jenkins' xUnit plugin admits, of what is used: attributes, and children in
# any order where there are several kinds.
ADMITTED = {
    "testsuites": ({"name", "tests", "failures", "errors"}, {"testsuite"}),
    "testsuite": (
        {"name", "tests", "failures", "errors", "skipped"},
        {"properties", "testcase"},
    ),
    "properties": (set(), {"property"}),
    "property": ({"name", "value"}, set()),
    "testcase": ({"name", "classname"}, {"failure", "error", "skipped"}),
    "failure": ({"type", "message"}, set()),
    "error": ({"type", "message"}, set()),
    "skipped": ({"message"}, set()),
}  # fmt: skip
REQUIRED = {
    "testsuite": {"name", "tests"},
    "testcase": {"name", "classname"},
    "property": {"name", "value"},
}


def parsed(run: Run, parts: list[Shown]) -> ET.Element:
    return ET.fromstring(junit_of(run, parts))  # noqa: S314


def test_the_file_is_what_the_schema_admits(run: Run, every_kind: list[Shown]) -> None:
    for element in parsed(run, every_kind).iter():
        attributes, children = ADMITTED[element.tag]
        assert set(element.attrib) <= attributes
        assert {child.tag for child in element} <= children
        assert set(element.attrib) >= REQUIRED.get(element.tag, set())


def test_every_check_is_a_test_case_and_is_counted(run: Run, every_kind: list[Shown]) -> None:
    (suite,) = parsed(run, every_kind)
    cases = suite.findall("testcase")
    assert [[(child.tag, child.get("type")) for child in case] for case in cases] == [
        [],
        [("failure", "refuted")],
        [("error", "error")],
        [("failure", "undecided")],
        [("skipped", None)],
        [("skipped", None)],
        [("failure", "outdated")],
    ]
    counted = {name: suite.get(name) for name in ("tests", "failures", "errors", "skipped")}
    assert counted == {"tests": "7", "failures": "3", "errors": "1", "skipped": "2"}


def test_what_is_not_offered_is_counted_and_no_test_case(run: Run, every_kind: list[Shown]) -> None:
    shown = every_kind[0]
    missing = [
        replace(shown, judged=judged(Finding(name, check, Verdict.INAPPLICABLE, 0), ()))
        for name in ("gaussian.delta", "gaussian.epsilon")
        for check in ("direction", "monotone")
    ]
    (suite,) = parsed(run, [*every_kind, *missing])
    assert len(suite.findall("testcase")) == len(every_kind)
    told = {each.get("name"): each.get("value") for each in suite.iter("property")}
    offered = len({part.judged.finding.quantity for part in every_kind})
    assert told["not offered"] == f"2 of {offered + 2} that were asked for"
    # A file without a test case is no result for a CI.
    (only,) = parsed(run, missing)[0].findall("testcase")
    assert [child.tag for child in only] == ["skipped"]


def test_a_failure_has_the_line_and_the_commands(run: Run, every_kind: list[Shown]) -> None:
    failure = parsed(run, every_kind)[0].findall("testcase")[1].find("failure")
    assert failure is not None
    assert re.match(r"VIOLATION .*\nREPRODUCE .*\nTRUTH .*$", failure.text or "")
    assert "is refuted: 0.25 against [0.0625, 0.0625]" in str(failure.get("message"))


@pytest.fixture
def one_fault(every_kind: list[Shown]) -> list[Shown]:
    """Return what is shown of a check that fails, and of two that fail by the same answer."""
    told = every_kind[1]
    silent = [
        replace(
            told,
            judged=replace(told.judged, finding=replace(told.judged.finding, check=check)),
            told_with="accuracy",
        )
        for check in ("monotone", "limit")
    ]
    return [replace(told, also=("monotone", "limit")), *silent]


def test_a_fault_that_several_checks_find_is_one_failure(run: Run, one_fault: list[Shown]) -> None:
    (suite,) = parsed(run, one_fault)
    assert [suite.get(name) for name in ("tests", "failures", "skipped")] == ["3", "1", "2"]
    first, *others = suite.findall("testcase")
    assert str(first[0].get("message")).startswith(
        "accuracy, monotone, limit of dirichlet.utility.variance is refuted: "
    )
    assert {other[0].get("message") for other in others} == {
        "fails, too, and is told with accuracy: one answer at one point"
    }
    (found,) = log_of(run, one_fault)["runs"]
    (result,) = found["results"]
    assert result["ruleId"] == "dirichlet.utility.variance/accuracy"
    assert result["properties"]["checks"] == ["accuracy", "monotone", "limit"]
    lines = [line for shown in one_fault for line in lines_about(run, shown)]
    assert [line.split()[0] for line in lines] == ["VIOLATION", "REPRODUCE", "TRUTH"]
    assert ' check=accuracy also=["monotone","limit"] verdict=refuted ' in lines[0]


def test_reasons_are_told(run: Run, every_kind: list[Shown]) -> None:
    cases = parsed(run, every_kind)[0].findall("testcase")
    messages = [str(case[0].get("message")) for case in cases[4:]]
    assert messages[:2] == ["inapplicable", "expected to fail: a <reason> & more"]
    assert "remove f.txt, line 1" in messages[2]


def texts_of(run: Run, parts: list[Shown]) -> list[str]:
    """Return the text of every result's message."""
    (found,) = log_of(run, parts)["runs"]
    return [result["message"]["text"] for result in found["results"]]


def test_no_words_of_a_backend_are_a_link_in_a_message(
    run: Run, every_kind: list[Shown], samplers: list[Shown]
) -> None:
    """SARIF 2.1.0, section 3.11.6: ``[text](target)`` is one in any message."""
    texts = texts_of(run, [*every_kind, *samplers])
    assert any("[fixed] (https://example.org)" in text for text in texts)
    assert not any("](" in text for text in texts)


def test_no_words_of_a_backend_are_a_placeholder_in_a_message(
    run: Run, every_kind: list[Shown], samplers: list[Shown]
) -> None:
    """SARIF 2.1.0, section 3.11.5: ``{0}`` is one in any message, unless its braces are doubled."""
    texts = texts_of(run, [*every_kind, *samplers])
    assert any("{{0}}" in text for text in texts)
    assert all(re.fullmatch(r"(?:[^{}]|\{\{|\}\})*", text) for text in texts)


def test_the_same_outcomes_give_the_same_bytes(run: Run, every_kind: list[Shown]) -> None:
    assert junit_of(run, every_kind) == junit_of(run, every_kind)


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
    monkeypatch.setattr(output, "MAX_RESULTS", 2)
    assert len(log_of(run, every_kind)["runs"][0]["results"]) == 2


@each_of(
    "names, where, expected",
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


def test_each_sampler_is_one_finding_and_fails_the_run(samplers: list[Shown]) -> None:
    parts = [shown.judged for shown in samplers]
    assert [part.finding.quantity for part in parts] == ["sampler.dirichlet", "sampler.laplace"]
    assert [part.finding.verdict.value for part in parts] == ["refuted", "error"]
    assert {part.outcome for part in parts} == {Outcome.FAILED}
    assert exit_code_of(parts) == 1


def test_the_line_has_the_parameters_and_the_test(samplers: list[Shown]) -> None:
    run = Run("mine:it", "mine", "1", 20, 7)
    line, reproduce = lines_about(run, samplers[0])
    assert line.startswith("VIOLATION quantity=sampler.dirichlet check=draws verdict=refuted ")
    assert ' params={"alpha":["' in line
    assert '"0x' not in line
    worst = json.loads(line.partition(" worst=")[2])
    assert worst["verdict"] == "refuted"
    words = shlex.split(reproduce)
    assert words[1:5] == ["simplexcert", "certify", "mine:it", "--samplers"]
    options = {option for parameter in certify.params for option in parameter.opts}
    assert {word for word in words if word.startswith("--")} <= options
    (broken, _) = lines_about(run, samplers[1])
    assert broken.isascii()
    assert broken.isprintable()
    assert " reason=" in broken


def test_the_files_tell_it(run: Run, samplers: list[Shown]) -> None:
    failures = ET.fromstring(junit_of(run, samplers)).iter("failure")  # noqa: S314
    assert "passed the test" in str(next(failures).get("message"))
    log = json.loads(sarif_of(run, samplers, None, 1))
    jsonschema.validate(log, PUBLISHED)
    first = log["runs"][0]["results"][0]
    assert first["ruleId"] == "sampler.dirichlet/draws"
    assert first["properties"]["worst"]["draws"] > 0
