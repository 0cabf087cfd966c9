"""The laws of proofs_notes/composition.md: a test named for each heading."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING

import pytest
from ball_checks import meets, seeded
from each import each_of
from flint import acb, arb
from instances import first as some
from instances import instances
from simplexcert.reference.arb.balls import ball, working_precision
from simplexcert.reference.arb.gamma import log_beta
from simplexcert.reference.arb.integration import integrate
from simplexcert.reference.dirichlet import profile
from simplexcert.reference.dirichlet.composition.integral import (
    Path,
    beyond_the_end,
    delta_on_path,
    planned_path,
)
from simplexcert.reference.dirichlet.composition.line import (
    aliases,
    beyond,
    delta_on_line,
    integrand,
)
from simplexcert.reference.dirichlet.composition.moments import LossMoments, Releases
from simplexcert.reference.dirichlet.composition.plan import Line, planned_line
from simplexcert.reference.dirichlet.composition.quantities import (
    epsilon_above,
    smallest_epsilon,
)
from simplexcert.reference.dirichlet.composition.route import delta_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from simplexcert.reference.arb.integration import Cuts

ONE = Fraction(1)
ELEMENTARY = Releases(((ONE, ONE, 1),))  # delta(x) = 1/(1 + e^x) for every real x
MIXED = Releases.of([(Fraction(3, 2), Fraction(2), 2), (Fraction(5), Fraction(1, 2), 3)])
HEIGHTS = ("1/4", "1", "3", "10")


@pytest.fixture(autouse=True)
def precision() -> Iterator[None]:
    with working_precision(128):
        yield


def within(rest: arb) -> arb:
    return rest.union(-rest)


def delta(releases: Releases, epsilon: str | Fraction) -> arb:
    value = delta_of(releases, Fraction(epsilon))
    assert value.rel_accuracy_bits() > 60
    return value


def drawn(random: Random, kinds: int) -> list[tuple[Fraction, Fraction, int]]:
    return [
        (Fraction(random.randint(20, 300), 50), Fraction(random.randint(5, 100), 50), count)
        for count in random.choices((1, 2, 5), k=kinds)
    ]


def elementary(point: arb) -> arb:
    return 1 / (1 + point.exp())


def elementary_transform(point: acb, epsilon: Fraction) -> acb:
    """Enclose F(z) = pi e^(-z epsilon)/sin(pi z)."""
    return acb(arb.pi()) * (-point * ball(epsilon)).exp() / (point * acb(arb.pi())).sin()


@each_of(
    "alpha, step, epsilon",
    [("3/2", "2", "1"), ("1/2", "1", "0"), ("9/4", "1/2", "1/2"), ("5/2", "3", "7")],
)
def test_losses_add(alpha: str, step: str, epsilon: str) -> None:
    """E delta_2(eps - L_1) by the density of L_1; delta_2 <= 1, so the ends cost little."""
    a, s, eps = Fraction(alpha), Fraction(step), Fraction(epsilon)
    power = int(2 * a + s)
    assert power == 2 * a + s
    front = (-log_beta(a, a + s)).exp() / ball(s)

    def weighed(place: acb, _: Cuts) -> acb:
        spread = (place / ball(2 * s)).exp() + (-place / ball(2 * s)).exp()
        return (place / 2).exp() / spread**power / (1 + (ball(eps) - place).exp())

    end = 150 * s / a  # there the density is below e^(-c l), c = a/s, on either side
    inner = sum(
        (integrate(weighed, ball(low), ball(high)) for low, high in pairwise((-end, 0, eps, end))),
        arb(0),
    )
    rest = 2 * ball(s / a) * (-ball(end * a / s)).exp()
    both = Releases.of([(a, s, 1), (ONE, ONE, 1)])
    assert meets(front * (inner + within(rest)), delta(both, eps))


def test_moment_function() -> None:
    moments = LossMoments(MIXED, Fraction(0))
    for point in ("-3/4", "-1/8", "1/8", "2/3"):
        z = ball(Fraction(point))
        assert meets(moments.logarithm(z), moments.logarithm(-1 - z), 60)
    for order in (Fraction(3, 2), Fraction(8, 5)):
        divergences = [n * profile.renyi(a, s, order) for a, s, n in MIXED.kinds]
        total = sum(divergences, arb(0)) * ball(order - 1)
        assert meets(moments.logarithm(ball(order - 1)), total, 60)
    assert not moments.logarithm(ball(MIXED.limit)).is_finite()
    assert not moments.logarithm(acb(ball(-1 - MIXED.limit), arb(0, 1))).is_finite()


def test_transform_of_delta() -> None:
    """The integral of e^(zx)/(1 + e^x) is pi/sin(pi z)."""
    moments = LossMoments(ELEMENTARY, Fraction(2))
    for real, imaginary in (("1/4", "0"), ("1/2", "1"), ("7/8", "-3")):
        z = acb(ball(Fraction(real)), ball(Fraction(imaginary)))
        ratio = integrand(moments, z) / elementary_transform(z, Fraction(2))
        assert meets(ratio.real, arb(1))
        assert abs(ratio.imag) < 1e-30


def test_transform_of_the_rest() -> None:
    """The integral of e^(zx) e^x/(1 + e^x) is -pi/sin(pi z), -1 < Re z < 0."""
    z = ball(Fraction(-2, 5))
    inner = integrate(lambda x, _: (z * x).exp() * x.exp() / (1 + x.exp()), arb(-200), arb(200))
    rest = (-200 * ball(Fraction(3, 5))).exp() / ball(Fraction(3, 5))
    rest += (-200 * ball(Fraction(2, 5))).exp() / ball(Fraction(2, 5))
    transform = -integrand(LossMoments(ELEMENTARY, Fraction(0)), acb(z)).real
    assert meets(inner + within(rest), transform, 80)


def test_falls_off_the_axis() -> None:
    moments = LossMoments(MIXED, ONE)
    for crossing in ("-9/10", "-1/2", "1/5", "7/10"):
        c = ball(Fraction(crossing))
        sizes = [moments.logarithm(acb(c, ball(Fraction(y)))).real for y in ("0", "1/9", *HEIGHTS)]
        assert all(later < before for before, later in pairwise(sizes))
        for height in HEIGHTS:
            known, y = moments.logarithm(c), ball(Fraction(height))
            for alpha, step, count in MIXED.kinds:
                ends = ball(alpha) - c * ball(step), ball(alpha + step) + c * ball(step)
                known -= sum(
                    (
                        count * (1 + (y * ball(step) / (end + n)) ** 2).log() / 2
                        for n in range(40)
                        for end in ends
                    ),
                    arb(0),
                )
            assert moments.logarithm(acb(c, y)).real < known
    for beyond_pole in ("3/4", "2", "7/3", "-9"):  # 3/4 is a pole
        x = ball(Fraction(beyond_pole))
        sizes = [moments.logarithm(acb(x, ball(Fraction(y)))).real for y in ("1/9", *HEIGHTS)]
        assert all(later < before for before, later in pairwise(sizes))


def test_inversion() -> None:
    """Two wide lines, one in each strip, and the plan's."""
    epsilon = Fraction(1)
    whole = delta(MIXED, epsilon)
    for crossing, left, right in (("1/4", "0", "1/2"), ("-1/2", "-1", "0")):
        wide = Line(*(ball(Fraction(x)) for x in (crossing, left, right)), arb(30), 1500, 200)
        assert meets(delta_on_line(MIXED, epsilon, wide), whole, 40)


def test_bent_path() -> None:
    """From either strip, and from more than one crossing, what the line gives."""
    for epsilon, crossings in ((Fraction(0), ("-1/2", "1/5")), (Fraction(12), ("-1/5", "1/2"))):
        whole = delta(MIXED, epsilon)
        for crossing in some(1, crossings):
            path = Path(ball(Fraction(crossing)), arb(1), arb(64), 150)
            assert meets(delta_on_path(MIXED, epsilon, path), whole, 50)
            short = Path(ball(Fraction(crossing)), arb(1), ball(Fraction(3, 2)), 150)
            assert meets(delta_on_path(MIXED, epsilon, short), whole, 2)
        path = planned_path(MIXED, epsilon)
        assert path
        assert meets(delta_on_path(MIXED, epsilon, path), whole, 60)


def test_beyond_the_end_of_the_path() -> None:
    """The stretches that follow on the ray, each bounded by its boxes, stay below the bound."""
    few = Releases.of([(Fraction(1, 3), Fraction(1, 2), 2), (Fraction(2), ONE, 1)])
    for epsilon in (Fraction(0), Fraction(3)):
        moments = LossMoments(few, epsilon)
        for start in ("1/5", "-1/2"):
            for end in ("1/4", "2"):  # left and right of the poles from 2/3 on
                path = Path(ball(Fraction(start)), arb(1), ball(Fraction(end)), 128)
                bound = beyond_the_end(moments, path).upper()
                across = path.crossing + path.end
                pieces = [2 * path.end + (arb(n) + arb(0.5, 0.5)) / 80 for n in range(400)]
                sizes = [abs(integrand(moments, acb(across, y))) for y in pieces]
                assert sum(sizes, arb(0)).upper() / 80 / arb.pi() < bound
    at_once = Path(arb(0.5), arb(1), arb(0), 128)
    assert not beyond_the_end(moments, at_once).is_finite()


def test_centred_on_a_box() -> None:
    """On boxes f holds its values at points of them, narrowly where many releases nearly cancel."""
    random, many = seeded(9), Releases.of([(Fraction(30_000), Fraction(1, 10**5), 10**4)])
    for releases, size in ((many, 10**6), (MIXED, 3), (ELEMENTARY, 20)):
        moments = LossMoments(releases, ONE)
        for _ in range(instances(8, 20)):
            x, y = (arb(random.randint(-99, 99)) * size / 100 for _ in range(2))
            width = arb(random.randint(1, 99)) * size / 200
            box = acb(arb(x, width), arb(abs(y) + 2 * width, width))
            found = moments.logarithm(box)
            for _ in range(9):
                shares = [arb(random.randint(-99, 99)) / 99 for _ in range(2)]
                point = box.mid() + acb(*shares) * width
                assert found.contains(moments.logarithm(point))
        across_the_cut = acb(arb(ball(2 * releases.limit).mid(), 1), arb(0, 1))
        assert not moments.logarithm(across_the_cut).is_finite()
    box = acb(arb(0, 10**5), arb(10**5, 1000))
    assert LossMoments(many, Fraction(0)).logarithm(box).rad() < 100


def test_chernoff() -> None:
    random = seeded(1)
    for _ in range(instances(3, 6)):
        releases = Releases.of(drawn(random, 2))
        for epsilon in (Fraction(0), Fraction(1, 2), Fraction(4)):
            value, moments = delta(releases, epsilon), LossMoments(releases, epsilon)
            for share in (Fraction(1, 7), Fraction(1, 2), Fraction(6, 7)):
                assert value < moments.logarithm(ball(share * releases.limit)).exp()
                assert 1 - value < moments.logarithm(ball(-share)).exp()


def affinity(releases: Releases) -> arb:
    """Enclose the integral of sqrt(p q) for the product laws."""
    product = arb(1)
    for alpha, step, count in releases.kinds:
        middle = alpha + step / 2
        product *= (count * (log_beta(middle, middle) - log_beta(alpha, alpha + step))).exp()
    return product


def test_hellinger() -> None:
    random = seeded(2)
    for _ in range(6):
        releases = Releases.of(drawn(random, 2))
        for epsilon in (Fraction(0), Fraction(1, 2), Fraction(4)):
            bound = ball(epsilon / 2).exp() * affinity(releases)
            assert 1 - delta(releases, epsilon) < bound


def elementary_aliases(crossing: Fraction, step: Fraction, epsilon: Fraction) -> tuple[arb, arb]:
    """Enclose the sums over m < 0 and over m > 0 of the law for alpha = s = 1."""
    c, gap = ball(crossing), 2 * arb.pi() / ball(step)

    def term(m: int) -> arb:
        odds = (ball(epsilon) + m * gap).exp()
        return (c * m * gap).exp() * (1 if crossing > 0 else odds) / (1 + odds)

    low = sum((term(-m) for m in range(1, 200)), arb(0))
    high = sum((term(m) for m in range(1, 200)), arb(0))
    slowest = min(abs(crossing), 1 - abs(crossing))
    rest = 2 * ((1 + ball(epsilon)) - 200 * ball(slowest) * gap).exp()
    rest /= 1 - (-ball(slowest) * gap).exp()
    return low + within(rest), high + within(rest)


CROSSINGS = (Fraction(1, 3), Fraction(3, 4), Fraction(-1, 3), Fraction(-3, 4))


@each_of("crossing", CROSSINGS)
def test_aliases(crossing: Fraction) -> None:
    """Both sides of Poisson's formula for alpha = s = 1, where h is so long that aliases show."""
    epsilon, step, nodes = Fraction(1, 2), Fraction(2), 60
    moments, sign = LossMoments(ELEMENTARY, epsilon), 1 if crossing > 0 else -1
    points = [acb(ball(crossing), ball(j * step)) for j in range(-nodes, nodes + 1)]
    rule = sign * sum((integrand(moments, z).real for z in points), arb(0)) * ball(step)
    rule = rule / (2 * arb.pi()) + beyond(moments, ball(crossing), ball(nodes * step))
    value = elementary(ball(epsilon))
    wanted = value if crossing > 0 else 1 - value
    low, high = elementary_aliases(crossing, step, epsilon)
    assert min(low, high) > 0
    assert low + high > 0.1
    assert meets(rule, wanted + low + high, 80)


@each_of("crossing", CROSSINGS)
def test_aliases_are_geometric(crossing: Fraction) -> None:
    epsilon, step = Fraction(1, 2), Fraction(2)
    moments, height = LossMoments(ELEMENTARY, epsilon), ball(10 * step)
    low, high = elementary_aliases(crossing, step, epsilon)
    base = Fraction(0) if crossing > 0 else Fraction(-1)
    for share in (Fraction(0), Fraction(1, 2)):
        left = base + share * (crossing - base)
        right = crossing + (1 - share) * (base + Fraction(9, 10) - crossing)
        line = Line(ball(crossing), ball(left), ball(right), height, 10, 128)
        assert low + high < aliases(moments, line)
    for wrong in ((crossing, right), (left, crossing), (base - 1, right), (left, base + 2)):
        line = Line(ball(crossing), ball(wrong[0]), ball(wrong[1]), height, 10, 128)
        assert not aliases(moments, line).is_finite()


def test_beyond_the_last_node() -> None:
    """What the nodes and the stretch that follow add is below the bound."""
    moments, step = LossMoments(MIXED, ONE), Fraction(1, 8)
    for crossing in (Fraction(1, 3), Fraction(-1, 4)):
        c, width = ball(crossing), ball(step) / (2 * arb.pi())
        for last in (2, 9, 40):
            bound = beyond(moments, c, ball(last * step)).upper()
            rest = [acb(c, ball(j * step)) for j in range(last + 1, last + 60)]
            added = sum((abs(integrand(moments, z)) for z in rest), arb(0))
            assert 2 * added * width < bound
    assert not beyond(moments, arb(0.25), arb(0)).is_finite()


def test_best_crossing() -> None:
    """On both sides of the planned line the bound on aliases is about as large; f is convex."""
    for releases, epsilon in ((MIXED, ONE), (MIXED, Fraction(20)), (MIXED, Fraction(0))):
        line = planned_line(releases, epsilon)
        assert line
        moments, rate = LossMoments(releases, epsilon), 2 * arb.pi() * line.nodes / line.height
        low, high = (
            moments.logarithm(at) - rate * abs(at - line.crossing) for at in (line.left, line.right)
        )
        assert abs(low - high) < 2
    f = LossMoments(MIXED, ONE).logarithm
    points = [ball(Fraction(n, 10)) for n in range(-9, 8)]
    slopes = [f(after) - f(before) for before, after in pairwise(points)]
    assert all(later > before for before, later in pairwise(slopes))


def gaussian_floor(releases: Releases, epsilon: Fraction) -> arb:
    mean = sum((n * 4 * s**2 / (2 * a + s) for a, s, n in releases.kinds), Fraction(0))
    mu, eps = ball(mean).sqrt(), ball(epsilon)

    def below(point: arb) -> arb:
        return (-point / arb(2).sqrt()).erfc() / 2

    return below(-eps / mu + mu / 2) - eps.exp() * below(-eps / mu - mu / 2)


def test_gaussian_floor() -> None:
    random = seeded(2)
    for _ in range(instances(3, 12)):
        releases = Releases.of(drawn(random, random.randint(1, 3)))
        for epsilon in (Fraction(0), Fraction(1, 2), Fraction(4)):
            assert delta(releases, epsilon) > gaussian_floor(releases, epsilon)
    many = Releases(((Fraction(10**6), Fraction(10), 10**4),))
    ratio = delta(many, Fraction(3)) / gaussian_floor(many, Fraction(3))
    assert 1 < ratio < 1.00001


def test_decreases_in_epsilon() -> None:
    points = ("0", "1e-9", "0.1", "1", "7", "60")
    for releases in (MIXED, Releases(((ONE, ONE, 50),))):
        values = [delta(releases, epsilon) for epsilon in points]
        assert all(0 < later < before < 1 for before, later in pairwise(values))


def test_monotone_in_each_release() -> None:
    random = seeded(3)
    for _ in range(instances(3, 6)):
        first, second = drawn(random, 2)
        alpha, step, count = first
        for epsilon in ("0", "2"):
            here = delta(Releases.of([first, second]), epsilon)
            for more in (Fraction(101, 100), Fraction(2)):
                assert delta(Releases.of([(alpha * more, step, count), second]), epsilon) < here
                assert delta(Releases.of([(alpha, step * more, count), second]), epsilon) > here


def test_more_releases_show_more() -> None:
    random = seeded(4)
    for _ in range(instances(3, 6)):
        first, second = drawn(random, 2)
        alpha, step, count = first
        for epsilon in ("0", "1", "20"):
            one, both = (
                delta(Releases.of([first]), epsilon),
                delta(Releases.of([first, second]), epsilon),
            )
            assert one < both
            assert one < delta(Releases.of([(alpha, step, count + 1)]), epsilon)


def test_root_in_epsilon() -> None:
    for target in some(2, ("1e-30", "0.7", "0.01")):
        root = smallest_epsilon(MIXED, Fraction(target))
        assert isinstance(root, arb)
        low, high = (end.mid().fmpq() for end in (root.lower(), root.upper()))
        below, above = (Fraction(int(x.p), int(x.q)) for x in (low, high))
        assert delta(MIXED, above) < ball(Fraction(target)) < delta(MIXED, below)
        assert root < epsilon_above(MIXED, Fraction(target))
    distance = delta(MIXED, "0")
    assert 0.7 < distance < 0.9
    assert smallest_epsilon(MIXED, Fraction(9, 10)) == 0
    assert smallest_epsilon(MIXED, Fraction(0)) == arb("inf")


@each_of(
    "rows, epsilon, printed",
    [
        (1, "1.16", "1.149647e-5"),
        (10, "1.16", "0.02254044"),
        (32, "1.16", "0.1787909"),
        (32, "1.16775", "0.1773343"),
    ],
)
def test_recorded_deltas(rows: int, epsilon: str, printed: str) -> None:
    known = delta(Releases(((Fraction("0.987"), Fraction("0.123375"), rows),)), epsilon)
    size = Fraction(10) ** (-int(printed[-1]) if "e-" in printed else 0)
    figures = len(printed.partition("e")[0].partition(".")[2])
    half = size / 2 / 10**figures
    assert ball(Fraction(printed) - half) < known < ball(Fraction(printed) + half)
