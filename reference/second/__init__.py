"""The second opinion: every quantity again, through another engine and another formula.

Nothing here imports from the first engine. Where MPFR's directed rounding can compose the answer
(``directed``), the opinion is rigorous; where it cannot, mpmath gives two values at two precisions
and the enclosure is widened by ten times their difference, and ``rigorous`` is False.
"""

from __future__ import annotations

from .opinion import Opinion, edges, opinion_on, opinions

__all__ = ["Opinion", "edges", "opinion_on", "opinions"]
