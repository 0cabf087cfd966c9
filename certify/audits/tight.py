"""The word "tight": a parameter of a release that is chosen for its claim, by public criteria.

k and step are the largest that keep the claim, a scale is the least that song2017's mechanisms ask
for, each a decimal of 12 figures. The number takes the word's place before the claim is read; the
audit then decides as if it had been given, and rests on nothing here
(proofs_notes/tight-calibration.md).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, TypeAlias

from ...reference.domain import Value
from ...reference.errors import DomainError, InputError
from ...reference.exact import shown
from ...reference.precision import BudgetSpentError
from ..mechanisms.markov_model.model import MODEL
from ..mechanisms.markov_model.rows import Row, labels_of, rows_of
from ..mechanisms.protocol import Calibrated, Claim, Mechanism, Vacuity
from ..mechanisms.questions import Question
from ..mechanisms.sensitivities import REPLACE, is_histogram
from .tight_decimals import FIGURES
from .tight_grid import GRID, best_on_grid, expected_in
from .tight_roots import largest, require_some_loss
from .tight_scales import least_scale

TIGHT = "tight"
CALIBRATION = "calibration"
_NUMBERS = ("k", "step", "alpha", "scale")
_BOTH = ("step", "alpha")
_FEW = 6
Target: TypeAlias = tuple[Fraction, Fraction | None, Fraction | None]


@dataclass(frozen=True)
class _Open:
    """A claim with 1 for every number that is to be chosen, and what is told of the choice."""

    claim: Claim
    words: tuple[str, ...]
    where: str

    @property
    def target(self) -> str:
        """What the claim says, in words."""
        said = {"delta": self.claim.delta, "order": self.claim.order}
        second = ", ".join(f"{key} = {shown(v)}" for key, v in said.items() if v is not None)
        return f"epsilon = {shown(self.claim.epsilon)}, {second}"

    def asked(self, values: Mapping[str, Fraction]) -> Question:
        """Return what decides the claim with these numbers in it."""
        tried = replace(self.claim, release={**self.claim.release, **values})
        return tried.mechanism.worst(tried).asked[0]

    def largest(self, key: str, fixed: Mapping[str, Fraction]) -> Fraction:
        """Return the largest number that keeps the claim. Raises DomainError: none, or all."""
        return largest(
            key, lambda value: self.asked({**fixed, key: value}), self.target, self.where
        )


def with_numbers(
    release: Mapping[str, Any],
    mechanism: Mechanism,
    target: Target,
    calibration: Mapping[str, Any] | None,
    where: str,
) -> tuple[Mapping[str, Any], Calibrated | None]:
    """Return [release] with a number for each word "tight", and what was chosen, if anything.

    The same on every machine. Raises InputError, DomainError where no number does, and
    BudgetSpentError where there was no time to tell.
    """
    words = _words(release, mechanism)
    if calibration is not None and words != _BOTH:
        raise InputError(f'{where}: [calibration] is for step and alpha that are both "{TIGHT}"')
    if not words:
        return release, None
    ones = {key: _with_ones(release[key]) for key in words}
    exact, _ = mechanism.read({**release, **ones}, where)
    claim = Claim(mechanism.name, mechanism, exact, None, *target)
    vacuity = mechanism.vacuity(claim)
    if vacuity is not None:
        return {**release, **ones}, _any_number(claim, words, vacuity)
    try:
        found = _chosen(_Open(claim, words, where), release, calibration)
    except BudgetSpentError:
        named = " and ".join(words)
        raise BudgetSpentError(f'{where}: {named} = "{TIGHT}" was not decided in time') from None
    given = {key: list(v) if isinstance(v, tuple) else v for key, v in found.parameters.items()}
    return {**release, **given}, found


def require_numbers(release: Mapping[str, Any], mechanism: Mechanism, where: str) -> None:
    """Raise InputError where a number is left to be chosen."""
    words = _words(release, mechanism)
    if words:
        raise InputError(f'{where}: {" and ".join(words)} = "{TIGHT}" is no number')


def _words(release: Mapping[str, Any], mechanism: Mechanism) -> tuple[str, ...]:
    return tuple(key for key in _NUMBERS if _is_open(release.get(key), key, mechanism))


def _any_number(claim: Claim, words: Sequence[str], vacuity: Vacuity) -> Calibrated:
    """Return the ones that stand in for numbers: a claim about no two inputs chooses none."""
    return Calibrated(
        {key: claim.release[key] for key in words},
        f"1 stands for any number, as nothing is claimed: {vacuity.sentence}",
    )


def _is_open(value: object, key: str, mechanism: Mechanism) -> bool:
    if key not in mechanism.keys:
        return False
    listed = mechanism.name == MODEL.name and isinstance(value, list) and TIGHT in value
    return listed or value == TIGHT


def _with_ones(value: object) -> object:
    return [1 if item == TIGHT else item for item in value] if isinstance(value, list) else 1


def _chosen(
    left: _Open, release: Mapping[str, Any], calibration: Mapping[str, Any] | None
) -> Calibrated:
    if left.words == ("scale",):
        scale, criterion = least_scale(left.claim, left.where)
        return Calibrated({"scale": scale}, criterion)
    require_some_loss(" or ".join(left.words), left.claim.delta, left.target, left.where)
    if left.words == ("k",):
        return _rows(left, release["k"]) if left.claim.mechanism.name == MODEL.name else _k(left)
    if left.words == ("step",):
        return Calibrated({"step": left.largest("step", {})}, _largest("step"))
    if left.words == _BOTH and calibration is not None:
        return _step_and_alpha(left, calibration)
    raise InputError(
        f'{left.where}: alpha = "{TIGHT}" needs step = "{TIGHT}" and a table [{CALIBRATION}] with '
        "records, cells and, if known, prior: what is publicly expected of the data"
    )


def _largest(key: str) -> str:
    return f"the largest {key} of {FIGURES} figures that keeps the claim"


def _k(left: _Open) -> Calibrated:
    return Calibrated({"k": left.largest("k", {})}, _largest("k"))


def _rows(left: _Open, given: object) -> Calibrated:
    """Choose k row by row; the model loses what its largest row does."""
    open_rows = [item == TIGHT for item in given] if isinstance(given, list) else None
    known: dict[Row, Fraction] = {}
    found: list[Value] = []
    for at, (row, label) in enumerate(zip(rows_of(left.claim), labels_of(left.claim), strict=True)):
        if open_rows is not None and not open_rows[at]:
            found.append(row.k)
            continue
        if row not in known:
            known[row] = _k_of_row(left, row, f"{left.where}: row {label}")
        found.append(known[row])
    return Calibrated({"k": tuple(found)}, f"for each row {_largest('k')}")


def _k_of_row(left: _Open, row: Row, where: str) -> Fraction:
    if not row.movable:  # nothing to hide, whatever k: one that blurs no more than counting
        return Fraction(row.N)
    return largest("k", lambda k: replace(row, k=k).asked(left.claim)[0], left.target, where)


def _step_and_alpha(left: _Open, calibration: Mapping[str, Any]) -> Calibrated:
    if not is_histogram(left.claim.release):
        raise DomainError(
            f"{left.where}: step and alpha are chosen together for a histogram alone; give alpha"
        )
    expected = expected_in(calibration, f"{left.where} [{CALIBRATION}]")
    # The order of the steps is proved but for an (epsilon, delta) target with add-remove.
    replaced = left.claim.release["adjacency"] == REPLACE
    best = best_on_grid(
        expected,
        lambda alpha: left.largest("step", {"alpha": alpha}),
        left.where,
        ordered=replaced or left.claim.order is not None,
    )
    divergence = best.divergence.decimals(_FEW - 2)[1]
    criterion = (
        f"of the {len(GRID)} alphas from {shown(GRID[0])} to {shown(GRID[-1])} of the grid E24, "
        f"each with {_largest('step')}, the one of least expected divergence, {divergence} nats, "
        f"from the shares of {expected.records} records in {len(expected.shares)} cells, "
        f"{expected.said}"
    )
    return Calibrated({"step": best.step, "alpha": best.alpha}, criterion)
