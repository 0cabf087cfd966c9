"""The tail by itself, for any Dirichlet law."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

from ...domain import A_PROBABILITY, Entries, Interval, Positive, Probability, count_from
from ...quantity import Routed, Side, Truth, quantity
from ...relations import more
from .event import Miss
from .route import routed

SERIES_NOTE = "proofs_notes/tail-series.md"
CONTOUR_NOTE = "proofs_notes/tail-contour.md"

PARAMETER = Interval(above=Fraction(0))
PARAMETERS = Annotated[tuple[Fraction, ...], Entries(PARAMETER)]
COUNT = Annotated[int, count_from(1, 50)]
REST = Annotated[Fraction, Interval(at_least=Fraction(0), search=("0.001", "1000"))]


@quantity(
    "dirichlet.tail.uniform",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=SERIES_NOTE,
    within=A_PROBABILITY,
    rises="count rest gamma",
    vanishes="low gamma",
)
def uniform(alpha: Positive, count: COUNT, rest: REST, gamma: Probability) -> Routed:
    """Probability that some of ``count`` equal coordinates falls below gamma.

    x ~ Dirichlet(alpha, ..., alpha, rest), the parameter alpha ``count`` times; with rest 0 every
    coordinate is protected. Exactly 1 from count gamma = 1 on.
    """
    return routed(Miss(((alpha, count),), rest, gamma))


@quantity(
    "dirichlet.tail.general",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=CONTOUR_NOTE,
    within=A_PROBABILITY,
    rises=("rest gamma", more("alpha")),
    vanishes="low gamma",
)
def general(alpha: PARAMETERS, rest: REST, gamma: Probability) -> Routed:
    """Probability that some protected coordinate falls below gamma, for any parameters.

    x ~ Dirichlet(alpha, rest), the coordinates of alpha protected; with rest 0 all are.
    """
    return routed(Miss.of(alpha, rest, gamma))
