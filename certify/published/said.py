"""What a published text says of privacy, in terms of claim files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

# A claim file: its tables.
ClaimTable: TypeAlias = "Mapping[str, Mapping[str, object]]"


@dataclass(frozen=True)
class Rounded:
    """An epsilon as it is printed, the largest that is printed so, and the fact to ask for."""

    printed: Fraction
    most: Fraction
    fact: str


@dataclass(frozen=True)
class Said:
    """One thing that a text says, in a line, and the claim files that decide it.

    It is true where ``certified_by`` is certified, false where ``refuted_by`` is refuted; None
    where there is none. ``assumes`` is taken for granted beside what that claim does, ``missing``
    are the facts that would decide where those do not, ``how`` is why the first certifies it.
    What is false by its rounding alone is not refuted: ``refuted_by`` claims ``rounded.most``.
    """

    says: str
    certified_by: ClaimTable | None
    refuted_by: ClaimTable | None
    assumes: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    how: str = ""
    rounded: Rounded | None = None


@dataclass(frozen=True)
class Published:
    """A text: what it is about, of which kind it is, what it says, and what it does not say.

    ``next_step`` is what somebody who has the missing facts does with them.
    """

    name: str
    kind: str
    said: tuple[Said, ...]
    not_said: tuple[str, ...] = ()
    next_step: str = ""
