"""The laws of proofs_notes/matrix.md: a test named for each heading."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING

import pytest
from ball_checks import seeded
from flint import arb
from instances import instances
from simplexcert.certify.papers.fallin2023 import privacy
from simplexcert.reference.arb.balls import ball, working_precision
from simplexcert.reference.dirichlet import identity, matrix, profile
from simplexcert.reference.dirichlet.composition import Releases, delta_of
from simplexcert.reference.dirichlet.composition.quantities import smallest_epsilon
from simplexcert.reference.dirichlet.pair import Neighbours
from simplexcert.reference.dirichlet.tail import Miss
from simplexcert.reference.enclosure import Trilean

if TYPE_CHECKING:
    from collections.abc import Iterator

    from simplexcert.reference.quantity import Routed

ETA, ETA_BAR, B, GAMMA = (Fraction(x) for x in ("0.1", "0.051", "0.025", "0.001"))
K = Fraction("9.87")
PRINTED_EPSILON, PRINTED_DELTA = Fraction("1.16"), Fraction("0.011")
WIDTHS = range(2, 10)


@pytest.fixture(autouse=True)
def precision() -> Iterator[None]:
    with working_precision(128):
        yield


def narrow(value: arb | Fraction | Routed) -> arb:
    found = getattr(value, "value", value)
    known = ball(found) if isinstance(found, Fraction) else found
    assert isinstance(known, arb)
    assert known.rel_accuracy_bits() > 60
    return known


def near(value: arb | Routed, printed: str) -> bool:
    """Whether the value rounds to what is printed."""
    figures, _, power = printed.partition("e")
    half = Fraction(10) ** (int(power or 0) - len(figures.partition(".")[2])) / 2
    known = narrow(value)
    return bool(ball(Fraction(printed) - half) < known < ball(Fraction(printed) + half))


def changed(rows: int, epsilon: Fraction = PRINTED_EPSILON) -> arb:
    return narrow(matrix.delta(K, ETA, B, rows, epsilon))


def random_row(random: Random, w: int) -> list[Fraction]:
    """Return the protected part of a row in the domain."""
    room = 1 - ETA_BAR - w * ETA
    shares = [Fraction(random.randint(0, 100)) for _ in range(w + 1)]
    total = sum(shares) or Fraction(1)
    return [ETA + room * share / total for share in shares[:w]]


def in_domain(row: list[Fraction]) -> bool:
    return min(row) >= ETA and sum(row) <= 1 - ETA_BAR


def adjacent_row(random: Random, row: list[Fraction], b: Fraction) -> list[Fraction]:
    """Move as much as the definition allows, or less, between two coordinates."""
    i, j = random.sample(range(len(row)), 2)
    step = min(b / 2, row[j] - ETA) * random.choice((1, Fraction(1, 2)))
    other = list(row)
    other[i], other[j] = row[i] + step, row[j] - step
    return other


def test_never_passes_floor_and_step() -> None:
    random = seeded(1)
    for b in (B, Fraction(1)):
        for w in (2, 5, 9):
            worst = matrix.worst_rows(K, ETA, ETA_BAR, b, ((w, GAMMA),), 1)
            ((alpha, step, count),) = worst.releases
            assert (alpha, count) == (K * ETA, 1)
            for _ in range(instances(13, 40)):
                row = random_row(random, w)
                other = adjacent_row(random, row, b)
                assert in_domain(row)
                assert in_domain(other)
                assert sum(abs(x - y) for x, y in zip(row, other, strict=True)) <= b
                assert K * min(*row, *other) >= alpha
                assert max(K * abs(x - y) for x, y in zip(row, other, strict=True)) <= step
    rows = ((2, GAMMA), (9, GAMMA), (5, GAMMA))
    wide = Fraction(1)
    steps = [K * min(wide / 2, 1 - ETA_BAR - w * ETA) for w in (2, 5, 9)]
    for most in (1, 2, 3):
        worst = matrix.worst_rows(K, ETA, ETA_BAR, wide, rows, most)
        assert sorted((s for _, s, _ in worst.releases), reverse=True) == steps[:most]
    assert steps[0] > steps[1] > steps[2]
    too_many = matrix.worst_rows(K, ETA, ETA_BAR, B, ((10, GAMMA), (2, GAMMA)), 1)
    assert too_many.neighbours is Neighbours.NO_INPUT
    still = matrix.worst_rows(K, ETA, Fraction("0.1"), B, ((9, GAMMA), (1, GAMMA)), 2)
    assert still.neighbours is Neighbours.NONE


def test_rows_attain() -> None:
    for b in (B, Fraction(1)):
        rows = tuple((w, GAMMA) for w in (2, 5, 9, 9))
        worst = matrix.worst_rows(K, ETA, ETA_BAR, b, rows, 3)
        assert worst.neighbours is Neighbours.ATTAINED
        parts = []
        for (w, _), pair in zip(rows, worst.pairs, strict=False):
            rest = [ETA] * (w - 2)
            first, second = [*pair.first, *rest], [*pair.second, *rest]
            assert in_domain(first)
            assert in_domain(second)
            assert sum(abs(x - y) for x, y in zip(first, second, strict=True)) <= b
            assert first == [*reversed(second[:2]), *rest]
            floor, larger = sorted(pair.first)
            parts.append((K * floor, K * (larger - floor), 1))
        assert Releases.of(parts).kinds == worst.releases


def test_one_row_is_the_identity_query() -> None:
    for w in (2, 9):
        given = K, ETA, ETA_BAR, B
        one = narrow(matrix.epsilon_bound(*given, ((w, GAMMA),)))
        assert one.overlaps(narrow(identity.epsilon_bound(*given, w, GAMMA)))
        missed = narrow(matrix.delta_bound(K, ETA, ((w, GAMMA),)))
        assert missed.overlaps(narrow(identity.delta_bound(K, ETA, w, GAMMA)))
    alone = narrow(profile.delta(*identity.floor_and_step(K, ETA, ETA_BAR, B, 2), PRINTED_EPSILON))
    assert changed(1).overlaps(alone)


def test_largest_row_decides() -> None:
    random = seeded(2)
    given = K, ETA, ETA_BAR, B
    for _ in range(10):
        rows = tuple(
            (random.choice(WIDTHS), Fraction(random.randint(1, 99), 1000)) for _ in range(4)
        )
        single = [narrow(matrix.epsilon_bound(*given, (row,))) for row in rows]
        together = narrow(matrix.epsilon_bound(*given, rows))
        assert not any(value > together for value in single)
        assert any(value.overlaps(together) for value in single)


def test_miss_rises_with_w_and_gamma() -> None:
    """And so the largest of the rows' misses is the one of all rows."""
    assert privacy.misses_rise()
    levels = [Fraction(n, 100) for n in (1, 3, 9)]
    random = seeded(3)
    for _ in range(5):
        rows = tuple((random.choice(WIDTHS), random.choice(levels)) for _ in range(6))
        single = [narrow(matrix.delta_bound(K, ETA, (row,))) for row in rows]
        together = narrow(matrix.delta_bound(K, ETA, rows))
        assert not any(value > together for value in single)
        assert any(value.overlaps(together) for value in single)


def test_printed_delta_takes_the_smallest() -> None:
    """1 - max of the survivals is the smallest miss; the two rows differ."""
    rows = ((2, GAMMA), (9, GAMMA))
    small, large = (narrow(matrix.delta_bound(K, ETA, (row,))) for row in rows)
    printed = 1 - (1 - small).max(1 - large)
    assert printed.overlaps(small)
    assert printed < large
    assert narrow(matrix.delta_bound(K, ETA, rows)).overlaps(large)


def test_recorded_bounds() -> None:
    recorded = {
        ("9.87", 2): ("1.16775", "0.0188270"),
        ("9.87", 9): ("1.16688", "0.0822621"),
        ("98.7", 2): ("11.12925", "4.658e-17"),
        ("98.7", 9): ("11.12057", "2.096e-16"),
    }
    for (k, w), (epsilon, delta) in recorded.items():
        rows = ((w, GAMMA),)
        assert near(matrix.epsilon_bound(Fraction(k), ETA, ETA_BAR, B, rows), epsilon)
        assert near(matrix.delta_bound(Fraction(k), ETA, rows), delta)
    for k, claimed in (("9.87", "0.011"), ("98.7", "0.019")):
        values = [narrow(matrix.delta_bound(Fraction(k), ETA, ((w, GAMMA),))) for w in WIDTHS]
        assert all(value > ball(Fraction(claimed) * 3 / 2) for value in values) or all(
            value < ball(Fraction(claimed) / 100) for value in values
        )
    third = next(item for item in matrix.HYPOTHESES if "1/eta" in item.statement)
    given = {"k": K, "eta": ETA, "eta_bar": ETA_BAR}
    assert third.holds(given) is Trilean.FALSE
    assert third.holds({**given, "k": Fraction(10)}) is Trilean.TRUE


def test_theorem_1_fails() -> None:
    for rows, printed in ((1, "1.1496e-5"), (7, "0.0088263"), (8, "0.0127886"), (32, "0.1787909")):
        assert near(changed(rows), printed)
    assert changed(7) < ball(PRINTED_DELTA) < changed(8)
    releases = Releases(((K * ETA, K * B / 2, 32),))
    root = smallest_epsilon(releases, PRINTED_DELTA)
    assert isinstance(root, arb)
    assert near(root, "3.02685")
    own = Fraction("1.16776")  # above the theorem's epsilon for w = 2
    assert narrow(matrix.epsilon_bound(K, ETA, ETA_BAR, B, ((2, GAMMA),))) < ball(own)
    assert changed(32, own) > narrow(matrix.delta_bound(K, ETA, ((2, GAMMA),)))
    assert near(changed(32, own), "0.1773")


def test_epsilon_one_half_is_out_of_reach() -> None:
    assert not ETA + B / 2 > 1 - ETA_BAR - ETA
    for w in WIDTHS:
        values = [
            narrow(matrix.epsilon_bound(Fraction(k), ETA, ETA_BAR, B, ((w, GAMMA),)))
            for k in (10, 11, 50, 200)
        ]
        assert all(later > before for before, later in pairwise(values))
        assert values[0] > 1.1813


def test_zero_entries() -> None:
    """A row of Section V: whatever zeros it has, the worst event is that of w coordinates."""
    for zeros in (0, 3, 27):
        row = [ETA] * 4 + [1 - 4 * ETA] + [Fraction(0)] * zeros
        support = [entry for entry in row if entry]
        w = len(support) - 1
        protected, outside = support[:w], sum(support[w:])
        event = Miss.of([K * entry for entry in protected], K * outside, GAMMA)
        assert event == identity.worst_miss(K, ETA, w, GAMMA)
        worst = matrix.worst_rows(K, ETA, ETA_BAR, B, ((w, GAMMA),), 1)
        first = [*worst.pairs[0].first, *[ETA] * (w - 2)]
        assert len(first) == w
        assert 1 - sum(first) >= ETA_BAR > 0
    silent = matrix.worst_rows(K, ETA, ETA_BAR, B, ((1, GAMMA), (2, GAMMA)), 2)
    assert silent.releases == ((K * ETA, K * B / 2, 1),)
    assert delta_of(Releases(silent.releases), PRINTED_EPSILON).overlaps(changed(1))
