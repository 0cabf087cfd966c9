"""The entries of fallin2023, in the order of the paper."""

from ..entries import Claim

CLAIMS: tuple[Claim, ...] = ()
