"""Mechanisms of which nothing is drawn here: their claims are audited, certified and plotted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, ClassVar, NoReturn

from ...reference.domain import Domain, Value
from ...reference.errors import DomainError
from ...reference.exact import shown
from . import reading
from .neighbours import OF_ANY_QUERY, Adjacency, neighbours_of
from .protocol import Claim, Layout, Mechanism, PublicSettings
from .questions import Printed, Question, Term
from .tight import Enough

NO_FORMULA = "no paper's formula is evaluated"
# How a family calls the least noise multiplier of an epsilon and a delta.
LEAST_MULTIPLIER = "noise_multiplier_for_dp"


class Undrawn(Mechanism):
    """A mechanism whose noise others draw, on queries that are not known here.

    Its parameters hold which inputs are ``neighbours``.
    """

    draws = False
    data_keys: ClassVar[tuple[str, ...]] = ()

    def read_in(
        self, table: Mapping[str, Any], domains: Mapping[str, Domain], where: str
    ) -> dict[str, Any]:
        """Return exact parameters, and which inputs are neighbours; all keys are needed."""
        reading.require_all(table, self.keys, where)
        exact = reading.parameters(table, domains, self.name, where)
        return {**exact, "neighbours": neighbours_of(table["neighbours"], where)}

    def printed(self, claim: Claim) -> Printed:
        """Return nothing: the exact loss is all that is asked."""
        return Printed(None, None, claim.parameters.point, lacks=NO_FORMULA)

    def adjacency(self, claim: Claim, _data: Mapping[str, Any]) -> Adjacency:
        """Return which data are neighbours, as the claim says."""
        return Adjacency(OF_ANY_QUERY[str(claim.parameters.given["neighbours"])], {})

    def require_drawn(self, where: str) -> None:
        """Raise DomainError."""
        self._refuse(where)

    def require_releasable(self, _claim: Claim, where: str) -> None:
        """Raise DomainError."""
        self._refuse(where)

    def public_names(self, _claim: Claim, _settings: PublicSettings) -> tuple[str, ...]:
        """Return none: no data are read."""
        return ()

    def layout(self, _claim: Claim, settings: PublicSettings) -> Layout:
        """Raise DomainError."""
        self._refuse(settings.where)

    def require_possible(self, _claim: Claim, _seen: Layout) -> None:
        """Raise DomainError."""
        self._refuse("the release")

    def plan(self, _claim: Claim, settings: PublicSettings, _file: Path) -> NoReturn:
        """Raise DomainError."""
        self._refuse(settings.where)

    def plan_of_input(self, _claim: Claim, _value: Any, where: str) -> NoReturn:
        """Raise DomainError."""
        self._refuse(where)

    def _refuse(self, where: str) -> NoReturn:
        raise DomainError(
            f"{where}: nothing is drawn by {self.name} here: its noise is drawn elsewhere, and "
            "what is claimed of it is audited (simplexcert audit, curve, verify)"
        )


def least_multiplier(
    claim: Claim,
    own: Fraction,
    quantity: str,
    point: Mapping[str, Value],
    by: str,
    *,
    pure: bool = False,
) -> Sequence[Enough]:
    """Return the least noise multiplier at a claimed epsilon and delta, by a quantity.

    ``own`` is the claim's, ``point`` what else the quantity needs; one can be enough at delta = 0
    where ``pure``. Raises DomainError where there is none.
    """
    if claim.delta is None:
        raise DomainError("the least noise_multiplier is looked for with a delta, not at an order")
    if claim.delta == 1 or (claim.delta == 0 and not pure):
        which = "none" if claim.delta == 0 else "every one"
        said = f"{which} keeps delta = {shown(claim.delta)}"
        raise DomainError(f"there is no least noise_multiplier: {said}")
    term = Term(quantity, {**point, "epsilon": claim.epsilon, "delta": claim.delta})
    return [Enough(Question("noise_multiplier_needed", own, (term,)), by, must=True)]
