"""Neighbours of a release, as far as they can be compared with those of another one.

What two releases lose together is a statement on two data sets that are neighbours to both; of
Pufferfish releases on two secrets under one law of a class (proofs_notes/ledger.md).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from .protocol import Claim

# Of all of them both have to be data that every release admits.
RECORD_CHANGED: Final = "data that differ in one record, which changes its category"
RECORD_ADDED: Final = "data that differ in one record, which is added or removed"
# What [data] says of one query alone: any may be asked of the same data.
_OF_THE_QUERY: Final = frozenset({"public", "query", "weights", "values"})


@dataclass(frozen=True)
class Adjacency:
    """Which data are neighbours, in words, and what has to be equal for two releases to agree.

    Under Pufferfish privacy they are secrets, and ``laws`` says of which class of laws.
    ``missing`` is what would have to be known and is not. ``rows`` says of each row that is
    released by itself whether neighbours may differ in it.
    """

    words: str
    fixed: Mapping[str, Any]
    missing: tuple[str, ...] = ()
    laws: str = ""
    rows: tuple[bool, ...] = (True,)

    @property
    def noun(self) -> str:
        """The two things that are not told apart."""
        return "secrets" if self.laws else "neighbours"


@dataclass(frozen=True)
class Unlike:
    """Why releases have no neighbours in common."""

    why: str


def fixed_by(
    claim: Claim,
    data: Mapping[str, Any],
    words: str,
    keys: Sequence[str],
    needed: Sequence[str],
) -> Adjacency:
    """Return neighbours that are fixed by some of the parameters and by what [data] says."""
    given = claim.parameters.given
    said = {key: value for key, value in data.items() if key not in _OF_THE_QUERY}
    missing = tuple(f"{key} in [data]" for key in needed if key not in said)
    return Adjacency(words, {**{key: given.get(key) for key in keys}, "[data]": said}, missing)
