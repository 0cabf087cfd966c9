"""Pufferfish claims with a delta, an order or normal noise: a known query's exact loss decides."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest
from each import each_of
from instances import instances
from simplexcert.certify import Verdict, audit
from simplexcert.certify.audits.repair import repairs_of
from simplexcert.reference import evaluate
from simplexcert.reference.errors import DomainError, InputError
from simplexcert.reference.exact import exact_text

NEAR = Fraction(1, 10**12)
LAWS = {
    "pufferfish.wasserstein": (
        "least_epsilon",
        {
            "values": [0, 1, 1, 2],
            "laws": [["1/2", 0, 0, "1/2"], ["1/4", "1/4", "1/4", "1/4"]],
            "secrets": [[1, 2], [3, 4]],
            "pairs": [[1, 2]],
        },
    ),
    "pufferfish.chain": (
        "chain_least_epsilon",
        {
            "chains": [{"initial": ["1/2", "1/2"], "P": [["4/5", "1/5"], ["2/5", "3/5"]]}],
            "length": 4,
            "values": [[0, 1]],
        },
    ),
    "pufferfish.network": (
        "network_least_epsilon",
        {
            "networks": [
                [
                    {"parents": [], "table": [["1/2", "1/2"]]},
                    {"parents": [1], "table": [["4/5", "1/5"], ["3/10", "7/10"]]},
                ]
            ],
            "values": [[0, 1]],
        },
    ),
}


def decided(mechanism: str, claim: dict[str, Any], **changed: Any) -> Any:
    release = {**LAWS[mechanism][1], "mechanism": mechanism, "scale": 2, **changed}
    return audit({"release": release, "claim": claim})


@each_of("mechanism, noise", [(name, noise) for name in LAWS for noise in ("laplace", "gaussian")])
def test_a_claim_is_decided_by_the_exact_loss_on_either_side_of_it(
    mechanism: str, noise: str
) -> None:
    random = Random(f"{mechanism} {noise}")  # noqa: S311
    name, laws = LAWS[mechanism]
    for _ in range(instances(1, 60)):
        scale = Fraction(random.randint(5, 40), 10)
        delta = Fraction(random.choice((1, 20, 300)), 10_000)
        least = evaluate(
            f"pufferfish.{name}", {**laws, "noise": noise, "scale": scale}, delta=delta
        )
        at: dict[str, Any] = {"scale": scale, "noise": noise}
        above = decided(mechanism, {"epsilon": least.upper + NEAR, "delta": delta}, **at)
        assert above.verdict is Verdict.CERTIFIED
        if least.lower <= NEAR:
            continue
        below = decided(mechanism, {"epsilon": least.lower - NEAR, "delta": delta}, **at)
        assert below.verdict is Verdict.REFUTED
        assert Fraction(below.witness["delta_at_epsilon"]["lower"]) > delta


@each_of("mechanism, noise", [(name, noise) for name in LAWS for noise in ("laplace", "gaussian")])
def test_a_claim_at_an_order_turns_at_the_exact_divergence(mechanism: str, noise: str) -> None:
    name, laws = LAWS[mechanism]
    at: dict[str, Any] = {"scale": Fraction(9, 4), "noise": noise}
    exact = evaluate(f"pufferfish.{name[: -len('epsilon')]}renyi", {**laws, **at}, order=3)
    above = decided(mechanism, {"epsilon": exact.upper + NEAR, "order": 3}, **at)
    assert above.verdict is Verdict.CERTIFIED
    assert next(iter(above.exact)) == "epsilon_at_order"
    below = decided(mechanism, {"epsilon": exact.lower - NEAR, "order": 3}, **at)
    assert below.verdict is Verdict.REFUTED
    assert Fraction(below.witness["epsilon_at_order"]["lower"]) > exact.lower - NEAR


@each_of("noise", ["laplace", "gaussian"])
def test_the_least_scale_keeps_a_claim_at_an_order_and_the_next_one_does_not(noise: str) -> None:
    claim = {"epsilon": "1/2", "order": 4}
    found = decided("pufferfish.chain", claim, noise=noise, scale="least")
    assert found.verdict is Verdict.CERTIFIED
    chosen = found.claim.parameters.scale
    less = decided("pufferfish.chain", claim, noise=noise, scale=chosen - Fraction(1, 10**11))
    assert less.verdict is Verdict.REFUTED


def test_pure_privacy_by_quilts_is_enough_for_a_claim_at_an_order() -> None:
    """Of a query that is not known, below what it keeps purely nothing is shown but by a query."""
    laws = {key: value for key, value in LAWS["pufferfish.chain"][1].items() if key != "values"}
    table = {"mechanism": "pufferfish.chain", "scale": 40, **laws}
    found = audit({"release": table, "claim": {"epsilon": 1, "order": 2}})
    assert found.verdict is Verdict.CERTIFIED
    assert not found.attained
    less = audit({"release": {**table, "scale": 1}, "claim": {"epsilon": "1/10", "order": 2}})
    assert less.verdict is Verdict.UNDECIDED


def test_every_query_is_refuted_at_an_order_by_one() -> None:
    laws = {key: value for key, value in LAWS["pufferfish.chain"][1].items() if key != "values"}
    table = {"mechanism": "pufferfish.chain", "scale": 1, "query": "any", **laws}
    found = audit({"release": table, "claim": {"epsilon": "1/10", "order": 2}})
    assert found.verdict is Verdict.REFUTED
    assert Fraction(found.witness["epsilon_at_order"]["lower"]) > Fraction(1, 10)


def test_laplace_noise_is_meant_where_none_is_named() -> None:
    claim = {"epsilon": "1/2", "delta": "1/100"}
    named = decided("pufferfish.chain", claim, noise="laplace")
    assert named.claim == decided("pufferfish.chain", claim).claim
    assert "noise" not in named.claim.parameters.given


@each_of("mechanism", LAWS)
def test_the_least_scale_keeps_a_claim_with_normal_noise_and_the_next_one_does_not(
    mechanism: str,
) -> None:
    claim = {"epsilon": "1/2", "delta": "1/100"}
    found = decided(mechanism, claim, noise="gaussian", scale="least")
    assert found.verdict is Verdict.CERTIFIED
    chosen = found.claim.parameters.scale
    less = decided(mechanism, claim, noise="gaussian", scale=chosen - Fraction(1, 10**11))
    assert less.verdict is Verdict.REFUTED
    repaired = {repair.parameter: (repair.value, repair.word) for repair in repairs_of(less)}
    assert repaired["scale"][1] == "least"
    assert Fraction(str(repaired["scale"][0])) == chosen


@each_of("mechanism", LAWS)
def test_no_mechanism_of_the_paper_has_a_scale_for_normal_noise(mechanism: str) -> None:
    with pytest.raises(DomainError, match='scale = "least"'):
        decided(mechanism, {"epsilon": 1, "delta": "1/100"}, noise="gaussian", scale="tight")


def test_pure_privacy_by_quilts_is_enough_for_a_claim_with_a_delta() -> None:
    """Of a query that is not known; below it nothing is shown."""
    release = {"values": None, "query": "any"}
    laws = {**LAWS["pufferfish.chain"][1], **release}
    del laws["values"]
    table = {"mechanism": "pufferfish.chain", "scale": 40, **laws}
    found = audit({"release": table, "claim": {"epsilon": 1, "delta": "1/100"}})
    assert found.verdict is Verdict.CERTIFIED
    assert not found.attained


UNKNOWN = {key: value for key, value in LAWS["pufferfish.chain"][1].items() if key != "values"}


def unknown(claim: dict[str, Any], **changed: Any) -> Any:
    """Audit normal noise on a query of the chain that is not known."""
    table = {"mechanism": "pufferfish.chain", "noise": "gaussian", **UNKNOWN, **changed}
    return audit({"release": table, "claim": claim})


@each_of(
    "claim, quantity",
    [
        ({"epsilon": 1, "delta": "1/1000"}, "gaussian_quilt_scale"),
        ({"epsilon": 1, "order": 3}, "gaussian_quilt_scale_renyi"),
    ],
)
def test_normal_noise_on_any_query_of_a_chain_is_enough_by_quilts_or_undecided(
    claim: dict[str, Any], quantity: str
) -> None:
    own = {**UNKNOWN, "width": 4}
    needed = evaluate(f"pufferfish.{quantity}", own, **claim)
    enough = unknown(claim, scale=2 * needed.upper + NEAR, lipschitz=2)
    assert enough.verdict is Verdict.CERTIFIED
    assert not enough.attained
    tight = unknown(claim, scale="tight", lipschitz=2).claim.parameters.scale
    assert 2 * needed.lower <= tight <= 2 * needed.upper * (1 + NEAR * 10)
    less = unknown(claim, scale=2 * needed.lower - NEAR, lipschitz=2)
    assert less.verdict is Verdict.UNDECIDED
    would_do = [repair.parameter for repair in repairs_of(less)]
    assert would_do == (["epsilon", "scale"] if "order" in claim else ["scale"])


@each_of("claim", [{"epsilon": "1/10", "delta": "1/1000"}, {"epsilon": "1/10", "order": 3}])
def test_normal_noise_that_is_claimed_for_every_query_is_refuted_by_one(
    claim: dict[str, Any],
) -> None:
    found = unknown(claim, scale=1, query="any")
    assert found.verdict is Verdict.REFUTED
    assert found.witness


@each_of(
    "changed, claim, said",
    [
        ({"scale": 9}, {"epsilon": 1}, "which need epsilon > 0"),
        ({"scale": 9}, {"epsilon": 0, "delta": "1/2"}, "which need epsilon > 0"),
    ],
)
def test_normal_noise_that_quilts_say_nothing_of_is_refused(
    changed: dict[str, Any], claim: dict[str, Any], said: str
) -> None:
    with pytest.raises(DomainError, match=said):
        unknown(claim, **changed)


@each_of("claim", [{"epsilon": 1, "delta": "1/100"}, {"epsilon": 1, "order": 3}])
def test_normal_noise_on_any_query_of_a_network_is_enough_by_quilts_or_undecided(
    claim: dict[str, Any],
) -> None:
    laws = {key: value for key, value in LAWS["pufferfish.network"][1].items() if key != "values"}
    table = {"mechanism": "pufferfish.network", "noise": "gaussian", **laws}
    tight = audit({"release": {**table, "scale": "tight"}, "claim": claim})
    assert tight.verdict is Verdict.CERTIFIED
    scale = Fraction(str(tight.claim.parameters.given["scale"]))
    less = {**table, "scale": exact_text(scale * Fraction("0.999"))}
    assert audit({"release": less, "claim": claim}).verdict is Verdict.UNDECIDED
    known = {**table, **LAWS["pufferfish.network"][1], "scale": exact_text(scale)}
    assert audit({"release": known, "claim": claim}).verdict is Verdict.CERTIFIED


def test_normal_noise_hides_nothing_purely() -> None:
    found = decided("pufferfish.chain", {"epsilon": 3, "delta": 0}, noise="gaussian")
    assert found.verdict is Verdict.REFUTED


@each_of(
    "claim, error, said",
    [
        ({"epsilon": 0}, DomainError, "epsilon = 0"),
        ({"epsilon": 1, "delta": 2}, DomainError, "a delta is from 0 to 1"),
        ({"epsilon": 1, "order": 1}, DomainError, "an order above 1"),
        ({"epsilon": 1, "order": 2, "delta": 0}, InputError, "at most one of delta"),
        ({"epsilon": 0, "order": 2}, DomainError, "needs epsilon > 0"),
        ({"delta": "1/2"}, InputError, "needs epsilon"),
    ],
)
def test_what_is_no_claim_is_refused(claim: dict[str, Any], error: type, said: str) -> None:
    with pytest.raises(error, match=said):
        decided("pufferfish.chain", claim)


@each_of(
    "noise, said",
    [
        ("laplace", {"delta": "1/100"}),
        ("laplace", {"order": 2}),
        ("gaussian", {"delta": "1/100"}),
    ],
)
def test_several_releases_with_a_delta_are_not_bounded_together(
    noise: str, said: dict[str, Any]
) -> None:
    """Nor are those with Laplace noise at an order."""
    claim = decided("pufferfish.chain", {"epsilon": 1, **said}, noise=noise).claim
    assert "at an order, alone" in str(claim.mechanism.adjacency(claim, {}))


@pytest.mark.parametrize(
    ("said", "quantity"), [({"order": 8}, "gaussian_quilt_renyi"), ({"delta": "1e-5"}, "_scale")]
)
def test_several_releases_with_normal_noise_count_the_influence_once(
    said: dict[str, Any], quantity: str
) -> None:
    """Two of scale 2^(1/2) s lose what one of s loses; and a little less noise is not enough."""
    chain = {"initial": "stationary", "P": [["0.7", "0.3"], ["0.4", "0.6"]]}
    release = {"mechanism": "pufferfish.chain", "chains": [chain], "length": 30}
    release["noise"] = "gaussian"
    claim = {"epsilon": 1, **said}
    one = audit({"release": {**release, "scale": "tight"}, "claim": claim})
    scale = Fraction(str(one.claim.parameters.given["scale"]))
    for times, verdict in (("1.41422", Verdict.CERTIFIED), ("1.4142", Verdict.UNDECIDED)):
        both = [exact_text(scale * Fraction(times))] * 2
        found = audit({"release": {**release, "scales": both}, "claim": claim})
        assert found.verdict is verdict
        assert quantity in found.worst.asked[0].terms[0].quantity
