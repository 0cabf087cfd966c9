"""Claims of privacy about a model: the budget, the neighbours, and the numbers that prove it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal, Protocol, TypeAlias

from ...reference.errors import DomainError, InputError, UnknownNameError
from ...reference.exact import Texts, exact_decimals, exact_number, exact_text, shown

_Relation: TypeAlias = Literal["replace", "add_remove"]
REPLACE: _Relation = "replace"
_ADD_REMOVE: _Relation = "add_remove"
# Budgets outside are of no use to anybody, and some of them take minutes to calibrate.
LEAST_EPSILON, MOST_EPSILON = Fraction(1, 10**9), Fraction(1000)
_LEAST_DELTA = Fraction(1, 10**60)
_MOST_ORDER = Fraction(10**6)
_RELATIONS: tuple[_Relation, ...] = (REPLACE, _ADD_REMOVE)


@dataclass(frozen=True)
class Budget:
    """(epsilon, delta), or epsilon at a Renyi order, for a whole model.

    Exactly one of ``delta`` and ``order`` is given.
    """

    epsilon: Fraction
    delta: Fraction | None
    order: Fraction | None
    neighbours: _Relation

    @property
    def replaces(self) -> bool:
        """Whether neighbours differ in one record replaced, and the number of records is public."""
        return self.neighbours == REPLACE

    @property
    def text(self) -> str:
        """The claim as a phrase, every number exact."""
        if self.order is not None:
            pair, which = (self.order, self.epsilon), "Renyi differential"
        else:
            pair, which = (self.epsilon, self.delta or Fraction(0)), "differential"
        kind = f"({', '.join(map(exact_decimals, pair))})-{which}"
        what = "replaced" if self.replaces else "added or removed"
        return f"{kind} privacy, one record {what}"


def budget_of(epsilon: object, delta: object, order: object, neighbours: object) -> Budget:
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
    return Budget(exact_epsilon, _delta(delta), _order(order), _relation_named(neighbours))


def require_records(budget: Budget, records: int) -> None:
    """Raise DomainError where a record is replaced and there is none to replace.

    Where one record comes or goes every data set has a neighbour, and none is refused.
    """
    if budget.replaces and not records:
        raise DomainError(
            "there is no record: where one is replaced, N is public, and no two data sets of N = "
            f"0 are neighbours; with neighbours='{_ADD_REMOVE}' no data are released like any other"
        )


def _relation_named(name: object) -> _Relation:
    """Return which data sets are neighbours. Raises InputError."""
    for known in _RELATIONS:
        if name == known:
            return known
    raise UnknownNameError("neighbours", str(name), _RELATIONS, "(known: replace, add_remove)")


def _delta(delta: object) -> Fraction | None:
    if delta is None:
        return None
    exact = exact_number(delta, "delta")
    if not _LEAST_DELTA <= exact < 1:
        raise DomainError(
            f"delta = {shown(exact)}: models are calibrated for delta from 1e-60 to below 1 (at "
            "delta = 0 a Dirichlet release is private for no epsilon)"
        )
    return exact


def _order(order: object) -> Fraction | None:
    if order is None:
        return None
    exact = exact_number(order, "order")
    if not 1 <= exact <= _MOST_ORDER:
        raise DomainError(
            f"order = {shown(exact)}: models are calibrated for Renyi orders from 1 to 1000000"
        )
    return exact


class NotPrivateWarning(UserWarning):
    """A public number was left out and read off the private data."""


def drawn_in_floats(draw: object) -> tuple[str, ...]:
    """Return why draws in floats are not private."""
    if draw != "float":
        return ()
    return ("draw='float': floats are no exact draws, and whoever knows the seed undoes them",)


def classes_were_read(classes: object) -> tuple[str, ...]:
    """Return why a fit is not private whose classes were not given."""
    if classes is not None:
        return ()
    return ("the classes were read off y: give classes=[...], all labels that there may be",)


# With k this many times alpha + step, 2 eta + eta_bar + b/2 is at most 3/4.
_ROOM = 4
# An end of an enclosure: a Fraction, or a float infinity.
End: TypeAlias = Fraction | float


@dataclass(frozen=True)
class Evidence:
    """A number that was proved to be at most another one.

    ``upper`` works a proved upper bound out anew, and ``times`` of it are ``at_most``. Where
    ``quantity`` names one, ``evaluate`` answers it at ``parameters``.
    """

    says: str
    at_most: Fraction
    upper: Callable[[], End] = field(repr=False, compare=False)
    times: int = 1
    quantity: str | None = None
    parameters: Mapping[str, Texts] = field(default_factory=dict)

    def holds(self) -> bool:
        """Work the bound out, and compare."""
        return self.times * self.upper() <= self.at_most

    def as_json(self) -> dict[str, object]:
        """Return all that is needed to check the bound again, numbers as exact text."""
        return {
            "says": self.says,
            "quantity": self.quantity,
            "parameters": dict(self.parameters),
            "times": self.times,
            "at_most": exact_text(self.at_most),
        }


class _Loss(Protocol):
    """Privacy loss of several independent tables together, all released by one method."""

    @property
    def method(self) -> str:
        """The name of the method."""

    @property
    def parameters(self) -> Mapping[str, str]:
        """The published parameters, as exact text."""

    def evidence(self, budget: Budget) -> Evidence:
        """Return the number that has to be within the budget."""


@dataclass(frozen=True)
class Privacy:
    """A claim of privacy about all tables of a model together, with its proof.

    It is about exact draws and public choices; ``private_`` of the model says whether these are.
    """

    budget: Budget
    tables: int
    loss: _Loss

    @property
    def evidence(self) -> Evidence:
        """The number on which the claim rests."""
        return self.loss.evidence(self.budget)

    def holds(self) -> bool:
        """Work the number out once more, and compare it with the budget."""
        return self.evidence.holds()

    def as_json(self) -> dict[str, object]:
        """Return the claim and its composition, every number as exact text."""
        said = {key: getattr(self.budget, key) for key in ("epsilon", "delta", "order")}
        return {
            **{key: exact_text(value) for key, value in said.items() if value is not None},
            "neighbours": self.budget.neighbours,
            "method": self.loss.method,
            "tables": self.tables,
            "parameters": dict(self.loss.parameters),
            "evidence": self.evidence.as_json(),
        }

    @property
    def table_claim(self) -> str | None:
        """The claim about one table alone as a file for ``audit``; None where there is none.

        Where the budget is Renyi's, each Dirichlet table has an equal share of epsilon.
        """
        if self.budget.order is None or "alpha" not in self.loss.parameters:
            return None
        release = [f'{key} = "{value}"' for key, value in self.loss.parameters.items()]
        share = exact_text(self.budget.epsilon / self.tables)
        return "\n".join(
            [
                "[release]",
                'mechanism = "dirichlet.renyi"',
                f'neighbours = "{self.budget.neighbours}"',
                *release,
                "[claim]",
                f'epsilon = "{share}"',
                f'order = "{exact_decimals(self.budget.order)}"',
                "",
            ]
        )

    @property
    def model_claim(self) -> str | None:
        """The claim about all tables together as a file for ``audit``; None where there is none.

        Where a record is replaced, tables of Dirichlet(step counts + alpha) lose as much as rows of
        a matrix that all change at once, of which each loses the same pair of Beta laws: at the
        floor k eta = alpha, by the step k b/2. k is so large that a whole step fits in each row.
        """
        if self.budget.neighbours != REPLACE or "alpha" not in self.loss.parameters:
            return None
        alpha, step = (Fraction(self.loss.parameters[key]) for key in ("alpha", "step"))
        k = _ROOM * (alpha + step)
        said = "delta" if self.budget.delta is not None else "order"
        return "\n".join(
            [
                "[release]",
                f'name = "{self.tables} tables of a model, as rows that all change"',
                'mechanism = "dirichlet.matrix"',
                f'k = "{exact_decimals(k)}"',
                f'eta = "{exact_decimals(alpha / k)}"',
                f'eta_bar = "1/{_ROOM}"',
                f'b = "{exact_decimals(2 * step / k)}"',
                f"w = {[2] * self.tables}",
                "[claim]",
                f'epsilon = "{exact_decimals(self.budget.epsilon)}"',
                f'{said} = "{exact_decimals(getattr(self.budget, said))}"',
                "",
            ]
        )

    def __str__(self) -> str:
        """Return the claim, how the tables are released, and why it holds."""
        values = ", ".join(f"{key} = {value}" for key, value in self.loss.parameters.items())
        return (
            f"{self.budget.text}: {self.tables} tables by {self.loss.method} ({values}); "
            f"{self.evidence.says}"
        )
