"""Backends that are textbook code on top of common libraries, and what is recorded of each.

A library here answers to nearest, or nearly, as it promises; what is wrong comes of formulas that
lose what they subtract, or leave the doubles, and of points where they do.
"""

from . import in_mpmath, in_numpy, in_opendp, in_scipy, in_scipy_sparse
from .libraries import WITNESSES, Library, NotHereError
from .programs import in_boost, in_gsl, in_r
from .shown import rows_of_domains, rows_of_verdicts
from .truths import is_cheap, is_wrong, true_text

LIBRARIES: tuple[Library, ...] = (
    in_scipy.library,
    in_scipy_sparse.library,
    in_boost,
    in_gsl,
    in_r,
    in_mpmath.library,
    in_numpy.library,
    in_opendp.library,
)
# What is quick, and always here.
IN_GATE = (in_scipy.library, in_scipy_sparse.library, in_mpmath.library)

__all__ = [
    "IN_GATE",
    "LIBRARIES",
    "WITNESSES",
    "Library",
    "NotHereError",
    "is_cheap",
    "is_wrong",
    "rows_of_domains",
    "rows_of_verdicts",
    "true_text",
]
