"""How much f changes between neighbours: a histogram's records, or given sensitivities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from ...reference.errors import DomainError, InputError, UnknownNameError
from ...reference.exact import shown
from .hypotheses import Finding
from .protocol import Parameters

REPLACE, ADD_REMOVE = "replace", "add-remove"
# What one record of a histogram changes: the squared 2-norm, and the largest coordinate.
HISTOGRAM_CHANGE = {REPLACE: (Fraction(2), Fraction(1)), ADD_REMOVE: (Fraction(1), Fraction(1))}
SENSITIVITIES = ("delta2_squared", "delta_inf")
_NEIGHBOURS = {
    REPLACE: "Neighbours differ in one record that changes its cell; the number of records is "
    "public. A record added or removed is not covered.",
    ADD_REMOVE: "Neighbours differ in one record that is added or removed. A record that changes "
    "its cell is not covered.",
}
_ONLY_A_BOUND = (
    "That the truth is as large as the bound: it holds for every f with these sensitivities, so it "
    "can certify a claim and not refute it."
)
_NO_OTHER_F = (
    "Anything of another f with the same sensitivities: for that "
    "dirichlet.renyi.epsilon_sensitivity holds, which can be larger."
)
_FEW_CELLS = (
    "That nothing smaller holds for two cells and a public number of records above 1, where no "
    "inputs attain the truth stated here."
)


@dataclass(frozen=True)
class HistogramParameters(Parameters):
    """What one record adds, what each cell has before, and how much f changes, by its adjacency."""

    step: Fraction
    alpha: Fraction
    delta2_squared: Fraction
    delta_inf: Fraction
    adjacency: str

    @property
    def sensitivities(self) -> tuple[Fraction, Fraction]:
        """The squared 2-norm and the largest coordinate of a change."""
        return self.delta2_squared, self.delta_inf

    @property
    def is_histogram(self) -> bool:
        """Whether the sensitivities are those of one record of a histogram."""
        return self.sensitivities == HISTOGRAM_CHANGE[self.adjacency]

    def drawn_from(self, counts: Sequence[int]) -> list[Fraction]:
        """Return the parameters of the Dirichlet law at these counts."""
        return [self.step * count + self.alpha for count in counts]


def adjacency_of(value: object, where: str) -> str:
    """Return which inputs are neighbours. Raises InputError for no such word."""
    if not isinstance(value, str):
        raise InputError(f"{where}: adjacency is {shown(value)}; it is one of {_known()}")
    if value not in HISTOGRAM_CHANGE:
        raise UnknownNameError(
            "adjacency", value, HISTOGRAM_CHANGE, f"in {where} (known: {_known()})"
        )
    return value


def _known() -> str:
    return ", ".join(HISTOGRAM_CHANGE)


def require_possible(own: HistogramParameters, where: str) -> None:
    """Raise DomainError if no change has both sensitivities.

    They could be two bounds of which one is slack, but mostly a norm was not squared.
    """
    squared, largest = own.sensitivities
    if largest**2 > squared:
        raise DomainError(
            f"{where}: delta_inf = {shown(largest)} and delta2_squared = {shown(squared)} "
            "contradict each other: one coordinate cannot change by more than the 2-norm, so "
            "delta_inf^2 <= delta2_squared, the square of that norm"
        )


def assumed_of_f(own: HistogramParameters) -> Finding:
    """Return what has to be assumed of f."""
    if own.is_histogram:
        return Finding("f counts records, one cell each", "assumed", "ponnoprat2023 Section 5.1")
    return Finding("f >= 0 has these sensitivities", "assumed", "ponnoprat2023 Section 3.1")


def not_said_of_f(own: HistogramParameters) -> list[str]:
    """Return what a verdict does not say of f and its neighbours."""
    if not own.is_histogram:
        return [_ONLY_A_BOUND]
    few = [_FEW_CELLS] if own.adjacency == REPLACE else []
    return [_NO_OTHER_F, _NEIGHBOURS[own.adjacency], *few]
