"""What is claimed of a model that was released, and the numbers that prove it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Protocol, TypeAlias

from ...reference.exact import Texts, exact_text
from .budget import REPLACE, Budget

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
        """Return what somebody needs to work it out again, every number as exact text."""
        return {
            "says": self.says,
            "quantity": self.quantity,
            "parameters": dict(self.parameters),
            "times": self.times,
            "at_most": exact_text(self.at_most),
        }


class Loss(Protocol):
    """What so many independent tables lose together, each released in one way."""

    @property
    def method(self) -> str:
        """The name of the way."""

    @property
    def parameters(self) -> Mapping[str, str]:
        """The published parameters, as exact text."""

    def evidence(self, budget: Budget) -> Evidence:
        """Return what keeps the budget, if it does."""


@dataclass(frozen=True)
class Privacy:
    """A claim of privacy about all tables of a model together, with its proof.

    It is about exact draws and public choices; ``private_`` of the model says whether these are.
    """

    budget: Budget
    tables: int
    loss: Loss

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
            "adjacency": self.budget.adjacency,
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
                f'adjacency = "{self.budget.adjacency}"',
                *release,
                "[claim]",
                f'epsilon = "{share}"',
                f'order = "{exact_text(self.budget.order)}"',
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
        if self.budget.adjacency != REPLACE or "alpha" not in self.loss.parameters:
            return None
        alpha, step = (Fraction(self.loss.parameters[key]) for key in ("alpha", "step"))
        k = _ROOM * (alpha + step)
        said = "delta" if self.budget.delta is not None else "order"
        return "\n".join(
            [
                "[release]",
                f'name = "{self.tables} tables of a model, as rows that all change"',
                'mechanism = "dirichlet.matrix"',
                f'k = "{exact_text(k)}"',
                f'eta = "{exact_text(alpha / k)}"',
                f'eta_bar = "1/{_ROOM}"',
                f'b = "{exact_text(2 * step / k)}"',
                f"w = {[2] * self.tables}",
                "[claim]",
                f'epsilon = "{exact_text(self.budget.epsilon)}"',
                f'{said} = "{exact_text(getattr(self.budget, said))}"',
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
