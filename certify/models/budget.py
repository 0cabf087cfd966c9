"""What a model may give away: exact numbers, and which data sets are neighbours."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

from ...reference.errors import DomainError, InputError, UnknownNameError
from ...reference.exact import exact_number, exact_text, shown

Adjacency: TypeAlias = Literal["replace", "add-remove"]
REPLACE: Adjacency = "replace"
ADD_REMOVE: Adjacency = "add-remove"
# Budgets outside are of no use to anybody, and some of them take minutes to calibrate.
LEAST_EPSILON, MOST_EPSILON = Fraction(1, 10**9), Fraction(1000)
LEAST_DELTA = Fraction(1, 10**60)
MOST_ORDER = Fraction(10**6)
ADJACENCIES: tuple[Adjacency, ...] = (REPLACE, ADD_REMOVE)


@dataclass(frozen=True)
class Budget:
    """(epsilon, delta), or epsilon at a Renyi order, for a whole model.

    Exactly one of ``delta`` and ``order`` is given.
    """

    epsilon: Fraction
    delta: Fraction | None
    order: Fraction | None
    adjacency: Adjacency

    @property
    def replaces(self) -> bool:
        """Whether neighbours differ in one record replaced, and the number of records is public."""
        return self.adjacency == REPLACE

    @property
    def text(self) -> str:
        """The claim as a phrase, every number exact."""
        if self.order is not None:
            kind = f"({exact_text(self.order)}, {exact_text(self.epsilon)})-Renyi differential"
        else:
            delta = Fraction(0) if self.delta is None else self.delta
            kind = f"({exact_text(self.epsilon)}, {exact_text(delta)})-differential"
        what = "replaced" if self.replaces else "added or removed"
        return f"{kind} privacy, one record {what}"


def budget_of(epsilon: object, delta: object, order: object, adjacency: object) -> Budget:
    """Return the budget that was asked for. Raises InputError with a sentence."""
    if epsilon is None or (delta is None) == (order is None):
        raise InputError(
            "a private model needs epsilon and exactly one of delta and order (order for Renyi "
            "privacy), for instance epsilon='1', delta='1e-6'"
        )
    exact_epsilon = exact_number(epsilon, "epsilon")
    if not LEAST_EPSILON <= exact_epsilon <= MOST_EPSILON:
        raise DomainError(
            f"epsilon = {shown(exact_epsilon)}: models are calibrated for epsilon from 1e-9 to 1000"
        )
    return Budget(exact_epsilon, _delta(delta), _order(order), adjacency_named(adjacency))


def require_records(budget: Budget, records: int) -> None:
    """Raise DomainError where a record is replaced and there is none to replace.

    Where one record comes or goes every data set has a neighbour, and none is refused.
    """
    if budget.replaces and not records:
        raise DomainError(
            f"there is no record: where one is replaced, N is public, and no two data sets of N = "
            f"0 are neighbours. Under adjacency='{ADD_REMOVE}' no data are released like any other"
        )


def adjacency_named(name: object) -> Adjacency:
    """Return which data sets are neighbours. Raises InputError."""
    for known in ADJACENCIES:
        if name == known:
            return known
    raise UnknownNameError("adjacency", str(name), ADJACENCIES, "(known: replace, add-remove)")


def _delta(delta: object) -> Fraction | None:
    if delta is None:
        return None
    exact = exact_number(delta, "delta")
    if not LEAST_DELTA <= exact < 1:
        raise DomainError(
            f"delta = {shown(exact)}: models are calibrated for delta from 1e-60 to below 1 (at "
            "delta = 0 a Dirichlet release is private for no epsilon)"
        )
    return exact


def _order(order: object) -> Fraction | None:
    if order is None:
        return None
    exact = exact_number(order, "order")
    if not 1 <= exact <= MOST_ORDER:
        raise DomainError(
            f"order = {shown(exact)}: models are calibrated for Renyi orders from 1 to 1000000"
        )
    return exact
