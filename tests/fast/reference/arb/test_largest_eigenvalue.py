"""The largest eigenvalue by traces: multiple ones, tiny ones, wide balls."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction

import pytest
from flint import arb, arb_mat, ctx
from simplexcert.reference.arb.balls import ball, working_precision
from simplexcert.reference.arb.largest_eigenvalue import largest_eigenvalue


@pytest.fixture(autouse=True)
def precision() -> Iterator[None]:
    with working_precision(128):
        yield


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


@pytest.mark.parametrize(
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
    for _ in range(20):
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


def test_the_precision_is_given_back() -> None:
    before = ctx.prec
    largest_eigenvalue(diagonal(2, 1))
    assert ctx.prec == before
