"""Wording of verdicts and findings: one for the terminal and for the report.

Text that somebody else wrote is shown as it is, but for characters that cannot be seen, which are
shown by their numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, repeat
from typing import TYPE_CHECKING, Final, Protocol, TypeVar

from markupsafe import Markup

from ...reference.display import said_value
from ...reference.domain import Value
from ...reference.dyadic import Dyadic
from ...reference.enclosure import Enclosure, Trilean
from ...reference.errors import InputError
from ...reference.evaluation import DEFAULT_DIGITS
from ...reference.exact import exact_number, exact_text, shown
from ...reference.visible import visible_text

if TYPE_CHECKING:
    from ..audits.decision import Audit, Witness
    from ..mechanisms.protocol import Calibrated, RowLosses


def visible(value: object) -> object:
    """Return text with every character that cannot be seen spelled out; all else as it is.

    So no text can turn the direction of what stands around it, or hide a part of itself.
    """
    return value if not isinstance(value, str) or isinstance(value, Markup) else visible_text(value)


def quoted(text: str) -> str:
    """Return a name that somebody else chose in quotes, so that it reads as no words of ours.

    Quotes in it, and what cannot be seen, are spelled out.
    """
    return repr(text)


_SHOWN_DIGITS = 8
_CLAIM_DIGITS = 30
ROUNDED_UP = " (rounded up)"
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
    """Return the claimed privacy parameters as text, exactly."""
    if order is not None:
        return f"epsilon = {said_exactly(epsilon)}, order {said_exactly(order)}"
    return f"epsilon = {said_exactly(epsilon)}, delta = {said_exactly(delta)}"


def audit_said(audit: Audit) -> str:
    """Return the subject of an audit: the claim, and the remark on the verdict, if any."""
    claim = audit.claim
    said = claim_said(claim.epsilon, claim.delta, claim.order)
    about = f"{quoted(claim.name)} ({claim.mechanism.name}): {said}"
    return f"{about}; {audit.remark}" if audit.remark else about


# What keeps a theorem from applying comes first.
_STATUS_ORDER: Final = ("fails", "undecided", "assumed", "holds")


class _HasStatus(Protocol):
    @property
    def status(self) -> str: ...


_Hypothesis = TypeVar("_Hypothesis", bound=_HasStatus)


def fails_first(hypotheses: Iterable[_Hypothesis]) -> list[_Hypothesis]:
    """Return hypotheses in the order in which they are told: those that fail, those that hold."""
    return sorted(hypotheses, key=lambda one: _STATUS_ORDER.index(one.status))


def facts_of(audit: Audit) -> Iterator[tuple[str, str]]:
    """Yield an audit's results as label and fact; without a label, more of the one before."""
    yield from _chosen(audit.claim.calibrated)
    yield from _paper_facts(audit)
    asked = {truth.question.key: truth.question for truth in audit.truths}
    for key, where in PLACES.items():
        if key in audit.exact:
            label = _label(key, attained=audit.worst.attained)
            value = _figures(audit.exact[key], asked[key].claimed)
            formula = asked[key].formula
            yield label, f"{value}  {where}{formula and f'  ({formula})'}"
        if key in audit.off_lattice:
            bound = _figures(audit.off_lattice[key])
            yield "", f"{bound}  by the floor k eta of the whole simplex, an upper bound"
    yield from zip(chain(["how"], repeat("")), audit.worst.sentences, strict=False)
    if audit.refuted_by:
        yield from _witness(audit.refuted_by)


def ends_of(audit: Audit) -> Iterator[tuple[str, str]]:
    """Yield both ends of each number that was found, and what the second engine says."""
    for key, value in audit.exact.items():
        lower, upper = value.decimals(DEFAULT_DIGITS)
        yield key, f"between {lower} and {upper}"
    yield "second engine", audit.second


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
    """Return a number's label: exact, or only proved to be enough; a scale is one needed."""
    what, _, _ = key.partition("_")
    if what == "scale":
        return "scale needed"
    return f"exact {what}" if attained else f"proved {what}"


def _paper_facts(audit: Audit) -> Iterator[tuple[str, str]]:
    """Yield the values of the paper's formulas, and the hypotheses that they need."""
    paper = audit.paper
    no_value = f"none: {paper.lacks}"
    if paper.epsilon or paper.delta:
        by = f"  by {paper.by}" if paper.by else ""
        yield "paper's epsilon", f"{_figures(paper.epsilon)}{by}" if paper.epsilon else no_value
        if paper.epsilon and not audit.bound_applies:
            yield "", "which is no bound here: a hypothesis does not hold"
    elif audit.claim.mechanism.paper and not any(value for _, value in paper.also.values()):
        yield "paper's bound", no_value
    for key, (label, value) in paper.also.items():
        what = "epsilon" if key.startswith("epsilon") else "scale"
        yield f"paper's {what}", f"{_figures(value) if value else 'none'}  by {label}"
    if paper.delta:
        yield "paper's delta", _figures(paper.delta)
    elif paper.epsilon and audit.claim.delta is not None:
        yield "paper's delta", no_value
    yield from (("", note) for note in paper.notes)
    if paper.gamma is not None and paper.chosen:
        yield "", f"at gamma = {said_exactly(paper.gamma)}, the best for the claimed delta"


def _witness(witness: Witness) -> Iterator[tuple[str, str]]:
    """Say which inputs lose more than was claimed, and how much."""
    question, value = witness.truth.question, witness.truth.value
    yield "witness", witness.inputs.sentence
    yield "", f"{question.key.split('_')[0]} {_at_least(value)} {PLACES[question.key]}"


def _at_least(value: Enclosure) -> str:
    """Return an enclosure rounded down: the least loss of the inputs."""
    return f"{value.decimals(_SHOWN_DIGITS - 2)[0]} or more" if value.low.is_finite else "infinite"


def _figures(value: Enclosure, claimed: Fraction | None = None) -> str:
    """Return an enclosure as one short number, rounded up: the safe side of a loss.

    What is below the claimed number is not rounded up to it; what is not known to so many figures
    is told by both ends, for its upper one may be far from the truth.
    """
    digits = _SHOWN_DIGITS - 2
    if claimed is not None and value.is_below(claimed) is Trilean.TRUE:
        while digits < _CLAIM_DIGITS and not _is_below(value.decimals(digits)[1], claimed):
            digits += 1
    lower, upper = value.decimals(digits)
    if not value.high.is_finite:
        return "infinite" if lower == upper else "not known"
    if lower == upper:
        return upper
    return f"{upper}{ROUNDED_UP}" if value.is_narrow(_SHOWN_DIGITS) else f"{lower} to {upper}"


def _is_below(text: str, claimed: Fraction) -> bool:
    try:
        return exact_number(text) < claimed
    except InputError:  # nearer to 0 than any number that is read
        return True


def said_exactly(value: Fraction | None) -> str:
    """Return a claimed number exactly, as a decimal where it has a short one.

    A double is told as that, ``float(0.1)``; a fraction that is too long for a sentence by decimals
    around it.
    """
    if value is None:
        return "none"
    lower, upper = Enclosure.of(value).decimals(_CLAIM_DIGITS)
    if lower == upper:
        return lower
    text = exact_text(value)
    return said_value(value) if text == shown(value) else f"between {lower} and {upper}"


_NUMBERS = ("N", "n", "eta", "k")
_BOUNDS = ("epsilon_bound", "delta_bound")
_TITLES = {
    "epsilon_bound": "paper's epsilon",
    "delta_bound": "paper's delta",
    "epsilon_at_delta": "epsilon",
    "delta_at_epsilon": "delta",
    "epsilon_at_order": "epsilon",
}


@dataclass(frozen=True)
class _WorstRows:
    """The worst of ``of`` rows: a title for each column, and a line for each row, its label first.

    Numbers of a row are exact, losses rounded up.
    """

    columns: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]
    of: int

    @property
    def title(self) -> str:
        """Title of the table."""
        return f"Rows, the worst {len(self.lines)} of {self.of} (losses rounded up):"


def worst_rows(rows: Sequence[RowLosses], most: int) -> _WorstRows | None:
    """Return at most ``most`` rows, the largest loss first; None where a release has none."""
    if not rows:
        return None
    decides = next(key for key in PLACES if key in rows[0].losses)
    keys = [key for key in (*_BOUNDS, *PLACES) if key in rows[0].losses]
    worst = sorted(rows, key=lambda row: _high(row.losses[decides]), reverse=True)
    columns = ("row", *_NUMBERS, *(_TITLES[key] for key in keys))
    return _WorstRows(columns, tuple(_row_line(row, keys) for row in worst[:most]), len(rows))


def _row_line(row: RowLosses, keys: Sequence[str]) -> tuple[str, ...]:
    numbers = (said_exactly(exact_number(row.numbers[key])) for key in _NUMBERS)
    losses = (
        _figures(value).removesuffix(ROUNDED_UP) if (value := row.losses[key]) else "none"
        for key in keys
    )
    return row.label, *numbers, *losses


def _high(value: Enclosure | None) -> Dyadic:
    """Return the upper end; below all others for a row without neighbours, which loses nothing."""
    return value.high if value else Dyadic(-1)
