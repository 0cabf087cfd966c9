"""The worst of what a strategy draws, searched for reproducibly."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, TypeVar

from flint import arb
from hypothesis import HealthCheck, Phase, given, seed, settings, target
from hypothesis import strategies as st
from simplexcert.reference.arb.balls import ball

Drawn = TypeVar("Drawn")
# No logarithm of a ratio that is of interest is below minus this.
_LAST = 1e6
_FIGURES = 12
ALL = Fraction(1)
_FRACTION = re.compile(r"Fraction\((-?\d+), (\d+)\)")


@dataclass(frozen=True)
class Worst(Generic[Drawn]):
    """What was drawn that lost most in proportion to its bound, and both numbers, in balls."""

    drawn: Drawn
    loss: arb
    bound: arb

    @property
    def exceeds(self) -> bool:
        """Whether the loss is certainly above the bound: the two enclosures do not overlap."""
        return bool(self.loss > self.bound)

    def __str__(self) -> str:
        exact = _FRACTION.sub(r"\1/\2", repr(self.drawn)).replace("/1,", ",").replace("/1)", ")")
        return (
            f"{exact}\nloses {self.loss.str(_FIGURES)}, and the bound is {self.bound.str(_FIGURES)}"
        )


class _ExceedsError(Exception):
    """A loss above its bound was found: no other would say more."""


def worst_of(
    strategy: st.SearchStrategy[Drawn],
    compared: Callable[[Drawn], tuple[arb, arb] | None],
    cases: int,
    seed_text: str,
    *,
    rounds: int = 1,
    enough: Fraction = ALL,
) -> Worst[Drawn] | None:
    """Return the worst of so many cases a round, drawn closer to where the loss is near its bound.

    ``compared`` returns a loss and its bound, or None where there is nothing to compare. A round
    starts anew, for a climb can end on a lower hill; the first one that found a loss certainly
    above ``enough`` times its bound is the last, and a loss above its bound is the last case. The
    cases depend on the seed's text and on what ``compared`` returns, on nothing else.
    """
    best: list[tuple[float, Worst[Drawn]]] = []

    def run(drawn: Drawn) -> None:
        both = compared(drawn)
        if both is None:
            return
        score = closeness(*both)
        target(score)
        if not best or score > best[0][0]:
            best[:] = [(score, Worst(drawn, *both))]
        if best[0][1].exceeds:
            raise _ExceedsError

    for number in range(rounds):
        with suppress(_ExceedsError):
            _climb(strategy, run, cases, f"{seed_text}/{number}")
        if best and best[0][1].loss > ball(enough) * best[0][1].bound:
            break
    return best[0][1] if best else None


def _climb(
    strategy: st.SearchStrategy[Drawn], run: Callable[[Drawn], None], cases: int, seed_text: str
) -> None:
    decorated = settings(
        max_examples=cases,
        database=None,
        deadline=None,
        phases=(Phase.generate, Phase.target),
        suppress_health_check=list(HealthCheck),
    )(given(strategy)(run))
    seed(seed_text)(decorated)()


def closeness(loss: arb, bound: arb) -> float:
    """Return log(loss/bound) as a float, for guidance alone; losses below 0 rank last, by size."""
    if loss > 0 and bound > 0:
        score = float(loss.log() - bound.log())
        return max(score, -_LAST) if math.isfinite(score) else -_LAST
    ratio = float(loss / bound)
    return min(max(ratio, -_LAST), 0.0) - _LAST if math.isfinite(ratio) else -2 * _LAST
