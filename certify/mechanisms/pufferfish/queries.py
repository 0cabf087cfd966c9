"""Queries and initial laws that may lose most, where a claim is about all of them.

Whatever is chosen here, each query changes by at most the Lipschitz constant, and each initial law
is one of those claimed: so each may refute, and floating point is a matter of the choice alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import chain, combinations, islice

import numpy as np
from numpy.typing import NDArray

from ....reference.domain import Value
from ....reference.errors import DomainError
from ....reference.markov.stationary import stationary_law
from ....reference.precision import BudgetSpentError
from ....reference.quantity import quantity_named
from ....reference.structures import ANY, STATIONARY, ChainLaw, Matrix

# A loss takes a time in proportion to length^2 times states^2: so much of it is spent on queries,
# and no query is tried after so many seconds.
_WORK = 10**8
SEARCH_SECONDS = 20.0


def started(chains: tuple[ChainLaw, ...]) -> Iterator[tuple[ChainLaw, ...]]:
    """Yield the chains, each of which starts with one law: where all are claimed, with a few."""
    if all(law.initial != ANY for law in chains):
        yield chains
        return
    yield tuple(_with(law, _uniform(law)) for law in chains)
    yield tuple(_with(law, _stationary(law)) for law in chains)


def _with(law: ChainLaw, initial: tuple[Fraction, ...]) -> ChainLaw:
    return law._replace(initial=initial) if law.initial == ANY else law


def _uniform(law: ChainLaw) -> tuple[Fraction, ...]:
    return (Fraction(1, len(law.P)),) * len(law.P)


def _stationary(law: ChainLaw) -> tuple[Fraction, ...]:
    try:
        return stationary_law(law.P)
    except (DomainError, BudgetSpentError):
        return _uniform(law)


def likely_queries(
    chains: tuple[ChainLaw, ...], length: int, lipschitz: Fraction
) -> Iterator[Matrix]:
    """Yield queries that change by at most ``lipschitz`` and may tell much about some node.

    How often each state occurs; and on how many nodes the state is likelier after, or before, one
    state of the middle node than another.
    """
    states = len(chains[0].P)
    likelier = (
        tuple(tuple(lipschitz * bool(one) for one in row) for row in rows)
        for rows in _likelier(chains, length)
    )
    found = chain(state_counts(states, lipschitz), likelier)
    yield from islice(found, _WORK // (length * states) ** 2)


def state_counts(states: int, lipschitz: Fraction) -> Iterator[Matrix]:
    """Yield how often each state occurs, times ``lipschitz``."""
    for state in range(states):
        yield (tuple(lipschitz * (one == state) for one in range(states)),)


def _likelier(chains: tuple[ChainLaw, ...], length: int) -> Iterator[NDArray[np.bool_]]:
    for law in chains:
        laws = _laws_given_middle(law, length)
        for one, other in combinations(range(len(law.P)), 2):
            yield laws[:, one, :] > laws[:, other, :]


def _laws_given_middle(law: ChainLaw, length: int) -> NDArray[np.float64]:
    """Return about P(X_t = z given X_middle = x) at [t, x, z]; 0 for an impossible x."""
    steps = np.array([[float(share) for share in row] for row in law.P])
    middle = (length - 1) // 2
    powers = [np.eye(len(steps))]
    for _ in range(length):
        powers.append(powers[-1] @ steps)
    start = _stationary(law) if law.initial == STATIONARY else law.initial
    first = np.array([float(share) for share in start])
    there = first @ powers[middle]
    back = np.divide(1.0, there, out=np.zeros_like(there), where=there > 0)
    before = [
        ((first @ powers[at])[:, None] * powers[middle - at] * back).T for at in range(middle)
    ]
    return np.array([*before, *powers[: length - middle]])


def has_exact_loss(chains: tuple[ChainLaw, ...], length: int, values: Matrix) -> bool:
    """Whether the exact loss of such a query can be had."""
    laws: dict[str, Value] = {
        "chains": chains,
        "length": length,
        "values": values,
        "scale": Fraction(1),
    }
    return quantity_named("pufferfish.chain_loss").admits(laws)
