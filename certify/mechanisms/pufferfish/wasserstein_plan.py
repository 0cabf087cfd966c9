"""Plan a Laplace release of a scalar query whose data sets are listed (song2017 Algorithm 1).

Privacy is for data that follow a law of the class. A data set, or an answer, that none of them
allows is outside, and refused; under each law it has probability 0, so the refusal tells nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from ....reference.errors import DomainError
from ....reference.pufferfish.instantiation import Laws, Vector
from ..data.answer import DATASET, number_in
from ..maker import Maker, Said
from ..plan import NoisePlan
from ..protocol import Claim
from .query import ANSWER, require_moderate


@dataclass(frozen=True)
class WassersteinMaker:
    """Noise on the answer of a query that the claim lists for every data set."""

    mechanism: str = "pufferfish.wasserstein"
    data_keys: tuple[str, ...] = ()

    def public_names(self, _claim: Claim, _said: Said) -> tuple[str, ...]:
        """Return what is taken for public: the class, with its data sets and their answers."""
        return ("class",)

    def plan(self, claim: Claim, said: Said, file: Path) -> NoisePlan:
        """Return the exact answer and the scale. Raises InputError, without a private value."""
        values, laws = _of(claim)
        require_moderate(values, 1, said.where)
        key, number = number_in(file)
        sets = (_with_number if key == DATASET else _with_answer)(number, values, file)
        require_possible(sets, laws, file)
        return NoisePlan((ANSWER,), (values[sets[0]],), claim.number("scale"), scalar=True)


def _of(claim: Claim) -> tuple[Vector, Laws]:
    release: Any = claim.release
    return release["values"], release["laws"]


def _with_number(number: Fraction, values: Vector, file: Path) -> list[int]:
    """Return the data set, from 0, of a number from 1."""
    if number.denominator != 1 or not 1 <= number <= len(values):
        raise DomainError(f"{file}: {DATASET} is not a whole number from 1 to {len(values)}, of a "
                          "data set of the claim")  # fmt: skip
    return [int(number) - 1]


def _with_answer(answer: Fraction, values: Vector, file: Path) -> list[int]:
    """Return the data sets, from 0, that have this answer."""
    sets = [at for at, value in enumerate(values) if value == answer]
    if not sets:
        raise DomainError(f"{file}: the answer is none of those that the claim lists as values")
    return sets


def require_possible(sets: Sequence[int], laws: Laws, file: Path) -> None:
    """Raise DomainError unless some law of the class allows one of these data sets."""
    if not any(law[at] > 0 for law in laws for at in sets):
        raise DomainError(
            f"{file}: no law of the class allows what it holds; Pufferfish privacy is for data "
            "that follow one of them (song2017 Definition 2.1)"
        )


WASSERSTEIN: Maker = WassersteinMaker()
