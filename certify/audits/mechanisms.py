"""What an audit knows of each mechanism: its parameters, hypotheses, bound and worst pair."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ...reference.dirichlet import average, counts, identity
from ...reference.dirichlet.pair import Pair
from ...reference.domain import Exact, Hypothesis, Interval, count_from
from ...reference.errors import UnknownNameError
from ...reference.quantity import quantity_named

# Parameters that the privacy of the release does not depend on; a claim may leave them out.
OPTIONAL = ("gamma",)
PROBABILISTIC = (
    "The papers state probabilistic differential privacy, which is stronger: certifying the "
    "conventional claim does not certify theirs, refuting it refutes theirs."
)
PUBLIC = "That k, eta and gamma were chosen without looking at the private data."
SAMPLING = "That the release was drawn from the exact law; a draw in floating point is not."


@dataclass(frozen=True)
class Mechanism:
    """One kind of release.

    ``bound``, ``delta_bound`` and ``level`` name the quantities that are the paper's epsilon, its
    delta, and the gamma at which that delta is reached.
    """

    name: str
    bound: str
    delta_bound: str
    level: str
    hypotheses: tuple[Hypothesis, ...]
    worst_pair: Callable[..., Pair]
    adjacency: str
    example: str
    wider: Mapping[str, Interval]

    @property
    def parameters(self) -> Mapping[str, Interval]:
        """The release's parameters by name: those of the paper's bound.

        Where the truth can be had beyond the bound's domain, the wider domain holds.
        """
        numbers = {
            name: domain
            for name, domain in quantity_named(self.bound).parameters.items()
            if isinstance(domain, Interval)
        }
        return {**numbers, **self.wider}

    def pair(self, exact: Mapping[str, Exact]) -> Pair:
        """Return floor, step and the worst neighbouring inputs at exact parameters."""
        names = inspect.signature(self.worst_pair).parameters
        return self.worst_pair(**{name: exact[name] for name in names})


_TWO_COORDINATES = (
    "Changes of more than two coordinates of one vector, or outside the protected set, "
    "are not covered."
)
_KNOWN = {
    item.name: item
    for item in (
        Mechanism(
            "dirichlet.identity",
            "dirichlet.identity.epsilon_bound",
            "dirichlet.identity.delta_bound",
            "dirichlet.identity.gamma",
            identity.HYPOTHESES,
            identity.worst_pair,
            _TWO_COORDINATES,
            "identity",
            {"w": count_from(1, 50)},
        ),
        Mechanism(
            "dirichlet.average",
            "dirichlet.average.epsilon_bound",
            "dirichlet.identity.delta_bound",
            "dirichlet.identity.gamma",
            average.HYPOTHESES,
            average.worst_pair,
            _TWO_COORDINATES,
            "gohari2020-experts",
            {"w": count_from(1, 50)},
        ),
        Mechanism(
            "dirichlet.counts",
            "dirichlet.counts.epsilon_bound",
            "dirichlet.counts.delta_bound",
            "dirichlet.counts.gamma",
            counts.HYPOTHESES,
            counts.worst_pair,
            "Neighbours differ in one record that changes its category; the number of records "
            "is public. A record added or removed is not covered.",
            "benvenuti2025-grades",
            {"n": count_from(2, 50)},
        ),
    )
}


def mechanism_named(name: str) -> Mechanism:
    """Return a mechanism. Raises UnknownNameError with the nearest name."""
    if name not in _KNOWN:
        raise UnknownNameError("mechanism", name, _KNOWN, f"(known: {', '.join(_KNOWN)})")
    return _KNOWN[name]
