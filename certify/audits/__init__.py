"""Audits: a user's claim about a release, decided by the truth."""

from .claim import read_claim
from .decision import Audit, decide

__all__ = ["Audit", "decide", "read_claim"]
