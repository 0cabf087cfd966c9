"""Results of the tests of samplers: counts of draws, their exact binomial tails, and verdicts.

Of the draws only counts are kept. Those of one call are taken for independent, and those of calls
with different seeds too: a sampler is asked for that, and some of the tests are of it. To check a
certificate anew its counts are believed, for the draws are not there; everything else, which tests
there are, their thresholds, probabilities and tails, is worked out again from the parameters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from typing import Any

from ...reference.arb.balls import working_precision
from ...reference.arb.incomplete_beta import regularised_incomplete_beta
from ...reference.errors import InputError
from ...reference.exact import exact_number, exact_text, shown
from ..backends.draws import BadDrawsError, Draws, draws_in
from ..backends.protocol import SAMPLERS, Backend
from ..points import double_in
from ..verdict import Verdict, overall, standing
from .distributions import CERTAIN, IMPOSSIBLE, PRECISION_BITS, Ends, at_most, ends_of, within_one
from .events import CHUNK, DRAWS, AnotherWhenAskedAgain, Counted, Event, SameForAnotherSeed
from .points import (
    DIMENSIONS,
    DIRICHLET,
    LAPLACE,
    LARGEST_ALPHA,
    LARGEST_SCALE,
    LEAST_ALPHA,
    LEAST_SCALE,
    Point,
    points_of,
)
from .statistics import as_written

# Probability that a campaign refutes any correct sampler, over all tests of all its samplers.
FALSE_ALARM = Fraction(1, 10**9)
# More tests than any campaign has; the power is stated for so many.
MOST_TESTS = 1_000

NON_CLAIM = (
    "Draws of a sampler were counted in regions of known probability: that refutes a sampler, and "
    "proves none. The draws cannot be made again from this certificate; their counts are believed."
)


# How odd a count is: by its exact binomial tail.
#
# Both sides are looked at: a count above what the largest possible probability expects is held
# against that, one below against the smallest, and the tail is doubled. So a sampler whose
# probability lies within the ends is refuted at a level with at most that probability.

_KEPT = 8192


@lru_cache(_KEPT)
def at_least(count: int, trials: int, probability: Fraction) -> Ends:
    """Enclose P(K >= count), K binomial: I_p(count, trials - count + 1)."""
    if count <= 0:
        return CERTAIN
    if count > trials or probability == 0:
        return IMPOSSIBLE
    with working_precision(PRECISION_BITS):
        first, second = Fraction(count), Fraction(trials - count + 1)
        return ends_of(regularised_incomplete_beta(first, second, probability))


def at_most_count(count: int, trials: int, probability: Fraction) -> Ends:
    """Enclose P(K <= count): as many failures are left."""
    return at_least(trials - count, trials, 1 - probability)


def doubled_tail(count: int, trials: int, probability: Ends) -> Ends:
    """Enclose twice the tail on the count's side, at the end nearest to it; 1 within the ends."""
    if count > trials * probability.upper:
        tail = at_least(count, trials, probability.upper)
    elif count < trials * probability.lower:
        tail = at_most_count(count, trials, probability.lower)
    else:
        return CERTAIN
    return within_one(2 * tail.lower, 2 * tail.upper)


def level(tests_in_all: int) -> Fraction:
    """Return the probability that one test may refute a correct sampler with (Bonferroni)."""
    return FALSE_ALARM / tests_in_all


def tail_verdict(tail: Ends, tests_in_all: int) -> Verdict:
    """Return what a tail says: refuted only if it is certainly below the level."""
    if tail.upper < level(tests_in_all):
        return Verdict.REFUTED
    return Verdict.CERTIFIED if tail.lower >= level(tests_in_all) else Verdict.UNDECIDED


# A smaller tail is written as lying between 0 and this.
_LEAST_TAIL = FALSE_ALARM**30


@dataclass(frozen=True)
class Tested:
    """How often one event held, how odd that is, and what follows."""

    event: Event
    count: int
    tests_in_all: int

    @property
    def tail(self) -> Ends:
        """Twice the binomial tail."""
        tail = doubled_tail(self.count, self.event.trials, self.event.probability())
        return at_most(_LEAST_TAIL) if 0 < tail.upper < _LEAST_TAIL else tail

    @property
    def verdict(self) -> Verdict:
        """What the tail says."""
        return tail_verdict(self.tail, self.tests_in_all)

    def as_json(self) -> dict[str, Any]:
        """Return the test in the shape that a certificate has."""
        return {
            "test": self.event.name,
            "parameters": as_written(self.event.parameters()),
            "draws": self.event.trials,
            "count": self.count,
            "probability": self.event.probability().decimals(),
            "verdict": self.verdict.value,
            "tail": self.tail.decimals(),
        }


@dataclass(frozen=True)
class SamplerResult:
    """The tests of a sampler at one point; none, and why, where its answers were no draws."""

    point: Point
    tests: tuple[Tested, ...]
    tests_in_all: int
    reason: str = ""

    @property
    def sampler(self) -> str:
        """The sampler's name."""
        return self.point.sampler

    @property
    def parameters(self) -> Mapping[str, Any]:
        """The parameters, doubles as C99 hex text."""
        return self.point.written()

    @property
    def verdict(self) -> Verdict:
        """The gravest of the tests; an error where there are none."""
        return overall(test.verdict for test in self.tests) if self.tests else Verdict.ERROR

    @property
    def draws(self) -> int:
        """How many draws were tested."""
        return DRAWS if self.tests else 0

    def worst(self) -> Tested | None:
        """Return the test with the smallest tail, the first of them."""
        return min(self.tests, key=lambda test: test.tail.upper, default=None)

    def as_json(self) -> dict[str, Any]:
        """Return the result in the shape that a certificate has."""
        return {
            "sampler": self.sampler,
            "verdict": self.verdict.value,
            "parameters": self.parameters,
            "draws": self.draws,
            "seed": self.point.seed,
            "tests": [test.as_json() for test in self.tests],
            "false_alarm": exact_text(FALSE_ALARM),
            "tests_in_all": self.tests_in_all,
        }


def points_to_test(backend: Backend, seed: int) -> tuple[Point, ...]:
    """Return the points at which the samplers that a backend offers are tested."""
    return tuple(
        point
        for sampler in SAMPLERS
        if sampler in backend.samplers
        for point in points_of(sampler, seed)
    )


def sampler_results(
    backend: Backend, seed: int, on_left: Callable[[int], None] | None = None
) -> tuple[SamplerResult, ...]:
    """Test the samplers that a backend offers, in the campaign of a seed."""
    return results_at(points_to_test(backend, seed), backend, on_left)


def results_at(
    points: tuple[Point, ...], backend: Backend, on_left: Callable[[int], None] | None = None
) -> tuple[SamplerResult, ...]:
    """Test samplers at these points; the false alarms are shared out over all their tests.

    After each point ``on_left`` is told how many are left.
    """
    found: list[tuple[Point, tuple[int, ...], str]] = []
    for point in points:
        try:
            counts = _counts_at(point, partial(_asked, backend.samplers[point.sampler], point))
            found.append((point, counts, ""))
        except BadDrawsError as error:
            found.append((point, (), str(error)))
        if on_left:
            on_left(len(points) - len(found))
    in_all = sum(len(counts) for _, counts, _ in found)
    return tuple(_result(point, counts, reason, in_all) for point, counts, reason in found)


def _result(point: Point, counts: tuple[int, ...], reason: str, in_all: int) -> SamplerResult:
    events = point.events() if counts else ()
    tests = tuple(Tested(event, count, in_all) for event, count in zip(events, counts, strict=True))
    return SamplerResult(point, tests, in_all, reason)


def _asked(sampler: Callable[..., Any], point: Point, seed: int) -> Draws:
    """Return the draws of a chunk. Raises BadDrawsError."""
    answer: object
    try:
        answer = sampler(**point.given(), count=CHUNK, seed=seed)
    except KeyboardInterrupt:
        raise
    # A backend under test may raise anything, SystemExit included: that is its answer.
    except BaseException as error:  # noqa: BLE001
        answer = error
    return draws_in(answer, CHUNK, point.width)


def _counts_at(point: Point, asked: Callable[[int], Draws]) -> tuple[int, ...]:
    """Return how often each event of a point held. Raises BadDrawsError."""
    events = point.events()
    counts = [0] * len(events)
    for one, other, is_repeated in _chunks(point, asked):
        for at, event in enumerate(events):
            counts[at] += _count(event, one, other, is_repeated=is_repeated)
    return tuple(counts)


def _chunks(point: Point, asked: Callable[[int], Draws]) -> Iterator[tuple[Draws, Draws, bool]]:
    """Yield the chunks by twos, and last the first one with itself, asked for again."""
    first: Draws | None = None
    for chunk in range(0, DRAWS // CHUNK, 2):
        one, other = (asked(point.chunk_seed(at)) for at in (chunk, chunk + 1))
        first = one if first is None else first
        yield one, other, False
    if first is not None:
        yield first, asked(point.chunk_seed(0)), True


def _count(event: Event, one: Draws, other: Draws, *, is_repeated: bool) -> int:
    if isinstance(event, AnotherWhenAskedAgain):
        return event.count(one, other) if is_repeated else 0
    if is_repeated:
        return 0
    if isinstance(event, SameForAnotherSeed):
        return event.count(one, other)
    assert isinstance(event, Counted)
    return event.count(one) + event.count(other)


def sampler_verdict(written: Mapping[str, Any]) -> Verdict:
    """Return what is found of a sampler at one point, from a certificate's account of it.

    Raises InputError where the account is not one of all tests at that point, with as many draws
    as are needed, or states another probability or tail than follows from the counts, or a verdict
    that contradicts them or its tests. An account without tests is one of an error.
    """
    point = _point(written)
    name = f"{point.sampler} at {', '.join(map(exact_text, point.values))}"
    tests, in_all = written["tests"], written["tests_in_all"]
    _require(
        exact_number(written["false_alarm"], name) == FALSE_ALARM,
        f"{name}: the rate of false alarms is {exact_text(FALSE_ALARM)} in all",
    )
    _require(
        len(tests) <= in_all <= MOST_TESTS, f"{name}: {in_all} tests in all, {len(tests)} here"
    )
    needed = DRAWS if tests else 0
    _require(written["draws"] == needed, f"{name}: {written['draws']} draws, and not {needed}")
    found = _tests_verdict(point, tests, in_all, name)
    stated = overall(Verdict(test["verdict"]) for test in tests) if tests else Verdict.ERROR
    _require(
        written["verdict"] == stated.value,
        f"{name}: the verdict is {stated.value}, not {shown(written['verdict'])}",
    )
    return found


def require_all_points(written: Sequence[Mapping[str, Any]], seed: int) -> None:
    """Require every point at which a seed tests the samplers told of, and the number of tests.

    Raises InputError.
    """
    in_all = sum(len(one["tests"]) for one in written)
    for one in written:
        _require(
            one["tests_in_all"] == in_all,
            f"{in_all} tests of samplers are told of, not {one['tests_in_all']}",
        )
    for sampler in dict.fromkeys(one["sampler"] for one in written):
        told = [_point(one) for one in written if one["sampler"] == sampler]
        _require(
            told == list(points_of(sampler, seed)),
            f"the points at which {sampler} was tested are not those of the seed {seed}",
        )


def _require(holds: bool, otherwise: str) -> None:
    if not holds:
        raise InputError(otherwise)


def _point(written: Mapping[str, Any]) -> Point:
    sampler, parameters = written["sampler"], written["parameters"]
    if sampler == DIRICHLET:
        values = _doubles(parameters, "alpha", LEAST_ALPHA, LARGEST_ALPHA)
        _require(len(values) in DIMENSIONS, f"dirichlet: {len(values)} alphas are not tested")
    elif sampler == LAPLACE:
        values = _doubles(parameters, "scale", LEAST_SCALE, LARGEST_SCALE)
    else:
        raise InputError(f"there is no sampler {shown(sampler)}")
    return Point(sampler, values, written["seed"])


def _doubles(
    parameters: Mapping[str, Any], name: str, least: Fraction, largest: Fraction
) -> tuple[Fraction, ...]:
    """Return a parameter's numbers. Raises InputError where it is not the only one, or outside."""
    _require(list(parameters) == [name], f"the parameters are not {name} alone")
    value = parameters[name]
    _require(isinstance(value, list) == (name == "alpha"), f"{name} is {shown(value)}")
    try:
        found = tuple(exact_number(double_in(text)) for text in _texts(value))
    except InputError:
        raise InputError(f"{name} = {shown(value)} is no C99 hex text") from None
    _require(
        all(least <= one <= largest for one in found),
        f"{name} = {', '.join(map(exact_text, found))} is not tested",
    )
    return found


def _texts(value: Any) -> list[str]:
    texts = value if isinstance(value, list) else [value]
    _require(all(isinstance(text, str) for text in texts), f"{shown(value)} is no C99 hex text")
    return texts


def _tests_verdict(
    point: Point, tests: Sequence[Mapping[str, Any]], in_all: int, name: str
) -> Verdict:
    """Return the gravest verdict of the tests, which are to be all that there are."""
    if not tests:
        return Verdict.ERROR
    events = point.events()
    told = [(test["test"], test["parameters"], test["draws"]) for test in tests]
    there_are = [(one.name, as_written(one.parameters()), one.trials) for one in events]
    _require(told == there_are, f"{name}: the tests are not those that are made there")
    results = [
        Tested(event, test["count"], in_all) for event, test in zip(events, tests, strict=True)
    ]
    for test, result in zip(tests, results, strict=True):
        _require_follows(test, result, f"{name}, {result.event.name}")
    return overall(result.verdict for result in results)


def _require_follows(test: Mapping[str, Any], result: Tested, name: str) -> None:
    trials = result.event.trials
    _require(0 <= test["count"] <= trials, f"{name}: a count of {test['count']} of {trials}")
    for what, found in (("probability", result.event.probability()), ("tail", result.tail)):
        stated = Ends(*(exact_number(test[what][end], name) for end in ("lower", "upper")))
        _require(
            stated.lower <= stated.upper and stated.overlaps(found),
            f"{name}: the {what} is not within the ends that are stated",
        )
    _require(
        standing(Verdict(test["verdict"]), result.verdict) is not None,
        f"{name}: {test['count']} of {trials} is {result.verdict.value}, not {test['verdict']}",
    )
