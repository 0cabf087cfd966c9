"""Second opinions on gaps, MQMApprox, the corner and GK16: that they agree, how far they reach."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from instances import instances
from simplexcert.reference import Enclosure
from simplexcert.reference.arb.balls import enclosure_of, working_precision
from simplexcert.reference.markov.stationary import stationary_law
from simplexcert.reference.markov.structure import is_irreducible
from simplexcert.reference.pufferfish import baselines, gap
from simplexcert.reference.pufferfish.quilt import approx, exact
from simplexcert.reference.second.pufferfish import baselines as pufferfish_baselines
from simplexcert.reference.second.pufferfish import gap as pufferfish_gap
from simplexcert.reference.second.pufferfish.quilt import approx as pufferfish_approx
from simplexcert.reference.second.pufferfish.quilt import exact as pufferfish_two_state
from simplexcert.reference.structures import ANY, STATIONARY, ChainLaw, Matrix

BITS, DIGITS = 128, 20


def seeded(name: str) -> random.Random:
    return random.Random(name)  # noqa: S311


def law(rng: random.Random, size: int, most: int, least: int = 0) -> tuple[Fraction, ...]:
    weights = [rng.randint(least, most) for _ in range(size)]
    weights[rng.randrange(size)] += 1
    return tuple(Fraction(weight, sum(weights)) for weight in weights)


def irreducible(rng: random.Random, sizes: tuple[int, int]) -> Matrix:
    while True:
        size, most = rng.randint(*sizes), rng.choice([1, 2, 10**6])
        found = tuple(law(rng, size, most) for _ in range(size))
        if is_irreducible(found):
            return found


def both_agree(first: Any, second: Enclosure) -> bool:
    """Whether two engines' enclosures are narrow and overlap."""
    one = enclosure_of(first)
    return one.is_narrow(DIGITS) and second.is_narrow(DIGITS) and one.overlaps(second)


def of_both(first: Callable[..., Any], second: Callable[..., Enclosure], *given: Any) -> bool:
    with working_precision(BITS):
        return both_agree(first(*given), second(BITS, *given))


def test_gaps_agree_up_to_twelve_states() -> None:
    rng = seeded("gaps")
    for _ in range(instances(15, 60)):
        matrix = irreducible(rng, (2, 6))
        assert pufferfish_gap.stationary_law(matrix) == stationary_law(matrix)
        assert of_both(gap.eigengap, pufferfish_gap.eigengap, matrix)
    assert of_both(gap.eigengap, pufferfish_gap.eigengap, irreducible(rng, (12, 12)))
    beyond = pufferfish_gap.eigengap(BITS, irreducible(rng, (13, 13)))
    assert beyond == Enclosure.nothing_known()


def test_the_clock_is_looked_at_in_every_product(monkeypatch: pytest.MonkeyPatch) -> None:
    """With long fractions one such step takes milliseconds, and all of them minutes."""
    looks: list[None] = []
    monkeypatch.setattr(pufferfish_gap, "check_budget", lambda: looks.append(None))
    row = [Fraction(1), Fraction(2), Fraction(3)]
    for work, least in (
        (lambda: pufferfish_gap._product([row] * 3, [row] * 3), 9),
        (lambda: pufferfish_gap._division([*row, *row], row), 12),
        (lambda: pufferfish_gap._at(row, Fraction(2)), 3),
    ):
        looks.clear()
        work()
        assert len(looks) >= least


def test_reversible_gaps_agree() -> None:
    rng, periodic = seeded("reversible"), 0
    for _ in range(60):
        size = rng.randint(2, 5)
        weights = {(x, y): rng.choice([0, 1, 3]) for x in range(size) for y in range(x + 1)}
        rows = [[weights[max(x, y), min(x, y)] for y in range(size)] for x in range(size)]
        if not all(map(sum, rows)):
            continue
        matrix = tuple(tuple(Fraction(entry, sum(row)) for entry in row) for row in rows)
        if is_irreducible(matrix):
            names = gap.eigengap_reversible, pufferfish_gap.eigengap_reversible
            assert of_both(*names, matrix)
            periodic += gap.eigengap_reversible(matrix) == 0
    assert periodic > 0


def test_eigenvalues_that_are_close_are_told_apart() -> None:
    close = Fraction(1, 10**12)
    parts = [
        [Fraction(1, 2) - close, Fraction(1, 2), close, Fraction(0)],
        [Fraction(1, 2), Fraction(1, 2) - close, Fraction(0), close],
        [close, Fraction(0), Fraction(1, 2), Fraction(1, 2) - close],
        [Fraction(0), close, Fraction(1, 2) - close, Fraction(1, 2)],
    ]
    matrix = tuple(map(tuple, parts))
    with working_precision(2 * BITS):
        assert both_agree(gap.eigengap(matrix), pufferfish_gap.eigengap(2 * BITS, matrix))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (approx.quilt_scale_approx, pufferfish_approx.quilt_scale_approx),
        (
            approx.quilt_scale_approx_stationary,
            pufferfish_approx.quilt_scale_approx_stationary,
        ),
    ],
)
def test_scales_from_a_gap_agree(first: Callable[..., Any], second: Callable[..., Any]) -> None:
    rng, exact = seeded("approx"), 0
    for _ in range(instances(26, 80)):
        pi, gap = Fraction(rng.randint(1, 60), 100), Fraction(rng.randint(1, 200), 100)
        length, epsilon = int(10 ** rng.uniform(0, 4)), Fraction(rng.randint(1, 99), 10)
        assert of_both(first, second, pi, gap, length, epsilon)
        exact += first(pi, gap, length, epsilon) == length / epsilon
    assert 10 < exact < 70
    assert of_both(first, second, Fraction(1, 10**4), Fraction(1, 10**6), 10**9, Fraction(1))


def test_definition_and_bisection_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chains that are answered from the definition, answered as longer ones are."""
    rng, found = seeded("definition"), []
    points = [
        (
            Fraction(rng.randint(20, 60), 100),
            Fraction(rng.randint(50, 200), 100),
            length,
            Fraction(e),
        )
        for length in range(1, 13)
        for e in (2, 4, 8)
    ]
    for longest in (12, 0):
        monkeypatch.setattr(pufferfish_approx, "_LONGEST_BY_DEFINITION", longest)
        found.append([pufferfish_approx.quilt_scale_approx(BITS, *point) for point in points])
    for one, other in zip(*found, strict=True):
        assert one.is_narrow(DIGITS)
        assert other.is_narrow(DIGITS)
        assert one.overlaps(other)


def test_corners_agree_and_long_ones_are_left() -> None:
    rng = seeded("corner")
    names = exact.quilt_scale_two_state, pufferfish_two_state.quilt_scale_two_state
    for _ in range(instances(15, 60)):
        low, high = sorted(Fraction(rng.randint(1, 99), 100) for _ in range(2))
        length, width = rng.randint(1, 14), rng.randint(1, 14)
        assert of_both(*names, low, high, length, Fraction(rng.randint(1, 99), 10), width)
    far = pufferfish_two_state.quilt_scale_two_state(
        BITS, Fraction(1, 3), Fraction(1, 2), 10**5, Fraction(1), 10**5
    )
    assert far == Enclosure.nothing_known()


def test_gk16_agrees_and_long_chains_are_left() -> None:
    rng = seeded("gk16")
    for _ in range(instances(13, 40)):
        size = rng.randint(2, 3)
        start = rng.choice([STATIONARY, ANY, law(rng, size, 3)])
        chains = tuple(
            ChainLaw(start, tuple(law(rng, size, 30, 20) for _ in range(size)))
            for _ in range(rng.randint(1, 2))
        )
        point = (chains, rng.randint(1, 40), Fraction(1, 3))
        assert of_both(baselines.gk16_scale, pufferfish_baselines.gk16_scale, *point)
    far = pufferfish_baselines.gk16_scale(BITS, chains, 10**6, Fraction(1))
    assert far == Enclosure.nothing_known()
