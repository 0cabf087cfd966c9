"""The least noise for (epsilon, delta): the smallest scale whose exact delta is small enough.

For a query whose law is known under every secret. More noise is less noise and more, independent of
it, so every hockey-stick falls strictly with the scale, and for each two laws there is one root;
the scale for all of them is the largest (proofs_notes/least-noise.md).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import permutations
from typing import Annotated, NamedTuple

from flint import arb

from ..arb.balls import INFINITY, ball, enclosure_of, sharpened, sign
from ..arb.roots import positive_root
from ..domain import AT_LEAST_ZERO, NETWORKS, NUMBERS, Condition, NonNegative, Probability, Word
from ..enclosure import Trilean
from ..quantity import Side, Truth, quantity
from ..structures import ChainLaw, Matrix, Network
from . import additive
from .divergences import Atoms, largest_move, loss_within
from .gaussian_profile import gaussian_hockey_stick
from .laplace_profile import excess_below, laplace_hockey_stick, signed_weights
from .network import mechanism
from .wasserstein import CLASS, CONDITIONS, SECRET_PAIRS, SECRETS, Laws, Vector, compared

NOTE = "proofs_notes/least-noise.md"
NOISE = Annotated[str, Word(("laplace", "gaussian"))]
HOCKEY_STICKS = {"laplace": laplace_hockey_stick, "gaussian": gaussian_hockey_stick}
POSITIVE_DELTA = Condition(
    "delta > 0 with gaussian noise (no scale of it is enough for delta = 0 but where two laws end "
    "in the same points)",
    lambda noise, delta: noise == "laplace" or delta > 0,
    NOTE,
)


class Target(NamedTuple):
    """The noise, and the (epsilon, delta) that it is to give."""

    noise: str
    epsilon: Fraction
    delta: Fraction

    def room(self, first: Atoms, second: Atoms, scale: Fraction) -> arb:
        """Enclose a number that is positive where the scale is more than enough for both orders.

        It rises with the scale. At delta = 0 it is what the loss leaves of epsilon.
        """
        if self.delta == 0:
            return ball(self.epsilon) - loss_within(lambda: [[first, second]], scale)
        hockey_stick = HOCKEY_STICKS[self.noise]
        return excess_below(self.delta)(
            sharpened(lambda: hockey_stick(first, second, scale, self.epsilon))
        )

    def is_met_without_noise(self, first: Atoms, second: Atoms) -> Trilean:
        """Whether the first law's mass beyond e^epsilon times the second's is at most delta."""
        points = sorted({*first.points, *second.points})
        ours, theirs = (dict(zip(law.points, law.weights, strict=True)) for law in (first, second))
        excess = signed_weights(first, second, points, self.epsilon)
        known = {at: sign(value) for at, value in zip(points, excess, strict=True)}
        if any(
            answer is Trilean.UNKNOWN and not value.is_zero()
            for answer, value in zip(known.values(), excess, strict=True)
        ):
            return Trilean.UNKNOWN
        above = [at for at, answer in known.items() if answer is Trilean.TRUE]
        mass = Fraction(sum(ours.get(at, 0) for at in above), first.total)
        other = Fraction(sum(theirs.get(at, 0) for at in above), second.total)
        if not other or not self.epsilon:
            return Trilean.of(mass - other <= self.delta)
        return sign(ball(self.delta - mass) + ball(self.epsilon).exp() * ball(other))


def largest_scale(groups: Iterable[Sequence[Atoms]], target: Target) -> arb:
    """Enclose the least scale that is enough for any two laws of one group, in either order.

    Exactly 0 where no noise is needed; infinite where no scale is enough.
    """
    largest = arb(0)
    for first, second in unequal_pairs(groups):
        is_met = target.is_met_without_noise(first, second)
        if is_met is Trilean.TRUE:
            continue
        if is_met is Trilean.UNKNOWN:
            return arb("nan")
        if not target.epsilon and not target.delta:
            return INFINITY
        largest = largest.max(_root(first, second, target, largest))
    return largest


def unequal_pairs(groups: Iterable[Sequence[Atoms]]) -> Iterator[tuple[Atoms, Atoms]]:
    """Yield any two different laws of one group, in both orders."""
    for laws in groups:
        for first, second in permutations(laws, 2):
            if not first.is_same_law(second):
                yield first, second


def _root(first: Atoms, second: Atoms, target: Target, known: arb) -> arb:
    """Enclose the least scale for two laws, or return 0 where what is known is enough."""

    def room(scale: Fraction) -> arb:
        return target.room(first, second, scale)

    start = largest_move(first, second) / (target.epsilon + target.delta)
    if known > 0:
        start = _upper(known)
        if room(start) > 0:
            return arb(0)
    return positive_root(room, start)


def _upper(value: arb) -> Fraction:
    return Fraction(enclosure_of(value).upper)


@quantity(
    "pufferfish.least_scale",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=NOTE,
    formula=r"\min \{ \sigma \ge 0 : \delta_\sigma(P_\theta(F \mid s), P_\theta(F \mid s')), "
    r"\varepsilon) \le \delta \text{ for all } \theta, (s, s') \}",
    conditions=(*CONDITIONS, POSITIVE_DELTA),
    within=AT_LEAST_ZERO,
    falls="epsilon delta",
    slow=True,
)
def least_scale(
    values: NUMBERS,
    laws: CLASS,
    secrets: SECRETS,
    pairs: SECRET_PAIRS,
    noise: NOISE,
    epsilon: NonNegative,
    delta: Probability,
) -> arb:
    """Least scale of the noise with which every pair of secrets is (epsilon, delta)-hidden.

    Under every law of the class, in both orders; 0 where the query itself hides them so well. The
    upper end is enough. delta = 0 is pure Pufferfish privacy, for Laplace noise alone.
    """
    return _of_instantiation(values, laws, secrets, pairs, Target(noise, epsilon, delta))


def _of_instantiation(
    values: Vector,
    laws: Laws,
    secrets: tuple[tuple[int, ...], ...],
    pairs: tuple[tuple[int, ...], ...],
    target: Target,
) -> arb:
    groups = (item.given for item in compared(values, laws, secrets, pairs))
    return largest_scale(groups, target)


@quantity(
    "pufferfish.chain_least_scale",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=NOTE,
    formula=r"\min \{ \sigma \ge 0 : \delta_\sigma(P_\theta(F \mid X_t = a), P_\theta(F \mid X_t = "
    r"a'), \varepsilon) \le \delta \text{ for all } \theta, t, a, a' \}, \quad F = \sum_t f_t(X_t)",
    conditions=(*additive.CONDITIONS, POSITIVE_DELTA),
    within=AT_LEAST_ZERO,
    falls="epsilon delta",
    slow=True,
)
def chain_least_scale(
    chains: additive.QUERIED_CHAINS,
    length: additive.QUERY_LENGTH,
    values: additive.QUERY_VALUES,
    noise: NOISE,
    epsilon: NonNegative,
    delta: Probability,
) -> arb:
    """Least scale of the noise on an additive query of a chain that hides each node's state.

    Over all nodes, pairs of a node's states, and chains. The upper end is enough.
    """
    return _of_chains(chains, length, values, Target(noise, epsilon, delta))


def _of_chains(chains: tuple[ChainLaw, ...], length: int, values: Matrix, target: Target) -> arb:
    unit = additive.steps_of(values, length).unit
    found = additive.laws_by_node(chains, length, values)
    return ball(unit) * largest_scale(([*laws.values()] for _, _, laws in found), target)


@quantity(
    "pufferfish.network_least_scale",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=NOTE,
    formula=r"\min \{ \sigma \ge 0 : \delta_\sigma(P_\theta(F \mid X_i = a), P_\theta(F \mid X_i = "
    r"a'), \varepsilon) \le \delta \text{ for all } \theta, i, a, a' \}, \quad F = \sum_i f_i(X_i)",
    conditions=(*mechanism.CONDITIONS, POSITIVE_DELTA),
    within=AT_LEAST_ZERO,
    falls="epsilon delta",
    slow=True,
)
def network_least_scale(
    networks: NETWORKS,
    values: mechanism.QUERY_VALUES,
    noise: NOISE,
    epsilon: NonNegative,
    delta: Probability,
) -> arb:
    """Least scale of the noise on an additive query of a network that hides each node's state.

    Over all nodes, pairs of a node's states, and networks. The upper end is enough.
    """
    return _of_networks(networks, values, Target(noise, epsilon, delta))


def _of_networks(networks: tuple[Network, ...], values: Matrix, target: Target) -> arb:
    unit = additive.steps_of(values, 1).unit
    found = mechanism.laws_by_node(networks, values)
    return ball(unit) * largest_scale(([*laws.values()] for _, _, laws in found), target)
