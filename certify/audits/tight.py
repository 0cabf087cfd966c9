"""The word "tight": a parameter of a release that is chosen for its claim, by public criteria.

k and step are the largest that keep the claim, a scale is the least that song2017's mechanisms ask
for, each a decimal of 12 figures. The number takes the word's place before the claim is read; the
audit then decides as if it had been given, and rests on nothing here
(proofs_notes/tight-calibration.md).
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ...reference.domain import Value
from ...reference.errors import InputError
from ...reference.exact import shown
from ...reference.precision import BudgetSpentError
from ..mechanisms.protocol import Calibrated, Claim, Mechanism, Target, Vacuity
from ..mechanisms.questions import Question
from ..mechanisms.tight import Largest, LargestOfEachRow, LargestOnGrid, Least
from .tight_decimals import FIGURES
from .tight_grid import GRID, best_on_grid, expected_in
from .tight_roots import largest, require_some_loss
from .tight_scales import least_scale

TIGHT = "tight"
CALIBRATION = "calibration"
_FEW = 6


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
        tried = self.claim.at(**values)
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
    if calibration is not None and words != _of_calibration(mechanism):
        raise InputError(f'{where}: [calibration] is for step and alpha that are both "{TIGHT}"')
    if not words:
        return release, None
    ones = {key: _with_ones(release[key]) for key in words}
    parameters, _ = mechanism.read({**release, **ones}, where)
    claim = Claim(mechanism.name, mechanism, parameters, None, *target)
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
    in_places = isinstance(mechanism.tight, LargestOfEachRow)

    def is_open(value: object) -> bool:
        return value == TIGHT or (in_places and isinstance(value, list) and TIGHT in value)

    return tuple(key for key in mechanism.tight.keys if is_open(release.get(key)))


def _of_calibration(mechanism: Mechanism) -> tuple[str, ...] | None:
    """Return the words that [calibration] is for; None where there are none."""
    return mechanism.tight.keys if isinstance(mechanism.tight, LargestOnGrid) else None


def _any_number(claim: Claim, words: Sequence[str], vacuity: Vacuity) -> Calibrated:
    """Return the ones that stand in for numbers: a claim about no two inputs chooses none."""
    return Calibrated(
        {key: claim.parameters.given[key] for key in words},
        f"1 stands for any number, as nothing is claimed: {vacuity.sentence}",
    )


def _with_ones(value: object) -> object:
    return [1 if item == TIGHT else item for item in value] if isinstance(value, list) else 1


def _chosen(
    left: _Open, release: Mapping[str, Any], calibration: Mapping[str, Any] | None
) -> Calibrated:
    tight = left.claim.mechanism.tight
    if isinstance(tight, Least):
        scale, criterion = least_scale(tight, left.claim, left.where)
        return Calibrated({tight.key: scale}, criterion)
    require_some_loss(" or ".join(left.words), left.claim.delta, left.target, left.where)
    if isinstance(tight, LargestOfEachRow):
        return _rows(left, tight, release[tight.key])
    if left.words == (tight.key,):
        return Calibrated({tight.key: left.largest(tight.key, {})}, _largest(tight.key))
    if isinstance(tight, Largest):
        raise TypeError(f"{tight.key} is the only word")
    if left.words == tight.keys and calibration is not None:
        return _on_grid(left, tight, calibration)
    key, other = tight.keys
    raise InputError(
        f'{left.where}: {other} = "{TIGHT}" needs {key} = "{TIGHT}" and a table [{CALIBRATION}] '
        "with records, cells and, if known, prior: what is publicly expected of the data"
    )


def _largest(key: str) -> str:
    return f"the largest {key} of {FIGURES} figures that keeps the claim"


def _rows(left: _Open, tight: LargestOfEachRow, given: object) -> Calibrated:
    """Choose row by row; the release loses what its largest row does."""
    open_rows = [item == TIGHT for item in given] if isinstance(given, list) else None
    known: dict[Hashable, Fraction] = {}
    found: list[Value] = []
    for at, row in enumerate(tight.rows(left.claim)):
        if open_rows is not None and not open_rows[at]:
            found.append(row.number)
            continue
        if row.same not in known:
            where = f"{left.where}: row {row.label}"
            known[row.same] = (
                largest(tight.key, row.asked, left.target, where)
                if row.anyhow is None
                else row.anyhow
            )
        found.append(known[row.same])
    return Calibrated({tight.key: tuple(found)}, f"for each row {_largest(tight.key)}")


def _on_grid(left: _Open, tight: LargestOnGrid, calibration: Mapping[str, Any]) -> Calibrated:
    tight.require(left.claim, left.where)
    expected = expected_in(calibration, f"{left.where} [{CALIBRATION}]")
    best = best_on_grid(
        expected,
        lambda other: left.largest(tight.key, {tight.other: other}),
        left.where,
        ordered=tight.ordered(left.claim),
    )
    divergence = best.divergence.decimals(_FEW - 2)[1]
    criterion = (
        f"of the {len(GRID)} {tight.other}s from {shown(GRID[0])} to {shown(GRID[-1])} of the grid "
        f"E24, each with {_largest(tight.key)}, the one of least expected divergence, {divergence} "
        f"nats, from the shares of {expected.records} records in {len(expected.shares)} cells, "
        f"{expected.said}"
    )
    return Calibrated({tight.key: best.step, tight.other: best.alpha}, criterion)
