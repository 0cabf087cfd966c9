"""Why a claim has its verdict, in one sentence; what is given away; and what would do instead.

No number in it is rounded so that the sentence becomes false: one that is more than the claim is
rounded down and still is more, one that is no more is rounded up and still is no more.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from ...reference.enclosure import Enclosure, Trilean
from ...reference.errors import InputError
from ...reference.evaluation import DEFAULT_DIGITS
from ...reference.exact import exact_number, shown
from ..verdict import Verdict
from .wording import said_exactly

if TYPE_CHECKING:
    from ..audits.decision import Audit, Repair
    from ..mechanisms.protocol import Claim
    from ..mechanisms.questions import Truth

# Figures of a number in a sentence, and how many more are tried until it stays on its side.
_FIGURES: Final = 5
_MOST_FIGURES: Final = 60
_MORE_TIME: Final = "more time (--max-seconds) would narrow it"
# A smaller share of epsilon that is given away is told as less than this.
_LEAST_SHARE: Final = Fraction(1, 100)
# Of a list of numbers, one a row, so many are shown.
_FEW_SHOWN: Final = 5


def because(audit: Audit) -> str:
    """Return why a claim has its verdict, in one sentence with the numbers that decide."""
    if audit.verdict is Verdict.INAPPLICABLE:
        return audit.why
    if audit.verdict is Verdict.REFUTED:
        return _refuted(audit)
    if audit.verdict is Verdict.CERTIFIED:
        return _kept(audit)
    return _undecided(audit)


def _kept(audit: Audit) -> str:
    """Return the number that is no more than was claimed: an epsilon if there is one."""
    kept = [truth for truth in _by_epsilon(audit) if truth.above is Trilean.FALSE]
    truth = kept[0]
    number = _at_most(truth.value, truth.question.claimed)
    return f"{_named(truth.question.key, audit)} is {number}, no more than {_limit(truth)}"


def _refuted(audit: Audit) -> str:
    """Return the number that is more than was claimed, of inputs that attain it."""
    witness = audit.refuted_by
    if witness is None:
        raise TypeError("a claim is refuted by inputs")
    if not audit.attained:
        truth = witness.truth
        what = f"for two inputs that the claim is about, {_plain(truth.question.key, audit.claim)}"
        return f"{what} {_more_than_claimed(truth)}"
    more = [truth for truth in _by_epsilon(audit) if truth.above is Trilean.TRUE]
    truth = next((one for one in more if not one.question.key.startswith("scale")), witness.truth)
    return f"{_named(truth.question.key, audit)} {_more_than_claimed(truth)}"


def _more_than_claimed(truth: Truth) -> str:
    number = _at_least(truth.value, truth.question.claimed)
    return f"is {number}, more than {_limit(truth)}"


def _undecided(audit: Audit) -> str:
    if audit.is_kept:
        return (
            "the claim is true of the inputs that the definition admits, but the data that were "
            "looked at, or neighbours of theirs, are none of these"
        )
    truth = audit.truths[0]
    what, value = _named(truth.question.key, audit), truth.value
    if value == Enclosure.nothing_known():
        return f"nothing was found of {what} in time; more time (--max-seconds) may decide it"
    if truth.above is Trilean.TRUE:
        return (
            f"{what} {_more_than_claimed(truth)}; but a bound refutes nothing, and no two inputs "
            "were found that lose more than was claimed"
        )
    lower, upper = value.decimals(_FIGURES - 2)
    if value.is_narrow(DEFAULT_DIGITS):
        return f"{what} is so near to {_limit(truth)} that it was not told apart from it in time"
    return f"{what} is between {lower} and {upper}, and so is {_limit(truth)}; {_MORE_TIME}"


def _by_epsilon(audit: Audit) -> list[Truth]:
    """Return what was found, epsilons first: what people think in."""
    return sorted(audit.truths, key=lambda truth: not truth.question.key.startswith("epsilon"))


def _plain(key: str, claim: Claim) -> str:
    """Return what a number is, and where it is taken."""
    places = {
        "epsilon_at_delta": f"epsilon at delta = {said_exactly(claim.delta)}",
        "delta_at_epsilon": f"delta at epsilon = {said_exactly(claim.epsilon)}",
        "epsilon_at_order": f"epsilon at order {said_exactly(claim.order)}",
        "epsilon_at_scale": "epsilon at the released scale",
        "scale_needed": "the scale that the mechanism asks for at the claimed epsilon",
        "scale_by_wasserstein": "the scale that the Wasserstein mechanism asks for",
        "scale_of_group": "the scale that hides all nodes at once, whatever the law",
        "scale_of_entry": "the scale that hides one node, as all are independent",
    }
    return places[key]


def _named(key: str, audit: Audit) -> str:
    """Return what a number is: exact, or proved of every input; a scale is one that is enough."""
    what = _plain(key, audit.claim)
    if key.startswith("scale"):
        return what
    return f"the exact {what}" if audit.attained else f"the proved bound on {what}"


def _limit(truth: Truth) -> str:
    """Return what was claimed of a number; a scale's limit is the one that was released."""
    which = "released" if truth.question.key.startswith("scale") else "claimed"
    return f"the {which} {said_exactly(truth.question.claimed)}"


def _at_least(value: Enclosure, claimed: Fraction) -> str:
    """Return a number that is more than was claimed, rounded down and still more."""
    if not value.low.is_finite:
        return "infinite"
    exactly = _exactly(value)
    if exactly:
        return exactly
    for figures in range(_FIGURES, _MOST_FIGURES):
        text = value.decimals(figures - 2)[0]
        if _is_more(text, claimed):
            return f"at least {text}"
    return "more by less than can be shown"


def _at_most(value: Enclosure, claimed: Fraction) -> str:
    """Return a number that is no more than was claimed, rounded up and still no more."""
    exactly = _exactly(value)
    if exactly:
        return exactly
    for figures in range(_FIGURES, _MOST_FIGURES):
        text = value.decimals(figures - 2)[1]
        if not _is_more(text, claimed):
            return f"at most {text}"
    return "less by less than can be shown"


def _exactly(value: Enclosure) -> str:
    """Return a number that is known exactly and has a short text, else nothing."""
    if value.exact is None:
        return ""
    lower, upper = value.decimals(_FIGURES - 2)
    if lower == upper:
        return lower
    text = shown(value.exact)
    return text if len(text) <= 2 * _FIGURES else ""


def _is_more(text: str, claimed: Fraction) -> bool:
    try:
        return exact_number(text) > claimed
    except InputError:  # so large, or so near to 0, that no claim is read beyond it
        return "e-" not in text


def given_away(audit: Audit) -> str:
    """Return how much of the epsilon of a certified claim is not needed; nothing if unknown."""
    needed, claimed = audit.epsilon_needed, audit.claim.epsilon
    if audit.verdict is not Verdict.CERTIFIED or needed is None or claimed <= 0:
        return ""
    upper = needed.upper
    if not isinstance(upper, Fraction) or upper > claimed:
        return ""
    if upper <= 0:
        return "all of epsilon: 0 would do"
    if 1 - Fraction(needed.lower) / claimed < _LEAST_SHARE:
        return "less than 1 % of epsilon"
    percent = int(100 * (1 - upper / claimed))  # rounded down
    if not percent:
        return ""
    enough = "would do" if audit.attained else "is proved to be enough"
    return f"at least {percent} % of epsilon: {needed.decimals(_FIGURES - 2)[1]} {enough}"


def would_do(audit: Audit) -> Iterator[tuple[str, str]]:
    """Yield the parameters of which each alone would do at another number, and which it is."""
    for repair in audit.would_do:
        yield repair.parameter, _said(repair)


def _said(repair: Repair) -> str:
    """Return a repair; where a claim file may ask for that number by a word, it says so."""
    if repair.value is None:
        return repair.said
    value = repair.value
    if isinstance(value, list):
        more = f", ... ({len(value)} numbers)" if len(value) > _FEW_SHOWN else ""
        value = f"[{', '.join(value[:_FEW_SHOWN])}{more}]"
    word = f'; or {repair.parameter} = "{repair.word}"' if repair.word else ""
    return f"{value}  ({repair.said}{word})"
