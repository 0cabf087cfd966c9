"""The second opinion: every quantity again, through another engine and another formula.

Nothing here imports from the first engine. Where MPFR's directed rounding can compose the answer
(``directed``), the opinion is rigorous; where it cannot, mpmath gives two values at two precisions
and the enclosure is widened by ten times their difference, and ``rigorous`` is False.
"""

from __future__ import annotations

from ..errors import UnknownNameError
from .opinion import Opinion, edges, opinions


def opinion_on(name: str) -> Opinion:
    """Return the second opinion on a quantity. Raises UnknownNameError."""
    known = opinions()
    if name not in known:
        raise UnknownNameError("second opinion on", name, known)
    return known[name]


__all__ = ["Opinion", "edges", "opinion_on", "opinions"]
