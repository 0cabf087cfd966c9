"""Audits of ponnoprat2023's mechanism: histograms under both adjacencies, and any other f."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction

import pytest
from simplexcert.certify import audit
from simplexcert.certify.audits.decision import Audit
from simplexcert.certify.report.terminal import print_audit
from simplexcert.certify.verdict import Verdict
from simplexcert.reference import Enclosure, evaluate
from simplexcert.reference.dirichlet.pair import Neighbours
from simplexcert.reference.errors import DomainError, InputError, UnknownNameError
from simplexcert.reference.precision import all_within

HISTOGRAM = {"step": '"0.5"', "alpha": "2", "epsilon": "1", "order": "3"}
ADD_REMOVE = {"neighbours": '"add_remove"'}
OTHER_F = {"delta2_squared": "8", "delta_inf": "2"}
AT_DELTA = {"order": None, "delta": '"0.001"'}
Auditor = Callable[..., Audit]
RoundsTo = Callable[[Enclosure | None, str], bool]
Statuses = Callable[[Audit], dict[str, str]]
Keys = dict[str, str | None]


@pytest.fixture
def audited(audit_keys: Callable[[str, Keys], Audit]) -> Auditor:
    """Audit a histogram with some of its keys replaced, or left out (None)."""

    def run(*changes: Keys, **keys: str | None) -> Audit:
        given: Keys = {**HISTOGRAM}
        for change in (*changes, keys):
            given |= change
        return audit_keys("dirichlet.renyi", given)

    return run


def same(one: Enclosure, name: str, **point: object) -> bool:
    other = evaluate(name, point).enclosure
    return one.is_narrow(15) and other.is_narrow(15) and one.overlaps(other)


def test_the_algorithm_keeps_what_it_claims(rounds_to: RoundsTo, statuses: Statuses) -> None:
    found = audit("example:ponnoprat2023-histogram")
    assert found.verdict is Verdict.CERTIFIED
    assert found.attained
    assert found.bound_applies
    assert rounds_to(found.paper.epsilon, "0.10000")
    assert set(statuses(found).values()) == {"holds", "assumed"}


@pytest.mark.parametrize(("order", "truth"), [(2, "2.13499"), (5, "3.32926"), (20, "3.92940")])
def test_a_smaller_alpha_than_the_algorithms_is_refuted(
    audited: Auditor, order: int, truth: str, rounds_to: RoundsTo
) -> None:
    """The step is that of epsilon = 1, but alpha is 1 + (order - 1) step, without the 4."""
    point = {"order": order, "epsilon": 1, "delta2_squared": 2, "delta_inf": 1}
    step = Fraction(evaluate("dirichlet.renyi.step", point).enclosure.decimals(15)[0])
    found = audited(step=f'"{step}"', alpha=f'"{1 + (order - 1) * step}"', order=str(order))
    assert found.verdict is Verdict.REFUTED
    assert rounds_to(found.exact["epsilon_at_order"], truth)
    assert rounds_to(found.paper.epsilon, "1.00000")
    assert not found.bound_applies
    assert found.witness is not None


def test_a_replaced_record_is_the_pair_of_beta_laws(audited: Auditor) -> None:
    at_order, at_delta = audited(), audited(AT_DELTA)
    pair = {"alpha": 2, "step": "0.5"}
    assert same(at_order.exact["epsilon_at_order"], "dirichlet.profile.renyi", **pair, order=3)
    exact = at_delta.exact
    assert same(exact["delta_at_epsilon"], "dirichlet.profile.delta", **pair, epsilon=1)
    assert same(exact["epsilon_at_delta"], "dirichlet.profile.epsilon", **pair, delta="0.001")
    assert at_order.attained
    assert at_delta.attained


def test_the_witness_of_a_replaced_record_loses_that_much(audited: Auditor) -> None:
    found = audited(epsilon='"0.3"')
    assert found.verdict is Verdict.REFUTED
    witness = json.loads(json.dumps(found.witness))
    u, v = (
        [2 + Fraction(count) / 2 for count in [*witness[key], "7", "0"]]
        for key in ("first", "second")
    )
    assert sum(u) == sum(v)
    loss = evaluate("dirichlet.renyi.divergence", {"u": u, "v": v, "order": 3})
    assert loss.lower > Fraction("0.3")
    assert same(loss.enclosure, "dirichlet.profile.renyi", alpha=2, step="0.5", order=3)


def test_a_record_added_is_the_pair_of_gamma_laws(audited: Auditor) -> None:
    at_order, at_delta = audited(ADD_REMOVE), audited(ADD_REMOVE, AT_DELTA)
    pair = {"alpha": 2, "step": "0.5"}
    assert same(at_order.exact["epsilon_at_order"], "dirichlet.add_remove.renyi", **pair, order=3)
    exact = at_delta.exact
    assert same(exact["delta_at_epsilon"], "dirichlet.add_remove.delta", **pair, epsilon=1)
    assert same(exact["epsilon_at_delta"], "dirichlet.add_remove.epsilon", **pair, delta="0.001")
    assert at_order.worst.neighbours is Neighbours.BOUNDED
    assert not at_order.attained


@pytest.mark.parametrize(
    ("keys", "refuted", "certified"),
    [
        # The truth is 0.28468287047291915964 at order 3, 0.005111402880248873... at epsilon 1.
        ({}, "0.284682870472919159", "0.28468287047291916"),
        ({"order": None, "epsilon": "1"}, "0.005111402880248873", "0.005111402880248874"),
    ],
)
def test_a_record_added_is_refuted_by_large_counts_alone(
    audited: Auditor, keys: Keys, refuted: str, certified: str
) -> None:
    key = "delta" if "order" in keys else "epsilon"
    verdicts = [
        audited(ADD_REMOVE, keys, {key: f'"{value}"'}).verdict for value in (refuted, certified)
    ]
    assert verdicts == [Verdict.REFUTED, Verdict.CERTIFIED]


def test_the_witness_of_a_record_added_loses_more_than_claimed(audited: Auditor) -> None:
    found = audited(ADD_REMOVE, epsilon='"0.2846"')
    witness = json.loads(json.dumps(found.witness))
    u, v = ([2 + Fraction(n) / 2 for n in witness[key]] for key in ("first", "second"))
    assert sum(v) - sum(u) == Fraction(1, 2)
    loss = evaluate("dirichlet.renyi.divergence", {"u": u, "v": v, "order": 3})
    assert loss.lower > Fraction("0.2846")
    needed = found.exact["epsilon_at_order"]
    assert loss.upper < needed.lower


def test_further_empty_cells_only_add_to_the_loss(audited: Auditor) -> None:
    found = audited(ADD_REMOVE, epsilon='"0.2846"')
    witness = json.loads(json.dumps(found.witness))
    u, v = ([2 + Fraction(n) / 2 for n in [*witness[key], "0", "0"]] for key in ("first", "second"))
    loss = evaluate("dirichlet.renyi.divergence", {"u": u, "v": v, "order": 3})
    assert loss.lower > Fraction("0.2846")


@pytest.mark.parametrize(
    ("epsilon", "delta"),
    [("1", "0.0051"), ("1", "0.00511140288"), ("0", "0.099"), ("30", "2.394456e-53")],
)
def test_the_counts_of_a_witness_lose_what_is_told_of_them(
    audited: Auditor, epsilon: str, delta: str
) -> None:
    """Their own delta, between two incomplete betas, is no less than the number stated of them."""
    found = audited(ADD_REMOVE, order=None, epsilon=epsilon, delta=f'"{delta}"')
    assert found.verdict is Verdict.REFUTED
    assert found.refuted_by is not None
    witness = json.loads(json.dumps(found.witness))
    u, v = ([2 + Fraction(n) / 2 for n in witness[key]] for key in ("first", "second"))
    loss = evaluate("dirichlet.pair.delta", {"u": u, "v": v, "epsilon": epsilon}, digits=80)
    assert found.exact["delta_at_epsilon"].lower > loss.upper
    assert loss.lower > found.refuted_by.truth.value.upper > Fraction(delta)


@pytest.mark.parametrize("epsilon", ["0", "1", "100", "5000", '"1e300"'])
def test_pure_differential_privacy_is_refuted(audited: Auditor, epsilon: str) -> None:
    for neighbours in ({}, ADD_REMOVE):
        found = audited(neighbours, order=None, epsilon=epsilon, delta="0")
        assert found.verdict is Verdict.REFUTED


def test_a_pure_claim_is_refuted_by_counts_of_an_infinite_divergence(audited: Auditor) -> None:
    found = audited(ADD_REMOVE, order=None, epsilon="1e300", delta="0")
    witness = json.loads(json.dumps(found.witness))
    u, v = ([2 + Fraction(n) / 2 for n in witness[key]] for key in ("first", "second"))
    point = {"u": u, "v": v, "order": witness["infinite_at_order"]}
    assert evaluate("dirichlet.renyi.divergence", point).lower == float("inf")


# The truth beside each is plain: far apart, or alike and far from any reach of delta.
@pytest.mark.parametrize(
    ("alpha", "step", "epsilon", "delta", "verdict"),
    [
        ("1", "1e300", "1", "1e-5", "refuted"),
        ("1", "1e300", "1e300", "0.9", "refuted"),  # the loss is about 700 steps
        ("1", "1e300", "1e303", "0.5", "certified"),
        ("1e27", "9.9e22", "0", "0", "refuted"),
        ("1e15", "1e9", "1", "0", "refuted"),
        ("1e9", "1e9", "1", "0." + 300 * "9", "refuted"),
        ("1", "1e-300", "1", "0", "refuted"),
        ("1", "1e-300", "1", "1e-300", "certified"),
        ("1e300", "1e-300", "1", "0", "refuted"),
        ("1e-300", "1e-300", "0", "0.249999999", "refuted"),  # 1/4 in the limit
        ("1e-300", "1e-300", "0", "0.250000001", "certified"),
        ("1e-300", "1e300", "1", "0." + 299 * "9", "refuted"),
        ("1e-300", "1e300", "1", "1", "certified"),
    ],
)
def test_a_record_added_has_a_verdict_at_every_size(
    audited: Auditor, alpha: str, step: str, epsilon: str, delta: str, verdict: str
) -> None:
    keys = {"alpha": alpha, "step": step, "epsilon": epsilon, "delta": delta}
    quoted = {key: f'"{value}"' for key, value in keys.items()}
    with all_within(10):
        found = audited(ADD_REMOVE, quoted, order=None)
    assert found.verdict.value == verdict


@pytest.mark.parametrize("neighbours", [{}, ADD_REMOVE])
def test_from_the_largest_order_on_every_claim_is_refuted(
    audited: Auditor, neighbours: Keys
) -> None:
    found = audited(neighbours, order="5", epsilon="1000")
    assert found.verdict is Verdict.REFUTED
    assert found.worst.facts["largest_order"] == "5"
    assert found.exact["epsilon_at_order"].lower == float("inf")
    assert audited(neighbours, order='"4.999"', epsilon="1000").verdict is Verdict.CERTIFIED


def test_people_are_told_that_a_loss_is_infinite(
    audited: Auditor, capsys: pytest.CaptureFixture[str]
) -> None:
    print_audit(audited(order="5", epsilon="1000"))
    out = capsys.readouterr().out
    assert "exact epsilon    infinite  at the claimed order" in out
    assert "epsilon infinite at the claimed order" in out


def test_the_kullback_leibler_claim_is_compared_exactly(audited: Auditor) -> None:
    # Floor 2, step 1: the divergence is 1/2.
    assert audited(step="1", order="1", epsilon='"1/2"').verdict is Verdict.CERTIFIED
    below = audited(step="1", order="1", epsilon='"0.49999999999999999999"')
    assert below.verdict is Verdict.REFUTED


def test_any_other_f_is_bounded_by_its_sensitivities(audited: Auditor) -> None:
    found = audited(OTHER_F, order="2", epsilon="2")
    assert found.verdict is Verdict.CERTIFIED
    assert not found.attained
    given = {"alpha": 2, "step": "0.5", "delta2_squared": 8, "delta_inf": 2, "order": 2}
    bound = "dirichlet.renyi.epsilon_sensitivity"
    assert same(found.exact["epsilon_at_order"], bound, **given)
    assert found.worst.facts["largest_order"] == "3"


def test_a_change_all_in_one_coordinate_is_possible(audited: Auditor) -> None:
    found = audited(delta2_squared="4", delta_inf="2", order="2", epsilon="2")
    assert found.verdict is Verdict.CERTIFIED


@pytest.mark.parametrize("claim", [{"order": "2"}, {"order": "3"}, AT_DELTA])
def test_a_bound_by_sensitivities_never_refutes(audited: Auditor, claim: Keys) -> None:
    found = audited(OTHER_F, claim, epsilon="0")
    assert found.verdict is Verdict.UNDECIDED
    assert found.witness is None


def test_the_bound_at_a_delta_is_that_of_its_order(audited: Auditor) -> None:
    keys = {**OTHER_F, **AT_DELTA, "step": '"0.1"', "alpha": "5"}
    found = audited(keys)
    assert found.verdict is Verdict.CERTIFIED
    order = found.worst.facts["order"]
    given = {"alpha": 5, "step": "0.1", "delta2_squared": 8, "delta_inf": 2, "order": order}
    bound = evaluate("dirichlet.renyi.epsilon_sensitivity", given)
    at_delta = {"order": order, "epsilon": bound.upper, "delta": "0.001"}
    needed = evaluate("dirichlet.renyi.to_approximate_dp", at_delta)
    assert Fraction(found.exact["epsilon_at_delta"].upper) >= needed.lower
    # Half and twice that distance from order 1 are no better.
    for other in (1 + (Fraction(str(order)) - 1) / 2, min(1 + 2 * (Fraction(str(order)) - 1), 25)):
        worse = evaluate("dirichlet.renyi.epsilon_sensitivity", {**given, "order": other})
        at_other = {"order": other, "epsilon": worse.lower, "delta": "0.001"}
        assert evaluate("dirichlet.renyi.to_approximate_dp", at_other).lower > needed.upper


@pytest.mark.parametrize(("delta", "verdict"), [("0", "undecided"), ("1", "certified")])
def test_the_ends_of_delta_need_no_order(audited: Auditor, delta: str, verdict: str) -> None:
    found = audited(OTHER_F, order=None, delta=delta)
    assert found.verdict.value == verdict
    assert "order" not in found.worst.facts


def test_the_sensitivities_of_a_histogram_may_be_given(audited: Auditor) -> None:
    assert audited().exact == audited(delta2_squared="2", delta_inf="1").exact
    assert audited().exact == audited(delta_inf="1").exact
    assert audited().exact == audited(neighbours='"replace"').exact
    one = audited(ADD_REMOVE, delta2_squared="1")
    assert one.exact == audited(ADD_REMOVE).exact


def test_the_sensitivities_of_the_other_adjacency_are_no_histograms(
    audited: Auditor, statuses: Statuses
) -> None:
    found = audited(ADD_REMOVE, delta2_squared="2", delta_inf="1")
    assert statuses(found)["f >= 0 has these sensitivities"] == "assumed"
    assert not found.attained


def test_a_claimed_delta_has_the_order_of_line_two(audited: Auditor) -> None:
    # alpha = 1 + 4 (order - 1) step gives order 11.
    keys = {**AT_DELTA, "step": '"0.1"', "alpha": "5"}
    found = audited(keys)
    assert found.paper.facts["order"] == "11"
    assert found.bound_applies
    point = {"order": 11, "step": "0.1", "delta2_squared": 2, "delta_inf": 1}
    bound = evaluate("dirichlet.renyi.epsilon_bound", point)
    given = {"order": 11, "epsilon": bound.upper, "delta": "0.001"}
    assert found.paper.epsilon is not None
    assert same(found.paper.epsilon, "dirichlet.renyi.to_approximate_dp", **given)
    _, equation = found.paper.also["epsilon_bound_alpha"]
    assert equation is not None
    assert equation.overlaps(found.paper.epsilon)


@pytest.mark.parametrize("alpha", ["1", '"0.5"'])
def test_without_such_an_order_the_paper_says_nothing(audited: Auditor, alpha: str) -> None:
    found = audited(AT_DELTA, alpha=alpha)
    assert found.paper.epsilon is None
    assert found.paper.also["epsilon_bound_alpha"] == ("equation 18", None)
    assert found.exact["delta_at_epsilon"].is_narrow(20)


@pytest.mark.parametrize("delta", ["0", "1"])
def test_at_the_ends_of_delta_the_paper_says_nothing(audited: Auditor, delta: str) -> None:
    assert audited(order=None, delta=delta).paper.epsilon is None


def test_equation_18_is_infinite_where_the_divergence_may_be(audited: Auditor) -> None:
    found = audited(order="5")
    _, equation = found.paper.also["epsilon_bound_alpha"]
    assert equation == Enclosure.infinite()


@pytest.mark.parametrize(("order", "fails"), [("1.5", 0), ("2", 1), ("3", 1), ("4", 2)])
def test_each_hypothesis_on_alpha_has_its_own_status(
    audited: Auditor, order: str, fails: int, statuses: Statuses
) -> None:
    # alpha = 2 is 1 + 4 (3/2 - 1) step, and 1 + (3 - 1) step.
    assert list(statuses(audited(order=order)).values()).count("fails") == fails


def test_the_deciding_number_has_a_second_opinion(audited: Auditor) -> None:
    for keys in ({}, AT_DELTA, ADD_REMOVE, {**ADD_REMOVE, **AT_DELTA}, OTHER_F):
        assert audited(keys).second == "overlaps"


def test_json_has_the_published_shape(audited: Auditor) -> None:
    shape = audited().as_json()
    assert list(shape) == [
        "schema_version", "verdict", "claim", "hypotheses", "paper", "exact",
        "quantities", "bound_off_lattice", "witness", "would_do", "assumptions", "neighbours",
        "non_claims",
    ]  # fmt: skip
    claim, paper, exact = (
        json.loads(json.dumps(shape[key])) for key in ("claim", "paper", "exact")
    )
    assert claim["release"] == {
        "step": "1/2", "alpha": "2", "delta2_squared": "2", "delta_inf": "1",
        "neighbours": "replace",
    }  # fmt: skip
    assert set(paper) == {
        "epsilon_bound", "epsilon_bound_alpha", "delta_bound", "gamma", "gamma_chosen", "order",
        "applies",
    }  # fmt: skip
    assert set(exact) == {
        "epsilon_at_order", "attained", "alpha", "step", "largest_order", "second",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("keys", "says"),
    [
        ({"epsilon": '"0.3"'}, "counts (1, 0) and (0, 1) in two cells"),
        ({**ADD_REMOVE, "epsilon": '"0.1"'}, "counts (0, 6000) and (1, 6000) in two cells"),
        ({**ADD_REMOVE, **AT_DELTA}, "times the bound"),
        ({**ADD_REMOVE, "order": None, "delta": "0"}, "the loss is unbounded"),
        (ADD_REMOVE, "neighbours with large counts elsewhere come as near"),
        ({}, "the Renyi divergence is finite at every order below 5"),
        ({}, "by equation 18"),
        ({"order": None, "delta": '"0.1"'}, "at order 1.5, put into Lemma 3"),
        ({"alpha": "1", **AT_DELTA}, "line 2 of Algorithm 1 sets this alpha for no order above 1"),
        (OTHER_F, "an upper bound for every f >= 0 with these sensitivities"),
        ({**OTHER_F, **AT_DELTA}, "by ponnoprat2023 Lemma 3"),
        (OTHER_F, "it can certify a claim and not refute it"),
    ],
)
def test_what_it_rests_on_is_printed(
    audited: Auditor, capsys: pytest.CaptureFixture[str], keys: Keys, says: str
) -> None:
    print_audit(audited(keys))
    assert says in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("keys", "error", "says"),
    [
        ({"step": None}, InputError, "lacks step"),
        ({"alpha": None}, InputError, "lacks alpha"),
        ({"alfa": "1"}, UnknownNameError, "did you mean 'alpha'"),
        ({"r": "1"}, UnknownNameError, "unknown key 'r'"),
        ({"counts": "[1, 2]"}, UnknownNameError, "unknown key 'counts'"),
        ({"step": "0"}, DomainError, "0 < step"),
        ({"alpha": "-1"}, DomainError, "0 < alpha"),
        ({"delta2_squared": "0", "delta_inf": "1"}, DomainError, "0 < delta2_squared"),
        ({"delta_inf": '"inf"'}, InputError, "not a number"),
        ({"delta2_squared": "8"}, InputError, "needs delta_inf, too"),
        ({"delta_inf": "2"}, InputError, "needs delta2_squared, too"),
        ({"delta2_squared": "3", "delta_inf": "2"}, DomainError, "contradict each other"),
        ({"neighbours": '"remove"'}, UnknownNameError, "did you mean 'add_remove'"),
        ({"neighbours": "1"}, InputError, "one of replace, add_remove"),
        ({"neighbours": "[]"}, InputError, "one of replace, add_remove"),
        ({"order": '"0.5"'}, DomainError, "below 1"),
        ({"delta": "0.5"}, InputError, "exactly one"),
        ({"order": None}, InputError, "exactly one"),
    ],
)
def test_a_bad_claim_is_answered_with_a_sentence(
    audited: Auditor, keys: Keys, error: type[InputError], says: str
) -> None:
    with pytest.raises(error) as caught:
        audited(keys)
    assert says in str(caught.value)


@pytest.mark.parametrize("step", ["1e-9", "1e-30", "1e-120", "1e3"])
def test_a_step_of_any_size_is_refuted_next_to_the_truth(audited: Auditor, step: str) -> None:
    truth = evaluate("dirichlet.add_remove.delta", {"alpha": 2, "step": step, "epsilon": 0})
    below = Fraction(truth.lower) * (1 - Fraction(1, 10**9))
    keys = {"order": None, "step": f'"{step}"', "epsilon": "0", "delta": f'"{below}"'}
    assert audited(ADD_REMOVE, keys).verdict is Verdict.REFUTED


@pytest.mark.parametrize("step", ["1e-9", "1e3"])
def test_an_order_is_refuted_next_to_the_truth(audited: Auditor, step: str) -> None:
    given = {"alpha": "1e4", "step": step, "order": "1.001"}
    truth = evaluate("dirichlet.add_remove.renyi", given)
    below = Fraction(truth.lower) * (1 - Fraction(1, 10**9))
    keys = {key: f'"{value}"' for key, value in given.items()}
    assert audited(ADD_REMOVE, keys, epsilon=f'"{below}"').verdict is Verdict.REFUTED
