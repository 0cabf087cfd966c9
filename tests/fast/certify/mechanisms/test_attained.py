"""What an audit says to be attained is: by two inputs that the mechanism admits."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

from each import each_of
from private_data import DATA, DRAWN, given
from simplexcert.certify.mechanisms.plan import SimplexPlan
from simplexcert.certify.releasing.claim_file import asked_in
from simplexcert.reference import evaluate

# Divergences of rows that are drawn independently add up; at this order all of them are finite.
ORDER = 2


def at_the_order(file: Path) -> None:
    """Make the claim one at an order, where its mechanism takes one."""
    text = file.read_text(encoding="utf-8")
    changed = re.sub(r"^(delta|order) = .*", f"order = {ORDER}", text, flags=re.MULTILINE)
    file.write_text(changed, encoding="utf-8")


@each_of("name", DRAWN)
def test_inputs_that_attain_a_loss_are_admitted_and_lose_it(name: str, tmp_path: Path) -> None:
    files, whole = given(tmp_path, name), DATA[name].whole
    at_the_order(files.claim)
    asked = asked_in(files.claim)
    worst = asked.claim.mechanism.worst(asked.claim)
    if not worst.attained or worst.inputs is None:
        assert whole is None
        return
    assert whole, "tests/support/private_data.py says what data these inputs are"

    laws = []
    for moved in (worst.inputs.first, worst.inputs.second):
        files.data.write_text(whole(moved), encoding="utf-8")
        plan = asked.claim.mechanism.plan(asked.claim, asked.said, files.data)
        assert isinstance(plan, SimplexPlan)
        laws.append([row.alpha for row in plan.rows])
    lost = [
        evaluate("dirichlet.renyi.divergence", {"u": u, "v": v, "order": ORDER}).enclosure
        for u, v in zip(*laws, strict=True)
        if u != v
    ]
    (term,) = worst.asked[0].terms
    stated = evaluate(term.quantity, term.point).enclosure
    assert sum(Fraction(each.lower) for each in lost) <= term.times * Fraction(stated.upper)
    assert term.times * Fraction(stated.lower) <= sum(Fraction(each.upper) for each in lost)
