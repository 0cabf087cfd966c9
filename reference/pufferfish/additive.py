"""Additive queries of a Markov chain, sum over t of values[t][X_t], without listing data sets.

The secrets are the states of each node, the pairs any two states of one node. ``values`` has one
row, used at every node, or one for each node.

The law of an additive query of a chain given each state of each node, in exact whole numbers.

Forward, a polynomial for each state: the exponent of x is the query's value up to that node, the
coefficient the weight of having it and being there. Backward, what the later nodes add. The
product of the two is the law given that state, up to its total (proofs_notes/wasserstein.md).
Weights are probabilities times a power of the common denominator, so nothing is ever rounded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from math import gcd, lcm
from typing import Annotated, NamedTuple, TypeAlias

from flint import Ordering, arb, fmpz_mpoly, fmpz_mpoly_ctx

from ..domain import AT_LEAST_ZERO, Condition, Interval, Positive
from ..domain.matrices import ANY_NUMBERS, MatrixKind
from ..domain.structures import Chains
from ..markov.stationary import stationary_law
from ..markov.structure import has_one_stationary_law
from ..precision import check_budget
from ..quantity import Side, Truth, quantity
from ..relations import UNKNOWN
from ..structures import ANY, STATIONARY, ChainLaw, Matrix
from .divergences import LOSS_NOTE, NOTE, Atoms, largest_move, loss_within

# At a thousand of either the distance takes up to a minute and half a gigabyte.
_MAX_VALUES = 601
_MAX_LENGTH = 600
# Two gigabytes of whole numbers, about what the backward pass may keep.
_MAX_WEIGHT_BITS = 2**34
QUERIED_CHAINS = Annotated[tuple[ChainLaw, ...], Chains(words_searched=(STATIONARY,))]
QUERY_VALUES = Annotated[Matrix, MatrixKind(ANY_NUMBERS, as_wide_as="chains", as_long_as="length")]
QUERY_LENGTH = Annotated[
    int,
    Interval("integer", at_least=Fraction(1), at_most=Fraction(_MAX_LENGTH), search=("1", "5")),
]


class _Steps(NamedTuple):
    """The summand of each state at each node, in whole units above the node's least."""

    unit: Fraction
    steps: tuple[Whole, ...]


def steps_of(values: Matrix, length: int) -> _Steps:
    """Return the query's steps node by node; a single row of values serves every node.

    The unit is the greatest common divisor of all differences within a row.
    """
    common = lcm(*(value.denominator for row in values for value in row))
    rows = [[int(value * common) for value in row] for row in values]
    above = [tuple(value - min(row) for value in row) for row in rows]
    unit = gcd(*(value for row in above for value in row)) or 1
    steps = tuple(tuple(value // unit for value in row) for row in above)
    return _Steps(Fraction(unit, common), steps * length if len(steps) == 1 else steps)


def _values_taken(length: int, values: Matrix) -> int:
    """Return how many values the query can take, whatever the chain, or more than MAX_VALUES."""
    sums = {0}
    for row in steps_of(values, length).steps:
        added = {*row}
        if len(added) > 1:
            sums = {value + step for value in sums for step in added}
        if len(sums) > _MAX_VALUES:
            break
    return len(sums)


def has_few_values(length: int, values: Matrix) -> bool:
    """Whether the query takes at most MAX_VALUES values, whatever the chain."""
    return _values_taken(length, values) <= _MAX_VALUES


def fits_into_memory(chains: tuple[ChainLaw, ...], length: int, values: Matrix) -> bool:
    """Whether the backward pass keeps at most MAX_WEIGHT_BITS.

    With probabilities in multiples of 1/D the weights of what n later nodes add have a sum of D^n
    for each state, so none has more than n log2(D) bits; n goes up to the length.
    """
    weights = min(_values_taken(length, values), _MAX_VALUES) * len(chains[0].P) * length**2 // 2
    most = _MAX_WEIGHT_BITS // max(1, weights)
    return all(_has_short_denominator(chain.P, most) for chain in chains)


def _has_short_denominator(P: Matrix, most_bits: int) -> bool:
    """Whether the common denominator of all entries has at most so many bits."""
    common = 1
    for row in P:
        common = lcm(common, *(share.denominator for share in row))
        if common.bit_length() > most_bits:
            return False
    return True


CONDITIONS = (
    Condition(
        'no chain with the initial law "any" (each initial law has its own: name them)',
        lambda chains: all(chain.initial != ANY for chain in chains),
        NOTE,
    ),
    Condition(
        'with the initial law "stationary" only chains that have one stationary law',
        lambda chains: all(
            chain.initial != STATIONARY or has_one_stationary_law(chain.P) for chain in chains
        ),
        NOTE,
    ),
    Condition(
        "in values one row, or as many as the chain is long",
        lambda length, values: len(values) in (1, length),
        NOTE,
    ),
    Condition(
        "in every row of values as many entries as there are states",
        lambda chains, values: all(len(row) == len(chains[0].P) for row in values),
        NOTE,
    ),
    Condition(f"at most {_MAX_VALUES} values that the query can take", has_few_values, NOTE),
    Condition(
        "exact probabilities that fit into 2 GB (a shorter chain, fewer states or values, or a "
        "smaller common denominator of the entries of P needs less)",
        fits_into_memory,
        NOTE,
    ),
)


def _initial_law(chain: ChainLaw) -> tuple[Fraction, ...]:
    return stationary_law(chain.P) if isinstance(chain.initial, str) else chain.initial


class FarthestStates(NamedTuple):
    """The largest distance, and the chain, the node and the two states that have it, from 1."""

    distance: Fraction
    chain: int
    node: int
    states: tuple[int, int]


def laws_by_node(
    chains: tuple[ChainLaw, ...], length: int, values: Matrix
) -> Iterator[tuple[int, int, dict[int, Atoms]]]:
    """Yield chain, node, and the query's law given each of the node's states, in steps' units."""
    steps = steps_of(values, length).steps
    for number, chain in enumerate(chains, 1):
        found = laws_given_states(_initial_law(chain), chain.P, steps)
        yield from ((number, node, laws) for node, laws in enumerate(found, 1))


def farthest_states(
    chains: tuple[ChainLaw, ...], length: int, values: Matrix
) -> FarthestStates | None:
    """Return the first chain, node and pair of states whose distance is the largest.

    None where no node has two states.
    """
    unit = steps_of(values, length).unit
    found = (
        FarthestStates(unit * largest_move(laws[one], laws[other]), chain, node, (one, other))
        for chain, node, laws in laws_by_node(chains, length, values)
        for one, other in combinations(laws, 2)
    )
    return max(found, key=lambda item: item.distance, default=None)


@quantity(
    "pufferfish.chain_wasserstein",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=NOTE,
    formula=r"\max_{\theta, t, a, a'} \; W_{\infty}\left( P_\theta(F \mid X_t = a), P_\theta(F "
    r"\mid X_t = a') \right), \quad F = \sum_t f_t(X_t)",
    conditions=CONDITIONS,
    within=AT_LEAST_ZERO,
    rises=UNKNOWN,
)
def chain_wasserstein(
    chains: QUERIED_CHAINS, length: QUERY_LENGTH, values: QUERY_VALUES
) -> Fraction:
    """Largest infinity-Wasserstein distance of an additive query's laws given two states of a node.

    W of song2017 Algorithm 1, exactly, over all nodes and chains: Laplace noise of scale W/epsilon
    gives epsilon.
    """
    worst = farthest_states(chains, length, values)
    return Fraction(0) if worst is None else worst.distance


@quantity(
    "pufferfish.chain_loss",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=LOSS_NOTE,
    formula=r"\max_{\theta, t, a, a'} \; \sup_x \log \frac{P_\theta(F + \mathrm{Lap}(\sigma) = x "
    r"\mid X_t = a)}{P_\theta(F + \mathrm{Lap}(\sigma) = x \mid X_t = a')}, \quad F = "
    r"\sum_t f_t(X_t)",
    conditions=CONDITIONS,
    within=AT_LEAST_ZERO,
    falls="scale",
    log_ratio=True,
)
def chain_loss(
    chains: QUERIED_CHAINS, length: QUERY_LENGTH, values: QUERY_VALUES, scale: Positive
) -> arb:
    """Exact epsilon of an additive query of a chain released with Laplace noise of this scale.

    The largest log-ratio over outcomes, nodes, pairs of a node's states, and chains.
    """
    unit = steps_of(values, length).unit

    def groups() -> Iterator[list[Atoms]]:
        return ([*laws.values()] for _, _, laws in laws_by_node(chains, length, values))

    return loss_within(groups, scale / unit)


Whole: TypeAlias = tuple[int, ...]
# Sparse: exponents may be far apart, products cost what there is.
_RING = fmpz_mpoly_ctx.get(("x",), Ordering.lex)
_ONE = _RING.constant(1)


def laws_given_states(
    initial: Sequence[Fraction], P: Matrix, steps: Sequence[Whole]
) -> Iterator[dict[int, Atoms]]:
    """Yield, node by node, the law of the sum of the steps given each state that can be there.

    ``steps`` is what each state adds at each node. States are numbered from 1; those of
    probability 0 at a node are left out.
    """
    (start,), rows = _in_whole_numbers([initial]), _in_whole_numbers(P)
    later = [*_backward(rows, steps)]
    for now in _forward(start, rows, steps):
        check_budget()
        rest = later.pop()
        products = enumerate(zip(now, rest, strict=True), 1)
        yield {state: atoms_of_weights(ours * theirs) for state, (ours, theirs) in products if ours}


def _in_whole_numbers(rows: Sequence[Sequence[Fraction]]) -> list[Whole]:
    common = lcm(*(share.denominator for row in rows for share in row))
    return [tuple(int(share * common) for share in row) for row in rows]


def _forward(
    start: Whole, rows: Sequence[Whole], steps: Sequence[Whole]
) -> Iterator[list[fmpz_mpoly]]:
    """Yield, node by node and for each state, the weights of the sum so far and of being there."""
    columns = list(zip(*rows, strict=True))
    now = [share * _power(step) for share, step in zip(start, steps[0], strict=True)]
    yield now
    for added in steps[1:]:
        check_budget()
        arrived = [_combined(column, now) for column in columns]
        now = [weights * _power(step) for weights, step in zip(arrived, added, strict=True)]
        yield now


def _backward(rows: Sequence[Whole], steps: Sequence[Whole]) -> Iterator[list[fmpz_mpoly]]:
    """Yield, from the last node to the first and for each state, the weights of what follows."""
    now = [_ONE] * len(rows)
    yield now
    for added in reversed(steps[1:]):
        check_budget()
        ahead = [_power(step) * weights for step, weights in zip(added, now, strict=True)]
        now = [_combined(row, ahead) for row in rows]
        yield now


def _power(exponent: int) -> fmpz_mpoly:
    return _RING.from_dict({(exponent,): 1})


def _combined(shares: Iterable[int], weights: Iterable[fmpz_mpoly]) -> fmpz_mpoly:
    total = _RING.constant(0)
    for share, weight in zip(shares, weights, strict=True):
        if share:
            total += share * weight
    return total


def atoms_of_weights(weights: fmpz_mpoly) -> Atoms:
    """Return the law whose weights are the coefficients; FLINT lists the highest power first."""
    powers = tuple(int(power) for (power,) in reversed(weights.monoms()))
    return Atoms(powers, tuple(int(weight) for weight in reversed(weights.coeffs())))
