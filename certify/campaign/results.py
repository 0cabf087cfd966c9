"""What a campaign found: of each check its verdict, its worst case, and a few for a picture."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from ...reference.quantity import quantity_named
from ..backends.loading import LoadedBackend
from ..checks.case import Case, graver
from ..checks.judgement import rules_for
from ..checks.second import second_opinion_on
from ..verdict import Verdict, overall

# Cases in all that are kept for a picture, each check's share spread evenly over its cases.
SAMPLED = 600


@dataclass(frozen=True)
class CheckResult:
    """One check of one quantity: its verdict, how many cases, the worst, and a few of them."""

    quantity: str
    check: str
    verdict: Verdict
    cases: int
    worst: Case | None
    second: str
    sample: tuple[Case, ...] = ()


@dataclass(frozen=True)
class Campaign:
    """Everything that a run of checks found."""

    loaded: LoadedBackend
    scope: str
    cases: int
    seed: int
    checks: tuple[CheckResult, ...]
    transcript_sha256: str

    @property
    def verdict(self) -> Verdict:
        """The verdict on the backend: the gravest of its checks."""
        return overall(check.verdict for check in self.checks)


@dataclass
class Tally:
    """What is known of one check so far, of which ``kept`` of ``asked`` cases are remembered."""

    asked: int
    kept: int
    cases: int = 0
    verdicts: set[Verdict] = field(default_factory=set)
    worst: Case | None = None
    sample: list[Case] = field(default_factory=list)

    def add(self, case: Case) -> None:
        """Count a case, and keep it where it is the worst or one for the picture."""
        before, self.cases = self.cases, self.cases + 1
        if self.cases * self.kept // self.asked > before * self.kept // self.asked:
            self.sample.append(case)
        self.verdicts.add(case.verdict)
        self.worst = case if self.worst is None else graver(self.worst, case)


def sample_share(checks: int, cases: int) -> int:
    """Return how many cases of each check are kept for a picture."""
    return min(cases, SAMPLED // checks)


def tallies_of(
    loaded: LoadedBackend, names: Iterable[str], cases: int
) -> dict[tuple[str, str], Tally]:
    """Return an empty tally for each check that applies; what is lacking stays at no cases."""
    backend = loaded.backend
    checks = [
        (name, rule.check)
        for name in names
        for rule in rules_for(quantity_named(name), backend.slack, backend.accuracy)
    ]
    return {check: Tally(cases, sample_share(len(checks), cases)) for check in checks}


def result_of(key: tuple[str, str], tally: Tally) -> CheckResult:
    """Return what a tally comes to, the worst case with a second opinion."""
    name, check = key
    if tally.worst is None:
        return CheckResult(name, check, Verdict.INAPPLICABLE, 0, None, "inapplicable")
    worst = tally.worst
    second = second_opinion_on(name, worst.exact_parameters(), worst.truth, place=worst.entry)
    return CheckResult(
        name, check, overall(tally.verdicts), tally.cases, worst, second, tuple(tally.sample)
    )
