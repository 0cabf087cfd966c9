"""The words of a campaign: what stands beside its verdict, and of a relation's case."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from ..backends.declarations import AS, Direction
from ..campaign import DEFAULT_CASES, DEFAULT_SEED, usual_screen
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


class _Wording(NamedTuple):
    """Texts of a relation: a sentence, the ends that are compared with, and a case's sentences.

    ``loose`` is that of a case that passes and is loose, where it has another reason than that no
    accuracy is promised.
    """

    relation: str
    ends: str
    kept: str
    broken: str
    loose: str = ""


# By the name of the check, in the order in which they are told of.
RELATIONS: Final[dict[str, _Wording]] = {
    "determinism": _Wording(
        "the same question has the same answer",
        "the first answer",
        "Asked twice, one answer.",
        "Asked twice, two answers.",
    ),
    "monotone": _Wording(
        "where the truth rises or falls with a parameter, so do the answers, but for a slack of "
        "one hundredth and what is declared",
        "the other answer",
        "The two answers are in the truth's order.",
        "The two answers are in the wrong order, by more than the law allows.",
    ),
    "limit": _Wording(
        "answers lie where the truth can lie, but for a slack of one hundredth",
        "where the truth lies",
        "The answer lies where the truth can lie.",
        "The answer lies where the truth cannot, by more than the law allows.",
    ),
    "inverse": _Wording(
        "what was answered keeps the target, and is not twice as far on the safe side as it has "
        "to be",
        "what the answer gives",
        "What was answered keeps the target.",
        "What was answered does not keep the target.",
    ),
    "adjacency": _Wording(
        "what was answered holds for the adjacent inputs that were drawn, or for the queries with "
        "noise",
        "what is lost",
        "At what was answered no more is lost: by this pair of adjacent inputs, or this query.",
        "At what was answered more is lost: by this pair of adjacent inputs, or this query.",
    ),
    "form": _Wording(
        "an answer in another form passes, too: after all other questions, in a process of its own "
        "with other threads and locale, in an array",
        "the truth",
        "In every form the answer passes.",
        "In one of the forms the answer does not pass.",
        "In two forms the answer is not the same; each passes.",
    ),
}
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
