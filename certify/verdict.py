"""The five verdicts, how they add up, and the exit codes that scripts rely on."""

from __future__ import annotations

import enum
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fractions import Fraction


class Verdict(enum.StrEnum):
    """What evidence says about a claim."""

    CERTIFIED = "certified"
    REFUTED = "refuted"
    UNDECIDED = "undecided"
    INAPPLICABLE = "inapplicable"  # the thing asked for does not exist there
    ERROR = "error"  # a backend's exception, rubbish or silence


# Bad usage and bad input; a failure of our own. The verdicts' codes stand below.
EXIT_BAD_INPUT = 3
EXIT_OWN_FAILURE = 4

_EXIT_CODES = {
    Verdict.CERTIFIED: 0,
    Verdict.REFUTED: 1,
    Verdict.ERROR: 1,
    Verdict.UNDECIDED: 2,
    Verdict.INAPPLICABLE: 5,
}
GRAVEST_FIRST = (
    Verdict.REFUTED,
    Verdict.ERROR,
    Verdict.UNDECIDED,
    Verdict.CERTIFIED,
    Verdict.INAPPLICABLE,
)


# What is no pass, whatever else passes.
FAILED = frozenset({Verdict.REFUTED, Verdict.ERROR})


def overall(parts: Iterable[Verdict]) -> Verdict:
    """Return the verdict on a whole: its gravest part's.

    Inapplicable parts count for nothing, and a whole without any other part is inapplicable: the
    absence of a result is never a pass.
    """
    found = set(parts)
    return next((verdict for verdict in GRAVEST_FIRST if verdict in found), Verdict.INAPPLICABLE)


# Of one check's cases: one that the check could not decide is told before those that passed.
GRAVEST_CASE_FIRST = (
    Verdict.REFUTED,
    Verdict.ERROR,
    Verdict.UNDECIDED,
    Verdict.INAPPLICABLE,
    Verdict.CERTIFIED,
)


def overall_of_cases(cases: Iterable[Verdict]) -> Verdict:
    """Return the verdict of a check on its cases; with none of them it is inapplicable.

    A case to which it does not apply keeps it from being certified, for it was not passed.
    """
    found = set(cases)
    return next((each for each in GRAVEST_CASE_FIRST if each in found), Verdict.INAPPLICABLE)


def standing(stated: Verdict, found: Verdict) -> Verdict | None:
    """Return how an item of a certificate stands, given what is stated and what is found of it.

    This is the one rule for whatever is decided again, the whole as its parts. What is undecided,
    as stated or as found, stays undecided: it passes nothing, and contradicts nothing. None is a
    contradiction. So no verdict that is changed into undecided can make a pass of anything.
    """
    if Verdict.UNDECIDED in (stated, found):
        return Verdict.UNDECIDED
    return stated if stated is found else None


def is_decided_since(stated: Verdict, found: Verdict) -> bool:
    """Whether something is found where the certificate states that nothing was."""
    return stated is Verdict.UNDECIDED is not found


def exit_code(verdict: Verdict, *, strict: bool = False) -> int:
    """Return the process exit code for a verdict; ``strict`` turns undecided into a failure."""
    code = _EXIT_CODES[verdict]
    return 1 if strict and verdict is Verdict.UNDECIDED else code


def under(assumptions: int) -> str:
    """Return what stands beside a verdict that takes something for granted."""
    return f" under {assumptions} assumption{'s' * (assumptions > 1)}" if assumptions else ""


def verdict_word(verdict: Verdict, slack: Fraction | int = 0, assumptions: int = 0) -> str:
    """Return a verdict in capitals; what it rests on is said where it certifies."""
    word = verdict.value.upper()
    if verdict is not Verdict.CERTIFIED:
        return word
    if slack:
        from ..reference.exact import shown

        word = f"{word} WITH SLACK {shown(slack)}"
    return f"{word}{under(assumptions)}"
