"""The laws of proofs_notes/least-noise.md: a test named for each heading."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from random import Random
from typing import Any

from ball_checks import seeded
from flint import arb
from instances import instances
from simplexcert.certify.audits.claim import example_text
from simplexcert.reference import evaluate
from simplexcert.reference.arb.balls import ball
from simplexcert.reference.enclosure import Trilean
from simplexcert.reference.exact import parse_toml
from simplexcert.reference.pufferfish.divergences import (
    Atoms,
    laplace_loss,
    largest_move,
)
from simplexcert.reference.pufferfish.gaussian_profile import gaussian_hockey_stick
from simplexcert.reference.pufferfish.laplace_profile import laplace_hockey_stick
from simplexcert.reference.pufferfish.least import Target, _root, largest_scale
from simplexcert.reference.structures import LineLaw

STICKS = {"laplace": laplace_hockey_stick, "gaussian": gaussian_hockey_stick}
EPSILONS = [Fraction(0), Fraction(1, 4), Fraction(1), Fraction(3)]
DELTAS = [Fraction(1, 5), Fraction(1, 100), Fraction(1, 10**9)]


def random_law(random: Random) -> Atoms:
    points = sorted(random.sample(range(10), random.randint(1, 4)))
    weights = [random.choice((1, 2, 7, 1000)) for _ in points]
    return Atoms(tuple(points), tuple(weights))


def pairs(number: int, count: int) -> Iterator[tuple[Atoms, Atoms, Random]]:
    random = seeded(number)
    while count:
        laws = random_law(random), random_law(random)
        if not laws[0].is_same_law(laws[1]):
            count -= 1
            yield *laws, random


def line_law(law: Atoms) -> LineLaw:
    masses = tuple(Fraction(weight, law.total) for weight in law.weights)
    return LineLaw(tuple(map(Fraction, law.points)), masses)


def test_more_noise_is_processing() -> None:
    """Characteristic functions, exactly: 1/(1 + b^2 t^2), and exponents of e^(-s^2 t^2/2)."""
    random = seeded(1)
    for _ in range(instances(33, 100)):
        b, more, t = (Fraction(random.randint(1, 30), random.randint(1, 30)) for _ in range(3))
        larger = b + more
        share = (b / larger) ** 2
        added = share + (1 - share) / (1 + (larger * t) ** 2)
        assert added / (1 + (b * t) ** 2) == 1 / (1 + (larger * t) ** 2)
        assert (b * t) ** 2 + (larger**2 - b**2) * t**2 == (larger * t) ** 2


def test_strictly_falls() -> None:
    for first, second, random in pairs(2, instances(10, 60)):
        epsilon = random.choice(EPSILONS)
        scales = [Fraction(b, 8) for b in (1, 3, 9, 40)]
        for stick in STICKS.values():
            found = [stick(first, second, scale, epsilon) for scale in scales]
            for before, after in pairwise(found):
                assert after < before or (before.is_zero() and after.is_zero())
        losses = [laplace_loss(line_law(first), line_law(second), scale) for scale in scales]
        assert all(after < before for before, after in pairwise(losses))


def test_without_noise() -> None:
    decided = {True: 0, False: 0}
    for first, second, random in pairs(3, 60):
        epsilon = random.choice(EPSILONS)
        ours, theirs = (dict(zip(law.points, law.weights, strict=True)) for law in (first, second))
        shares = [
            ball(Fraction(ours.get(z, 0), first.total))
            - ball(epsilon).exp() * ball(Fraction(theirs.get(z, 0), second.total))
            for z in {*ours, *theirs}
        ]
        without = sum((share.max(arb(0)) for share in shares), arb(0))
        for noise, stick in STICKS.items():
            nearly = stick(first, second, Fraction(1, 100), epsilon)
            assert not nearly > without
            assert abs(without - nearly) < arb(10) ** -6
            delta = Fraction(random.randint(1, 99), 100)
            answer = Target(noise, epsilon, delta).is_met_without_noise(first, second)
            assert answer is not Trilean.UNKNOWN
            assert not (without > ball(delta) if answer is Trilean.TRUE else without < ball(delta))
            decided[answer is Trilean.TRUE] += 1
    assert min(decided.values()) > 10
    # What one law alone can give is a rational number: the border is decided.
    one, other = Atoms((0, 5), (9, 1)), Atoms((0,), (1,))
    for delta, enough in ((Fraction(1, 10), True), (Fraction(1, 10) - Fraction(1, 10**40), False)):
        target = Target("laplace", Fraction(1), delta)
        assert target.is_met_without_noise(one, other) is Trilean.of(enough)
        assert largest_scale([[one, other]], target).is_zero() == enough
    apart = [Atoms((0,), (1,)), Atoms((1,), (1,))]
    nothing = largest_scale([apart], Target("laplace", Fraction(0), Fraction(0)))
    assert not nothing.is_finite()
    assert largest_scale([[apart[0], apart[0]]], Target("laplace", Fraction(0), Fraction(0))) == 0


def test_largest_over_pairs() -> None:
    random = seeded(4)
    for _ in range(instances(6, 40)):
        noise = random.choice(sorted(STICKS))
        target = Target(noise, random.choice(EPSILONS), random.choice(DELTAS))
        laws = [random_law(random) for _ in range(3)]
        together = largest_scale([laws], target)
        alone = [
            _root(one, other, target, arb(0))
            for one in laws
            for other in laws
            if not one.is_same_law(other)
            and target.is_met_without_noise(one, other) is Trilean.FALSE
        ]
        largest = arb(0)
        for scale in alone:
            largest = largest.max(scale)
        assert together.overlaps(largest)
        for one in laws:
            for other in laws:
                enough = Fraction(12, 10**10) + fraction_above(together)
                stick = STICKS[noise](one, other, enough, target.epsilon)
                assert not stick > ball(target.delta)


def fraction_above(value: arb) -> Fraction:
    mantissa, exponent = value.upper().mid().man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def test_never_above_the_printed_scales() -> None:
    for first, second, random in pairs(5, instances(10, 60)):
        epsilon, delta = random.choice(EPSILONS[1:]), random.choice(DELTAS)
        move = ball(largest_move(first, second))
        pure = largest_scale([[first, second]], Target("laplace", epsilon, Fraction(0)))
        assert not pure > move / ball(epsilon)
        normal = largest_scale([[first, second]], Target("gaussian", epsilon, delta))
        known = evaluate("gaussian.noise_multiplier_for_dp", epsilon=epsilon, delta=delta)
        assert not normal > move * ball(known.upper)
    claim = parse_toml(example_text("song2017-flu").encode(), "flu")["release"]
    flu: dict[str, Any] = {name: claim[name] for name in ("values", "laws", "secrets", "pairs")}
    least = evaluate("pufferfish.least_scale", flu, noise="laplace", epsilon=1, delta=0)
    assert Fraction("1.1545") < least.lower < least.upper < Fraction("1.1547")
    assert evaluate("pufferfish.wasserstein_scale", flu, epsilon=1).exact == 2
    chains = [{"initial": "stationary", "P": [["0.9", "0.1"], ["0.4", "0.6"]]}]
    chain = {"chains": chains, "length": 12}
    least = evaluate(
        "pufferfish.chain_least_scale", chain, values=[[0, 1]], noise="laplace", epsilon=1, delta=0
    )
    assert least.upper < evaluate("pufferfish.quilt_scale_exact", chain, epsilon=1, width=12).lower
