"""The words of an audit: a claim, the mechanism that it is about, and what decides it.

Every mechanism answers the same few questions (``Mechanism``); whatever decides, prints or
publishes an audit asks them and knows no mechanism.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Protocol, TypeAlias

from ...reference.dirichlet.pair import Neighbours
from ...reference.domain import Value
from ...reference.enclosure import Enclosure
from ...reference.exact import Texts, exact_json, exact_text
from ...reference.markov.model.data import DataModel
from ...reference.precision import MAX_SECONDS
from .hypotheses import Finding, Told
from .printed import Printed, written
from .questions import Question, Term

# A parameter of a release is exact, or one of a few words.
Release: TypeAlias = Mapping[str, Value]
# The private data themselves: the counts of one vector, or of a chain's transitions.
Data: TypeAlias = tuple[int, ...] | DataModel


@dataclass(frozen=True)
class Calibrated:
    """Parameters that a claim left to be chosen for it, and by which public criterion they were.

    Nothing rests on it: the numbers stand in the release as if they had been given.
    """

    parameters: Mapping[str, Value]
    criterion: str

    def as_json(self) -> dict[str, object]:
        """Return the published shape."""
        chosen = {key: exact_json(value) for key, value in self.parameters.items()}
        return {"parameters": chosen, "criterion": self.criterion}


@dataclass(frozen=True)
class Claim:
    """A release and a claim about it, every number exact.

    Exactly one of ``delta`` (approximate differential privacy) and ``order`` (Renyi) is given.
    ``data`` are the data themselves, where they were given; they are not published.
    ``calibrated`` tells what of the release was chosen for the claim, None where all was given.
    """

    name: str
    mechanism: Mechanism
    release: Release
    data: Data | None
    epsilon: Fraction
    delta: Fraction | None
    order: Fraction | None
    calibrated: Calibrated | None = None

    @property
    def without_data(self) -> Claim:
        """The same claim with nothing said of the data."""
        return replace(self, data=None)

    @property
    def values(self) -> dict[str, Value]:
        """The parameters of the release that are no words."""
        return {key: value for key, value in self.release.items() if not isinstance(value, str)}

    def number(self, key: str) -> Fraction:
        """Return a parameter that is a number."""
        value = self.release[key]
        if isinstance(value, str | tuple):
            raise TypeError(f"{key} is no number")
        return Fraction(value)

    def as_json(self) -> dict[str, object]:
        """Return the claim with its numbers as exact text."""
        said = {"epsilon": self.epsilon, "delta": self.delta, "order": self.order}
        return {
            "name": self.name,
            "mechanism": self.mechanism.name,
            "release": {key: _published(value) for key, value in self.release.items()},
            "claim": {key: exact_text(v) for key, v in said.items() if v is not None},
        }


def _published(value: Value) -> Texts:
    return exact_json(value)


@dataclass(frozen=True)
class Inputs:
    """Two neighbouring inputs: what differs, what the rest may be, and as a sentence.

    ``facts`` are what else somebody needs who works the loss out again.
    """

    first: Texts
    second: Texts
    others: str
    sentence: str
    facts: Mapping[str, Texts]


@dataclass(frozen=True)
class RowLosses:
    """One row of a release of several: its numbers, and what is printed and proved of it."""

    label: str
    numbers: Mapping[str, Texts]
    losses: Mapping[str, Enclosure | None]

    def as_json(self) -> dict[str, object]:
        """Return the published shape."""
        losses = {key: written(value) for key, value in self.losses.items()}
        return {"label": self.label, **self.numbers, **losses}


@dataclass(frozen=True)
class Vacuity:
    """Why a claim speaks of no two inputs: no two different ones are neighbours, or none exists.

    ``why`` says which parameters leave none. Nothing is true or false of such a claim.
    """

    neighbours: Neighbours
    why: str

    @property
    def sentence(self) -> str:
        """What there is not, and why."""
        return f"{self.neighbours.value}: {self.why}"


Nearby: TypeAlias = Callable[[], Iterator[tuple[Inputs, Question]]]


@dataclass(frozen=True)
class Worst:
    """What all neighbouring inputs come to, of which there are two.

    ``asked`` are the numbers that bound every pair of neighbours, the first one decides. Where
    ``neighbours`` says that they are attained, ``inputs`` attain them. Where they only bound,
    ``nearby`` may yield inputs with a number that theirs is at least; nearer and nearer ones.
    ``facts`` are what else is published; None what was looked for and not found.
    Each of ``sufficient`` certifies alone, where its number is at most what was claimed. The
    second engine is asked for at most ``second_seconds``. ``rows`` tells of each row, where a
    release has rows that lose by themselves, and ``in_time`` whether all of them were worked out
    within the time that there is: else what is told depends on the machine.
    """

    neighbours: Neighbours
    asked: tuple[Question, ...]
    facts: Mapping[str, Texts | None]
    sentences: tuple[str, ...]
    inputs: Inputs | None = None
    nearby: Nearby | None = None
    sufficient: tuple[Question, ...] = field(default=())
    off_lattice: tuple[Question, ...] = field(default=())
    second_seconds: float = MAX_SECONDS
    rows: tuple[RowLosses, ...] = ()
    in_time: bool = True

    @property
    def attained(self) -> bool:
        """Whether some pair of neighbouring inputs loses exactly what is stated."""
        return self.neighbours is Neighbours.ATTAINED


class Mechanism(Protocol):
    """One kind of release, and everything that an audit has to know of it."""

    @property
    def name(self) -> str:
        """The name that a claim gives."""

    @property
    def example(self) -> str:
        """The shipped claim that serves as a template."""

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of [release] besides ``name`` and ``mechanism``."""

    def told_of_data(self, claim: Claim) -> tuple[Told, ...]:
        """Return the findings that the data decide where they are known, in order."""

    def read(self, table: Mapping[str, Any], where: str) -> tuple[Release, Data | None]:
        """Return exact parameters, and the data if given. Raises InputError with a sentence."""

    def vacuity(self, claim: Claim) -> Vacuity | None:
        """Return why no two different inputs are neighbours; None exactly where some two are.

        It rests on no number that may be left to be chosen: k, step, alpha or scale.
        """

    def worst(self, claim: Claim) -> Worst:
        """Return what the neighbouring inputs come to, of a claim that is not vacuous."""

    def beside_the_data(self, claim: Claim, worst: Worst) -> Worst | None:
        """Return what stands once the data are looked at; None where nothing can be shown."""

    def printed(self, claim: Claim) -> Printed:
        """Return what the paper's own formulas give."""

    def findings(self, claim: Claim, printed: Printed) -> list[Finding]:
        """Return every hypothesis of the paper's theorem, decided as far as can be."""

    def non_claims(self, claim: Claim) -> list[str]:
        """Return what a verdict does not say."""


def asked_of(claim: Claim, family: str, point: Mapping[str, Value]) -> tuple[Question, ...]:
    """Return what a claim asks of a family of quantities: delta, epsilon, renyi.

    At a claimed order that is the divergence; at a claimed delta the delta at the claimed epsilon,
    and the epsilon at the claimed delta. At delta 0 that epsilon decides: it is infinite, whereas
    the delta may be positive and too small to tell.
    """
    if claim.delta is None:
        given = {**point, "order": claim.order or Fraction(1)}
        term = Term(f"{family}.renyi", given)
        return (Question("epsilon_at_order", claim.epsilon, (term,)),)
    delta = Term(f"{family}.delta", {**point, "epsilon": claim.epsilon})
    epsilon = Term(f"{family}.epsilon", {**point, "delta": claim.delta})
    questions = (
        Question("delta_at_epsilon", claim.delta, (delta,)),
        Question("epsilon_at_delta", claim.epsilon, (epsilon,)),
    )
    return questions if claim.delta else questions[::-1]
