"""The laws of proofs_notes/two-state-corner.md: a test named for each heading."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

from ball_checks import as_ball, seeded
from flint import arb
from instances import instances
from simplexcert.reference.arb.balls import ball
from simplexcert.reference.enclosure import Trilean
from simplexcert.reference.markov.stationary import stationary_law
from simplexcert.reference.pufferfish.baselines import Gamma, gk16_scale, influences
from simplexcert.reference.pufferfish.quilt.approx import quilt_scale_approx
from simplexcert.reference.pufferfish.quilt.exact import (
    corners,
    quilt_epsilon,
    quilt_scale_exact,
    quilt_scale_two_state,
)
from simplexcert.reference.pufferfish.quilt.gaussian import gaussian_quilt_scale_renyi
from simplexcert.reference.pufferfish.quilt.influence import max_influence
from simplexcert.reference.structures import ANY, STATIONARY, ChainLaw, Matrix

NOTE = Path(__file__).resolve().parents[3] / "proofs_notes" / "two-state-corner.md"
ORIENTATIONS = ((0, 1), (1, 0))


def share(rng: random.Random) -> Fraction:
    return Fraction(rng.randint(1, 99), 100)


def chain(p0: Fraction, p1: Fraction) -> Matrix:
    return ((p0, 1 - p0), (1 - p1, p1))


def power(matrix: Matrix, steps: int) -> Matrix:
    found = matrix
    for _ in range(steps - 1):
        found = tuple(
            tuple(sum(a * row[at] for a, row in zip(left, matrix, strict=True)) for at in (0, 1))
            for left in found
        )
    return found


def row_ratio(matrix: Matrix, steps: int, x: int, other: int) -> Fraction:
    """e^(F_t), by its definition; 1 at lag 0, where a side is left out."""
    if not steps:
        return Fraction(1)
    exact = power(matrix, steps)
    return max(a / b for a, b in zip(exact[x], exact[other], strict=True))


def agree(first: arb, second: arb) -> bool:
    narrow = all(x.rel_accuracy_bits() > 60 or abs(x) < arb(2) ** -100 for x in (first, second))
    return narrow and bool(first.overlaps(second))


def test_row_ratio_of_two_states() -> None:
    rng = seeded("rows")
    for _ in range(instances(20, 60)):
        p0, p1, steps = share(rng), share(rng), rng.randint(1, 6)
        matrix, size, r = chain(p0, p1), (p0 + p1 - 1) ** steps, (1 - p0) / (1 - p1)
        for odds, (x, other) in zip((r, 1 / r), ORIENTATIONS, strict=True):
            printed = (
                (1 + odds * size) / (1 - size) if size >= 0 else (1 - size) / (1 + size / odds)
            )
            assert row_ratio(matrix, steps, x, other) == printed


def test_columns_by_detailed_balance() -> None:
    rng = seeded("columns")
    for _ in range(instances(20, 60)):
        matrix, steps = chain(share(rng), share(rng)), rng.randint(1, 6)
        law, exact = stationary_law(matrix), power(matrix, steps)
        for x, other in ORIENTATIONS:
            columns = max(row[x] / row[other] for row in exact)
            assert columns == law[x] / law[other] * row_ratio(matrix, steps, x, other)


def by_sum(matrix: Matrix, a: int, b: int, start: int) -> Fraction:
    """Return e to the influence, from the three ratios; ``start`` 0 leaves the last one out."""
    return max(
        row_ratio(matrix, a, *pair) * row_ratio(matrix, b, *pair) * row_ratio(matrix, start, *back)
        for pair, back in zip(ORIENTATIONS, reversed(ORIENTATIONS), strict=True)
    )


def test_influence_as_a_sum() -> None:
    rng = seeded("sum")
    for _ in range(instances(20, 60)):
        matrix, node = chain(share(rng), share(rng)), rng.randint(1, 6)
        a, b = rng.randint(0, node - 1), rng.randint(0, 4)
        if not a and not b:
            continue
        whole = ball(by_sum(matrix, a, b, node - 1 if a else 0)).log()
        steady = ball(by_sum(matrix, a, b, 0)).log()
        assert agree(as_ball(max_influence(ANY, matrix, node, a, b)), whole)
        assert agree(as_ball(max_influence(STATIONARY, matrix, node, a, b)), steady)


def grown(rng: random.Random, sign: int) -> Iterator[tuple[Matrix, Matrix]]:
    """Yield chains of one correlation, and each with a probability to stay farther that way."""
    for _ in range(instances(66, 200)):
        pair = [share(rng), share(rng)]
        at = rng.randint(0, 1)
        more = pair.copy()
        more[at] = (more[at] + Fraction(sign + 1, 2) * rng.randint(0, 3)) / 4
        more[at] = max(pair[at], more[at]) if sign > 0 else min(pair[at], more[at])
        if sign * (sum(pair) - 1) >= 0 and 0 < more[at] < 1:
            yield chain(pair[0], pair[1]), chain(more[0], more[1])


def never_falls(name: str, sign: int) -> None:
    strict = 0
    for before, after in grown(seeded(name), sign):
        for steps in range(1, 6):
            for pair in ORIENTATIONS:
                first, second = (row_ratio(one, steps, *pair) for one in (before, after))
                assert first <= second
                strict += first < second
    assert strict > 100


def test_positive_correlation_grows() -> None:
    never_falls("positive", 1)


def test_negative_correlation_grows() -> None:
    never_falls("negative", -1)


def test_symmetric_chains_by_size() -> None:
    rng = seeded("symmetric")
    for _ in range(instances(20, 60)):
        first, second, steps = share(rng), share(rng), rng.randint(1, 6)
        ratios = []
        for stay in (first, second):
            size = abs(2 * stay - 1)
            printed = (1 + size**steps) / (1 - size**steps)
            assert all(
                row_ratio(chain(stay, stay), steps, *pair) == printed for pair in ORIENTATIONS
            )
            ratios.append((size, printed))
        (small, low), (large, high) = sorted(ratios)
        assert (low < high) == (small < large)


def test_corner_decides() -> None:
    """No member that is drawn needs more; on a grid with the corners in it the most is theirs."""
    rng = seeded("corner")
    for _ in range(instances(6, 25)):
        low, high = sorted((share(rng), share(rng)))
        length, width = rng.randint(1, 9), rng.randint(1, 9)
        epsilon = Fraction(rng.randint(2, 80), 10)
        corner = as_ball(quilt_scale_two_state(low, high, length, epsilon, width))
        assert corner.is_finite()
        for _ in range(8):
            p0, p1 = (low + (high - low) * share(rng) for _ in range(2))
            member = ChainLaw(ANY, chain(p0, p1))
            assert not as_ball(quilt_scale_exact((member,), length, epsilon, width)) > corner
        ends = tuple(ChainLaw(ANY, chain(p, p)) for p in (low, high))
        assert agree(as_ball(quilt_scale_exact(ends, length, epsilon, width)), corner)


def test_rectangles_have_two_corners() -> None:
    """For three scores, with Laplace and with normal noise."""
    rng = seeded("rectangle")
    for _ in range(instances(5, 25)):
        bounds = [tuple(sorted((share(rng), share(rng)))) for _ in range(2)]
        (l0, h0), (l1, h1) = bounds
        length, width = rng.randint(1, 8), rng.randint(1, 8)
        epsilon = Fraction(rng.randint(2, 80), 10)
        ends = tuple(corners((l0, h0), (l1, h1)))
        for _ in range(6):
            p0, p1 = (low + (high - low) * share(rng) for low, high in bounds)
            member = (ChainLaw(ANY, chain(p0, p1)),)
            for named, point in (
                (quilt_scale_exact, (length, epsilon, width)),
                (quilt_epsilon, (length, (epsilon, Fraction(3)), width)),
                (gaussian_quilt_scale_renyi, (length, Fraction(5), epsilon, width)),
            ):
                assert not as_ball(named(member, *point)) > as_ball(named(ends, *point))


def rows_of_the_table() -> list[list[str]]:
    lines = NOTE.read_text("utf-8").splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [row for row in rows if len(row) == 5 and row[0] in {"0.2", "1", "5"}]


def shows(cell: str, value: arb | Fraction) -> bool:
    """Whether a ball rounds to what the table shows: it is within half a unit of the last digit."""
    return bool(abs(as_ball(value) - ball(Fraction(cell))) < ball(Fraction(51, 10**8)))


def symmetric(stay: Fraction, start: str) -> ChainLaw:
    return ChainLaw(start, chain(stay, stay))


def test_synthetic_experiment() -> None:
    rows = rows_of_the_table()
    assert len(rows) == 21
    for epsilon, alpha, exact, approx, gk16 in rows:
        wanted, low = Fraction(epsilon), Fraction(alpha)
        assert shows(exact, quilt_scale_two_state(low, 1 - low, 100, wanted, 100))
        assert shows(approx, quilt_scale_approx(low, 4 * low, 100, wanted))
        steady = tuple(symmetric(p, STATIONARY) for p in (low, 1 - low))
        applies = all(
            Gamma(influences(one), 100).norm_below_one() is Trilean.TRUE for one in steady
        )
        assert applies == (gk16 != "n/a")
        if applies:
            assert shows(gk16, gk16_scale(steady, 100, wanted))
    low = Fraction("0.4")
    anyhow = tuple(symmetric(p, ANY) for p in (low, 1 - low))
    assert shows("4.185281", gk16_scale(anyhow, 100, Fraction(1)))
    for text, applies in (("0.32186011", False), ("0.32186012", True)):
        own = influences(symmetric(Fraction(text), STATIONARY))
        assert (Gamma(own, 100).norm_below_one() is Trilean.TRUE) == applies
