"""A violation as one line that grep finds, and the commands that show it again.

A line is ASCII and its fields are ``name=value``: JSON where the value is text that somebody else
wrote. What follows it begins with ``REPRODUCE``, which asks the backend again, and ``TRUTH``, which
encloses what it should have answered; both are made for a POSIX shell.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ...reference.exact import exact_decimals, exact_json
from ..backends.loading import LoadedBackend
from ..backends.program import CASE_SECONDS
from ..campaign import usual_screen
from ..points import Case
from ..report.distance import ROUNDING_ULPS, off_said
from ..verdict import Verdict
from .findings import CHEAP, SAMPLER, Outcome
from .witnesses import Shown

# Parameters longer than this are cut in a line; a command with them could not be started either.
MAX_SHOWN = 30_000
_ZEROS = re.compile(r'(?<=")(-?0x[01](?:\.[0-9a-f]*[1-9a-f])?)\.?0+p(?=[+-][0-9]+")')
_DOUBLE = re.compile(r"-?0x[01]\.[0-9a-f]+p[+-][0-9]+")
_WORDS = {
    Outcome.FAILED: "VIOLATION",
    Outcome.EXPECTED: "EXPECTED",
    Outcome.OUTDATED: "OUTDATED",
}


@dataclass(frozen=True)
class Run:
    """Settings of a campaign, as far as it takes to run it again."""

    where: str
    name: str
    version: str
    cases: int
    seed: int
    case_seconds: float | None = None
    screen: int | None = None


def run_with(loaded: LoadedBackend, cases: int, seed: int, screen: int | None = None) -> Run:
    """Return the settings of a campaign of a backend; no screening that is told is the usual."""
    backend = loaded.backend
    seconds = loaded.terms.seconds if loaded.terms else CASE_SECONDS
    usual = None if seconds == CASE_SECONDS else seconds
    return Run(loaded.where, backend.name, backend.version, cases, seed, usual, screen)


def lines_about(run: Run, shown: Shown) -> Iterator[str]:
    """Yield the line on a check that did not just pass, and the commands that show it again.

    Checks that fail by one fault have one line, which names them.
    """
    outcome, finding = shown.judged.outcome, shown.judged.finding
    if outcome not in _WORDS or shown.told_with:
        return
    undecided = outcome is Outcome.FAILED and finding.verdict is Verdict.UNDECIDED
    fields = {
        "quantity": finding.quantity,
        "check": finding.check,
        **({"also": _json(shown.also)} if shown.also else {}),
        "verdict": finding.verdict.value,
        "backend": _json(f"{run.name} {run.version}"),
        **(_case_fields(shown.witness.case) if shown.witness else {}),
        **{name: in_decimals(value) for name, value in finding.facts.items()},
        **_why(shown),
    }
    word = "UNDECIDED" if undecided else _WORDS[outcome]
    yield " ".join([word, *(f"{name}={value}" for name, value in fields.items())])
    if outcome is Outcome.FAILED:
        yield f"REPRODUCE {reproducer(run, shown)}"
        if shown.witness:
            yield f"TRUTH {truth_command(shown.witness.case)}"


def _case_fields(case: Case) -> dict[str, str]:
    shape = case.as_json()
    others = {"others": in_decimals(shape["others"])} if shape.get("others") else {}
    return {
        "params": in_decimals(shape["parameters"]),
        **({"entry": _json(shape["entry"])} if shape["entry"] else {}),
        "answered": in_decimals(shape["value"]),
        "truth": f"[{shape['lower']}, {shape['upper']}]",
        **_distance(case),
        "side": case.side,
        **others,
        **({"reason": _json(case.reason)} if case.reason else {}),
    }


def _distance(case: Case) -> dict[str, str]:
    """Return how far off the answer is as a share of the truth, and of rounding in last places."""
    off, _ = off_said(case)
    rounding = case.ulps is not None and 0 < case.ulps < ROUNDING_ULPS
    return {
        "off": _json(off or "unbounded"),
        **({"ulps": case.ulps_text()} if rounding else {}),
    }


def _why(shown: Shown) -> dict[str, str]:
    line = shown.judged.expected
    if line is None:
        return {}
    if shown.judged.outcome is Outcome.OUTDATED:
        return {"remove": _json(line.place)}
    return {"because": _json(line.reason)}


def _json(value: Any) -> str:
    """Return ASCII on one line, cut where it is far too long."""
    text = _compact(value)
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}...({len(text)} characters)"


def in_decimals(written: Any) -> str:
    """Return JSON for people: of each double the shortest decimals that are read as it again."""
    return _json(_doubles_in_decimals(written))


def _doubles_in_decimals(written: Any) -> Any:
    if isinstance(written, dict):
        return {name: _doubles_in_decimals(value) for name, value in written.items()}
    if isinstance(written, list | tuple):
        return [_doubles_in_decimals(value) for value in written]
    is_double = isinstance(written, str) and _DOUBLE.fullmatch(written)
    return repr(float.fromhex(written)) if is_double else written


def reproducer(run: Run, shown: Shown) -> str:
    """Return a command that shows the failure again.

    It asks for the witness alone where that was seen to be enough, and else runs the campaign of
    that quantity again.
    """
    finding, witness = shown.judged.finding, shown.witness
    if witness is not None and witness.again:
        point = _compact(witness.case.as_json()["parameters"])
        if len(point) <= MAX_SHOWN:
            asked = [run.where, finding.quantity, finding.check, point]
            # -P leaves the current folder out of the path of the process that judges.
            return command_line("python", "-P", "-m", "simplexcert.certify.ci.again", *asked)
    numbers = ["--cases", str(run.cases), "--seed", str(run.seed)]
    if run.screen not in (None, usual_screen(run.cases)):
        numbers += ["--screen", str(run.screen)]
    if run.case_seconds is not None:
        numbers += ["--case-seconds", f"{run.case_seconds:g}"]
    return command_line("simplexcert", "certify", run.where, *_scope(finding.quantity), *numbers)


def _scope(quantity: str) -> tuple[str, ...]:
    """Return the options that ask for a quantity alone, or for samplers beside a cheap one."""
    if quantity.startswith(SAMPLER):
        return ("--samplers", "--quantities", CHEAP)
    return ("--quantities", quantity)


def truth_command(case: Case) -> str:
    """Return the command that encloses the true value."""
    words = []
    for name, value in case.exact_parameters().items():
        shape = exact_json(value)
        text = exact_decimals(value) if isinstance(shape, str) else _compact(shape)
        words += ["-p", f"{name}={text}"]
    return command_line("simplexcert", "evaluate", case.quantity, *words)


def _compact(value: Any) -> str:
    """Return JSON without spaces, its doubles without the zeros that they end in."""
    return _ZEROS.sub(r"\1p", json.dumps(value, separators=(",", ":")))


def command_line(*words: str) -> str:
    """Return a command as a POSIX shell takes it, in ASCII on one line."""
    return " ".join(map(_quoted, words))


def _quoted(word: str) -> str:
    """Return a word for a shell, in ASCII; other characters need the quotes of bash and ksh."""
    if word.isascii() and word.isprintable():
        return shlex.quote(word)
    escaped = word.replace("\\", "\\\\").replace("'", "\\'")
    plain = (x if x.isascii() and x.isprintable() else _escape(x) for x in escaped)
    return f"$'{''.join(plain)}'"


def _escape(character: str) -> str:
    """Return the bytes of a character; a surrogate of a byte of the command line is that byte."""
    errors = "surrogateescape" if "\udc80" <= character <= "\udcff" else "surrogatepass"
    return "".join(f"\\x{byte:02x}" for byte in character.encode("utf-8", errors))
