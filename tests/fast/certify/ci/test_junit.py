"""The JUnit file is well-formed, as Jenkins' schema has it, and counts what there is."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

from simplexcert.certify.ci.junit import junit_of
from simplexcert.certify.ci.violations import Run
from simplexcert.certify.ci.witnesses import Shown

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


def test_a_failure_has_the_line_and_the_commands(run: Run, every_kind: list[Shown]) -> None:
    failure = parsed(run, every_kind)[0].findall("testcase")[1].find("failure")
    assert failure is not None
    assert re.match(r"VIOLATION .*\nREPRODUCE .*\nTRUTH .*$", failure.text or "")
    assert "0x1.0000000000000p-2 against [0.0625, 0.0625]" in str(failure.get("message"))


def test_reasons_are_told(run: Run, every_kind: list[Shown]) -> None:
    cases = parsed(run, every_kind)[0].findall("testcase")
    messages = [str(case[0].get("message")) for case in cases[4:]]
    assert messages[:2] == ["inapplicable", "expected to fail: a <reason> & more"]
    assert "remove f.txt, line 1" in messages[2]


def test_the_same_outcomes_give_the_same_bytes(run: Run, every_kind: list[Shown]) -> None:
    assert junit_of(run, every_kind) == junit_of(run, every_kind)
