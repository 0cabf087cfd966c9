"""What a theorem asks of one private vector: to lie in the bordered simplex."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from ....reference.errors import DomainError


@dataclass(frozen=True)
class Border:
    """The bordered simplex: each coordinate in W at least eta, their sum at most 1 - eta_bar.

    ``protected`` are the numbers of the coordinates in W, from 0; ``source`` is where it is asked.
    """

    eta: Fraction
    eta_bar: Fraction
    protected: tuple[int, ...]
    source: str


def require_bordered(vector: Sequence[Fraction], border: Border, place: str) -> None:
    """Raise DomainError, which tells no coordinate, where a vector is no input of the mechanism."""
    if min(vector) < 0:
        raise DomainError(f"{place}: a coordinate is negative; the input lies on the simplex "
                          f"({border.source})")  # fmt: skip
    if sum(vector) != 1:
        raise DomainError(f"{place}: the coordinates do not sum to exactly 1; the input lies on "
                          f"the simplex ({border.source})")  # fmt: skip
    protected = [vector[at] for at in border.protected]
    if any(value < border.eta for value in protected):
        raise DomainError(f"{place}: a protected coordinate is below eta ({border.source})")
    if sum(protected) > 1 - border.eta_bar:
        raise DomainError(f"{place}: the protected coordinates sum to more than 1 - eta_bar "
                          f"({border.source})")  # fmt: skip
