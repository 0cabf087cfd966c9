"""The entries of song2017, in the order of the paper."""

from ..entries import Claim

CLAIMS: tuple[Claim, ...] = ()
