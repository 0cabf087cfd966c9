"""A campaign on a terminal: its verdict, its checks with their worst cases, and its samplers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ...reference.dyadic import rational_decimal
from ...reference.enclosure import Place
from ...reference.quantity import quantity_named
from ..campaign import Campaign, CheckResult
from ..checks.judgement import admitted_slack, shows_nothing
from ..points import Case
from ..samplers import SamplerResult, Tested, as_written
from ..verdict import Verdict
from .campaign_wording import RELATIONS, OnTerms, case_said, said_beside, terms_said
from .terminal import COLOURS, console_here, headline, name_column
from .wording import quoted


def print_campaign(campaign: Campaign, out: str | None) -> None:
    """Print the verdict on a backend, its checks, and their worst cases."""
    console, backend = console_here(), campaign.loaded.backend
    run = [check for check in campaign.checks if check.cases]
    name = quoted(f"{backend.name} {backend.version}")
    loose = sum(check.counts.loose for check in run)
    beside = said_beside(campaign.cases, campaign.screen, run, campaign.seed, loose)
    terms = terms_said(
        OnTerms(
            check.quantity,
            backend.domain.get(check.quantity),
            backend.direction.get(check.quantity),
        )
        for check in run
    )
    about = f"backend {name}{beside}{terms}"
    shares = (
        admitted_slack(backend.quantity(check.quantity), backend.slack, backend.accuracy)
        for check in run
    )
    console.print(headline(campaign.verdict, about, max(shares, default=Fraction(0))))
    table = Table(
        name_column(),
        "check",
        "verdict",
        "cases",
        "worst, ulps",
        "side",
        "second engine",
        box=None,
        pad_edge=False,
    )
    for check in campaign.checks:
        worst = check.worst
        table.add_row(
            check.quantity,
            check.check,
            f"[{COLOURS[check.verdict]}]{check.verdict.value}[/]",
            str(check.cases),
            worst.ulps_text() if worst and worst.side != "none" else "",
            worst.side if worst and worst.side != "none" else "",
            check.second,
        )
    console.print(table)
    for line in violations(campaign.checks):
        console.print(line, markup=False, soft_wrap=True)
    _print_samplers(console, campaign)
    if out:
        console.print(f"certificate written to {out}", markup=False)


def _print_samplers(console: Console, campaign: Campaign) -> None:
    """Print the results of the samplers, where some were tested."""
    if not campaign.samplers:
        return
    table = Table(*_SAMPLER_COLUMNS, box=None, pad_edge=False)
    for result in campaign.samplers:
        name, at, verdict, *rest = _sampler_row(result)
        coloured = f"[{COLOURS[result.verdict]}]{verdict}[/]"
        table.add_row(name, Text(at), coloured, *rest)
    console.print(table)
    for line in _sampler_violations(campaign.samplers):
        console.print(line, markup=False, soft_wrap=True)


def violations(checks: Iterable[CheckResult]) -> Iterator[str]:
    """Yield a line for each check that was refuted, ended in an error, or shows nothing."""
    for check in checks:
        if check.worst and check.verdict in (
            Verdict.REFUTED,
            Verdict.ERROR,
            Verdict.INAPPLICABLE,
        ):
            about = f"{check.verdict.value}: {check.quantity} {check.check}"
            if check.verdict is Verdict.INAPPLICABLE and not check.counts.say_enough:
                why = shows_nothing(quantity_named(check.quantity), check.counts)
                yield f"{about}: {why}"
            else:
                yield f"{about} at {_case_line(check.worst)}"


def _case_line(worst: Case) -> str:
    """Return a case's point, the answer there, and the enclosure or answers it is compared with."""
    shape = worst.as_json()
    why = f" ({worst.reason})" if worst.reason else ""
    answered = f"{_entry_named(worst.entry)}answered {shape['value']}"
    between = f"[{shape['lower']}, {shape['upper']}]"
    if worst.check not in RELATIONS:
        return f"{shape['parameters']}: {answered}, truth in {between}{why}"
    own = any(other.value is not None for other in worst.others)
    held = f"{RELATIONS[worst.check].ends} in {between}"
    others = "".join(f"; {_compared(other)}" for other in shape["others"])
    loose = worst.note == "loose"
    said = case_said(worst.check, worst.verdict, own_answer=own, loose=loose)
    return f"{shape['parameters']}: {answered}, {held}{others}. {said}{why}".rstrip()


def _compared(other: dict[str, Any]) -> str:
    """Return another answer that a relation compares with, or which truth it does."""
    where = f"{other['quantity']} at {other['parameters']}"
    return f"the truth of {where}" if other["value"] is None else f"{where}: {other['value']}"


def _entry_named(place: Place) -> str:
    return f"entry [{','.join(map(str, place))}], " if place else ""


_SAMPLER_COLUMNS = ("sampler", "at", "verdict", "draws", "tests", "oddest", "tail at most")
_FIGURES = 3


def _sampler_row(result: SamplerResult) -> tuple[str, ...]:
    """Return a sampler's row of the table, in the order of its columns."""
    worst = result.worst()
    return (
        result.sampler,
        _parameters_said(result),
        result.verdict.value,
        str(result.draws),
        str(len(result.tests)),
        worst.event.name if worst else "",
        _tail(worst) if worst else "",
    )


def _sampler_violations(results: Iterable[SamplerResult]) -> Iterator[str]:
    """Yield a line for each point that failed: the oddest count, or why there is none."""
    for result in results:
        where = f"sampler {result.sampler} at {_parameters_said(result)}, seed {result.point.seed}"
        if result.verdict is Verdict.ERROR:
            yield f"error: {where}: {result.reason}"
        worst = result.worst()
        if worst and result.verdict is Verdict.REFUTED:
            refuting = sum(test.verdict is Verdict.REFUTED for test in result.tests)
            more = f" ({refuting - 1} more tests refute it there)" if refuting > 1 else ""
            yield f"refuted: {where}: {_counted(worst)}{more}"


def _counted(test: Tested) -> str:
    ends = test.event.probability().decimals()
    named = as_written(test.event.parameters())
    about = f" {named}" if named else ""
    return (
        f"{test.event.name}{about}: {test.count} of {test.event.trials}, with probability in "
        f"[{ends['lower']}, {ends['upper']}]; so odd a count comes with probability {_tail(test)} "
        "at most"
    )


def _parameters_said(result: SamplerResult) -> str:
    """Return the parameters as people write them, each the shortest text for its double."""
    (name, value), *_ = result.point.given().items()
    return f"{name} = {value!r}"


def _tail(test: Tested) -> str:
    return rational_decimal(test.tail.upper, _FIGURES, up=True)
