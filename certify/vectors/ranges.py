"""Where the truth is slow to find: drawn points of a few quantities keep out of there.

A matter of speed alone, decided by the inputs, so that it is the same on every machine. The roots
in k take a time that grows like floor/shift; those in gamma lie at 1e-5000 where k eta is small.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..checks.case import Given
from .points import leaves

_Bounds = Mapping[str, float]
_CAPS: dict[str, _Bounds] = {
    "dirichlet.identity.k_for_dp": {"eta": 0.2},
    "dirichlet.average.k_for_dp": {"eta": 0.2, "N": 20},
    "dirichlet.counts.k_for_dp": {"eta": 0.2, "N": 200},
    "markov.model.k_for_dp": {"N": 100},
}
_FLOORS: dict[str, _Bounds] = {
    "dirichlet.identity.k_for_dp": {"b": 0.05},
    "dirichlet.average.k_for_dp": {"b": 0.2},
    "dirichlet.identity.gamma": {"k": 0.5, "eta": 0.01},
    "dirichlet.counts.gamma": {"k": 0.5, "eta": 0.01},
}


def is_quick(name: str, point: Given) -> bool:
    """Whether the truth at a point of a quantity is quick to find."""
    caps, floors = _CAPS.get(name, {}), _FLOORS.get(name, {})
    return all(
        floors.get(parameter, leaf) <= leaf <= caps.get(parameter, leaf)
        for parameter, value in point.items()
        if parameter in caps or parameter in floors
        for _, leaf in leaves(value)
        if not isinstance(leaf, str)
    )
