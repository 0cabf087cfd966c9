"""What a verdict means, in words for somebody who has never heard of epsilon."""

from __future__ import annotations

from fractions import Fraction

from ....reference.arb.balls import ball, enclosure_of, working_precision
from ...mechanisms.protocol import Claim
from ...verdict import Verdict
from ..facts import said_exactly

_BITS = 64
_FIGURES = 3
# A larger factor than e^50 is no protection that anybody would put into words.
_LARGEST_EXPONENT = 50

_TITLES = {
    Verdict.CERTIFIED: "Certified",
    Verdict.REFUTED: "Refuted",
    Verdict.UNDECIDED: "Undecided",
    Verdict.INAPPLICABLE: "Inapplicable",
    Verdict.ERROR: "Error",
}
# Shapes that can be told apart without colours.
_SIGNS = {Verdict.CERTIFIED: "\u2713", Verdict.REFUTED: "\u2717", Verdict.ERROR: "\u2717"}
_COLOURS = {Verdict.CERTIFIED: "certified", Verdict.REFUTED: "refuted", Verdict.ERROR: "refuted"}
_RELEASE = {
    Verdict.REFUTED: "The claim is false: there are inputs that the release tells apart better "
    "than was claimed. They are shown below.",
    Verdict.UNDECIDED: "It could not be decided whether the claim is true. That is not a pass.",
    Verdict.INAPPLICABLE: "The claim speaks of no two inputs, or not of these data, so it promises "
    "nothing. That is not a pass.",
    Verdict.ERROR: "The claim could not be examined. That is not a pass.",
}
_UNSAFE = (
    "This software gave at least one answer on the wrong side of the truth. Whoever relies on it "
    "could promise more privacy than there is."
)
_BACKEND = {
    Verdict.REFUTED: "Something that this software answers, or draws, is not what was asked for: "
    "an answer is further off than it may be, answers do not go together, or draws are not from "
    "their law. Which it is stands below.",
    Verdict.UNDECIDED: "Not every answer of this software could be judged. That is not a pass.",
    Verdict.INAPPLICABLE: "This software offers nothing of what was asked for. That is not a pass.",
    Verdict.ERROR: "This software failed, or gave no usable answer, at least once.",
}


def title_of(verdict: Verdict) -> str:
    """Return a verdict as the first word of a headline."""
    return _TITLES[verdict]


def sign_of(verdict: Verdict) -> str:
    """Return a sign for a verdict; a question mark where nothing is known."""
    return _SIGNS.get(verdict, "?")


def colour_of(verdict: Verdict) -> str:
    """Return the name of a verdict's colour."""
    return _COLOURS.get(verdict, "open")


def backend_sentence(verdict: Verdict, cases: int, checks: int, *, unsafe: bool = False) -> str:
    """Return what a verdict on a backend means; ``unsafe`` where some answer proved unsafe."""
    if verdict is Verdict.REFUTED and unsafe:
        return _UNSAFE
    if verdict is Verdict.CERTIFIED:
        return (
            f"Nothing wrong was found: this software answered at {cases:,} points, each answer was "
            "held against numbers that are proved, and none was on the unsafe side or further off "
            f"than it promises. {checks} checks; a search is not a proof that there is no error."
        )
    return _BACKEND[verdict]


def release_sentence(verdict: Verdict, claim: Claim | None) -> str:
    """Return what a verdict on a claim means; a claim that was not decided again is no pass."""
    if verdict is not Verdict.CERTIFIED:
        return _RELEASE[verdict]
    if claim is None:
        return _RELEASE[Verdict.UNDECIDED]
    return f"The claim is true. {_promise(claim)}"


def _promise(claim: Claim) -> str:
    """Say what a true claim promises."""
    if claim.order is not None:
        return (
            f"By the Renyi divergence of order {said_exactly(claim.order)}, the release differs by "
            f"at most {said_exactly(claim.epsilon)} between inputs that count as neighbours."
        )
    between = (
        "of the secrets that must not be told apart, either"
        if claim.mechanism.laws
        else "of two inputs that count as neighbours, either"
    )
    more = f", plus {said_exactly(claim.delta)}" if claim.delta else ""
    return (
        f"Whatever somebody looks for in the release: {between} one makes it at most "
        f"{_factor(claim.epsilon)} times as likely as the other{more}."
    )


def _factor(epsilon: Fraction) -> str:
    """Return e^epsilon rounded up, where that is a number that says something."""
    if epsilon > _LARGEST_EXPONENT:
        return f"e^{said_exactly(epsilon)}"
    with working_precision(_BITS):
        return enclosure_of(ball(epsilon).exp()).decimals(_FIGURES - 2)[1]
