"""Which row decides a claim about a model, and which rows may refute it, each by its own loss."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..protocol import Inputs, Nearby
from ..questions import Question
from .rows import Losses, Row

# Rows that the enclosures do not tell apart; each may take a while to be judged by itself.
_MOST_RIVALS = 5


@dataclass(frozen=True)
class Refuting:
    """The rows that may lose most, and whether inputs attain what all rows together lose.

    ``candidates`` attain their own pairs; the first one loses most as far as the enclosures tell,
    and each further one has another pair that may lose more.
    """

    losses: Losses
    worst: Row
    candidates: tuple[Row, ...]
    reached: bool

    @classmethod
    def of(cls, losses: Losses, movable: list[Row], keys: Sequence[str]) -> Refuting:
        """Find them; the first of the keys decides the claim."""
        attained = [row for row in movable if row.attained]
        if not attained:
            return cls(losses, losses.largest(keys[0], movable), (), reached=False)
        reached = all(_reached(losses, key, attained, movable) for key in keys)
        candidates = _candidates(losses, keys[0], attained)
        worst = candidates[0] if reached else losses.largest(keys[0], movable)
        return cls(losses, worst, candidates, reached)

    @property
    def inputs(self) -> Inputs | None:
        """The count vectors that lose most of all, where one row is known to."""
        if not self.reached or len(self.candidates) > 1:
            return None
        return self._inputs(self.candidates[0])

    @property
    def nearby(self) -> Nearby | None:
        """The count vectors to be judged one by one, where no row is known to lose most of all."""
        return self._nearby if self.candidates and self.inputs is None else None

    def _nearby(self) -> Iterator[tuple[Inputs, Question]]:
        for row in self.candidates:
            yield self._inputs(row), row.asked(self.losses.claim)[0]

    def _inputs(self, row: Row) -> Inputs:
        return row.inputs(self.losses.label(row))


def _reached(losses: Losses, key: str, attained: list[Row], rows: list[Row]) -> bool:
    """Whether some row whose pair is attained loses at least as much as every other's pair."""
    pairs = {_pair(row) for row in attained}
    most = losses.exact[losses.largest(key, attained)][key].low
    return all(losses.exact[row][key].high <= most for row in rows if _pair(row) not in pairs)


def _candidates(losses: Losses, key: str, attained: list[Row]) -> tuple[Row, ...]:
    top = losses.largest(key, attained)
    least = losses.exact[top][key].low
    found = {_pair(top): top}
    for row in attained:
        if losses.exact[row][key].high > least:
            found.setdefault(_pair(row), row)
    return tuple(found.values())[:_MOST_RIVALS]


def _pair(row: Row) -> object:
    return row.pair.alpha, row.pair.step
