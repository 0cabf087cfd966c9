"""Output of a campaign for a CI: lines for grep, JUnit XML, SARIF 2.1.0, and the exit code.

JUnit XML has one test case a quantity and check, and is valid by Jenkins' schema ``junit-10.xsd``.
A refuted check is a failure, one that the backend broke off is an error, an undecided one is a
failure of its own type; an inapplicable one, and an expected failure, is skipped with the reason.
What the backend does not offer at all is no test case: a property counts it.
Where checks of a quantity fail by one answer at one point, that is one fault: the gravest check is
the failure, and tells of the others, which are skipped and refer to it.

SARIF has a rule a quantity and check, and a result a fault, which names the backend's file by a
relative path, never by one of this machine's; parameters and answers are in its properties, exact.
An expected failure is there, suppressed with the reason.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import quote
from xml.etree import ElementTree as ET

import click

from ..campaign import Campaign, Key
from ..files import write_whole
from ..marks import EXPECTED, JUNIT, SARIF
from ..points import Case
from ..report import quoted, visible
from ..verdict import FAILED, Verdict, exit_code
from .findings import (
    SAMPLER,
    ExpectedFailure,
    Judged,
    Outcome,
    exit_code_of,
    failures_listed,
    findings_of,
    judged,
    unmatched,
)
from .violations import Run, in_decimals, lines_about, run_with
from .witnesses import Shown, shown_in_ci


def junit_of(run: Run, parts: Sequence[Shown]) -> bytes:
    """Return the XML; the same outcomes give the same bytes."""
    offered = [part for part in parts if _key_of(part)[0] in _offered(parts)]
    cases = [_test_case(run, part) for part in offered] or [_nothing_offered()]
    found = Counter(child.tag for case in cases for child in case)
    counts = {"tests": str(len(cases))}
    for tag, name in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
        counts[name] = str(found[tag])
    suite = ET.Element("testsuite", {"name": _text(quoted(f"{run.name} {run.version}")), **counts})
    properties = ET.SubElement(suite, "properties")
    said = {"backend": run.where, "cases": str(run.cases), "seed": str(run.seed)}
    asked = {_key_of(part)[0] for part in parts}
    said["not offered"] = f"{len(asked - _offered(parts))} of {len(asked)} that were asked for"
    for name, value in said.items():
        ET.SubElement(properties, "property", {"name": name, "value": _text(value)})
    suite.extend(cases)
    # The outermost element counts what it holds, but has no word for what was skipped.
    whole = {name: value for name, value in counts.items() if name != "skipped"}
    suites = ET.Element("testsuites", {"name": "simplexcert", **whole})
    suites.append(suite)
    ET.indent(suites)
    written: bytes = ET.tostring(suites, encoding="utf-8", xml_declaration=True)
    return written + b"\n"


def _offered(parts: Iterable[Shown]) -> set[str]:
    """Return the quantities and samplers of which something was asked."""
    findings = [part.judged.finding for part in parts]
    return {
        each.quantity for each in findings if each.cases or each.verdict is not Verdict.INAPPLICABLE
    }


def _nothing_offered() -> ET.Element:
    """Return the only case of a backend that offers nothing: with none a CI sees no result."""
    case = ET.Element("testcase", {"classname": "simplexcert", "name": "offered"})
    ET.SubElement(case, "skipped", {"message": "the backend offers nothing that was asked for"})
    return case


def _test_case(run: Run, part: Shown) -> ET.Element:
    finding, outcome = part.judged.finding, part.judged.outcome
    case = ET.Element("testcase", {"classname": finding.quantity, "name": finding.check})
    lines = "\n".join(map(_text, lines_about(run, part)))
    if outcome is Outcome.SKIPPED:
        why = f": {finding.said}" if finding.said else ""
        ET.SubElement(case, "skipped", {"message": _text(f"inapplicable{why}")})
    elif part.told_with:
        reason = f"fails, too, and is told with {part.told_with}: one answer at one point"
        ET.SubElement(case, "skipped", {"message": reason})
    elif outcome is Outcome.EXPECTED and part.judged.expected:
        reason = _text(f"expected to fail: {part.judged.expected.reason}")
        ET.SubElement(case, "skipped", {"message": reason}).text = lines
    elif outcome is not Outcome.PASSED:
        tag = "error" if finding.verdict is Verdict.ERROR else "failure"
        kind = outcome.value if outcome is Outcome.OUTDATED else finding.verdict.value
        ET.SubElement(case, tag, {"type": kind, "message": _text(_message_of(part))}).text = lines
    return case


def _message_of(part: Shown) -> str:
    """Return in a sentence why a check does not pass."""
    finding, line = part.judged.finding, part.judged.expected
    about = f"{', '.join([finding.check, *part.also])} of {finding.quantity}"
    if part.judged.outcome is Outcome.OUTDATED and line:
        return f"{about} passes, though it is expected to fail: remove {line.place}"
    case = part.witness.case if part.witness else None
    if finding.verdict is Verdict.UNDECIDED:
        return f"{about} is undecided: there was neither a proof nor a witness in time"
    if finding.verdict is Verdict.ERROR:
        return f"{about}: the backend gave no answer: {case.reason if case else finding.said}"
    if case is None:
        return f"{about} is refuted: {finding.said}"
    shape = case.as_json()
    return (
        f"{about} is refuted: {_plain(shape['value'])} against [{shape['lower']}, {shape['upper']}]"
    )


def _plain(value: object) -> str:
    """Return an answer in decimals, as people read it."""
    return in_decimals(value).removeprefix('"').removesuffix('"')


def _text(text: str) -> str:
    """Return text that XML can carry: characters that cannot be seen are spelled out."""
    return str(visible(text))


_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
# A viewer finds the same result again in the next run by this; its name carries its version.
_FINGERPRINT = "simplexcertBackendQuantityCheck/v1"
# Code scanning takes so many results of a run and no more.
MAX_RESULTS = 25_000


def sarif_of(run: Run, parts: Sequence[Shown], file: str | None, exit_code: int) -> bytes:
    """Return the JSON; ``file`` is the backend's, relative to where its project is."""
    silent = (Outcome.PASSED, Outcome.SKIPPED)
    told = [part for part in parts if part.judged.outcome not in silent and not part.told_with]
    told = told[:MAX_RESULTS]
    ids = list(dict.fromkeys(map(_rule_id, told)))
    content = {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": _driver(ids, told)},
                "invocations": [{"executionSuccessful": True, "exitCode": exit_code}],
                "columnKind": "unicodeCodePoints",
                "results": [_result(run, part, ids.index(_rule_id(part)), file) for part in told],
                "properties": {"backend": _text(run.where), "cases": run.cases, "seed": run.seed},
            }
        ],
    }
    return json.dumps(content, indent=1).encode() + b"\n"


def _rule_id(part: Shown) -> str:
    return f"{part.judged.finding.quantity}/{part.judged.finding.check}"


def _driver(ids: Iterable[str], told: Iterable[Shown]) -> dict[str, Any]:
    found = {_rule_id(part): part.judged.finding for part in told}
    rules = [
        {
            "id": name,
            "shortDescription": {"text": f"{found[name].check} of {found[name].quantity}"},
            "defaultConfiguration": {"level": "error"},
        }
        for name in ids
    ]
    return {"name": "simplexcert", "version": version("simplexcert"), "rules": rules}


def _result(run: Run, part: Shown, rule: int, file: str | None) -> dict[str, Any]:
    finding = part.judged.finding
    undecided = finding.verdict is Verdict.UNDECIDED
    name = f"{run.name}/{_rule_id(part)}"
    return {
        "ruleId": _rule_id(part),
        "ruleIndex": rule,
        "kind": "fail",
        "level": "warning" if undecided else "error",
        "message": {"text": _as_it_stands(_text(_message_of(part)))},
        "locations": [_location(part, file)],
        "partialFingerprints": {_FINGERPRINT: hashlib.sha256(_text(name).encode()).hexdigest()},
        "properties": _properties(run, part),
        **_suppressed(part),
    }


def _as_it_stands(text: str) -> str:
    """Return text in which a message of SARIF has no link and no placeholder.

    A backend's own error is quoted. ``[text](target)`` in it would be read as the checker's link
    (section 3.11.6), ``{0}`` as the place of an argument, unless its braces are doubled (3.11.5).
    """
    return text.replace("](", "] (").replace("{", "{{").replace("}", "}}")


def _location(part: Shown, file: str | None) -> dict[str, Any]:
    """Return where a result is: the quantity and check, and the backend's file where known."""
    logical = {
        "name": part.judged.finding.check,
        "fullyQualifiedName": f"{part.judged.finding.quantity}.{part.judged.finding.check}",
        "kind": "function",
    }
    physical = {"physicalLocation": _physical(file)} if file else {}
    return {**physical, "logicalLocations": [logical]}


def _physical(file: str) -> dict[str, Any]:
    # Which line of it is at fault nobody knows.
    return {"artifactLocation": {"uri": quote(file, errors="replace")}, "region": {"startLine": 1}}


def _properties(run: Run, part: Shown) -> dict[str, Any]:
    """Return the finding's verdict, witness and facts for programs, all numbers as text."""
    finding, witness = part.judged.finding, part.witness
    shape = witness.case.as_json() if witness else {}
    found = finding.witness.as_json()["parameters"] if finding.witness else None
    return {
        "verdict": finding.verdict.value,
        "checks": [finding.check, *part.also],
        "cases": finding.cases,
        **_texts({**shape, **finding.facts}),
        **({"found": found} if found not in (None, shape.get("parameters")) else {}),
        "lines": [_text(line) for line in lines_about(run, part)],
    }


def _texts(value: Any) -> Any:
    """Return JSON with its texts as they can be seen."""
    if isinstance(value, dict):
        return {name: _texts(item) for name, item in value.items()}
    return [_texts(item) for item in value] if isinstance(value, list | tuple) else visible(value)


def _suppressed(part: Shown) -> dict[str, Any]:
    line = part.judged.expected
    if line is None or part.judged.outcome is not Outcome.EXPECTED:
        return {}
    accepted = {"kind": "external", "status": "accepted", "justification": line.reason}
    return {"suppressions": [accepted]}


def relative_file(names: Sequence[str], where: str) -> str | None:
    """Return the file of a backend to point at, among the certificate's subjects.

    Of a module it is the module's own; of a command the last file in it, for the first is often an
    interpreter. Names are relative, as a certificate's are; what leads out of the project has
    its last part alone.
    """
    if not names:
        return None
    module = where.partition(":")[0].replace(".", "/")
    own = [name for name in names if name in (f"{module}.py", f"{module}/__init__.py")]
    words = [name for name in names if name in where]
    name = (own or sorted(words, key=where.rindex) or list(names))[-1]
    path = PurePosixPath(name)
    return path.name if path.is_absolute() or ".." in path.parts else str(path)


@dataclass(frozen=True)
class InCI:
    """A campaign and the failures expected of it: the source of all output for a CI.

    ``noted`` are failures whose reasons are known, and which count all the same.
    """

    campaign: Campaign
    expected: Sequence[ExpectedFailure] = ()
    strict: bool = False
    noted: Sequence[ExpectedFailure] = ()

    @cached_property
    def judged(self) -> list[Judged]:
        """Outcome of each finding."""
        return [judged(finding, self.expected) for finding in findings_of(self.campaign)]

    @cached_property
    def shown(self) -> list[Shown]:
        """Each outcome with its witness; the backend is asked again for this."""
        return shown_in_ci(self.campaign.loaded, self.judged)

    @property
    def simplest(self) -> dict[Key, Case]:
        """The failures that were seen again, each as simple as it was made."""
        return {
            _key_of(part): part.witness.case
            for part in self.shown
            if part.witness and part.witness.again
        }

    @property
    def exit_code(self) -> int:
        """The run's exit code; expected failures change it, and nothing else."""
        found = (
            exit_code_of(self.judged, strict=self.strict)
            if self.expected
            else exit_code(self.campaign.verdict, strict=self.strict)
        )
        loose = any(check.counts.loose for check in self.campaign.checks)
        return found or int(self.strict and loose)

    @cached_property
    def commands(self) -> dict[Key, list[str]]:
        """The commands that show a failure again, below the line in which people are told of it.

        It is one of a check that failed or ended in an error.
        """
        run = _run_of(self.campaign)
        told = [part for part in self.shown if _is_told(part)]
        return {_key_of(part): list(lines_about(run, part))[1:] for part in told}

    def print_lines(self, *, all_of_them: bool) -> None:
        """Print the lines for grep: all on standard error, beside JSON or line 1 alone.

        Else on standard output those of which the text above has not told.
        """
        for line in self.lines(() if all_of_them else self.commands):
            click.echo(line, err=all_of_them)

    def lines(self, told: Container[Key] = ()) -> Iterator[str]:
        """Yield the lines for grep, except of what was ``told``, and how many were expected."""
        run = _run_of(self.campaign)
        for part in self.shown:
            if _key_of(part) not in told:
                yield from lines_about(run, part)
        for place in unmatched(self.expected, self.judged):
            yield f"simplexcert: {place}: nothing that was run is of that name"
        met = sum(part.outcome is Outcome.EXPECTED for part in self.judged)
        if met:
            yield (
                f"simplexcert: {met} of these failures were expected; the verdict on the backend "
                f"is {self.campaign.verdict.value} all the same, and so says its certificate"
            )

    def write(self, junit: str | None, sarif: str | None, failures: str | None = None) -> None:
        """Write the files that were asked for, each whole."""
        run = _run_of(self.campaign)
        if failures:
            write_whole(
                failures,
                failures_listed(findings_of(self.campaign), (*self.expected, *self.noted)),
                EXPECTED,
            )
        if junit:
            write_whole(junit, junit_of(run, self.shown), JUNIT)
        if sarif:
            names = [subject.name for subject in self.campaign.loaded.subjects]
            file = relative_file(names, run.where)
            write_whole(sarif, sarif_of(run, self.shown, file, self.exit_code), SARIF)


def _key_of(part: Shown) -> Key:
    return part.judged.finding.quantity, part.judged.finding.check


def _is_told(part: Shown) -> bool:
    """Whether a text for people tells of a failure by itself: it is no sampler's, nor expected."""
    finding = part.judged.finding
    by_itself = part.judged.outcome is Outcome.FAILED and not part.told_with
    seen = finding.verdict in FAILED and finding.witness is not None
    return by_itself and seen and not finding.quantity.startswith(SAMPLER)


def _run_of(campaign: Campaign) -> Run:
    """Return the backend and the settings of a campaign."""
    return run_with(campaign.loaded, campaign.cases, campaign.seed, campaign.screen)
