"""Eigengaps: known ones, zero decided on patterns, refusals, and large chains.

The largest eigenvalue by traces: multiple ones, tiny ones, wide balls.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction

import pytest
from each import each_of
from flint import arb, arb_mat, ctx
from instances import instances
from simplexcert.reference import evaluate
from simplexcert.reference.arb.balls import ball, working_precision
from simplexcert.reference.errors import DomainError
from simplexcert.reference.pufferfish.gap import (
    eigengap,
    eigengap_reversible,
    is_reversible,
    largest_eigenvalue,
    stationary_minimum,
)
from simplexcert.reference.structures import Matrix

HALF = Fraction(1, 2)
# The two chains of song2017's running example.
THETA_1: Matrix = ((Fraction(9, 10), Fraction(1, 10)), (Fraction(2, 5), Fraction(3, 5)))
THETA_2: Matrix = ((Fraction(4, 5), Fraction(1, 5)), (Fraction(3, 10), Fraction(7, 10)))
SWAP: Matrix = ((Fraction(0), Fraction(1)), (Fraction(1), Fraction(0)))
SPLIT: Matrix = ((Fraction(1), Fraction(0)), (HALF, HALF))


@pytest.fixture(autouse=True)
def precision() -> Iterator[None]:
    with working_precision(128):
        yield


def circle(size: int, stay: Fraction) -> Matrix:
    """Return the walk on a circle that stays, or goes one step to either side."""
    beside = (1 - stay) / 2
    rows = [[Fraction(0)] * size for _ in range(size)]
    for x, row in enumerate(rows):
        row[x] += stay
        row[x - 1] += beside
        row[(x + 1) % size] += beside
    return tuple(map(tuple, rows))


def walk(size: int) -> Matrix:
    """Return the walk on a line that goes up with 1/3, down with 1/6, and else stays."""
    rows = [[Fraction(0)] * size for _ in range(size)]
    for x, row in enumerate(rows):
        row[min(x + 1, size - 1)] += Fraction(1, 3)
        row[max(x - 1, 0)] += Fraction(1, 6)
        row[x] += HALF
    return tuple(map(tuple, rows))


def dense(size: int) -> Matrix:
    rng = random.Random(size)  # noqa: S311
    rows = [[rng.randint(1, 1000) for _ in range(size)] for _ in range(size)]
    return tuple(tuple(Fraction(weight, sum(row)) for weight in row) for row in rows)


def test_the_running_example() -> None:
    for matrix, least in ((THETA_1, Fraction(1, 5)), (THETA_2, Fraction(2, 5))):
        assert eigengap(matrix) == Fraction(3, 4)
        assert eigengap_reversible(matrix) == 1
        assert stationary_minimum(matrix) == least


def test_circles_have_their_cosines() -> None:
    """All but one eigenvalue are double: stay + (1 - stay) cos(2 pi j/n)."""
    for size, stay in ((5, Fraction(1, 3)), (6, Fraction(2, 3)), (9, Fraction(1, 10))):
        cosines = [(ball(Fraction(2 * j, size)) * arb.pi()).cos() for j in range(1, size)]
        values = [abs(ball(stay) + ball(1 - stay) * cosine) for cosine in cosines]
        largest = values[0]
        for value in values:
            largest = largest.max(value)
        for found, known in (
            (eigengap(circle(size, stay)), 1 - largest**2),
            (eigengap_reversible(circle(size, stay)), 2 * (1 - largest)),
        ):
            assert isinstance(found, arb)
            assert found.rel_accuracy_bits() > 90
            assert found.overlaps(known)


def test_a_line_has_its_cosine() -> None:
    """1/2 + 2 sqrt(1/18) cos(pi/n) is the second eigenvalue of the walk on a line."""
    for size in (3, 7, 20):
        known = ball(HALF) + 2 * ball(Fraction(1, 18)).sqrt() * (arb.pi() / size).cos()
        found = eigengap_reversible(walk(size))
        assert isinstance(found, arb)
        assert found.rel_accuracy_bits() > 90
        assert found.overlaps(2 * (1 - known))


def test_what_is_known_exactly_is_exact() -> None:
    assert eigengap(SWAP) == eigengap_reversible(SWAP) == Fraction(0)
    assert eigengap(circle(4, Fraction(0))) == eigengap_reversible(circle(4, Fraction(0))) == 0
    alike = (dense(3)[0],) * 3
    assert eigengap(alike) == 1
    assert eigengap_reversible(alike) == 2
    line = ((Fraction(0), Fraction(1), Fraction(0)), (0, 0, Fraction(1)), (HALF, 0, HALF))
    exact = tuple(tuple(map(Fraction, row)) for row in line)
    assert eigengap(exact) == Fraction(0)
    assert isinstance(eigengap(exact), Fraction)


def test_a_slow_chain_has_a_small_gap_and_not_zero() -> None:
    slow = tuple(
        tuple(
            Fraction(int(x == y)) * (1 - Fraction(1, 10**9)) + e / 10**9 for y, e in enumerate(row)
        )
        for x, row in enumerate(circle(5, Fraction(1, 3)))
    )
    answer = evaluate("pufferfish.eigengap", {"P": slow})
    assert answer.enclosure.is_narrow(20)
    assert 0 < answer.enclosure.lower < answer.enclosure.upper < Fraction(1, 10**8)


def test_a_hundred_states_take_seconds() -> None:
    found = eigengap(dense(100))
    assert isinstance(found, arb)
    assert found.rel_accuracy_bits() > 100
    assert 0 < found < 1


def test_reducible_chains_are_refused_with_a_sentence() -> None:
    for name in ("stationary_minimum", "eigengap", "eigengap_reversible"):
        with pytest.raises(DomainError, match="P irreducible"):
            evaluate(f"pufferfish.{name}", {"P": SPLIT})


def test_irreversible_chains_have_no_reversible_gap() -> None:
    turning = tuple(tuple(Fraction([1, 2, 0][(y - x) % 3], 3) for y in range(3)) for x in range(3))
    assert not is_reversible(turning)
    with pytest.raises(DomainError, match=r"takes any chain"):
        evaluate("pufferfish.eigengap_reversible", {"P": turning})
    assert evaluate("pufferfish.eigengap", {"P": turning}).enclosure.is_narrow(20)


def test_the_precision_is_given_back() -> None:
    before = ctx.prec
    eigengap(dense(4))
    assert ctx.prec == before


def diagonal(*values: Fraction | int) -> arb_mat:
    size = len(values)
    entries = [ball(v) if x == y else arb(0) for x, v in enumerate(values) for y in range(size)]
    return arb_mat(size, size, entries)


def turned(matrix: arb_mat, cosine: Fraction, sine: Fraction) -> arb_mat:
    """Return the matrix turned in its first two coordinates."""
    size = matrix.nrows()
    turn = diagonal(*[1] * size)
    turn[0, 0], turn[0, 1], turn[1, 0], turn[1, 1] = map(ball, (cosine, -sine, sine, cosine))
    return turn * matrix * turn.transpose()


@each_of(
    "values",
    [(7,), (2, 1), (2, 2, 1), (1,) * 30, (3, Fraction(2_999_999, 10**6)), (Fraction(1, 10**60), 0)],
)
def test_it_encloses_narrowly_however_many_are_equal(values: tuple[Fraction | int, ...]) -> None:
    found = largest_eigenvalue(diagonal(*values))
    assert found.rel_accuracy_bits() > 100
    assert found.contains(arb(0) + ball(Fraction(max(values))))


def test_it_does_not_depend_on_the_axes() -> None:
    for values in ((5, 1, 2), (5, 5, 2), (1, 5, 0)):
        found = largest_eigenvalue(turned(diagonal(*values), Fraction(3, 5), Fraction(4, 5)))
        assert found.rel_accuracy_bits() > 100
        assert found.overlaps(arb(5))


def test_two_rows_have_their_closed_form() -> None:
    rng = random.Random("two rows")  # noqa: S311
    for _ in range(instances(8, 20)):
        a, b, c = (Fraction(rng.randint(-9, 9), 7) for _ in range(3))
        gram = ((a * a + b * b, b * c), (b * c, c * c))
        if a and c:
            matrix = arb_mat([[ball(entry) for entry in row] for row in gram])
            trace, area = gram[0][0] + gram[1][1], (a * c) ** 2
            printed = (ball(trace) + ball(trace * trace - 4 * area).sqrt()) / 2
            found = largest_eigenvalue(matrix)
            assert found.rel_accuracy_bits() > 100
            assert found.overlaps(printed)


def test_no_positive_trace_leaves_zero_and_the_trace() -> None:
    found = largest_eigenvalue(diagonal(0, 0))
    assert found.is_finite()
    assert found == 0
    wide = arb_mat(1, 1, [arb(0, 1)])
    assert largest_eigenvalue(wide).contains(arb("0.99"))
    assert not largest_eigenvalue(wide) > 2


def test_wide_entries_give_a_wide_ball_and_nan_gives_nan() -> None:
    entries = [arb(1, "0.01"), arb(0, "0.01"), arb(0, "0.01"), arb("0.5", "0.01")]
    found = largest_eigenvalue(arb_mat(2, 2, entries))
    assert all(found.contains(arb(text)) for text in ("0.99", "1", "1.01"))
    assert not largest_eigenvalue(arb_mat(1, 1, [arb("nan")])).is_finite()


def test_the_precision_is_given_back_by_the_squarings() -> None:
    before = ctx.prec
    largest_eigenvalue(diagonal(2, 1))
    assert ctx.prec == before
