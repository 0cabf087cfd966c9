"""Releases together: every way to delta overlaps, equal rows are one, and the inverse inverts."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from each import each_of
from flint import acb, arb, ctx
from instances import instances
from simplexcert.reference import Answer, DomainError, evaluate
from simplexcert.reference.arb import integration
from simplexcert.reference.arb.balls import ball, working_precision
from simplexcert.reference.dirichlet import profile
from simplexcert.reference.dirichlet.composition import Releases, delta_of, plan, route, routed
from simplexcert.reference.dirichlet.composition.convex import (
    least_point,
    middle_strip,
    right_strip,
    saddle,
)
from simplexcert.reference.dirichlet.composition.integral import (
    Path,
    delta_on_path,
    planned_path,
)
from simplexcert.reference.dirichlet.composition.line import delta_on_line, integrand
from simplexcert.reference.dirichlet.composition.moments import LossMoments
from simplexcert.reference.dirichlet.composition.plan import Line, planned_line
from simplexcert.reference.errors import SoundnessError

MATRIX_ROW = ("0.987", "0.123375")  # fallin2023: k = 9.87, eta = 0.1, b = 0.025
NAMES = "dirichlet.composition.delta", "dirichlet.composition.epsilon"
Row = tuple[object, object, int]


def seeded(number: int) -> Random:
    return Random(number)  # noqa: S311


def releases(*rows: Row) -> Releases:
    return Releases.of((Fraction(str(a)), Fraction(str(s)), n) for a, s, n in rows)


def answer(rows: list[Row], epsilon: object, digits: int = 20) -> Answer:
    found = evaluate(NAMES[0], {"releases": rows, "epsilon": epsilon}, digits=digits)
    assert found.narrow
    return found


def inverse(rows: list[Row], delta: object) -> Answer:
    found = evaluate(NAMES[1], {"releases": rows, "delta": delta})
    assert found.narrow
    return found


def meets(first: arb, second: arb, bits: int = 60) -> bool:
    narrow = all(x.is_finite() and x.rel_accuracy_bits() >= bits for x in (first, second))
    return narrow and bool(first.overlaps(second))


@each_of(
    "count, epsilon, first_digits",
    [
        (1, "1.16", "0.00001149647"),
        (10, "1.16", "0.0225404"),
        (32, "1.16", "0.178790900"),
        (10_000, "300", "0.00105197722583310"),
    ],
)
def test_recorded_numbers(count: int, epsilon: str, first_digits: str) -> None:
    found = answer([(*MATRIX_ROW, count)], epsilon)
    unit = Fraction(10) ** (2 - len(first_digits))
    assert Fraction(first_digits) <= found.lower
    assert found.upper < Fraction(first_digits) + unit


@each_of(
    "alpha, step, epsilon",
    [("0.987", "0.123375", "1.16"), (5, 40, 3), ("0.5", "0.25", 4), (2000, 30, "0.5"), (1, 1, 0)],
)
def test_one_release_is_the_profile(alpha: object, step: object, epsilon: object) -> None:
    """The line and the integral, which one release has no need of, agree with the closed form."""
    one, eps = releases((alpha, step, 1)), Fraction(str(epsilon))
    with working_precision(128):
        closed = profile.delta(*one.kinds[0][:2], eps)
        known = ball(closed) if isinstance(closed, Fraction) else closed
        line, path = planned_line(one, eps), planned_path(one, eps)
        assert line
        assert path
        assert meets(delta_on_line(one, eps, line), known, 120)
        assert meets(delta_on_path(one, eps, path), known)


def test_lines_on_both_sides_and_integrals_agree() -> None:
    random = seeded(5)
    for _ in range(instances(3, 6)):
        rows = [
            (Fraction(random.randint(1, 400), 20), Fraction(random.randint(1, 60), 20), n)
            for n in random.choices((1, 2, 7), k=2)
        ]
        several, epsilon = Releases.of(rows), Fraction(random.randint(0, 20), 4)
        with working_precision(128):
            with plan.planned_for(several, epsilon) as aim:
                lines = [plan._line(aim, strip) for strip in (right_strip(several), middle_strip())]
            values = [delta_on_line(several, epsilon, line) for line in lines if line]
            path = planned_path(several, epsilon)
            assert path
            values.append(delta_on_path(several, epsilon, path))
            assert len(values) == 3
            assert all(meets(value, values[0]) for value in values)


def test_any_line_and_any_path_enclose() -> None:
    """What a plan chooses badly makes an enclosure wide, never wrong."""
    several, epsilon, random = releases((3, 1, 2), ("0.5", "0.2", 3)), Fraction(2), seeded(6)
    with working_precision(128):
        known = delta_of(several, epsilon)
        for _ in range(instances(3, 12)):
            base = random.choice((Fraction(0), Fraction(-1)))
            points = sorted(Fraction(random.randint(1, 99), 100) for _ in range(3))
            left, crossing, right = (ball(base + point) for point in points)
            height, nodes = arb(random.randint(1, 60)), random.randint(1, 60)
            line = Line(crossing, left, right, height, nodes, 90)
            path = Path(crossing, arb(random.randint(1, 9)), height, 90)
            assert not delta_on_line(several, epsilon, line).is_finite() or known.overlaps(
                delta_on_line(several, epsilon, line)
            )
            assert delta_on_path(several, epsilon, path).overlaps(known)


def test_few_nodes_a_short_line_and_long_steps_show_in_the_width() -> None:
    several, epsilon = releases((3, 1, 2), ("0.5", "0.2", 3)), Fraction(2)
    with working_precision(128):
        known, line = delta_of(several, epsilon), planned_line(several, epsilon)
        assert line
        short = Line(line.crossing, line.left, line.right, line.height / 4, line.nodes // 4, 200)
        coarse = Line(line.crossing, line.left, line.right, line.height, line.nodes // 4, 200)
        rounded = Line(line.crossing, line.left, line.right, line.height, line.nodes, 10)
        with working_precision(10):
            rough = delta_on_line(several, epsilon, rounded)
        for value in (*(delta_on_line(several, epsilon, x) for x in (short, coarse)), rough):
            assert value.rel_accuracy_bits() < 110
            assert value.overlaps(known)


def test_order_and_grouping_do_not_matter() -> None:
    first: Row = ("1.5", "0.5", 2)
    second: Row = (20, 3, 1)
    expected = answer([first, second], 1)
    for rows in ([second, first], [("1.5", "0.5", 1), second, ("3/2", "1/2", 1)]):
        assert answer(rows, 1).enclosure == expected.enclosure
    assert inverse([second, first], "0.01").enclosure == inverse([first, second], "0.01").enclosure


def test_more_precision_agrees() -> None:
    random = seeded(7)
    for _ in range(instances(3, 10)):
        rows = [
            (
                Fraction(random.randint(1, 99)) * Fraction(10) ** random.randint(-2, 3),
                Fraction(random.randint(1, 99)) * Fraction(10) ** random.randint(-3, 1),
                random.choice((2, 5, 1000)),
            )
            for _ in range(2)
        ]
        several, epsilon = Releases.of(rows), Fraction(random.randint(0, 50), 5)
        with working_precision(128):
            rough = delta_of(several, epsilon)
        with working_precision(300):
            assert meets(rough, delta_of(several, epsilon))
        assert rough.rel_accuracy_bits() > 110


@each_of(
    "rows, epsilon",
    [
        ([("1e300", "1e149", 3)], 1),
        ([("1e3", "1e-3", 10**9)], 1000),
        ([(100, 1, 3)], 100),
        ([(1, "1e-12", 3)], 0),
        ([(1, "1e-12", 3), (1, 5, 2)], 3),
        ([("0.987", "0.123375", 2)], "7.9"),
        ([("1e-6", 10, 3)], 1),
        ([(1, 1, 10**9)], 1),
        ([(100, 1, 5), ("0.01", "0.5", 7), (2000, 50, 3)], 3),
        ([("0.001", 1000, 1), (1, "0.01", 1)], "1e5"),
    ][:: instances(3, 1)],
)
def test_far_away_parameters_are_answered(rows: list[Row], epsilon: object) -> None:
    found, more = answer(rows, epsilon), answer(rows, epsilon, digits=60)
    assert found.enclosure.overlaps(more.enclosure)
    assert 0 < found.lower < 1


def test_smallest_deltas() -> None:
    found = answer([(100, 1, 3)], 100)
    assert Fraction(1, 10**4161) < found.lower <= found.upper < Fraction(1, 10**4160)


def test_nothing_is_left_beside_one() -> None:
    """Where 1 - delta is far below the digits asked for, Chernoff's bound is the answer."""
    found = answer([(1, 1, 10**9)], 1)
    assert found.route == "Chernoff's bounds"
    assert 1 - Fraction(1, 10**30) < found.lower < found.upper <= 1
    off_centre = answer([(7711, 20651, 100)], 2_420_743)
    assert off_centre.route == "Chernoff's bounds"
    assert 1 - Fraction(1, 10**30) < off_centre.lower < off_centre.upper <= 1


def test_many_releases_that_nearly_cancel_take_few_boxes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Boxes that know only of each log Gamma alone would have to be more than 100,000."""
    monkeypatch.setattr(integration, "_MAX_EVALUATIONS", 10_000)
    cases: list[tuple[list[Row], str]] = [
        ([(74_903, "0.0346", 1000), ("0.0866", "0.04", 1)], "0.5"),
        ([(32_309, "1e-5", 10**4), ("0.001", "1e-7", 2)], "2.6e-9"),
    ]
    for rows, epsilon in cases:
        several, eps = releases(*rows), Fraction(epsilon)
        with working_precision(128):
            path = planned_path(several, eps)
            assert path
            assert delta_on_path(several, eps, path).rel_accuracy_bits() > 100


def test_a_line_beside_the_first_pole_is_short() -> None:
    """Far out the saddle is at 3e-10 from the pole: it is looked for by orders of magnitude."""
    several, epsilon = (
        releases(("64540700.289164916", "16238583.851087246", 100)),
        Fraction("364433626897.10016"),
    )
    with working_precision(128):
        line = planned_line(several, epsilon)
        assert line
        assert line.nodes < 1000
        assert delta_on_line(several, epsilon, line).rel_accuracy_bits() > 100


def test_a_path_beside_the_pole_at_zero_is_found() -> None:
    """The saddle between -1 and 0 may lie at -1e-16: it is looked for by orders of magnitude."""
    several = releases(("5e-4", "4e-9", 1), ("2e-5", "5e-9", 10**4), ("3e-9", "2.4e8", 3))
    with working_precision(128):
        path = planned_path(several, Fraction(10**16))
        assert path
        assert -1e-14 < path.crossing < 0
        assert delta_on_path(several, Fraction(10**16), path).rel_accuracy_bits() > 60


def test_very_different_releases_are_integrated() -> None:
    found = answer([("0.001", 1000, 1), (1, "0.01", 1)], "1e6")
    assert found.route == "integral"
    assert Fraction(3, 10) < found.lower <= found.upper < Fraction(4, 10)


def test_far_out_two_releases_are_integrated() -> None:
    """In the limit of small floors the losses are exponential: P(X + Y > 1) = 2/e."""
    found = answer([("1e-9", 1, 2)], "1e9")
    assert found.route == "integral"
    with working_precision(128):
        limit = 2 * arb(-1).exp()
        assert abs(ball(Fraction(found.lower)) - limit) < 1e-7
    assert answer([(1, 1, 2)], 10**6).upper < Fraction(1, 10**434_288)


def test_where_every_way_fails_chernoff_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(route, "planned_line", lambda *_: None)
    monkeypatch.setattr(route, "planned_path", lambda *_: None)
    with working_precision(128):
        far, near = (routed(releases((1, 1, 2)), Fraction(x)) for x in (100, 0))
        assert far.route == near.route == "Chernoff's bounds"
        assert far.value.contains(0)
        assert far.value < 1e-10
        assert near.value.contains(arb(2) / 3)
        assert near.value > 0.3


def test_a_way_that_fails_is_followed_by_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    several = releases(("1/2", "1/4", 3))
    with working_precision(128):
        known = delta_of(several, Fraction(1))
        monkeypatch.setattr(route, "_FEW_NODES", 0)
        bent = routed(several, Fraction(1))
        assert bent.route == "integral"
        assert meets(bent.value, known)
        monkeypatch.setattr(route, "delta_on_path", lambda *_: arb("nan"))
        long = routed(several, Fraction(1))
        assert long.route.startswith("trapezoid rule")
        assert meets(long.value, known)


def test_ways_that_contradict_each_other_are_loud(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(route, "delta_on_line", lambda *_: arb(2))
    with working_precision(128), pytest.raises(SoundnessError, match="do not overlap"):
        routed(releases((1, 1, 2)), Fraction(1))


def test_a_path_or_a_line_on_no_strip_is_nothing() -> None:
    """Left of -1 and right of M's pole the integral is another number; at a pole it is none."""
    several, epsilon = releases((1, 1, 2)), Fraction(1)
    with working_precision(128):
        for crossing in ("-1.5", "-1", "0", "1", "1.5"):
            c = ball(Fraction(crossing))
            path = Path(c, arb(1), arb(40), 128)
            assert not delta_on_path(several, epsilon, path).is_finite()
            line = Line(c, c - 0.25, c + 0.25, arb(40), 400, 128)
            assert not delta_on_line(several, epsilon, line).is_finite()
        for height in (arb(0), arb(-40)):
            line = Line(arb(0.5), arb(0.25), arb(0.75), height, 400, 128)
            assert not delta_on_line(several, epsilon, line).is_finite()
            assert not delta_on_path(
                several, epsilon, Path(arb(0.5), arb(1), height, 128)
            ).is_finite()


def test_a_plan_of_too_many_bits_is_none() -> None:
    """Between -1 and 0 a delta of 1e-3000 would be a difference of that many digits."""
    several, epsilon = releases((10**6, 1, 3)), Fraction(1000)
    with working_precision(128), plan.planned_for(several, epsilon) as aim:
        assert aim.negligible < -(10**6)
        assert plan._line(aim, middle_strip()) is None
        assert plan._line(aim, right_strip(several)) is not None


def test_right_of_the_pole_nothing_is_claimed() -> None:
    moments = LossMoments(releases((1, 2, 3)), Fraction(1))
    for point in (arb(0.5), arb(-1.5), arb(0.6), arb(0.5, 0.1)):
        assert not moments.logarithm(point).is_finite()
        assert not moments.logarithm(acb(point, arb(0, 1))).is_finite()
        assert not moments.slope(point).is_finite()
    assert moments.logarithm(acb(0.49, 0)).is_finite()


@each_of("delta", ["1e-300", "1e-9", "0.011", "0.4"])
def test_epsilon_inverts_delta(delta: str) -> None:
    rows: list[Row] = [(*MATRIX_ROW, 32), (7, 1, 2)]
    found = inverse(rows, delta)
    assert isinstance(found.upper, Fraction)
    assert isinstance(found.lower, Fraction)
    assert answer(rows, found.upper).lower <= Fraction(delta)
    assert answer(rows, found.lower).upper >= Fraction(delta)


def test_epsilon_of_one_release_is_the_profile() -> None:
    one = inverse([(*MATRIX_ROW, 1)], "0.001")
    alpha, step = MATRIX_ROW
    alone = evaluate("dirichlet.profile.epsilon", {"alpha": alpha, "step": step, "delta": "0.001"})
    assert one.enclosure.overlaps(alone.enclosure)


def test_epsilon_at_the_ends() -> None:
    rows: list[Row] = [(*MATRIX_ROW, 32)]
    assert inverse(rows, 0).upper == float("inf")
    assert inverse(rows, 1).exact == 0
    distance = answer(rows, 0)
    assert isinstance(distance.upper, Fraction)
    assert isinstance(distance.lower, Fraction)
    assert inverse(rows, distance.upper).exact == 0
    just_below = inverse(rows, distance.lower - Fraction(1, 10**9))
    assert 0 < just_below.lower <= just_below.upper < Fraction(1, 10**8)


def test_epsilon_where_nothing_is_told_apart() -> None:
    """At a precision that does not tell delta from the total variation: [0, a bound]."""
    several = releases((*MATRIX_ROW, 32))
    with working_precision(400):
        target = delta_of(several, Fraction(0)).lower().mid().fmpq()
    from simplexcert.reference.dirichlet.composition.quantities import smallest_epsilon

    with working_precision(64):
        found = smallest_epsilon(several, Fraction(int(target.p), int(target.q)))
        assert isinstance(found, arb)
        assert found.contains(0)
        assert found < 10


@each_of("rows", [[[0, 1, 1]], [[1, 0, 1]], [[1, 1, 0]], [[-1, 1, 1]], [[1, 1, 1], [1, 1, -2]]])
def test_the_domain(rows: list[list[int]]) -> None:
    for name, other in zip(NAMES, ("epsilon", "delta"), strict=True):
        with pytest.raises(DomainError, match="releases"):
            evaluate(name, {"releases": rows, other: "0.5"})


def test_the_precision_is_given_back() -> None:
    before = ctx.prec
    answer([(*MATRIX_ROW, 3)], 1)
    assert ctx.prec == before


@each_of("epsilon", [5, 20])
def test_the_bound_next_to_zero_is_at_the_best_point(epsilon: int) -> None:
    """An eighth beside it on either side e^f is larger."""
    several = releases((1, 1, 2))
    with working_precision(128):
        moments = LossMoments(several, Fraction(epsilon))
        best = least_point(moments, right_strip(several), arb(0))
        bound = route._next_to_zero(several, Fraction(epsilon))
        for part in (7, 9):
            assert bound < moments.logarithm(best * part / 8).exp()


def test_the_saddle_between_the_poles_is_lower_than_near_either() -> None:
    """With epsilon 0 the integrand has the same size at c and at -1 - c."""
    several = releases((10, 1, 1))
    with working_precision(128):
        moments = LossMoments(several, Fraction(0))
        least = integrand(moments, acb(saddle(moments, middle_strip()))).abs_upper()
        for beside in (arb(-3) / 8, arb(-5) / 8):
            assert least < integrand(moments, acb(beside)).abs_lower()


def test_where_a_line_between_the_poles_has_fewer_nodes_it_is_taken() -> None:
    """Also where the mean loss, here 2, is not far above epsilon."""
    several, epsilon = releases((1, 1, 2)), Fraction(3, 2)
    with working_precision(128):
        with plan.planned_for(several, epsilon) as aim:
            right, middle = (
                plan._line(aim, strip) for strip in (right_strip(several), middle_strip())
            )
        assert right
        assert middle
        assert middle.nodes < right.nodes
        assert planned_line(several, epsilon) == middle
