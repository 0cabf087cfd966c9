"""Lines of composed pairs: a bad plan is a wide answer or none, never a wrong one."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from simplexcert.reference.arb.balls import working_precision
from simplexcert.reference.dpsgd.route import Training
from simplexcert.reference.pairs import Line, planned

NATS = 40.0
TRAINING = Training(Fraction(1), Fraction(1, 10), 12)


def test_no_line_where_every_one_is_too_long() -> None:
    assert planned(TRAINING.pairs(removed=True), 1.0, NATS, 2) is None


def test_a_left_point_beyond_the_crossing_bounds_nothing() -> None:
    pairs = TRAINING.pairs(removed=True)
    plan = planned(pairs, 1.0, NATS, 10_000)
    assert plan is not None
    with working_precision(128):
        exchanged = replace(plan, left=plan.right, right=plan.left)
        assert Line(pairs, exchanged).delta(Fraction(1)).is_nan()


def test_other_plans_overlap() -> None:
    pairs = TRAINING.pairs(removed=True)
    plan = planned(pairs, 1.0, NATS, 10_000)
    assert plan is not None
    with working_precision(128):
        found = Line(pairs, plan).delta(Fraction(1))
        for changed in (
            replace(plan, nodes=plan.nodes // 2),
            replace(plan, step=plan.step * 2),
            replace(plan, crossing=plan.crossing * 0.9),
            replace(plan, bits=plan.bits // 2),
        ):
            other = Line(pairs, changed).delta(Fraction(1))
            assert other.overlaps(found)
            assert other.rad() > found.rad()
