"""Which parameters of a mechanism may be "tight" or "least", and which numbers the words mean."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from .protocol import Claim
from .questions import Question


@dataclass(frozen=True)
class Largest:
    """The largest number that keeps the claim: what decides the claim rises with it.

    Its domain is all positive numbers: 1 stands in its place while a claim is read.
    """

    key: str

    @property
    def keys(self) -> tuple[str, ...]:
        """The parameter."""
        return (self.key,)


@dataclass(frozen=True)
class OpenRow:
    """One row of a claim that is to be calibrated; equal rows (``same``) have one number.

    ``number`` is the one that the claim has now. ``asked`` is what a number comes to; ``anyhow``
    is one that serves where nothing is to be hidden, whatever it is.
    """

    label: str
    number: Fraction
    same: Hashable
    asked: Callable[[Fraction], Question]
    anyhow: Fraction | None = None


@dataclass(frozen=True)
class LargestOfEachRow:
    """The largest number of each row that keeps the claim: the release loses what its worst does.

    A list may be "tight" in some of its places.
    """

    key: str
    rows: Callable[[Claim], Sequence[OpenRow]]

    @property
    def keys(self) -> tuple[str, ...]:
        """The parameter."""
        return (self.key,)


@dataclass(frozen=True)
class LargestOnGrid:
    """The largest number; or, with a second one, the pair of least expected divergence.

    ``key`` is what the claim's number rises with, ``other`` is looked for on a fixed grid.
    ``require`` raises DomainError where both are not chosen together; ``ordered`` says whether the
    largest numbers are proved to be in order along the grid.
    """

    key: str
    other: str
    require: Callable[[Claim, str], None]
    ordered: Callable[[Claim], bool]

    @property
    def keys(self) -> tuple[str, ...]:
        """Both parameters."""
        return (self.key, self.other)


@dataclass(frozen=True)
class Enough:
    """A number that is enough, of which a question asks what it is at most, and by whose words."""

    question: Question
    by: str
    must: bool = False


@dataclass(frozen=True)
class Least:
    """The least number that is enough by some valid mechanism, or the least that is enough at all.

    Of those that ``enough`` lists one that is refused is left out, unless it ``must`` be known.
    ``exactly`` asks for the least of all, by the exact loss; None where that is not known. Without
    it, that is what ``enough`` lists, and nothing else.
    """

    key: str
    enough: Callable[[Claim], Sequence[Enough]]
    exactly: Callable[[Claim], Question | None] | None = None

    @property
    def keys(self) -> tuple[str, ...]:
        """The parameter."""
        return (self.key,)

    def of_all(self, claim: Claim) -> Question | None:
        """Return what asks for the least by the exact loss, where it is known."""
        if self.exactly is not None:
            return self.exactly(claim)
        (only,) = self.enough(claim)
        return only.question


@dataclass(frozen=True)
class Given:
    """No number may be left open: all have to be given."""

    keys: tuple[str, ...] = ()


Tight: TypeAlias = Largest | LargestOfEachRow | LargestOnGrid | Least | Given
