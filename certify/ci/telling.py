"""Tell a CI what a campaign found: lines for grep, JUnit, SARIF, and the run's exit code."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import click

from ..campaign import Campaign
from ..files import write_whole
from ..marks import JUNIT, SARIF
from ..verdict import exit_code
from .expected import ExpectedFailure
from .findings import findings_of
from .junit import junit_of
from .outcomes import Judged, Outcome, exit_code_of, judged, unmatched
from .sarif import relative_file, sarif_of
from .violations import Run, lines_about, run_with
from .witnesses import Shown, shown_in_ci


@dataclass(frozen=True)
class InCI:
    """A campaign and the failures that were expected, as a CI is told of them."""

    campaign: Campaign
    expected: Sequence[ExpectedFailure] = ()
    strict: bool = False

    @cached_property
    def judged(self) -> list[Judged]:
        """What each finding comes to."""
        return [judged(finding, self.expected) for finding in findings_of(self.campaign)]

    @cached_property
    def shown(self) -> list[Shown]:
        """Each outcome with its witness; the backend is asked again for this."""
        return shown_in_ci(self.campaign.loaded, self.judged)

    @property
    def exit_code(self) -> int:
        """The run's exit code; expected failures change it, and nothing else."""
        if not self.expected:
            return exit_code(self.campaign.verdict, strict=self.strict)
        return exit_code_of(self.judged, strict=self.strict)

    def print_lines(self) -> None:
        """Print the lines on standard error; standard output is for the certificate's JSON."""
        for line in self.lines():
            click.echo(line, err=True)

    def lines(self) -> Iterator[str]:
        """Yield the lines for grep, and what was made of what was expected."""
        run = run_of(self.campaign)
        for part in self.shown:
            yield from lines_about(run, part)
        for place in unmatched(self.expected, self.judged):
            yield f"simplexcert: {place}: nothing that was run is of that name"
        met = sum(part.outcome is Outcome.EXPECTED for part in self.judged)
        if met:
            yield (
                f"simplexcert: {met} of these failures were expected; the verdict on the backend "
                f"is {self.campaign.verdict.value} all the same, and so says its certificate"
            )

    def write(self, junit: str | None, sarif: str | None) -> None:
        """Write the files that were asked for, each whole."""
        run = run_of(self.campaign)
        if junit:
            write_whole(junit, junit_of(run, self.shown), JUNIT)
        if sarif:
            names = [subject.name for subject in self.campaign.loaded.subjects]
            file = relative_file(names, run.where)
            write_whole(sarif, sarif_of(run, self.shown, file, self.exit_code), SARIF)


def run_of(campaign: Campaign) -> Run:
    """Return what a campaign was asked for."""
    return run_with(campaign.loaded, campaign.cases, campaign.seed)
