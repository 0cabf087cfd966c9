"""What was found for each chain and factor, and what in it contradicts a bound."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from simplexcert.certify.simulating.comparing import Mean

from .bounds import STANDARD_ERRORS, Compared
from .chains import Chain
from .measures import BETA
from .sources import Kind

# One of these is to come within a factor 2 of the truth from 100 k_min on.
GOAL = frozenset({"T4-B", "T4-C"})


@dataclass(frozen=True)
class Result:
    """One chain with every k_i at so many times its minimum: what was simulated, and the bounds."""

    key: str
    chain: Chain
    factor: int
    means: dict[str, Mean]
    bounds: tuple[Compared, ...]


def failures(results: Sequence[Result]) -> list[str]:
    """Return a sentence for each bound or certificate that a simulation contradicts.

    Bounds that are only printed are not among them.
    """
    return [*_bounds_that_fail(results), *_certificates_that_fail(results)]


def _certificates_that_fail(results: Iterable[Result]) -> list[str]:
    return [
        f"{one.key} at {one.factor} k_min: {name} in a share {mean.value:.3g} of the draws"
        for one in results
        for name, mean in one.means.items()
        if name.endswith("_fails") and mean.value - STANDARD_ERRORS * mean.error > BETA
    ]


def _bounds_that_fail(results: Iterable[Result]) -> list[str]:
    return [
        f"{one.key} at {one.factor} k_min: {bound.source.quantity} = {bound.value:.6g} against "
        f"{bound.mean.value:.6g} +- {bound.mean.error:.2g}"
        for one in results
        for bound in one.bounds
        if bound.holds is False and bound.source.kind is not Kind.PRINTED
    ]


def short_of_the_goal(
    results: Iterable[Result], *, least: int = 100, within: float = 2
) -> list[str]:
    """Return where neither T4-B nor T4-C comes within a factor of the truth, from ``least`` on."""
    found = []
    for one in results:
        ratios = [bound.ratio for bound in one.bounds if bound.source.label in GOAL and bound.ratio]
        if one.factor >= least and ratios and min(ratios) > within:
            found.append(
                f"{one.key} at {one.factor} k_min: {min(ratios):.3g} times the simulated value"
            )
    return found
