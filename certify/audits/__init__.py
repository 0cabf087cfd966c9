"""Audits: a user's claim about a release, decided by the truth."""

from pathlib import Path

from ...reference.precision import all_within
from .claim import read_claim
from .decision import Audit, decide


def audit(where: str | Path, *, seconds: float | None = None) -> Audit:
    """Decide the claim in a TOML file, or a shipped ``example:NAME``, in so many seconds.

    Raises InputError (or a subclass) if the file cannot be read as a claim, BudgetSpentError if
    not even its question could be worked out in time.
    """
    claim = read_claim(where)
    with all_within(seconds):
        return decide(claim)


__all__ = ["Audit", "audit", "read_claim"]
