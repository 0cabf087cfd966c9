"""A campaign on a terminal: its verdict, its checks with their worst cases, and its samplers."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import compress
from types import MappingProxyType
from typing import Any

from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from ...reference.dyadic import rational_decimal
from ...reference.enclosure import Place
from ...reference.quantity import quantity_named
from ..campaign import Campaign, CheckResult, Key
from ..checks.case import faults_among
from ..checks.judgement import overall_of_checks, shows_nothing
from ..points import Case
from ..samplers import SamplerResult, Tested, as_written
from ..verdict import FAILED, GRAVEST_FIRST, Verdict
from .campaign_wording import BROKEN, RELATIONS, OnTerms, case_said, said_beside
from .distance import ABSOLUTE, off_said
from .terminal import COLOURS, console_here, name_column, print_folded, print_table, print_verdict
from .wording import quoted

_FIGURES = 3
# A share of three figures, or an absolute one, is not folded.
_OFF_WIDTH = len("1.23e-123 abs")
# What is said where the point that is told is none of the campaign's.
_SIMPLER = "; the point that is told was made simpler, it fails as they do"
NOTHING_SIMPLER: Mapping[Key, Case] = MappingProxyType({})
NO_COMMANDS: Mapping[Key, Sequence[str]] = MappingProxyType({})
# What begins a line that is a command.
_COMMANDS = ("REPRODUCE ", "TRUTH ")
# Of what was not answered no truth was asked.
_NOTHING_KNOWN = "[-inf, inf]"
_HEX = re.compile(r"-?0x[01]\.[0-9a-f]+p[+-][0-9]+")


def print_campaign(
    campaign: Campaign,
    simplest: Mapping[Key, Case] = NOTHING_SIMPLER,
    commands: Mapping[Key, Sequence[str]] = NO_COMMANDS,
    *,
    every_check: bool = False,
    quiet: bool = False,
) -> None:
    """Print the verdict on a backend, what failed, and a row for each quantity that is answered.

    Or a row for ``every_check`` that was made; ``quiet`` is the verdict's line alone. Of what is
    not answered there is the number. ``simplest`` are failures that are told in place of the worst,
    ``commands`` stand below what they show again.
    """
    console = console_here()
    run = [check for check in campaign.checks if check.cases]
    about = _about(campaign, run)
    print_verdict(console, campaign.verdict, about, slack=campaign.slack, quiet=quiet)
    if quiet:
        return
    for line in violations(campaign.checks, simplest, commands):
        _print_fault(console, line)
    if run:
        print_table(console, _table_of_checks(run) if every_check else _table_of_quantities(run))
    _print_samplers(console, campaign)


def _print_fault(console: Console, line: str) -> None:
    """Print a line on a fault, folded; a command stays whole, to be copied."""
    said = line.lstrip()
    indent = line[: len(line) - len(said)]
    if said.startswith(_COMMANDS):
        console.print(line, markup=False, soft_wrap=True)
    else:
        print_folded(console, said, indent, indent + "  ")


def first_failure(case: Case) -> str:
    """Return a line of the first case that failed, for whoever waits for the others."""
    return (
        f"first failure, {case.verdict.value}: {case.quantity} ({case.check}) at {_case_line(case)}"
    )


def print_stopped(case: Case, backend: str, *, quiet: bool) -> None:
    """Print the verdict of a campaign that was stopped at its first failure, and that case.

    ``quiet`` is the verdict's line alone.
    """
    console = console_here()
    about = f"backend {quoted(backend)}: {case.quantity} fails; stopped there, nothing else is told"
    print_verdict(console, case.verdict, about, quiet=quiet)
    if not quiet:
        console.print(first_failure(case), markup=False, soft_wrap=True)


def _about(campaign: Campaign, run: Sequence[CheckResult]) -> str:
    """Return of whom the verdict is, how many quantities fail, and what limits what was asked."""
    backend = campaign.loaded.backend
    names = dict.fromkeys(check.quantity for check in run)
    failing = {check.quantity for check in run if check.verdict in FAILED}
    missing = len({check.quantity for check in campaign.checks} - names.keys())
    counted = f"{len(names)} quantit{'y' if len(names) == 1 else 'ies'}"
    fail = f", {len(failing)} of them fail{'s' * (len(failing) == 1)}" if failing else ""
    left = f", {missing} not offered" if missing else ""
    loose = sum(check.counts.loose for check in run)
    asked = [OnTerms(name, backend.domain.get(name), backend.direction.get(name)) for name in names]
    beside = said_beside(campaign.cases, campaign.screen, run, campaign.seed, loose, asked)
    name = quoted(f"{backend.name} {backend.version}")
    return f"backend {name}: {counted}{fail}{left}{beside}"


def _table_of_quantities(run: Sequence[CheckResult]) -> Table:
    """Return a row a quantity: its gravest verdict, its cases, and how far off its worst answer.

    A column that says nothing of any quantity is left out.
    """
    columns: tuple[Column | str, ...] = (
        name_column(), "verdict", "cases", "wrong", "say nothing", "loose",
        Column("off by", min_width=_OFF_WIDTH), "the truth",
    )  # fmt: skip
    rows: list[tuple[int, list[str]]] = []
    for name in dict.fromkeys(check.quantity for check in run):
        checks = [check for check in run if check.quantity == name]
        verdict = overall_of_checks(checks)
        held = checks[0]
        wrong = max(check.counts.wrong + check.counts.errors for check in checks)
        loose = sum(check.counts.loose for check in checks)
        cells = (wrong, held.counts.trivial, loose)
        shown = [str(number) if number else "" for number in cells]
        off, side = off_said(held.worst) if held.worst else ("", "")
        coloured = f"[{COLOURS[verdict]}]{verdict.value}[/]"
        off = off.replace(ABSOLUTE, " abs")
        rows.append(
            (GRAVEST_FIRST.index(verdict), [name, coloured, str(held.cases), *shown, off, side])
        )
    said = [any(row[at] for _, row in rows) for at in range(len(columns))]
    table = Table(*compress(columns, said), box=None, pad_edge=False)
    for _, row in sorted(rows, key=lambda each: each[0]):
        table.add_row(*compress(row, said))
    return table


def _table_of_checks(run: Sequence[CheckResult]) -> Table:
    """Return a row for every check that was made."""
    table = Table(
        name_column(), "check", "verdict", "cases", "off by", "the truth", "second engine",
        box=None, pad_edge=False,
    )  # fmt: skip
    for check in run:
        off, side = off_said(check.worst) if check.worst else ("", "")
        table.add_row(
            check.quantity,
            check.check,
            f"[{COLOURS[check.verdict]}]{check.verdict.value}[/]",
            str(check.cases),
            off if side else "",
            side,
            check.second,
        )
    return table


def _print_samplers(console: Console, campaign: Campaign) -> None:
    """Print the results of the samplers, where some were tested."""
    if not campaign.samplers:
        return
    table = Table(*_SAMPLER_COLUMNS, box=None, pad_edge=False)
    for result in campaign.samplers:
        name, at, verdict, *rest = _sampler_row(result)
        coloured = f"[{COLOURS[result.verdict]}]{verdict}[/]"
        table.add_row(name, Text(at), coloured, *rest)
    print_table(console, table)
    for line in _sampler_violations(campaign.samplers):
        console.print(line, markup=False, soft_wrap=True)


def violations(
    checks: Iterable[CheckResult],
    simplest: Mapping[Key, Case] = NOTHING_SIMPLER,
    commands: Mapping[Key, Sequence[str]] = NO_COMMANDS,
) -> Iterator[str]:
    """Yield what was refuted, ended in an error, or shows nothing: a line a fault.

    Checks of a quantity whose worst cases are at one point, with one answer, are one fault. It is
    told at the ``simplest`` point where a check of it was seen to fail, if there is one. The
    ``commands`` that show it again follow.
    """
    wrong = [one for one in checks if one.verdict in (*FAILED, Verdict.INAPPLICABLE)]
    fault_of = faults_among(one.worst for one in wrong if one.worst)
    faults: dict[Hashable, list[CheckResult]] = {}
    for check in wrong:
        if check.worst:
            faults.setdefault(fault_of(check.worst), []).append(check)
    for found in faults.values():
        first = min(found, key=lambda check: GRAVEST_FIRST.index(check.verdict))
        assert first.worst is not None
        name = first.quantity
        about = f"{first.verdict.value}: {name} {_wrong_said(first, found)}"
        if first.verdict is Verdict.INAPPLICABLE and not first.counts.say_enough:
            yield f"{about}: {shows_nothing(quantity_named(name), first.counts)}"
            continue
        told = simplest.get((name, first.check), first.worst)
        yield f"{about} at {_case_line(told)}"
        if first.verdict in FAILED:
            simpler = told.parameters != first.worst.parameters
            yield f"  {_how_many(first)}{_SIMPLER * simpler}"
        for check in found:
            yield from (f"  {line}" for line in commands.get((name, check.check), ()))


def _wrong_said(first: CheckResult, found: Sequence[CheckResult]) -> str:
    """Return which promise a fault breaks, in words, and the checks that fail by it."""
    names = f"({', '.join(check.check for check in found)})"
    if first.verdict is not Verdict.REFUTED:
        return names
    own = first.worst is not None and any(other.value is not None for other in first.worst.others)
    far = own and first.check == "inverse"
    return f"{'is needlessly far' if far else BROKEN[first.check]} {names}"


def _how_many(check: CheckResult) -> str:
    """Return how many of the cases failed, how far off the worst is, and where they lie."""
    failed = check.counts.wrong + check.counts.errors
    off, side = off_said(check.worst) if check.worst else ("", "")
    far = (
        f"; the worst is {side} the truth, off by a share of {off}"
        if off and side in ("above", "below")
        else ""
    )
    ranges = ", ".join(
        f"{name} = {low!r}" if low == high else f"{name} from {low!r} to {high!r}"
        for name, (low, high) in check.failed.items()
    )
    where = f"; they are at {ranges}" if ranges else ""
    return f"{failed} of {check.cases} cases fail{far}{where}"


def _case_line(worst: Case) -> str:
    """Return a case's point, the answer there, and the enclosure or answers it is compared with."""
    shape = worst.as_json()
    why = f" ({worst.reason})" if worst.reason else ""
    answered = f"{_entry_named(worst.entry)}answered {_plain(shape['value'])}"
    between = f"[{shape['lower']}, {shape['upper']}]"
    if worst.verdict is Verdict.ERROR and between == _NOTHING_KNOWN:
        said = f"no answer: {worst.reason}" if worst.reason else answered
        return f"{_plain(shape['parameters'])}: {said}"
    if worst.check not in RELATIONS:
        return f"{_plain(shape['parameters'])}: {answered}, truth in {between}{why}"
    own = any(other.value is not None for other in worst.others)
    held = f"{RELATIONS[worst.check].ends} in {between}"
    others = "".join(f"; {_compared(other, shape, worst.quantity)}" for other in shape["others"])
    loose = worst.note == "loose"
    said = case_said(worst.check, worst.verdict, own_answer=own, loose=loose)
    return f"{_plain(shape['parameters'])}: {answered}, {held}{others}. {said}{why}".rstrip()


_MOST = 200


def _plain(written: Any) -> str:
    """Return what is written exactly as people write it: the shortest decimals of each double."""
    if isinstance(written, dict):
        return ", ".join(f"{name} = {_plain(value)}" for name, value in written.items())
    if isinstance(written, list):
        return f"[{', '.join(map(_plain, written))}]"
    if isinstance(written, str) and _HEX.fullmatch(written):
        return repr(float.fromhex(written))
    # An answer may be a fraction of 10,000 digits a part.
    text = str(written)
    return text if len(text) <= _MOST else f"{text[:_MOST]}... ({len(text)} characters)"


def _compared(other: dict[str, Any], shape: dict[str, Any], quantity: str) -> str:
    """Return another answer that a relation compares with, or which truth it does."""
    there = (other["quantity"], other["parameters"]) == (quantity, shape["parameters"])
    where = f"{other['quantity']} at {_plain(other['parameters'])}"
    if other["value"] is None:
        return "the truth there" if there else f"the truth of {where}"
    return f"{'there' if there else where}: {_plain(other['value'])}"


def _entry_named(place: Place) -> str:
    return f"entry [{','.join(map(str, place))}], " if place else ""


_SAMPLER_COLUMNS = ("sampler", "at", "verdict", "draws", "tests", "oddest", "tail at most")


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
