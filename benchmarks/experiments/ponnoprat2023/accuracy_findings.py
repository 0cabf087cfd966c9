"""What Section 5.1 says of accuracies, beside what came out."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..outcome import Finding, Verdict
from .loss_findings import FIGURES
from .ways import DIRICHLET, NOISES, all_noises, noise_label
from .wins import EXCEPTIONS, Wins, accuracies

if TYPE_CHECKING:
    from .bayes import Studied, Study

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
