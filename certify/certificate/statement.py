"""Make a certificate from a campaign: the same campaign gives the same bytes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from importlib.metadata import version

from ...reference.exact import exact_text
from ...reference.quantity import Side, quantity_named
from ..campaign import DEFAULT_SEED, EVERYTHING, Campaign, CheckResult
from ..checks.judgement import DEFAULT_ACCURACY
from ..points import Case
from .models import (
    BACKEND_TYPE,
    STATEMENT_TYPE,
    Answered,
    Check,
    Engine,
    HypothesisStatus,
    Predicate,
    Sample,
    Scope,
    Statement,
    Tool,
    Transcript,
    Witness,
)
from .samplers import about_samplers, samplers_of
from .subjects import in_order, subject

DIRECTION = "direction"

_ALWAYS_LEFT_OPEN = (
    "Points were searched for, not exhausted: between them the backend may still err.",
    "Points came from each quantity's search ranges (`quantities --json`), not all of its domain.",
)
WHO_ISSUED = "Who issued the certificate, and when: only a signature on it can tell."
ASSUMED = (
    HypothesisStatus(
        "a backend's answer depends on its arguments alone",
        "assumed",
        "no check repeats every call in every environment",
    ),
)
ENGINE_ROLES = (("python-flint", "first"), ("gmpy2", "second"))


def statement_of(campaign: Campaign, issued: str | None = None) -> Statement:
    """Return the statement that a campaign supports, with the time of issue if it is to be told."""
    return Statement(
        type=STATEMENT_TYPE,
        subject=in_order(subject(item.name, item.sha256) for item in campaign.subjects),
        predicateType=BACKEND_TYPE,
        predicate=_predicate(campaign, issued),
    )


def _predicate(campaign: Campaign, issued: str | None) -> Predicate:
    samplers = samplers_of(campaign)
    return Predicate(
        verdict=campaign.verdict,
        tool=this_tool(),
        engines=these_engines(),
        issued=issued,
        seed=campaign.seed,
        scope=_scope(campaign, tested=bool(samplers.tested)),
        checks=[_check(campaign, check) for check in campaign.checks],
        samplers_offered=samplers.offered,
        samplers=samplers.tested,
        sample=[one for check in campaign.checks for one in _sample(check)],
        hypotheses=list(ASSUMED),
        non_claims=non_claims(_slack_in_scope(campaign), campaign.seed, about_samplers(samplers)),
        transcript=Transcript(
            campaign.transcript_sha256, sum(check.cases for check in campaign.checks)
        ),
    )


def _scope(campaign: Campaign, *, tested: bool) -> Scope:
    backend = campaign.loaded.backend
    return Scope(
        backend.name,
        backend.version,
        campaign.scope,
        sorted({check.quantity for check in campaign.checks}),
        campaign.cases,
        tested or campaign.scope == EVERYTHING,
    )


def this_tool() -> Tool:
    """Return what this program is called."""
    return Tool("simplexcert", version("simplexcert"))


def these_engines() -> list[Engine]:
    """Return the libraries whose arithmetic is used here."""
    return [Engine(name, version(name), role) for name, role in ENGINE_ROLES]  # type: ignore[arg-type]


def _sample(result: CheckResult) -> Iterator[Sample]:
    for case in result.sample:
        yield Sample(
            result.quantity,
            result.check,  # type: ignore[arg-type]
            case.ulps_text(),
            case.side,  # type: ignore[arg-type]
            case.size().hex(),
        )


def _check(campaign: Campaign, result: CheckResult) -> Check:
    backend = campaign.loaded.backend
    worst = result.worst
    return Check(
        quantity=result.quantity,
        check=result.check,  # type: ignore[arg-type]
        verdict=result.verdict,
        cases=result.cases,
        worst=None if worst is None else _witness(worst),
        ulps=None if worst is None else worst.ulps_text(),
        side="none" if worst is None else worst.side,  # type: ignore[arg-type]
        second=result.second,  # type: ignore[arg-type]
        slack=exact_text(backend.slack.get(result.quantity, Fraction(0))),
        accuracy=_promised(campaign, result),
    )


def _witness(case: Case) -> Witness:
    shape = case.as_json()
    others = [Answered(**one) for one in shape.pop("others", [])]
    return Witness(**shape, others=others)


def _slack_in_scope(campaign: Campaign) -> dict[str, Fraction]:
    slack = campaign.loaded.backend.slack
    return {check.quantity: slack.get(check.quantity, Fraction(0)) for check in campaign.checks}


def _promised(campaign: Campaign, result: CheckResult) -> str | None:
    """Return the relative error that a check allows: a direction none, a law what is promised."""
    if result.check == DIRECTION:
        return None
    safe = quantity_named(result.quantity).safe
    usual = DEFAULT_ACCURACY if safe is Side.NONE else None
    promised = campaign.loaded.backend.accuracy.get(result.quantity, usual)
    return None if promised is None else exact_text(promised)


def non_claims(slack: Mapping[str, Fraction], seed: int, sampling: Iterable[str]) -> list[str]:
    """Return what a certificate does not say, the slack that is admitted first.

    A seed that is not the usual one is told: trying many is a way to choose points.
    """
    admitted = [
        f"{name}: a relative understatement of {exact_text(share)} is admitted by the backend"
        for name, share in sorted(slack.items())
        if share
    ]
    usual = f"{DEFAULT_SEED} is usual"
    chosen = f"Points were drawn by the seed {seed}, which its issuer chose; {usual}."
    return [
        *admitted,
        *([chosen] if seed != DEFAULT_SEED else []),
        *_ALWAYS_LEFT_OPEN,
        *sampling,
        WHO_ISSUED,
    ]
