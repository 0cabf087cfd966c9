"""What a finding comes to in a CI, where some failures may be expected; and the run's exit code.

Verdicts stay what they are. What is expected decides only how a run ends.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..checks.judgement import overall_of_checks
from ..verdict import Verdict, exit_code
from .expected import ExpectedFailure, expectation
from .findings import Finding


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
    """Return what a finding comes to."""
    if finding.verdict is Verdict.INAPPLICABLE:
        return Judged(finding, Outcome.SKIPPED)
    line = expectation(expected, finding.quantity, finding.check)
    if finding.failed:
        return Judged(finding, Outcome.EXPECTED if line else Outcome.FAILED, line)
    return Judged(finding, Outcome.OUTDATED if line else Outcome.PASSED, line)


def exit_code_of(parts: Sequence[Judged], *, strict: bool = False) -> int:
    """Return the exit code of a run, in which what was expected to fail did no harm.

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
