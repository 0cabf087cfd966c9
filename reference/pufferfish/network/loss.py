"""The exact loss of an additive query of a Bayesian network under Laplace noise.

The query is the sum over nodes of values[node][state]. Its law given a node's state is a polynomial
that variable elimination finds, the exponent of x the query's value and the coefficient the weight:
data sets are summed over, never listed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Annotated, TypeAlias

from flint import Ordering, arb, fmpz_mpoly, fmpz_mpoly_ctx

from ...domain import AT_LEAST_ZERO, NETWORKS, Condition, Positive
from ...matrix_kinds import ANY_NUMBERS, MatrixKind
from ...precision import check_budget
from ...quantity import Side, Truth, quantity
from ...structures import Matrix, Network
from ..additive import Whole, steps_of
from ..line import Atoms
from ..loss import LOSS_NOTE, loss_within
from .inference import Factor, factors_of, joint_weights

# At so many values the loss of ten nodes takes seconds; it costs in proportion to both.
MAX_VALUES = 4096
Networks: TypeAlias = tuple[Network, ...]
VALUES = Annotated[
    Matrix,
    MatrixKind(ANY_NUMBERS, longest_searched=3, as_wide_as="networks", as_long_as="networks"),
]
# Sparse: exponents may be far apart, products cost what there is.
_RING = fmpz_mpoly_ctx.get(("x",), Ordering.lex)


def _row(values: Matrix, node: int) -> tuple[Fraction, ...]:
    """Return the values of a node's states, from the one row there is or from its own."""
    return values[0] if len(values) == 1 else values[node - 1]


def _has_a_value_for_each_state(networks: Networks, values: Matrix) -> bool:
    """Whether the rows, which are of one length, are long enough for every node."""
    return all(len(node.table[0]) <= len(values[0]) for network in networks for node in network)


def has_few_values(networks: Networks, values: Matrix) -> bool:
    """Whether the query takes at most MAX_VALUES values in each network, whatever the tables."""
    for network in networks:
        sums = {Fraction(0)}
        for number, node in enumerate(network, 1):
            steps = {*_row(values, number)[: len(node.table[0])]}
            sums = {value + step for value in sums for step in steps}
            if len(sums) > MAX_VALUES:
                return False
    return True


CONDITIONS = (
    Condition(
        "in values one row, or as many as each network has nodes",
        lambda networks, values: all(len(values) in (1, len(network)) for network in networks),
        LOSS_NOTE,
    ),
    Condition(
        "in every row of values an entry for each state of the node with the most states",
        _has_a_value_for_each_state,
        LOSS_NOTE,
    ),
    Condition(f"at most {MAX_VALUES} values that the query can take", has_few_values, LOSS_NOTE),
)


def laws_by_node(networks: Networks, values: Matrix) -> Iterator[tuple[int, int, dict[int, Atoms]]]:
    """Yield network, node, and the query's law given each of the node's states, all from 1.

    States of probability 0 are left out. In units of ``steps_of``, for each network from its own
    least value on.
    """
    for number, network in enumerate(networks, 1):
        factors = _factors(network, steps_of(values, len(network)).steps)
        for node in range(1, len(network) + 1):
            check_budget()
            found = joint_weights(factors, (node,))
            yield number, node, {state + 1: _atoms(found[state,]) for (state,) in sorted(found)}


def _factors(network: Network, steps: Sequence[Whole]) -> list[Factor]:
    def power(node: int, state: int) -> fmpz_mpoly:
        return _RING.from_dict({(steps[node - 1][state],): 1})

    return factors_of(network, power)


def _atoms(weights: fmpz_mpoly) -> Atoms:
    """Return the law whose weights are the coefficients; FLINT lists the highest power first."""
    powers = tuple(int(power) for (power,) in reversed(weights.monoms()))
    return Atoms(powers, tuple(int(weight) for weight in reversed(weights.coeffs())))


@quantity(
    "pufferfish.network_loss",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=LOSS_NOTE,
    conditions=CONDITIONS,
    within=AT_LEAST_ZERO,
    falls="scale",
    log_ratio=True,
)
def network_loss(networks: NETWORKS, values: VALUES, scale: Positive) -> arb:
    """Exact epsilon of an additive query of a network released with Laplace noise of this scale.

    The largest log-ratio over outcomes, nodes, pairs of a node's states, and networks. ``values``
    has one row, used at every node, or one for each node; entries beyond a node's states have no
    use.
    """
    unit = steps_of(values, 1).unit

    def groups() -> Iterator[list[Atoms]]:
        return ([*laws.values()] for _, _, laws in laws_by_node(networks, values))

    return loss_within(groups, scale / unit)
