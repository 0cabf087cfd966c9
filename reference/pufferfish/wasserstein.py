"""The Wasserstein mechanism of song2017 (Algorithm 1) for any finite Pufferfish instantiation.

Data sets are numbered from 1. ``values`` is the query on each, every law of ``laws`` (the class
Theta) gives their probabilities, a secret is a set of data sets, a pair two secrets by number. A
pair counts under a law where both of its secrets are possible.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Annotated, NamedTuple, TypeAlias

from flint import arb

from ..domain import AT_LEAST_ZERO, NUMBERS, Condition, Positive
from ..domain.matrices import MAX_LAWS, IndexSets, MatrixKind
from ..precision import check_budget
from ..quantity import Side, Truth, quantity
from ..relations import Complete, NoisePromise, OfInstantiation
from .divergences import LOSS_NOTE, NOTE, Atoms, atoms_of, largest_move, loss_within

_ALGORITHM = "song2017 Algorithm 1"
CLASS = Annotated[
    tuple[tuple[Fraction, ...], ...],
    MatrixKind(each="law", most_rows=MAX_LAWS, as_wide_as="values"),
]
SECRETS = Annotated[tuple[tuple[int, ...], ...], IndexSets(among="values")]
SECRET_PAIRS = Annotated[
    tuple[tuple[int, ...], ...], IndexSets(each="pair", size=2, among="secrets")
]
Vector: TypeAlias = tuple[Fraction, ...]
Laws: TypeAlias = tuple[Vector, ...]
_Sets: TypeAlias = tuple[tuple[int, ...], ...]

CONDITIONS = (
    Condition(
        "in every law as many entries as in values",
        lambda values, laws: all(len(law) == len(values) for law in laws),
        _ALGORITHM,
    ),
    Condition(
        "every number in secrets at most the length of values",
        lambda values, secrets: all(max(secret) <= len(values) for secret in secrets),
        _ALGORITHM,
    ),
    Condition(
        "every number in pairs at most the number of secrets",
        lambda secrets, pairs: all(max(pair) <= len(secrets) for pair in pairs),
        _ALGORITHM,
    ),
)


class _Compared(NamedTuple):
    """A pair of secrets that are both possible under a law, by number, and the query given each."""

    law: int
    pair: tuple[int, ...]
    given: tuple[Atoms, Atoms]


class Farthest(NamedTuple):
    """The largest distance, and the law and the pair of secrets that have it, numbered from 1."""

    distance: Fraction
    law: int
    pair: tuple[int, ...]


def compared(values: Vector, laws: Laws, secrets: _Sets, pairs: _Sets) -> Iterator[_Compared]:
    """Yield the laws to compare: the query's given each secret of a pair."""
    for number, law in enumerate(laws, 1):
        given = [_given(values, law, secret) for secret in secrets]
        for pair in pairs:
            check_budget()
            one, other = (given[secret - 1] for secret in pair)
            if one.weights and other.weights:
                yield _Compared(number, pair, (one, other))


def _given(values: Vector, law: Vector, secret: tuple[int, ...]) -> Atoms:
    """Return the query's law given a secret; without atoms where the secret is impossible."""
    return atoms_of((values[number - 1], law[number - 1]) for number in {*secret})


def farthest(values: Vector, laws: Laws, secrets: _Sets, pairs: _Sets) -> Farthest | None:
    """Return the first law and pair whose distance is the largest; None if no pair counts."""
    found = [
        Farthest(largest_move(*item.given), item.law, item.pair)
        for item in compared(values, laws, secrets, pairs)
    ]
    return max(found, key=lambda item: item.distance, default=None)


def _the_query(p: Complete) -> OfInstantiation:
    given = {name: p[name] for name in ("values", "laws", "secrets", "pairs")}
    return OfInstantiation(given, p["scale"])


@quantity(
    "pufferfish.wasserstein_scale",
    safe=Side.UPPER,
    truth=Truth.PRINTED,
    source=NOTE,
    formula=r"\sigma = \frac{W}{\varepsilon}, \quad W = \max_{\theta, (s, s')} W_{\infty}\left( "
    r"P_\theta(F \mid s), P_\theta(F \mid s') \right)",
    conditions=CONDITIONS,
    within=AT_LEAST_ZERO,
    falls="epsilon",
    noise=NoisePromise("scale", _the_query),
)
def wasserstein_scale(
    values: NUMBERS, laws: CLASS, secrets: SECRETS, pairs: SECRET_PAIRS, epsilon: Positive
) -> Fraction:
    """Laplace scale W/epsilon of song2017 Algorithm 1, exactly; 0 where nothing is to be hidden.

    W is the largest infinity-Wasserstein distance between the query's laws given the two secrets of
    a pair, over all pairs and laws under which both are possible.
    """
    worst = farthest(values, laws, secrets, pairs)
    return Fraction(0) if worst is None else worst.distance / epsilon


@quantity(
    "pufferfish.instantiation_loss",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=LOSS_NOTE,
    formula=r"\max_{\theta, (s, s')} \; \sup_x \log \frac{P_\theta(F + \mathrm{Lap}(\sigma) = x "
    r"\mid s)}{P_\theta(F + \mathrm{Lap}(\sigma) = x \mid s')}",
    conditions=CONDITIONS,
    within=AT_LEAST_ZERO,
    falls="scale",
    vanishes="high scale",
    log_ratio=True,
)
def instantiation_loss(
    values: NUMBERS, laws: CLASS, secrets: SECRETS, pairs: SECRET_PAIRS, scale: Positive
) -> arb:
    """Exact epsilon of Laplace noise of this scale: the largest loss of any pair under any law."""
    return loss_within(
        lambda: (item.given for item in compared(values, laws, secrets, pairs)), scale
    )
