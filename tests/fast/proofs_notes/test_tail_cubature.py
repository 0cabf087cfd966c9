"""The laws of proofs_notes/tail-cubature.md: a test named for each heading."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import pairwise, product
from math import comb, factorial, prod
from typing import TYPE_CHECKING

import pytest
from each import each_of
from flint import acb, arb, fmpq, fmpq_poly
from instances import instances
from simplexcert.reference.arb.balls import ball, working_precision
from simplexcert.reference.arb.gamma import log_beta
from simplexcert.reference.arb.gauss import error_factor, gauss_jacobi
from simplexcert.reference.arb.incomplete_beta import regularised_incomplete_beta
from simplexcert.reference.dirichlet.tail import cubature
from simplexcert.reference.dirichlet.tail.cubature import Layer, Panel, Walk
from simplexcert.reference.dirichlet.tail.event import Miss

if TYPE_CHECKING:
    from collections.abc import Sequence

DRAWS = [  # protected parameters, rest, gamma as a share of 1/w
    ((1,), 3, "1/2"),
    ((2, 3), 0, "1/3"),
    ((3, 1), 4, "9/10"),
    ((2, 1, 3), 0, "2/3"),
    ((2, 4, 1), 5, "1/5"),
    ((1, 2, 2, 3), 2, "3/4"),
    ((3, 2, 1, 2), 0, "1/7"),
]
draws = pytest.mark.parametrize(("alphas", "rest", "share"), DRAWS)


def rational(value: fmpq) -> Fraction:
    return Fraction(int(value.p), int(value.q))


def flint_rational(value: Fraction) -> fmpq:
    return fmpq(value.numerator, value.denominator)


def scaled_survival(alphas: Sequence[int], rest: int, level: Fraction) -> fmpq_poly:
    """Return r^(b-1) S(level/r) as a polynomial in r, by y_i = level + (r - m level) t_i."""
    room = fmpq_poly([flint_rational(-len(alphas) * level), 1])
    front = Fraction(factorial(sum(alphas) + rest - 1), prod(factorial(a - 1) for a in alphas))
    result = fmpq_poly([0])
    for js in product(*(range(a) for a in alphas)):
        power = sum(js) + len(alphas) + rest - 1
        terms = (
            comb(a - 1, j) * level ** (a - 1 - j) * factorial(j)
            for a, j in zip(alphas, js, strict=True)
        )
        result += room**power * flint_rational(front * prod(terms) / factorial(power))
    return result


def survival(alphas: Sequence[int], rest: int, level: Fraction) -> Fraction:
    return rational(scaled_survival(alphas, rest, level)(fmpq(1)))


def term(alphas: Sequence[int], rest: int, level: Fraction) -> Fraction:
    """Return the integral of f(y) S(level/(1 - y)) over (0, level), the last coordinate's term."""
    *earlier, last = alphas
    others = sum(earlier) + rest
    inner = scaled_survival(earlier, rest, level)(fmpq_poly([1, -1])) if earlier else None
    whole = inner if inner is not None else fmpq_poly([1, -1]) ** (others - 1)
    integral = (fmpq_poly([0, 1]) ** (last - 1) * whole).integral()
    over_beta = Fraction(factorial(last + others - 1), factorial(last - 1) * factorial(others - 1))
    return rational(integral(flint_rational(level))) * over_beta


def level_of(alphas: Sequence[int], share: str) -> Fraction:
    return Fraction(share) / len(alphas)


@draws
def test_first_to_be_small(alphas: tuple[int, ...], rest: int, share: str) -> None:
    """The terms add up to delta, and the j-th is what the j-th coordinate adds."""
    level, count = level_of(alphas, share), len(alphas)
    terms = [term(alphas[:j], rest + sum(alphas[j:]), level) for j in range(2, count + 1)]
    single = 1 - survival(alphas[:1], rest + sum(alphas[1:]), level)
    assert single + sum(terms) == 1 - survival(alphas, rest, level)
    assert all(value > 0 for value in [single, *terms])


@draws
def test_one_coordinate_less(alphas: tuple[int, ...], rest: int, share: str) -> None:
    """The integral over the last coordinate is what it adds to the earlier ones' probability."""
    level = level_of(alphas, share)
    before = survival(alphas[:-1], rest + alphas[-1], level) if alphas[1:] else Fraction(1)
    assert term(alphas, rest, level) == before - survival(alphas, rest, level)
    assert (len(alphas) - 1) * level / (1 - level) < 1


def test_last_decides() -> None:
    """Of two coordinates that are everything, the terms are two incomplete betas."""
    level = Fraction(2, 5)
    with working_precision(80):
        both = [regularised_incomplete_beta(Fraction(a), Fraction(5 - a), level) for a in (2, 3)]
        assert (both[0] + both[1]).overlaps(ball(1 - survival((2, 3), 0, level)))
    assert Walk((Fraction(2), Fraction(3)), Fraction(0)).last_decides
    assert Walk((Fraction(2),), Fraction(1)).last_decides
    assert not Walk((Fraction(2), Fraction(3)), Fraction(1)).last_decides
    assert not Walk((Fraction(2), Fraction(3), Fraction(1)), Fraction(0)).last_decides


@draws
def test_singles_bound_the_tail(alphas: tuple[int, ...], rest: int, share: str) -> None:
    """The largest single probability, delta, their sum, and w delta are in increasing order."""
    level, total = level_of(alphas, share), sum(alphas) + rest
    singles = [1 - survival((a,), total - a, level) for a in alphas]
    delta = 1 - survival(alphas, rest, level)
    assert max(singles) <= delta <= sum(singles) <= len(alphas) * delta


def test_single_upper_bound() -> None:
    """An incomplete beta is at most z^a/(a B) times the largest (1 - y)^(b-1)."""
    for first, second, z in product(("1/9", "1", "7"), ("1/8", "1", "9/2"), ("1/100", "2/5")):
        a, b, level = Fraction(first), Fraction(second), Fraction(z)
        bound = Walk((b, a), Fraction(0)).last_below_upper(ball(level))
        assert not regularised_incomplete_beta(a, b, level) > bound
        largest = ball(max(1 - level, Fraction(0))) ** ball(b - 1) if b < 1 else arb(1)
        by_hand = ball(level) ** ball(a) / ball(a) / log_beta(a, b).exp() * largest
        assert bound.rel_accuracy_bits() > 100
        assert bound.overlaps(by_hand)


@each_of("exponent", ["1/100", "1", "5/3", "40", "10000"])
@each_of("count", [1, 2, 7, 20])
def test_gaussian_rule(exponent: str, count: int) -> None:
    """Moments below 2 n are exact, the 2n-th is too small, and the nodes are apart."""
    a = Fraction(exponent)
    rule = gauss_jacobi(a, count)
    for power in range(2 * count):
        moment = sum((weight * node**power for node, weight in rule), arb(0))
        assert moment.rel_accuracy_bits() > 100
        assert moment.overlaps(1 / ball(a + power))
    nodes = sorted((node for node, _ in rule), key=lambda node: float(node.mid()))
    assert all(one < other for one, other in pairwise(nodes))
    assert all(0 < node < 1 and weight > 0 for node, weight in rule)
    if count < 3:  # further on the defect is below the precision
        assert sum((w * u ** (2 * count) for u, w in rule), arb(0)) < 1 / ball(a + 2 * count)


@each_of("exponent", ["1/50", "1", "8/3", "30"])
@each_of("count", [1, 3, 8])
def test_gaussian_error(exponent: str, count: int) -> None:
    """For 1/(1 - z u) the rule's true error is below the bound, on several ellipses."""
    a, z = Fraction(exponent), ball(Fraction(2, 3))
    truth = z.hypgeom_2f1(1, ball(a), ball(a) + 1) / ball(a)
    found = sum((weight / (1 - z * node) for node, weight in gauss_jacobi(a, count)), arb(0))
    for rho in (arb(1.5), arb(3), arb(3.7)):
        furthest = arb(0.5) + (rho + 1 / rho) / 4
        assert z * furthest < 1
        bound = error_factor(rho, count) / ball(a) / (1 - z * furthest)
        assert abs(found - truth) < bound


def test_off_axis_factor() -> None:
    """The moduli of r - sigma are between x - sigma and kappa (x - sigma), squared exactly."""
    seeded = random.Random(3)  # noqa: S311
    for _ in range(instances(66, 200)):
        sigma, above, beyond, v = (Fraction(seeded.randint(1, 99), 37) for _ in range(4))
        s = sigma + above
        x = s + beyond
        squared = (x - sigma) ** 2 + v**2
        assert (x - sigma) ** 2 <= squared <= (1 + v**2 / (x - s) ** 2) * (x - sigma) ** 2


def off_axis_bound(total: Fraction, count: int, level: Fraction, r: acb) -> arb:
    x, nearest = r.real, r.real - count * ball(level)
    kappa = (1 + (r.imag / nearest) ** 2).sqrt()
    return 2**count * kappa ** ball(max(total - 1, Fraction(0))) * x ** ball(total - 1)


@draws
def test_survival_off_the_axis(alphas: tuple[int, ...], rest: int, share: str) -> None:
    """On points with real part above m z the scaled survival is below its bound."""
    level = level_of(alphas, share) * Fraction(3, 4)
    seeded, polynomial = random.Random(5), scaled_survival(alphas, rest, level)  # noqa: S311
    coefficients = [ball(rational(polynomial[j])) for j in range(polynomial.degree() + 1)]
    for _ in range(instances(20, 60)):
        x = len(alphas) * level * (1 + Fraction(seeded.randint(1, 200), 100))
        r = acb(ball(x), ball(Fraction(seeded.randint(0, 300), 100)))
        value = acb(0)
        for coefficient in reversed(coefficients):
            value = value * r + coefficient
        total = Fraction(sum(alphas) + rest)
        assert abs(value) < off_axis_bound(total, len(alphas), level, r)


@each_of("a, b, c, z", [("1/3", "1/2", "1/5", "1/4"), ("5/2", "4", "7", "1/9")])
@each_of("panel", [(0.0, 1.0), (0.0, 0.5), (0.25, 1.0), (0.75, 0.875)])
def test_integrand_on_an_ellipse(
    a: str, b: str, c: str, z: str, panel: tuple[float, float]
) -> None:
    """The integrand around the ellipse is below the bound, for one earlier coordinate b, rest c."""
    first, earlier, rest, level = (Fraction(value) for value in (a, b, c, z))
    layer, total = Layer(first, earlier + rest, 1, ball(level)), earlier + rest
    for rho in (1.05, 1.4, 2.2):
        tried = Panel(*panel, rho)
        bound = layer.largest(tried)
        if not bound.is_finite():
            continue
        along, up = tried.axes()
        for step in range(24):
            turn = arb.pi() * step / 12
            u = acb((arb(tried.low) + tried.high) / 2 + along * turn.cos(), up * turn.sin())
            r = 1 - ball(level) * u
            share = ball(level) / r
            small = share.hypgeom_2f1(acb(ball(earlier)), acb(ball(1 - rest)), ball(earlier + 1))
            small *= share ** ball(earlier) / ball(earlier) / log_beta(earlier, rest).exp()
            value = r ** ball(total - 1) * (1 - small)
            mass = ball(Fraction(tried.high)) ** ball(first) / ball(first)
            if tried.low:
                value, mass = value * u ** ball(first - 1), arb(tried.high) - tried.low
            assert not abs(value) * mass > bound
    assert layer.largest(Panel(*panel, 1.05)).is_finite()


@draws
def test_any_layout_encloses(
    alphas: tuple[int, ...], rest: int, share: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Layouts at random, good or poor, give enclosures of the exact probability."""
    seeded, level = random.Random(len(alphas)), level_of(alphas, share)  # noqa: S311

    def anyhow(_layer: Layer, _tolerance: arb) -> tuple[Panel, ...]:
        cut = seeded.choice([0.25, 0.5, 0.875])
        return tuple(
            Panel(low, high, seeded.choice([1.01, 1.3, 1.9]), seeded.choice([0, 1, 3, 9]))
            for low, high in ((0.0, cut), (cut, 1.0))
        )

    monkeypatch.setattr(cubature, "panels", anyhow)
    exact = ball(1 - survival(alphas, rest, level))
    for _ in range(instances(3, 8)):
        found = cubature.probability(Miss.of(map(Fraction, alphas), Fraction(rest), level))
        assert found.overlaps(exact) or not found.is_finite()
