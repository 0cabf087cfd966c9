"""The entries of gohari2020, in the order of the paper."""

from ..entries import Claim

CLAIMS: tuple[Claim, ...] = ()
