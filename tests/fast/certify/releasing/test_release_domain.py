"""A release serves every data set of its claim's domain, and refuses the others alone.

The domains are written down here once more, as sets of small data sets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from each import each_of
from private_files import CELLS, GIVEN, IDENTITY, MEAN, MOVES, RECORDS, SQUARE, STEPS, Case
from simplexcert.certify.audits.claim import claim_in
from simplexcert.certify.audits.decision import decide
from simplexcert.certify.verdict import Verdict
from simplexcert.reference.errors import InputError

Counts = tuple[int, ...]
SIXTHS = [Fraction(parts, 6) for parts in range(7)]
BORDER = {"k": 12, "eta": "1/6", "eta_bar": "1/6", "b": "1/3"}


def is_served(case: Case, folder: Path) -> bool:
    try:
        case.plan(folder)
    except InputError:
        return False
    return True


def all_counts(categories: int, most: int) -> Iterator[Counts]:
    """Yield the counts of at most so many records, and of one more."""
    found = product(range(most + 1), repeat=categories)
    return (counts for counts in found if sum(counts) <= most + 1)


def by_category(counts: Counts) -> str:
    return "category,count\n" + "".join(
        f"{name},{count}\n" for name, count in zip("ABC", counts, strict=True)
    )


def by_record(counts: Counts) -> str:
    names = (name * count for name, count in zip("ABC", counts, strict=True))
    return "pupil,grade\n" + "".join(f"x,{name}\n" for name in "".join(names))


@each_of("case, content", [(GIVEN, by_category), (RECORDS, by_record)])
@each_of("eta", ["1/6", "1/7", "1/5", "1/3"])
def test_counts_are_served_where_each_is_at_least_eta_n(
    case: Case, content: Callable[[Counts], str], eta: str, tmp_path: Path
) -> None:
    """The audit that sees the counts decides the same."""
    keys = {"k": 6, "eta": eta, "N": 6, "n": 3}
    for counts in all_counts(3, 6):
        inside = sum(counts) == 6 and all(count >= Fraction(eta) * 6 for count in counts)
        assert is_served(case.where(**keys).of(content(counts)), tmp_path) == inside
        if sum(counts) == 6 and eta in ("1/6", "1/7"):  # else there is one input at most
            release = {"mechanism": "dirichlet.counts", **keys, "counts": list(counts)}
            claim = {"epsilon": 1000, "delta": 1}
            found = decide(claim_in({"release": release, "claim": claim}, "claim.toml"))
            assert (found.verdict is Verdict.CERTIFIED) == inside
            assert inside or found.verdict is Verdict.INAPPLICABLE


@pytest.mark.parametrize("neighbours", ["replace", "add_remove"])
def test_every_histogram_is_served(neighbours: str, tmp_path: Path) -> None:
    for counts in all_counts(3, 3):
        assert is_served(CELLS.where(neighbours=neighbours).of(by_category(counts)), tmp_path)
        drawn = CELLS.where(neighbours=neighbours).listing(column="grade")
        assert is_served(drawn.of(by_record(counts)), tmp_path)


def test_a_label_is_served_in_records_or_refused_whatever_they_hold(tmp_path: Path) -> None:
    """A label that a file cannot hold would be refused where a record has it, and else served."""
    for character in map(chr, range(ord(" "), 127)):
        label = f"x{character}y"
        cells = CELLS.listing(column="grade", categories=["A", label])
        quoted = label.replace('"', '""')
        without, beside = 'grade\nA\n"A"\n', f'grade\nA\n"{quoted}"\n'
        served = is_served(cells.of(without), tmp_path)
        assert is_served(cells.of(beside), tmp_path) == served == (character != '"')


def test_a_row_of_counts_is_served_where_each_is_at_least_eta_n(tmp_path: Path) -> None:
    keys = {"k": [4, 4, 4], "eta": ["1/4", "1/2", 1], "N": [4, 4, 3], "n": [3, 2, 1]}
    said = {"epsilon": 1000, "delta": 1}
    for first, second in product(all_counts(3, 4), all_counts(2, 4)):
        if sum(first) != 4 or sum(second) != 4:
            continue
        inside = min(first) >= 1 and min(second) >= 2
        rows = [[*first], [0, *second], [3, 0, 0]]
        lines = "".join(f"{at},{line(tuple(x))}" for at, x in zip("abc", rows, strict=True))
        assert is_served(MOVES.where(**keys).of(f",a,b,c\n{lines}"), tmp_path) == inside
        moves = [
            f"{source},x,{target}\n" * count
            for source, row in zip("abc", rows, strict=True)
            for target, count in zip("abc", row, strict=True)
        ]
        steps = STEPS.where(**keys).of("source,zq_private,target\n" + "".join(moves))
        assert is_served(steps, tmp_path) == inside
        if min(second) == 0:
            continue  # a claim with counts takes what was not seen for infeasible
        release = {"mechanism": "markov.model", **keys, "counts": rows}
        found = decide(claim_in({"release": release, "claim": said}, "claim.toml")).verdict
        assert found is (Verdict.CERTIFIED if inside else Verdict.INAPPLICABLE)


def vectors(size: int = 3) -> Iterator[tuple[Fraction, ...]]:
    """Yield the vectors of sixths that sum to one, or nearly."""
    found = product(SIXTHS, repeat=size)
    yield from (vector for vector in found if 5 <= 6 * sum(vector) <= 7)


def is_bordered(vector: tuple[Fraction, ...], protected: int) -> bool:
    mine = vector[:protected]
    return sum(vector) == 1 and min(mine) >= Fraction(1, 6) and sum(mine) <= Fraction(5, 6)


def line(vector: tuple[Any, ...]) -> str:
    return ",".join(map(str, vector)) + "\n"


@pytest.mark.parametrize("protected", [1, 2])
def test_a_vector_is_served_in_its_bordered_simplex(protected: int, tmp_path: Path) -> None:
    """Without a public support one that has a 0 is refused; of neighbours both have it, or none."""
    names = ["rain", "snow", "wind_zq"]
    known = IDENTITY.where(**BORDER, w=protected).listing(protected=names[:protected])
    for vector in vectors():
        of_it, inside = f"rain,snow,wind_zq\n{line(vector)}", is_bordered(vector, protected)
        assert is_served(known.knowing("support").of(of_it), tmp_path) == inside
        assert is_served(known.of(of_it), tmp_path) == (inside and min(vector[protected:]) > 0)


def test_vectors_are_served_where_each_is_in_its_bordered_simplex(tmp_path: Path) -> None:
    some = [*vectors()][::7] + [vector for vector in vectors() if is_bordered(vector, 2)]
    for one, other in product(some[::2], some):
        inside = is_bordered(one, 2) and is_bordered(other, 2)
        case = MEAN.where(**BORDER, w=2, N=2).of(f"rain,snow,wind_zq\n{line(one)}{line(other)}")
        assert is_served(case.knowing("support"), tmp_path) == inside


def test_a_matrix_is_served_where_each_row_is_in_its_bordered_simplex(tmp_path: Path) -> None:
    case = SQUARE.where(**BORDER).knowing("support")
    for up, down in product(vectors(2), repeat=2):
        rows = f",up,down\nup,{line(up)}down,{line(down)}"
        inside = is_bordered(up, 1) and is_bordered(down, 1)
        assert is_served(case.of(rows), tmp_path) == inside
