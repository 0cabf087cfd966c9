"""Read what a certificate says of samplers, work it out again, and demand that its verdict follows.

Counts are believed: the draws are not there. Everything else, which tests there are, their
thresholds, probabilities and tails, is made anew from the parameters.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from ...reference.errors import InputError
from ...reference.exact import exact_number, exact_text, shown
from ..points import double_in
from ..verdict import Verdict, overall, standing
from .constants import (
    DRAWS,
    FALSE_ALARM,
    LARGEST_ALPHA,
    LARGEST_SCALE,
    LEAST_ALPHA,
    LEAST_SCALE,
    MOST_TESTS,
)
from .distributions import Ends
from .points import DIMENSIONS, DIRICHLET, LAPLACE, Point, points_of
from .results import Tested
from .statistics import as_written


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
