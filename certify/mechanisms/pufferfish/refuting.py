"""Search for what loses most: a query, an initial law, and two secrets at one outcome.

Whatever is chosen here, each query changes by at most the Lipschitz constant, and each initial law
is one of those claimed: so each may refute, and floating point is a matter of the choice alone. The
secrets are found by comparing middles of balls; what they lose is enclosed anew, as the loss
between two laws of the released number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, combinations, islice

import numpy as np
from flint import arb
from numpy.typing import NDArray

from ....reference.arb.balls import ball, middle, working_precision
from ....reference.domain import Value
from ....reference.errors import DomainError
from ....reference.exact import MAX_DIGITS, Nested, Texts, exact_json, exact_text, shown
from ....reference.markov.stationary import stationary_law
from ....reference.precision import MAX_SECONDS, BudgetSpentError, check_budget
from ....reference.pufferfish.divergences import Atoms, largest_density_ratio
from ....reference.pufferfish.laplace_profile import delta_between
from ....reference.pufferfish.laplace_renyi import renyi_between
from ....reference.pufferfish.least import HOCKEY_STICKS
from ....reference.pufferfish.least_renyi import POWER_MEANS
from ....reference.quantity import quantity_named
from ....reference.structures import ANY, STATIONARY, ChainLaw, LineLaw, Matrix
from ..protocol import Claim, Inputs
from ..questions import Question, Term
from .claims import EPSILON, LAPLACE, at_order, found_within, is_pure

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


# A choice needs no more; of Renyi divergences, which take long, it makes do with less.
_BITS, _FEW_BITS = 128, 40
# With more points the telling outcome is not looked for: the time is quadratic in them.
_MOST_POINTS = 1_000
# Laws with longer weights are not put into a question as exact fractions; a digit is 3 bits.
_MOST_BITS = 3 * MAX_DIGITS


@dataclass(frozen=True)
class Secret:
    """One secret, published and in words."""

    shape: dict[str, Texts]
    words: str


@dataclass(frozen=True)
class Group:
    """Secrets of which any two are to be hard to tell apart, and the number's law given each.

    Points are in ``unit``s above ``least``. ``place`` is what they have in common.
    """

    place: Mapping[str, Texts]
    where: str
    secrets: tuple[Secret, ...]
    laws: tuple[Atoms, ...]
    unit: Fraction = Fraction(1)
    least: Fraction = Fraction(0)


@dataclass(frozen=True)
class _Likely:
    """The two secrets that seem to lose most, and about how much."""

    loss: Fraction
    group: Group
    pair: tuple[int, int]


@dataclass(frozen=True)
class Noise:
    """The law of the noise, and its scale."""

    law: str
    scale: Fraction


def most_telling(claim: Claim, groups: Iterable[Group], noise: Noise) -> _Likely | None:
    """Return the pair of secrets with about the largest loss, or delta at the claimed epsilon.

    Or the largest Renyi divergence at the claimed order. None where there is no pair, or none was
    found soon.
    """
    order = claim.order
    if order is not None:

        def lost(laws: Sequence[Atoms], scale: Fraction) -> Fraction:
            found = renyi_between(laws, POWER_MEANS[noise.law], scale, order)
            return middle(found) if found.is_finite() else Fraction(0)
    elif is_pure(claim, noise.law):

        def lost(laws: Sequence[Atoms], scale: Fraction) -> Fraction:
            return _about(largest_density_ratio(laws, scale))
    else:

        def lost(laws: Sequence[Atoms], scale: Fraction) -> Fraction:
            found = delta_between(laws, HOCKEY_STICKS[noise.law], scale, claim.epsilon)
            return middle(found) if found.is_finite() else Fraction(0)

    bits = _BITS if order is None else _FEW_BITS
    return found_within(MAX_SECONDS, lambda: _most_telling(groups, noise.scale, lost, bits))


_Lost = Callable[[Sequence[Atoms], Fraction], Fraction]


def _most_telling(
    groups: Iterable[Group], scale: Fraction, lost: _Lost, bits: int
) -> _Likely | None:
    best: tuple[Fraction, Group] | None = None
    with working_precision(bits):
        for group in groups:
            check_budget()
            if len(group.laws) > 1:
                loss = lost(group.laws, scale / group.unit)
                if best is None or loss > best[0]:
                    best = loss, group
        return None if best is None else _pair_of(best[1], scale, lost)


def _pair_of(group: Group, scale: Fraction, lost: _Lost) -> _Likely:
    found = (
        _Likely(lost([group.laws[at] for at in pair], scale / group.unit), group, pair)
        for pair in combinations(range(len(group.laws)), 2)
    )
    return max(found, key=lambda likely: likely.loss)


def shown_to_lose(
    claim: Claim,
    likely: _Likely,
    noise: Noise,
    otherwise: Term,
    also: Mapping[str, Nested],
) -> tuple[Inputs, Question]:
    """Return two secrets as inputs, and the question what they lose.

    At delta = 0, with Laplace noise, the loss; at an order the Renyi divergence; else the delta at
    the claimed epsilon.
    ``also`` is what the claim does not say: the query, how the chain starts.
    ``otherwise`` is asked where their laws are too long to put in: the exact loss under their law
    of the class, which some pair attains; that it is this one is then found, not proved.
    """
    one, other, outcome = _telling_outcome(likely, noise)
    first, second = likely.group.secrets[one], likely.group.secrets[other]
    facts: dict[str, Texts] = {**likely.group.place, "scale": exact_text(noise.scale)}
    facts |= {key: exact_json(value) for key, value in also.items()}
    at = ""
    if outcome is not None:
        facts["outcome"] = exact_text(outcome)
        at = f"; the released number {shown(outcome)} tells them apart"
    at += "".join(f"; {key} = {shown(value)}" for key, value in also.items())
    sentence = f"{likely.group.where}: {first.words} and {second.words}{at}"
    others = "follow the law of the class, given the secret"
    term = _loss_between(claim, likely.group, (one, other), noise) or otherwise
    question = Question(EPSILON, claim.epsilon, (term,))
    if claim.order is not None:
        question = at_order(claim, term)
    elif not is_pure(claim, noise.law):
        question = Question("delta_at_epsilon", claim.delta or Fraction(0), (term,))
    return Inputs(first.shape, second.shape, others, sentence, facts), question


def _about(ratio: arb) -> Fraction:
    """Return about the logarithm of a ratio; 0, which tells nothing, where it is not known."""
    return middle(ratio.log()) if ratio.is_finite() and ratio > 0 else Fraction(0)


def _loss_between(claim: Claim, group: Group, pair: tuple[int, int], noise: Noise) -> Term | None:
    laws = [group.laws[at] for at in pair]
    if max(law.total.bit_length() for law in laws) > _MOST_BITS:
        return None
    mu, nu = (_line_law(law, group.unit) for law in laws)
    point: dict[str, Value] = {"mu": mu, "nu": nu, "scale": noise.scale}
    if claim.order is not None:
        return Term(f"pufferfish.{noise.law}_renyi", {**point, "order": claim.order})
    if is_pure(claim, noise.law):
        return Term("pufferfish.laplace_loss", point)
    return Term(f"pufferfish.{noise.law}_delta", {**point, "epsilon": claim.epsilon})


def _line_law(law: Atoms, unit: Fraction) -> LineLaw:
    total = law.total
    return LineLaw(
        tuple(unit * point for point in law.points),
        tuple(Fraction(weight, total) for weight in law.weights),
    )


def _telling_outcome(likely: _Likely, noise: Noise) -> tuple[int, int, Fraction | None]:
    """Return an outcome that tells about the most, first the secret under which it is likelier.

    No outcome where there are too many points to look at, and with normal noise, where outcomes
    that are further out tell more.
    """
    group, (one, other) = likely.group, likely.pair
    losses = _losses(group, one, other, noise.scale) if noise.law == LAPLACE else {}
    if not losses:
        return one, other, None
    best = max(losses, key=lambda point: abs(losses[point]))
    outcome = group.least + group.unit * best
    return (one, other, outcome) if losses[best] >= 0 else (other, one, outcome)


def _losses(group: Group, one: int, other: int, scale: Fraction) -> dict[Fraction | int, Fraction]:
    """Return about the log-ratio of the densities at each point of either law, if they are few."""
    laws = [group.laws[at] for at in (one, other)]
    points = sorted({point for law in laws for point in law.points})
    if len(points) > _MOST_POINTS:
        return {}
    with working_precision(_BITS):
        density = _densities(scale / group.unit)
        return {
            point: _about(density(laws[0], point) / density(laws[1], point)) for point in points
        }


def _densities(scale: Fraction) -> Callable[[Atoms, Fraction | int], arb]:
    decay: dict[Fraction, arb] = {}

    def at(law: Atoms, point: Fraction | int) -> arb:
        found, total = arb(0), arb(law.total)
        for place, weight in zip(law.points, law.weights, strict=True):
            gap = abs(Fraction(place) - point)
            if gap not in decay:
                decay[gap] = (-ball(gap / scale)).exp()
            found += arb(weight) / total * decay[gap]
        return found

    return at


def state_groups(
    kind: str,
    laws: Iterable[tuple[int, int, Mapping[int, Atoms]]],
    unit: Fraction,
    least: Callable[[int], Fraction],
) -> Iterable[Group]:
    """Yield the states of each node as secrets; ``kind`` is chain or network."""
    for number, node, given in laws:
        secrets = tuple(
            Secret({"node": str(node), "state": str(state)}, f"state {state}") for state in given
        )
        yield Group(
            {kind: str(number)},
            f"{kind} {number}, node {node}",
            secrets,
            tuple(given.values()),
            unit,
            least(number),
        )


def least_value(values: Sequence[Sequence[Fraction]], nodes: int) -> Fraction:
    """Return the sum of each node's least value; one row of values serves all nodes."""
    total = sum((min(row) for row in values), Fraction(0))
    return total * nodes if len(values) == 1 else total
