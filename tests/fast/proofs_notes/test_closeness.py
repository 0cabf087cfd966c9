"""The laws of proofs_notes/closeness.md: a test named for each heading."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from ball_checks import as_ball
from flint import arb
from simplexcert.reference.arb.balls import ball
from simplexcert.reference.pufferfish.divergences import (
    closeness,
    conditional,
    largest_ratio,
    max_divergence,
)
from simplexcert.reference.pufferfish.wasserstein import instantiation_loss


def law(*entries: str) -> tuple[Fraction, ...]:
    return tuple(map(Fraction, entries))


def test_bound_for_a_close_belief() -> None:
    random = Random(1)  # noqa: S311
    secrets, pairs = ((1, 2), (3, 4, 5), (2, 3)), ((1, 2), (2, 3), (1, 3))
    used = Fraction(0)
    for _ in range(60):
        laws = []
        for _ in range(2):
            weights = [random.randint(1, 9) for _ in range(5)]
            laws.append(tuple(Fraction(w, sum(weights)) for w in weights))
        values = tuple(Fraction(random.randint(0, 6)) for _ in range(5))
        inside, outside = (
            instantiation_loss(values, (theta,), secrets, pairs, Fraction(2)) for theta in laws
        )
        delta = as_ball(closeness(*laws, secrets))
        assert as_ball(closeness(*laws[::-1], secrets)).overlaps(delta)
        assert not outside > inside + 2 * delta
        used += outside > inside
    assert used > 10


def test_impossible_secrets_count_as_infinite() -> None:
    theta, belief, secrets = law("1", "0"), law("1/2", "1/2"), ((1,), (2,))
    given = (law("0", "1"), secrets, ((1, 2),), Fraction(1))
    values, *rest = given
    assert instantiation_loss(values, (theta,), *rest).is_zero()
    assert instantiation_loss(values, (belief,), *rest) > 0
    assert conditional(theta, (1,)) == conditional(belief, (1,))
    for one, other in ((theta, belief), (belief, theta)):
        found = closeness(one, other, secrets)
        assert isinstance(found, arb)
        assert not found.is_finite()
        assert found > 0
    assert closeness(theta, belief, ((1,),)) == 0


def test_conditioning_can_increase() -> None:
    theta, belief = law("0.9", "0.05", "0.05"), law("0.01", "0.95", "0.04")
    before = as_ball(closeness(theta, belief, ((1, 2, 3),)))
    assert before.overlaps(arb(90).log())
    after = as_ball(closeness(theta, belief, ((1, 2),)))
    assert after.overlaps(ball(Fraction(1728, 19)).log())
    assert ball(Fraction("4.5102809")) < after < ball(Fraction("4.5102810"))
    assert after < ball(Fraction("91.0961")).log()
    rounded = largest_ratio(law("0.9474", "0.0526"), law("0.0104", "0.9896"))
    assert rounded == Fraction(4737, 52)
    example = max_divergence(law("1/3", "1/2", "1/6"), law("1/2", "1/4", "1/4"))
    assert as_ball(example).overlaps(arb(2).log())
