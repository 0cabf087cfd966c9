"""What a law's case says, in words: one wording for the terminal and for the report."""

from __future__ import annotations

from typing import Final, NamedTuple

from ..verdict import Verdict


class Wording(NamedTuple):
    """What a law asks for, what an answer is held against, and what a case of it says."""

    law: str
    ends: str
    kept: str
    broken: str


# By the name of the check, in the order in which they are told of.
LAWS: Final[dict[str, Wording]] = {
    "determinism": Wording(
        "the same question has the same answer",
        "the first answer",
        "Asked twice, one answer.",
        "Asked twice, two answers.",
    ),
    "monotone": Wording(
        "where the truth rises or falls with a parameter, so do the answers, but for a slack of "
        "one hundredth and what is declared",
        "the other answer",
        "The two answers are in the truth's order.",
        "The two answers are in the wrong order, by more than the law allows.",
    ),
    "limit": Wording(
        "answers lie where the truth can lie, but for a slack of one hundredth",
        "where the truth lies",
        "The answer lies where the truth can lie.",
        "The answer lies where the truth cannot, by more than the law allows.",
    ),
    "inverse": Wording(
        "what was answered keeps the target, and is not twice as far on the safe side as it has "
        "to be",
        "what the answer gives",
        "What was answered keeps the target.",
        "What was answered does not keep the target.",
    ),
    "adjacency": Wording(
        "what was answered holds for the adjacent inputs that were drawn",
        "what the pair loses",
        "At what was answered this pair of adjacent inputs loses no more.",
        "At what was answered this pair of adjacent inputs loses more.",
    ),
}
# An inverse is refuted, too, where the backend's own forward function is.
TOO_FAR: Final = (
    "By the backend's own forward function half as far would have done: what was answered is "
    "needlessly far on the safe side."
)


def case_said(check: str, verdict: Verdict, *, own_answer: bool = False) -> str:
    """Return what a law's case says; nothing of a check against the truth, or of no answer.

    ``own_answer`` says whether it is held against another answer of the backend.
    """
    wording = LAWS.get(check)
    if wording is None or verdict in (Verdict.ERROR, Verdict.INAPPLICABLE):
        return ""
    if verdict is Verdict.UNDECIDED:
        return f"It could not be decided whether {wording.law}."
    if verdict is Verdict.CERTIFIED:
        return wording.kept
    return TOO_FAR if own_answer and check == "inverse" else wording.broken
