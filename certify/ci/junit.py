"""The outcomes as JUnit XML, which every CI reads: one test case a quantity and check.

It is what Jenkins' schema ``junit-10.xsd`` admits. A refuted check is a failure, one that the
backend broke off is an error, an undecided one is a failure of its own type; what is inapplicable,
and what was expected to fail, is skipped with the reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from xml.etree import ElementTree as ET

from ..report.visible import quoted, visible
from ..verdict import Verdict
from .outcomes import Outcome
from .violations import Run, lines_about
from .witnesses import Shown


def junit_of(run: Run, parts: Sequence[Shown]) -> bytes:
    """Return the XML; the same outcomes give the same bytes."""
    cases = [_case(run, part) for part in parts]
    found = Counter(child.tag for case in cases for child in case)
    counts = {"tests": str(len(cases))}
    for tag, name in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
        counts[name] = str(found[tag])
    suite = ET.Element("testsuite", {"name": _text(quoted(f"{run.name} {run.version}")), **counts})
    properties = ET.SubElement(suite, "properties")
    said = {"backend": run.where, "cases": str(run.cases), "seed": str(run.seed)}
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


def _case(run: Run, part: Shown) -> ET.Element:
    finding, outcome = part.judged.finding, part.judged.outcome
    case = ET.Element("testcase", {"classname": finding.quantity, "name": finding.check})
    lines = "\n".join(map(_text, lines_about(run, part)))
    if outcome is Outcome.SKIPPED:
        ET.SubElement(case, "skipped", {"message": "inapplicable"})
    elif outcome is Outcome.EXPECTED and part.judged.expected:
        reason = _text(f"expected to fail: {part.judged.expected.reason}")
        ET.SubElement(case, "skipped", {"message": reason}).text = lines
    elif outcome is not Outcome.PASSED:
        tag = "error" if finding.verdict is Verdict.ERROR else "failure"
        kind = outcome.value if outcome is Outcome.OUTDATED else finding.verdict.value
        ET.SubElement(case, tag, {"type": kind, "message": _text(message_of(part))}).text = lines
    return case


def message_of(part: Shown) -> str:
    """Return in a sentence why a check does not pass."""
    finding, line = part.judged.finding, part.judged.expected
    about = f"{finding.check} of {finding.quantity}"
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
    return f"{about} is refuted: {shape['value']} against [{shape['lower']}, {shape['upper']}]"


def _text(text: str) -> str:
    """Return text that XML can carry: what cannot be seen is spelled out."""
    return str(visible(text))
