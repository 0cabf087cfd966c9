"""The words of a campaign: what stands beside its verdict, and of a relation's case."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

from ..backends.declarations import AS, Direction
from ..campaign import DEFAULT_CASES, DEFAULT_SEED, usual_screen
from ..checks import relations
from ..checks.judgement import Checked, not_shown_sound
from ..verdict import Verdict

if TYPE_CHECKING:
    from ..certificate.models import Predicate


def said_of(predicate: Predicate) -> str:
    """Return a headline's remarks on a certificate's campaign."""
    scope, run = predicate.scope, [check for check in predicate.checks if check.cases]
    asked = [OnTerms(check.quantity, check.domain, check.direction) for check in run]
    loose = sum(check.loose for check in run)
    return said_beside(scope.cases, scope.screen, run, predicate.seed, loose, asked)


def said_beside(
    cases: int,
    screen: int,
    checks: Iterable[Checked],
    seed: int,
    loose: int = 0,
    asked: Iterable[OnTerms] = (),
) -> str:
    """Return a headline's remarks on few cases, a chosen seed, and quantities not shown sound.

    ``checks`` are those that were run, ``loose`` is how many of their cases are, ``asked`` what
    they are of, on which terms.
    """
    remarks = [
        _few_cases(cases),
        _screened(cases, screen),
        "" if seed == DEFAULT_SEED else f"; drawn by the seed {seed}",
        f"; {loose} cases loose" * bool(loose),
    ]
    aside = sorted(not_shown_sound(checks))
    if aside:
        remarks.append(f"; not shown to be sound: {_which(aside)}")
    return "".join([*remarks, *_terms_said(asked)])


class OnTerms(NamedTuple):
    """A quantity that was asked, and the domain and direction that its backend declares of it."""

    quantity: str
    domain: Mapping[str, object] | None
    direction: Direction | None


def _terms_said(asked: Iterable[OnTerms]) -> Iterator[str]:
    """Yield a headline's remarks on declared domains and directions."""
    by_name = {one.quantity: one for one in asked}
    within = [name for name, one in by_name.items() if one.domain]
    if within:
        yield f"; {_which(within)} within declared domains alone"
    for direction, words in AS.items():
        names = [name for name, one in by_name.items() if one.direction == direction]
        if names:
            yield f"; {_which(names)} {words}"


def _which(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{len(names)} quantities"


def _screened(cases: int, screen: int) -> str:
    """Return a headline's remark on more or fewer screened points than are usual; else nothing."""
    if screen == usual_screen(cases):
        return ""
    return f"; screened at {screen} points a quantity" if screen else "; not screened"


def _few_cases(cases: int) -> str:
    """Return a headline's remark on fewer cases than are usual; else nothing."""
    if cases >= DEFAULT_CASES:
        return ""
    return f", on {cases} cases a quantity: fewer than the usual {DEFAULT_CASES}"


# What an answer does that a check refutes, by the name of the check.
BROKEN: Final[Mapping[str, str]] = MappingProxyType(
    {
        "direction": "is on the unsafe side of the truth",
        "accuracy": "is not as accurate as it has to be",
        "determinism": "is not the same for the same call",
        "monotone": "does not rise or fall as it has to",
        "limit": "passes a limit that it has to keep",
        "inverse": "does not keep its target",
        "adjacency": "promises less loss than two neighbours show",
        "form": "is wrong where it is asked in another form",
    }
)
# By the name of the check, in the order in which they are told of.
RELATIONS: Final = {relation.check: relation.wording for relation in relations.RELATIONS}
# An inverse is refuted, too, where the backend's own forward function is.
TOO_FAR: Final = (
    "By the backend's own forward function half as far would have done: what was answered is "
    "needlessly far on the safe side."
)


def case_said(
    check: str, verdict: Verdict, *, own_answer: bool = False, loose: bool = False
) -> str:
    """Return the sentence of a relation's case; empty for a check against the truth, or no answer.

    ``own_answer`` says whether it is held against another answer of the backend.
    """
    wording = RELATIONS.get(check)
    if wording is None or verdict in (Verdict.ERROR, Verdict.INAPPLICABLE):
        return ""
    if verdict is Verdict.UNDECIDED:
        return f"It could not be decided whether {wording.relation}."
    if verdict is Verdict.CERTIFIED and not loose:
        return wording.kept
    if loose and wording.loose:
        return wording.loose
    said = TOO_FAR if own_answer and check == "inverse" else wording.broken
    return f"{said} That is safe: no accuracy is promised." if loose else said
