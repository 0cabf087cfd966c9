"""What a campaign found: of each check its verdict, its worst case, and a few for a picture."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ...reference.evaluation import second_opinion
from ...reference.quantity import quantity_named
from ..backends.loading import LoadedBackend
from ..backends.subjects import Subject
from ..checks.judgement import AGAINST_THE_TRUTH, overall_of_checks, rules_for
from ..checks.laws import laws_for
from ..points import Case, exact_point
from ..samplers import SamplerResult
from ..verdict import Verdict, overall, overall_of_cases
from .batches import Key, Tally, law_cases

# Cases in all that are kept for a picture, each check's share spread evenly over its cases. Laws
# are not in it: their answers have no distance from a truth.
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
    """Everything that a run of checks found; ``subjects`` are the files that it is about."""

    loaded: LoadedBackend
    scope: str
    cases: int
    seed: int
    checks: tuple[CheckResult, ...]
    transcript_sha256: str
    samplers: tuple[SamplerResult, ...] = ()
    subjects: tuple[Subject, ...] = ()

    @property
    def verdict(self) -> Verdict:
        """The verdict on the backend: the gravest of its checks and its samplers'."""
        checks = overall_of_checks(self.checks)
        return overall([checks, *(sampler.verdict for sampler in self.samplers)])


def sample_share(checks: int, cases: int) -> int:
    """Return how many cases are kept for a picture of each check that is none of a law."""
    return min(cases, SAMPLED // checks)


def tallies_of(loaded: LoadedBackend, names: Iterable[str], cases: int) -> dict[Key, Tally]:
    """Return an empty tally for each check that applies; what is lacking stays at no cases.

    A quantity's laws come after its direction and accuracy.
    """
    backend = loaded.backend
    rules = {
        name: [
            rule.check for rule in rules_for(quantity_named(name), backend.slack, backend.accuracy)
        ]
        for name in names
    }
    share = sample_share(sum(map(len, rules.values())), cases)
    tallies: dict[Key, Tally] = {}
    for name, checks in rules.items():
        tallies |= {(name, check): Tally(cases, share) for check in checks}
        laws = laws_for(quantity_named(name))
        tallies |= {(name, law.check): Tally(law_cases(cases), 0) for law in laws}
    return tallies


def result_of(key: Key, tally: Tally) -> CheckResult:
    """Return what a tally comes to, the worst case with a second opinion."""
    name, check = key
    if tally.worst is None:
        return CheckResult(name, check, Verdict.INAPPLICABLE, 0, None, "inapplicable")
    worst = tally.worst
    second = _second_opinion_on(worst)
    return CheckResult(
        name,
        check,
        overall_of_cases(tally.verdicts),
        tally.cases,
        worst,
        second,
        tuple(tally.sample),
    )


def _second_opinion_on(case: Case) -> str:
    """Ask the second engine about the truth that a case rests on; a law may rest on none."""
    if case.check not in AGAINST_THE_TRUTH:
        truth = next((other for other in case.others if other.value is None), None)
        if truth is None:
            return "inapplicable"
        return second_opinion(truth.quantity, exact_point(truth.parameters), case.truth)
    exact = case.exact_parameters()
    return second_opinion(case.quantity, exact, case.truth, place=case.entry)
