"""Releases of one vector in the bordered simplex: identity and average (gohari2020), and counts.

One pair of Beta laws bounds all neighbours of each (``_Bordered``). Private is one vector, one of N
vectors whose mean is released, or one record of those that are counted (benvenuti2025).
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil
from pathlib import Path
from typing import Any, ClassVar

from ...reference.dirichlet import average, counts, identity
from ...reference.dirichlet.pair import Neighbours, Pair
from ...reference.domain import ONE, ZERO, Hypothesis, Interval, Value, count_from
from ...reference.domain import Parameters as Point
from ...reference.errors import DomainError, InputError
from ...reference.exact import Texts, exact_json, exact_number, exact_text, shown
from ...reference.precision import Budget, seconds_left
from ...reference.quantity import quantity_named
from . import reading
from .data.table import (
    Border,
    counts_of_records,
    given_counts,
    read_vector,
    read_vectors,
    require_bordered,
    require_lines,
)
from .hypotheses import OF_COUNTS, Finding, Told, decided, of_counts, of_unseen_data
from .laid_out import require_vector
from .neighbours import RECORD_CHANGED, Adjacency, counted_in, fixed_by, pair_near
from .plan import (
    SimplexPlan,
    counts_in,
    drawn_from,
    require_countable,
    require_reach,
    require_support,
    shares_in,
    vector_plan,
    with_support,
)
from .protocol import (
    SAMPLING,
    Claim,
    Inputs,
    Layout,
    Mechanism,
    Parameters,
    Public,
    PublicSettings,
    Vacuity,
    Worst,
    asked_of,
)
from .questions import Printed, Question, value_of
from .reading import labels_in, text_in
from .tight import Largest

# A chosen gamma is told in full, so it has no more figures than a person would copy.
_GAMMA_DIGITS = 12
# Bits enough for twice the figures that are printed. No verdict rests on a paper's formulas, so
# what these do not tell stays untold. A limit of seconds would make it a matter of the machine, and
# another one would find another certificate.
_BITS_BESIDE = 256
# For a larger k eta a gamma takes more than three seconds, and is the floor to most of its figures.
_LARGEST_FLOOR = 100_000
# Privacy does not depend on it; a claim may leave it out.
_OPTIONAL = "gamma"
_FAMILY = "dirichlet.profile"
_LEVEL = "dirichlet.identity.gamma"
_DELTA_BOUND = "dirichlet.identity.delta_bound"

PROBABILISTIC = (
    "The papers state probabilistic differential privacy, which is stronger: certifying the "
    "conventional claim does not certify theirs, refuting it refutes theirs."
)
PUBLIC = "That k, eta and gamma were chosen without looking at the private data."
_TWO_COORDINATES = (
    "Changes of more than two coordinates of one vector, or outside the protected set, "
    "are not covered."
)
_ONE_RECORD = (
    "Neighbours differ in one record that changes its category; the number of records "
    "is public. A record added or removed is not covered."
)
# The distance of neighbours; at 0 no two different inputs are.
NO_DISTANCE_TOO = Interval(at_least=ZERO)
NOT_GIVEN = "gamma is not given, and none could be chosen for the claim"
# Of one protected coordinate, or at distance 0, nothing is claimed; the audit says so.
_VECTORS = {"w": count_from(1, 50), "b": NO_DISTANCE_TOO}

_GOHARI, _BENVENUTI = "gohari2020 Section II", "benvenuti2025 Definition 2"
_NAMES, PROTECTED = "names", "protected"
COLUMN, CATEGORIES = "column", "categories"


class _Bordered(Mechanism):
    """One release of a vector in the bordered simplex.

    ``bound``, ``delta_bound`` and ``level`` name the quantities that are the paper's epsilon, its
    delta, and the gamma at which that delta is reached. Where the truth can be had beyond the
    bound's domain, or there is none to be had (no two neighbours), ``wider`` holds that domain.
    """

    bound: ClassVar[str]
    delta_bound: ClassVar[str] = _DELTA_BOUND
    level: ClassVar[str] = _LEVEL
    hypotheses: ClassVar[tuple[Hypothesis, ...]]
    wider: ClassVar[Mapping[str, Interval]] = _VECTORS
    not_covered: ClassVar[str] = _TWO_COORDINATES
    parameters: ClassVar[type[Parameters]]
    tight = Largest("k")
    data_keys = (_NAMES, PROTECTED)

    @abstractmethod
    def pair(self, claim: Claim) -> Pair:
        """Return the worst pair of Beta laws."""

    @property
    def domains(self) -> dict[str, Interval]:
        """The parameters by name: those of the paper's bound."""
        numbers = {
            name: domain
            for name, domain in quantity_named(self.bound).parameters.items()
            if isinstance(domain, Interval)
        }
        return {**numbers, **self.wider}

    @property
    def keys(self) -> tuple[str, ...]:
        """The parameters, and W instead of w."""
        return (*self.domains, "W")

    def read(
        self, table: Mapping[str, Any], where: str
    ) -> tuple[Parameters, tuple[int, ...] | None]:
        """Return exact parameters, with how many coordinates are protected."""
        given = dict(table)
        if "W" in table:
            if "w" in table:
                raise InputError(f"{where}: give W or w, not both")
            given["w"] = len(reading.coordinates(table["W"], where))
        if "w" not in given:
            raise InputError(
                f"{where}: [release] needs W = [1, 2, ...], the protected coordinates, or w, how "
                "many they are"
            )
        return self.parameters.read(self._exact(given, where)), None

    def _exact(self, given: Mapping[str, Any], where: str) -> dict[str, Value]:
        reading.require_all(given, (key for key in self.domains if key != _OPTIONAL), where)
        return reading.parameters(given, self.domains, self.name, where)

    def vacuity(self, claim: Claim) -> Vacuity | None:
        """Return why no two different inputs are neighbours, if so."""
        pair = self.pair(claim)
        return None if pair.neighbours.exist else Vacuity(pair.neighbours, pair.why)

    def worst(self, claim: Claim) -> Worst:
        """Return the pair of Beta laws, and inputs that attain it where some do."""
        return _of_pair(claim, self.pair(claim))

    def printed(self, claim: Claim) -> Printed:
        """Evaluate the paper's formulas, at the best gamma where the claim names none."""
        point = claim.parameters.point
        given = point.get("gamma")
        gamma = given if isinstance(given, Fraction) else None
        chosen = gamma is None
        if gamma is None:
            gamma = best_gamma(self.level, point, claim.delta)
        if gamma is None:
            return no_gamma(point)
        point["gamma"] = gamma
        epsilon = value_of(self.bound, point, budget_beside())
        delta = value_of(self.delta_bound, point, budget_beside())
        return Printed(epsilon, delta, point, gamma, chosen)

    def findings(self, _claim: Claim, printed: Printed) -> list[Finding]:
        """Decide the conditions of the paper's bound and the other hypotheses."""
        return [*self._conditions(printed), *of_unseen_data()]

    def _conditions(self, printed: Printed) -> list[Finding]:
        return decided((*quantity_named(self.bound).conditions, *self.hypotheses), printed.point)

    def non_claims(self, _claim: Claim) -> list[str]:
        """Return what a verdict does not say."""
        return [PROBABILISTIC, self.not_covered, PUBLIC, SAMPLING]


def _of_pair(claim: Claim, pair: Pair) -> Worst:
    """Return what a claim asks of a pair of Beta laws."""
    facts = {"alpha": exact_text(pair.alpha), "step": exact_text(pair.step)}
    inputs, attained = _inputs(pair, facts), pair.neighbours is Neighbours.ATTAINED
    return Worst(
        pair.neighbours,
        _asked(claim, pair.alpha, pair.step),
        facts,
        (f"floor alpha = {shown(pair.alpha)}, step = {shown(pair.step)}", pair.neighbours.value),
        inputs if attained else None,
        None if attained else lambda: pair_near(claim, pair, inputs),
        published=() if pair.off_lattice is None else _asked(claim, pair.off_lattice, pair.step),
    )


def _asked(claim: Claim, alpha: Fraction, step: Fraction) -> tuple[Question, ...]:
    return asked_of(claim, _FAMILY, {"alpha": alpha, "step": step})


def _inputs(pair: Pair, facts: Mapping[str, Texts]) -> Inputs:
    """Return the inputs of a pair, in the two coordinates in which they differ."""
    first, second = (", ".join(map(shown, one)) for one in (pair.first, pair.second))
    return Inputs(
        exact_json(pair.first),
        exact_json(pair.second),
        pair.others,
        f"inputs ({first}) and ({second}) in two protected coordinates; others: {pair.others}",
        facts,
    )


def budget_beside() -> Budget:
    """Return what a number beside the verdict may take."""
    return Budget(bits=_BITS_BESIDE)


def no_gamma(point: Point) -> Printed:
    """Return no bound, as no gamma was chosen; maybe for lack of time, which is told."""
    in_time = seconds_left() > 0
    return Printed(None, None, point, chosen=True, lacks=NOT_GIVEN, in_time=in_time)


def best_gamma(level: str, point: Point, delta: Fraction | None) -> Fraction | None:
    """Return the best gamma for a claimed delta, rounded down; None where there is none.

    The largest whose delta is at most the claimed one, hence of the smallest epsilon. None, too,
    where it would take long: for a floor so large, or a gamma so small, that no figures are told.
    """
    k, eta = point["k"], point["eta"]
    large = isinstance(k, Fraction) and isinstance(eta, Fraction) and k * eta > _LARGEST_FLOOR
    if delta is None or large:
        return None
    found = value_of(level, {**point, "delta": delta}, budget_beside())
    if found is None or not found.is_narrow(_GAMMA_DIGITS):
        return None
    try:
        gamma = exact_number(found.decimals(_GAMMA_DIGITS - 2)[0])
    except InputError:  # so small that no formula reads it
        return None
    return gamma if gamma > 0 else None


@dataclass(frozen=True)
class VectorParameters(Parameters):
    """Concentration, floors, the distance of neighbours, and the size of W."""

    k: Fraction
    eta: Fraction
    eta_bar: Fraction
    b: Fraction
    w: int
    gamma: Fraction | None = None


class _Protecting(_Bordered):
    """A release of which some coordinates are protected, by their names in [data]."""

    def require_inputs(self, claim: Claim, settings: PublicSettings) -> None:
        """Raise DomainError where all coordinates that [data] names are protected."""
        require_unprotected([_vectors(claim).w], settings, _NAMES, _GOHARI)

    def require_releasable(self, claim: Claim, where: str) -> None:
        """Raise DomainError where the floor or k is out of the samplers' reach."""
        own = _vectors(claim)
        require_reach(own.k * own.eta, own.k, where)

    def layout(self, claim: Claim, settings: PublicSettings) -> Layout:
        """Return names, and which of them are protected. Raises InputError."""
        self.require_releasable(claim, settings.where)
        return _laid_out(_vectors(claim), settings)

    def require_possible(self, claim: Claim, seen: Layout) -> None:
        """Raise DomainError unless there are w coordinates and more."""
        require_vector(seen, _vectors(claim).w + 1)

    def protected_sizes(self, claim: Claim) -> Sequence[int]:
        """Return w."""
        return [_vectors(claim).w]

    def narrowest(self, claims: Sequence[Claim]) -> Claim:
        """Return the claim of the largest eta and the largest eta_bar."""
        return within_all_borders(claims)


class Identity(_Protecting):
    """The identity query of gohari2020: Dirichlet(k p) of one private vector p."""

    name = "dirichlet.identity"
    releases = "one private vector of shares p, as Dirichlet(k p)"
    paper = "gohari2020"
    bound = "dirichlet.identity.epsilon_bound"
    hypotheses = identity.HYPOTHESES
    parameters = VectorParameters

    def pair(self, claim: Claim) -> Pair:
        """Return the worst pair of Beta laws."""
        own = VectorParameters.of(claim)
        return identity.worst_pair(own.k, own.eta, own.eta_bar, own.b, own.w)

    def public_names(self, _claim: Claim, settings: PublicSettings) -> tuple[str, ...]:
        """Return the floors, and the names of the coordinates."""
        return with_support(settings, ("eta", "eta_bar", _NAMES))

    def plan(self, claim: Claim, settings: PublicSettings, file: Path) -> SimplexPlan:
        """Return k p. Raises InputError, with no private value in its sentence."""
        own, names = VectorParameters.of(claim), self.layout(claim, settings).names
        border = _border_of(own, settings, names)
        found = read_vector(file, names)
        (vector,), (place,) = found.values, found.places
        require_bordered(vector, border, place)
        require_support(vector, settings, place, _GOHARI)
        return vector_plan(names, [own.k * share for share in vector], place)

    def adjacency(self, claim: Claim, data: Mapping[str, Any]) -> Adjacency:
        """Return the neighbours of one protected vector."""
        return _in_two_coordinates("one vector", claim, data)

    def plan_of_input(self, claim: Claim, value: Any, _where: str) -> SimplexPlan:
        """Return k p of given shares."""
        return _at_shares(VectorParameters.of(claim).k, value)


@dataclass(frozen=True)
class _AverageParameters(Parameters):
    """Those of one vector, and how many vectors there are."""

    k: Fraction
    eta: Fraction
    eta_bar: Fraction
    b: Fraction
    N: int
    w: int
    gamma: Fraction | None = None


class _Average(_Protecting):
    """The average query of gohari2020: Dirichlet(k mean) of N vectors, each in the simplex."""

    name = "dirichlet.average"
    releases = "the mean of N private vectors of shares, as Dirichlet(k mean)"
    paper = "gohari2020"
    bound = "dirichlet.average.epsilon_bound"
    hypotheses = average.HYPOTHESES
    parameters = _AverageParameters

    def require_releasable(self, claim: Claim, where: str) -> None:
        """Raise DomainError where the draw is out of reach, or no file holds N vectors."""
        own = _AverageParameters.of(claim)
        require_lines(own.N, own.w + 1, where)
        super().require_releasable(claim, where)

    def layout(self, claim: Claim, settings: PublicSettings) -> Layout:
        """Return names, and which of them are protected. Raises InputError."""
        found = super().layout(claim, settings)
        require_lines(_AverageParameters.of(claim).N, len(found.names), settings.where)
        return found

    def require_possible(self, claim: Claim, seen: Layout) -> None:
        """Raise DomainError unless a file can hold N vectors of so many coordinates, w and more."""
        super().require_possible(claim, seen)
        require_lines(_AverageParameters.of(claim).N, len(seen.names), claim.name)

    def pair(self, claim: Claim) -> Pair:
        """Return the worst pair of Beta laws."""
        own = _AverageParameters.of(claim)
        return average.worst_pair(own.k, own.eta, own.eta_bar, own.b, own.N, own.w)

    def public_names(self, _claim: Claim, settings: PublicSettings) -> tuple[str, ...]:
        """Return the floors, how many vectors there are, and the names of the coordinates."""
        return with_support(settings, ("eta", "eta_bar", "N", _NAMES))

    def plan(self, claim: Claim, settings: PublicSettings, file: Path) -> SimplexPlan:
        """Return k times the mean. Raises InputError, with no private value in its sentence."""
        own, names = _AverageParameters.of(claim), self.layout(claim, settings).names
        border = _border_of(own, settings, names)
        found = read_vectors(file, names)
        if len(found.values) != own.N:
            raise DomainError(
                f"{file} does not have N = {shown(own.N)} lines under its header, one for each "
                "vector; N is public and fixed by the claim"
            )
        for vector, place in zip(found.values, found.places, strict=True):
            require_bordered(vector, border, place)
        mean = [_sum(column) / own.N for column in zip(*found.values, strict=True)]
        require_support(mean, settings, f"{file}, the mean", _GOHARI)
        return vector_plan(names, [own.k * share for share in mean], f"{file}, the mean")

    def adjacency(self, claim: Claim, data: Mapping[str, Any]) -> Adjacency:
        """Return the neighbours of N vectors of which one is another."""
        return _in_two_coordinates("one of N vectors", claim, data)

    def plan_of_input(self, claim: Claim, value: Any, _where: str) -> SimplexPlan:
        """Return k p of given shares, which are the mean."""
        return _at_shares(_AverageParameters.of(claim).k, value)


def _in_two_coordinates(one: str, claim: Claim, data: Mapping[str, Any]) -> Adjacency:
    words = (
        f"data that differ in {one}, in two protected coordinates and by at most b in the 1-norm"
    )
    return fixed_by(claim, data, words, ("b", "w", "N"), ("protected",))


def _at_shares(k: Fraction, value: Any) -> SimplexPlan:

    return drawn_from([k * share for share in shares_in(value)])


def _sum(shares: Iterable[Fraction]) -> Fraction:
    """Return the exact sum. Shares of one denominator are added first, as whole numbers.

    One after the other, a hundred thousand shares of many denominators would take minutes.
    """
    by_denominator: Counter[int] = Counter()
    for share in shares:
        by_denominator[share.denominator] += share.numerator
    return sum((Fraction(top, bottom) for bottom, top in by_denominator.items()), Fraction(0))


def within_all_borders(claims: Sequence[Claim]) -> Claim:
    """Return a claim about the inputs that are in the bordered simplex of each of these.

    All protect the same coordinates, so that is the one of the largest eta and the largest eta_bar.
    """
    points = [claim.parameters.point for claim in claims]
    largest = {key: max(point[key] for point in points) for key in ("eta", "eta_bar")}
    return claims[0].at(**largest)


def _vectors(claim: Claim) -> VectorParameters | _AverageParameters:
    """Return the parameters of a claim on one vector or several."""
    own = claim.parameters
    if not isinstance(own, VectorParameters | _AverageParameters):
        raise TypeError(f"{claim.mechanism.name} has other parameters")
    return own


def require_unprotected(
    sizes: Sequence[int], settings: PublicSettings, key: str, source: str
) -> None:
    """Raise DomainError where a row protects as many coordinates as [data] names under the key.

    The eta_bar > 0 outside of them has no place then, whatever the data are.
    """
    listed = settings.data.get(key)
    if isinstance(listed, list) and listed and max(sizes) >= len(listed):
        raise DomainError(
            f"{settings.where}: w = {shown(max(sizes))} of the {len(listed)} that [data] {key} "
            "lists are protected, which leaves none for the eta_bar > 0 outside of them: no data "
            f"are an input of the mechanism, whatever they are ({source})"
        )


def _laid_out(own: VectorParameters | _AverageParameters, settings: PublicSettings) -> Layout:
    """Return the layout of a claim's releases, all of which can be drawn. Raises InputError.

    All can but for coordinates that are not protected.
    """
    names = labels_in(settings, _NAMES)
    require_unprotected([own.w], settings, _NAMES, _GOHARI)
    protected = _protected(settings, names)
    if len(protected) != own.w:
        raise DomainError(f"{settings.where}: [data] protected lists {len(protected)} coordinates, "
                          f"but w = {shown(own.w)}")  # fmt: skip
    return Layout(names, protected=(tuple(names[at] for at in protected),))


def _border_of(
    own: VectorParameters | _AverageParameters, settings: PublicSettings, names: tuple[str, ...]
) -> Border:
    """Return the bordered simplex of a claim, its coordinates by these names. Raises InputError."""
    return Border(own.eta, own.eta_bar, _protected(settings, names), _GOHARI)


def _protected(settings: PublicSettings, names: tuple[str, ...]) -> tuple[int, ...]:
    """Return the numbers, from 0, of the coordinates that [data] names, or that are in W."""
    where = settings.where
    if ("W" in settings.release) == (PROTECTED in settings.data):
        raise InputError(f"{where}: give the protected coordinates once, by their names "
                         f"([data] {PROTECTED}) or by their numbers ([release] W)")  # fmt: skip
    if "W" in settings.release:
        return _numbered(reading.coordinates(settings.release["W"], where), names, where)
    labels = labels_in(settings, PROTECTED, least=1)
    for label in labels:
        if label not in names:
            raise InputError(f"{where} [data]: {PROTECTED} names {shown(label)}, which is "
                             f"none of {_NAMES}")  # fmt: skip
    return tuple(names.index(label) for label in labels)


def _numbered(numbers: list[int], names: tuple[str, ...], where: str) -> tuple[int, ...]:
    if max(numbers) > len(names):
        raise InputError(f"{where}: W lists coordinate {shown(max(numbers))}, but [data] {_NAMES} "
                         f"lists {len(names)}")  # fmt: skip
    return tuple(number - 1 for number in numbers)


@dataclass(frozen=True)
class CountsParameters(Parameters):
    """Concentration, the floor, how many records, and how many categories."""

    k: Fraction
    eta: Fraction
    N: int
    n: int
    gamma: Fraction | None = None


class Counts(_Bordered):
    """The counting query of benvenuti2025: Dirichlet(k counts/N), no count below eta N."""

    name = "dirichlet.counts"
    releases = "the shares of categories among N records, as Dirichlet(k counts/N)"
    paper = "benvenuti2025"
    bound = "dirichlet.counts.epsilon_bound"
    delta_bound = "dirichlet.counts.delta_bound"
    level = "dirichlet.counts.gamma"
    hypotheses = counts.HYPOTHESES
    wider: ClassVar[Mapping[str, Interval]] = {
        "n": count_from(1, 50),
        "eta": Interval(above=ZERO, at_most=ONE),
    }
    not_covered = _ONE_RECORD
    parameters = CountsParameters
    data_keys = (COLUMN, CATEGORIES)

    @property
    def keys(self) -> tuple[str, ...]:
        """The parameters, and the data themselves."""
        return (*self.domains, "counts")

    def read(
        self, table: Mapping[str, Any], where: str
    ) -> tuple[CountsParameters, tuple[int, ...] | None]:
        """Return exact parameters, and the counts if given."""
        own = CountsParameters.read(self._exact(table, where))
        return own, reading.category_counts(table.get("counts"), own.N, own.n, where)

    def pair(self, claim: Claim) -> Pair:
        """Return the worst pair of Beta laws."""
        own = CountsParameters.of(claim)
        return counts.worst_pair(own.k, own.eta, own.N, own.n)

    def told_of_data(self, _claim: Claim) -> tuple[Told, ...]:
        """Return what counts decide."""
        return (OF_COUNTS,)

    def beside_the_data(self, claim: Claim, worst: Worst) -> Worst:
        """Return what stands once the counts are looked at.

        Data below the floor are no input of the mechanism that is claimed about; all others are,
        whatever their neighbours: eta stands in the claim, and is taken for public.
        """
        if not isinstance(claim.data, tuple):
            return worst
        below = min(claim.data) < CountsParameters.of(claim).eta * sum(claim.data)
        return replace(worst, neighbours=Neighbours.NO_INPUT) if below else worst

    def findings(self, claim: Claim, printed: Printed) -> list[Finding]:
        """Decide the conditions of the paper's bound and the other hypotheses, and of the data."""
        if not isinstance(claim.data, tuple):
            return super().findings(claim, printed)
        data = of_counts(claim.data, CountsParameters.of(claim).eta)
        return [*self._conditions(printed), *data]

    def public_names(self, _claim: Claim, _settings: PublicSettings) -> tuple[str, ...]:
        """Return the floor, how many records there are, and the categories."""
        return ("eta", "N", CATEGORIES)

    def require_columns(self, _claim: Claim, settings: PublicSettings) -> None:
        """Raise InputError unless the column of records, if there is one, is a text."""
        require_column(settings)

    def require_releasable(self, claim: Claim, where: str) -> None:
        """Raise DomainError where a count is out of the samplers' reach, or N of a file's."""
        own = CountsParameters.of(claim)
        require_countable(own.N, own.n, where)
        require_reach(own.k / own.N * ceil(own.eta * own.N), own.k, where)

    def layout(self, claim: Claim, settings: PublicSettings) -> Layout:
        """Return the categories. Raises InputError."""
        self.require_releasable(claim, settings.where)
        own, categories = CountsParameters.of(claim), labels_in(settings, CATEGORIES)
        if len(categories) != own.n:
            raise DomainError(f"{settings.where}: [data] {CATEGORIES} lists {len(categories)}, but "
                              f"n = {shown(own.n)}")  # fmt: skip
        return Layout(categories)

    def require_possible(self, claim: Claim, seen: Layout) -> None:
        """Raise DomainError unless there are n coordinates."""
        require_vector(seen, CountsParameters.of(claim).n, CountsParameters.of(claim).n)

    def plan(self, claim: Claim, settings: PublicSettings, file: Path) -> SimplexPlan:
        """Return k counts/N. Raises InputError, with no private value in its sentence."""
        own, categories = CountsParameters.of(claim), self.layout(claim, settings).names
        floor, step = own.eta * own.N, own.k / own.N
        found = counted(settings, categories, file)
        require_total(found, own.N, str(file))
        require_floor(found, floor, str(file))
        return vector_plan(categories, [step * count for count in found], str(file))

    def adjacency(self, claim: Claim, data: Mapping[str, Any]) -> Adjacency:
        """Return the neighbours of counts, whatever is counted of the records."""
        counted = counted_in(data, all_occur=True)
        return Adjacency(RECORD_CHANGED, {"N": CountsParameters.of(claim).N}, counted=counted)

    def plan_of_input(self, claim: Claim, value: Any, where: str) -> SimplexPlan:
        """Return k counts/N of given counts."""
        own, found = CountsParameters.of(claim), counts_in(value)
        if len(found) != own.n or sum(found) != own.N:
            raise DomainError(
                f"the input has {len(found)} counts, {shown(sum(found))} in all; {where} says "
                f"n = {shown(own.n)} and N = {shown(own.N)}"
            )
        return drawn_from([own.k * Fraction(count, own.N) for count in found])

    def public(self, claim: Claim) -> Public:
        """Return the floor, which all counts keep, and how many records there are."""
        own = CountsParameters.of(claim)
        return Public(own.eta, own.N)


def require_column(settings: PublicSettings) -> None:
    """Raise InputError unless the column of records, if there is one, is a text."""
    if COLUMN in settings.data:
        text_in(settings, COLUMN)


def counted(settings: PublicSettings, categories: Sequence[str], file: Path) -> list[int]:
    """Return the count of each category, of a column of records or as given. Raises InputError."""
    if COLUMN in settings.data:
        return counts_of_records(file, text_in(settings, COLUMN), categories)
    return given_counts(file, categories)


def require_total(found: Sequence[int], size: int, place: str) -> None:
    """Raise DomainError unless there are N records."""
    if sum(found) != size:
        raise DomainError(f"{place}: the number of records is not N = {shown(size)}, which is "
                          "public and fixed by the claim")  # fmt: skip


def require_floor(found: Sequence[int], floor: Fraction, place: str) -> None:
    """Raise DomainError where a count is below the floor eta N, and there alone.

    Data at the floor have neighbours below it, which are no inputs; of two neighbours that are
    inputs neither is refused, so that a refusal tells no more than that they are none.
    """
    if min(found) < floor:
        raise DomainError(f"{place}: a count is below eta N, so the data are no input of the "
                          f"mechanism ({_BENVENUTI})")  # fmt: skip


IDENTITY, AVERAGE, COUNTS = Identity(), _Average(), Counts()
