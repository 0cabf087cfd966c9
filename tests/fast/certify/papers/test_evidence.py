"""Evidence decides what it can, refutes by attained instances alone, and is never set by hand."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

import pytest
from each import each_of
from flint import arb
from simplexcert.certify.papers.evidence import (
    CUT_OFF,
    NEAREST,
    ROUNDED_UP,
    Finding,
    Formula,
    Identity,
    Instance,
    NotDecidable,
    OverBox,
    Proof,
    Reproduced,
    Sampled,
    Strength,
    exactly,
    how_it_rounds,
    subdivided,
)
from simplexcert.certify.papers.statement import strength_of, verdict_of
from simplexcert.certify.papers.values import At, Exactly, Worked
from simplexcert.certify.verdict import Verdict
from simplexcert.reference.enclosure import Enclosure, Trilean
from simplexcert.reference.errors import SoundnessError

HALF = At("dirichlet.profile.delta", {"alpha": 1, "step": 1, "epsilon": 0})
ABOVE = At("dirichlet.profile.renyi", {"alpha": 2, "step": 1, "order": 2})
WIDE = Enclosure(Enclosure.of(Fraction(1)).low, Enclosure.of(Fraction(2)).high)


def test_an_instance_that_fails_refutes() -> None:
    found = Instance("at most a quarter", HALF, "<=", Exactly("1/4")).find()
    assert (found.verdict, found.strength) == (Verdict.REFUTED, Strength.COUNTEREXAMPLE)
    assert found.decides


def test_an_instance_that_holds_only_supports() -> None:
    found = Instance("at most a half", HALF, "<=", Exactly("1/2")).find()
    assert found.verdict is Verdict.CERTIFIED
    assert not found.decides
    assert verdict_of((found,)) is Verdict.INAPPLICABLE


def test_an_instance_outside_of_the_hypotheses_is_an_error() -> None:
    found = Instance("x", HALF, "<", Exactly("1/4"), {"k > 0": True, "b <= 1": False}).find()
    assert found.verdict is Verdict.ERROR
    assert "b <= 1" in found.says


@each_of(
    "relation, verdict",
    [
        ("<", Verdict.REFUTED),
        ("<=", Verdict.REFUTED),
        ("=", Verdict.REFUTED),
        (">", Verdict.CERTIFIED),
        (">=", Verdict.CERTIFIED),
    ],
)
def test_each_relation_is_decided(relation: str, verdict: Verdict) -> None:
    found = Instance("x", ABOVE, relation, Exactly("1/100")).find()  # type: ignore[arg-type]
    assert found.verdict is verdict


def test_what_enclosures_do_not_separate_is_undecided() -> None:
    wide = Worked("a wide one", lambda: WIDE, lambda: WIDE)
    for relation in ("<", "<=", "=", ">", ">="):
        found = Instance("x", wide, relation, Exactly("1.5")).find()  # type: ignore[arg-type]
        assert found.verdict is Verdict.UNDECIDED


def test_two_ways_that_contradict_are_an_error_of_ours() -> None:
    one, two = Enclosure.of(Fraction(1)), Enclosure.of(Fraction(2))
    with pytest.raises(SoundnessError):
        Worked("one, and two", lambda: one, lambda: two).enclosed()


def test_a_refutation_needs_both_ways() -> None:
    narrow = Enclosure.of(Fraction(9, 8))
    half_known = Worked("known by one way", lambda: narrow, lambda: WIDE)
    found = Instance("x", half_known, "<", Exactly("1.01")).find()
    assert found.verdict is Verdict.UNDECIDED


def test_a_proof_whose_formula_does_not_hold_is_an_error() -> None:
    good = Formula("(1)", lambda: True)
    assert Proof("note.md", "x", (good,)).find().verdict is Verdict.CERTIFIED
    bad = Proof("note.md", "x", (good, Formula("(2)", lambda: False))).find()
    assert bad.verdict is Verdict.ERROR
    assert "(2)" in bad.says
    with pytest.raises(ValueError, match="no formula"):
        Proof("note.md", "x", ()).find()


def test_identities_are_as_exact_arithmetic_says() -> None:
    assert Identity("x", exactly(True)).find().verdict is Verdict.CERTIFIED
    assert Identity("x", exactly(False)).find().verdict is Verdict.REFUTED
    assert Identity("x", lambda: Trilean.UNKNOWN).find().verdict is Verdict.UNDECIDED


def test_samples_decide_nothing() -> None:
    found = Sampled("x", lambda: (1000, 0)).find()
    assert (found.verdict, found.strength) == (Verdict.UNDECIDED, Strength.SAMPLED)
    assert "1000" in found.says


def test_a_box_is_settled_whole() -> None:
    assert subdivided({"x": ("0", "1")}, lambda x: 1 + x - x * x).holds is Trilean.TRUE


def test_a_box_with_a_negative_point_is_refuted_there() -> None:
    found = subdivided({"x": ("0", "1")}, lambda x: arb("0.2") - x)
    assert found.holds is Trilean.FALSE
    assert found.at == "x = 1/2"


def test_a_box_that_touches_zero_is_undecided() -> None:
    found = subdivided({"x": ("0", "1")}, lambda x: x * x * x * x, most=50)
    assert found.holds is Trilean.UNKNOWN
    assert found.boxes == 50


def test_a_ball_that_is_not_finite_settles_nothing() -> None:
    found = subdivided({"x": ("0", "1")}, lambda x: arb("nan") * x, most=10)
    assert found.holds is Trilean.UNKNOWN


def test_beyond_a_box_the_proof_counts() -> None:
    bad = Proof("note.md", "x", (Formula("(1)", lambda: False),))
    box = OverBox("x", {"x": ("0", "1")}, lambda x: 1 + x, beyond=bad)
    assert box.find().verdict is Verdict.ERROR


@each_of(
    "printed, value, how",
    [
        ("2.255", "2.2554", NEAREST),
        ("2.255", "2.2545", NEAREST),
        ("2.255", "2.2559", CUT_OFF),
        ("2.255", "2.2541", ROUNDED_UP),
        ("-2.255", "-2.2559", CUT_OFF),
        ("-2.255", "-2.2541", ROUNDED_UP),
        ("2.255", "2.2561", ""),
        ("2.255", "2.2539", ""),
        ("3", "3.2", NEAREST),
    ],
)
def test_printed_digits_come_out_or_do_not(printed: str, value: str, how: str) -> None:
    assert how_it_rounds(printed, Enclosure.of(Fraction(value))) == how


def test_a_wide_enclosure_does_not_tell_how_digits_come_out() -> None:
    assert how_it_rounds("1.5", WIDE) is None


def test_a_printed_number_is_reproduced_or_not() -> None:
    assert Reproduced("delta", "0.5", HALF).find().verdict is Verdict.CERTIFIED
    assert Reproduced("delta", "0.7", HALF).find().verdict is Verdict.REFUTED


@each_of(
    "printed, value, bound, verdict",
    [
        ("2.25", "2.2571", None, Verdict.REFUTED),
        ("2.25", "2.2571", "upper", Verdict.REFUTED),
        ("2.25", "2.2571", "lower", Verdict.CERTIFIED),
        ("2.27", "2.2622", None, Verdict.REFUTED),
        ("2.27", "2.2622", "upper", Verdict.CERTIFIED),
        ("2.27", "2.2622", "lower", Verdict.REFUTED),
        ("2.26", "2.2599", None, Verdict.CERTIFIED),
        ("2.26", "2.2599", "lower", Verdict.CERTIFIED),
    ],
)
def test_digits_leave_the_nearest_on_the_safe_side_alone(
    printed: str, value: str, bound: Literal["upper", "lower"] | None, verdict: Verdict
) -> None:
    assert Reproduced("x", printed, Exactly(value), bound=bound).find().verdict is verdict


def _finding(
    verdict: Verdict, strength: Strength = Strength.PROOF, *, decides: bool = True
) -> Finding:
    return Finding(strength, verdict, "x", decides=decides)


def test_all_deciding_parts_have_to_be_certified() -> None:
    good, open_part = _finding(Verdict.CERTIFIED), _finding(Verdict.UNDECIDED)
    assert verdict_of((good, good)) is Verdict.CERTIFIED
    assert verdict_of((good, open_part)) is Verdict.UNDECIDED
    assert verdict_of((good, _finding(Verdict.INAPPLICABLE))) is Verdict.UNDECIDED
    assert verdict_of((good, _finding(Verdict.ERROR))) is Verdict.ERROR
    assert verdict_of((good, _finding(Verdict.REFUTED, decides=False))) is Verdict.REFUTED
    assert verdict_of((NotDecidable("no data").find(),)) is Verdict.INAPPLICABLE
    assert verdict_of(()) is Verdict.INAPPLICABLE


def test_a_verdict_is_as_strong_as_the_weakest_that_it_rests_on() -> None:
    parts = (_finding(Verdict.CERTIFIED), _finding(Verdict.CERTIFIED, Strength.NUMBER))
    assert strength_of(parts, Verdict.CERTIFIED) is Strength.NUMBER
    mixed = (*parts, _finding(Verdict.REFUTED, Strength.COUNTEREXAMPLE))
    assert strength_of(mixed, Verdict.REFUTED) is Strength.COUNTEREXAMPLE
