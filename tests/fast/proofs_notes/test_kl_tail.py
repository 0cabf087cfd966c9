"""The laws of proofs_notes/kl-tail.md: a test named for each heading."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING

import ball_checks
import pytest
from ball_checks import seeded
from each import each_of
from flint import acb, arb
from instances import instances
from simplexcert.certify.papers.ponnoprat2023 import tail
from simplexcert.reference.arb.balls import ball, working_precision
from simplexcert.reference.arb.balls import middle as middle_of
from simplexcert.reference.arb.gamma import log_beta
from simplexcert.reference.arb.incomplete_beta import regularised_incomplete_beta
from simplexcert.reference.arb.integration import integrate
from simplexcert.reference.dirichlet.kl_moments import ANGLE, Divergence, Hyperbola, Moments, Strip
from simplexcert.reference.dirichlet.kl_tail import (
    Rule,
    _left_out,
    _step,
    _sum_over_nodes,
    crossing,
    kl_chernoff,
    kl_tail,
    kl_tail_bound,
)
from simplexcert.reference.dirichlet.kl_tail import tail as contour_tail

if TYPE_CHECKING:
    from collections.abc import Iterator

    from simplexcert.reference.arb.integration import Cuts

meets = partial(ball_checks.meets, bits=90)


@pytest.fixture(autouse=True)
def precision() -> Iterator[None]:
    with working_precision(128):
        yield


def spread(rng: Random, low: float, high: float) -> Fraction:
    """Return a number, log-uniform between two powers of ten."""
    return Fraction(f"{10 ** rng.uniform(low, high):.6g}")


def uniform(d: int) -> tuple[Fraction, ...]:
    return (Fraction(1, d),) * d


def some_law(rng: Random) -> tuple[Fraction, ...]:
    counts = [rng.choice([0, 1, 1, rng.randint(1, 50)]) for _ in range(rng.randint(1, 5))]
    counts.append(rng.randint(1, 9))
    if len(counts) == 1 or sum(map(bool, counts)) == 1:
        counts.append(1)
    return tuple(Fraction(count, sum(counts)) for count in counts)


def some_divergence(rng: Random) -> Divergence:
    return Divergence.of(some_law(rng), spread(rng, -2, 4), spread(rng, -3, 2))


def paths(divergence: Divergence) -> list[Hyperbola]:
    """One hyperbola on either side of the pole, with admissible foci."""
    whole = ball(divergence.limit)
    return [
        Hyperbola((whole / 16).mid(), (whole / 8 * 7).mid(), right=True),
        Hyperbola((-whole).mid(), (whole / 8 * 7).mid(), right=False),
    ]


def test_moment_function() -> None:
    """Two cells by a guarded integral; a third one without a share by a factor; poles in order."""
    p, b, z = Fraction(2, 5), (Fraction(10, 3), Fraction(7, 2)), Fraction(1, 2)
    beta, alpha = Fraction(5, 6), Fraction(3)
    assert (beta * p + alpha, beta * (1 - p) + alpha) == b

    def tilted(s: acb, cuts: Cuts) -> acb:
        """Return e^(z KL) times the density in s = logit y_1."""
        both = cuts.log(1 + s.exp())
        log_y, log_rest = s - both, -both
        power = (ball(b[0] - z * p), ball(b[1] - z * (1 - p)))
        return (power[0] * log_y + power[1] * log_rest).exp()

    entropy = ball(p) * ball(p).log() + ball(1 - p) * ball(1 - p).log()
    found = integrate(tilted, arb(-60), arb(60), 100) + arb(0, 1e-40)
    two = Divergence.of((p, 1 - p), beta, alpha)
    moment = two.log_moment_at(z).exp()
    assert meets(found * (ball(z) * entropy - log_beta(*b)).exp(), moment, bits=60)
    # y = (W y', 1 - W) with W ~ Beta(b_1 + b_2, alpha), so M gains the factor E W^-z.
    three = Divergence.of((p, 1 - p, Fraction(0)), beta, alpha)
    factor = log_beta(sum(b) - z, alpha) - log_beta(sum(b), alpha)
    assert meets(three.log_moment_at(z), two.log_moment_at(z) + factor)
    without = Divergence.of((p, 1 - p, Fraction(0)), beta, Fraction(0))
    assert without == Divergence.of((p, 1 - p), beta, Fraction(0))
    rng = seeded(1)
    for _ in range(instances(10, 30)):
        item = some_divergence(rng)
        assert item.limit <= item.total
        points = [item.limit * Fraction(j, 8) for j in range(-8, 8)]
        assert all(item.slope_at(x) < item.slope_at(y) for x, y in pairwise(points))
        near = item.slope_at(item.limit * (1 - Fraction(1, 10**9)))
        assert near > ball(Fraction(10**8) / item.limit) * ball(item.shares[-1][0]) / 2


def below(p: Fraction, eta: Fraction, low: Fraction, high: Fraction) -> Fraction:
    """Return a point within 2^-120 of where KL((p, 1-p) || (x, 1-x)) = eta, between two points."""

    def excess(x: Fraction) -> arb:
        return ball(p) * ball(p / x).log() + ball(1 - p) * ball((1 - p) / (1 - x)).log() - ball(eta)

    for _ in range(120):
        middle = (low + high) / 2
        low, high = (middle, high) if excess(middle) > 0 else (low, middle)
    return (low + high) / 2


@each_of(
    "p, beta, alpha, eta",
    [
        ("1/3", "5", "1", "1/2"),
        ("1/3", "5", "1", "1/100"),
        ("1/2", "40", "1/10", "1/50"),
        ("1/7", "1/10", "3", "1/3"),
        ("3/4", "300", "20", "1/200"),
    ],
)
def test_inversion(p: str, beta: str, alpha: str, eta: str) -> None:
    """Two cells: the set where KL > eta has two ends, and its chance is two incomplete betas."""
    share, prior, level = Fraction(p), Fraction(alpha), Fraction(eta)
    b = [Fraction(beta) * x + prior for x in (share, 1 - share)]
    with working_precision(300):
        left = below(share, level, Fraction(0), share)
        right = 1 - below(1 - share, level, Fraction(0), 1 - share)
        known = regularised_incomplete_beta(b[0], b[1], left)
        known += regularised_incomplete_beta(b[1], b[0], 1 - right)
    around = arb(0, 1e-33)  # the ends are known to 2^-120, and the densities are below 100
    found = kl_tail((share, 1 - share), Fraction(beta), prior, level)
    assert meets(found, known + around, bits=80)


def test_room_around_the_focus() -> None:
    rng = seeded(2)
    for _ in range(instances(33, 100)):
        angle, u = arb(rng.uniform(0.02, 1.55)), arb(rng.uniform(0, 6))
        right = rng.random() < 0.5
        radius = arb(rng.uniform(0.1, 50))
        centre = arb(rng.uniform(0, 9)) if right else -radius * arb(rng.uniform(1, 3))
        path = Hyperbola(centre, radius, right)
        z, speed = path.point(angle, u)
        w = centre + radius - z
        assert meets(abs(w), radius * (u.cosh() - angle.cos()))
        assert meets(abs(w) + w.real, path.room(angle, u))
        assert meets(abs(speed), path.speed(angle, u))
        t = arb(rng.uniform(0.1, 40))
        assert abs(w + t) + (w + t).real > path.room(angle, u)
        assert not path.distance_from_pole(angle, u) > abs(z)
        assert path.distance_from_pole(angle, u) < path.distance_from_pole(angle, u + t)


def test_digamma_off_the_axis() -> None:
    rng = seeded(3)
    for _ in range(instances(100, 300)):
        size, height = 10 ** rng.uniform(-3, 3), 10 ** rng.uniform(-3, 3)
        x = acb(size * rng.choice([-1, 1]), height * rng.choice([-1, 1]))
        room, imag = abs(x) + x.real, abs(x.imag)
        gap, slope = abs(x.log() - x.digamma()), abs(1 / x - x.polygamma(1))
        assert gap.rel_accuracy_bits() > 20
        assert slope.rel_accuracy_bits() > 20
        assert gap < 2 / room
        assert gap < arb.pi() / imag
        assert slope < 4 / room**2
        assert slope < 4 / imag**2


def test_slope_bounds() -> None:
    rng = seeded(4)
    for _ in range(instances(15, 60)):
        item = some_divergence(rng)
        with working_precision(200):
            moments, whole = Moments(item), float(item.limit)
            z = acb(whole * rng.uniform(-2, 4), whole * 10 ** rng.uniform(-3, 1))
            q = ball(item.limit) - z
            room, spread_of = (abs(q) + q.real).max(z.imag), ball(item.spread)
            curvature = -(ball(item.total) - z).polygamma(1)
            for x, times in item.shares:
                b = ball(item.parameter(x)) - ball(x) * z
                curvature += times * ball(x) ** 2 * b.polygamma(1)
            slope = abs(moments.slope(z))
            sharper = Strip(item, Fraction(1), paths(item)[0], 128)._most_curved(z, room, arb(0))
        assert min(slope.rel_accuracy_bits(), abs(curvature).rel_accuracy_bits()) > 20
        assert slope < arb.pi() * spread_of / room
        assert abs(curvature) < sharper
        assert sharper <= 4 * spread_of / room**2 * (1 + arb(2) ** -100)


def sizes(divergence: Divergence, eta: Fraction, path: Hyperbola, angle: arb, u: arb) -> arb:
    """Enclose |F z'| at a point of a hyperbola."""
    z, change = path.point(angle, u)
    return abs((Moments(divergence).log_moment(z) - ball(eta) * z).exp() * change / z)


def test_end_of_the_hyperbola() -> None:
    """The bound exceeds sums that are too small for the integral, and is infinite too early."""
    rng = seeded(5)
    for _ in range(8):
        item, turn = some_divergence(rng), Fraction(rng.randint(-8, 8), 16)
        eta = Fraction(rng.randint(1, 40)) / item.limit
        for path in paths(item):
            strip, angle = Strip(item, eta, path, 128), ball(ANGLE + turn)
            end = strip.shortest(turn)
            h = arb(1) / 64
            nodes = sum((sizes(item, eta, path, angle, end + j * h) for j in range(1, 60)), arb(0))
            bound = strip.beyond(turn, end)
            assert bound.is_finite()
            assert nodes * h < bound
            assert not strip.beyond(turn, arb(2) ** -20).is_finite()


def test_panels_of_an_edge() -> None:
    rng = seeded(6)
    for _ in range(instances(6, 25)):
        item, turn = some_divergence(rng), Fraction(rng.randint(-8, 8), 16)
        eta = Fraction(rng.randint(1, 40)) / item.limit
        for path in paths(item):
            strip, angle = Strip(item, eta, path, 128), ball(ANGLE + turn)
            low = arb(rng.choice([0, rng.uniform(0, 4)]))
            high = low + arb(10 ** rng.uniform(-3, 0.7))
            bound, _ = strip._panel(angle, low, high)
            middle = (low + high) / 2
            centre = path.point(angle, middle)[0]
            way = (high - low) / 2 * path.speed(angle, high)
            room = strip._room(angle, low, centre, way)
            alone, whole = strip._changes(centre, way, room)
            at_centre = Moments(item).log_moment(centre).real
            for _ in range(5):
                u = low + (high - low) * arb(rng.random())
                assert sizes(item, eta, path, angle, u) < bound
                z = path.point(angle, u)[0]
                moved = Moments(item).log_moment(z).real - at_centre
                assert abs(moved) < alone
                assert abs(moved - ball(eta) * (z - centre).real) < whole
                q = ball(item.limit) - z
                assert abs(z - centre) < way
                assert not room > (abs(q) + q.real).max(z.imag)
    # Towards the pole log M is convex, and rises by more than the slope in the middle says.
    for _ in range(10):
        item = some_divergence(rng)
        whole, part = item.limit, Fraction(rng.randint(1, 9), 40)
        z, way = whole / 2, whole / 2 * part
        eta = middle_of(item.slope_at(z))
        changes = Strip(item, eta, paths(item)[0], 128)._changes(
            acb(ball(z)), ball(way), ball(whole - 2 * way)
        )
        rise = item.log_moment_at(z + way) - item.log_moment_at(z)
        assert ball(way) * item.slope_at(z) < rise < changes[0]
        assert 0 < rise - ball(eta * way) < changes[1]
    # With small panels the bound on an edge is close to the integral, which a sum tells.
    item, eta, h = Divergence.of(uniform(3), Fraction(9), Fraction(1)), Fraction(2), arb(1) / 64
    for path in paths(item):
        strip = Strip(item, eta, path, 128)
        strip._allowed = arb(1) / 64
        bound, angle = strip.edge_integral(Fraction(1, 8)), ball(Fraction(9, 8))
        total = sizes(item, eta, path, angle, arb(0))
        total += 2 * sum((sizes(item, eta, path, angle, j * h) for j in range(1, 400)), arb(0))
        assert total * h < bound < total * h * 3 / 2


def coarse_rule(item: Divergence, eta: Fraction, bits: int, longer: int) -> tuple[arb, arb, arb]:
    """Return what a rule misses, its bound on that, and the part of the bound for the aliases."""
    where = crossing(item, eta)
    assert where is not None
    strip, reach = Strip(item, eta, where.hyperbola, 128), Fraction(3, 8)
    edges = strip.edge_integral(-reach) + strip.edge_integral(reach)
    step = _step(reach, arb(1), arb(2) ** -bits).mid()
    nodes = int(float((strip.shortest(Fraction(0)) + longer) / step)) + 1
    error = _left_out(strip, reach, edges, step, nodes)
    with working_precision(500):
        known = contour_tail(item, eta)
        found = _sum_over_nodes(item, eta, Rule(where.hyperbola, step, nodes, error))
        missed = found - known if where.hyperbola.right else 1 + found - known
    return abs(missed), error, edges * arb(2) ** -bits


def test_trapezoid_error() -> None:
    """Coarse rules miss by something, and by no more than the bound says; so do short ones."""
    rng = seeded(7)
    for _ in range(instances(2, 6)):
        item, level = some_divergence(rng), Fraction(rng.randint(1, 30), 10)
        eta = level * Fraction(item.support, 2) / (item.beta + item.alpha)
        for bits in (4, 12, 30):
            missed, error, _ = coarse_rule(item, eta, bits, longer=2)
            assert 0 < missed < error
    for eta in (Fraction(1, 10), Fraction(2)):
        item = Divergence.of(uniform(2), Fraction(5), Fraction(1, 2))
        missed, error, aliases = coarse_rule(item, eta, 250, longer=0)
        assert aliases < missed < error


def test_chernoff_minimum() -> None:
    rng = seeded(8)
    for _ in range(instances(8, 25)):
        p, beta, alpha = some_law(rng), spread(rng, -2, 4), spread(rng, -3, 2)
        item = Divergence.of(p, beta, alpha)
        mean = item.slope_at(Fraction(0))
        assert mean.rel_accuracy_bits() > 40
        scale = Fraction(f"{float(mean):.6g}")
        assert kl_chernoff(p, beta, alpha, scale * Fraction(9, 10)) == 1
        eta = scale * Fraction(rng.randint(11, 60), 10)
        least = kl_chernoff(p, beta, alpha, eta)
        assert least.rel_accuracy_bits() > 60
        assert kl_tail(p, beta, alpha, eta) < least < 1
        for j in range(1, 8):
            z = item.limit * Fraction(j, 8)
            assert least < (item.log_moment_at(z) - ball(eta * z)).exp()


def test_published_bound_from_one_half() -> None:
    assert tail.bound_holds_from_one_half()


@each_of(
    "d, alpha, eta, beta, tail, bound",
    [
        (3, "0.001", "1", "0.004624484", "0.99990540", "0.9998899"),
        (10, "0.08", "1", "1.23319539", "0.98615609", "0.9710651"),
        (20, "0.1", "1", "3.082988474", "0.99681628", "0.9292249"),
        (50, "0.2", "0.7", "23.862503871", "0.85703942", "0.7011963"),
        (100, "0.22", "0.5", "77.457864359", "0.82588737", "0.4945226"),
        (400, "0.25", "0.4", "451.66560178", "0.54072312", "0.05528286"),
        (1000, "0.27", "0.4", "1219.497124805", "0.04436159", "0.00040271"),
        (3000, "0.29", "0.48", "3207.383639615", "1.995278e-10", "1.27570e-12"),
    ],
)
def test_published_bound_fails(
    d: int, alpha: str, eta: str, beta: str, tail: str, bound: str
) -> None:
    level, scale, prior = Fraction(eta), Fraction(beta), Fraction(alpha)
    assert ball(scale) * (ball(level / 2).exp() - 1) > ball(d * prior)
    printed = kl_tail_bound(scale, level)
    found = kl_tail(uniform(d), scale, prior, level)
    for value, stated in ((found, tail), (printed, bound)):
        digits = len(stated.partition("e")[0].partition(".")[2])
        power = int(stated.partition("e")[2] or 0)
        assert abs(value - ball(Fraction(stated))) * 2 < arb(10) ** (power - digits)
    assert found > printed
    if d == 20:  # without an integral
        item, s = Divergence.of(uniform(d), scale, prior), Fraction(7)
        kept = (item.log_moment_at(-s) + ball(level * s)).exp()
        assert 1 - kept > ball(Fraction(98, 100)) > printed


COUNTED = tuple(Fraction(count, 1283) for count in (119, 74, 618, 272, 13, 187))
VERTEX = (Fraction(1), *[Fraction(0)] * 5)


@each_of(
    "p, eta, bound, chernoff, exact",
    [
        (uniform(6), "0.05", "20389", "166.8", "105.9"),
        (uniform(6), "0.3", "750.3", "23.66", "13.52"),
        (COUNTED, "0.1", "5411", "84.04", "53.64"),
        (VERTEX, "0.1", "5411", "123.4", "88.57"),
        (uniform(50), "0.1", "5411", "345.2", "290.0"),
    ],
)
def test_data_needed(
    p: tuple[Fraction, ...], eta: str, bound: str, chernoff: str, exact: str
) -> None:
    """The stated beta is enough, and one unit of its last figure less is not."""
    level, most, alpha = Fraction(eta), ball(Fraction(1, 20)), Fraction(1)
    answers = {
        bound: lambda beta: kl_tail_bound(beta, level),
        chernoff: lambda beta: kl_chernoff(p, beta, alpha, level),
        exact: lambda beta: kl_tail(p, beta, alpha, level),
    }
    for stated, chance in answers.items():
        unit = Fraction(1, 10 ** len(stated.partition(".")[2]))
        assert chance(Fraction(stated)) < most < chance(Fraction(stated) - unit)
