"""Witnesses of what is refuted or not reproduced in song2017 are admissible, by other means."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import permutations, product
from random import Random

import pytest
from flint import arb, fmpq_mat
from simplexcert.certify.papers.derive import recorded
from simplexcert.certify.papers.evidence import Evidence, Finding, Instance
from simplexcert.certify.papers.song2017 import STATEMENTS, mqm_exact
from simplexcert.certify.papers.song2017 import slow_chain as release
from simplexcert.certify.papers.song2017 import slow_chain as slow
from simplexcert.certify.papers.song2017.approx import ByBalls, BySpans, Class, lag_of_lemma_4_9
from simplexcert.certify.papers.song2017.chains import (
    ACTIVITIES,
    LENGTH,
    P_1,
    P_2,
    START_1,
    START_2,
    ByPowers,
    both_ways,
    influence_by_formula,
    influence_by_paths,
    matrix,
    near,
    numbers,
    power,
)
from simplexcert.certify.papers.song2017.wasserstein import (
    _jointly_independent,
    clique_distance,
    clique_distance_by_strassen,
)
from simplexcert.certify.papers.statement import Statement
from simplexcert.certify.verdict import Verdict
from simplexcert.reference.arb.balls import ball
from simplexcert.reference.markov.stationary import stationary_law
from simplexcert.reference.markov.structure import is_irreducible, period
from simplexcert.reference.pufferfish.additive import laws_by_node
from simplexcert.reference.pufferfish.quilt.exact import quilt_scale_exact
from simplexcert.reference.structures import STATIONARY, ChainLaw

Pieces = Callable[[Statement], list[tuple[Evidence, Finding]]]
ENTRIES = {claim.id.removeprefix("song2017."): claim for claim in STATEMENTS}
START, MOVES = numbers(START_1), matrix(P_1)
SLOW = [(3, 4), (4, 5), (release.STATES, release.STEPS)]


REFUTED = {
    "example-2-3-log-91",
    "equation-7",
    "equation-5",
    "lemma-c-1",
    "lemma-c-2",
    "lemma-c-3",
    "lemma-4-8",
    "algorithm-4",
    "remark-mixing-time",
    "theorem-4-10",
    "group-noise",
}


def test_what_is_false_as_printed_is_refuted_and_repaired() -> None:
    """By the recorded verdicts, which the check of the register derives again."""
    known = recorded()
    found = {name for name, claim in ENTRIES.items() if known[claim.id].verdict is Verdict.REFUTED}
    assert found == REFUTED
    repaired = {claim.repairs.removeprefix("song2017.") for claim in STATEMENTS if claim.repairs}
    assert repaired >= REFUTED
    repairs = [known[claim.id].verdict for claim in STATEMENTS if claim.repairs]
    assert set(repairs) == {Verdict.CERTIFIED}


def test_what_holds_for_reversible_chains_is_certified_for_them() -> None:
    """Lemma C.1, announced for such chains, and Algorithm 4 where it meets them."""
    for name in ("lemma-c-1", "algorithm-4"):
        (reversible,) = ENTRIES[name].readings
        assert {piece.find().verdict for piece in reversible.evidence} == {Verdict.CERTIFIED}


def test_each_part_of_the_repaired_appendix_c_4_is_decided() -> None:
    """Supremum, no more than it for each start, not attained, and more than it: four pieces."""
    found = [piece.find() for piece in ENTRIES["appendix-c-4-repaired"].evidence]
    assert [(each.verdict, each.decides) for each in found] == [(Verdict.CERTIFIED, True)] * 4


def test_the_logarithm_of_91_is_a_quotient_of_rounded_masses() -> None:
    ours, theirs = numbers(["0.9", "0.05"]), numbers(["0.01", "0.95"])
    given = [[p / sum(law) for p in law] for law in (ours, theirs)]
    assert max(a / b for a, b in zip(*given, strict=True)) == Fraction(1728, 19)
    rounded = Fraction(round(given[0][0], 4)) / Fraction(round(given[1][0], 4))
    assert round(rounded, 4) == Fraction("91.0962")
    assert Fraction(1728, 19) < Fraction("91.09615")


def test_pairwise_independent_groups_are_not_enough() -> None:
    """The bits are checked one by one, and W = 2 by every matching of the equal halves."""
    joint = {(a, b, a ^ b): Fraction(1, 4) for a, b in product((0, 1), repeat=2)}
    for i, j in ((0, 1), (0, 2), (1, 2)):
        pairs = [(x[i], x[j]) for x in joint]
        assert len(set(pairs)) == 4
    assert not _jointly_independent()
    sums = [sorted(sum(x) for x in joint if x[0] == value) for value in (0, 1)]
    assert sums == [[0, 2], [2, 2]]
    least = min(
        max(abs(a - b) for a, b in zip(sums[0], order, strict=True))
        for order in permutations(sums[1])
    )
    assert least == 2
    loss = ((1 + arb(2).exp()) / 2).log()
    assert loss > arb("1.4337")


def test_equation_5_over_all_states_overstates() -> None:
    by_paths = influence_by_paths(START, MOVES, 8, 4, [1, 6])
    assert by_paths == influence_by_formula(START, MOVES, 4, 3, 2) == Fraction(8, 3)
    assert influence_by_formula(START, MOVES, 4, 3, 2, all_states=True) == Fraction(264, 49)
    assert influence_by_paths(START, MOVES, 4, 2, [1]) == 1
    assert influence_by_formula(START, MOVES, 2, 1, 0, all_states=True) == Fraction(27, 2)


def test_the_running_example_by_definition() -> None:
    """The best quilt of X_8, by paths of 13 steps, and no quilt of X_8 scores less."""
    by_paths = influence_by_paths(START, MOVES, 13, 8, [1, 13])
    assert isinstance(by_paths, Fraction)
    score = 11 / (1 - ball(by_paths).log())
    assert abs(score - arb("12.93405108618")) < arb("1e-11")
    assert near(8, LENGTH, 7, 5) == 11
    scores = ByPowers(START, MOVES, LENGTH, Fraction(1), all_states=False)
    assert scores.least(8)[1] == (7, 5)


@pytest.mark.parametrize(("start", "rows"), [(START_1, P_1), (START_2, P_2)])
def test_both_ways_to_scores_agree(start: list[str], rows: list[list[str]]) -> None:
    ways = both_ways(numbers(start), matrix(rows), 20, Fraction(1), all_states=True)
    for node in range(1, 21):
        (first, quilt), (second, other) = (way.least(node) for way in ways)
        assert first.overlaps(second)
        assert quilt == other


def test_scores_are_those_of_a_search_of_everything() -> None:
    """Cards that are too large to matter are the only ones that the search leaves out."""
    scores = ByPowers(numbers(START_2), matrix(P_2), 12, Fraction(2), all_states=True)
    for node in range(1, 13):
        found = [
            scores.score(node, (a, b)) for a in range(node) for b in range(13 - node) if a or b
        ]
        least = min((one.low for one in found if one), default=None)
        assert least is not None
        assert scores.least(node)[0].low.compared_with(Fraction(6)) <= 0
        assert not least < scores.least(node)[0].low


def test_a_tie_is_not_decided() -> None:
    """In a symmetric stationary chain all inner nodes score the same."""
    half = Fraction(1, 2)
    moves = ((Fraction(9, 10), Fraction(1, 10)), (Fraction(1, 10), Fraction(9, 10)))
    scores = ByPowers((half, half), moves, 60, Fraction(2), all_states=True)
    with pytest.raises(ArithmeticError, match="several nodes"):
        scores.largest()


@pytest.mark.parametrize(("states", "steps"), SLOW)
def test_the_slow_chain_is_admissible(states: int, steps: int) -> None:
    moves, pi = slow.moves_of(states), slow.pi_of(states)
    assert all(slow.hypotheses(states, steps).values())
    assert is_irreducible(moves)
    assert period(moves) == 1
    assert stationary_law(moves) == pi
    every = range(states)
    back = [[pi[y] * moves[y][z] / pi[z] for y in every] for z in every]
    both = [[sum(moves[x][z] * back[z][y] for z in every) for y in every] for x in every]
    entries = [f"{value.numerator}/{value.denominator}" for row in both for value in row]
    found = fmpq_mat(states, states, [_fmpq(entry) for entry in entries]).charpoly()
    one, quarter = _root("1"), _root("1/4")
    expected = quarter
    for _ in range(states - 1):
        expected *= one
    assert found == expected
    assert math.exp(float(slow.PRINTED_GAP) * steps / 2) > states + 1


def _fmpq(text: str):  # type: ignore[no-untyped-def]  # noqa: ANN202
    from flint import fmpq

    top, _, bottom = text.partition("/")
    return fmpq(int(top), int(bottom or 1))


def _root(text: str):  # type: ignore[no-untyped-def]  # noqa: ANN202
    from flint import fmpq_poly

    return fmpq_poly([-_fmpq(text), 1])


def test_a_threshold_that_is_not_passed_is_no_hypothesis() -> None:
    """At n = 3 the threshold is 3.69...: t = 3 is not past it, so it would be no witness."""
    assert not slow.hypotheses(3, 3)["t >= 2 log(1/pi_min)/g"]
    assert not slow.hypotheses(4, 4)["t >= 2 log(1/pi_min)/g"]


def test_powers_of_the_slow_chains_by_hand() -> None:
    assert min(map(min, power(slow.moves_of(4), 5))) == 0
    assert all(map(any, zip(*power(slow.moves_of(4), 5), strict=True)))
    pi = slow.pi_of(3)
    fourth = [p / q for row in power(slow.moves_of(3), 4) for p, q in zip(row, pi, strict=True)]
    assert 2 in fourth


def test_the_count_that_loses_too_much() -> None:
    """Its laws by the engine for chains, and its density ratio at one outcome written out."""
    marks = release.marks()
    assert {value for row in marks for value in row} == {0, 1}
    values = tuple(tuple(map(Fraction, row)) for row in marks)
    chain = ChainLaw(STATIONARY, slow.moves_of(release.STATES))
    everywhere = laws_by_node((chain,), release.STEPS, values)
    laws = next(laws for _, at, laws in everywhere if at == release.NODE)
    for state, ours in zip((release.HIGH, release.LOW), release.laws_of_the_count(), strict=True):
        law = laws[state]
        assert {Fraction(x): Fraction(w, law.total) for x, w in zip(*law[:2], strict=True)} == ours
    assert release.laws_of_the_count() == release.laws_by_one_pass()
    scale = Fraction(release.SCALE)
    losses = []
    for at in range(release.STEPS + 1):
        one, other = (
            sum((ball(m) * (-ball(abs(at - x) / scale)).exp() for x, m in law.items()), arb(0))
            for law in release.laws_of_the_count()
        )
        losses.append((one / other).log())
    assert any(loss > arb("1.2657") for loss in losses)


def test_the_middle_node_does_not_always_decide() -> None:
    """T = 4 a* + 3: the neighbour of the middle node needs more, in both arithmetics."""
    known = Class(Fraction(1, 2), Fraction(1, 20), 203, Fraction(8))
    assert 4 * lag_of_lemma_4_9(known) + 3 == known.length
    for way in (ByBalls(known), BySpans(known)):
        middle, quilt = way.least(102)
        assert quilt == (0, 49)
        assert way.least(103)[0].low > middle.high


def test_the_lag_of_the_running_example() -> None:
    known = Class(Fraction(1, 5), Fraction(3, 4), LENGTH, Fraction(1))
    assert 8 * lag_of_lemma_4_9(known) == 96 <= LENGTH


def test_every_start_of_the_short_chain_is_covered() -> None:
    """What the box shows for all starts holds for those that are searched by the engine."""
    random = Random(31)  # noqa: S311
    rows = matrix(mqm_exact.MOVES)
    for q in (Fraction(0), Fraction(1), *(Fraction(random.randint(1, 99), 100) for _ in range(6))):
        chain = ChainLaw((q, 1 - q), rows)
        length, epsilon = mqm_exact._SHORT, Fraction(mqm_exact.EPSILON)
        scale = quilt_scale_exact((chain,), length, epsilon, length)
        assert scale < ball(mqm_exact.ENOUGH)
        assert not scale > ball(mqm_exact.ENOUGH) - mqm_exact.room_below_enough(ball(q))


def test_a_histogram_of_two_bins_loses_twice() -> None:
    """At every outcome of a grid, scale 1: the largest log-ratio is 2, at (1, 0)."""
    grid = [Fraction(k, 4) for k in range(-4, 9)]
    ratios = {
        w: sum(abs(a - b) for a, b in zip(w, (0, 1), strict=True))
        - sum(abs(a - b) for a, b in zip(w, (1, 0), strict=True))
        for w in product(grid, repeat=2)
    }
    assert max(ratios.values()) == ratios[Fraction(1), Fraction(0)] == Fraction(2)


def test_clique_distances_by_two_arithmetics() -> None:
    known = {1: 1, 2: 2, 4: 2, 5: 3, 10: 3, 15: 4, 30: 4, 50: 5}
    for people, distance in known.items():
        assert clique_distance(people) == clique_distance_by_strassen(people) == distance


def test_the_chains_of_the_activities_are_chains() -> None:
    for start, rows in ACTIVITIES:
        assert sum(numbers(start)) == 1
        assert all(sum(row) == 1 for row in matrix(rows))


def test_instances_that_decide_hold_or_refute_by_both_engines(pieces: Pieces) -> None:
    """No instance of the register is left undecided, whether it decides or supports."""
    for statement in STATEMENTS:
        for piece, finding in pieces(statement):
            if isinstance(piece, Instance):
                assert finding.verdict is not Verdict.UNDECIDED, (statement.id, piece.says)
