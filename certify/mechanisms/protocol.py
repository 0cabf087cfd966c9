"""The protocol of a mechanism: all that is asked of one kind of release, in one place.

An audit asks for neighbours, the worst of them, printed bounds and hypotheses; a release how data
are read, what is public and what is drawn; a ledger whose difference several releases hide; a
simulation what is drawn at a made-up input. Whatever asks knows no mechanism by name.

Tried on paper on one that comes later. A composition of events: parameters are the events' own;
the terms of ``asked`` are those of each event, and each event's own loss is a line of ``parts``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeAlias

from ...reference.dirichlet.pair import Neighbours
from ...reference.domain import Value
from ...reference.enclosure import Enclosure
from ...reference.evaluation import DEFAULT_DIGITS
from ...reference.exact import Texts, exact_json, exact_text
from .hypotheses import Finding, Told
from .questions import Printed, Question, Term, written
from .reading import approximate_or_renyi

if TYPE_CHECKING:
    from ...reference.markov.model.data import DataModel
    from .neighbours import Adjacency, Unlike
    from .plan import Plan
    from .tight import Tight

# What no verdict says of any release.
SAMPLING = "That the release was drawn from the exact law; a draw in floating point is not."
# The private data themselves: the counts of one vector, or of a chain's transitions.
Data: TypeAlias = "tuple[int, ...] | DataModel"
# What [claim] says: epsilon, and delta or the order.
Target: TypeAlias = tuple[Fraction, Fraction | None, Fraction | None]
# Adds numbers, each so many times, and rounds up.
Adding: TypeAlias = Callable[[Iterable[tuple[Fraction, int]]], Fraction]


@dataclass(frozen=True)
class Parameters:
    """Exact parameters of a release: each mechanism has its own, in the order of publication.

    One that a claim leaves out is None. What was calibrated stands here as if it had been given.
    """

    @classmethod
    def of(cls, claim: Claim) -> Self:
        """Return a claim's parameters, which are of this mechanism."""
        if not isinstance(claim.parameters, cls):
            raise TypeError(f"{claim.mechanism.name} has other parameters")
        return claim.parameters

    @classmethod
    def read(cls, exact: Mapping[str, Any]) -> Self:
        """Return parameters that were read, each in its domain."""
        return cls(**exact)

    @property
    def given(self) -> dict[str, Value]:
        """Those that are not left out, by name."""
        pairs = ((each.name, getattr(self, each.name)) for each in fields(self))
        return {name: value for name, value in pairs if value is not None}

    @property
    def point(self) -> dict[str, Value]:
        """Those that are no words: where a formula is evaluated."""
        return {key: value for key, value in self.given.items() if not isinstance(value, str)}

    def but(self, **changed: Any) -> Self:
        """Return the same with some of them changed."""
        return replace(self, **changed)


@dataclass(frozen=True)
class Calibrated:
    """Parameters that a claim left to be chosen for it, and by which public criterion they were.

    Nothing rests on it: the numbers stand in the parameters as if they had been given.
    """

    parameters: Mapping[str, Value]
    criterion: str

    def as_json(self) -> dict[str, object]:
        """Return the published shape."""
        chosen = {key: exact_json(value) for key, value in self.parameters.items()}
        return {"parameters": chosen, "criterion": self.criterion}


@dataclass(frozen=True)
class Claim:
    """A mechanism with its parameters and what is claimed of it, every number exact.

    Exactly one of ``delta`` (approximate differential privacy) and ``order`` (Renyi) is given.
    ``data`` are the data themselves, where they were given; they are not published.
    ``calibrated`` tells which parameters were chosen for the claim, None where all were given.
    """

    name: str
    mechanism: Mechanism
    parameters: Parameters
    data: Data | None
    epsilon: Fraction
    delta: Fraction | None
    order: Fraction | None
    calibrated: Calibrated | None = None

    @property
    def without_data(self) -> Claim:
        """The same claim with nothing said of the data."""
        return replace(self, data=None)

    def at(self, **changed: Any) -> Claim:
        """Return the same claim at other parameters."""
        return replace(self, parameters=self.parameters.but(**changed))

    def as_json(self) -> dict[str, object]:
        """Return the claim with its numbers as exact text."""
        said = {"epsilon": self.epsilon, "delta": self.delta, "order": self.order}
        return {
            "name": self.name,
            "mechanism": self.mechanism.name,
            "release": {key: _published(value) for key, value in self.parameters.given.items()},
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

    def as_json(self, digits: int = DEFAULT_DIGITS) -> dict[str, object]:
        """Return the published shape."""
        losses = {key: written(value, digits) for key, value in self.losses.items()}
        return {"label": self.label, **self.numbers, **losses}


@dataclass(frozen=True)
class Parts:
    """The losses of a release's parts that lose by themselves: the rows of a chain.

    ``in_time`` says whether all of them were worked out within the time that there is; if not,
    what is told depends on the machine.
    """

    rows: tuple[RowLosses, ...] = ()
    in_time: bool = True


@dataclass(frozen=True)
class Vacuity:
    """Why a claim speaks of no two inputs: no two different ones are neighbours, or none exists.

    ``why`` says which parameters leave none. Nothing is true or false of such a claim. Or why it is
    of something else than the mechanism: then nothing is known of it (``Neighbours.NO_PAIR``).
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
    """Privacy loss over all neighbouring inputs: what decides, and inputs that attain it, if any.

    ``asked`` are the numbers that bound every pair of neighbours, the first one decides; each of
    ``sufficient`` certifies alone, where its number is at most what was claimed. Where
    ``neighbours`` says that they are attained, ``inputs`` attain them. Where they only bound,
    ``nearby`` may yield inputs with a number that theirs is at least; nearer and nearer ones, and
    where they are ``approached``, as near as one likes.
    ``published`` are numbers on which no verdict rests, ``facts`` what else is published; None
    what was looked for and not found.
    """

    neighbours: Neighbours
    asked: tuple[Question, ...]
    facts: Mapping[str, Texts | None]
    sentences: tuple[str, ...]
    inputs: Inputs | None = None
    nearby: Nearby | None = None
    sufficient: tuple[Question, ...] = ()
    published: tuple[Question, ...] = ()
    parts: Parts = Parts()
    approached: bool = False

    @property
    def attained(self) -> bool:
        """Whether some pair of neighbouring inputs loses exactly what is stated."""
        return self.neighbours is Neighbours.ATTAINED


@dataclass(frozen=True)
class PublicSettings:
    """The public part of a claim file besides the claim: how the data are read.

    ``release`` is its [release] as written, ``data`` its [data], which names what the data file
    holds and, in ``public``, what was known without looking into it; ``where`` is its name.
    """

    where: str
    release: Mapping[str, Any]
    data: Mapping[str, Any]
    public: frozenset[str]


@dataclass(frozen=True)
class Layout:
    """How a release looks, whatever the data: what is public of it besides its numbers.

    ``names`` are those of its coordinates or numbers, ``rows`` the labels of its rows, None where
    there is but one; ``scalar`` tells one number from a vector with one entry. ``protected`` are
    the names of the coordinates of each row in which neighbours may differ, None where in all.
    ``possible`` says of each row which entries can be above 0, None where all can. ``scale`` is
    that of the noise, None of a point of the simplex.
    """

    names: tuple[str, ...]
    rows: tuple[str, ...] | None = None
    scalar: bool = False
    protected: tuple[tuple[str, ...], ...] | None = None
    possible: tuple[tuple[bool, ...], ...] | None = None
    scale: Fraction | None = None


@dataclass(frozen=True)
class Public:
    """Facts about each draw that the parameters tell besides its law; None where they do not.

    All shares are at least ``eta``, and shares of ``N`` records. ``prior`` is what every coordinate
    has before any record: draws are held against the shares without it.
    """

    eta: Fraction | None = None
    N: int | None = None
    prior: Fraction = Fraction(0)


class Mechanism(ABC):
    """One kind of release: its parameters, its neighbours, what it loses, and how it is drawn.

    ``name`` is what a claim calls it, and its commented claim file, ``NAME.toml`` beside its
    module. ``releases`` says what is released, and how; ``paper`` is the key of the paper that it
    is of, nothing where it is of none. ``laws`` names the parameter that lists a class of laws,
    where what is hidden are secrets under one law of a class (Pufferfish privacy) and not
    neighbouring inputs. ``data_keys`` are the keys of [data] besides ``public``. ``noise`` tells
    numbers with noise from points of the simplex. ``draws`` says whether releases are drawn here:
    else its claims are audited alone (``Undrawn``).
    """

    name: ClassVar[str]
    releases: ClassVar[str]
    paper: ClassVar[str] = ""
    data_keys: ClassVar[tuple[str, ...]]
    noise: ClassVar[bool] = False
    laws: ClassVar[str] = ""
    draws: ClassVar[bool] = True

    # The claim.

    @property
    @abstractmethod
    def tight(self) -> Tight:
        """Which parameters may be "tight", and how the numbers are chosen."""

    @property
    @abstractmethod
    def keys(self) -> tuple[str, ...]:
        """The keys of [release] besides ``name`` and ``mechanism``."""

    @abstractmethod
    def read(self, table: Mapping[str, Any], where: str) -> tuple[Parameters, Data | None]:
        """Return exact parameters, and the data if given. Raises InputError with a sentence."""

    def target(self, table: Mapping[str, Any], where: str) -> Target:
        """Return what [claim] says. Raises InputError with a sentence."""
        return approximate_or_renyi(table, where)

    def without_files(
        self, release: Mapping[str, Any], _published: Mapping[str, Any]
    ) -> Mapping[str, Any]:
        """Return [release] without files that it names, filled in from what was published."""
        return release

    def require_inputs(self, _claim: Claim, _settings: PublicSettings) -> None:  # noqa: B027
        """Raise DomainError where no data are an input, by what [data] says of the coordinates.

        It is asked of claims that are audited, too, whose [data] may lack anything.
        """

    def class_of(self, claim: Claim) -> str:
        """Return the class of laws of a Pufferfish claim in words; of other claims nothing."""
        if not self.laws:
            return ""
        listed: Any = claim.parameters.given[self.laws]
        what = self.laws.removesuffix("s") if len(listed) == 1 else self.laws
        return f"the class of {len(listed)} {what} that the claim lists"

    # Its audit.

    def most(self, _claim: Claim) -> tuple[str, Question] | None:
        """Return a count of releases, and what asks for the most of them that keep the claim.

        None where there is no such parameter, or where its number is chosen as ``tight`` says.
        """
        return None

    def vacuity(self, _claim: Claim) -> Vacuity | None:
        """Return why no two different inputs are neighbours; None exactly where some two are.

        It rests on no number that may be left to be chosen.
        """
        return None

    @abstractmethod
    def worst(self, claim: Claim) -> Worst:
        """Return the loss over all neighbouring inputs, of a claim that is not vacuous."""

    @abstractmethod
    def printed(self, claim: Claim) -> Printed:
        """Return what the paper's own formulas give."""

    @abstractmethod
    def findings(self, claim: Claim, printed: Printed) -> list[Finding]:
        """Return every hypothesis of the paper's theorem, decided as far as can be."""

    @abstractmethod
    def non_claims(self, claim: Claim) -> list[str]:
        """Return what a verdict does not say."""

    def told_of_data(self, _claim: Claim) -> tuple[Told, ...]:
        """Return the findings that the data decide where they are known, in order."""
        return ()

    def beside_the_data(self, _claim: Claim, worst: Worst) -> Worst | None:
        """Return what stands once the data are looked at; None where nothing can be shown."""
        return worst

    # Its release, alone and beside others.

    def require_drawn(self, _where: str) -> None:  # noqa: B027
        """Raise DomainError where no release is drawn by it at all."""

    @abstractmethod
    def public_names(self, claim: Claim, settings: PublicSettings) -> tuple[str, ...]:
        """Return what [data] public has to list: what the guarantee takes for public."""

    @abstractmethod
    def layout(self, claim: Claim, settings: PublicSettings) -> Layout:
        """Return how each release looks. Raises InputError where the claim file admits none."""

    def require_columns(self, _claim: Claim, _settings: PublicSettings) -> None:  # noqa: B027
        """Raise InputError unless [data] names the columns that data are read from, as text."""

    @abstractmethod
    def require_releasable(self, claim: Claim, where: str) -> None:
        """Raise InputError where nothing is released under a claim, whatever [data] says.

        ``layout`` asks for it, and so does whoever has a release without its claim file.
        """

    @abstractmethod
    def require_possible(self, claim: Claim, seen: Layout) -> None:
        """Raise DomainError where a release under the claim cannot look so, whatever [data] says.

        ``possible`` says which entries are above 0; of ``protected`` ``require_protected`` decides.
        """

    def protected_sizes(self, _claim: Claim) -> Sequence[int] | None:
        """Return of each row how many of its coordinates are protected; None where all are."""
        return None

    @abstractmethod
    def plan(self, claim: Claim, settings: PublicSettings, file: Path) -> Plan:
        """Return what is to be drawn. Raises InputError, with no private value in its sentence."""

    @abstractmethod
    def adjacency(self, claim: Claim, data: Mapping[str, Any]) -> Adjacency | Unlike:
        """Return whose difference releases under such claims hide together, by claim and [data]."""

    def narrowest(self, claims: Sequence[Claim]) -> Claim:
        """Return a claim whose inputs are those that all of these admit, whose neighbours agree."""
        return claims[0]

    def by_row(self, claim: Claim) -> Sequence[Sequence[Term]]:
        """Return the terms that bound the loss of neighbours which differ in each row.

        There is one row but where rows are released by themselves; a row without neighbours has no
        terms.
        """
        return [self.worst(claim).asked[0].terms]

    def together(
        self, _claims: Sequence[tuple[Claim, int]], _added: Adding
    ) -> tuple[Term, str] | None:
        """Return what bounds all these releases at once, and how, where that is known.

        Each claim comes with how often it was released under.
        """
        return None

    # Its simulation.

    @abstractmethod
    def plan_of_input(self, claim: Claim, value: Any, where: str) -> Plan:
        """Return what is drawn at an input that is made up or public. Raises InputError."""

    def public(self, _claim: Claim) -> Public:
        """Return what the parameters tell of each draw besides its law."""
        return Public()


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
