"""Utility: edges, refusals, monotone laws and extremes of the quantities themselves."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from random import Random

import pytest
from each import each_of
from flint import arb, ctx
from instances import instances
from simplexcert.reference import evaluate, quantities
from simplexcert.reference.arb.balls import ball, working_precision
from simplexcert.reference.arb.incomplete_beta import regularised_incomplete_beta
from simplexcert.reference.dirichlet import kl_tail, utility
from simplexcert.reference.dirichlet.kl_moments import Divergence, Hyperbola, Strip
from simplexcert.reference.errors import DomainError
from simplexcert.reference.precision import Budget, BudgetSpentError, climb
from simplexcert.reference.quantity import Side, quantity_named

NAMES = {
    "variance": Side.NONE,
    "variance_bound": Side.UPPER,
    "absolute_deviation": Side.NONE,
    "absolute_deviation_bound": Side.UPPER,
    "expected_kl": Side.NONE,
    "expected_kl_bound": Side.UPPER,
    "expected_kl_worst": Side.UPPER,
    "expected_kl_prior": Side.NONE,
    "kl_variance_prior": Side.NONE,
    "kl_tail_bound": Side.UPPER,
    "kl_tail": Side.UPPER,
    "kl_chernoff": Side.UPPER,
}
HALF = Fraction(1, 2)
VERTEX = (Fraction(0), Fraction(1), Fraction(0))


def seeded(number: int) -> Random:
    return Random(number)  # noqa: S311


def spread(rng: Random, low: float, high: float) -> Fraction:
    return Fraction(f"{10 ** rng.uniform(low, high):.6g}")


def some_law(rng: Random, n: int) -> tuple[Fraction, ...]:
    counts = [rng.choice([0, rng.randint(1, 50)]) for _ in range(n - 2)] + [3, rng.randint(1, 9)]
    return tuple(Fraction(count, sum(counts)) for count in counts)


def test_the_registry_has_these_with_their_sides() -> None:
    found = quantities("dirichlet.utility.*")
    assert {name.rpartition(".")[2]: item.safe for name, item in found.items()} == NAMES


@each_of(
    "name, given, value",
    [
        ("variance", {"p": 0, "k": 5}, 0),
        ("variance", {"p": 1, "k": 5}, 0),
        ("variance", {"p": "1/2", "k": 1}, Fraction(1, 8)),
        ("absolute_deviation", {"p": 0, "k": 5}, 0),
        ("absolute_deviation", {"p": 1, "k": 5}, 0),
        ("expected_kl", {"p": [0, 1, 0], "k": 5}, 0),
        ("expected_kl_bound", {"k": 5, "N": 9, "n": 1}, 0),
        ("expected_kl_bound", {"k": 5, "N": 1, "n": 1}, 0),
        ("expected_kl_worst", {"k": 5, "eta": "0.3", "n": 1}, 0),
        ("kl_tail_bound", {"beta": 5, "eta": 0}, 1),
        ("kl_tail", {"p": [0, 1], "beta": 5, "alpha": 0, "eta": 0}, 0),
        ("kl_tail", {"p": [0, 1], "beta": 5, "alpha": 0, "eta": 1}, 0),
        ("kl_tail", {"p": [0, 1], "beta": 5, "alpha": 1, "eta": 0}, 1),
        ("kl_chernoff", {"p": [0, 1], "beta": 5, "alpha": 0, "eta": 1}, 0),
        ("kl_chernoff", {"p": [0, 1], "beta": 5, "alpha": 0, "eta": 0}, 1),
        ("kl_chernoff", {"p": [0, 1], "beta": 5, "alpha": 1, "eta": 0}, 1),
        ("kl_chernoff", {"p": ["1/3", "2/3"], "beta": 5, "alpha": 1, "eta": "0.01"}, 1),
    ],
)
def test_what_is_known_exactly_is_answered_exactly(
    name: str, given: dict[str, object], value: Fraction
) -> None:
    answer = evaluate(f"dirichlet.utility.{name}", given)
    assert (answer.lower, answer.upper) == (value, value)


@each_of(
    "name, given",
    [
        ("variance", {"p": "1.1", "k": 5}),
        ("variance", {"p": "0.5", "k": 0}),
        ("absolute_deviation", {"p": "-0.1", "k": 5}),
        ("absolute_deviation_bound", {"k": 0}),
        ("expected_kl", {"p": ["0.5", "0.4"], "k": 5}),
        ("expected_kl_bound", {"k": 5, "N": 4, "n": 5}),
        ("expected_kl_worst", {"k": 5, "eta": "0.21", "n": 5}),
        ("expected_kl_worst", {"k": 5, "eta": 0, "n": 5}),
        ("expected_kl_prior", {"p": ["0.5", "0.5"], "u": [1, 2, 3]}),
        ("expected_kl_prior", {"p": [0, 1], "u": [0, 1]}),
        ("kl_variance_prior", {"p": ["0.5", "0.5"], "u": [1, 2, 3]}),
        ("kl_tail_bound", {"beta": 0, "eta": 1}),
        ("kl_tail", {"p": ["0.5", "0.5"], "beta": 1, "alpha": -1, "eta": 1}),
        ("kl_chernoff", {"p": ["0.5", "0.5"], "beta": 1, "alpha": 1, "eta": -1}),
    ],
)
def test_what_does_not_exist_is_refused(name: str, given: dict[str, object]) -> None:
    with pytest.raises(DomainError):
        evaluate(f"dirichlet.utility.{name}", given)


@each_of(
    "name, given",
    [
        ("absolute_deviation", {"p": "1e-300", "k": "1e-300"}),
        ("absolute_deviation", {"p": "1/3", "k": "1e300"}),
        ("absolute_deviation_bound", {"k": "1e-300"}),
        ("absolute_deviation_bound", {"k": "1e300"}),
        ("expected_kl", {"p": ["1/3", "2/3"], "k": "1e300"}),
        ("expected_kl", {"p": ["1/3", "2/3"], "k": "1e-300"}),
        ("expected_kl_bound", {"k": "1e100", "N": 10**9, "n": 50}),
        ("expected_kl_prior", {"p": ["1/3", "2/3"], "u": ["1e100", "2e100"]}),
        ("kl_variance_prior", {"p": ["1/3", "2/3"], "u": ["1e100", "2e100"]}),
        ("kl_tail_bound", {"beta": "1e30", "eta": "1e30"}),
        ("kl_tail", {"p": ["1/3", "2/3"], "beta": "1e100", "alpha": 1, "eta": "1e-100"}),
        ("kl_tail", {"p": ["1/3", "2/3"], "beta": "1e-100", "alpha": 1, "eta": "1/10"}),
        ("kl_tail", {"p": ["1/3", "2/3"], "beta": 1, "alpha": "1e-50", "eta": "1e60"}),
        ("kl_tail", {"p": ["1/3", "2/3"], "beta": 1, "alpha": 1, "eta": "1e-100"}),
        ("kl_tail", {"p": ["1e-50", 1 - Fraction("1e-50")], "beta": 1, "alpha": 1, "eta": 1}),
        ("kl_chernoff", {"p": ["1/3", "2/3"], "beta": "1e100", "alpha": 1, "eta": "1e-99"}),
        ("kl_chernoff", {"p": ["1/3", "2/3"], "beta": 1, "alpha": "1e-50", "eta": "1e60"}),
    ],
)
def test_extremes_are_narrow(name: str, given: dict[str, object]) -> None:
    answer = evaluate(f"dirichlet.utility.{name}", given)
    assert answer.narrow
    assert answer.upper > 0


def test_large_k_keeps_its_digits() -> None:
    """E KL = (n-1)/(2k) (1 + O(1/k)): the digammas cancel to one part in 10^40 here."""
    k = Fraction(10**40)
    with working_precision(128):
        value = utility.expected_kl((Fraction(1, 3), Fraction(2, 3)), k)
        deviation = utility.absolute_deviation(HALF, k)
        assert value.rel_accuracy_bits() > 100
        assert abs(2 * ball(k) * value - 1) < arb(10) ** -36
        assert deviation.rel_accuracy_bits() > 100


def test_permutations_and_repetitions_change_nothing() -> None:
    p = (Fraction(1, 6), Fraction(1, 6), Fraction(1, 3), Fraction(1, 3))
    u = tuple(map(Fraction, (2, 2, 5, 7)))
    with working_precision(128):
        for function in (utility.expected_kl_prior, utility.kl_variance_prior):
            first, other = function(p, u), function(p[::-1], u[::-1])
            assert first.rel_accuracy_bits() > 100
            assert first.overlaps(other)
    given = {"beta": 7, "alpha": 1, "eta": "0.2"}
    one, other = (evaluate("dirichlet.utility.kl_tail", {"p": q, **given}) for q in (p, p[::-1]))
    assert one.enclosure == other.enclosure


def test_a_prior_of_the_input_itself_is_the_release() -> None:
    rng = seeded(1)
    with working_precision(128):
        for _ in range(instances(10, 30)):
            p, k = tuple(x for x in some_law(rng, 5) if x), spread(rng, -3, 4)
            release = utility.expected_kl(p, k)
            prior = utility.expected_kl_prior(p, tuple(k * x for x in p))
            mean = Divergence.of(p, k, Fraction(0)).slope_at(Fraction(0))
            assert release.rel_accuracy_bits() > 100
            assert prior.rel_accuracy_bits() > 100
            assert release.overlaps(prior)
            assert release.overlaps(mean)


def test_a_prior_shifts_the_mean_of_the_divergence() -> None:
    """The tilted mean and variance at 0 are the mean and the variance."""
    rng = seeded(2)
    with working_precision(128):
        for _ in range(instances(8, 20)):
            p, beta, alpha = some_law(rng, 4), spread(rng, -2, 3), spread(rng, -2, 1)
            u = tuple(beta * x + alpha for x in p)
            law = Divergence.of(p, beta, alpha)
            assert utility.expected_kl_prior(p, u).overlaps(law.slope_at(Fraction(0)))
            assert utility.kl_variance_prior(p, u).overlaps(law.curvature_at(Fraction(0)))


def test_a_vertex_is_one_incomplete_beta() -> None:
    """KL = -log y_1, and e^-eta is irrational, so two levels beside it bracket the chance."""
    rng = seeded(3)
    with working_precision(128):
        for _ in range(instances(3, 15)):
            beta, alpha, eta = spread(rng, -1, 2), spread(rng, -1, 1), spread(rng, -2, 1)
            found = kl_tail.kl_tail(VERTEX, beta, alpha, eta)
            level = Fraction(math.exp(-eta))
            below, above = (
                regularised_incomplete_beta(beta + alpha, 2 * alpha, level * (1 + side))
                for side in (Fraction(-1, 10**14), Fraction(1, 10**14))
            )
            assert found.rel_accuracy_bits() > 90
            assert below < found < above


def test_one_free_coordinate_is_a_power() -> None:
    """y_1 ~ Beta(beta + 1, 1) for p = (1, 0) and alpha = 1: P = e^(-eta (beta + 1))."""
    p = (Fraction(1), Fraction(0))
    with working_precision(128):
        for eta in (Fraction(1, 1000), Fraction(1, 3), Fraction(40)):
            found = kl_tail.kl_tail(p, Fraction(5), Fraction(1), eta)
            assert found.rel_accuracy_bits() > 100
            assert found.overlaps(ball(-6 * eta).exp())


def test_the_tail_falls_with_eta() -> None:
    rng = seeded(4)
    with working_precision(128):
        for _ in range(instances(3, 12)):
            p, beta, alpha = some_law(rng, 4), spread(rng, -1, 3), spread(rng, -2, 1)
            low = spread(rng, -2, 1)
            high = low * Fraction(rng.randint(11, 40), 10)
            first, other = (kl_tail.kl_tail(p, beta, alpha, eta) for eta in (low, high))
            assert min(first.rel_accuracy_bits(), other.rel_accuracy_bits()) > 90
            assert other < first < 1


def test_empty_cells_without_a_prior_are_no_cells() -> None:
    padded, p = ["1/4", 0, "3/4", 0], ["1/4", "3/4"]
    for name in ("dirichlet.utility.kl_tail", "dirichlet.utility.kl_chernoff"):
        given = {"beta": 9, "alpha": 0, "eta": "0.2"}
        alone, with_empty = (evaluate(name, {"p": q, **given}).enclosure for q in (p, padded))
        assert alone == with_empty
        given["alpha"] = "0.1"
        alone, with_empty = (evaluate(name, {"p": q, **given}).enclosure for q in (p, padded))
        assert alone.high < with_empty.low


def test_precision_only_narrows() -> None:
    """Each rung of the ladder plans its own contour; all enclose one number."""
    p = tuple(Fraction(x, 21) for x in (1, 2, 3, 4, 5, 6))
    answers = []
    for bits in (64, 128, 256, 512):
        with working_precision(bits):
            answers.append(kl_tail.kl_tail(p, Fraction(20), Fraction(1, 3), Fraction(1, 4)))
    for bits, answer in zip((64, 128, 256, 512), answers, strict=True):
        assert answer.rel_accuracy_bits() > bits - 16
        assert answer.overlaps(answers[-1])


def test_a_bad_path_gives_a_wide_ball_and_a_true_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Far from the saddle the rule needs more nodes than it gets, and its error says so."""
    p, eta = tuple(Fraction(x, 10) for x in (1, 2, 3, 4)), Fraction(1, 4)
    law = Divergence.of(p, Fraction(20), Fraction(1))
    with working_precision(128):
        good = kl_tail.tail(law, eta)
        plan = kl_tail._planned

        def shortened(divergence: Divergence, level: Fraction, bits: int) -> kl_tail.Rule:
            rule = plan(divergence, level, bits)
            assert rule is not None
            strip = Strip(divergence, level, rule.hyperbola, bits)
            reach, step, nodes = Fraction(1, 4), rule.step * 8, rule.nodes // 9
            edges = strip.edge_integral(-reach) + strip.edge_integral(reach)
            error = kl_tail._left_out(strip, reach, edges, step, nodes)
            return kl_tail.Rule(rule.hyperbola, step, nodes, error)

        monkeypatch.setattr(kl_tail, "_planned", shortened)
        bad = kl_tail.tail(law, eta)
    assert bad.overlaps(good)
    assert not bad.rel_accuracy_bits() > 40


def test_hopeless_plans_say_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    law = Divergence.of((HALF, HALF), Fraction(5), Fraction(1))
    monkeypatch.setattr(kl_tail, "_MOST_NODES", 10)
    with working_precision(128):
        assert kl_tail.tail(law, HALF).is_nan()
    monkeypatch.undo()
    monkeypatch.setattr(kl_tail, "_LARGEST", 0)
    with working_precision(128):
        assert kl_tail.tail(law, Fraction(100)).is_nan()


def test_too_many_panels_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    law = Divergence.of((HALF, HALF), Fraction(5), Fraction(1))
    path = Hyperbola(arb(1) / 4, arb(5), right=True)
    with working_precision(128):
        assert Strip(law, HALF, path, 128).edge_integral(Fraction(1, 4)).is_finite()
        monkeypatch.setattr("simplexcert.reference.dirichlet.kl_moments._MOST_PANELS", 1)
        assert not Strip(law, HALF, path, 128).edge_integral(Fraction(1, 4)).is_finite()
        assert kl_tail.tail(law, HALF).is_nan()


def test_the_foci_are_where_the_proof_wants_them() -> None:
    rng = seeded(5)
    for _ in range(instances(15, 60)):
        law, eta = (
            Divergence.of(some_law(rng, 4), spread(rng, -4, 6), spread(rng, -4, 3)),
            spread(rng, -5, 9),
        )
        with working_precision(law.planning_bits(eta)):
            where = kl_tail.crossing(law, eta)
            assert where is not None
            path = where.hyperbola
            assert path.is_admitted(ball(law.limit))
            bent = Hyperbola(path.centre, ball(law.limit) + abs(path.centre), path.right)
            assert not bent.is_admitted(ball(law.limit))
            assert not Hyperbola(-path.radius, path.radius, right=True).is_admitted(arb(1))
            assert not Hyperbola(path.centre, -path.radius, path.right).is_admitted(arb(1))


def test_a_focus_on_the_wrong_side_is_no_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    """The check of the foci is what keeps a badly rounded path from being believed."""
    law = Divergence.of((HALF, HALF), Fraction(5), Fraction(1))
    monkeypatch.setattr(kl_tail, "_INSIDE", Fraction(65, 64))
    with working_precision(128):
        assert kl_tail.tail(law, Fraction(3)).is_nan()
        assert kl_tail.tail(law, Fraction(1, 1000)).is_nan()


def test_the_chernoff_bound_at_an_undecided_mean_says_a_probability() -> None:
    """At few bits it is not seen whether eta is above the mean."""
    law = Divergence.of((HALF, HALF), Fraction(5), Fraction(1))
    with working_precision(2000):
        mean = law.slope_at(Fraction(0))
        eta = Fraction(int((mean * arb(2) ** 1000).mid().floor().unique_fmpz()), 1 << 1000)
    with working_precision(30):
        found = kl_tail.kl_chernoff((HALF, HALF), Fraction(5), Fraction(1), eta)
        assert found.contains(0)
        assert found.contains(1)
    with working_precision(1500):
        assert kl_tail.kl_chernoff((HALF, HALF), Fraction(5), Fraction(1), eta) == 1


def test_a_root_that_rounds_to_the_pole_says_a_probability(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Beyond z_max digamma has values again, which mean nothing."""
    given = ((HALF, HALF), Fraction(5), Fraction(1), Fraction(2))
    monkeypatch.setattr(kl_tail, "positive_root", lambda *_: arb(15) / 2)
    with working_precision(128):
        found = kl_tail.kl_chernoff(*given)
        assert found.contains(0)
        assert found.contains(1)


def test_a_wide_root_gives_a_wide_bound_and_a_true_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """The value beside the minimum is above it; the tangent there is below."""
    given = ((HALF, HALF), Fraction(5), Fraction(1), Fraction(2))
    with working_precision(128):
        true, root = kl_tail.kl_chernoff(*given), kl_tail.positive_root
        assert true.rel_accuracy_bits() > 60
        monkeypatch.setattr(kl_tail, "positive_root", lambda *where: root(*where) + arb("0.1", 0.2))
        found = kl_tail.kl_chernoff(*given)
        assert found.is_finite()
        assert found.contains(true)


def test_the_precision_is_given_back_and_the_budget_heeded() -> None:
    item = quantity_named("dirichlet.utility.kl_tail")
    before = ctx.prec
    given = {"p": (HALF, HALF), "beta": Fraction(5), "alpha": Fraction(1), "eta": HALF}
    item.enclose(before, given)
    assert ctx.prec == before

    def spent(_: int) -> object:
        with pytest.raises(BudgetSpentError):
            item.enclose(before, given)
        raise BudgetSpentError

    assert not climb(spent, lambda _: True, 128, Budget(seconds=-1.0)).satisfied  # type: ignore[arg-type]


def test_the_worst_vertex_is_the_law_it_says() -> None:
    assert utility.vertex(Fraction(1, 5), 5) == Counter({Fraction(1, 5): 5})
    assert utility.vertex(Fraction(1, 10), 3) == Counter({Fraction(1, 10): 2, Fraction(4, 5): 1})
