"""Audits: a user's claim about a release, decided by the truth."""

from pathlib import Path

from .claim import read_claim
from .decision import Audit, decide


def audit(where: str | Path) -> Audit:
    """Decide the claim in a TOML file, or a shipped ``example:NAME``.

    Raises InputError (or a subclass) if the file cannot be read as a claim.
    """
    return decide(read_claim(where))


__all__ = ["Audit", "audit", "read_claim"]
