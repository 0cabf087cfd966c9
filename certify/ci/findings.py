"""What a campaign found, one finding a check, in one shape for everything that a CI reads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from ..campaign import Campaign, CheckResult
from ..points import Case
from ..samplers import SamplerResult
from ..verdict import GRAVEST_FIRST, Verdict, overall
from .names import DRAWS, SAMPLER


@dataclass(frozen=True)
class Finding:
    """The verdict of one check, and what it rests on.

    ``witness`` is the worst case of a check of a quantity; ``facts`` is what else is known, as
    JSON, and ``said`` why it failed where there is no witness.
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
    yield from map(finding_of, campaign.checks)
    yield from sampler_findings(campaign.samplers)


def finding_of(result: CheckResult) -> Finding:
    """Return what one check of a quantity found."""
    return Finding(result.quantity, result.check, result.verdict, result.cases, result.worst)


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
