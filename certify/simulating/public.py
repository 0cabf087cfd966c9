"""What a claim's parameters tell of a study besides the laws: a floor, how many records."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ..mechanisms.protocol import Claim

# Only these say that all coordinates keep the floor eta; elsewhere the protected ones do.
_COUNTS = "dirichlet.counts"


@dataclass(frozen=True)
class Public:
    """A floor of all shares, and the number of records; None where a claim says neither."""

    eta: Fraction | None = None
    N: int | None = None

    @classmethod
    def of(cls, claim: Claim) -> Public:
        """Return what a claim says."""
        if claim.mechanism.name != _COUNTS:
            return cls()
        return cls(claim.number("eta"), int(claim.number("N")))
