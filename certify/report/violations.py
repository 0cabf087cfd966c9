"""The worst case of each check that failed, as a line for people: where, what, and against what."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ...reference.enclosures import Place
from ..campaign import CheckResult
from ..points import Case
from ..verdict import Verdict
from .laws_said import LAWS, case_said


def violations(checks: Iterable[CheckResult]) -> Iterator[str]:
    """Yield a line for each check that was refuted, ended in an error, or shows nothing."""
    for check in checks:
        if check.worst and check.verdict in (
            Verdict.REFUTED,
            Verdict.ERROR,
            Verdict.INAPPLICABLE,
        ):
            yield f"{check.verdict.value}: {check.quantity} {check.check} at {_said(check.worst)}"


def _said(worst: Case) -> str:
    """Return where a case is, what was answered there, and what that was held against."""
    shape = worst.as_json()
    why = f" ({worst.reason})" if worst.reason else ""
    answered = f"{_entry_named(worst.entry)}answered {shape['value']}"
    between = f"[{shape['lower']}, {shape['upper']}]"
    if worst.check not in LAWS:
        return f"{shape['parameters']}: {answered}, truth in {between}{why}"
    own = any(other.value is not None for other in worst.others)
    held = f"{LAWS[worst.check].ends} in {between}"
    others = "".join(f"; {_compared(other)}" for other in shape["others"])
    said = case_said(worst.check, worst.verdict, own_answer=own)
    return f"{shape['parameters']}: {answered}, {held}{others}. {said}{why}".rstrip()


def _compared(other: dict[str, Any]) -> str:
    """Return another answer that a law compares with, or which truth it does."""
    where = f"{other['quantity']} at {other['parameters']}"
    return f"the truth of {where}" if other["value"] is None else f"{where}: {other['value']}"


def _entry_named(place: Place) -> str:
    return f"entry [{','.join(map(str, place))}], " if place else ""
