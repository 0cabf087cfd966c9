"""Findings of a campaign, one a check, and how each ends a CI's run.

Some failures a project expects of its backend, each with a reason, from a text file. One a line: a
quantity or a glob, a check or a glob, and after ``#`` the reason, which is required::

    dirichlet.profile.delta  accuracy  # our quadrature has six digits, see our issue 12

Verdicts stay as they are, and so does the certificate; an expected failure changes only how a CI's
run ends. A line whose check passes must go: it fails the run until then, so that the list never
outlives the faults.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from itertools import groupby
from pathlib import Path
from typing import Any

from ...reference.errors import InputError, UnknownNameError
from ...reference.exact import read_file, shown
from ...reference.quantity import quantities, quantity_named
from ..backends.protocol import SAMPLERS
from ..campaign import Campaign, CheckResult
from ..checks.judgement import AGAINST_THE_TRUTH, overall_of_checks, shows_nothing
from ..checks.relations import LAWS
from ..points import Case
from ..samplers import SamplerResult
from ..verdict import GRAVEST_FIRST, Verdict, exit_code, overall

DRAWS = "draws"
# One answer against the truth, the relations between answers, and a sampler's draws.
CHECKS = (*AGAINST_THE_TRUTH, *LAWS, DRAWS)
# Prefix of a sampler's name, where a quantity's name is expected.
SAMPLER = "sampler."
# A campaign has a quantity; this one costs next to nothing.
CHEAP = "dirichlet.utility.variance_bound"


@dataclass(frozen=True)
class Finding:
    """The verdict of one check, and what it rests on.

    ``witness`` is the worst case of a check of a quantity; ``facts`` is what else is known, as
    JSON, and ``said`` why it failed where there is no witness, or shows nothing.
    """

    quantity: str
    check: str
    verdict: Verdict
    cases: int
    witness: Case | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)
    said: str = ""

    @property
    def failed(self) -> bool:
        """Whether it is no pass: the absence of a result is none either."""
        return self.verdict not in (Verdict.CERTIFIED, Verdict.INAPPLICABLE)


def findings_of(campaign: Campaign) -> Iterator[Finding]:
    """Yield a finding for each check, in the certificate's order, and one for each sampler."""
    yield from map(_finding_of, campaign.checks)
    yield from sampler_findings(campaign.samplers)


def _finding_of(result: CheckResult) -> Finding:
    """Return the finding of one check of a quantity."""
    nothing = result.verdict is Verdict.INAPPLICABLE and result.cases
    said = shows_nothing(quantity_named(result.quantity), result.counts) if nothing else ""
    return Finding(
        result.quantity, result.check, result.verdict, result.cases, result.worst, said=said
    )


def sampler_findings(results: Iterable[SamplerResult]) -> Iterator[Finding]:
    """Yield a finding for each sampler: its gravest result, at one of the points."""
    for name, group in groupby(results, key=lambda result: result.sampler):
        found = list(group)
        verdict = overall(result.verdict for result in found)
        gravest = min(found, key=lambda result: GRAVEST_FIRST.index(result.verdict))
        tests = sum(len(result.tests) for result in found)
        quantity = f"{SAMPLER}{name}"
        if verdict is Verdict.CERTIFIED:
            yield Finding(quantity, DRAWS, verdict, tests)
        else:
            yield Finding(quantity, DRAWS, verdict, tests, None, _facts(gravest), _said(gravest))


def _facts(result: SamplerResult) -> dict[str, Any]:
    """Return where a sampler failed, and the test that it failed worst."""
    worst = result.worst()
    told = {"params": dict(result.parameters), "seed": result.point.seed}
    return {**told, **({"worst": worst.as_json()} if worst else {"reason": result.reason})}


def _said(result: SamplerResult) -> str:
    worst = result.worst()
    if worst is None:
        return result.reason
    shape = worst.as_json()
    low, high = (shape["probability"][end] for end in ("lower", "upper"))
    return (
        f"{shape['count']} of {shape['draws']} passed the test {shape['test']!r}, "
        f"each with a probability in [{low}, {high}]"
    )


# Every check of every quantity, each on a line of its own, is a tenth of this.
MAX_BYTES = 2**20
# So many checks no campaign has; each is held against the lines, one after the other.
MAX_LINES = 5_000
# A reason is a sentence or two, and stands on one line of a report.
MAX_REASON = 1_000
_FORM = "QUANTITY CHECK  # reason"


@dataclass(frozen=True)
class ExpectedFailure:
    """A line of the file: which checks of which quantities are expected to fail, and why."""

    quantity: str
    check: str
    reason: str
    place: str

    def covers(self, quantity: str, check: str) -> bool:
        """Whether the line is about this check of this quantity."""
        return fnmatchcase(quantity, self.quantity) and fnmatchcase(check, self.check)


def expected_failures_in(path: str | Path) -> tuple[ExpectedFailure, ...]:
    """Return the expected failures of a file, in its order.

    Raises InputError for what is no such file: a line without a reason, or with a quantity or a
    check that does not exist.
    """
    content = read_file(path)
    if len(content) > MAX_BYTES:
        raise InputError(f"{path} is larger than {MAX_BYTES} bytes; it is not read")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"{path} is not UTF-8 text") from None
    return tuple(_lines_of(text, str(path)))


def expectation(
    expected: Iterable[ExpectedFailure], quantity: str, check: str
) -> ExpectedFailure | None:
    """Return the first line that is about this check of this quantity, or None."""
    return next((line for line in expected if line.covers(quantity, check)), None)


def _lines_of(text: str, path: str) -> Iterator[ExpectedFailure]:
    # Only a line feed ends a line: what else Python takes for an end could hide a name.
    lines = [
        (number, line)
        for number, line in enumerate(text.split("\n"), start=1)
        if line.strip() and not line.lstrip().startswith("#")
    ]
    if len(lines) > MAX_LINES:
        raise InputError(f"{path} expects more than {MAX_LINES} failures; use globs")
    for number, line in lines:
        yield _line_read(line, f"{path}, line {number}")


def _line_read(line: str, place: str) -> ExpectedFailure:
    named, _, reason = (part.strip() for part in line.partition("#"))
    words = named.split()
    if len(words) != 2:  # noqa: PLR2004
        raise InputError(f"{place}: {shown(named)} is not of the form {_FORM}")
    if not reason:
        raise InputError(f"{place}: the reason is missing: {_FORM}")
    if len(reason) > MAX_REASON or not reason.isprintable():
        raise InputError(f"{place}: a reason is at most {MAX_REASON} printable characters")
    quantity, check = words
    _require_known(
        "quantity", quantity, [*quantities(), *(f"{SAMPLER}{name}" for name in SAMPLERS)], place
    )
    _require_known("check", check, CHECKS, place)
    return ExpectedFailure(quantity, check, reason, place)


def _require_known(kind: str, pattern: str, known: Iterable[str], place: str) -> None:
    names = list(known)
    if not any(fnmatchcase(name, pattern) for name in names):
        raise UnknownNameError(kind, pattern, names, f"({place})")


# By its beginning such a file is known to be ours, and may be written again.
EXPECTED_HEAD = "# simplexcert: failures that are expected"
_NOT_LOOKED_INTO = "not looked into yet"


def failures_listed(findings: Iterable[Finding], expected: Sequence[ExpectedFailure] = ()) -> bytes:
    """Return a file that expects the failures of a run, and nothing else.

    A failure that was expected keeps its reason; another one has none yet, and its line says so.
    """
    lines = [f"{EXPECTED_HEAD}, as {_FORM}"]
    for found in findings:
        if found.failed:
            line = expectation(expected, found.quantity, found.check)
            reason = line.reason if line else f"{found.verdict}, {_NOT_LOOKED_INTO}"
            lines.append(f"{found.quantity}  {found.check}  # {reason}")
    return "\n".join([*lines, ""]).encode()


class Outcome(enum.StrEnum):
    """How one check ended, for a CI."""

    PASSED = "passed"
    FAILED = "failed"
    EXPECTED = "expected"  # it failed, as a line of the file says
    OUTDATED = "outdated"  # it passed, where a line of the file says that it fails
    SKIPPED = "skipped"  # inapplicable


@dataclass(frozen=True)
class Judged:
    """A finding, its outcome, and the line that expected it to fail."""

    finding: Finding
    outcome: Outcome
    expected: ExpectedFailure | None = None

    @property
    def failed(self) -> bool:
        """Whether it makes the run fail."""
        return self.outcome in (Outcome.FAILED, Outcome.OUTDATED)


def judged(finding: Finding, expected: Iterable[ExpectedFailure]) -> Judged:
    """Return the outcome of a finding, given the failures that are expected."""
    if finding.verdict is Verdict.INAPPLICABLE:
        return Judged(finding, Outcome.SKIPPED)
    line = expectation(expected, finding.quantity, finding.check)
    if finding.failed:
        return Judged(finding, Outcome.EXPECTED if line else Outcome.FAILED, line)
    return Judged(finding, Outcome.OUTDATED if line else Outcome.PASSED, line)


def exit_code_of(parts: Sequence[Judged], *, strict: bool = False) -> int:
    """Return the exit code of a run, in which an expected failure is none.

    With nothing expected it is the code of the verdict on the whole.
    """
    outcomes = {part.outcome for part in parts}
    failed = {part.finding.verdict for part in parts if part.outcome is Outcome.FAILED}
    if Outcome.OUTDATED in outcomes or failed - {Verdict.UNDECIDED}:
        return exit_code(Verdict.REFUTED)
    if failed:
        return exit_code(Verdict.UNDECIDED, strict=strict)
    whole = overall_of_checks([part.finding for part in parts])
    none = whole is Verdict.INAPPLICABLE
    return exit_code(Verdict.INAPPLICABLE if none else Verdict.CERTIFIED)


def unmatched(expected: Iterable[ExpectedFailure], parts: Sequence[Judged]) -> list[str]:
    """Return the places of the lines that nothing that was run is about."""
    ran = [part.finding for part in parts if part.outcome is not Outcome.SKIPPED]
    return [
        line.place
        for line in expected
        if not any(line.covers(found.quantity, found.check) for found in ran)
    ]
