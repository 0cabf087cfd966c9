"""What is counted among Dirichlet draws: coordinates, sums, ratios and halves, all independent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from counted_draws import MASSES, MEDIAN, Counted, below, both_or_neither, event, of_law
from counted_laws import LesserLaw
from numpy.typing import NDArray
from places import Law, Places, threshold
from simplexcert.certify.samplers.distributions import BetaLaw, Ends

# Where a threshold tells most of the rate of an exponential, and of its doubled tails.
_BEST = Fraction(1, 5)


def of_dirichlet(alpha: Sequence[Fraction], table: Places) -> Iterator[Counted]:
    """Yield the tests of Dirichlet draws, a row of places each in the order of ``statistics``."""
    columns = iter(table.T)
    total = sum(alpha, Fraction(0))
    for at, one in enumerate(alpha, 1):
        yield from of_law(f"coordinate {at}", next(columns), BetaLaw(one, total - one))
    lesser = [(next(columns), next(columns)) for _ in alpha[1:]]
    yield _halves(alpha, lesser)
    if len(alpha) > len("ab"):
        yield from _sum_and_ratio(alpha, next(columns), next(columns))


def statistics(parts: Sequence[Any]) -> list[Any]:
    """Return what is looked at of a Dirichlet draw: balls from balls, columns from columns.

    The coordinates; each coordinate but the last, and the sum of those after it, over the sum of
    both; of more than two coordinates the sum of the first two, and the first over it.
    """
    rests = [parts[-1]]
    for part in reversed(parts[1:-1]):
        rests.insert(0, part + rests[0])
    found = list(parts)
    for part, rest in zip(parts, rests, strict=False):
        found += [part / (part + rest), rest / (part + rest)]
    if len(parts) > len("ab"):
        both = parts[0] + parts[1]
        found += [both, parts[0] / both]
    return found


def _halves(alpha: Sequence[Fraction], lesser: Sequence[tuple[Places, Places]]) -> Counted:
    """Count how often the lesser of a coordinate and the rest is small: neutral, so independent."""
    held = []
    for (one, other), law in zip(lesser, _lesser_laws(alpha), strict=True):
        point = threshold(law, _BEST)
        held.append((one < point) | (other < point))
    return event("halves", np.concatenate(held), chance_of_halves(alpha))


def chance_of_halves(alpha: Sequence[Fraction], factor: Fraction = Fraction(1)) -> Ends:
    """Enclose the chances that a half is small, for draws whose alphas are all times a factor."""
    points = [threshold(law, _BEST) for law in _lesser_laws(alpha)]
    laws = _lesser_laws([factor * one for one in alpha])
    chances = [below(law, point) for law, point in zip(laws, points, strict=True)]
    return Ends(min(one.lower for one in chances), max(one.upper for one in chances))


def _lesser_laws(alpha: Sequence[Fraction]) -> list[LesserLaw]:
    return [LesserLaw(one, sum(alpha[at:], Fraction(0))) for at, one in enumerate(alpha[:-1], 1)]


def _sum_and_ratio(alpha: Sequence[Fraction], both: Places, share: Places) -> Iterator[Counted]:
    first, second, *others = alpha
    sums = BetaLaw(first + second, sum(others, Fraction(0)))
    small, chance = _under_median(sums, both)
    low, its_chance = _under_median(BetaLaw(first, second), share)
    yield event("sum", small, chance)
    yield event("ratio", low, its_chance)
    yield event("sum and ratio alike", small == low, both_or_neither(chance, its_chance))


def _under_median(law: Law, places: Places) -> tuple[NDArray[np.bool_], Ends]:
    point = threshold(law, MASSES[MEDIAN])
    return places < point, below(law, point)
