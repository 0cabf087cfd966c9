"""Which of two ways has the better scores, counted over tables and budgets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from simplexcert.certify.simulating.comparing import Mean

from ..outcome import Table, Verdict
from .bayes import Study

# A difference beyond two of its standard errors is no matter of the draws.
SURE = 2
# A claim on all cells has its shape where it fails for sure in a tenth of them at most.
EXCEPTIONS = 10


@dataclass(frozen=True)
class Wins:
    """In how many cells one way is better than another, and in how many for sure."""

    one: str
    other: str
    cells: int
    wins: int
    losses: int
    sure_wins: int
    sure_losses: int

    def __str__(self) -> str:
        """Return wins and losses."""
        return f"{self.wins} : {self.losses} (for sure {self.sure_wins} : {self.sure_losses})"

    @property
    def verdict(self) -> Verdict:
        """How this compares with a claim that the first is better throughout."""
        if self.cells and self.wins == self.cells:
            return Verdict.AS_PRINTED
        if self.losses < self.wins and EXCEPTIONS * self.sure_losses <= self.cells:
            return Verdict.IN_SHAPE
        return Verdict.NOT_AS_PRINTED


def losses(study: Study, one: str, other: str) -> Wins:
    """Return in how many cells the first way has the smaller cross-entropy."""
    return counted(one, other, [(b.loss, a.loss) for a, b in study.pairs(one, other)])


def accuracies(study: Study, one: str, other: str) -> Wins:
    """Return in how many cells the first way has the larger accuracy."""
    return counted(one, other, [(a.accuracy, b.accuracy) for a, b in study.pairs(one, other)])


def counted(one: str, other: str, pairs: Sequence[tuple[Mean, Mean]]) -> Wins:
    """Return in how many of the pairs the first number is the larger one."""
    more = np.array([a.value - b.value for a, b in pairs])
    room = SURE * np.array([np.hypot(a.error, b.error) for a, b in pairs])
    counts = (more > 0, more < 0, more > room, more < -room)
    return Wins(one, other, len(pairs), *(int(np.sum(which)) for which in counts))


def wins_table(study: Study, pairs: Sequence[tuple[str, str]]) -> Table:
    """Return the wins of pairs of ways, in cross-entropy and in accuracy."""
    rows = [
        (measure, one.one, one.other, one.wins, one.losses, one.sure_wins, one.sure_losses)
        for measure, of_pair in (("cross-entropy", losses), ("accuracy", accuracies))
        for one in (of_pair(study, *pair) for pair in pairs)
    ]
    return Table(
        "wins",
        "In how many cells one way is better than another",
        ("measure", "one", "other", "wins", "losses", "sure wins", "sure losses"),
        tuple(rows),
        note=(
            "A cell is a table at a budget. Sure: beyond two standard errors of the draws, which do"
            " not cover the split."
        ),
    )
