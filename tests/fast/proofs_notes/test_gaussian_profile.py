"""The laws of proofs_notes/gaussian-profile.md: a test named for each heading."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from random import Random

from ball_checks import seeded
from flint import arb
from simplexcert.reference import evaluate
from simplexcert.reference.arb.balls import ball, middle, working_precision
from simplexcert.reference.gaussian import profile
from simplexcert.reference.pufferfish.divergences import Atoms, atoms_of_law, largest_move
from simplexcert.reference.pufferfish.gaussian_profile import (
    _Difference,
    _Look,
    _Mixture,
    gaussian_delta,
    gaussian_epsilon,
    gaussian_hockey_stick,
)
from simplexcert.reference.structures import LineLaw

SCALES = [Fraction(b, 8) for b in (3, 8, 20, 90, 800)]


def random_law(random: Random, reach: int = 12) -> LineLaw:
    points = sorted(random.sample(range(reach), random.randint(1, 5)))
    weights = [random.choice((1, 2, 7, 10**6)) for _ in points]
    masses = tuple(Fraction(w, sum(weights)) for w in weights)
    return LineLaw(tuple(map(Fraction, points)), masses)


def differences(number: int, count: int = 30) -> Iterator[tuple[_Difference, Random]]:
    """P - N of random atoms."""
    random = seeded(number)
    for _ in range(count):
        points = sorted(random.sample(range(12), random.randint(2, 7)))
        cut = random.sample(range(len(points)), random.randint(1, len(points) - 1))
        both = [
            _Mixture(
                [arb(z) for at, z in enumerate(points) if (at in cut) == inside],
                [
                    ball(Fraction(random.randint(1, 40), random.choice((1, 9, 1000))))
                    for at in range(len(points))
                    if (at in cut) == inside
                ],
            )
            for inside in (True, False)
        ]
        yield _Difference(both[0], both[1], random.choice(SCALES)), random


def outcome(random: Random) -> arb:
    return arb(random.randint(-400, 700)) / 32


def density(mixture: _Mixture, w: arb, scale: Fraction) -> arb:
    parts = (
        weight * (-(((w - point) / ball(scale)) ** 2) / 2).exp()
        for point, weight in zip(*mixture, strict=True)
    )
    return sum(parts, arb(0)) / (ball(scale) * (2 * arb.pi()).sqrt())


def test_means_are_slopes() -> None:
    for difference, random in differences(1):
        low, high = sorted((outcome(random) for _ in range(2)), key=float)
        looks = [difference.look(at) for at in (low, high)]
        for look in looks:
            logs = [
                density(one, look.at, difference.scale).log()
                for one in (difference.above, difference.below)
            ]
            assert look.excess.overlaps(logs[0] - logs[1])
        if low < high:
            least, largest = difference.slopes(*looks)
            mean = (looks[1].excess - looks[0].excess) / (high - low)
            assert not mean < least
            assert not mean > largest
            for one, other in zip(*(look.means for look in looks), strict=True):
                assert not one > other


def test_signs_in_a_cell() -> None:
    proved = 0
    for difference, random in differences(2, 60):
        low, high = sorted((outcome(random) for _ in range(2)), key=float)
        if not low < high:
            continue
        cells = difference._decided(difference.look(low), difference.look(high))
        for cell in cells or []:
            if cell.low is None or cell.high is None or not cell.rest.is_zero():
                continue
            proved += 1
            for k in range(9):
                at = (cell.low + (cell.high - cell.low) * k / 8).mid()
                excess = difference.look(at).excess
                assert not (excess < 0 if cell.is_positive else excess > 0)
    assert proved > 20


def test_where_no_outcome_is_between_a_cell_is_bounded_and_not_cut_again() -> None:
    looks = 0

    class Counted(_Difference):
        def look(self, at: arb) -> _Look:
            nonlocal looks
            looks += 1
            return super().look(at)

    third = ball(Fraction(1, 3))
    with working_precision(64):
        above = _Mixture([-ball(Fraction(943, 8)), arb(7712)], [2 * third, third])
        below = _Mixture([arb(-1), ball(Fraction(1, 8))], [2 * third, third])
        cells = [*Counted(above, below, Fraction(1, 600)).cells()]
        assert looks < len(cells) * 64
        # They cover the line, one after the other, and what is left open is next to nothing.
        assert all(one.high == other.low for one, other in pairwise(cells))
        assert sum((cell.rest for cell in cells), arb(0)) < arb(2) ** -64


def test_beyond_the_last_point() -> None:
    for difference, random in differences(3, 40):
        for one in (difference, difference.reflected()):
            last, is_positive = one.last_look()
            assert is_positive == bool(one.above.points[-1] > one.below.points[-1])
            before = last
            for k in range(1, 8):
                step = ball(one.scale * Fraction(random.randint(1, 9), 4) * 2**k)
                look = one.look((last.at + step).mid())
                height = look.excess - before.excess
                assert look.excess > 0 if is_positive else look.excess < 0
                if look.at > before.at:
                    assert height > 0 if is_positive else height < 0
                    before = look


def test_near_a_root() -> None:
    for difference, random in differences(4, 40):
        low = outcome(random)
        high = (low + ball(difference.scale) / random.choice((2, 30, 1000))).mid()
        looks = [difference.look(at) for at in (low, high)]
        least, largest = difference.slopes(*looks)
        steep = abs(least).max(abs(largest))
        above = looks[0].excess.max(looks[1].excess) + steep * (high - low)
        rest = difference._unresolved(low, high, above.max(arb(0))).rest
        parts = 64
        area = arb(0)
        for k in range(parts):
            at = (low + (high - low) * (2 * k + 1) / (2 * parts)).mid()
            value = density(difference.above, at, difference.scale)
            value -= density(difference.below, at, difference.scale)
            area += value.max(arb(0)) * (high - low) / parts
        # A sum over midpoints is off by far less than a hundredth here.
        assert area * 99 / 100 < rest or area.is_zero()


def test_zero_may_stay_open() -> None:
    one = Atoms((0,), (1,))
    other = Atoms((-1, 1), (1, 1))
    unit = Fraction(1)
    touching = gaussian_hockey_stick(one, other, unit, Fraction(1, 2))
    assert touching.contains(0)
    assert touching < arb(10) ** -20
    tiny = Fraction(1, 10**6)
    assert gaussian_hockey_stick(one, other, unit, Fraction(1, 2) + tiny).is_zero()
    assert gaussian_hockey_stick(one, other, unit, Fraction(1, 2) - tiny) > 0
    assert gaussian_hockey_stick(other, one, unit, Fraction(40)) > 0
    # All of c negative.
    mixed = Atoms((0, 1), (1, 1))
    assert gaussian_hockey_stick(one, mixed, unit, Fraction(1)).is_zero()


def test_delta_falls() -> None:
    random = seeded(6)
    for _ in range(12):
        mu, nu = random_law(random), random_law(random)
        if mu == nu:
            continue
        scale = random.choice(SCALES)
        steps = [Fraction(k, 16) for k in (0, 1, 4, 20)]
        for values in (
            [gaussian_delta(mu, nu, scale, epsilon) for epsilon in steps],
            [gaussian_delta(mu, nu, b, Fraction(1, 8)) for b in SCALES],
        ):
            assert all(b < a for a, b in pairwise(values))
        multiplier = scale / largest_move(atoms_of_law(mu), atoms_of_law(nu))
        epsilon = random.choice(steps)
        assert not gaussian_delta(mu, nu, scale, epsilon) > profile(multiplier, epsilon)
        target = Fraction(1, 50)
        root = gaussian_epsilon(mu, nu, scale, target)
        if isinstance(root, arb):
            low, high = (middle(root) * (1 + Fraction(sign, 10**9)) for sign in (-1, 1))
            assert gaussian_delta(mu, nu, scale, low) > ball(target)
            assert gaussian_delta(mu, nu, scale, high) < ball(target)
        else:
            assert not gaussian_delta(mu, nu, scale, Fraction(0)) > ball(target)
    for distance, epsilon in ((1, Fraction(0)), (3, Fraction(1)), (2, Fraction(7))):
        laws = [LineLaw((Fraction(at),), (Fraction(1),)) for at in (0, distance)]
        found = gaussian_delta(laws[0], laws[1], Fraction(5, 4), epsilon)
        known = evaluate(
            "gaussian.delta", noise_multiplier=Fraction(5, 4) / distance, epsilon=epsilon
        )
        assert found.overlaps(ball(known.lower).union(ball(known.upper)))
