"""The tail of the good set: the probability that some protected coordinate falls below gamma.

Three routes enclose it: a power series by inclusion and exclusion (``series``), Laplace's
inversion on a contour through the saddle (``contour``), and the papers' own nested integral
(``cubature``). ``route`` takes the cheapest; in tests all that can do it must overlap.
"""

from .event import Miss, bracket
from .route import probability, routed, routes_by_cost

__all__ = ["Miss", "bracket", "probability", "routed", "routes_by_cost"]
