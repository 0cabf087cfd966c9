"""The mechanisms that a claim may name."""

from __future__ import annotations

from ...reference.dirichlet import average, counts, identity
from ...reference.domain import ONE, ZERO, Interval, count_from
from ...reference.errors import UnknownNameError
from .bordered import NO_DISTANCE_TOO, Bordered
from .histogram import RENYI
from .markov.model import MODEL
from .matrix import MATRIX
from .mechanism import Mechanism
from .pufferfish.chain import CHAIN
from .pufferfish.network import NETWORK
from .pufferfish.wasserstein import WASSERSTEIN

_TWO_COORDINATES = (
    "Changes of more than two coordinates of one vector, or outside the protected set, "
    "are not covered."
)
# Of one protected coordinate, or at distance 0, nothing is claimed; the audit says so.
_VECTORS = {"w": count_from(1, 50), "b": NO_DISTANCE_TOO}
_IDENTITY = Bordered(
    "dirichlet.identity",
    "dirichlet.identity.epsilon_bound",
    "dirichlet.identity.delta_bound",
    "dirichlet.identity.gamma",
    identity.HYPOTHESES,
    identity.worst_pair,
    _TWO_COORDINATES,
    "identity",
    _VECTORS,
)
_AVERAGE = Bordered(
    "dirichlet.average",
    "dirichlet.average.epsilon_bound",
    "dirichlet.identity.delta_bound",
    "dirichlet.identity.gamma",
    average.HYPOTHESES,
    average.worst_pair,
    _TWO_COORDINATES,
    "gohari2020-experts",
    _VECTORS,
)
_COUNTS = Bordered(
    "dirichlet.counts",
    "dirichlet.counts.epsilon_bound",
    "dirichlet.counts.delta_bound",
    "dirichlet.counts.gamma",
    counts.HYPOTHESES,
    counts.worst_pair,
    "Neighbours differ in one record that changes its category; the number of records "
    "is public. A record added or removed is not covered.",
    "benvenuti2025-grades",
    {"n": count_from(1, 50), "eta": Interval(above=ZERO, at_most=ONE)},
)
_DIRICHLET: tuple[Mechanism, ...] = (_IDENTITY, _AVERAGE, _COUNTS, MATRIX, RENYI, MODEL)
_PUFFERFISH: tuple[Mechanism, ...] = (CHAIN, NETWORK, WASSERSTEIN)
# A claim about these is of an epsilon alone.
PURE = frozenset(item.name for item in _PUFFERFISH)
_KNOWN: dict[str, Mechanism] = {item.name: item for item in (*_DIRICHLET, *_PUFFERFISH)}


def mechanism_named(name: str) -> Mechanism:
    """Return a mechanism. Raises UnknownNameError with the nearest name."""
    if name not in _KNOWN:
        raise UnknownNameError("mechanism", name, _KNOWN, f"(known: {', '.join(_KNOWN)})")
    return _KNOWN[name]
