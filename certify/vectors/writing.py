"""Files of cases, written into a folder: each whole or not at all, the index last.

A quantity's cases are drawn ones, edges, inputs known to be hard, and points to refuse.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from importlib.metadata import version
from itertools import islice, zip_longest
from math import ceil
from pathlib import Path
from random import Random
from typing import Any, Final, TypeVar

import msgspec
import rfc8785

from ...reference.errors import InputError
from ...reference.exact import exact_text, shown
from ...reference.quantity import Quantity, Side, quantities_matching
from ...reference.second import opinion_on
from ..campaign import MAX_SEED
from ..checks.judgement import DEFAULT_ACCURACY
from ..files import require_writable, write_whole
from ..marks import INDEX, SCHEMA, VECTORS, VECTORS_PAGE, Mark
from ..points import Point
from .cases import Inside, case_inside, case_outside
from .flags import FLAGS, Flag
from .outside import points_outside
from .points import drawn_points, edge_points, has_whole_numbers, is_quick, is_written, known_points
from .schema import (
    FOLDER,
    SCHEMAS,
    EngineOpinion,
    FlagMeaning,
    Generator,
    Index,
    IndexEntry,
    Parameter,
    VectorCase,
    VectorFile,
)

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
    """Return the file of ``cases`` cases of a quantity; it depends on seed and number alone."""
    return file_of(quantity, cases_of(quantity, cases, seed), seed, FLAGS)


def file_of(
    quantity: Quantity, found: list[VectorCase], seed: int, meanings: Mapping[str, Flag]
) -> VectorFile:
    """Return the file of these cases of a quantity; ``meanings`` of flags go before our own."""
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
        flags={name: FlagMeaning(*{**FLAGS, **meanings}[name]) for name in used},
        cases=found,
    )


def generator() -> Generator:
    """Return the name and version of the program that writes the files."""
    return Generator("simplexcert", version("simplexcert"))


def _engines(quantity: Quantity) -> list[EngineOpinion]:
    second = opinion_on(quantity.name)
    return [
        EngineOpinion(name, rigorous, version(_LIBRARIES[name]))  # type: ignore[arg-type]
        for name, rigorous in (("arb", True), (second.engine, second.rigorous))
    ]


def cases_of(quantity: Quantity, cases: int, seed: int) -> list[VectorCase]:
    """Return ``cases`` different cases, in the order of their names."""
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


DEFAULT_CASES = 60
# Fewer would have no case of some kind; of more than so many, a file would take long to read.
MIN_CASES, MAX_CASES = 12, 10_000
_INDEX_FILE = "index.json"
# What is copied beside the cases, so that a folder needs nothing else of ours.
_COPIED: dict[str, Mark] = {"VECTORS.md": VECTORS_PAGE, **dict.fromkeys(SCHEMAS, SCHEMA)}


def write_vectors(
    folder: str | Path,
    *,
    pattern: str = "*",
    cases: int = DEFAULT_CASES,
    seed: int = 0,
    on_progress: Callable[[int, int], None] | None = None,
) -> Index:
    """Write a file of cases for each quantity that a glob matches, and return the index of them.

    The same seed, number and versions give the same bytes. Raises InputError where nothing can be
    written or the folder holds other files; what is interrupted leaves whole files and no index.
    """
    if not MIN_CASES <= cases <= MAX_CASES:
        raise InputError(f"cases = {shown(cases)}: ask for {MIN_CASES} to {MAX_CASES}")
    if abs(seed) > MAX_SEED:
        raise InputError(f"seed = {shown(seed)}: it must lie within {MAX_SEED} of 0")
    wanted = quantities_matching(pattern)
    target = Path(folder)
    made = _ready(target, {_file_name(name) for name in wanted})
    try:
        return _written(target, list(wanted.values()), cases, seed, on_progress)
    except BaseException:
        if made and not any(target.iterdir()):
            target.rmdir()
        raise


def _file_name(quantity: str) -> str:
    """Return the name of a quantity's file."""
    return f"{quantity}.json"


def _ready(folder: Path, names: Iterable[str]) -> bool:
    """Make the folder if it is not there, and say whether it was made.

    Raises InputError if it is a file, holds files that would not be written now, or is closed.
    """
    if folder.exists() and not folder.is_dir():
        raise InputError(f"cannot write vectors to {folder}: it is a file, not a folder")
    try:
        made = not folder.exists()
        folder.mkdir(exist_ok=True)
        there = {path.name for path in folder.iterdir()}
    except OSError as error:
        raise InputError(f"cannot write vectors to {folder}: {error.strerror}") from None
    others = sorted(there - {_INDEX_FILE, *_COPIED, *names})
    if others:
        raise InputError(
            f"cannot write vectors to {folder}: it holds other files, such as {others[0]}; "
            "give an empty folder"
        )
    for name, mark in ({_INDEX_FILE: INDEX} | dict.fromkeys(names, VECTORS) | _COPIED).items():
        require_writable(folder / name, mark)
    # Until all is written there is no index: an old one would speak of other files.
    (folder / _INDEX_FILE).unlink(missing_ok=True)
    return made


def _written(
    folder: Path,
    wanted: list[Quantity],
    cases: int,
    seed: int,
    on_progress: Callable[[int, int], None] | None,
) -> Index:
    entries = []
    for done, quantity in enumerate(wanted, start=1):
        entries.append(_one(folder, vector_file(quantity, cases, seed)))
        if on_progress:
            on_progress(done, len(wanted))
    for name, mark in _COPIED.items():
        write_whole(folder / name, (FOLDER / name).read_bytes(), mark)
    index = Index("https://simplexcert.github.io/vectors-index/v0", 1, generator(), seed, entries)
    write_whole(folder / _INDEX_FILE, canonical(index), INDEX)
    return index


def _one(folder: Path, made: VectorFile) -> IndexEntry:
    """Write the file of one quantity, and return its line of the index."""
    write_whole(folder / _file_name(made.quantity), canonical(made), VECTORS)
    return index_entry(made)


def index_entry(made: VectorFile) -> IndexEntry:
    """Return the line of the index of a file."""
    results = Counter(case.result for case in made.cases)
    return IndexEntry(
        _file_name(made.quantity),
        hashlib.sha256(canonical(made)).hexdigest(),
        made.quantity,
        results["valid"],
        results["acceptable"],
        results["invalid"],
    )


def canonical(shape: VectorFile | Index) -> bytes:
    """Return canonical JSON (RFC 8785)."""
    return rfc8785.dumps(msgspec.to_builtins(shape))
