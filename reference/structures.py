"""Exact values with named parts: a chain's law, a law on the line, a node of a network, events.

Plain data, which either engine may use; what they have to satisfy, the kinds of domain say.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple, TypeAlias

# Numbers, one row after the other.
Matrix: TypeAlias = tuple[tuple[Fraction, ...], ...]

STATIONARY = "stationary"
ANY = "any"
# The words that stand for an initial law: the stationary one, and every one at once.
STARTS = (STATIONARY, ANY)


class ChainLaw(NamedTuple):
    """A law of state sequences: of the first state, or a word for it, and of each next one."""

    initial: tuple[Fraction, ...] | str
    P: Matrix


class LineLaw(NamedTuple):
    """A law on finitely many points of the line, which stand in any order."""

    points: tuple[Fraction, ...]
    mass: tuple[Fraction, ...]


class NetworkNode(NamedTuple):
    """A node of a Bayesian network: its parents' numbers, from 1, and its table.

    The table has one row for each combination of the parents' states, the last parent's state
    running fastest; a node without parents has one row.
    """

    parents: tuple[int, ...]
    table: Matrix


Network: TypeAlias = tuple[NetworkNode, ...]


# Why there is no pair of laws for random answers where records are added or removed.
NOT_HIDDEN = "how many records have answered tells at once whether one more is there"

# Of events ``count`` is a number, as it is published, and not what a tuple has by that name.


class NoiseEvent(NamedTuple):
    """So many releases with Gaussian or Laplace noise; their scale over the sensitivity."""

    mechanism: str
    noise_multiplier: Fraction
    count: int  # type: ignore[assignment]


class TrainingEvent(NamedTuple):
    """So many training runs, each of many steps of DP-SGD over Poisson samples."""

    mechanism: str
    noise_multiplier: Fraction
    sampling_probability: Fraction
    steps: int
    count: int  # type: ignore[assignment]


class DirichletEvent(NamedTuple):
    """So many draws from a Dirichlet law, by floor and step."""

    mechanism: str
    alpha: Fraction
    step: Fraction
    count: int  # type: ignore[assignment]


class DiscreteEvent(NamedTuple):
    """So many whole numbers with discrete Laplace or discrete Gaussian noise."""

    mechanism: str
    scale: Fraction
    sensitivity: int
    count: int  # type: ignore[assignment]


class ResponseEvent(NamedTuple):
    """So many random answers of each record, of so many categories."""

    mechanism: str
    categories: int
    truth_probability: Fraction
    count: int  # type: ignore[assignment]


class ChoiceEvent(NamedTuple):
    """So many choices by utility, whose losses at two data lie in an interval of a length."""

    mechanism: str
    loss_range: Fraction
    count: int  # type: ignore[assignment]


class FlipEvent(NamedTuple):
    """So many choices by permute-and-flip, each of a largest loss."""

    mechanism: str
    largest_loss: Fraction
    count: int  # type: ignore[assignment]


Event: TypeAlias = (
    NoiseEvent
    | TrainingEvent
    | DirichletEvent
    | DiscreteEvent
    | ResponseEvent
    | ChoiceEvent
    | FlipEvent
)
# By the mechanism's name.
EVENTS: Mapping[str, type[Event]] = {
    "gaussian": NoiseEvent,
    "laplace": NoiseEvent,
    "dpsgd": TrainingEvent,
    "dirichlet": DirichletEvent,
    "discrete_laplace": DiscreteEvent,
    "discrete_gaussian": DiscreteEvent,
    "randomized_response": ResponseEvent,
    "exponential_mechanism": ChoiceEvent,
    "permute_and_flip": FlipEvent,
}
# Those whose pair is a bound that nothing attains: less can be sound.
BOUNDED_EVENTS = ("exponential_mechanism", "permute_and_flip")
Record: TypeAlias = ChainLaw | LineLaw | NetworkNode | Event
RECORDS = (
    ChainLaw,
    LineLaw,
    NetworkNode,
    NoiseEvent,
    TrainingEvent,
    DirichletEvent,
    DiscreteEvent,
    ResponseEvent,
    ChoiceEvent,
    FlipEvent,
)
