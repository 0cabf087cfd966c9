"""What an audit found, as labels and sentences: one wording for the terminal and for the report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from ...reference.domain import Value
from ...reference.enclosure import Enclosure
from ...reference.exact import shown
from ..audits.decision import Audit, Witness
from ..campaign import DEFAULT_CASES, DEFAULT_SEED
from ..checks.judgement import Checked, not_shown_sound
from ..mechanisms.protocol import Calibrated
from ..verdict import Verdict
from .visible import quoted

_SHOWN_DIGITS = 8
_CLAIM_DIGITS = 30
_SLACK = 2  # and two more
# Of a list of numbers so many are shown; JSON has all of them.
_FEW_SHOWN = 5
# Where each number of an audit is taken.
PLACES = {
    "epsilon_at_delta": "at the claimed delta",
    "delta_at_epsilon": "at the claimed epsilon",
    "epsilon_at_order": "at the claimed order",
    "epsilon_at_scale": "at the released scale",
    "scale_needed": "for the claimed epsilon, by the mechanism",
    "scale_by_wasserstein": "for the claimed epsilon, by the Wasserstein mechanism",
    "scale_of_group": "for the claimed epsilon, whatever the law",
    "scale_of_entry": "for the claimed epsilon, as all entries are independent",
}


def claim_said(epsilon: Fraction, delta: Fraction | None, order: Fraction | None) -> str:
    """Return what was claimed, its numbers exactly."""
    if order is not None:
        return f"epsilon = {said_exactly(epsilon)}, order {said_exactly(order)}"
    return f"epsilon = {said_exactly(epsilon)}, delta = {said_exactly(delta)}"


def audit_said(audit: Audit) -> str:
    """Return what an audit is about: the claim, and what is to be known beside the verdict."""
    claim = audit.claim
    said = claim_said(claim.epsilon, claim.delta, claim.order)
    about = f"{quoted(claim.name)} ({claim.mechanism.name}): {said}"
    return f"{about}; {audit.remark}" if audit.remark else about


def facts_of(audit: Audit) -> Iterator[tuple[str, str]]:
    """Yield what an audit found as label and fact; without a label, more of the one before."""
    yield from _chosen(audit.claim.calibrated)
    yield from _paper_facts(audit)
    for key, where in PLACES.items():
        if key in audit.exact:
            label = _label(key, attained=audit.worst.attained)
            yield label, f"{figures(audit.exact[key])}  {where}"
        if key in audit.off_lattice:
            yield "", f"{figures(audit.off_lattice[key])}  with floor k eta, which only bounds"
    yield from (("", sentence) for sentence in audit.worst.sentences)
    if audit.verdict is Verdict.CERTIFIED:
        yield from _slack(audit)
    if audit.refuted_by:
        yield from _witness(audit.refuted_by)


def _chosen(calibrated: Calibrated | None) -> Iterator[tuple[str, str]]:
    """Say which parameters were chosen for the claim, and how."""
    if calibrated is None:
        return
    numbers = (f"{key} = {_few_of(value)}" for key, value in calibrated.parameters.items())
    yield "calibrated", ", ".join(numbers)
    yield "", calibrated.criterion


def _few_of(value: Value) -> str:
    """Return a number, or the first ones of a list with how many there are."""
    if not isinstance(value, tuple):
        return _number(value)
    first = ", ".join(_number(one) for one in value[:_FEW_SHOWN])
    more = f", ... ({len(value)} numbers)" if len(value) > _FEW_SHOWN else ""
    return f"[{first}{more}]"


def _number(value: Value) -> str:
    return said_exactly(Fraction(value)) if isinstance(value, Fraction | int) else shown(value)


def _label(key: str, *, attained: bool) -> str:
    """Say what a number is: exact, or only proved to be enough; a scale is what is needed."""
    what, _, _ = key.partition("_")
    if what == "scale":
        return "scale needed"
    return f"exact {what}" if attained else f"proved {what}"


def _paper_facts(audit: Audit) -> Iterator[tuple[str, str]]:
    """Say what the paper's formulas give, and what they belong to."""
    paper = audit.paper
    no_value = f"none: {paper.lacks}"
    yield "paper's epsilon", figures(paper.epsilon) if paper.epsilon else no_value
    if paper.epsilon and not audit.bound_applies:
        yield "", "which is no bound here: a hypothesis does not hold"
    for label, value in paper.also.values():
        yield "", f"{figures(value) if value else no_value}  by {label}"
    yield "paper's delta", figures(paper.delta) if paper.delta else no_value
    yield from (("", note) for note in paper.notes)
    if paper.gamma is not None and paper.chosen:
        yield "", f"at gamma = {said_exactly(paper.gamma)}, the best for the claimed delta"


def _slack(audit: Audit) -> Iterator[tuple[str, str]]:
    """Say how much of the claimed epsilon was not needed."""
    epsilons = ("epsilon_at_delta", "epsilon_at_order", "epsilon_at_scale")
    needed = next((audit.exact[key] for key in epsilons if key in audit.exact), None)
    upper = needed.upper if needed else None
    if isinstance(upper, Fraction) and audit.claim.epsilon > 0:
        times = "infinitely many" if upper <= 0 else _short(audit.claim.epsilon / upper, _SLACK)
        enough = "what is needed" if audit.worst.attained else "what is proved to be enough"
        yield "given away", f"the claimed epsilon is {times} times {enough}"


def _witness(witness: Witness) -> Iterator[tuple[str, str]]:
    """Say which inputs lose more than was claimed, and how much."""
    question, value = witness.truth.question, witness.truth.value
    yield "witness", witness.inputs.sentence
    yield "", f"{question.key.split('_')[0]} {at_least(value)} {PLACES[question.key]}"


def at_least(value: Enclosure) -> str:
    """Return an enclosure rounded down: what inputs lose at least."""
    return f"{value.decimals(_SHOWN_DIGITS - 2)[0]} or more" if value.low.is_finite else "infinite"


def figures(value: Enclosure) -> str:
    """Return an enclosure as one short number, rounded up: the safe side of a loss."""
    lower, upper = value.decimals(_SHOWN_DIGITS - 2)
    if not value.high.is_finite:
        return "infinite" if lower == upper else "not known"
    return upper if lower == upper else f"{upper} (rounded up)"


def said_exactly(value: Fraction | None) -> str:
    """Return a claimed number exactly: as a decimal where it has a short one."""
    if value is None:
        return "none"
    lower, upper = Enclosure.of(value).decimals(_CLAIM_DIGITS)
    return lower if lower == upper else shown(value)


def _short(value: Fraction, digits: int) -> str:
    return Enclosure.of(value).decimals(digits)[0]


def said_beside(cases: int, checks: Iterable[Checked], seed: int) -> str:
    """Return what a headline has to say of few cases, of a chosen seed, and of what is not sound.

    ``checks`` are those that were run.
    """
    chosen = "" if seed == DEFAULT_SEED else f"; drawn by the seed {seed}"
    aside = sorted(not_shown_sound(checks))
    if not aside:
        return f"{few_cases(cases)}{chosen}"
    which = aside[0] if len(aside) == 1 else f"{len(aside)} quantities"
    return f"{few_cases(cases)}{chosen}; not shown to be sound: {which}"


def few_cases(cases: int) -> str:
    """Return what a headline has to say of fewer cases than are usual; else nothing."""
    if cases >= DEFAULT_CASES:
        return ""
    return f", on {cases} cases a quantity: fewer than the usual {DEFAULT_CASES}"
