"""What the releases of a ledger come to together: never less than they lose, or why nothing."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import mpmath
import msgspec
import pytest
from ledger_entries import COUNTS, GRADES, SAID, entry, grades
from simplexcert.certify.releasing.ledger import Composition, Entry, composed, totals
from simplexcert.certify.releasing.ledger import totals as ledger_pairs
from simplexcert.certify.releasing.ledger.composition import (
    FIXED,
    LATE,
    NO_ODOMETER,
    OF_NEIGHBOURS,
    OF_SECRETS,
)
from simplexcert.reference import evaluate
from simplexcert.reference.errors import InputError

DELTA = Fraction("0.0026")
# Upper ends of one number, at a few digits and at many.
SLIGHTLY_MORE = 1 + Fraction(1, 10**9)
HISTOGRAM: Mapping[str, Any] = {"step": "0.1", "alpha": 2}
VECTOR: Mapping[str, Any] = {"k": 24, "eta": "0.05", "eta_bar": "0.05", "b": "0.1", "w": 2}
PROTECTED: Mapping[str, Any] = {"protected": ["one", "two"]}
MODEL: Mapping[str, Any] = {"k": [10, 20], "eta": ["0.1", "0.2"], "N": [50, 60], "n": [3, 3]}
STATES: Mapping[str, Any] = {"states": ["a", "b", "c"], "from": "x", "to": "y"}
P = [["0.9", "0.1"], ["0.4", "0.6"]]
CHAIN: Mapping[str, Any] = {"chains": [{"initial": "stationary", "P": P}], "length": 100}
TWO: Mapping[str, Any] = {"states": ["a", "b"], "column": "state"}
FLU: Mapping[str, Any] = {
    "values": [0, 1, 2],
    "laws": [["0.5", "0.25", "0.25"]],
    "secrets": [[1], [2, 3]],
    "pairs": [[1, 2]],
    "scale": 4,
}
MATRIX: Mapping[str, Any] = {
    "k": 10,
    "eta": "0.1",
    "eta_bar": "0.05",
    "b": "0.025",
    "w": [2, 2, 2],
    "changed_rows": 2,
}
OF_MATRIX: Mapping[str, Any] = {"states": ["a", "b", "c"], "protected": {"a": ["a", "b"]}}


# Divergences are worked out at once, exact compositions take a fifth of a second.
AT_ORDER: Mapping[str, Any] = {"epsilon": 2, "order": 2}


def counts(data: Mapping[str, Any] = GRADES, **changed: Any) -> Entry:
    return entry("dirichlet.counts", {**COUNTS, **changed}, AT_ORDER, data)


def histogram(epsilon: Any = "0.5", order: Any = 3, **changed: Any) -> Entry:
    return entry(
        "dirichlet.renyi", {**HISTOGRAM, **changed}, {"epsilon": epsilon, "order": order}, {}
    )


def vector(data: Mapping[str, Any] = PROTECTED, **changed: Any) -> Entry:
    return entry("dirichlet.identity", {**VECTOR, **changed}, AT_ORDER, data)


def model(data: Mapping[str, Any] = STATES, **changed: Any) -> Entry:
    return entry("markov.model", {**MODEL, **changed}, AT_ORDER, data)


def chain(data: Mapping[str, Any] = TWO, **changed: Any) -> Entry:
    noise = {"scale": 20} if "scales" not in changed else {}
    return entry("pufferfish.chain", {**CHAIN, **noise, **changed}, {"epsilon": 1}, data)


def upper(quantity: str, **point: Any) -> Any:
    return evaluate(quantity, point).upper


def total(*entries: Entry) -> totals.Total:
    found = composed(entries)
    assert found.total is not None, found.why
    return found.total


def why(*entries: Entry) -> str:
    found = composed(entries)
    assert (found.total, found.claimed, found.rests_on) == (None, None, ())
    return found.why


def test_without_releases_there_is_no_total() -> None:
    assert why() == "there are no releases"


def test_one_release_has_its_own_claim() -> None:
    found = total(grades())
    assert (found.epsilon, found.delta, found.order) == (Fraction("2.255"), DELTA, None)
    assert total(histogram()).order == 3
    one = total(entry("pufferfish.wasserstein", FLU, {"epsilon": 1}, {}))
    assert (one.epsilon, one.delta) == (1, 0)


def test_claims_add_up_exactly() -> None:
    found = composed([grades("one"), grades("two"), grades()])
    assert found.claimed is not None
    assert (found.claimed.epsilon, found.claimed.delta) == (3 * Fraction("2.255"), 3 * DELTA)


def test_beta_pairs_compose_exactly_and_never_below() -> None:
    """The pair has floor 8/98 and step 1/98, both times k (dominating-pair.md, counts-attain)."""
    k, other = Fraction("20.6") / 98, Fraction(10, 98)
    releases = [[8 * k, k, 2], [8 * other, other, 1]]
    exact = upper("dirichlet.composition.epsilon", releases=releases, delta=3 * DELTA)
    less = entry("dirichlet.counts", {**COUNTS, "k": 10}, SAID, GRADES)
    found = total(grades("one"), grades("two"), less)
    assert exact <= found.epsilon <= exact * SLIGHTLY_MORE
    assert Fraction(found.as_json()["epsilon"] or 0) >= found.epsilon
    assert found.delta == 3 * DELTA


ADDED: Mapping[str, Any] = {"neighbours": "add_remove"}
LITTLE: Mapping[str, Any] = {"epsilon": 4, "delta": "1e-6"}
# Claims of releases that are drawn elsewhere; a ledger of ours lists none, a stranger's may.
NOISY: Mapping[str, Mapping[str, Any]] = {
    "gaussian": {"noise_multiplier": 4},
    "laplace": {"noise_multiplier": 9},
    "discrete_laplace": {"scale": 7, "sensitivity": 1},
    "discrete_gaussian": {"scale": 5, "sensitivity": 1},
    "exponential_mechanism": {"loss_range": "1/2"},
}


def noisy(mechanism: str, said: Mapping[str, Any] = LITTLE, neighbours: str = "replace") -> Entry:
    numbers = NOISY[mechanism]
    return entry(mechanism, {**numbers, "neighbours": neighbours}, said, {})


def event(mechanism: str, count: int = 1) -> dict[str, Any]:
    return {"mechanism": mechanism, **NOISY[mechanism], "count": count}


def test_noise_beside_dirichlet_draws_composes_exactly_and_never_below() -> None:
    drawn = entry("dirichlet.renyi", {**HISTOGRAM, **ADDED}, LITTLE, {})
    found = total(drawn, drawn, *(noisy(name, neighbours="add_remove") for name in NOISY))
    events = [
        {"mechanism": "dirichlet", "alpha": 2, "step": "0.1", "count": 2},
        *(event(name) for name in NOISY),
    ]
    delta = Fraction(2 + len(NOISY), 10**6)
    exact = upper("composition.epsilon", events=events, neighbours="add_remove", delta=delta)
    assert exact <= found.epsilon <= exact * SLIGHTLY_MORE
    assert found.delta == delta
    assert "exact composition" in found.by


def test_gamma_pairs_alone_compose_exactly_and_never_below() -> None:
    drawn = entry("dirichlet.renyi", {**HISTOGRAM, **ADDED}, LITTLE, {})
    events = [{"mechanism": "dirichlet", "alpha": 2, "step": "0.1", "count": 3}]
    delta = Fraction(3, 10**6)
    exact = upper("composition.epsilon", events=events, neighbours="add_remove", delta=delta)
    assert exact <= total(drawn, drawn, drawn).epsilon <= exact * SLIGHTLY_MORE


def test_a_claim_of_a_composition_is_as_many_releases_as_it_has() -> None:
    together = {"events": [event("gaussian", 3), event("laplace")], "neighbours": "replace"}
    found = total(entry("composition", together, LITTLE, {}), noisy("gaussian"))
    events = [event("gaussian", 4), event("laplace")]
    delta = Fraction(2, 10**6)
    exact = upper("composition.epsilon", events=events, neighbours="replace", delta=delta)
    assert exact <= found.epsilon <= exact * SLIGHTLY_MORE


def test_losses_that_have_a_largest_add_up_without_a_delta() -> None:
    pure = {"epsilon": "0.2", "delta": 0}
    found = total(noisy("laplace", pure), noisy("discrete_laplace", pure))
    exact = Fraction(1, 9) + Fraction(1, 7)
    assert exact <= found.epsilon <= exact * SLIGHTLY_MORE
    assert found.delta == 0
    assert total(noisy("laplace", pure), noisy("gaussian", {**LITTLE, "delta": 0})).by.startswith(
        "the epsilons and deltas"
    )


def test_divergences_of_noise_add_up_beside_draws() -> None:
    at_order = {"epsilon": 1, "order": 3}
    noise = (noisy(name, at_order, "add_remove") for name in NOISY)
    found = total(histogram(**ADDED), *noise)
    each = [upper("dirichlet.add_remove.renyi", alpha=2, step="0.1", order=3)]
    each += [upper(f"{name}.renyi", **NOISY[name], order=3) for name in NOISY]
    assert sum(each) <= found.epsilon <= sum(each) * SLIGHTLY_MORE


def test_noise_for_other_neighbours_is_not_added_up() -> None:
    assert "added or removed" in why(noisy("gaussian"), noisy("laplace", neighbours="add_remove"))


# The referee's two steps: order 5, floor 20, first the step 1/2, then one of two in view of it.
FLOOR, ORDER, FIRST, SMALL, LARGE = 20, 5, Fraction(1, 2), Fraction(1, 100), Fraction(6, 5)


def on_the_way(then: Fraction) -> Composition:
    """Return what a ledger says once the second step was chosen; both keep a claim of 1."""
    steps = (FIRST, then)
    return composed([histogram(1, ORDER, step=step, alpha=FLOOR) for step in steps])


def divergence_of_the_chooser() -> Any:
    """Return the larger divergence of both releases with a histogram of one record, or the other.

    Such a release is a Beta law; the second has the small step where the first answer is below
    1/2, else the large one. By integrals of the densities, and no closed form.
    """
    with mpmath.workdps(30):

        def density(x: Any, a: Any, b: Any) -> Any:
            return x ** (a - 1) * (1 - x) ** (b - 1) / mpmath.beta(a, b)

        def powers(step: Fraction, left: Any, right: Any) -> Any:
            """Integrate p^5 q^-4 of one release from ``left`` to ``right``."""
            s = mpmath.mpf(step.numerator) / step.denominator

            def integrand(x: Any) -> Any:
                p, q = density(x, FLOOR, FLOOR + s), density(x, FLOOR + s, FLOOR)
                return p**ORDER * q ** (1 - ORDER)

            return mpmath.quad(integrand, mpmath.linspace(left, right, 9))

        half, whole = mpmath.mpf(1) / 2, {step: powers(step, 0, 1) for step in (SMALL, LARGE)}
        below, above = powers(FIRST, 0, half), powers(FIRST, half, 1)
        orders = (
            below * whole[SMALL] + above * whole[LARGE],
            above * whole[SMALL] + below * whole[LARGE],
        )
        return max(Fraction(str(mpmath.log(mean) / (ORDER - 1))) for mean in orders)


def test_what_was_spent_at_an_order_is_no_guarantee_for_who_chose_on_the_way() -> None:
    """One path is told 0.0634, and the two releases together lose 0.3759: so it says fixed."""
    little, much = on_the_way(SMALL), on_the_way(LARGE)
    truth = divergence_of_the_chooser()
    assert little.total is not None
    assert much.total is not None
    assert 5 * little.total.epsilon < truth < much.total.epsilon
    for found in (little, much):
        assert_of_what_was_fixed(found)


def assert_of_what_was_fixed(found: Composition) -> None:
    assert found.rests_on[-2:] == (FIXED, NO_ODOMETER)


def test_every_total_is_of_what_was_fixed_alone() -> None:
    """An exact total, a sum of claims, quilts, divergences, rows, and a single claim."""
    unknown = [grades(name) for name in ("one", "two")]
    for entries in (
        unknown,
        [counts(), histogram()],
        [model(), model()],
        [chain(), chain()],
        [grades()],
    ):
        assert_of_what_was_fixed(composed(entries))


def test_a_sum_of_claims_is_of_what_was_fixed_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(totals, "SECONDS", -1.0)
    found = composed([grades(), counts_with_delta()])
    assert found.total == found.claimed
    assert_of_what_was_fixed(found)


def counts_with_delta() -> Entry:
    return entry("dirichlet.counts", {**COUNTS, "k": 10}, SAID, GRADES)


def test_pufferfish_totals_name_the_class_and_speak_of_secrets() -> None:
    """Neighbours are two data sets; a Pufferfish secret is a state under one law of the class."""
    two_laws = {"chains": [*CHAIN["chains"], {"initial": "any", "P": P}]}
    wasserstein = entry("pufferfish.wasserstein", FLU, {"epsilon": 1}, {})
    for entries, laws in (
        ([chain(), chain()], "the class of 1 chain that the claim lists"),
        ([chain(**two_laws)], "the class of 2 chains that the claim lists"),
        ([wasserstein], "the class of 1 law that the claim lists"),
    ):
        found = composed(entries)
        shape = found.as_json()
        assert (shape["laws"], shape["neighbours"]) == (laws, None)
        assert set(OF_SECRETS) < set(found.rests_on)
        assert OF_NEIGHBOURS not in found.rests_on
    assert "mixtures" in " ".join(OF_SECRETS)


def test_totals_of_differential_privacy_speak_of_neighbours() -> None:
    for entries in ([counts(), counts()], [counts()]):
        found = composed(entries)
        shape = found.as_json()
        assert (shape["laws"], shape["secrets"]) == (None, None)
        assert OF_NEIGHBOURS in found.rests_on
        assert not set(OF_SECRETS) & set(found.rests_on)


def test_a_floor_may_differ() -> None:
    lower, higher = (
        upper("dirichlet.profile.renyi", alpha=count * k, step=k, order=2)
        for count, k in ((8, Fraction("20.6") / 98), (10, Fraction("20.6") / 98))
    )
    found = total(counts(), counts(eta="0.1"))
    assert lower + higher <= found.epsilon <= (lower + higher) * SLIGHTLY_MORE


def test_another_column_of_the_same_records_adds_up() -> None:
    assert total(grades(), counts({"column": "sex", "categories": ["f", "m", "x"]}, n=3))


def test_another_number_of_records_is_other_data() -> None:
    assert "entry 2 has another N" in why(counts(), counts(N=99))


def test_counts_and_a_replaced_record_have_the_same_neighbours() -> None:
    assert total(histogram(), counts()).order == 2
    mixed = composed([histogram(), grades()])  # a claim of an order, and one with a delta
    assert mixed.total is not None
    assert (mixed.total.delta, mixed.claimed) == (DELTA, None)


def test_a_number_of_records_is_compared_past_entries_that_have_none() -> None:
    assert "entry 3 has another N" in why(counts(), histogram(), counts(N=99))


def test_a_record_added_is_no_record_replaced() -> None:
    assert "added or removed" in why(histogram(), histogram(neighbours="add_remove"))


def test_other_sensitivities_have_no_known_neighbours() -> None:
    other = histogram(delta2_squared=8, delta_inf=2, step="0.01")
    assert "sensitivities" in why(other, other)


@pytest.mark.parametrize("neighbours", ["replace", "add_remove"])
def test_divergences_of_one_order_add_up(neighbours: str) -> None:
    family = "profile" if neighbours == "replace" else "add_remove"
    one = upper(f"dirichlet.{family}.renyi", alpha=2, step="0.1", order=3)
    found = total(*[histogram(neighbours=neighbours)] * 4)
    assert 4 * one <= found.epsilon <= 4 * one * SLIGHTLY_MORE
    assert (found.order, found.delta) == (3, None)


def test_claimed_divergences_decide_where_they_are_smaller(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        "simplexcert.certify.releasing.ledger.composition.exact_total", lambda _: None
    )
    found = total(histogram(), histogram("0.25"))
    assert (found.epsilon, found.order) == (Fraction("0.75"), 3)


def test_several_orders_hold_at_the_smallest() -> None:
    found = composed([histogram("0.5", 4), histogram("0.25", 2)])
    assert found.claimed is not None
    assert (found.claimed.epsilon, found.claimed.order) == (Fraction("0.75"), 2)
    assert found.total is not None
    one = upper("dirichlet.profile.renyi", alpha=2, step="0.1", order=2)
    assert found.total.epsilon >= 2 * one


def test_both_kinds_of_claims_are_not_added_up() -> None:
    """The pairs still compose, at the deltas' sum, where that is positive."""
    pure = entry("dirichlet.renyi", {**HISTOGRAM, **ADDED}, {"epsilon": 1, "delta": 0}, {})
    assert "cannot be added up" in why(histogram(**ADDED), pure)
    approximate = entry("dirichlet.renyi", {**HISTOGRAM, **ADDED}, LITTLE, {})
    events = [{"mechanism": "dirichlet", "alpha": 2, "step": "0.1", "count": 2}]
    exact = upper("composition.epsilon", events=events, neighbours="add_remove", delta="1e-6")
    found = total(histogram(**ADDED), approximate)
    assert exact <= found.epsilon <= exact * SLIGHTLY_MORE


def test_deltas_that_reach_one_promise_nothing() -> None:
    loose = entry("dirichlet.counts", COUNTS, {"epsilon": 1, "delta": "0.5"}, GRADES)
    assert "1 or more" in why(loose, loose)
    assert total(loose, grades())


def test_a_seeded_release_has_no_total() -> None:
    assert "entry 2 was drawn from a seed" in why(grades(), grades(private=False))
    assert "entry 1 was drawn from a seed" in why(grades(private=False))


@pytest.mark.parametrize("changed", [{"b": "0.2"}, {"w": 3}])
def test_vectors_of_other_neighbours_have_no_total(changed: dict[str, Any]) -> None:
    assert total(vector(), vector(k=12))
    assert f"entry 2 has another {next(iter(changed))}" in why(vector(), vector(**changed))


def test_vectors_with_other_protected_coordinates_have_no_total() -> None:
    assert "another [data]" in why(vector(), vector({"protected": ["one", "three"]}))


def test_vectors_with_unknown_protected_coordinates_have_no_total() -> None:
    assert "does not say protected in [data]" in why(vector({}), vector({}))


def test_what_data_say_of_one_query_may_differ() -> None:
    assert total(vector(), vector({**PROTECTED, "public": ["eta"]}))


def test_an_average_is_no_vector() -> None:
    average = entry("dirichlet.average", {**VECTOR, "N": 10}, AT_ORDER, PROTECTED)
    assert "one of N vectors" in why(vector(), average)
    assert total(average, average)


def test_rows_of_a_matrix_compose_with_all_that_change() -> None:
    said = {"epsilon": 3, "delta": "0.01"}
    one = entry("dirichlet.matrix", MATRIX, said, OF_MATRIX)
    releases = [[1, "0.125", 6]]
    exact = upper("dirichlet.composition.epsilon", releases=releases, delta="0.03")
    found = total(one, one, one)
    assert exact <= found.epsilon <= exact * SLIGHTLY_MORE
    other = entry("dirichlet.matrix", {**MATRIX, "changed_rows": 1}, said, OF_MATRIX)
    assert "changed_rows" in why(one, other)
    divergence = entry("dirichlet.matrix", MATRIX, {"epsilon": 3, "order": 2}, OF_MATRIX)
    alone = upper("dirichlet.profile.renyi", alpha=1, step="0.125", order=2)
    assert total(divergence, divergence).epsilon >= 4 * alone


def test_a_model_loses_what_its_worst_row_loses() -> None:
    """Floors and steps are those of each row's counts; neighbours differ in one row."""
    rows = [{"alpha": 1, "step": "0.2"}, {"alpha": 4, "step": Fraction(1, 3)}]
    each = [2 * upper("dirichlet.profile.renyi", order=2, **row) for row in rows]
    found = total(model(), model())
    assert min(each) < max(each) <= found.epsilon <= max(each) * SLIGHTLY_MORE


def test_a_model_s_rows_compose_exactly() -> None:
    said = {"epsilon": 5, "delta": "0.01"}
    one = entry("markov.model", MODEL, said, STATES)
    rows = [[[1, "0.2", 2]], [[4, Fraction(1, 3), 2]]]
    each = [upper("dirichlet.composition.epsilon", releases=row, delta="0.02") for row in rows]
    assert max(each) <= total(one, one).epsilon <= max(each) * SLIGHTLY_MORE


@pytest.mark.parametrize("changed", [{"N": [50, 61]}, {"n": [3, 2]}])
def test_models_of_other_neighbours_have_no_total(changed: dict[str, Any]) -> None:
    assert f"entry 2 has another {next(iter(changed))}" in why(model(), model(**changed))


def test_models_of_other_states_have_no_total() -> None:
    assert "another [data]" in why(model(), model({**STATES, "to": "z"}))
    assert "does not say states" in why(model({}), model({}))


def test_a_model_of_too_many_rows_is_added_up_by_its_claims(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ledger_pairs, "_MOST_ROWS", 1)
    found = composed([model(), model()])
    assert found.total == found.claimed
    assert found.total is not None


def test_quilts_bound_all_the_noise_of_a_class_together() -> None:
    """Two of scale 20 and one of 30 for a change of 3 have the rate of one of scale 5."""
    found = total(chain(), chain(), chain(scale=30, lipschitz=3))
    exact = upper("pufferfish.quilt_epsilon", scales=[5], width=100, **CHAIN)
    assert exact <= found.epsilon <= exact * SLIGHTLY_MORE
    assert (found.delta, composed([chain(), chain()]).claimed) == (0, None)


def test_a_claim_by_the_exact_loss_of_a_query_is_not_added() -> None:
    """The loss of one node's value alone is small; quilts bound every query, and are above it."""
    known = chain(values=[[0, 1]], scale=3)
    found = total(known, known)
    exact = upper("pufferfish.quilt_epsilon", scales=["1.5"], width=100, **CHAIN)
    assert found.epsilon >= exact > 2


@pytest.mark.parametrize(
    "changed",
    [{"length": 99}, {"chains": [{"initial": "any", "P": P}]}, {"lengths": [100], "length": None}],
)
def test_another_class_has_no_total(changed: dict[str, Any]) -> None:
    release = {**CHAIN, "scale": 20, **changed}
    given = {key: value for key, value in release.items() if value is not None}
    other = entry("pufferfish.chain", given, {"epsilon": 1}, TWO)
    assert "entry 2 has another" in why(chain(), other)


def test_normal_noise_on_a_chain_adds_up_at_the_smallest_order() -> None:
    """Squares of scales count, the influence once; pure releases beside it have no total."""

    def normal(order: int, **changed: Any) -> Entry:
        release = {**CHAIN, "noise": "gaussian", "scale": 30, **changed}
        return entry("pufferfish.chain", release, {"epsilon": 1, "order": order}, TWO)

    found = composed([normal(8), normal(4), normal(5, scale=90, lipschitz=3)])
    point = {**CHAIN, "width": 100, "order": 4}
    exact = upper("pufferfish.gaussian_quilt_renyi", scales=[30, 30, 30], **point)
    assert found.total is not None
    assert exact <= found.total.epsilon <= exact * SLIGHTLY_MORE
    assert (found.total.order, found.total.delta) == (4, None)
    single = upper("pufferfish.gaussian_quilt_renyi", scales=[30], **point)
    assert found.total.epsilon < 3 * single
    assert "another law of the noise" in why(normal(8), chain())


def test_a_class_within_bounds_adds_up_by_its_corners() -> None:
    """Of two states; of more nothing is known of several together."""
    bounds = {"low": [["0.6", "0.2"], ["0.3", "0.5"]], "high": [["0.8", "0.4"], ["0.5", "0.7"]]}
    release = {**bounds, "length": 50, "scale": 20}
    one = entry("pufferfish.interval_chain", release, {"epsilon": 1}, TWO)
    ends = [[["0.6", "0.4"], ["0.5", "0.5"]], [["0.8", "0.2"], ["0.3", "0.7"]]]
    chains = [{"initial": "any", "P": rows} for rows in ends]
    exact = upper("pufferfish.quilt_epsilon", chains=chains, length=50, scales=[10], width=50)
    found = composed([one, one])
    assert found.total is not None
    assert exact <= found.total.epsilon <= exact * SLIGHTLY_MORE
    assert "within the bounds" in found.protected.laws
    three = {"low": [["0.2"] * 3] * 3, "high": [["0.5"] * 3] * 3, "length": 50, "scale": 60}
    more = entry("pufferfish.interval_chain", three, {"epsilon": 1}, {**TWO, "states": [*"abc"]})
    assert "two states alone" in why(more, more)


def test_another_series_has_no_total() -> None:
    assert "another [data]" in why(chain(), chain({**TWO, "column": "other"}))


def test_networks_add_up_by_their_quilts() -> None:
    nodes = [{"parents": [], "table": [["0.5", "0.5"]]}, {"parents": [1], "table": P}]
    release = {"networks": [nodes], "scale": 4}
    one = entry("pufferfish.network", release, {"epsilon": 1}, TWO)
    exact = upper("pufferfish.network_epsilon", networks=[nodes], scales=[2], width=2)
    assert total(one, one).epsilon >= exact


def test_wasserstein_releases_have_no_total() -> None:
    one = entry("pufferfish.wasserstein", FLU, {"epsilon": 1}, {})
    assert "Wasserstein" in why(one, one)


def test_what_is_not_known_in_time_is_not_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(totals, "SECONDS", -1.0)
    found = composed([grades(), counts()])
    assert found.total == found.claimed
    assert "not known in time" in why(chain(), chain())


def test_a_total_tells_where_time_ran_out_and_never_for_another_reason(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The same ledger has one of two totals, and says which one it is."""
    of_order = entry("dirichlet.counts", COUNTS, {"epsilon": 3, "order": 2}, GRADES)
    pairs = {"a smaller one": [grades(), counts_with_delta()], "one": [grades(), of_order]}
    at_once = {"of one": [grades()], "of no common neighbours": [grades(), chain()]}
    in_time = {key: composed(entries) for key, entries in (pairs | at_once).items()}
    assert all(found.as_json()["in_time"] and not found.remark for found in in_time.values())
    monkeypatch.setattr(totals, "SECONDS", -1.0)
    late = {key: composed(entries) for key, entries in pairs.items()}
    assert not any(found.as_json()["in_time"] for found in late.values())
    smaller, none = late["a smaller one"], late["one"]
    assert (smaller.total, smaller.remark) == (smaller.claimed, LATE)
    assert in_time["one"].total is not None
    assert none.total is None
    assert none.why.startswith("what they lose was not known in time")
    assert composed([grades(), of_order]) == none


def test_how_much_is_worked_out_depends_on_the_ledger_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    exact = composed([grades(), counts_with_delta()])
    monkeypatch.setattr(totals, "_MOST_PAIRS", 1)
    found = composed([grades(), counts_with_delta()])
    assert found.total == found.claimed
    assert exact.total is not None
    assert found.total is not None
    assert exact.total.epsilon < found.total.epsilon
    assert (found.late, exact.late) == (False, False)


def test_stored_claims_are_read_anew() -> None:
    """A claim that is not written as it is always published is no claim."""
    one = grades()
    changed = msgspec.structs.replace(one.claim, epsilon="4510/2000")
    with pytest.raises(InputError, match="entry 2 of the ledger states no claim"):
        composed([one, msgspec.structs.replace(one, claim=changed)])


def test_a_thousand_equal_releases_are_worked_out_once() -> None:
    found: Composition = composed([grades()] * 1_000)
    assert found.entries == 1_000
    assert "1 or more" in found.why
    assert total(*[histogram()] * 1_000).epsilon > 0


def test_totals_are_published_as_decimals_rounded_up() -> None:
    shape = composed([grades(), grades()]).as_json()
    assert shape["entries"] == 2
    published: Any = shape["total"]
    assert Fraction(published["epsilon"]) >= total(grades(), grades()).epsilon
    assert (published["delta"], published["order"]) == ("0.0052", None)
    nothing = composed([]).as_json()
    assert (nothing["total"], nothing["why_no_total"]) == (None, "there are no releases")
