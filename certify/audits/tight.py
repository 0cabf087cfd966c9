"""The word "tight": a parameter of a release that is chosen for its claim, by public criteria.

k and step are the largest that keep the claim, a scale is the least that song2017's mechanisms ask
for, each a decimal of 12 figures; a scale that is "least" is the least that the exact loss allows.
Step and alpha of a histogram are chosen together: the pair of least expected divergence at a prior.
The number takes the word's place before the claim is read; the audit then decides as if it had been
given, and rests on nothing here (proofs_notes/tight-calibration.md).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import accumulate
from typing import Any

from flint import arb

from ...reference.arb.balls import ball, enclosure_of, working_precision
from ...reference.domain import Value
from ...reference.enclosure import Enclosure
from ...reference.errors import DomainError, InputError
from ...reference.evaluation import DEFAULT_DIGITS, climb_quantity
from ...reference.exact import exact_integer, shown
from ...reference.precision import Budget, BudgetSpentError
from ...reference.quantity import quantity_named
from ..mechanisms import reading
from ..mechanisms.protocol import Calibrated, Claim, Mechanism, Target, Vacuity
from ..mechanisms.questions import Question, truth_of
from ..mechanisms.tight import Enough, Given, Largest, LargestOfEachRow, LargestOnGrid, Least
from .roots import FIGURES, decimal_at, first_kept, is_kept, largest, place_below, require_some_loss


def least_scale(tight: Least, claim: Claim, where: str) -> tuple[Fraction, str]:
    """Return the least decimal that is enough, of all mechanisms that give one, and by which.

    Raises DomainError where every number is enough.
    """
    enough, needed = min(_needed(tight, claim), key=lambda found: found[1].high)
    question, key = enough.question, tight.key
    if needed.upper == 0:
        why = "nothing is to be hidden under any law of the class: " if claim.mechanism.laws else ""
        raise DomainError(f'{where}: {key} = "tight", but {why}every {key} is enough; give one')
    found = _first_enough(question, needed, key)
    return found, f"the least {key} of {FIGURES} figures that is enough by {enough.by}"


def scale_by_exact_loss(tight: Least, claim: Claim, where: str) -> tuple[Fraction, str]:
    """Return the least decimal that the exact loss allows, and by what it was chosen.

    Raises InputError where the loss is not known, DomainError where every number is enough.
    """
    key, question = tight.key, tight.of_all(claim)
    if question is None:
        raise InputError(
            f'{where}: {key} = "{LEAST}" needs the exact loss: one release of a query that values '
            f'give, neither too long nor of chains that start with any law; {key} = "{TIGHT}" is '
            "the least that a mechanism asks for, whatever the query"
        )
    needed = truth_of(question, settled=True).value
    if needed.upper == 0:
        raise DomainError(
            f'{where}: {key} = "{LEAST}", but the query without noise keeps the claim: every '
            f"{key} is enough; give one"
        )
    found = _first_enough(question, needed, key)
    return found, f"the least {key} of {FIGURES} figures that the exact loss allows"


def _first_enough(question: Question, needed: Enclosure, key: str) -> Fraction:
    """Return the least decimal that is enough. Raises BudgetSpentError: it is not known well."""
    if not isinstance(needed.lower, Fraction) or needed.lower <= 0:
        raise BudgetSpentError(f"the {key} was not found in time")
    return first_kept(lambda value: is_kept(replace(question, claimed=value)), needed.lower)


def _needed(tight: Least, claim: Claim) -> list[tuple[Enough, Enclosure]]:
    """Return the number that each mechanism asks, where it is not refused."""
    found = []
    for enough in tight.enough(claim):
        try:
            found.append((enough, truth_of(enough.question, settled=True).value))
        except DomainError:
            if enough.must:
                raise
    return found


_KL = "dirichlet.utility.expected_kl_prior"
_KEYS = ("records", "cells", "prior")
# The preferred numbers of IEC 60063, 24 a decade: neighbours differ by a tenth.
_E24 = (
    "10 11 12 13 15 16 18 20 22 24 27 30 33 36 39 43 47 51 56 62 68 75 82 91".split()  # noqa: SIM905
)
# A thousandth is the least that is drawn; from ten thousand on alpha is nearly all that is seen.
_DECADES = range(-3, 4)
GRID: tuple[Fraction, ...] = (
    *(int(two) * Fraction(10) ** (decade - 1) for decade in _DECADES for two in _E24),
    Fraction(10) ** _DECADES.stop,
)
# Each cell is a digamma at each place of the grid: so many take some ten seconds.
_MOST_CELLS = 500
# Divergences that so many digits do not tell apart are taken for equal.
_TIE_DIGITS = 160
# Where nothing better can come is told with these bits to spare; a wider ball looks on for longer.
_BITS = 128


@dataclass(frozen=True)
class Expected:
    """What is publicly expected of the data: so many records, in such shares."""

    records: int
    shares: tuple[Fraction, ...]
    said: str

    def divergence(self, alpha: Fraction, step: Fraction, digits: int) -> Enclosure:
        """Enclose the expected divergence of a release from these data."""
        point = {"p": self.shares, "u": self._parameters(alpha, step)}
        quantity = quantity_named(_KL)
        return climb_quantity(
            quantity, point, lambda found: bool(found.is_narrow(digits)), Budget(), digits
        ).number

    def _parameters(self, alpha: Fraction, step: Fraction) -> tuple[Fraction, ...]:
        return tuple(step * self.records * share + alpha for share in self.shares)

    def divergence_of_mean(self, alpha: Fraction, step: Fraction) -> Enclosure:
        """Enclose how far the mean of such a release is from these data: no more than expected.

        It falls as step/alpha rises (proofs_notes/tight-calibration.md).
        """
        pairs = zip(self.shares, self._parameters(alpha, step), strict=True)
        with working_precision(_BITS):
            total = ball(step * self.records + alpha * len(self.shares))
            parts = (ball(p) * (ball(p) * total / ball(u)).log() for p, u in pairs if p)
            return enclosure_of(sum(parts, arb(0)))


@dataclass(frozen=True)
class _Best:
    """The place of the grid that was chosen, its step, and the expected divergence there."""

    alpha: Fraction
    step: Fraction
    divergence: Enclosure


def _expected_in(table: Mapping[str, Any], where: str) -> Expected:
    """Read [calibration]. Raises InputError or DomainError with a sentence."""
    reading.require_keys(table, _KEYS, where)
    missing = [key for key in _KEYS[:2] if key not in table]
    if missing:
        raise InputError(f"{where} lacks {', '.join(missing)}")
    records, cells = (exact_integer(table[key], f"{where} {key}") for key in _KEYS[:2])
    if records < 1:
        raise DomainError(f"{where} records = {shown(records)}; it is at least 1")
    if not 1 < cells <= _MOST_CELLS:
        raise DomainError(f"{where} cells = {shown(cells)}; there are 2 to {_MOST_CELLS}")
    if "prior" not in table:
        return Expected(records, broken_stick(cells), "as a stick breaks at random")
    law = quantity_named(_KL).parameters["p"]
    shares: Any = law.read(f"{where} prior", table["prior"])
    stray = law.stray("prior", shares)
    if stray:
        raise DomainError(f"{where} {stray}: it needs {law.describe('prior')}")
    if len(shares) != cells:
        raise InputError(f"{where} prior has {len(shares)} shares, but cells = {shown(cells)}")
    if len(set(shares)) == 1:
        raise DomainError(
            f"{where} prior: equal shares choose no alpha, as noise alone comes nearest to them; "
            "leave prior out, or give shares that differ"
        )
    return Expected(records, shares, f"as in {shown(shares)}")


def broken_stick(cells: int) -> tuple[Fraction, ...]:
    """Return the mean shares, in order of size, of a law drawn uniformly from all laws.

    Equal shares themselves would say nothing: the more noise the better then.
    """
    sums = accumulate(Fraction(1, cells * size) for size in range(cells, 0, -1))
    return tuple(sums)[::-1]


def best_on_grid(
    expected: Expected, step_at: Callable[[Fraction], Fraction], where: str, *, ordered: bool
) -> _Best:
    """Return the place of least expected divergence; of equal ones that of the smaller alpha.

    ``ordered`` says that step/alpha falls as alpha rises, so that the mean's divergence alone may
    tell that no larger alpha is better. Raises DomainError where the best is at the grid's end:
    then what is expected decides nothing.
    """
    found: list[_Best] = []
    refused: DomainError | None = None
    for alpha in GRID:
        try:
            step = step_at(alpha)
        except DomainError as error:
            refused = error
            continue
        if ordered and found and _is_past(expected, alpha, step, found):
            break
        found.append(_Best(alpha, step, expected.divergence(alpha, step, DEFAULT_DIGITS)))
    if refused is not None and not found:
        raise refused
    best = _least(expected, found, DEFAULT_DIGITS)
    if best.alpha == GRID[-1]:
        raise DomainError(
            f"{where}: for so few records, or such a prior, the most noise is best, alpha = "
            f"{shown(GRID[-1])} or more; give another prior, or alpha"
        )
    return best


def _is_past(expected: Expected, alpha: Fraction, step: Fraction, found: list[_Best]) -> bool:
    """Whether this alpha and all larger ones are worse than one that was found.

    The step is one unit of its last figure below the largest at most.
    """
    mean = expected.divergence_of_mean(alpha, decimal_at(place_below(step) + 1))
    return mean.low > min(one.divergence.high for one in found)


def _least(expected: Expected, found: list[_Best], digits: int) -> _Best:
    most = min(one.divergence.high for one in found)
    rivals = [one for one in found if one.divergence.low <= most]
    if len(rivals) == 1 or digits >= _TIE_DIGITS:
        return rivals[0]
    nearer = [
        replace(one, divergence=expected.divergence(one.alpha, one.step, 2 * digits))
        for one in rivals
    ]
    return _least(expected, nearer, 2 * digits)


TIGHT = "tight"
LEAST = "least"
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
    """Return [release] with a number for each word "tight" or "least", and what was chosen, if any.

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
        word = _word_in(release, words)
        raise BudgetSpentError(f'{where}: {named} = "{word}" was not decided in time') from None
    given = {key: list(v) if isinstance(v, tuple) else v for key, v in found.parameters.items()}
    return {**release, **given}, found


def has_least(claim: Claim) -> bool:
    """Whether a claim's number may be "least": that of an exact loss, which is known."""
    tight = claim.mechanism.tight
    return isinstance(tight, Least) and tight.of_all(claim) is not None


def tight_numbers(claim: Claim, key: str, word: str = TIGHT) -> Calibrated:
    """Return the numbers that a word stands for in place of a claim's own, and their criterion.

    Raises DomainError where no number does, BudgetSpentError where there was no time to tell.
    """
    left = _Open(claim, (key,), "the claim")
    try:
        return _chosen(left, {key: word}, None)
    except DomainError as error:
        why = str(error).removeprefix(f"{left.where}: ").replace(left.target, "the claim")
        raise DomainError(why) from None


def require_numbers(release: Mapping[str, Any], mechanism: Mechanism, where: str) -> None:
    """Raise InputError where a number is left to be chosen."""
    words = _words(release, mechanism)
    if words:
        word = _word_in(release, words)
        raise InputError(f'{where}: {" and ".join(words)} = "{word}" is no number')


def _word_in(release: Mapping[str, Any], words: Sequence[str]) -> str:
    """Return which of both words stands in place of a number."""
    return LEAST if release[words[0]] == LEAST else TIGHT


def _words(release: Mapping[str, Any], mechanism: Mechanism) -> tuple[str, ...]:
    in_places = isinstance(mechanism.tight, LargestOfEachRow)

    def is_open(value: object) -> bool:
        if value == LEAST:
            return isinstance(mechanism.tight, Least)
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
    if isinstance(tight, Given):
        raise TypeError("every number of it is given")
    if isinstance(tight, Least):
        is_least = _word_in(release, tight.keys) == LEAST
        by = scale_by_exact_loss if is_least else least_scale
        scale, criterion = by(tight, left.claim, left.where)
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
    expected = _expected_in(calibration, f"{left.where} [{CALIBRATION}]")
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
