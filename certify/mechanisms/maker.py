"""The words of a release: what a claim file says of the data, and who makes a plan of both."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from .plan import Plan
from .protocol import Claim


@dataclass(frozen=True)
class Said:
    """What a claim file says besides the claim.

    ``release`` is its [release] as written, ``data`` its [data], which names what the data file
    holds and, in ``public``, what was known without looking into it; ``where`` is its name.
    """

    where: str
    release: Mapping[str, Any]
    data: Mapping[str, Any]
    public: frozenset[str]


class Maker(Protocol):
    """One mechanism's way from private data to a plan."""

    @property
    def mechanism(self) -> str:
        """The name of the mechanism, as a claim gives it."""

    @property
    def data_keys(self) -> tuple[str, ...]:
        """The keys of [data] besides ``public``."""

    def public_names(self, claim: Claim, said: Said) -> tuple[str, ...]:
        """Return what [data] public has to list: what the guarantee takes for public."""

    def plan(self, claim: Claim, said: Said, file: Path) -> Plan:
        """Return what is to be drawn. Raises InputError, with no private value in its sentence."""
