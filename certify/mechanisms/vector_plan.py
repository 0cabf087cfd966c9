"""One private vector: Dirichlet(k p), after p was found to lie in the bordered simplex."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ...reference.errors import DomainError, InputError
from ...reference.exact import shown
from . import reading
from .data.bordered import Border, require_bordered
from .data.labels import labels_in
from .data.vectors import read_vector
from .drawn import require_reach, require_support, vector_plan, with_support
from .maker import Said
from .plan import SimplexPlan
from .protocol import Claim

SOURCE = "gohari2020 Section II"
NAMES, PROTECTED = "names", "protected"


@dataclass(frozen=True)
class Vector:
    """The identity query of gohari2020."""

    mechanism: str = "dirichlet.identity"
    data_keys: tuple[str, ...] = (NAMES, PROTECTED)

    def public_names(self, _claim: Claim, said: Said) -> tuple[str, ...]:
        """Return the floors, and the names of the coordinates."""
        return with_support(said, ("eta", "eta_bar", NAMES))

    def plan(self, claim: Claim, said: Said, file: Path) -> SimplexPlan:
        """Return k p. Raises InputError, with no private value in its sentence."""
        names = labels_in(said, NAMES)
        border = border_of(claim, said, names)
        found = read_vector(file, names)
        (vector,), (place,) = found.values, found.places
        require_bordered(vector, border, place)
        require_support(vector, said, place, SOURCE)
        k = claim.number("k")
        return vector_plan(names, [k * share for share in vector], place)


def border_of(claim: Claim, said: Said, names: tuple[str, ...]) -> Border:
    """Return the bordered simplex of a claim, its coordinates by these names. Raises InputError.

    All of it can be drawn from, but for coordinates that are not protected.
    """
    k = claim.number("k")
    require_reach(k * claim.number("eta"), k, said.where)
    protected = _protected(said, names)
    if len(protected) != claim.number("w"):
        raise DomainError(f"{said.where}: [data] protected lists {len(protected)} coordinates, but "
                          f"w = {shown(claim.number('w'))}")  # fmt: skip
    return Border(claim.number("eta"), claim.number("eta_bar"), protected, SOURCE)


def _protected(said: Said, names: tuple[str, ...]) -> tuple[int, ...]:
    """Return the numbers, from 0, of the coordinates that [data] names, or that are in W."""
    if ("W" in said.release) == (PROTECTED in said.data):
        raise InputError(f"{said.where}: give the protected coordinates once, by their names "
                         f"([data] {PROTECTED}) or by their numbers ([release] W)")  # fmt: skip
    if "W" in said.release:
        return _numbered(reading.coordinates(said.release["W"], said.where), names, said.where)
    labels = labels_in(said, PROTECTED, least=1)
    for label in labels:
        if label not in names:
            raise InputError(f"{said.where} [data]: {PROTECTED} names {shown(label)}, which is "
                             f"none of {NAMES}")  # fmt: skip
    return tuple(names.index(label) for label in labels)


def _numbered(numbers: list[int], names: tuple[str, ...], where: str) -> tuple[int, ...]:
    if max(numbers) > len(names):
        raise InputError(f"{where}: W lists coordinate {shown(max(numbers))}, but [data] {NAMES} "
                         f"lists {len(names)}")  # fmt: skip
    return tuple(number - 1 for number in numbers)


VECTOR = Vector()
