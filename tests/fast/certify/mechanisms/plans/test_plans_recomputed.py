"""What a plan draws is what a few lines of fractions make of the same data, to the last digit."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from private_files import CELLS, GIVEN, IDENTITY, MEAN, MOVES, RECORDS, SQUARE, STEPS

K = st.fractions(1, 50, max_denominator=20)
PARTS = st.integers(1, 40)
SMALL = st.integers(2, 5)
SOME = settings(max_examples=50)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder for the data of all examples, one after the other."""
    return tmp_path_factory.mktemp("plans")


@st.composite
def _vectors(draw: st.DrawFn, rows: st.SearchStrategy[int]) -> list[list[Fraction]]:
    """Return points inside one simplex."""
    width = draw(st.integers(3, 5))
    parts = draw(rows.flatmap(lambda n: st.lists(_parts(width), min_size=n, max_size=n)))
    return [[Fraction(part, sum(row)) for part in row] for row in parts]


def _parts(width: int) -> st.SearchStrategy[list[int]]:
    return st.lists(PARTS, min_size=width, max_size=width)


def _border(vectors: list[list[Fraction]], k: Fraction) -> dict[str, str]:
    """Return the narrowest bordered simplex that the vectors are in, two coordinates protected."""
    eta = min(min(row[:2]) for row in vectors)
    return {"k": str(k), "eta": str(eta), "eta_bar": str(1 - max(sum(row[:2]) for row in vectors))}


def _csv(*lines: list[object]) -> str:
    return "".join(",".join(map(str, line)) + "\n" for line in lines)


@SOME
@given(_vectors(st.just(1)), K)
def test_a_vector(folder: Path, vectors: list[list[Fraction]], k: Fraction) -> None:
    (vector,) = vectors
    names = ["rain", "snow", "wind", "sun", "fog"][: len(vector)]
    case = IDENTITY.where(**_border(vectors, k)).listing(names=names)
    case = case.of(_csv([*names], [*vector]))
    assert case.rows(folder) == [[str(k * share) for share in vector]]


@SOME
@given(_vectors(SMALL), K)
def test_an_average(folder: Path, vectors: list[list[Fraction]], k: Fraction) -> None:
    names = ["rain", "snow", "wind", "sun", "fog"][: len(vectors[0])]
    case = MEAN.where(**_border(vectors, k), N=len(vectors)).listing(names=names)
    means = [Fraction(sum(column), len(vectors)) for column in zip(*vectors, strict=True)]
    found = case.of(_csv([*names], *([*row] for row in vectors))).rows(folder)
    assert found == [[str(k * mean) for mean in means]]


@SOME
@given(st.lists(st.integers(2, 9), min_size=2, max_size=5), K, st.randoms(use_true_random=False))
def test_counts(folder: Path, counts: list[int], k: Fraction, order: object) -> None:
    labels, size = list("ABCDE")[: len(counts)], sum(counts)
    records = [label for label, count in zip(labels, counts, strict=True) for _ in range(count)]
    order.shuffle(records)  # type: ignore[attr-defined]
    parameters = {"k": str(k), "eta": f"{min(counts) - 1}/{size}", "N": size, "n": len(counts)}
    wanted = [[str(k * Fraction(count, size)) for count in counts]]
    listed = RECORDS.where(**parameters).listing(categories=labels)
    assert listed.of(_csv(["grade"], *([label] for label in records))).rows(folder) == wanted
    lines = sorted(Counter(records).items(), reverse=True)
    told = GIVEN.where(**parameters).listing(categories=labels)
    assert told.of(_csv(["category", "count"], *([*line] for line in lines))).rows(folder) == wanted


@SOME
@given(st.lists(st.integers(0, 9), min_size=2, max_size=5), K, K)
def test_a_histogram(folder: Path, counts: list[int], step: Fraction, alpha: Fraction) -> None:
    labels = list("ABCDE")[: len(counts)]
    case = CELLS.where(step=str(step), alpha=str(alpha)).listing(categories=labels)
    lines = ([label, count] for label, count in zip(labels, counts, strict=True))
    found = case.of(_csv(["category", "count"], *lines)).rows(folder)
    assert found == [[str(step * count + alpha) for count in counts]]


@SOME
@given(_vectors(st.just(3)).filter(lambda rows: len(rows[0]) == 3), K)
def test_a_matrix(folder: Path, rows: list[list[Fraction]], k: Fraction) -> None:
    states = ["u", "v", "x"]
    case = SQUARE.where(**_border(rows, k), w=[2, 2, 2]).listing(
        states=states, protected={state: ["u", "v"] for state in states}
    )
    wanted = [[str(k * share) for share in row] for row in rows]
    lines = ([state, *row] for state, row in zip(states, rows, strict=True))
    assert case.of(_csv(["", *states], *lines)).rows(folder) == wanted
    pairs = [
        [source, target, rows[i][j]]
        for i, source in enumerate(states)
        for j, target in enumerate(states)
    ]
    assert case.of(_csv(["from", "to", "share"], *reversed(pairs))).rows(folder) == wanted


@SOME
@given(st.data(), st.lists(K, min_size=3, max_size=3))
def test_a_model(folder: Path, data: st.DataObject, ks: list[Fraction]) -> None:
    states = ["a", "b", "c"]
    feasible = {"a": ["a", "b", "c"], "b": ["b", "c"], "c": ["a"]}
    counts = [
        [data.draw(st.integers(2, 6)) if target in feasible[source] else 0 for target in states]
        for source in states
    ]
    sizes = list(map(sum, counts))
    least = [min(filter(None, row)) - 1 for row in counts]
    parameters = {
        "k": list(map(str, ks)),
        "eta": [f"{floor}/{size}" for floor, size in zip(least, sizes, strict=True)],
        "N": sizes,
    }
    wanted = [
        [str(k * Fraction(count, size)) for count in row]
        for k, row, size in zip(ks, counts, sizes, strict=True)
    ]
    lines = ([state, *row] for state, row in zip(states, counts, strict=True))
    assert MOVES.where(**parameters).of(_csv(["", *states], *lines)).rows(folder) == wanted
    records = [
        [source, 7, target]
        for i, source in enumerate(states)
        for j, target in enumerate(states)
        for _ in range(counts[i][j])
    ]
    content = _csv(["source", "at", "target"], *data.draw(st.permutations(records)))
    assert STEPS.where(**parameters).of(content).rows(folder) == wanted
