"""Step and alpha together, for a histogram: the pair of least expected divergence at a prior.

The divergence of the released shares from the true ones, where these are what the claim file says
is expected: public numbers all of them. Each alpha of a fixed grid has its largest step.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import accumulate
from typing import Any

from flint import arb

from ...reference.arb.balls import ball, enclosure_of, working_precision
from ...reference.enclosure import Enclosure
from ...reference.errors import DomainError, InputError
from ...reference.evaluation import DEFAULT_DIGITS, climb_quantity
from ...reference.exact import exact_integer, shown
from ...reference.precision import Budget
from ...reference.quantity import quantity_named
from ..mechanisms import reading
from .tight_decimals import decimal_at, place_below

_KL = "dirichlet.utility.expected_kl_prior"
KEYS = ("records", "cells", "prior")
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
MOST_CELLS = 500
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
class Best:
    """The place of the grid that was chosen, its step, and the expected divergence there."""

    alpha: Fraction
    step: Fraction
    divergence: Enclosure


def expected_in(table: Mapping[str, Any], where: str) -> Expected:
    """Read [calibration]. Raises InputError or DomainError with a sentence."""
    reading.require_keys(table, KEYS, where)
    missing = [key for key in KEYS[:2] if key not in table]
    if missing:
        raise InputError(f"{where} lacks {', '.join(missing)}")
    records, cells = (exact_integer(table[key], f"{where} {key}") for key in KEYS[:2])
    if records < 1:
        raise DomainError(f"{where} records = {shown(records)}; it is at least 1")
    if not 1 < cells <= MOST_CELLS:
        raise DomainError(f"{where} cells = {shown(cells)}; there are 2 to {MOST_CELLS}")
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
) -> Best:
    """Return the place of least expected divergence; of equal ones that of the smaller alpha.

    ``ordered`` says that step/alpha falls as alpha rises, so that the mean's divergence alone may
    tell that no larger alpha is better. Raises DomainError where the best is at the grid's end:
    then what is expected decides nothing.
    """
    found: list[Best] = []
    refused: DomainError | None = None
    for alpha in GRID:
        try:
            step = step_at(alpha)
        except DomainError as error:
            refused = error
            continue
        if ordered and found and _is_past(expected, alpha, step, found):
            break
        found.append(Best(alpha, step, expected.divergence(alpha, step, DEFAULT_DIGITS)))
    if refused is not None and not found:
        raise refused
    best = _least(expected, found, DEFAULT_DIGITS)
    if best.alpha == GRID[-1]:
        raise DomainError(
            f"{where}: for so few records, or such a prior, the most noise is best, alpha = "
            f"{shown(GRID[-1])} or more; give another prior, or alpha"
        )
    return best


def _is_past(expected: Expected, alpha: Fraction, step: Fraction, found: list[Best]) -> bool:
    """Whether this alpha and all larger ones are worse than one that was found.

    The step is one unit of its last figure below the largest at most.
    """
    mean = expected.divergence_of_mean(alpha, decimal_at(place_below(step) + 1))
    return mean.low > min(one.divergence.high for one in found)


def _least(expected: Expected, found: list[Best], digits: int) -> Best:
    most = min(one.divergence.high for one in found)
    rivals = [one for one in found if one.divergence.low <= most]
    if len(rivals) == 1 or digits >= _TIE_DIGITS:
        return rivals[0]
    nearer = [
        replace(one, divergence=expected.divergence(one.alpha, one.step, 2 * digits))
        for one in rivals
    ]
    return _least(expected, nearer, 2 * digits)
