"""The cases of one quantity: drawn ones, edges, inputs known to be hard, and what to refuse."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from importlib.metadata import version
from itertools import islice, zip_longest
from math import ceil
from random import Random
from typing import Any, Final, TypeVar

from ...reference.exact import exact_text
from ...reference.quantity import Quantity, Side
from ...reference.second import opinion_on
from ..checks.judgement import DEFAULT_ACCURACY
from ..points import Point
from .cases import Inside, case_inside, case_outside
from .edges import edge_points, has_whole_numbers
from .flags import FLAGS
from .known import known_points
from .models import EngineOpinion, FlagMeaning, Generator, Parameter, VectorCase, VectorFile
from .outside import points_outside
from .points import drawn_points, is_quick, is_written

# Of six cases one is outside of the domain; of twelve one is an edge. Of six one is known to be
# hard, if so many are; drawn are the others.
_OUTSIDE, _EDGE, _KNOWN, _ALL = Fraction(1, 6), Fraction(1, 12), Fraction(1, 6), Fraction(1)
# Points of the domain from which edges and points outside are made.
_BASES = 3
# Of points whose truth no engine can tell, so many a case are tried before there are fewer cases.
_TRIES = 10
_LIBRARIES: Final = {"arb": "python-flint", "mpfr": "gmpy2", "mpmath": "mpmath"}

Item = TypeVar("Item")


def vector_file(quantity: Quantity, cases: int, seed: int) -> VectorFile:
    """Return so many cases of a quantity; they depend on the seed and the number alone."""
    found = cases_of(quantity, cases, seed)
    used = sorted({flag for case in found for flag in case.flags})
    return VectorFile(
        type="https://simplexcert.github.io/vectors/v0",
        schema_version=1,
        generator=generator(),
        seed=seed,
        quantity=quantity.name,
        summary=quantity.summary,
        source=quantity.source,
        safe=quantity.safe.value,
        accuracy=exact_text(DEFAULT_ACCURACY) if quantity.safe is Side.NONE else None,
        parameters=[
            Parameter(name, domain.kind, domain.describe(name))  # type: ignore[arg-type]
            for name, domain in quantity.parameters.items()
        ],
        conditions=[condition.statement for condition in quantity.conditions],
        engines=_engines(quantity),
        number_of_cases=len(found),
        flags={name: FlagMeaning(*FLAGS[name]) for name in used},
        cases=found,
    )


def generator() -> Generator:
    """Return what writes the files."""
    return Generator("simplexcert", version("simplexcert"))


def _engines(quantity: Quantity) -> list[EngineOpinion]:
    second = opinion_on(quantity.name)
    return [
        EngineOpinion(name, rigorous, version(_LIBRARIES[name]))  # type: ignore[arg-type]
        for name, rigorous in (("arb", True), (second.engine, second.rigorous))
    ]


def cases_of(quantity: Quantity, cases: int, seed: int) -> list[VectorCase]:
    """Return so many different cases, in the order of their names."""
    seed_text = f"vectors/{seed}/{quantity.name}"
    quick = (
        point
        for point in drawn_points(quantity, seed_text)
        if is_quick(quantity, point) and is_written(point) and has_whole_numbers(quantity, point)
    )
    bases = list(islice(quick, _BASES))
    rng = Random(seed_text)  # noqa: S311 (test points, the same every time)
    found: dict[str, VectorCase] = {}

    def take(candidates: Iterable[VectorCase | None], share: Fraction) -> None:
        until = min(cases, len(found) + ceil(share * cases))
        for case in candidates:
            if case is not None:
                found.setdefault(case.id, case)
            if len(found) >= until:
                return

    take(_outside(quantity, bases, rng), _OUTSIDE)
    take(_inside(quantity, map(_known, known_points(quantity))), _KNOWN)
    take(_inside(quantity, _edges(quantity, bases, rng)), _EDGE)
    if len(found) < cases:
        take(_inside(quantity, map(Inside, bases)), _ALL)
    if len(found) < cases:
        take(_inside(quantity, map(Inside, islice(quick, _TRIES * cases))), _ALL)
    return [case for _, case in sorted(found.items())]


def _inside(quantity: Quantity, candidates: Iterable[Inside]) -> Iterator[VectorCase | None]:
    return (case_inside(quantity, candidate) for candidate in candidates)


def _known(point: Point) -> Inside:
    return Inside(point, flags=("WorstKnown",))


def _edges(quantity: Quantity, bases: list[Point], rng: Random) -> Iterator[Inside]:
    """Yield edges in an order that has every kind of them early."""
    edges = [edge for base in bases for edge in edge_points(quantity, base)]
    for edge in _in_turn(edges, lambda edge: edge.comment, rng):
        if is_quick(quantity, edge.point):
            yield Inside(edge.point, edge.comment, ("Boundary",))


def _outside(quantity: Quantity, bases: list[Point], rng: Random) -> Iterator[VectorCase]:
    """Yield cases outside of the domain, in an order that has every kind of them early."""
    everything = [outside for base in bases for outside in points_outside(quantity, base)]
    for outside in _in_turn(everything, lambda outside: outside.flags + outside.broken, rng):
        yield case_outside(quantity, outside)


def _in_turn(items: Iterable[Item], kind: Callable[[Item], Any], rng: Random) -> Iterator[Item]:
    """Yield items in random order, one of each kind in turn."""
    kinds: dict[Any, list[Item]] = {}
    for item in items:
        kinds.setdefault(kind(item), []).append(item)
    for group in kinds.values():
        rng.shuffle(group)
    for row in zip_longest(*kinds.values()):
        yield from (item for item in row if item is not None)
