"""Claims about all chains within bounds: what is certified holds for every member."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from random import Random

import pytest
from ball_checks import as_ball, seeded
from instances import instances
from simplexcert.certify import Verdict, audit
from simplexcert.certify.audits.decision import Audit
from simplexcert.reference.arb.balls import ball
from simplexcert.reference.errors import InputError
from simplexcert.reference.exact import exact_text
from simplexcert.reference.pufferfish.additive import chain_loss
from simplexcert.reference.structures import ChainLaw, Matrix

NAME = "pufferfish.interval_chain"
Rows = list[list[Fraction]]


def some_bounds(rng: Random, states: int) -> tuple[Rows, Rows]:
    low, high = [], []
    for _ in range(states):
        counts = [rng.randint(1, 6) for _ in range(states)]
        row = [Fraction(one, sum(counts)) for one in counts]
        low.append([p * Fraction(rng.randint(4, 10), 10) for p in row])
        high.append([min(p * Fraction(rng.randint(10, 20), 10), Fraction(1)) for p in row])
    return low, high


def some_member(rng: Random, low: Rows, high: Rows) -> Matrix:
    """Return a chain within the bounds, mostly at their ends, with rows that were filled up."""
    rows = []
    for least, most in zip(low, high, strict=True):
        row = list(least)
        for at in rng.sample(range(len(row)), len(row)):
            room = min(most[at] - least[at], 1 - sum(row))
            row[at] += room * rng.choice((Fraction(1), Fraction(1), Fraction(1, 2)))
        for at in range(len(row)):
            row[at] += min(most[at] - row[at], 1 - sum(row))
        rows.append(tuple(row))
    return tuple(rows)


def text(rows: object) -> object:
    """Return nested numbers as a claim file has them."""
    if isinstance(rows, list | tuple):
        return [text(row) for row in rows]
    return exact_text(rows) if isinstance(rows, Fraction) else rows


def claimed(low: object, high: object, length: int, **more: object) -> Audit:
    release = {"mechanism": NAME, "low": text(low), "high": text(high), "length": length}
    return audit({"release": {**release, **more}, "claim": {"epsilon": "1"}})


def loss_of(member: Matrix, start: tuple[Fraction, ...], values: Matrix, scale: Fraction) -> object:
    return as_ball(chain_loss((ChainLaw(start, member),), 4, values, scale))


def test_a_certified_scale_is_enough_for_every_member_that_is_drawn() -> None:
    rng = seeded("members")
    for at in range(instances(8, 60)):
        states = 2 + at % 2
        low, high = some_bounds(rng, states)
        found = claimed(low, high, 4, scale="tight")
        assert found.verdict is Verdict.CERTIFIED
        scale = found.claim.parameters.given["scale"]
        assert isinstance(scale, Fraction)
        for _ in range(4):
            counts = [rng.randint(1, 9) for _ in range(states)]
            start = tuple(Fraction(one, sum(counts)) for one in counts)
            values = tuple(tuple(Fraction(rng.randint(0, 1)) for _ in counts) for _ in range(4))
            assert not loss_of(some_member(rng, low, high), start, values, scale) > ball(
                Fraction(1)
            )


def test_what_refutes_is_a_member_that_loses_more() -> None:
    """And of claims that are false for the whole class many are refuted."""
    rng, seen = seeded("refuted"), Counter[Verdict]()
    for at in range(instances(8, 60)):
        states = 2 + at % 2
        low, high = some_bounds(rng, states)
        scale = Fraction(rng.randint(5, 40), 10)
        values = [[0] * (states - 1) + [1]]
        found = claimed(low, high, 4, scale=exact_text(scale), values=values)
        seen[found.verdict] += 1
        if found.refuted_by is None:
            assert found.verdict is not Verdict.REFUTED
            continue
        facts = found.refuted_by.inputs.facts
        member = tuple(tuple(map(Fraction, row)) for row in facts["P"])
        for row, least, most in zip(member, low, high, strict=True):
            assert sum(row) == 1
            assert all(a <= p <= b for a, p, b in zip(least, row, most, strict=True))
        start = tuple(map(Fraction, facts["initial"]))
        query = tuple(tuple(map(Fraction, row)) for row in values)
        assert loss_of(member, start, query, scale) > 1
    assert seen[Verdict.REFUTED] > 1


def test_a_class_of_one_chain_is_decided_as_that_chain_with_any_start() -> None:
    P = [["0.9", "0.1"], ["0.4", "0.6"]]  # noqa: N806
    release = {"length": 30, "scale": "tight"}
    listed = {"mechanism": "pufferfish.chain", "chains": [{"initial": "any", "P": P}], **release}
    one = audit({"release": listed, "claim": {"epsilon": "1"}})
    within = claimed(P, P, 30, scale="tight")
    assert within.claim.parameters.given["scale"] == one.claim.parameters.given["scale"]


def test_no_corner_that_is_left_out_needs_more() -> None:
    """Each of the four corners alone asks for at most what the class asks for; one for as much."""
    low, high = [["0.5", "0.1"], ["0.2", "0.3"]], [["0.9", "0.5"], ["0.7", "0.8"]]
    whole = claimed(low, high, 20, scale="tight").claim.parameters.given["scale"]
    found = []
    for stay in ("0.5", "0.9"):
        for other in ("0.3", "0.8"):
            rows = [[stay, 1 - Fraction(stay)], [1 - Fraction(other), other]]
            found.append(claimed(rows, rows, 20, scale="tight").claim.parameters.given["scale"])
    assert max(found) == whole


BOUNDS = {"low": '[["0.6", "0.2"], ["0.3", "0.5"]]', "high": '[["0.8", "0.4"], ["0.5", "0.7"]]'}
COUNTS = {"transitions": "[[720, 280], [310, 690]]", "confidence": '"0.99"'}
REST = {"length": "20", "epsilon": "1"}
AuditKeys = Callable[[str, dict[str, str | None]], Audit]


def test_counts_give_a_class_and_two_more_assumptions(audit_keys: AuditKeys) -> None:
    found = audit_keys(NAME, {**COUNTS, **REST, "scale": '"tight"'})
    assert found.verdict is Verdict.CERTIFIED
    assert any("confidence 0.99" in said for said in found.assumptions)
    assert any("independent of the data" in said for said in found.assumptions)
    surer = audit_keys(NAME, {**COUNTS, **REST, "scale": '"tight"', "confidence": '"0.99999"'})
    scales = [one.claim.parameters.given["scale"] for one in (found, surer)]
    assert scales[0] < scales[1]


def test_a_move_that_may_be_impossible_leaves_noise_for_all_nodes(audit_keys: AuditKeys) -> None:
    keys = {**COUNTS, **REST, "transitions": "[[10, 0], [3, 7]]", "scale": '"20"'}
    found = audit_keys(NAME, keys)
    assert found.verdict is Verdict.CERTIFIED
    assert "pufferfish.group_scale" in found.worst.asked[0].quantities


def test_normal_noise_is_of_two_states(audit_keys: AuditKeys) -> None:
    normal = {"length": "3", "noise": '"gaussian"', "scale": '"tight"', "delta": '"1e-5"'}
    assert audit_keys(NAME, {**BOUNDS, **REST, **normal}).verdict is Verdict.CERTIFIED
    third = "[[0.2, 0.2, 0.2], [0.2, 0.2, 0.2], [0.2, 0.2, 0.2]]"
    three = {"low": third.replace("0.2", '"0.2"'), "high": third.replace("0.2", '"0.6"')}
    with pytest.raises(InputError, match="bounds on two states"):
        audit_keys(NAME, {**three, **REST, **normal})


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"high": None}, "needs low and high together"),
        ({"confidence": '"0.9"'}, "low and high|transitions and confidence"),
        (COUNTS, "exactly one of low and transitions"),
        ({"high": '[["0.8", "0.4"]]'}, "high has 1 rows"),
        ({"low": '[["0.9", "0.2"], ["0.3", "0.5"]]'}, "row 1 of low has an entry above"),
        ({"low": '[["0.8", "0.4"], ["0.3", "0.5"]]'}, "row 1 holds no law"),
        ({"high": '[["0.8", "0.4"], ["0.3", "0.5"]]'}, "row 2 holds no law"),
        ({"scale": '"least"'}, "needs the exact loss"),
        ({"values": "[[0, 1, 2]]"}, "3 entries a row, but there are 2 states"),
        ({"low": '[["-1", "0.2"], ["0.3", "0.5"]]'}, "low, row 1"),
    ],
)
def test_what_is_no_class_is_refused(
    changed: dict[str, str | None], said: str, audit_keys: AuditKeys
) -> None:
    with pytest.raises(InputError, match=said):
        audit_keys(NAME, {**BOUNDS, **REST, "scale": '"20"', **changed})


def test_counts_are_refused_without_confidence_or_a_row(audit_keys: AuditKeys) -> None:
    for changed, said in (
        ({"confidence": None}, "transitions and confidence together"),
        ({"confidence": '"1"'}, "confidence"),
        ({"transitions": "[[0, 0], [1, 2]]"}, "row 1, without data"),
    ):
        with pytest.raises(InputError, match=said):
            audit_keys(NAME, {**COUNTS, **REST, "scale": '"20"', **changed})
