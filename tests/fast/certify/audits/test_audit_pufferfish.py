"""Audits of Pufferfish claims: the exact loss decides, a scale that is needed only certifies."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

import pytest
from simplexcert.certify import audit
from simplexcert.certify.audits import decision
from simplexcert.certify.audits.claim import claim_in, example_text
from simplexcert.certify.audits.decision import Audit
from simplexcert.certify.mechanisms import MECHANISMS, mechanism_named
from simplexcert.certify.mechanisms.protocol import Claim, Worst
from simplexcert.certify.mechanisms.pufferfish.chain import ChainParameters
from simplexcert.certify.mechanisms.pufferfish.claims import (
    MANY_NODES,
    SECOND_SECONDS,
    SECOND_SECONDS_OF_MANY,
    found_within,
)
from simplexcert.certify.mechanisms.pufferfish.noise import spread
from simplexcert.certify.mechanisms.pufferfish.refuting import likely_queries, started
from simplexcert.certify.mechanisms.questions import Question, Truth
from simplexcert.certify.report.terminal import print_audit
from simplexcert.certify.verdict import Verdict
from simplexcert.reference import Enclosure, evaluate
from simplexcert.reference.dirichlet.pair import Neighbours
from simplexcert.reference.errors import DomainError, InputError, SoundnessError, UnknownNameError
from simplexcert.reference.exact import parse_toml
from simplexcert.reference.precision import BudgetSpentError, Climbed, check_budget, climb
from simplexcert.reference.quantity import _registry, quantity_named
from simplexcert.reference.structures import ChainLaw

PACKAGE = "simplexcert.certify.mechanisms"
CHAIN = example_text("song2017-chain")
NETWORK = example_text("song2017-network")
FLU = example_text("song2017-flu")
SHORT = CHAIN.replace("length = 100", "length = 6").replace('"13.0219"', '"0.29"')
# Where the quilts that are best are not the trivial ones.
STRONG = SHORT.replace("epsilon = 1", "epsilon = 5")
SUM = SHORT.replace("# values", "values")
INDEPENDENT = SHORT.replace('["0.4", "0.6"]', '["0.9", "0.1"]').replace(
    '["0.3", "0.7"]', '["0.8", "0.2"]'
)
AuditText = Callable[[str], Audit]
RoundsTo = Callable[[Enclosure | None, str], bool]
Statuses = Callable[[Audit], dict[str, str]]


def test_the_running_example_is_certified_by_markov_quilts(rounds_to: RoundsTo) -> None:
    found = audit("example:song2017-chain")
    assert found.verdict is Verdict.CERTIFIED
    assert not found.attained
    assert found.second == "overlaps"
    assert rounds_to(found.exact["scale_needed"], "12.934051")
    assert rounds_to(found.paper.also["quilt_scale_any_start"][1], "13.021923")
    assert rounds_to(found.paper.also["quilt_scale_approx"][1], "23.505955")
    assert found.worst.facts["set_by"] == {"chain": "1", "node": "8", "quilt": ["1", "13"]}


def test_the_flu_example_is_certified_by_the_wasserstein_mechanism() -> None:
    found = audit("example:song2017-flu")
    assert found.verdict is Verdict.CERTIFIED
    assert found.attained
    assert found.exact["scale_needed"].exact == 2


def test_the_printed_eigengap_is_refuted_by_the_exact_loss(
    rounds_to: RoundsTo, statuses: Statuses, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The second engine takes seconds here, and is asked with every other example.
    monkeypatch.setattr(Truth, "second", lambda *_given: "inapplicable")
    found = audit("example:song2017-dropped-eigenvalue")
    assert found.verdict is Verdict.REFUTED
    assert rounds_to(found.exact["epsilon_at_scale"], "1.2657451")
    assert found.exact["scale_needed"].lower <= 50 <= found.exact["scale_needed"].upper
    assert (
        statuses(found)["every chain's P P* with a positive eigengap, multiplicities counted"]
        == "fails"
    )
    assert found.paper.also["quilt_scale_approx"][1] is None


def test_the_network_of_the_paper_needs_what_it_prints(rounds_to: RoundsTo) -> None:
    found = audit("example:song2017-network")
    assert found.verdict is Verdict.CERTIFIED
    assert rounds_to(found.exact["scale_needed"], "0.15584866")


@pytest.mark.parametrize("name", [name for name in MECHANISMS if mechanism_named(name).laws])
def test_a_template_is_a_claim_about_its_mechanism_that_holds(name: str) -> None:
    mechanism = mechanism_named(name)
    found = audit(f"example:{mechanism.name}")
    assert found.claim.mechanism is mechanism
    assert found.verdict is Verdict.CERTIFIED


def test_a_scale_below_the_quilts_refutes_nothing(audit_text: AuditText) -> None:
    found = audit_text(SHORT)
    assert found.exact["scale_needed"].lower > Fraction("0.29")
    assert found.verdict is Verdict.UNDECIDED
    assert found.witness is None


def test_a_known_query_may_be_certified_below_the_quilts(audit_text: AuditText) -> None:
    found = audit_text(SUM.replace('"0.29"', "3"))
    assert found.exact["scale_needed"].lower > 3
    assert found.verdict is Verdict.CERTIFIED
    assert found.attained


def test_the_verdict_on_a_known_query_turns_at_its_exact_loss(audit_text: AuditText) -> None:
    loss = audit_text(SUM).exact["epsilon_at_scale"]
    above, below = Fraction(loss.upper) + Fraction(1, 10**6), Fraction(loss.lower)
    for epsilon, verdict in ((above, "certified"), (below - Fraction(1, 10**6), "refuted")):
        found = audit_text(SUM.replace("epsilon = 1", f'epsilon = "{epsilon}"'))
        assert found.verdict.value == verdict


def test_a_witness_loses_what_two_secrets_of_the_definition_lose(audit_text: AuditText) -> None:
    found = audit_text(SUM.replace("length = 6", "length = 4"))
    witness: Any = found.witness
    chain, node = int(witness["chain"]), int(witness["first"]["node"])
    states = [int(witness[key]["state"]) for key in ("first", "second")]
    laws = [_law_by_listing(chain, node, state, 4) for state in states]
    loss = evaluate(
        "pufferfish.laplace_loss",
        {"mu": laws[0], "nu": laws[1], "scale": witness["scale"]},
    )
    lower, upper = (Fraction(witness["epsilon_at_scale"][key]) for key in ("lower", "upper"))
    assert lower > 1
    assert lower <= loss.upper
    assert loss.lower <= upper


def test_the_outcome_of_a_witness_is_likelier_under_its_first_secret(
    audit_text: AuditText,
) -> None:
    witness: Any = audit_text(SUM.replace("length = 6", "length = 4")).witness
    chain, node, scale = int(witness["chain"]), int(witness["first"]["node"]), 0.29
    density = []
    for key in ("first", "second"):
        law = _law_by_listing(chain, node, int(witness[key]["state"]), 4)
        gaps = [abs(int(witness["outcome"]) - int(point)) for point in law["points"]]
        masses = [float(Fraction(mass)) for mass in law["mass"]]
        density.append(sum(m * math.exp(-gap / scale) for m, gap in zip(masses, gaps, strict=True)))
    lost = float(Fraction(witness["epsilon_at_scale"]["lower"]))
    assert density[0] / density[1] > math.exp(lost) * (1 - 2**-40)


def test_outcomes_are_in_the_units_of_the_query(audit_text: AuditText) -> None:
    plain: Any = audit_text(SUM).witness
    moved: Any = audit_text(
        SUM.replace("[[0, 1]]", '[["1/3", "5/6"]]').replace('"0.29"', '"0.145"')
    ).witness
    assert Fraction(moved["outcome"]) == 6 * Fraction(1, 3) + Fraction(plain["outcome"]) / 2


def _law_by_listing(chain: int, node: int, state: int, length: int) -> dict[str, list[str]]:
    """Return the law of how often state 2 occurs, given a node's state, over all paths."""
    start, moves = (
        ((Fraction(1), Fraction(0)), (("0.9", "0.1"), ("0.4", "0.6"))),
        ((Fraction("0.9"), Fraction("0.1")), (("0.8", "0.2"), ("0.3", "0.7"))),
    )[chain - 1]
    weights = [Fraction(0)] * (length + 1)
    for path in product((0, 1), repeat=length):
        if path[node - 1] == state - 1:
            weight = start[path[0]]
            for before, after in pairwise(path):
                weight *= Fraction(moves[before][after])
            weights[sum(path)] += weight
    total = sum(weights)
    kept = [(point, weight / total) for point, weight in enumerate(weights) if weight]
    return {"points": [str(p) for p, _ in kept], "mass": [str(m) for _, m in kept]}


def test_every_query_may_be_refuted_by_one_but_only_where_that_is_the_claim(
    audit_text: AuditText,
) -> None:
    assert audit_text(SHORT).verdict is Verdict.UNDECIDED
    found = audit_text(SHORT.replace("# query", "query"))
    assert found.verdict is Verdict.REFUTED
    witness: Any = found.witness
    assert all(len(row) == 2 for row in witness["values"])
    assert found.refuted_by is not None
    assert found.refuted_by.inputs.sentence.endswith("; values = [[1, 0]]")


def test_a_query_that_refutes_all_changes_by_at_most_the_constant() -> None:
    chain = ChainLaw((Fraction(1), Fraction(0), Fraction(0)), ((Fraction(1, 3),) * 3,) * 3)
    queries = [*likely_queries((chain,), 5, Fraction(3, 2))]
    assert len(queries) == 6
    assert {spread(row) for query in queries for row in query} <= {0, Fraction(3, 2)}


def test_too_long_a_chain_has_no_query_tried_on_it() -> None:
    chain = ChainLaw((Fraction(1), Fraction(0)), ((Fraction(1, 2),) * 2,) * 2)
    assert not [*likely_queries((chain,), 10**6, Fraction(1))]


def test_a_network_claimed_for_every_query_may_be_refuted(audit_text: AuditText) -> None:
    small = NETWORK.replace('"0.2437"', '"0.05"')
    assert audit_text(small).verdict is Verdict.UNDECIDED
    found = audit_text(small.replace("# values = [[0, 1]]", 'query = "any"'))
    assert found.verdict is Verdict.REFUTED
    assert found.witness is not None
    assert found.witness["network"] == "1"


def test_a_known_query_of_a_network_is_refuted_by_two_states(audit_text: AuditText) -> None:
    found = audit_text(NETWORK.replace('"0.2437"', '"0.05"').replace("# values", "values"))
    assert found.verdict is Verdict.REFUTED
    assert found.attained


def test_a_network_that_is_a_chain_needs_what_the_chain_needs(audit_text: AuditText) -> None:
    one = CHAIN.partition("[[release.chains]]")[0].replace("length = 100", "length = 3")
    chain = audit_text(
        one.replace('"13.0219"', '"0.2437"')
        + '[[release.chains]]\ninitial = ["0.8", "0.2"]\n'
        + 'P = [["0.9", "0.1"], ["0.4", "0.6"]]\n[claim]\nepsilon = 10'
    )
    network = audit_text(NETWORK)
    for key in ("scale_needed", "epsilon_at_scale"):
        assert chain.exact[key].is_narrow(15)
        assert network.exact[key].is_narrow(15)
        assert chain.exact[key].overlaps(network.exact[key])


def test_every_initial_law_may_be_refuted_by_one(audit_text: AuditText) -> None:
    found = audit_text(SUM.replace("initial = [1, 0]", 'initial = "any"'))
    assert found.verdict is Verdict.REFUTED
    assert not found.attained
    assert found.witness is not None
    assert "initial" in found.witness
    assert found.refuted_by is not None
    assert "; initial = [0.5, 0.5]" in found.refuted_by.inputs.sentence


def test_a_chain_that_starts_anyhow_has_no_exact_loss(audit_text: AuditText) -> None:
    text = SUM.replace("initial = [1, 0]", 'initial = "any"').replace('"0.29"', "6")
    found = audit_text(text)
    assert found.worst.neighbours is Neighbours.BOUNDED
    assert any("is not known" in sentence for sentence in found.worst.sentences)
    assert found.verdict is Verdict.CERTIFIED


@pytest.mark.parametrize(
    "text",
    [
        SHORT.replace("epsilon = 1", "epsilon = 3").replace('"0.29"', "2"),
        INDEPENDENT.replace("epsilon = 1", "epsilon = 3").replace('"0.29"', '"1/3"'),
        INDEPENDENT.replace("epsilon = 1", "epsilon = 3")
        .replace('"0.29"', '"1/3"')
        .replace("# values", "values"),
        FLU.replace("epsilon = 1", "epsilon = 3").replace("scale = 2", 'scale = "2/3"'),
        NETWORK.replace('"0.2437"', '"3/7"').replace("epsilon = 10", "epsilon = 7"),
    ],
)
def test_a_scale_that_is_just_what_is_needed_is_certified_at_once(
    audit_text: AuditText, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    # Balls never tell equal numbers apart; the rational bounds do, and no climb is in vain.
    climbs: list[Climbed] = []

    def recorded(*given: Any) -> Climbed:
        climbs.append(climb(*given))
        return climbs[-1]

    monkeypatch.setattr("simplexcert.certify.mechanisms.questions.climb", recorded)
    monkeypatch.setattr("simplexcert.reference.precision.MAX_BITS", 512)
    assert audit_text(text).verdict is Verdict.CERTIFIED
    assert climbs
    assert all(found.satisfied for found in climbs)


@pytest.mark.parametrize("scale", ["1e-40", "1e40"])
def test_extreme_scales_are_decided(audit_text: AuditText, scale: str) -> None:
    found = audit_text(SUM.replace('"0.29"', f'"{scale}"'))
    assert found.verdict is (Verdict.REFUTED if "-" in scale else Verdict.CERTIFIED)


def test_every_initial_law_has_some_tried_even_without_one_stationary_law() -> None:
    identity = ((Fraction(1), Fraction(0)), (Fraction(0), Fraction(1)))
    half = (Fraction(1, 2),) * 2
    anyhow, known = ChainLaw("any", identity), ChainLaw("stationary", (half, half))
    assert {*started((anyhow, known))} == {(ChainLaw(half, identity), known)}
    assert [*started((known,))] == [(known,)]


def test_several_releases_count_as_one_of_the_harmonic_scale(audit_text: AuditText) -> None:
    several = audit_text(STRONG.replace('scale = "0.29"', 'scales = ["1", "3"]'))
    one = audit_text(STRONG.replace('"0.29"', '"0.75"'))
    for key in ("epsilon_at_scale", "scale_needed"):
        assert several.exact[key].is_narrow(15)
        assert several.exact[key].overlaps(one.exact[key])


def test_several_releases_are_said_to_count_as_one(audit_text: AuditText) -> None:
    said = audit_text(SHORT.replace('scale = "0.29"', "scales = [1, 3]")).worst.sentences
    assert any("the 2 releases count as one of scale 1/(sum of 1/scale) = 0.75" in x for x in said)
    assert not any("the released scale" in sentence for sentence in said)


def test_several_releases_are_not_certified_one_by_one(audit_text: AuditText) -> None:
    # The scale 6 is enough for one release; two of scale 10 are as one of scale 5.
    one, two = (
        audit_text(SHORT.replace('scale = "0.29"', f"scales = {scales}"))
        for scales in ([10], [10, 10])
    )
    assert one.verdict is Verdict.CERTIFIED
    assert two.verdict is Verdict.UNDECIDED


def test_a_query_out_of_reach_is_not_worked_out(
    audit_text: AuditText, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_given: Any) -> Any:
        raise AssertionError

    monkeypatch.setattr("simplexcert.certify.mechanisms.pufferfish.chain.laws_by_node", never)
    with pytest.raises(AssertionError):
        audit_text(SUM)
    assert audit_text(SUM.replace("length = 6", "length = 601")).verdict is Verdict.UNDECIDED


def test_pieces_need_what_the_longest_needs(audit_text: AuditText) -> None:
    pieces = audit_text(STRONG.replace("length = 6", "lengths = [2, 6, 4]"))
    assert pieces.exact["scale_needed"].overlaps(audit_text(STRONG).exact["scale_needed"])
    assert pieces.exact["scale_of_group"].exact == Fraction(6, 5)


def test_lipschitz_multiplies_the_scale(audit_text: AuditText) -> None:
    text = STRONG.replace("lipschitz = 1 ", "lipschitz = 2 ").replace('"0.29"', '"0.58"')
    twice, once = audit_text(text), audit_text(STRONG)
    assert twice.exact["epsilon_at_scale"].overlaps(once.exact["epsilon_at_scale"])
    needed = once.exact["scale_needed"]
    lower, upper = 2 * Fraction(needed.lower), 2 * Fraction(needed.upper)
    assert needed.is_narrow(15)
    assert twice.exact["scale_needed"].lower <= upper
    assert lower <= twice.exact["scale_needed"].upper


def test_a_known_query_has_its_own_lipschitz_constant(audit_text: AuditText) -> None:
    found = audit_text(SUM.replace("[[0, 1]]", '[[0, "1/2"]]'))
    assert found.claim.parameters.given["lipschitz"] == Fraction(1, 2)
    assert found.exact["scale_of_group"].exact == 3


def test_counted_transitions_stand_for_their_shares(audit_text: AuditText) -> None:
    counted = SHORT.replace(
        'P = [["0.9", "0.1"], ["0.4", "0.6"]]', "transitions = [[18, 2], [4, 6]]"
    )
    found, given = (ChainParameters.of(audit_text(text).claim) for text in (counted, SHORT))
    assert found.chains == given.chains


def test_narrow_quilts_need_no_smaller_scale(audit_text: AuditText) -> None:
    wide = audit_text(STRONG).exact["scale_needed"]
    narrow = audit_text(STRONG.replace("# width = 20", "width = 1")).exact["scale_needed"]
    assert narrow.lower > wide.upper


def test_secrets_that_no_law_admits_are_said(audit_text: AuditText, statuses: Statuses) -> None:
    found = audit_text(
        '[release]\nmechanism = "pufferfish.wasserstein"\nvalues = [0, 1]\nlaws = [[1, 0]]\n'
        "secrets = [[1], [2]]\npairs = [[1, 2]]\nscale = 1\n[claim]\nepsilon = 1"
    )
    assert found.verdict is Verdict.INAPPLICABLE
    assert statuses(found)["both secrets of every pair possible under some law"] == "fails"


def test_a_certified_claim_that_the_exact_loss_contradicts_is_an_error(
    audit_text: AuditText, monkeypatch: pytest.MonkeyPatch
) -> None:
    true = decision.truth_of

    def raised(question: Question, *given: Any, **how: Any) -> Truth:
        found = true(question, *given, **how)
        if question.key == "epsilon_at_scale":
            return replace(found, value=Enclosure.of(Fraction(100)))
        return found

    monkeypatch.setattr(decision, "truth_of", raised)
    with pytest.raises(SoundnessError, match="contradict each other"):
        audit_text(SUM.replace('"0.29"', "100"))


def test_the_published_shape_is_json_and_names_the_scale_needed(audit_text: AuditText) -> None:
    shape: Any = json.loads(json.dumps(audit_text(SUM).as_json()))
    assert shape["exact"]["attained"] is True
    assert {"epsilon_at_scale", "scale_needed", "scale_by_wasserstein"} <= set(shape["exact"])
    assert shape["claim"]["claim"] == {"epsilon": "1", "delta": "0"}
    assert shape["witness"]["first"]["node"] == shape["witness"]["second"]["node"]
    assert any("mixtures" in sentence for sentence in shape["non_claims"])


@pytest.mark.parametrize("text", [SHORT, SUM, NETWORK, FLU], ids=["chain", "sum", "net", "flu"])
def test_people_are_told_the_scale_that_is_needed(
    audit_text: AuditText, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    print_audit(audit_text(text))
    out = capsys.readouterr().out
    assert "scale needed" in out
    assert "for the claimed epsilon, by the mechanism" in out
    assert "at the released scale" in out


def test_delta_zero_says_nothing_new(audit_text: AuditText) -> None:
    said = audit_text(SHORT.replace("epsilon = 1", "epsilon = 1\ndelta = 0"))
    assert said.claim.delta == audit_text(SHORT).claim.delta == 0


def test_a_witness_whose_laws_are_too_long_is_shown_by_its_class(
    audit_text: AuditText, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = "simplexcert.certify.mechanisms.pufferfish.refuting"
    monkeypatch.setattr(f"{module}._MOST_BITS", 1)
    monkeypatch.setattr(f"{module}._MOST_POINTS", 1)
    found = audit_text(SUM)
    assert found.verdict is Verdict.REFUTED
    assert found.refuted_by is not None
    term = found.refuted_by.truth.question.terms[0]
    assert term.quantity == "pufferfish.chain_loss"
    chains = ChainParameters.of(found.claim).chains
    assert term.point["chains"] == (chains[int(str(found.refuted_by.inputs.facts["chain"])) - 1],)
    assert found.witness is not None
    assert "outcome" not in found.witness


def test_nothing_else_than_the_bound_is_asked_where_nothing_is_known(
    audit_text: AuditText,
) -> None:
    found = audit_text(SHORT)
    worst: Worst = found.worst
    claim: Claim = found.claim
    assert [question.key for question in worst.asked] == ["epsilon_at_scale"]
    assert worst.asked[0].terms[0].quantity == "pufferfish.quilt_epsilon"
    assert worst.nearby is not None
    assert not [*worst.nearby()]
    assert claim.mechanism.beside_the_data(claim, worst) is worst


P = 'P = [["0.9", "0.1"], ["0.4", "0.6"]]'
BAD_CHAINS = [
    ("epsilon = 1", "epsilon = 1\ndelta = 1.1", DomainError, "a delta is from 0 to 1"),
    ("epsilon = 1", "epsilon = 1\norder = 1", DomainError, "an order above 1"),
    ("epsilon = 1", "epsilon = 1\norder = 2\ndelta = 0", InputError, "at most one of delta"),
    ("epsilon = 1", "epsilon = 0", DomainError, "needs epsilon > 0"),
    ("epsilon = 1", "", InputError, "needs epsilon"),
    ('"0.6"', '"0.61"', DomainError, "row 2 = [0.4, 0.61], with sum 1.01"),
    ('"0.4", "0.6"', '"0.3333333", "0.6666666"', DomainError, "off by rounding: give fractions"),
    ('"0.4", "0.6"', '"-0.4", "1.4"', DomainError, "row 2, entry 1 = -0.4"),
    ("# width = 20", "width = 0", DomainError, "1 <= width"),
    ("length = 6", "", InputError, "exactly one of length and lengths"),
    ("length = 6", "length = 6\nlengths = [6]", InputError, "exactly one of length and lengths"),
    ("length = 6", "length = 0", DomainError, "1 <= length"),
    ('"0.29"', "0", DomainError, "0 < scale"),
    ('scale = "0.29"', "", InputError, "exactly one of scale and scales"),
    ("lipschitz = 1 ", "lipschitz = 0 ", DomainError, "0 < lipschitz"),
    ("lipschitz", "lipshitz", UnknownNameError, "did you mean 'lipschitz'"),
    ('# query = "any"', 'query = "sum"', InputError, "a particular one is given by values"),
    ('# query = "any"', 'query = "any"\nvalues = [[0, 1]]', InputError, "query = any is every"),
    ("# values = [[0, 1]]", "values = [[0, 1, 2]]", DomainError, "but there are 2 states"),
    ("# values = [[0, 1]]", "values = [[0, 1], [0, 1]]", DomainError, "or length = 6"),
    ("# values = [[0, 1]]", "values = [[1, 1]]", DomainError, "the query is a constant"),
    ("# values = [[0, 1]]", "values = [[0, 3]]", DomainError, "values change by up to 3"),
    ("initial = [1, 0]", 'initial = "stationery"', UnknownNameError, "did you mean 'stationary'"),
    ("initial = [1, 0]", "initial = [1]", InputError, "initial"),
    ("initial = [1, 0]", "", InputError, "lacks initial"),
    (P, "", InputError, "lacks P, the matrix; or give transitions"),
    (P, "transition = [[9, 1], [4, 6]]", UnknownNameError, "did you mean 'transitions'"),
    (P, "transitions = [[9, -1], [4, 6]]", InputError, "a count is at least 0"),
    (P, "transitions = [[0, 0], [4, 6]]", InputError, "is all 0"),
    (P, "transitions = 3", InputError, "not a list of rows of counts"),
    (P, f"{P}\ntransitions = [[9, 1], [4, 6]]", InputError, "which are counts, not both"),
    ('scale = "0.29"', "scales = [1]\nvalues = [[0, 1]]", InputError, "give scale, not scales"),
    ("length = 6", "lengths = [6]\nvalues = [[0, 1]]", InputError, "values are of one piece"),
]


@pytest.mark.parametrize(("old", "new", "error", "says"), BAD_CHAINS)
def test_a_bad_claim_about_a_chain_is_answered_with_a_sentence(
    audit_text: AuditText, old: str, new: str, error: type[InputError], says: str
) -> None:
    assert old in SHORT
    with pytest.raises(error) as caught:
        audit_text(SHORT.replace(old, new, 1))
    assert says in str(caught.value)


def test_a_chain_without_one_stationary_law_needs_an_initial_law(audit_text: AuditText) -> None:
    text = SHORT.replace("initial = [1, 0]", 'initial = "stationary"').replace(
        P, "P = [[1, 0], [0, 1]]"
    )
    with pytest.raises(DomainError, match=r"claim\.toml: chain 1 .* give the initial law"):
        audit_text(text)


@pytest.mark.parametrize(
    ("text", "old", "new", "says"),
    [
        (NETWORK, "[2], table", "[4], table", "the parent 4 in a network of 3 nodes"),
        (NETWORK, "[1], table", "[3], table", "with the cycle"),
        (NETWORK, "[2], table", "[1, 2], table", "a table of length 2 and not 4"),
        (NETWORK, "# values = [[0, 1]]", "values = [[0, 1], [0, 1]]", "or 3 for the nodes"),
        (NETWORK, "# values = [[0, 1]]", "values = [[0]]", "has 2 states"),
        (FLU, "[7, 8]]", "[7, 9]]", "at most the number of secrets"),
        (FLU, "values = [0, ", "values = [", "as many entries as in values"),
        (FLU, "scale = 2", "", "lacks scale"),
    ],
)
def test_a_bad_network_or_instantiation_is_answered_with_a_sentence(
    audit_text: AuditText, text: str, old: str, new: str, says: str
) -> None:
    assert old in text
    with pytest.raises(InputError) as caught:
        audit_text(text.replace(old, new, 1))
    assert says in str(caught.value)


def test_without_chains_or_networks_nothing_is_read(audit_text: AuditText) -> None:
    with pytest.raises(InputError, match="lacks chains"):
        audit_text(SHORT.partition("[[release.chains]]")[0] + "[claim]\nepsilon = 1")
    with pytest.raises(InputError, match="lacks networks"):
        audit_text('[release]\nmechanism = "pufferfish.network"\nscale = 1\n[claim]\nepsilon = 1')


@pytest.mark.parametrize(
    ("module", "text"),
    [("quilts", SUM), ("quilts", SHORT), ("wasserstein", FLU)],
    ids=["sum", "chain", "flu"],
)
def test_a_second_opinion_that_takes_too_long_is_published_as_undecided(
    audit_text: AuditText, monkeypatch: pytest.MonkeyPatch, module: str, text: str
) -> None:
    asked = audit_text(text)
    assert asked.second == "overlaps"
    monkeypatch.setattr(f"{PACKAGE}.pufferfish.{module}.SECOND_SECONDS", 0.0)
    late = audit_text(text)
    assert late.verdict is asked.verdict
    assert late.second == "undecided"


def test_for_many_nodes_a_second_opinion_is_waited_for_less_long() -> None:
    waited = []
    for length in (MANY_NODES, MANY_NODES + 1):
        text = CHAIN.replace("length = 100", f"length = {length}")
        claim = claim_in(parse_toml(text), "long.toml")
        waited.append(claim.mechanism.worst(claim).asked[0].second_seconds)
    assert waited == [SECOND_SECONDS, SECOND_SECONDS_OF_MANY]


def test_a_search_among_all_queries_ends_but_a_known_query_is_always_looked_at(
    audit_text: AuditText, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = NETWORK.replace('"0.2437"', '"0.05"')
    known = [SUM, small.replace("# values", "values")]
    every = [
        SHORT.replace("# query", "query"),
        small.replace("# values = [[0, 1]]", 'query = "any"'),
    ]
    assert {audit_text(text).verdict for text in every} == {Verdict.REFUTED}
    for module in ("chain", "network"):
        monkeypatch.setattr(f"{PACKAGE}.pufferfish.{module}.SEARCH_SECONDS", -1.0)
    assert {audit_text(text).verdict for text in every} == {Verdict.UNDECIDED}
    assert {audit_text(text).verdict for text in known} == {Verdict.REFUTED}


def test_what_is_not_found_in_time_is_none() -> None:
    def never() -> str:
        check_budget()
        return "found"

    assert found_within(-1.0, never) is None
    assert found_within(60.0, never) == "found"


@pytest.mark.parametrize(
    ("module", "limit", "text"),
    [
        ("chain", "PLACE_SECONDS", SHORT),
        ("network", "PLACE_SECONDS", NETWORK),
        ("wasserstein", "_FARTHEST_SECONDS", FLU),
    ],
    ids=["chain", "net", "flu"],
)
def test_what_sets_the_scale_is_left_out_where_it_takes_too_long(
    audit_text: AuditText, monkeypatch: pytest.MonkeyPatch, module: str, limit: str, text: str
) -> None:
    told = audit_text(text)
    assert told.worst.facts["set_by"]
    monkeypatch.setattr(f"{PACKAGE}.pufferfish.{module}.{limit}", -1.0)
    late = audit_text(text)
    assert late.worst.facts["set_by"] is None
    assert late.verdict is told.verdict


def test_no_pair_is_searched_for_beyond_its_time(
    audit_text: AuditText, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"{PACKAGE}.pufferfish.refuting.MAX_SECONDS", -1.0)
    found = audit_text(SUM)
    assert found.exact["epsilon_at_scale"].lower > 1
    assert found.verdict is Verdict.UNDECIDED


def test_a_stationary_law_that_takes_too_long_only_changes_which_queries_are_tried(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def spent(_P: object) -> None:
        raise BudgetSpentError

    monkeypatch.setattr(f"{PACKAGE}.pufferfish.refuting.stationary_law", spent)
    half = (Fraction(1, 2),) * 2
    chains = (
        ChainLaw("stationary", (half, (Fraction(1), Fraction(0)))),
        ChainLaw("any", (half,) * 2),
    )
    assert [*likely_queries(chains[:1], 3, Fraction(1))]
    assert {*started(chains)} == {(chains[0], ChainLaw(half, (half,) * 2))}


def test_a_paper_scale_that_is_not_known_in_time_is_none(
    audit_text: AuditText, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"{PACKAGE}.pufferfish.claims._SECONDS", -1.0)
    found = audit_text(SHORT.replace("lipschitz = 1 ", "lipschitz = 2 "))
    assert {value for _, value in found.paper.also.values()} == {None}
    assert all(label.endswith("would take too long") for label, _ in found.paper.also.values())


def test_quilts_that_are_refused_do_not_keep_other_bounds_from_certifying(
    audit_text: AuditText, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(**_given: object) -> None:
        raise DomainError("too dense")

    for name in ("scale", "epsilon"):
        named = quantity_named(f"pufferfish.network_{name}")
        monkeypatch.setitem(_registry, named.name, replace(named, function=refused))
    for text in (NETWORK.replace('"0.2437"', "3"), NETWORK.replace("# values", "values")):
        found = audit_text(text)
        assert found.verdict is Verdict.CERTIFIED
        assert found.exact["scale_needed"] == Enclosure.nothing_known()
    assert audit_text(NETWORK.replace('"0.2437"', "3")).second == "undecided"
    with pytest.raises(DomainError, match="too dense"):
        audit_text(NETWORK)


def test_a_place_that_is_refused_is_not_told() -> None:
    def refused() -> None:
        raise DomainError("too dense")

    assert found_within(60.0, refused) is None


@pytest.mark.parametrize("error", [False, True], ids=["too many states", "no time"])
def test_a_paper_scale_out_of_reach_is_not_blamed_on_a_hypothesis(
    audit_text: AuditText, monkeypatch: pytest.MonkeyPatch, *, error: bool
) -> None:
    def spent(_P: object) -> None:
        raise BudgetSpentError

    if error:
        monkeypatch.setattr(f"{PACKAGE}.pufferfish.claims.is_reversible", spent)
    else:
        monkeypatch.setattr(f"{PACKAGE}.pufferfish.claims._MOST_STATES", 1)
    label, value = audit_text(SHORT).paper.also["quilt_scale_approx"]
    assert value is None
    assert label == "MQMApprox, which would take too long"


def test_a_pair_counts_only_where_one_law_admits_both_secrets(
    audit_text: AuditText, statuses: Statuses
) -> None:
    text = (
        '[release]\nmechanism = "pufferfish.wasserstein"\nvalues = [0, 1, 2]\n'
        "laws = [[1, 0, 0], [0, 1, 0]]\nsecrets = [[1], [2], [2, 3], [1, 3]]\n"
        "pairs = [[1, 2]]\nscale = 1\n[claim]\nepsilon = 1"
    )
    both = "both secrets of every pair possible under some law"
    assert statuses(audit_text(text))[both] == "fails"
    assert statuses(audit_text(text.replace("[[1, 2]]", "[[1, 4], [3, 2]]")))[both] == "holds"


def test_beside_a_loss_stands_the_epsilon_of_who_knows_all_other_nodes(
    audit_text: AuditText,
) -> None:
    found = audit_text(SHORT.replace('scale = "0.29"', 'scales = ["0.2", "0.1"]'))
    assert found.worst.facts["entry_epsilon"] == "15"
    assert any("epsilon = 15 of a node" in one for one in found.worst.sentences)
