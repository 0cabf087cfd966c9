"""Formulas of the notes on the Wasserstein mechanism, executed in rationals."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from random import Random

from flint import arb

from ....reference.arb.balls import working_precision
from ....reference.pufferfish.line import (
    Atoms,
    atoms_of,
    largest_move,
    largest_move_of_enclosed,
)
from ....reference.second.directed import Span
from .executed_setting import random_law

_BITS = 192
# e^(1/scale), as a rational.
RATE = Fraction(3)


def atoms(masses: Mapping[int, Fraction]) -> Atoms:
    """Return a law on whole points as atoms."""
    return atoms_of((Fraction(x), mass) for x, mass in masses.items() if mass)


def distance(one: Mapping[int, Fraction], other: Mapping[int, Fraction]) -> Fraction:
    """Return the infinity-Wasserstein distance of two laws on whole points."""
    return largest_move(atoms(one), atoms(other))


def some_law(random: Random) -> dict[int, Fraction]:
    """Return a law on a few of the points 0 to 7."""
    points = sorted(random.sample(range(8), random.randint(1, 4)))
    return dict(zip(points, random_law(random, len(points)), strict=True))


def density(law: Mapping[int, Fraction], at: int) -> Fraction:
    """Return the density of a law with Laplace noise, up to a factor."""
    return sum((mass / RATE ** abs(at - x) for x, mass in law.items()), Fraction(0))


def densities_differ_by_the_distance() -> bool:
    """The density under mu is at most e^(W/b) times that under nu."""
    random = Random(3)  # noqa: S311
    for _ in range(40):
        mu, nu = some_law(random), some_law(random)
        most = RATE ** int(distance(mu, nu))
        if any(density(mu, at) > most * density(nu, at) for at in range(-2, 10)):
            return False
    return True


def distance_zero_is_one_law() -> bool:
    """W = 0 between equal laws alone."""
    random = Random(4)  # noqa: S311
    laws = [some_law(random) for _ in range(20)]
    return all((distance(one, other) == 0) == (one == other) for one, other in product(laws, laws))


def the_infimum_is_attained() -> bool:
    """The monotone coupling's largest move d satisfies F(x) <= G(x + d), and nothing less does."""
    random = Random(5)  # noqa: S311
    for _ in range(40):
        mu, nu = some_law(random), some_law(random)
        exact = distance(mu, nu)
        for d in range(8):
            holds = all(
                _up_to(one, x) <= _up_to(other, x + d)
                for one, other in ((mu, nu), (nu, mu))
                for x in range(8)
            )
            if holds != (exact <= d):
                return False
    return True


def _up_to(law: Mapping[int, Fraction], x: int) -> Fraction:
    return sum((mass for point, mass in law.items() if point <= x), Fraction(0))


def mixtures_are_no_further_apart() -> bool:
    """W of mixtures with the same weights is at most the largest W of components."""
    random = Random(6)  # noqa: S311
    for _ in range(40):
        pairs = [(some_law(random), some_law(random)) for _ in range(3)]
        weights = random_law(random, 3)
        mixed = [
            {x: _mixed(weights, [pair[at].get(x, Fraction(0)) for pair in pairs]) for x in range(8)}
            for at in (0, 1)
        ]
        if distance(mixed[0], mixed[1]) > max(distance(*pair) for pair in pairs):
            return False
    return True


def _mixed(weights: tuple[Fraction, ...], masses: list[Fraction]) -> Fraction:
    return sum((c * m for c, m in zip(weights, masses, strict=True)), Fraction(0))


def independent_entries_reach_the_sensitivity() -> bool:
    """For three independent bits W is at most the largest change by one bit, and reaches it."""
    random, found = Random(7), Fraction(0)  # noqa: S311
    cube = tuple(product((0, 1), repeat=3))
    answers = {x: random.randint(0, 7) for x in cube}
    change = max(abs(answers[x] - answers[y]) for x, y in product(cube, cube) if _apart(x, y) == 1)
    for chances in product((Fraction(0), Fraction(1, 3), Fraction(1)), repeat=2):
        for bit in range(3):
            laws: list[dict[int, Fraction]] = [{}, {}]
            for x in cube:
                rest = x[:bit] + x[bit + 1 :]
                mass = Fraction(1)
                for value, chance in zip(rest, chances, strict=True):
                    mass *= chance if value else 1 - chance
                laws[x[bit]][answers[x]] = laws[x[bit]].get(answers[x], Fraction(0)) + mass
            found = max(found, distance(*laws))
    return found == change


def _apart(one: tuple[int, ...], other: tuple[int, ...]) -> int:
    return sum(a != b for a, b in zip(one, other, strict=True))


def clique_distance(people: int) -> Fraction:
    """Return W between the numbers infected given one's status, masses as in Section 2.2."""
    with working_precision(_BITS):
        weights = [arb(2 * j).exp() for j in range(people + 1)]
        well = [(Fraction(j), weights[j] * (people - j)) for j in range(people)]
        ill = [(Fraction(j), weights[j] * j) for j in range(1, people + 1)]
        found = largest_move_of_enclosed(well, ill)
    if found is None:
        raise ArithmeticError("the masses are not told apart: take more bits")
    return found


def clique_distance_by_strassen(people: int) -> Fraction:
    """Return the same as the least whole d with F(x) <= G(x + d), in another arithmetic."""
    weights = [Span.of(2 * j, _BITS).exp() for j in range(people + 1)]
    well = [weights[j] * Span.of(people - j, _BITS) for j in range(people + 1)]
    ill = [weights[j] * Span.of(j, _BITS) for j in range(people + 1)]
    return Fraction(next(d for d in range(people + 1) if _moves_within(well, ill, d)))


def _moves_within(well: list[Span], ill: list[Span], d: int) -> bool:
    """Whether no mass moves further than d.

    The ill have larger numbers in likelihood-ratio order, so one side of the condition is enough.
    """
    last = len(well) - 1
    for x in range(last - d):
        left, right = _share_up_to(well, x), _share_up_to(ill, x + d)
        difference = left - right
        if not difference.sign:
            raise ArithmeticError("the masses are not told apart: take more bits")
        if difference.sign > 0:
            return False
    return True


def _share_up_to(masses: list[Span], x: int) -> Span:
    parts, total = Span.of(0, _BITS), Span.of(0, _BITS)
    for at, mass in enumerate(masses):
        total += mass
        parts = parts + mass if at <= x else parts
    return parts / total


def conditionals_of_the_clique(shares: tuple[Fraction, ...]) -> tuple[tuple[Fraction, ...], ...]:
    """Return the laws of the number of infected given one's status, over all data sets."""
    people = len(shares) - 1
    cube = tuple(product((0, 1), repeat=people))
    sizes = [sum(1 for x in cube if sum(x) == j) for j in range(people + 1)]
    laws = [[Fraction(0)] * (people + 1) for _ in (0, 1)]
    for x in cube:
        laws[x[0]][sum(x)] += shares[sum(x)] / sizes[sum(x)]
    return tuple(tuple(mass / sum(law) for mass in law) for law in laws)
