"""The entries of benvenuti2025, in the order of the paper."""

from ..entries import Claim

CLAIMS: tuple[Claim, ...] = ()
