"""What Section 5.1 and Appendix C say of the models, beside what came out.

Which of two ways has the better scores is counted over tables and budgets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING

import numpy as np
from simplexcert.certify.simulating.comparing import Mean

from ..outcome import Finding, Table, Verdict
from .bayes import Study
from .ways import (
    AT_ORDER,
    DIRICHLET,
    FLOORS,
    NOISES,
    PRINTED_AXIS,
    TIGHT,
    all_noises,
    divided_label,
    noise_label,
    smaller,
)

if TYPE_CHECKING:
    from .bayes import Studied

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


# Where the paper says that the Dirichlet mechanism is more accurate than the Gaussian.
MORE_ACCURATE: dict[str, Callable[[float], bool]] = {
    "Digit": lambda epsilon: epsilon > 0.1,
    "Adult": lambda epsilon: epsilon < 0.1,
    "Bank": lambda _epsilon: True,
}


def accuracy(study: Study) -> Finding:
    """Return the finding on accuracies."""
    found = {other: accuracies(study, DIRICHLET, other) for other in all_noises()}
    clear = [one for one in found.values() if _is_clear(one)]
    return Finding(
        "no clear winner in accuracy (5.1, Figure 5)",
        "Algorithm 1 larger : smaller: " + "; ".join(f"{key} {one}" for key, one in found.items()),
        Verdict.NOT_AS_PRINTED if clear else Verdict.IN_SHAPE,
        "a clear winner: for sure better in half of the cells"
        f" ({FIGURES}); noise at a higher floor is the more accurate one",
    )


def more_accurate(study: Study, floor: str) -> Finding:
    """Return the finding on where the Dirichlet mechanism is said to be the more accurate one."""
    noise = noise_label(NOISES[0], floor)
    found = {
        name: [
            _larger(table, epsilon, noise) for epsilon in study.epsilons if holds(float(epsilon))
        ]
        for name, holds in MORE_ACCURATE.items()
        for table in study.tables
        if table.split.source.name == name
    }
    cells = [one for ones in found.values() for one in ones]
    so = sum(cells)
    return Finding(
        "higher accuracies than the Gaussian's on Digit for epsilon > 0.1, on Adult for epsilon <"
        " 0.1 and on Bank (5.1)",
        f"noisy counts raised to {floor}: "
        + ", ".join(f"{name} {sum(ones)} of {len(ones)} budgets" for name, ones in found.items()),
        Verdict.AS_PRINTED
        if cells and so == len(cells)
        else Verdict.IN_SHAPE
        if EXCEPTIONS * (len(cells) - so) <= len(cells) and cells
        else Verdict.NOT_AS_PRINTED,
        f"means of the draws; many of them differ by less than their errors ({FIGURES})",
    )


def _larger(table: Studied, epsilon: str, noise: str) -> bool:
    one, other = table.scores[epsilon, DIRICHLET], table.scores[epsilon, noise]
    return bool(one and other and one.accuracy.value > other.accuracy.value)


def _is_clear(one: Wins) -> bool:
    return 2 * max(one.sure_wins, one.sure_losses) > one.cells


FIGURES = "claim ponnoprat2023.figures-4-5"
# A tenth of a nat: the paper says "remarkably close", and no number.
CLOSE = 0.1
# Where the paper says that the losses come near the non-private ones.
NEAR = ("CreditCard", "GermanCredit", "Bank", "Adult")


def against_noise(study: Study, floor: str, claim: str) -> Finding:
    """Return the finding on cross-entropies against noisy counts with one floor."""
    found = [losses(study, DIRICHLET, noise_label(method, floor)) for method in NOISES]
    listed = "; ".join(f"{one.other.split(',')[0]} {one}" for one in found)
    tuned = "; ".join(
        f"{method} {losses(study, TIGHT, noise_label(method, floor))}" for method in NOISES
    )
    return Finding(
        "the Dirichlet mechanism's test cross-entropy is below that of noisy counts on all tables",
        f"noisy counts raised to {floor}: smaller : larger against {listed}, of"
        f" {found[0].cells} cells",
        worst(one.verdict for one in found),
        "what stands in the place of small noisy counts is not printed, and where laws are divided"
        f" by their own sum it decides ({claim}). '{TIGHT}' against the same: {tuned}",
    )


def divided(study: Study) -> Finding:
    """Return the finding on noisy counts that are divided as (10) is printed."""
    found = {floor: losses(study, DIRICHLET, divided_label(floor)) for floor in FLOORS}
    return Finding(
        "the same, each noisy count divided by the noisy count of the class, as (10) reads",
        "Algorithm 1 against the Gaussian so: "
        + "; ".join(f"floor {floor} {one}" for floor, one in found.items()),
        worst(one.verdict for one in found.values()),
        "such quotients do not add up to 1; that they are divided by their own sum instead costs no"
        f" privacy, and makes the noise better at each floor ({FIGURES})",
    )


def worst(verdicts: Iterable[Verdict]) -> Verdict:
    """Return the verdict that is farthest from what is printed."""
    return max(verdicts, key=list(Verdict).index)


def near(study: Study) -> Finding:
    """Return the finding on the distance from the non-private model."""
    apart = {name: _farthest(study, table) for name, table in _named(study).items()}
    listed = ", ".join(f"{name} {value:.2f}" for name, value in apart.items())
    return Finding(
        f"remarkably close to the non-private losses on {', '.join(NEAR)}",
        f"farthest from them at any budget, in nats: {listed or 'none of them is there'}",
        Verdict.IN_SHAPE if apart and max(apart.values()) <= CLOSE else Verdict.NOT_AS_PRINTED,
        f"read as {CLOSE} of a nat at most. On all tables together Algorithm 1 costs more than the"
        f" uniform guess, which tells nothing, in {worse_than_guessing(study)} ({FIGURES}, claim"
        " ponnoprat2023.random-guess)",
    )


def _named(study: Study) -> dict[str, Studied]:
    known = {table.split.source.name: table for table in study.tables}
    return {name: known[name] for name in NEAR if name in known}


def _farthest(study: Study, table: Studied) -> float:
    scores = [table.scores[epsilon, DIRICHLET] for epsilon in study.epsilons]
    return max(abs(one.loss.value - table.not_private.loss.value) for one in scores if one)


def worse_than_guessing(study: Study) -> str:
    """Return in how many cells Algorithm 1 costs more than the guess."""
    scores = [
        (score.loss.value, log(table.split.classes))
        for table in study.tables
        for (_, label), score in table.scores.items()
        if score and label == DIRICHLET
    ]
    return f"{sum(loss > guess for loss, guess in scores)} of {len(scores)} cells"


def printed_axis(study: Study) -> Finding:
    """Return the finding on draws over the classes."""
    last = study.epsilons[-1]
    listed = [
        (table.split.source.name, table.scores[last, PRINTED_AXIS], table.scores[last, DIRICHLET])
        for table in study.tables
    ]
    found = [
        (name, one.loss.value, other.loss.value) for name, one, other in listed if one and other
    ]
    worse = sum(one > other for _, one, other in found)
    return Finding(
        "for each value of a feature a draw over the classes stands for P(value | class) (5.1)",
        f"cross-entropy at epsilon = {last}, so and over the values: "
        + "; ".join(f"{name} {one:.2f} and {other:.2f}" for name, one, other in found),
        Verdict.NOT_AS_PRINTED if worse else Verdict.IN_SHAPE,
        "the indices are exchanged: all else here draws over the values (claim"
        " ponnoprat2023.naive-bayes-axis)",
    )


APPENDIX = "claim ponnoprat2023.appendix-c"
GOHARI = (
    "The models by gohari2020's guarantee: its eta, eta_bar, W and gamma are not stated, and it is"
    f" for laws with shares of at least eta, which a value without a record has not ({APPENDIX})."
)


def laplace(study: Study) -> Finding:
    """Return the finding on Laplace against Gaussian noise."""
    found = [
        losses(study, noise_label(NOISES[1], floor), noise_label(NOISES[0], floor))
        for floor in FLOORS
    ]
    better = all(one.wins > one.losses for one in found)
    basic, exact = smaller(study)
    return Finding(
        "at (epsilon, 1e-5) Laplace noise does better than Gaussian (Appendix C)",
        "smaller : larger cross-entropy of Laplace for the floors "
        + "; ".join(f"{floor} {one}" for floor, one in zip(FLOORS, found, strict=True)),
        Verdict.IN_SHAPE if better else Verdict.NOT_AS_PRINTED,
        "it is a matter of the accounting: with a share of epsilon and delta for each table Laplace"
        f" has the smaller deviation in {basic:.0%} of the cells, with all tables accounted for"
        f" together in {exact:.0%} ({APPENDIX})",
    )


def reached(study: Study) -> Finding:
    """Return the finding on what order 5 reaches."""
    pairs = [
        (epsilon, table.scores[epsilon, AT_ORDER])
        for table in study.tables
        for epsilon in study.epsilons
    ]
    out = sorted({float(epsilon) for epsilon, score in pairs if score is None})
    return Finding(
        "models of the Renyi guarantee at each epsilon of Figures 9 to 11",
        f"at order 5 none for epsilon = {', '.join(f'{one:g}' for one in out)}"
        if out
        else "all of these epsilons are reached at order 5",
        Verdict.NOT_AS_PRINTED if out else Verdict.AS_PRINTED,
        "the conversion at order 5 gives no epsilon of 2.2527 or less, whatever the step; the order"
        " that was used is not printed, and 'Algorithm 1' takes the best one for each epsilon"
        f" ({APPENDIX})",
    )
