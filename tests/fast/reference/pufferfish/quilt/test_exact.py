"""The Markov quilt mechanism's scales: the paper's numbers, every node and quilt, the guards.

The scale of a class of two-state chains, by its corner.
"""

from __future__ import annotations

import time
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING

import numpy as np
import pytest
from each import each_of
from instances import instances
from simplexcert.reference import evaluate
from simplexcert.reference.arb.balls import ball, enclosure_of, working_precision
from simplexcert.reference.enclosure import Enclosure
from simplexcert.reference.errors import DomainError
from simplexcert.reference.markov.structure import has_one_stationary_law
from simplexcert.reference.pufferfish.quilt import node, score
from simplexcert.reference.pufferfish.quilt.exact import (
    WorstNode,
    quilt_epsilon,
    quilt_scale_exact,
    worst_node_for_scale,
)
from simplexcert.reference.pufferfish.quilt.influence import Chain
from simplexcert.reference.pufferfish.quilt.node import Nodes, Quilt
from simplexcert.reference.pufferfish.quilt.score import (
    NodeValues,
    RatioBounds,
    ScaleFor,
    Tables,
    backward_table,
    forward_table,
)
from simplexcert.reference.second import opinion_on
from simplexcert.reference.structures import ANY, STATIONARY, ChainLaw, Matrix

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flint import arb
from collections.abc import Iterator

from simplexcert.reference.pufferfish.quilt.exact import quilt_scale_two_state, worst_corner

ONE, ZERO, HALF = Fraction(1), Fraction(0), Fraction(1, 2)
P1: Matrix = ((Fraction(9, 10), Fraction(1, 10)), (Fraction(4, 10), Fraction(6, 10)))
P2: Matrix = ((Fraction(8, 10), Fraction(2, 10)), (Fraction(3, 10), Fraction(7, 10)))
THETA_1, THETA_2 = ChainLaw((ONE, ZERO), P1), ChainLaw((Fraction(9, 10), Fraction(1, 10)), P2)
SWAP = ((ZERO, ONE), (ONE, ZERO))
BITS = 128


@pytest.fixture(autouse=True)
def precision() -> Iterator[None]:
    with working_precision(BITS):
        yield


def is_narrow(found: arb) -> bool:
    return bool(found.is_finite()) and found.rel_accuracy_bits() > 80


def worst(chain: ChainLaw, epsilon: str = "1", length: int = 100) -> WorstNode:
    return worst_node_for_scale((chain,), length, Fraction(epsilon), length)


def shows(found: arb, digits: str) -> bool:
    """Whether the number has these digits, the last one rounded or cut off."""
    unit = Fraction(1, 10 ** len(digits.split(".")[1]))
    return is_narrow(found) and bool(abs(found - ball(Fraction(digits))) < ball(unit))


@each_of(
    "chain, digits, node, quilt",
    [
        (THETA_1, "12.9340510861864935", 8, (1, 13)),
        (THETA_2, "10.6401929816081132", 6, (10,)),
        (ChainLaw(ANY, P1), "13.0219234961799990", 8, (3, 13)),
        (ChainLaw(ANY, P2), "10.6401929816081132", 6, (10,)),
        (ChainLaw(STATIONARY, P1), "12.8399642312470472", 50, (45, 55)),
        (ChainLaw(STATIONARY, P2), "10.1200141097627476", 50, (46, 54)),
    ],
)
def test_song2017_running_example(
    chain: ChainLaw, digits: str, node: int, quilt: tuple[int, ...]
) -> None:
    found = worst(chain)
    assert shows(found.score, digits)
    assert found[1:] == (1, node, quilt)


def test_song2017_running_example_is_set_by_its_first_chain() -> None:
    found = worst_node_for_scale((THETA_2, THETA_1), 100, ONE, 100)
    assert shows(found.score, "12.9340510861864935")
    assert found[1:] == (2, 8, (1, 13))


# epsilon, alpha, the scale for any start, its node and quilt, and the scale for a stationary start.
SYNTHETIC = [
    ("0.2", "0.10", "259.051393239424822", 28, (7, 49), "251.3710981"),
    ("0.2", "0.15", "160.556662997121244", 17, (30,), "155.0453143"),
    ("0.2", "0.20", "111.207536922761067", 12, (21,), "106.4576915"),
    ("0.2", "0.25", "80.7770380946580985", 9, (2, 16), "77.03732729"),
    ("0.2", "0.30", "59.6632912338925206", 7, (2, 12), "56.59004667"),
    ("0.2", "0.35", "43.5256551767440802", 5, (9,), "41.76628637"),
    ("0.2", "0.40", "32.6087561461025013", 4, (7,), "29.76202570"),
    ("1", "0.10", "33.6292675732919666", 18, (30,), "31.73778862"),
    ("1", "0.15", "20.5592015729111654", 12, (4, 20), "19.40776382"),
    ("1", "0.20", "14.2152236788913911", 8, (13,), "13.07510861"),
    ("1", "0.25", "10.1869545241452890", 6, (2, 10), "9.337395547"),
    ("1", "0.30", "7.22085867439435691", 5, (2, 8), "6.723596586"),
    ("1", "0.35", "5.12811640887340455", 4, (2, 6), "4.694664876"),
    ("1", "0.40", "3.94803399215860982", 3, (1, 5), "3.571791769"),
    ("5", "0.10", "2.09718852043480836", 7, (5, 9), "1.524928757"),
    ("5", "0.15", "1.22496517817531689", 4, (5,), ".6532541017"),
    ("5", "0.20", ".678592027903928252", 3, (2, 4), ".4489516642"),
    ("5", "0.25", ".512638104177865029", 2, (3,), ".3567891997"),
    ("5", "0.30", ".406817211954787248", 2, (1, 3), ".3025348537"),
    ("5", "0.35", ".318179263730662638", 2, (1, 3), ".2658215962"),
    ("5", "0.40", ".264298225030992366", 2, (1, 3), ".2387164816"),
]


@each_of("epsilon, alpha, anyhow, node, quilt, steady", SYNTHETIC)
def test_synthetic_experiment(
    epsilon: str, alpha: str, anyhow: str, node: int, quilt: tuple[int, ...], steady: str
) -> None:
    """song2017 5.2, T = 100, at the corner p0 = p1 = alpha of the class, and its mirror image."""
    low = Fraction(alpha)
    for stay in (low, 1 - low):
        matrix = ((stay, 1 - stay), (1 - stay, stay))
        found = worst(ChainLaw(ANY, matrix), epsilon)
        assert shows(found.score, anyhow)
        assert (found.node, found.quilt) == (node, quilt)
        assert shows(worst(ChainLaw(STATIONARY, matrix), epsilon).score, steady)


def random_law(random: Random, size: int, zeros: float) -> tuple[Fraction, ...]:
    while True:
        weights = [0 if random.random() < zeros else random.randint(1, 9) for _ in range(size)]
        if sum(weights):
            return tuple(Fraction(weight, sum(weights)) for weight in weights)


def random_chain(random: Random) -> ChainLaw:
    """Return a chain with or without zeros, periodic and reducible ones among them."""
    size, zeros = random.choice((2, 2, 3)), random.choice((0, 0, 0.3, 0.6))
    matrix = tuple(random_law(random, size, zeros) for _ in range(size))
    start = random.choice((ANY, STATIONARY, random_law(random, size, random.choice((0, 0.5)))))
    if start == STATIONARY and not has_one_stationary_law(matrix):
        start = ANY
    return ChainLaw(start, matrix)


@each_of("seed", range(instances(16, 100)))
def test_every_node_and_quilt_in_rationals(seed: int) -> None:
    """The search is that of the second opinion, which leaves out no node and no quilt."""
    random = Random(seed)  # noqa: S311
    for _ in range(3):
        chains, length = (random_chain(random),), random.randint(1, 14)
        epsilon, width = Fraction(random.randint(1, 80), 10), random.choice((99, 99, 1, 2, 4))
        for name, parameter in (("quilt_scale_exact", epsilon), ("quilt_epsilon", (epsilon, ONE))):
            first = {"quilt_scale_exact": quilt_scale_exact, "quilt_epsilon": quilt_epsilon}[name]
            found = enclosure_of(first(chains, length, parameter, width))  # type: ignore[operator]
            opinion = opinion_on(f"pufferfish.{name}")
            other = (
                opinion.enclose(BITS, chains=chains, length=length, epsilon=epsilon, width=width)
                if name == "quilt_scale_exact"
                else opinion.enclose(
                    BITS, chains=chains, length=length, scales=(epsilon, ONE), width=width
                )
            )
            assert found.is_narrow(20)
            assert other.is_narrow(20)
            assert found.overlaps(other)


@pytest.mark.parametrize("seed", range(instances(3, 6)))
def test_longer_chains_in_rationals(seed: int) -> None:
    """Slow two-state chains, so that quilts of some twenty nodes on either side matter."""
    random = Random(seed)  # noqa: S311
    low, high = Fraction(random.randint(5, 12), 100), Fraction(random.randint(5, 30), 100)
    matrix = ((1 - low, low), (high, 1 - high))
    start = (ANY, STATIONARY, random_law(random, 2, 0.5))[seed % 3]
    given = {"chains": (ChainLaw(start, matrix),), "length": 60, "epsilon": ONE, "width": 60}
    found = enclosure_of(quilt_scale_exact(**given))
    other = opinion_on("pufferfish.quilt_scale_exact").enclose(BITS, **given)
    assert found.is_narrow(20)
    assert other.is_narrow(20)
    assert found.overlaps(other)


def test_independent_draws_need_what_one_entry_needs() -> None:
    draws = ((HALF, HALF), (HALF, HALF))
    for start in (ANY, STATIONARY, (ONE, ZERO), (HALF, HALF)):
        found = worst(ChainLaw(start, draws), "2").score
        assert is_narrow(found)
        assert found.overlaps(ball(HALF))


def test_constant_nodes_need_nothing() -> None:
    """A cycle from a point: every node has one value, however long the chain."""
    found = worst(ChainLaw((ONE, ZERO), SWAP), length=2000)
    assert found.score == 0
    assert found.node == 0
    assert enclosure_of(quilt_scale_exact((ChainLaw((ONE, ZERO), SWAP),), 9, ONE, 9)).exact == 0


def test_one_node_needs_what_one_entry_needs() -> None:
    assert worst(THETA_2, "4", 1).score == ball(Fraction(1, 4))


@each_of("start", [STATIONARY, ANY, (HALF, HALF)])
@each_of("matrix", [SWAP, ((ONE, ZERO), (ZERO, ONE))])
def test_chains_that_never_forget_get_the_trivial_quilt_at_once(
    start: tuple[Fraction, ...] | str, matrix: Matrix
) -> None:
    """It is seen at two lags, not at a million: no quilt has a finite influence."""
    if start == STATIONARY and not has_one_stationary_law(matrix):
        return
    begun = time.monotonic()
    found = worst(ChainLaw(start, matrix), "4", 10**6)
    assert found.quilt == ()
    assert found.score == 250_000
    assert time.monotonic() - begun < 5


def test_trivial_quilt_is_allowed_whatever_the_width() -> None:
    narrow = quilt_scale_exact((ChainLaw(STATIONARY, P1),), 20, Fraction(1, 100), 1)
    assert narrow == 2000


def test_width_bounds_the_nodes_near() -> None:
    """Eleven nodes are needed; with a width of ten the best quilt is another one."""
    wide, narrow = (
        quilt_scale_exact((ChainLaw(STATIONARY, P1),), 100, ONE, width) for width in (9, 8)
    )
    assert is_narrow(wide)
    assert is_narrow(narrow)
    assert wide < narrow


def test_length_costs_nothing_with_a_stationary_start() -> None:
    """The scale for 10^15 nodes is that for 100."""
    short, long = (worst(ChainLaw(STATIONARY, P1), length=n).score for n in (100, 10**15))
    assert is_narrow(long)
    assert short.overlaps(long)


def test_length_costs_nothing_with_any_start() -> None:
    short, long = (worst(ChainLaw(ANY, P1), length=n) for n in (100, 10**15))
    assert is_narrow(long.score)
    assert short.score.overlaps(long.score)
    assert (long.node, long.quilt) == (8, (3, 13))


def test_a_given_law_is_searched_until_any_start_bounds_the_rest() -> None:
    found = worst(THETA_1, length=10**9)
    assert shows(found.score, "12.9340510861864935")
    assert found.node == 8


def test_a_law_next_to_the_stationary_one_is_bounded_in_the_end() -> None:
    """The worst node is far inside or a limit: the bound on later nodes has to be met by balls."""
    near = Fraction(4, 5) - Fraction(1, 10**6)
    found = worst(ChainLaw((near, 1 - near), P1), length=10**9)
    assert is_narrow(found.score)
    steady = worst(ChainLaw(STATIONARY, P1)).score
    assert not found.score < steady
    assert found.score < steady * 1.0001


THIRDS = (Fraction(1, 3), Fraction(2, 3))
# A state that is left for good, and one state that two others lead to alike.
LEFT_FOR_GOOD = ((ZERO, *THIRDS), (ZERO, Fraction(8, 11), Fraction(3, 11)), (ZERO, HALF, HALF))
RETURNS = ((ZERO, ZERO, ONE), (ONE, ZERO, ZERO), (Fraction(9, 11), ZERO, Fraction(2, 11)))
SPREAD = (Fraction(2, 5), Fraction(2, 5), Fraction(1, 5))


@pytest.mark.parametrize(
    ("chain", "length", "epsilon"),
    [
        # The first node's best quilt has no left side: it bounds no later node.
        (ChainLaw(ANY, LEFT_FOR_GOOD), 11, Fraction(11, 10)),
        # Nor does one for any start that has none.
        (ChainLaw(SPREAD, RETURNS), 11, Fraction(2)),
    ],
)
def test_quilts_without_a_left_side_bound_no_later_node(
    chain: ChainLaw, length: int, epsilon: Fraction
) -> None:
    given = {"chains": (chain,), "length": length, "epsilon": epsilon, "width": length}
    found = enclosure_of(quilt_scale_exact(**given))
    other = opinion_on("pufferfish.quilt_scale_exact").enclose(BITS, **given)
    assert found.is_narrow(20)
    assert other.is_narrow(20)
    assert found.overlaps(other)


def test_quilts_wider_than_allowed_settle_no_node() -> None:
    """A quilt to the right alone leaves more nodes near a later node."""
    score = ScaleFor(Fraction(2))
    nodes = Nodes(Tables(Chain(P1, THETA_2.initial)), 50, score, 9)
    bounds = RatioBounds(score, ball(20), above=False)
    assert nodes.reaches(4, [Quilt(0, 6)], bounds)
    assert not nodes.reaches(5, [Quilt(0, 6)], bounds)


TINY = Fraction(1, 10**200)
NEARLY: Matrix = (
    (HALF - TINY, HALF, TINY),
    (HALF, HALF - TINY, TINY),
    (Fraction(1, 3), Fraction(2, 3) - TINY, TINY),
)


@each_of("start", [STATIONARY, ANY, (ONE, ZERO, ZERO), (HALF, HALF, ZERO)])
def test_entries_below_what_floats_can_tell(start: tuple[Fraction, ...] | str) -> None:
    """A column of 10^-200: no table is sure, balls decide among all quilts."""
    given = {"chains": (ChainLaw(start, NEARLY),), "length": 7, "epsilon": ONE, "width": 7}
    with working_precision(512):
        found = enclosure_of(quilt_scale_exact(**given))
    other = opinion_on("pufferfish.quilt_scale_exact").enclose(BITS, **given)
    assert found.is_narrow(20)
    assert other.is_narrow(20)
    assert found.overlaps(other)


def test_tables_say_where_they_are_not_sure() -> None:
    tables = Tables(Chain(NEARLY, None))
    forward = forward_table(tables.power(1))
    backward = backward_table(tables.power(1), np.array([True, True, True]))
    assert not forward.sure
    assert not backward.sure
    assert (forward.ratios <= 3).all()


def test_laws_below_what_floats_can_tell_are_not_sure() -> None:
    for start in (SPREAD, (HALF, HALF, ZERO), (ONE, ZERO, ZERO)):
        values = NodeValues(Tables(Chain(NEARLY, start)))
        assert not values.at(3).sure
    assert NodeValues(Tables(Chain(P1, (ONE, ZERO)))).at(3).sure


def test_too_many_roundings_are_trusted_with_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(node, "MOST_ROUNDINGS", 0)
    assert shows(worst(THETA_1, length=30).score, "12.9340510861864935")


def test_lags_beyond_the_memory_leave_a_wide_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is not looked at is bounded by its number of nodes alone."""
    truth = worst(ChainLaw(STATIONARY, P1)).score
    monkeypatch.setattr(score, "_MOST_NUMBERS", (5 * 4 + 120) * 3)
    found = worst(ChainLaw(STATIONARY, P1)).score
    assert found.is_finite()
    assert found.contains(truth)
    assert not is_narrow(found)
    assert found.lower() > 3.99


def test_epsilon_inverts_the_scale() -> None:
    """The scale for epsilon gives epsilon; a little more noise gives less."""
    for chain in (THETA_1, ChainLaw(ANY, P2), ChainLaw(STATIONARY, P1)):
        for epsilon in (HALF, ONE, Fraction(4)):
            exact = worst_node_for_scale((chain,), 60, epsilon, 60).score
            assert is_narrow(exact)
            scale = Fraction(float(exact))
            given = quilt_epsilon((chain,), 60, (scale,), 60)
            assert is_narrow(given)
            assert abs(given - ball(epsilon)) < 1e-14
            assert quilt_epsilon((chain,), 60, (scale * 2,), 60) < given


def test_several_releases_count_by_the_sum_of_their_rates() -> None:
    together = quilt_epsilon((THETA_1,), 50, (Fraction(6), Fraction(3), Fraction(2)), 50)
    alone = quilt_epsilon((THETA_1,), 50, (ONE,), 50)
    assert is_narrow(alone)
    assert is_narrow(together)
    assert together.overlaps(alone)


def test_no_unique_stationary_law_is_refused() -> None:
    for name, given in (
        ("quilt_scale_exact", {"length": 5, "epsilon": 1, "width": 5}),
        ("quilt_scale_pieces", {"lengths": [5], "epsilon": 1, "width": 5}),
        ("quilt_epsilon", {"length": 5, "scales": [1], "width": 5}),
    ):
        chains = [{"initial": "stationary", "P": [[1, 0], [0, 1]]}]
        with pytest.raises(DomainError, match="one set of states that is never left"):
            evaluate(f"pufferfish.{name}", {"chains": chains, **given})


def test_many_states_to_fifteen_digits() -> None:
    """A chain of neighbouring moves among 21 states: both precisions agree."""
    size = 21
    rows = []
    for x in range(size):
        weights = [3 if abs(x - y) <= 3 else 1 for y in range(size)]
        rows.append(tuple(Fraction(one, sum(weights)) for one in weights))
    chain = ChainLaw(STATIONARY, tuple(rows))
    found: list[Enclosure] = []
    for bits in (110, 300):
        with working_precision(bits):
            found.append(enclosure_of(quilt_scale_exact((chain,), 10**6, ONE, 10**6)))
    assert all(one.is_narrow(15) for one in found)
    assert found[0].overlaps(found[1])


def stay(low: str, high: str) -> Fraction:
    return worst_corner(Fraction(low), Fraction(high)).P[0][0]


def test_the_corner_is_the_end_farther_from_a_half() -> None:
    assert stay("0.3", "0.6") == Fraction("0.3")
    assert stay("0.3", "0.8") == Fraction("0.8")
    assert stay("0.1", "0.2") == Fraction("0.1")
    assert stay("0.6", "0.7") == Fraction("0.7")


def test_independent_entries_need_one_entry() -> None:
    half = Fraction(1, 2)
    answer = evaluate(
        "pufferfish.quilt_scale_two_state",
        {"low": half, "high": half, "length": 9, "epsilon": 2, "width": 9},
    )
    assert answer.enclosure.lower == answer.enclosure.upper == half


def test_no_quilt_in_reach_leaves_the_trivial_one() -> None:
    high = Fraction(999, 1000)
    assert quilt_scale_two_state(high, high, 9, Fraction(1, 2), 9) == 18


def test_an_empty_class_is_refused() -> None:
    point = {"low": "0.6", "high": "0.4", "length": "9", "epsilon": "1", "width": "9"}
    with pytest.raises(DomainError, match="low <= high"):
        evaluate("pufferfish.quilt_scale_two_state", point)
