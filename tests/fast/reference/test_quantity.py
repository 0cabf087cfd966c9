"""The registry: every quantity is complete, and its domain is guarded with a sentence."""

from __future__ import annotations

import ast
import re
import shlex
import sys
from fractions import Fraction
from pathlib import Path

import pytest
import simplexcert.certify
import simplexcert.reference
from each import each, each_of
from latex2mathml.converter import convert
from simplexcert.certify.cli import run
from simplexcert.reference import evaluate, quantities
from simplexcert.reference.errors import DomainError, InputError, UnknownNameError
from simplexcert.reference.quantity import Quantity, Side
from simplexcert.reference.second import opinions
from simplexcert.reference.vocabulary import VOCABULARY, meaning_of

PUBLISHED = {
    "dirichlet.profile.delta": ["alpha", "step", "epsilon"],
    "dirichlet.profile.epsilon": ["alpha", "step", "delta"],
    "dirichlet.profile.renyi": ["alpha", "step", "order"],
    "dirichlet.profile.total_variation": ["alpha", "step"],
    "dirichlet.profile.step_for_dp": ["alpha", "epsilon", "delta"],
    "dirichlet.profile.step_for_renyi": ["alpha", "order", "epsilon"],
    "dirichlet.identity.epsilon_bound": ["k", "eta", "eta_bar", "b", "w", "gamma"],
    "dirichlet.identity.epsilon_simplified": ["k", "eta", "eta_bar", "b", "w", "gamma"],
    "dirichlet.identity.delta_bound": ["k", "eta", "w", "gamma"],
    "dirichlet.identity.gamma": ["k", "eta", "w", "delta"],
    "dirichlet.counts.delta_bound": ["k", "eta", "n", "gamma"],
    "dirichlet.counts.gamma": ["k", "eta", "n", "delta"],
    "dirichlet.tail.uniform": ["alpha", "count", "rest", "gamma"],
    "dirichlet.tail.general": ["alpha", "rest", "gamma"],
    "dirichlet.identity.k_for_dp": ["eta", "b", "epsilon", "delta"],
    "dirichlet.average.epsilon_bound": ["k", "eta", "eta_bar", "b", "N", "w", "gamma"],
    "dirichlet.average.k_for_dp": ["eta", "b", "N", "epsilon", "delta"],
    "dirichlet.counts.epsilon_bound": ["k", "eta", "N", "n", "gamma"],
    "dirichlet.counts.epsilon_minimum": ["eta", "N", "n", "gamma"],
    "dirichlet.counts.k_for_dp": ["eta", "N", "epsilon", "delta"],
    "dirichlet.add_remove.delta": ["alpha", "step", "epsilon"],
    "dirichlet.add_remove.epsilon": ["alpha", "step", "delta"],
    "dirichlet.add_remove.renyi": ["alpha", "step", "order"],
    "dirichlet.add_remove.step_for_dp": ["alpha", "epsilon", "delta"],
    "dirichlet.add_remove.step_for_renyi": ["alpha", "order", "epsilon"],
    "dirichlet.composition.delta": ["releases", "epsilon"],
    "dirichlet.composition.epsilon": ["releases", "delta"],
    "dirichlet.matrix.delta": ["k", "eta", "b", "changed_rows", "epsilon"],
    "dirichlet.matrix.delta_bound": ["k", "eta", "rows"],
    "dirichlet.matrix.epsilon_bound": ["k", "eta", "eta_bar", "b", "rows"],
    "dirichlet.pair.delta": ["u", "v", "epsilon"],
    "dirichlet.profile.largest_order": ["alpha", "step"],
    "dirichlet.renyi.divergence": ["u", "v", "order"],
    "dirichlet.renyi.epsilon_bound": ["order", "step", "delta2_squared", "delta_inf"],
    "dirichlet.renyi.epsilon_bound_alpha": [
        "order",
        "step",
        "alpha",
        "delta2_squared",
        "delta_inf",
    ],
    "dirichlet.renyi.epsilon_sensitivity": [
        "order",
        "step",
        "alpha",
        "delta2_squared",
        "delta_inf",
    ],
    "dirichlet.renyi.step": ["order", "epsilon", "delta2_squared", "delta_inf"],
    "dirichlet.renyi.to_approximate_dp": ["order", "epsilon", "delta"],
    "renyi.epsilon_for_dp": ["order", "epsilon", "delta"],
    "dpsgd.delta": ["noise_multiplier", "sampling_probability", "steps", "epsilon"],
    "dpsgd.epsilon": ["noise_multiplier", "sampling_probability", "steps", "delta"],
    "discrete_gaussian.delta": ["scale", "sensitivity", "epsilon"],
    "discrete_gaussian.epsilon": ["scale", "sensitivity", "delta"],
    "discrete_gaussian.renyi": ["scale", "sensitivity", "order"],
    "discrete_laplace.delta": ["scale", "sensitivity", "epsilon"],
    "discrete_laplace.epsilon": ["scale", "sensitivity", "delta"],
    "discrete_laplace.noise_multiplier_for_dp": ["sensitivity", "epsilon", "delta"],
    "discrete_laplace.renyi": ["scale", "sensitivity", "order"],
    "randomized_response.delta": ["categories", "truth_probability", "epsilon"],
    "randomized_response.epsilon": ["categories", "truth_probability", "delta"],
    "randomized_response.renyi": ["categories", "truth_probability", "order"],
    "randomized_response.truth_probability_for_dp": ["categories", "epsilon", "delta"],
    "gaussian.delta": ["noise_multiplier", "epsilon"],
    "gaussian.epsilon": ["noise_multiplier", "delta"],
    "gaussian.renyi": ["noise_multiplier", "order"],
    "gaussian.noise_multiplier_for_dp": ["epsilon", "delta"],
    "laplace.delta": ["noise_multiplier", "epsilon"],
    "laplace.epsilon": ["noise_multiplier", "delta"],
    "laplace.renyi": ["noise_multiplier", "order"],
    "laplace.noise_multiplier_for_dp": ["epsilon", "delta"],
    "composition.delta": ["events", "neighbours", "epsilon"],
    "composition.epsilon": ["events", "neighbours", "delta"],
    "dirichlet.utility.absolute_deviation": ["p", "k"],
    "dirichlet.utility.absolute_deviation_bound": ["k"],
    "dirichlet.utility.expected_kl": ["p", "k"],
    "dirichlet.utility.expected_kl_bound": ["k", "N", "n"],
    "dirichlet.utility.expected_kl_prior": ["p", "u"],
    "dirichlet.utility.expected_kl_worst": ["k", "eta", "n"],
    "dirichlet.utility.kl_chernoff": ["p", "beta", "alpha", "eta"],
    "dirichlet.utility.kl_tail": ["p", "beta", "alpha", "eta"],
    "dirichlet.utility.kl_tail_bound": ["beta", "eta"],
    "dirichlet.utility.kl_variance_prior": ["p", "u"],
    "dirichlet.utility.variance": ["p", "k"],
    "markov.dobrushin_coefficient": ["P"],
    "markov.ergodicity_coefficient": ["P"],
    "pufferfish.chain_loss": ["chains", "length", "values", "scale"],
    "pufferfish.chain_wasserstein": ["chains", "length", "values"],
    "pufferfish.closeness": ["p", "q", "secrets"],
    "pufferfish.eigengap": ["P"],
    "pufferfish.eigengap_reversible": ["P"],
    "pufferfish.entry_scale": ["lipschitz", "epsilon"],
    "pufferfish.gaussian_delta": ["mu", "nu", "scale", "epsilon"],
    "pufferfish.gaussian_epsilon": ["mu", "nu", "scale", "delta"],
    "pufferfish.gaussian_quilt_scale": ["chains", "length", "epsilon", "delta", "width"],
    "pufferfish.gaussian_quilt_scale_renyi": ["chains", "length", "order", "epsilon", "width"],
    "pufferfish.gaussian_renyi": ["mu", "nu", "scale", "order"],
    "pufferfish.laplace_renyi": ["mu", "nu", "scale", "order"],
    "pufferfish.chain_least_renyi": ["chains", "length", "values", "noise", "scale", "order"],
    "pufferfish.least_renyi": ["values", "laws", "secrets", "pairs", "noise", "scale", "order"],
    "pufferfish.network_least_renyi": ["networks", "values", "noise", "scale", "order"],
    "pufferfish.chain_least_scale_renyi": [
        "chains",
        "length",
        "values",
        "noise",
        "order",
        "epsilon",
    ],
    "pufferfish.least_scale_renyi": [
        "values",
        "laws",
        "secrets",
        "pairs",
        "noise",
        "order",
        "epsilon",
    ],
    "pufferfish.network_least_scale_renyi": ["networks", "values", "noise", "order", "epsilon"],
    "pufferfish.gk16_scale": ["chains", "length", "epsilon"],
    "pufferfish.group_scale": ["lipschitz", "size", "epsilon"],
    "pufferfish.instantiation_loss": ["values", "laws", "secrets", "pairs", "scale"],
    "pufferfish.chain_least_delta": ["chains", "length", "values", "noise", "scale", "epsilon"],
    "pufferfish.chain_least_epsilon": ["chains", "length", "values", "noise", "scale", "delta"],
    "pufferfish.least_delta": [
        "values",
        "laws",
        "secrets",
        "pairs",
        "noise",
        "scale",
        "epsilon",
    ],
    "pufferfish.least_epsilon": [
        "values",
        "laws",
        "secrets",
        "pairs",
        "noise",
        "scale",
        "delta",
    ],
    "pufferfish.network_least_delta": ["networks", "values", "noise", "scale", "epsilon"],
    "pufferfish.network_least_epsilon": ["networks", "values", "noise", "scale", "delta"],
    "pufferfish.chain_least_scale": [
        "chains",
        "length",
        "values",
        "noise",
        "epsilon",
        "delta",
    ],
    "pufferfish.least_scale": [
        "values",
        "laws",
        "secrets",
        "pairs",
        "noise",
        "epsilon",
        "delta",
    ],
    "pufferfish.network_least_scale": ["networks", "values", "noise", "epsilon", "delta"],
    "pufferfish.laplace_delta": ["mu", "nu", "scale", "epsilon"],
    "pufferfish.laplace_epsilon": ["mu", "nu", "scale", "delta"],
    "pufferfish.laplace_loss": ["mu", "nu", "scale"],
    "pufferfish.max_divergence": ["p", "q"],
    "pufferfish.max_influence": ["initial", "P", "node", "left", "right"],
    "pufferfish.network_epsilon": ["networks", "scales", "width"],
    "pufferfish.network_influence": ["network", "node", "quilt"],
    "pufferfish.network_loss": ["networks", "values", "scale"],
    "pufferfish.network_scale": ["networks", "epsilon", "width"],
    "pufferfish.quilt_epsilon": ["chains", "length", "scales", "width"],
    "pufferfish.quilt_scale_approx": ["pi_min", "gap", "length", "epsilon"],
    "pufferfish.quilt_scale_approx_stationary": ["pi_min", "gap", "length", "epsilon"],
    "pufferfish.quilt_scale_exact": ["chains", "length", "epsilon", "width"],
    "pufferfish.quilt_scale_pieces": ["chains", "lengths", "epsilon", "width"],
    "pufferfish.quilt_scale_two_state": ["low", "high", "length", "epsilon", "width"],
    "pufferfish.stationary_minimum": ["P"],
    "pufferfish.wasserstein": ["mu", "nu"],
    "pufferfish.wasserstein_scale": ["values", "laws", "secrets", "pairs", "epsilon"],
    "dirichlet.utility.variance_bound": ["k"],
    "markov.benvenuti2025.lemma_4": ["counts", "k"],
    "markov.benvenuti2025.theorem_4": ["counts", "k", "norm", "sign"],
    "markov.benvenuti2025.theorem_5": ["counts", "k"],
    "markov.benvenuti2025.lemma_5": ["P", "Q", "norm", "sign"],
    "markov.benvenuti2025.lemma_8": ["k", "N", "n"],
    "markov.fallin2023.bracket": ["n", "k", "eta", "eta_bar", "w"],
    "markov.fallin2023.theorem_3": ["P", "k", "eta", "eta_bar", "w", "norm", "sign"],
    "markov.model.delta": ["k", "eta", "N", "epsilon"],
    "markov.model.delta_bound": ["k", "eta", "n", "gamma"],
    "markov.model.epsilon": ["k", "eta", "N", "delta"],
    "markov.model.epsilon_bound": ["k", "eta", "N", "n", "gamma"],
    "markov.model.k_for_dp": ["eta", "N", "epsilon", "delta"],
    "markov.model.k_minimum": ["counts"],
    "markov.model.merge_plan": ["counts", "gamma", "epsilon"],
    "markov.model.merged_epsilon": ["counts", "groups", "gamma"],
    "markov.model.renyi": ["k", "eta", "N", "order"],
    "markov.communicating_classes": ["P"],
    "markov.condition_number": ["P"],
    "markov.eigenvalue_moduli": ["P"],
    "markov.fundamental": ["P"],
    "markov.fundamental_norm": ["P", "norm", "sign"],
    "markov.group_inverse": ["P"],
    "markov.period": ["P"],
    "markov.stationary": ["P"],
    "markov.stationary_distance": ["P", "Q"],
    "markov.expected_kl": ["P", "k"],
    "markov.expected_deviations": ["P", "k"],
    "markov.largest_deviation_bound": ["P", "k"],
    "markov.largest_deviation_square_bound": ["P", "k"],
    "markov.stationary_bound": ["P", "k"],
    "markov.stationary_bound_a": ["P", "k"],
    "markov.stationary_bound_b": ["P", "k"],
    "markov.stationary_bound_c": ["P", "k"],
    "markov.stationary_bound_private": ["P", "k"],
    "markov.stationary_bound_uniform": ["P", "k"],
    "markov.stationary_rate": ["P", "k"],
    "markov.ergodicity_bound": ["P", "k"],
    "markov.ergodicity_bound_a": ["P", "k"],
    "markov.ergodicity_bound_b": ["P", "k"],
    "markov.ergodicity_floor": ["P", "k"],
    "markov.stationary_bound_repair": ["counts", "k"],
    "markov.ergodicity_bound_repair": ["counts", "k"],
    "markov.certificate_stationary": ["Q", "k", "sizes", "beta", "grid_bits"],
    "markov.certificate_ergodicity": ["k", "sizes", "beta", "grid_bits"],
}
LARGEST_FOR = ("step_for_dp", "step_for_renyi", "k_for_dp", "gamma")
LOWER = {name for name in PUBLISHED if name.endswith(tuple(f".{last}" for last in LARGEST_FOR))}
LOWER |= {
    "randomized_response.truth_probability_for_dp",
    "dirichlet.profile.largest_order",
    "dirichlet.renyi.step",
    "markov.benvenuti2025.lemma_8",
    "markov.ergodicity_floor",
    "pufferfish.eigengap",
    "pufferfish.eigengap_reversible",
    "pufferfish.stationary_minimum",
}
EITHER_SIDE = {
    "markov.expected_deviations",
    "markov.expected_kl",
    "markov.stationary_rate",
    "markov.communicating_classes",
    "markov.condition_number",
    "markov.eigenvalue_moduli",
    "markov.fundamental",
    "markov.fundamental_norm",
    "markov.group_inverse",
    "markov.period",
    "markov.stationary",
    "markov.stationary_distance",
    "markov.model.merge_plan",
    "markov.dobrushin_coefficient",
    "markov.ergodicity_coefficient",
    "dirichlet.utility.absolute_deviation",
    "dirichlet.utility.expected_kl",
    "dirichlet.utility.expected_kl_prior",
    "dirichlet.utility.kl_variance_prior",
    "dirichlet.utility.variance",
}
TAIL = {"alpha": ["0.1", 2], "rest": 1, "gamma": "0.01"}
IDENTITY_TAIL = {"k": 10, "eta": "0.1", "w": 3, "gamma": "0.01"}
IDENTITY = {"k": 10, "eta": "0.1", "eta_bar": "0.1", "b": "0.1", "w": 2, "gamma": "0.01"}
COUNTS = {"k": 20, "eta": "0.1", "N": 100, "n": 5, "gamma": "0.01"}


@each(PUBLISHED)
def test_published_quantities_keep_their_parameters_in_order(name: str) -> None:
    assert list(quantities()[name].parameters) == PUBLISHED[name]


@each(PUBLISHED)
def test_published_quantities_keep_their_safe_side(name: str) -> None:
    sides = dict.fromkeys(LOWER, Side.LOWER) | dict.fromkeys(EITHER_SIDE, Side.NONE)
    assert quantities()[name].safe is sides.get(name, Side.UPPER)


@each(quantities().values())
def test_every_quantity_says_what_it_is_and_where_it_is_from(item: Quantity) -> None:
    assert item.summary.endswith(".")
    assert item.source
    assert all(interval.search for interval in item.parameters.values())


@each(quantities().values())
def test_every_quantity_is_explained_in_words_a_formula_and_its_parameters(item: Quantity) -> None:
    assert item.formula, f"{item.name}: say in @quantity what defines it, formula=..., in LaTeX"
    assert "<math" in convert(item.formula)
    for name, meaning in item.meanings.items():
        assert meaning.says, f"{name}: say what it means in reference/vocabulary.py"
        assert meaning.example, f"{name}: give an example in reference/vocabulary.py"


@each(quantities().values())
def test_every_quantity_answers_at_its_example(item: Quantity) -> None:
    """What is shown is a command line; its numbers are read as a command line's are."""
    assert run([*shlex.split(item.example)[1:], "--digits", "3"]) == 0, item.example


def test_a_parameter_may_mean_something_else_than_in_the_vocabulary() -> None:
    usual = meaning_of("beta", "real")
    own = quantities()["markov.certificate_ergodicity"].meanings["beta"]
    assert own.says != usual.says
    assert own.example != usual.example
    assert own.symbol == usual.symbol


def test_the_vocabulary_has_no_word_that_no_quantity_takes() -> None:
    taken = {
        words
        for item in quantities().values()
        for name, domain in item.parameters.items()
        for words in (name, f"{name} {domain.kind}")
    }
    assert set(VOCABULARY) <= taken


def test_every_module_that_declares_a_quantity_is_loaded() -> None:
    quantities(), opinions()
    root = Path(simplexcert.reference.__file__).parent
    for file in root.glob("**/*.py"):
        parts = ("simplexcert.reference", *file.relative_to(root).with_suffix("").parts)
        name = ".".join(parts).removesuffix(".__init__")
        if re.search(r"^@(quantity|second_opinion)\(", file.read_text(), re.MULTILINE):
            assert name in sys.modules, (
                f"{name} is imported by no package of its family; a family is a module or package "
                "of one name in reference/ and in reference/second/"
            )


def test_a_glob_selects_quantities() -> None:
    assert set(quantities("dirichlet.counts.*_bound")) == {
        "dirichlet.counts.delta_bound",
        "dirichlet.counts.epsilon_bound",
    }


def test_an_unknown_quantity_is_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match=r"did you mean 'dirichlet\.profile\.delta'"):
        evaluate("dirichlet.profile.detla", {})


def test_an_unknown_parameter_is_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'epsilon'"):
        evaluate("dirichlet.profile.delta", {"alpha": 1, "step": 1, "epsilom": 1})


def test_a_missing_parameter_is_named() -> None:
    with pytest.raises(InputError, match="needs step, epsilon; it takes alpha, step, epsilon"):
        evaluate("dirichlet.profile.delta", {"alpha": 1})


@each_of(
    "name, good, change, condition",
    [
        ("dirichlet.identity.epsilon_bound", IDENTITY, {"gamma": "0.5"}, "w gamma < 1"),
        ("dirichlet.identity.epsilon_bound", IDENTITY, {"b": "1.6"}, "eta + eta_bar + b/2 < 1"),
        ("dirichlet.identity.epsilon_bound", IDENTITY, {"w": 1}, "2 <= w"),
        ("dirichlet.identity.epsilon_bound", IDENTITY, {"k": 0}, "0 < k"),
        ("dirichlet.identity.epsilon_bound", IDENTITY, {"eta_bar": 0}, "0 < eta_bar < 1"),
        ("dirichlet.counts.epsilon_bound", COUNTS, {"n": 2}, "3 <= n"),
        ("dirichlet.counts.epsilon_bound", COUNTS, {"n": 11}, "n eta <= 1"),
        ("dirichlet.counts.epsilon_bound", COUNTS, {"gamma": "0.2"}, "n gamma < 1"),
        ("dirichlet.counts.epsilon_bound", COUNTS, {"N": 1}, "2 eta + 1/N < 1"),
        ("dirichlet.profile.delta", {"alpha": 1, "step": 1, "epsilon": 1}, {"epsilon": -1}, "0 <="),
        ("dirichlet.tail.general", TAIL, {"alpha": [1, 0]}, "0 < each of alpha"),
        ("dirichlet.tail.general", TAIL, {"rest": "-1"}, "0 <= rest"),
        ("dirichlet.tail.general", TAIL, {"gamma": "1.1"}, "0 <= gamma <= 1"),
        ("dirichlet.identity.delta_bound", IDENTITY_TAIL, {"eta": "0.4"}, "w eta <= 1"),
        ("dirichlet.identity.delta_bound", IDENTITY_TAIL, {"w": 0}, "1 <= w"),
        ("dirichlet.profile.renyi", {"alpha": 1, "step": 1, "order": 2}, {"order": "0.9"}, "1 <="),
    ],
)
def test_outside_the_domain_a_sentence_names_value_condition_and_source(
    name: str, good: dict[str, object], change: dict[str, object], condition: str
) -> None:
    assert evaluate(name, good).narrow
    with pytest.raises(DomainError, match=re.escape(condition)) as caught:
        evaluate(name, {**good, **change})
    key = next(iter(change))
    assert key in str(caught.value)
    assert quantities()[name].source in str(caught.value) or "202" in str(caught.value)


@pytest.mark.parametrize("digits", [0, -1, 10_001])
def test_unreasonable_digits_are_refused(digits: int) -> None:
    with pytest.raises(InputError, match="digits"):
        evaluate("dirichlet.profile.delta", {"alpha": 1, "step": 1, "epsilon": 1}, digits=digits)


def test_an_unknown_engine_is_refused() -> None:
    with pytest.raises(InputError, match="engine"):
        evaluate("dirichlet.profile.delta", {"alpha": 1, "step": 1, "epsilon": 1}, engine="iv")


def test_no_k_is_offered_where_none_exists() -> None:
    # c = 2 eta/b = 8, so delta must exceed e^-8/17 = 1.97e-5.
    given = {"eta": "0.1", "b": "0.025", "epsilon": 1}
    with pytest.raises(DomainError, match=r"delta > e\^\(-c epsilon\)/\(1 \+ 2c\)"):
        evaluate("dirichlet.identity.k_for_dp", {**given, "delta": "1.97e-5"})
    assert evaluate("dirichlet.identity.k_for_dp", {**given, "delta": "1.98e-5"}).narrow


def test_at_epsilon_zero_the_limit_itself_is_out_of_reach() -> None:
    given = {"eta": "1/4", "b": 1, "epsilon": 0}
    with pytest.raises(DomainError):
        evaluate("dirichlet.identity.k_for_dp", {**given, "delta": Fraction(1, 2)})
    assert evaluate("dirichlet.identity.k_for_dp", {**given, "delta": "0.501"}).narrow


STEPS = {"releases": '[["1/2", "1/8", 3], [2, 0.5, 1]]', "scale": 2}


@pytest.mark.usefixtures("made_up")
def test_a_table_is_evaluated_and_comes_back_as_nested_texts() -> None:
    found = evaluate("made.steps", STEPS)
    assert found.exact == Fraction(1, 2)
    assert found.as_json()["parameters"] == {
        "releases": [["1/2", "1/8", "3"], ["2", "1/2", "1"]],
        "scale": "2",
    }


@pytest.mark.usefixtures("made_up")
def test_the_registry_tells_the_kinds_and_where_to_search() -> None:
    table, scale = quantities()["made.steps"].as_json()["parameters"]  # type: ignore[misc]
    assert (table["kind"], scale["kind"]) == ("releases", "real")
    assert table["search"] == [("0.001", "1000"), ("0.001", "1000"), ("1", "10")]
    (law,) = quantities()["made.collision"].as_json()["parameters"]  # type: ignore[misc]
    assert law["kind"] == "vector"
    assert law["domain"].endswith("a sum of exactly 1")


@pytest.mark.usefixtures("made_up")
@pytest.mark.parametrize(
    ("name", "given", "sentence"),
    [
        (
            "made.steps",
            {**STEPS, "releases": [[1, 1, 1], [1, 0, 1]]},
            "releases, row 2, step = 0 is outside the domain of made.steps: it needs in each row",
        ),
        ("made.rows", {"rows": [[0, 0]]}, "rows, row 1, w = 0 is outside the domain of made.rows"),
        ("made.rows", {"rows": [[1, "1.1"]]}, "rows, row 1, gamma = 1.1 is outside the domain"),
        (
            "made.collision",
            {"p": ["0.3", "0.3", "0.3"]},
            "p = [0.3, 0.3, 0.3], with sum 0.9, is outside the domain of made.collision: it",
        ),
        ("made.collision", {"p": [1]}, "p = [1] is outside the domain of made.collision"),
        (
            "made.distance",
            {"u": [1, 2], "v": [1]},
            "v = [1] is outside the domain of made.distance: it needs u and v of equal length",
        ),
        ("made.distance", {"u": [1, 2], "v": [1, 0]}, "v, entry 2 = 0 is outside the domain"),
    ],
)
def test_outside_the_domain_a_sentence_names_row_and_column(
    name: str, given: dict[str, object], sentence: str
) -> None:
    with pytest.raises(DomainError, match=re.escape(sentence)):
        evaluate(name, given)


def test_one_method_alone_asks_a_formula() -> None:
    for folder in (simplexcert.reference, simplexcert.certify):
        root = Path(folder.__path__[0])
        for file in sorted(root.glob("**/*.py")):
            asked = [
                node
                for node in ast.walk(ast.parse(file.read_text()))
                if isinstance(node, ast.Attribute) and node.attr == "function"
            ]
            assert len(asked) == (file.relative_to(root) == Path("quantity.py")), file


@pytest.mark.usefixtures("made_up")
def test_an_enclosure_at_given_bits_is_cut_to_where_the_quantity_lies() -> None:
    missed = quantities()["dirichlet.counts.delta_bound"]
    point, routes = missed.read({"k": 3, "eta": "0.2", "n": 4, "gamma": "0.01"}), list[str]()
    found = missed.enclose(2, point, routes.append)
    assert 0 <= found.lower <= found.upper <= 1
    assert len(routes) == 1
    shares = quantities()["made.shares"].enclose(64, {"u": (Fraction(1), Fraction(3))})
    assert shares.exact == (Fraction(1, 4), Fraction(3, 4))
