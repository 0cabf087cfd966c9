"""The float64 backend's utility: safe sides, and what has none within 1e-12 of the truth.

Points lie where the textbook formulas cancel: laws near the prior's mean, parameters of very
different sizes, concentrated laws, large k.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from each import each_of
from flint import acb, arb
from instances import instances
from simplexcert.certify.backends.float64 import backend, kl_path, kl_tail
from simplexcert.certify.backends.float64.gammas import excess, fall, slope_excess, slope_fall
from simplexcert.certify.backends.float64.jensen import entropy_bend, logarithm_bend
from simplexcert.certify.search.draws import on_grid
from simplexcert.reference import evaluate, quantities
from simplexcert.reference.arb.balls import ball, working_precision
from simplexcert.reference.dirichlet.kl_moments import Divergence, Moments

Point = dict[str, Any]
HOME = "dirichlet.utility."
CLOSE = Fraction("1e-12")
TINY = float(np.finfo(np.float64).tiny)


def answer(name: str, point: Point) -> float:
    value = backend.quantities[HOME + name](**point)
    assert isinstance(value, float)
    assert not math.isnan(value)
    return value


def distance(name: str, point: Point) -> Fraction:
    """How far the answer is from the truth, relatively; an upper one must not be below it."""
    truth = evaluate(HOME + name, point, digits=25)
    assert truth.narrow, point
    value = Fraction(answer(name, point))
    if truth.quantity.safe.value == "upper":
        assert value >= truth.upper, point
    lower = Fraction(truth.lower)
    return abs(value / lower - 1) if lower else abs(value)


def spread(random: np.random.Generator, low: float, high: float) -> float:
    return float(10 ** random.uniform(math.log10(low), math.log10(high)))


def law(random: np.random.Generator) -> tuple[float, ...]:
    weights = [spread(random, 1e-9, 1) for _ in range(int(random.integers(2, 6)))]
    if random.random() < 0.3:
        weights[0] = 0.0
    return on_grid(weights)


def prior(random: np.random.Generator, p: tuple[float, ...]) -> tuple[float, ...]:
    """Parameters near k p, or of any size, or one that dwarfs the others."""
    k, kind = spread(random, 1e-3, 1e6), random.integers(3)
    if kind == 0:
        return tuple(max(k * x * float(1 + random.uniform(-1e-8, 1e-8)), 1e-9) for x in p)
    values = [spread(random, 1e-6, 1e6) for _ in p]
    if kind == 1:
        values[int(np.argmax(p))] *= 1e9
    return tuple(values)


@pytest.mark.parametrize("name", ["expected_kl_prior", "kl_variance_prior"])
def test_moments_under_a_prior_are_within_1e_12(name: str) -> None:
    random = np.random.default_rng(201)
    for _ in range(instances(75, 300)):
        p = law(random)
        assert distance(name, {"p": p, "u": prior(random, p)}) <= CLOSE


@pytest.mark.parametrize("name", ["expected_kl_prior", "kl_variance_prior"])
def test_moments_keep_their_digits_where_one_coordinate_is_nearly_all(name: str) -> None:
    """The mean is 1e-16 here, and digammas of 13 are what it is the difference of."""
    for p in ((1.0, 0.0), (1 - 2.0**-40, 2.0**-40)):
        for small in (1e-12, 1e-6, 1.0):
            assert distance(name, {"p": p, "u": (1e6, small)}) <= CLOSE


def test_the_mean_under_a_release_is_within_1e_12() -> None:
    random = np.random.default_rng(202)
    for _ in range(instances(66, 200)):
        assert distance("expected_kl", {"p": law(random), "k": spread(random, 1e-9, 1e12)}) <= CLOSE


def test_a_vertex_of_the_simplex_diverges_from_nothing() -> None:
    assert answer("expected_kl", {"p": (0.0, 1.0, 0.0), "k": 3.0}) == 0.0
    for name, point in (("worst", {"eta": 0.3}), ("bound", {"N": 7})):
        assert answer(f"expected_kl_{name}", {"k": 2.0, "n": 1, **point}) == 0.0


def test_lists_are_as_good_as_tuples() -> None:
    for name, rest in (("expected_kl_prior", {"u": [1.0, 2.0]}), ("expected_kl", {"k": 2.0})):
        given = {"p": [0.25, 0.75], **rest}
        tuples = {key: tuple(x) if isinstance(x, list) else x for key, x in given.items()}
        assert answer(name, given) == answer(name, tuples)


def test_the_bound_for_counts_is_never_below_the_truth_and_within_1e_12() -> None:
    random = np.random.default_rng(203)
    for _ in range(instances(50, 150)):
        records = int(spread(random, 1, 1e9))
        cells = int(random.choice([1, 2, records, min(records, 20)]))
        point = {"k": spread(random, 1e-6, 1e9), "N": records, "n": min(cells, records)}
        assert distance("expected_kl_bound", point) <= CLOSE


def test_the_bound_holds_where_whole_numbers_are_rounded() -> None:
    for records, cells in ((2**53 + 1, 2**53 + 1), (10**40, 2), (10**400, 10**400)):
        point = {"k": 3.0, "N": records, "n": cells}
        crude = Fraction(cells - 1) / 3  # above the truth by less than its half
        assert Fraction(answer("expected_kl_bound", point)) >= min(crude, Fraction(2**1000))


def test_the_worst_law_is_never_below_the_truth_and_within_1e_12() -> None:
    random = np.random.default_rng(204)
    for _ in range(instances(50, 150)):
        cells = int(random.choice([1, 2, 3, 10, 1000, 10**6]))
        eta = min(float(random.choice([1.0, spread(random, 1e-6, 1)])) / cells, 0.9)
        while cells * Fraction(eta) > 1:
            eta = math.nextafter(eta, 0)
        point = {"k": spread(random, 1e-6, 1e9), "eta": eta, "n": cells}
        assert distance("expected_kl_worst", point) <= CLOSE


def test_one_coordinate_is_within_1e_12() -> None:
    random = np.random.default_rng(205)
    for _ in range(instances(100, 300)):
        share = random.choice([spread(random, 1e-15, 1), 1 - spread(random, 1e-15, 1), 0.0, 1.0])
        point = {"p": float(share), "k": spread(random, 1e-9, 1e12)}
        assert distance("variance", point) <= CLOSE
        assert distance("absolute_deviation", point) <= CLOSE


def test_the_bound_on_the_deviation_is_never_below_the_truth() -> None:
    random = np.random.default_rng(206)
    for _ in range(instances(66, 200)):
        assert distance("absolute_deviation_bound", {"k": spread(random, 1e-12, 1e12)}) <= CLOSE
    for k in (5e-324, 1e-300):
        assert answer("absolute_deviation_bound", {"k": k}) == 0.5


def test_the_published_bound_on_the_tail_is_never_below_its_formula() -> None:
    random = np.random.default_rng(207)
    for _ in range(instances(100, 300)):
        point = {"beta": spread(random, 1e-6, 1e4), "eta": spread(random, 1e-6, 1e6)}
        truth = evaluate(HOME + "kl_tail_bound", point, digits=25)
        value = Fraction(answer("kl_tail_bound", point))
        assert value >= truth.upper
        if truth.lower > 1e-300:
            assert value <= truth.lower * (1 + 2 * CLOSE)


def test_a_chance_is_1_at_eta_0_and_0_for_a_single_coordinate() -> None:
    assert answer("kl_tail_bound", {"beta": 3.0, "eta": 0.0}) == 1.0
    alone: Point = {"p": (0.0, 1.0), "beta": 2.0, "alpha": 0.0}
    for point, value in ((alone | {"eta": 1.0}, 0.0), (alone | {"eta": 0.0}, 1.0)):
        assert answer("kl_chernoff", point) == value
        assert answer("kl_tail", point) == 0.0
    assert answer("kl_tail", alone | {"alpha": 1.0, "eta": 0.0}) == 1.0
    assert answer("kl_chernoff", alone | {"alpha": 1.0, "eta": 0.0}) == 1.0


def test_the_least_moment_is_never_below_the_truth_and_within_1e_9() -> None:
    random = np.random.default_rng(208)
    for _ in range(instances(20, 80)):
        point = {
            "p": law(random),
            "beta": spread(random, 1e-2, 1e4),
            "alpha": float(random.choice([0.0, spread(random, 1e-3, 1e2)])),
            "eta": spread(random, 1e-3, 10),
        }
        truth = evaluate(HOME + "kl_chernoff", point, digits=20)
        value = Fraction(answer("kl_chernoff", point))
        assert value >= truth.upper, point
        if truth.lower > 1e-250:
            assert value <= Fraction(truth.lower) * (1 + Fraction("1e-9")), point


def tail_point(random: np.random.Generator) -> Point:
    """A level anywhere, or around the mean, where the contour changes its side."""
    point = {
        "p": law(random),
        "beta": spread(random, 1e-3, 1e4),
        "alpha": float(random.choice([0.0, spread(random, 1e-3, 1e2)])),
        "eta": spread(random, 1e-3, 10),
    }
    if random.random() < 0.5:
        cells = [x for x in point["p"] if x or point["alpha"]]
        u = [point["beta"] * x + point["alpha"] for x in cells]
        mean = answer("expected_kl_prior", {"p": cells, "u": u})
        point["eta"] = mean * float(random.choice([spread(random, 0.1, 10), 1.0, 1 + 1e-12]))
    return point


def test_the_tail_is_never_below_the_truth_and_within_1e_6() -> None:
    random = np.random.default_rng(210)
    for _ in range(instances(15, 60)):
        point = tail_point(random)
        truth = evaluate(HOME + "kl_tail", point, digits=20)
        assert truth.narrow, point
        value = Fraction(answer("kl_tail", point))
        assert value >= min(truth.upper, 1), point
        if truth.lower > 1e-290:
            assert value <= Fraction(truth.lower) * (1 + Fraction("1e-6")), point


def test_the_tail_of_a_geometric_coordinate_is_a_power_and_no_less() -> None:
    """P = e^(-eta (beta + 1)) for p = (1, 0), alpha = 1; far below, the least normal double."""
    for beta, eta in ((5.0, 0.001), (5.0, 40.0), (1000.0, 0.5), (1e7, 1e-6)):
        value = answer("kl_tail", {"p": (1.0, 0.0), "beta": beta, "alpha": 1.0, "eta": eta})
        exponent = eta * (beta + 1.0)
        assert 0 <= math.log(value) + exponent <= 1e-6
    assert answer("kl_tail", {"p": (1.0, 0.0), "beta": 1e6, "alpha": 1.0, "eta": 1.0}) == TINY


@pytest.mark.parametrize(
    ("guard", "value"), [("_MOST_NODES", 10), ("_ENOUGH", 0.0), ("_CAUTION", math.inf)]
)
def test_the_tail_is_chernoffs_bound_where_a_rule_is_hopeless(
    monkeypatch: pytest.MonkeyPatch, guard: str, value: object
) -> None:
    point = {"p": (0.25, 0.75), "beta": 9.0, "alpha": 1.0, "eta": 0.9}
    bound = answer("kl_chernoff", point)
    assert answer("kl_tail", point) < bound / 2
    monkeypatch.setattr(kl_tail, guard, value)
    assert answer("kl_tail", point) == bound


def test_the_tail_of_sizes_that_are_not_attempted_is_chernoffs_bound() -> None:
    for point in (
        {"p": (0.25, 0.75), "beta": 1e-150, "alpha": 0.0, "eta": 3.0},
        {"p": (0.25, 0.75), "beta": 9.0, "alpha": 1.0, "eta": 1e150},
        {"p": (0.25, 0.75), "beta": 1e30, "alpha": 1.0, "eta": 1.0},
    ):
        assert answer("kl_tail", point) == answer("kl_chernoff", point)


def test_the_tail_says_what_its_rule_leaves_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a step for 3 nats the answer is off, and still above the truth."""
    point = {"p": (0.25, 0.75), "beta": 9.0, "alpha": 1.0, "eta": 0.1}
    truth = evaluate(HOME + "kl_tail", point)
    good = answer("kl_tail", point)
    monkeypatch.setattr(kl_tail, "_NEGLIGIBLE", 3.0)
    coarse = answer("kl_tail", point)
    assert truth.upper <= good < truth.upper * (1 + Fraction("1e-9"))
    assert coarse > truth.upper * (1 + Fraction("1e-4"))


def test_log_moments_are_within_their_doubts() -> None:
    """At random points of paths on both sides, against log Gammas of many bits."""
    random = np.random.default_rng(211)
    for _ in range(instances(6, 25)):
        point = tail_point(random)
        cells = [Fraction(x) for x in point["p"] if x or point["alpha"]]
        if len(cells) == 1:
            continue
        beta, alpha = Fraction(point["beta"]), Fraction(point["alpha"])
        law = kl_path.law_of(cells, beta, alpha, Fraction(1))
        assert law is not None
        for path in (kl_path.right_path(law, point["eta"]), kl_path.left_path(law, point["eta"])):
            found = kl_path._points(path, 0.0, np.array([0.0, *random.uniform(0, 6, 5)]))
            moments = kl_path.log_moments(law, found.place, found.room)
            assert np.all(moments.doubt <= 1e-3)
            exact = Divergence.of(tuple(cells), beta, alpha)
            with working_precision(400):
                for place, value, doubt in zip(found.place, *moments, strict=True):
                    z = acb(float(place.real), float(place.imag))
                    gap = Moments(exact).log_moment(z) - acb(value.real, value.imag)
                    # The exact place of the node is next to the rounded one.
                    moved = abs(Moments(exact).slope(z) * z) * arb(2) ** -48
                    turns = (gap.imag / (2 * arb.pi())).mid().floor()
                    least = min(abs(gap.imag - 2 * arb.pi() * (turns + j)) for j in (0, 1))
                    assert abs(gap.real) < arb(doubt) + moved
                    assert least < arb(doubt) + moved


def test_log_moments_next_to_their_poles_are_not_attempted() -> None:
    """Too many steps would lead from there to where Stirling's series is good."""
    law = kl_path.law_of([Fraction(1, 2)] * 2, Fraction(9), Fraction(1), Fraction(1))
    assert law is not None
    room = np.array([5.0 + 0j, -500 - 1e-3j])
    found = kl_path.log_moments(law, float(law.limit) - room, room)
    assert np.isnan(found.value).tolist() == [True, True]  # one number of steps for all
    alone = kl_path.log_moments(law, float(law.limit) - room[:1], room[:1])
    assert np.isfinite(alone.value).all()


@pytest.mark.parametrize("bend", [logarithm_bend, entropy_bend])
def test_bends_are_a_half_at_0_and_even_where_they_change_their_form(bend: Any) -> None:
    assert bend(np.array([0.0]), np.array([1.0])) == 0.5
    for edge in (-0.5, 1.0):
        near = np.array([math.nextafter(edge, -2), edge, math.nextafter(edge, 2)])
        values = bend(near, 1.0 + near)
        assert np.max(values) <= np.min(values) * (1 + 1e-14)


@each_of("argument", [1e-200, 1e-3, 0.7, 16.0, 1e9])
@each_of("others", [1e-9, 1.0, 1e7])
def test_falls_are_within_1e_14_of_what_digammas_give(argument: float, others: float) -> None:
    pair = np.array([argument]), np.array([others])
    with working_precision(3000):
        z, far = ball(Fraction(argument)), ball(Fraction(argument) + Fraction(others))
        first, second = (x.log() - x.digamma() for x in (z, far))
        slopes = [arb(2).zeta(x) - 1 / x for x in (z, far)]
        truths = (z * first, z * (first - second), z**2 * slopes[0], z**2 * (slopes[0] - slopes[1]))
        found = excess(pair[0]), fall(*pair), slope_excess(pair[0]), slope_fall(*pair)
        for value, truth in zip(found, truths, strict=True):
            assert abs(float((arb(float(value[0])) / truth - 1).mid())) <= 1e-14


EXTREMES = (5e-324, 1e-290, 1e-150, 1e-30, 1.0, 1e8, 1e30, 1e150, 1e300)
NAMES = tuple(sorted(name for name in backend.quantities if name.startswith(HOME)))
SHARES = ((1.0, 0.0), (0.5, 0.5), (1 - 2.0**-53, 2.0**-53), (0.25, 0.0, 0.75))


@each_of("name", NAMES)
def test_extremes_give_finite_numbers(name: str) -> None:
    """Warnings are errors in tests."""
    random, parameters = np.random.default_rng(209), quantities()[name].parameters
    for _ in range(instances(37, 150)):
        point: Point = {key: float(random.choice(EXTREMES)) for key in parameters}
        for key in point.keys() & {"n", "N"}:
            point[key] = int(random.choice([1, 2, 50, 2**60]))
        if "p" in point:
            shares = SHARES[int(random.integers(len(SHARES)))]
            one = name.endswith(("variance", "deviation"))
            point["p"] = float(random.choice([0.0, 1e-300, 0.5, 1.0])) if one else shares
        if "u" in point:
            point["u"] = tuple(float(random.choice(EXTREMES)) for _ in point["p"])
        exact = {
            key: tuple(map(Fraction, value)) if isinstance(value, tuple) else Fraction(value)
            for key, value in point.items()
        }
        if quantities()[name].admits(exact):
            assert 0 <= answer(name.removeprefix(HOME), point) < math.inf, point
