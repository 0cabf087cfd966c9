"""How much f changes between neighbours: a histogram's records, or given sensitivities."""

from __future__ import annotations

from fractions import Fraction

from ...reference.errors import DomainError, InputError, UnknownNameError
from ...reference.exact import exact_number, shown
from .hypotheses import Finding
from .protocol import Release

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


def require_possible(release: Release, where: str) -> None:
    """Raise DomainError if no change has both sensitivities.

    They could be two bounds of which one is slack, but mostly a norm was not squared.
    """
    squared, largest = (exact_number(release[key], key) for key in SENSITIVITIES)
    if largest**2 > squared:
        raise DomainError(
            f"{where}: delta_inf = {shown(largest)} and delta2_squared = {shown(squared)} "
            "contradict each other: one coordinate cannot change by more than the 2-norm, so "
            "delta_inf^2 <= delta2_squared, the square of that norm"
        )


def is_histogram(release: Release) -> bool:
    """Whether the sensitivities are those of one record of a histogram."""
    usual = HISTOGRAM_CHANGE[str(release["adjacency"])]
    return tuple(release[key] for key in SENSITIVITIES) == usual


def assumed_of_f(release: Release) -> Finding:
    """Return what has to be assumed of f."""
    if is_histogram(release):
        return Finding("f counts records, one cell each", "assumed", "ponnoprat2023 Section 5.1")
    return Finding("f >= 0 has these sensitivities", "assumed", "ponnoprat2023 Section 3.1")


def not_said_of_f(release: Release) -> list[str]:
    """Return what a verdict does not say of f and its neighbours."""
    if not is_histogram(release):
        return [_ONLY_A_BOUND]
    adjacency = str(release["adjacency"])
    few = [_FEW_CELLS] if adjacency == REPLACE else []
    return [_NO_OTHER_F, _NEIGHBOURS[adjacency], *few]
