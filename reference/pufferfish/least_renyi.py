"""The least Renyi epsilon at an order of a query of known laws, and the least noise for one.

The largest over all laws of a class and all pairs of secrets, in both orders, under Laplace or
normal noise; every Renyi divergence falls strictly with the scale, so the least scale for each two
laws is one root (proofs_notes/known-laws-renyi.md).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from flint import arb, ctx

from .. import laplace
from ..arb.balls import INFINITY, ball, enclosure_of, sign, working_precision
from ..arb.roots import positive_near, positive_root
from ..domain import AT_LEAST_ZERO, NETWORKS, NUMBERS, NonNegative
from ..enclosure import Trilean
from ..quantity import Side, Truth, quantity
from . import additive
from .divergences import Atoms, largest_move
from .gaussian_renyi import gaussian_power_mean
from .laplace_renyi import NOTE, RENYI_ORDER, divergence, laplace_power_mean
from .least import NOISE, unequal_pairs
from .least_loss import SCALE, of_chains, of_instantiation, of_networks
from .network import mechanism
from .wasserstein import CLASS, CONDITIONS, SECRET_PAIRS, SECRETS

POWER_MEANS = {"laplace": laplace_power_mean, "gaussian": gaussian_power_mean}
# Of the first look at all pairs.
_FEW_BITS = 40
_Groups = Iterable[Sequence[Atoms]]


def largest_renyi(groups: _Groups, noise: str, scale: Fraction, order: Fraction) -> arb:
    """Enclose the largest Renyi divergence of two laws of one group.

    Few bits tell which pairs it may be. Two laws are passed over where point masses as far apart as
    these have less than others.
    """
    known, likely = arb(0), list[tuple[arb, Atoms, Atoms]]()
    with working_precision(min(ctx.prec, _FEW_BITS)):
        for first, second in dict.fromkeys(unequal_pairs(groups)):
            if _of_points(largest_move(first, second), noise, scale, order) < known:
                continue
            mean = POWER_MEANS[noise](first, second, scale, order)
            found = mean.log() / ball(order - 1)
            likely.append((found, first, second))
            if found.is_finite():
                known = known.max(found.lower())
    largest = arb(0)
    for rough, first, second in likely:
        if not rough < known:
            largest = largest.max(divergence(first, second, POWER_MEANS[noise], scale, order))
    return largest


def _of_points(distance: Fraction, noise: str, scale: Fraction, order: Fraction) -> arb:
    """Enclose the divergence of two point masses, which is at least that of laws so far apart."""
    if noise == "gaussian":
        return ball(order / 2 * (distance / scale) * (distance / scale))
    found: arb = laplace.renyi(scale / distance, order)
    return found


def largest_scale(groups: _Groups, noise: str, order: Fraction, epsilon: Fraction) -> arb:
    """Enclose the least scale at which no two laws of one group are more than epsilon apart.

    Exactly 0 where no noise is needed; infinite where no scale is enough.
    """
    largest = arb(0)
    pairs = dict.fromkeys(unequal_pairs(groups))
    # Those that are farthest apart need most, mostly.
    for first, second in sorted(pairs, key=lambda pair: largest_move(*pair), reverse=True):
        if epsilon == 0:
            return INFINITY
        is_met = _is_met_without_noise(first, second, order, epsilon)
        if is_met is Trilean.TRUE:
            continue
        if is_met is Trilean.UNKNOWN:
            return arb("nan")
        largest = largest.max(_root(first, second, noise, (order, epsilon), largest))
    return largest


def _is_met_without_noise(
    first: Atoms, second: Atoms, order: Fraction, epsilon: Fraction
) -> Trilean:
    """Whether the two laws themselves are at most epsilon apart."""
    theirs = dict(zip(second.points, second.weights, strict=True))
    if not set(first.points) <= set(theirs):
        return Trilean.FALSE
    total = arb(0)
    power = ball(order - 1)
    for point, weight in zip(first.points, first.weights, strict=True):
        share = ball(Fraction(weight, first.total))
        total += share * (share / ball(Fraction(theirs[point], second.total))) ** power
    return sign(power * ball(epsilon) - total.log())


def _root(
    first: Atoms, second: Atoms, noise: str, target: tuple[Fraction, Fraction], known: arb
) -> arb:
    """Enclose the least scale for two laws, or return 0 where what is known is enough."""
    order, epsilon = target

    def room(scale: Fraction) -> arb:
        lost = divergence(first, second, POWER_MEANS[noise], scale, order)
        return (ball(epsilon) / lost).log() if lost > 0 else ball(epsilon) - lost

    distance = largest_move(first, second)
    start = distance / epsilon
    if noise == "gaussian":
        start = positive_near(ball(distance) * (ball(order / (2 * epsilon))).sqrt())
    if known > 0:
        start = Fraction(enclosure_of(known).upper)
        # Few bits mostly tell, and what they tell is proved.
        with working_precision(min(ctx.prec, _FEW_BITS)):
            is_enough = bool(room(start) > 0)
        if is_enough or room(start) > 0:
            return arb(0)
    return positive_root(room, start)


@quantity(
    "pufferfish.least_renyi",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=NOTE,
    formula=r"\max_{\theta, (s, s')} D_{\lambda}(P_\theta(F + \sigma Z \mid s), P_\theta(F + "
    r"\sigma Z \mid s'))",
    conditions=CONDITIONS,
    within=AT_LEAST_ZERO,
    rises="order",
    falls="scale",
    vanishes="high scale",
    quick="scale >= 5, order <= 4",
    slow=True,
)
def least_renyi(
    values: NUMBERS,
    laws: CLASS,
    secrets: SECRETS,
    pairs: SECRET_PAIRS,
    noise: NOISE,
    scale: SCALE,
    order: RENYI_ORDER,
) -> arb:
    """Least Renyi epsilon at an order with which every pair of secrets is hidden by noise.

    Under every law of the class, in both orders, attained by one of them.
    """
    return largest_renyi(of_instantiation(values, laws, secrets, pairs), noise, scale, order)


@quantity(
    "pufferfish.chain_least_renyi",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=NOTE,
    formula=r"\max_{\theta, t, a, a'} D_{\lambda}(P_\theta(F + \sigma Z \mid X_t = a), P_\theta(F "
    r"+ \sigma Z \mid X_t = a')), \quad F = \sum_t f_t(X_t)",
    conditions=additive.CONDITIONS,
    within=AT_LEAST_ZERO,
    rises="order",
    falls="scale",
    vanishes="high scale",
    quick="scale >= 5, order <= 4",
    slow=True,
)
def chain_least_renyi(
    chains: additive.QUERIED_CHAINS,
    length: additive.QUERY_LENGTH,
    values: additive.QUERY_VALUES,
    noise: NOISE,
    scale: SCALE,
    order: RENYI_ORDER,
) -> arb:
    """Least Renyi epsilon with which noise on an additive query of a chain hides each node's state.

    Over all nodes, pairs of a node's states, and chains, attained by one of them.
    """
    unit, groups = of_chains(chains, length, values)
    return largest_renyi(groups, noise, scale / unit, order)


@quantity(
    "pufferfish.network_least_renyi",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=NOTE,
    formula=r"\max_{\theta, i, a, a'} D_{\lambda}(P_\theta(F + \sigma Z \mid X_i = a), P_\theta(F "
    r"+ \sigma Z \mid X_i = a')), \quad F = \sum_i f_i(X_i)",
    conditions=mechanism.CONDITIONS,
    within=AT_LEAST_ZERO,
    rises="order",
    falls="scale",
    vanishes="high scale",
    quick="scale >= 5, order <= 4",
    slow=True,
)
def network_least_renyi(
    networks: NETWORKS,
    values: mechanism.QUERY_VALUES,
    noise: NOISE,
    scale: SCALE,
    order: RENYI_ORDER,
) -> arb:
    """Least Renyi epsilon with which noise on an additive query of a network hides a node's state.

    Over all nodes, pairs of a node's states, and networks, attained by one of them.
    """
    unit, groups = of_networks(networks, values)
    return largest_renyi(groups, noise, scale / unit, order)


@quantity(
    "pufferfish.least_scale_renyi",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=NOTE,
    formula=r"\min \{ \sigma \ge 0 : D_{\lambda}(P_\theta(F + \sigma Z \mid s), P_\theta(F + "
    r"\sigma Z \mid s')) \le \varepsilon \text{ for all } \theta, (s, s') \}",
    conditions=CONDITIONS,
    within=AT_LEAST_ZERO,
    rises="order",
    falls="epsilon",
    quick="epsilon >= 0.05, epsilon <= 0.1, order <= 2",
    slow=True,
)
def least_scale_renyi(
    values: NUMBERS,
    laws: CLASS,
    secrets: SECRETS,
    pairs: SECRET_PAIRS,
    noise: NOISE,
    order: RENYI_ORDER,
    epsilon: NonNegative,
) -> arb:
    """Least scale of the noise with which no pair of secrets has more than a Renyi epsilon.

    Under every law of the class, in both orders; 0 where the query itself hides them so well. The
    upper end is enough.
    """
    groups = of_instantiation(values, laws, secrets, pairs)
    return largest_scale(groups, noise, order, epsilon)


@quantity(
    "pufferfish.chain_least_scale_renyi",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=NOTE,
    formula=r"\min \{ \sigma \ge 0 : D_{\lambda}(P_\theta(F + \sigma Z \mid X_t = a), P_\theta(F "
    r"+ \sigma Z \mid X_t = a')) \le \varepsilon \text{ for all } \theta, t, a, a' \}, \quad F = "
    r"\sum_t f_t(X_t)",
    conditions=additive.CONDITIONS,
    within=AT_LEAST_ZERO,
    rises="order",
    falls="epsilon",
    quick="epsilon >= 0.05, epsilon <= 0.1, order <= 2",
    slow=True,
)
def chain_least_scale_renyi(
    chains: additive.QUERIED_CHAINS,
    length: additive.QUERY_LENGTH,
    values: additive.QUERY_VALUES,
    noise: NOISE,
    order: RENYI_ORDER,
    epsilon: NonNegative,
) -> arb:
    """Least scale of the noise on an additive query of a chain for a Renyi epsilon at each node.

    Over all nodes, pairs of a node's states, and chains. The upper end is enough.
    """
    unit, groups = of_chains(chains, length, values)
    return ball(unit) * largest_scale(groups, noise, order, epsilon)


@quantity(
    "pufferfish.network_least_scale_renyi",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=NOTE,
    formula=r"\min \{ \sigma \ge 0 : D_{\lambda}(P_\theta(F + \sigma Z \mid X_i = a), P_\theta(F "
    r"+ \sigma Z \mid X_i = a')) \le \varepsilon \text{ for all } \theta, i, a, a' \}, \quad F = "
    r"\sum_i f_i(X_i)",
    conditions=mechanism.CONDITIONS,
    within=AT_LEAST_ZERO,
    rises="order",
    falls="epsilon",
    quick="epsilon >= 0.05, epsilon <= 0.1, order <= 2",
    slow=True,
)
def network_least_scale_renyi(
    networks: NETWORKS,
    values: mechanism.QUERY_VALUES,
    noise: NOISE,
    order: RENYI_ORDER,
    epsilon: NonNegative,
) -> arb:
    """Least scale of the noise on an additive query of a network for a Renyi epsilon at each node.

    Over all nodes, pairs of a node's states, and networks. The upper end is enough.
    """
    unit, groups = of_networks(networks, values)
    return ball(unit) * largest_scale(groups, noise, order, epsilon)
