"""Claims about all chains that mix fast enough: what is certified holds for every member."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest
from ball_checks import as_ball, seeded
from instances import instances
from simplexcert.certify import Verdict
from simplexcert.certify.audits.decision import Audit
from simplexcert.reference.arb.balls import middle
from simplexcert.reference.errors import InputError
from simplexcert.reference.exact import exact_text
from simplexcert.reference.markov.stationary import stationary_law
from simplexcert.reference.pufferfish.additive import chain_loss
from simplexcert.reference.pufferfish.gap import eigengap, eigengap_reversible, is_reversible
from simplexcert.reference.structures import ChainLaw

NAME = "pufferfish.mixing_chain"
KEYS = {"pi_min": '"0.3"', "gap": "1", "state_count": "2", "length": "20", "epsilon": "1"}
AuditKeys = Callable[[str, dict[str, str | None]], Audit]


def test_a_certified_scale_is_enough_for_chains_of_the_class(audit_keys: AuditKeys) -> None:
    """Chains that are drawn give the class its numbers."""
    rng = seeded("mixing")
    for _ in range(instances(6, 60)):
        states = rng.randint(2, 3)
        rows = [[rng.randint(1, 6) for _ in range(states)] for _ in range(states)]
        P = tuple(tuple(Fraction(one, sum(row)) for one in row) for row in rows)  # noqa: N806
        gap = Fraction(int(middle(as_ball(eigengap(P))) * 10**6) - 1, 10**6)
        keys = {"pi_min": f'"{min(stationary_law(P))}"', "gap": f'"{gap}"', "length": "4"}
        keys |= {"state_count": str(states), "scale": '"tight"', "epsilon": '"3"'}
        found = audit_keys(NAME, {**KEYS, **keys})
        assert found.verdict is Verdict.CERTIFIED
        scale = found.claim.parameters.given["scale"]
        assert isinstance(scale, Fraction)
        counts = [rng.randint(1, 9) for _ in range(states)]
        start = tuple(Fraction(one, sum(counts)) for one in counts)
        values = tuple(tuple(Fraction(rng.randint(0, 1)) for _ in counts) for _ in range(4))
        assert not as_ball(chain_loss((ChainLaw(start, P),), 4, values, scale)) > 3


def test_what_refutes_is_a_member_that_loses_more(audit_keys: AuditKeys) -> None:
    for pi_min, gap, states in (("0.3", "1", 2), ("0.1", "0.5", 3), ("0.5", "1.6", 2)):
        values = [[0] * (states - 1) + [1]]
        keys = {"pi_min": f'"{pi_min}"', "gap": f'"{gap}"', "state_count": str(states)}
        keys |= {"length": "5", "scale": '"0.9"', "values": str(values)}
        found = audit_keys(NAME, {**KEYS, **keys})
        assert found.verdict is Verdict.REFUTED
        assert found.refuted_by is not None
        facts = found.refuted_by.inputs.facts
        P = tuple(tuple(map(Fraction, row)) for row in facts["P"])  # type: ignore[arg-type, union-attr] # noqa: N806
        assert min(stationary_law(P)) >= Fraction(pi_min)
        assert is_reversible(P)
        assert not as_ball(eigengap_reversible(P)) < as_ball(Fraction(gap))
        start = tuple(map(Fraction, facts["initial"]))  # type: ignore[arg-type]
        query = tuple(tuple(map(Fraction, row)) for row in values)
        assert as_ball(chain_loss((ChainLaw(start, P),), 5, query, Fraction("0.9"))) > 1


def test_longer_pieces_and_several_releases(audit_keys: AuditKeys) -> None:
    """Rates of noise add up; the longest piece decides."""
    keys = {**KEYS, "gap": '"1.9"', "length": None, "lengths": "[100, 3]"}
    one = audit_keys(NAME, {**keys, "scale": '"tight"'})
    scale = one.claim.parameters.given["scale"]
    assert isinstance(scale, Fraction)
    assert scale < 100
    twice = f'["{exact_text(2 * scale)}", "{exact_text(2 * scale)}"]'
    assert audit_keys(NAME, {**keys, "scales": twice}).verdict is Verdict.CERTIFIED
    less = f'["{exact_text(2 * scale)}", "{exact_text(scale)}"]'
    assert audit_keys(NAME, {**keys, "scales": less}).verdict is Verdict.UNDECIDED


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"gap": None}, "lacks gap"),
        ({"gap": "0"}, "gap"),
        ({"gap": "3"}, "gap"),
        ({"state_count": "1"}, "state_count"),
        ({"state_count": "4"}, "one has at most their equal share"),
        ({"scale": '"least"'}, "needs the exact loss"),
        ({"values": "[[0, 1, 2]]"}, "3 entries a row, but there are 2 states"),
        ({"noise": '"gaussian"', "delta": '"1e-5"'}, "not audited for a class"),
    ],
)
def test_what_is_no_class_is_refused(
    changed: dict[str, str | None], said: str, audit_keys: AuditKeys
) -> None:
    with pytest.raises(InputError, match=said):
        audit_keys(NAME, {**KEYS, "scale": '"20"', **changed})
