"""The laws of the float64 backend's Pufferfish quantities: hard chains, guards, long chains."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from each import each_of
from instances import instances
from simplexcert.certify.backends.float64 import backend
from simplexcert.certify.backends.float64.pufferfish import additive as pufferfish_additive
from simplexcert.certify.backends.float64.pufferfish import chain as pufferfish_chain
from simplexcert.certify.backends.float64.pufferfish import line as pufferfish_line
from simplexcert.certify.backends.float64.pufferfish import mixing as pufferfish_mixing
from simplexcert.certify.backends.float64.pufferfish import nodes as pufferfish_nodes
from simplexcert.certify.backends.float64.pufferfish import quilts as pufferfish_quilts
from simplexcert.certify.checks.case import answered
from simplexcert.certify.points import exact_point
from simplexcert.certify.search.draws import on_grid
from simplexcert.reference import Answer, evaluate
from simplexcert.reference.structures import ChainLaw, LineLaw

Point = dict[str, Any]
Row = tuple[float, ...]

# song2017's running example: nearly, as its decimals are no doubles.
EARLY = ((0.9, 0.1), (0.4, 0.6))
PERIOD_TWO = (
    (0.0, 0.0, 0.5, 0.5),
    (0.0, 0.0, 0.25, 0.75),
    (0.5, 0.5, 0.0, 0.0),
    (0.125, 0.875, 0.0, 0.0),
)
MILLION = 10**6


def value_of(name: str, point: Point) -> float:
    found = answered(backend.quantities[f"pufferfish.{name}"], point)
    assert isinstance(found, float), found
    return found


def truth_of(name: str, point: Point) -> Answer:
    return evaluate(f"pufferfish.{name}", exact_point(point), digits=20)


def least(answer: Answer) -> Fraction | float:
    return answer.exact if answer.exact is not None else answer.upper


def exactly(value: float) -> Fraction | float:
    return Fraction(value) if math.isfinite(value) else value


def scale_of(*chains: ChainLaw, length: int, epsilon: float = 1.0, width: int = MILLION) -> Point:
    return {"chains": chains, "length": length, "epsilon": epsilon, "width": width}


def hard_row(random: np.random.Generator, states: int) -> Row:
    """Return a law with zeros, tiny shares, or all in one."""
    kind = random.integers(6)
    weights = random.random(states) ** (1, 3, 10)[int(random.integers(3))]
    if kind == 0:
        weights[:] = 0.0
    elif kind == 1:
        weights *= random.random(states) < 0.6
    elif kind == 2:
        weights[random.random(states) < 0.5] = 1e-9
    elif kind == 3:
        weights = 2.0 ** -random.integers(0, 53, states)
    if not weights.any():
        weights[random.integers(states)] = 1.0
    return on_grid(weights.tolist())


def hard_chain(random: np.random.Generator) -> ChainLaw:
    """Return a chain that may be reducible, nearly so, periodic, or forget at once."""
    states = int(random.integers(2, 5))
    kind = random.integers(8)
    rows = [hard_row(random, states) for _ in range(states)]
    if kind == 0:
        rows = [rows[0]] * states
    elif kind == 1:
        rows[-1] = rows[0]
    elif kind == 2:
        slow = np.eye(states) + 1e-7 * random.random((states, states))
        rows = [on_grid(row) for row in slow.tolist()]
    starts = ("stationary", "any", hard_row(random, states))
    return ChainLaw(starts[int(random.integers(3))], tuple(rows))  # type: ignore[arg-type]


def hard_point(name: str, random: np.random.Generator) -> Point:
    chain = hard_chain(random)
    if name == "max_influence":
        node = int(random.integers(1, 15))
        lags = {"left": int(random.integers(node)), "right": int(random.integers(12))}
        return {**chain._asdict(), "node": node, **lags}
    length = int(random.choice((1, 2, 3, 5, 8, 12, 20, 40)))
    point: Point = {"chains": (chain,), "width": int(random.choice((1, length, 2 * length)))}
    epsilon = float(random.choice((0.1, 0.5, 1.0, 2.0, 5.0, 20.0)))
    if name == "quilt_scale_pieces":
        return point | {"lengths": (1, length), "epsilon": epsilon}
    if name == "quilt_epsilon":
        return point | {"length": length, "scales": tuple(random.uniform(0.5, 50, 2).tolist())}
    return point | {"length": length, "epsilon": epsilon}


def hard_points(name: str, count: int, seed: int) -> list[tuple[Point, Answer]]:
    random = np.random.default_rng(seed)
    found: list[tuple[Point, Answer]] = []
    while len(found) < count:
        point = hard_point(name, random)
        try:
            found.append((point, truth_of(name, point)))
        except ValueError:  # several sets of states that are never left
            continue
    return found


CHAIN_QUANTITIES = ("max_influence", "quilt_scale_exact", "quilt_epsilon", "quilt_scale_pieces")


@each_of("name", CHAIN_QUANTITIES)
def test_hard_chains_are_answered_at_or_above_the_truth(name: str) -> None:
    for point, answer in hard_points(name, instances(83, 250), seed=1):
        assert exactly(value_of(name, point)) >= least(answer), point


@pytest.mark.parametrize("name", ["quilt_scale_exact", "quilt_scale_pieces"])
def test_scales_of_hard_chains_are_accurate_unless_probabilities_vanish(name: str) -> None:
    """Where some transition over the length is smaller than 2^-850, quilts may be left out."""
    for point, answer in hard_points(name, instances(50, 150), seed=2):
        smallest = min(
            share for chain in point["chains"] for row in chain.P for share in row if share
        )
        if smallest**40 > 0.0 and answer.upper:
            excess = Fraction(value_of(name, point)) / Fraction(answer.lower) - 1
            assert excess < Fraction("1e-10"), point


def test_without_margins_some_answer_is_below_the_truth(monkeypatch: pytest.MonkeyPatch) -> None:
    points = hard_points("quilt_epsilon", instances(83, 250), seed=1)
    monkeypatch.setattr(pufferfish_chain, "UNIT", 0.0)
    monkeypatch.setattr(pufferfish_chain, "_SHARE", 0.0)
    monkeypatch.setattr(pufferfish_nodes, "_UP", 1.0)
    assert any(
        exactly(value_of("quilt_epsilon", point)) < least(answer) for point, answer in points
    )


@each_of("initial", ["stationary", "any", (1.0, 0.0), (0.25, 0.75)])
@each_of("epsilon", [0.2, 1.0, 5.0])
def test_the_running_example_is_answered_within_1e_12(initial: Any, epsilon: float) -> None:
    """With every start: the worst nodes lie inside, at the left end, and anywhere."""
    matrix = tuple(on_grid(row) for row in EARLY)
    point = scale_of(ChainLaw(initial, matrix), length=100, epsilon=epsilon)
    value, answer = value_of("quilt_scale_exact", point), truth_of("quilt_scale_exact", point)
    assert least(answer) <= Fraction(value) <= Fraction(answer.lower) * Fraction("1.000000000001")


def test_numbers_that_underflow_are_unknown_and_not_zero() -> None:
    """A transition over 30 steps has probability 2^-1560, of which no double is left."""
    rare = 2.0**-52
    chain = ChainLaw("any", ((1 - rare, rare, 0.0), (0.0, 1 - rare, rare), (0.0, 0.0, 1.0)))
    entries = np.array([[1.0, 0.0], [0.0, 1.0]])
    possible = np.ones((2, 2), dtype=bool)
    assert (pufferfish_chain.log_ratios(entries, possible, 1.0)[1:3] == math.inf).all()
    assert value_of("max_influence", {**chain._asdict(), "node": 31, "left": 30, "right": 0}) == (
        math.inf
    )
    ladder = ChainLaw("any", tuple(on_grid([1.0, rare]) for _ in range(2)))
    skewed = ladder._replace(P=(ladder.P[0], (0.0, 1.0)))
    point = {**skewed._asdict(), "node": 2, "left": 1, "right": 30}
    assert exactly(value_of("max_influence", point)) >= least(truth_of("max_influence", point))


def test_impossible_transitions_are_told_from_rare_ones() -> None:
    rare = 2.0**-40
    for share in (0.0, rare):
        chain = ChainLaw((0.5, 0.5), ((1.0 - share, share), (0.0, 1.0)))
        point = {**chain._asdict(), "node": 1, "left": 0, "right": 1}
        assert value_of("max_influence", point) == math.inf  # 1 can be ruled out
        backward = {**chain._asdict(), "node": 2, "left": 1, "right": 0}
        value, answer = value_of("max_influence", backward), truth_of("max_influence", backward)
        assert exactly(value) >= least(answer)
        assert math.isinf(value) == (answer.lower == math.inf)


def test_equal_rows_leave_nothing_to_hide() -> None:
    row = on_grid([0.3, 1e-9, 0.5])
    chain = ChainLaw((0.0, 1.0, 0.0), (row, row, row))
    assert value_of("max_influence", {**chain._asdict(), "node": 3, "left": 2, "right": 2}) == 0.0
    assert value_of("quilt_scale_exact", scale_of(chain, length=50, epsilon=2.0)) == (
        math.nextafter(0.5, 1.0)
    )
    assert value_of("quilt_scale_exact", scale_of(chain, length=1)) == 0.0


def test_a_distant_node_is_reached_by_a_power() -> None:
    matrix = tuple(on_grid(row) for row in EARLY)
    point = {"initial": (1.0, 0.0), "P": matrix, "left": 2, "right": 3}
    steady = point | {"initial": "stationary", "node": 9}
    for node in (2**15, 2**15 + 1, 10**9):
        value = value_of("max_influence", point | {"node": node})
        assert exactly(value) >= least(truth_of("max_influence", point | {"node": node}))
        assert value <= value_of("max_influence", steady) + 2e-15 * node


def test_a_rounded_width_admits_no_wider_quilt() -> None:
    for width in (5, 2**52, 2**53 + 1, 10**20, 10**400):
        assert Fraction(pufferfish_nodes.limit_of(width)) <= width


@pytest.mark.parametrize("initial", ["stationary", "any", (1.0, 0.0)])
def test_the_longest_chains_take_no_time_for_their_nodes(initial: Any) -> None:
    """What is two-sided in a chain of 10^4 nodes is the same in one of 10^18."""
    chain = ChainLaw(initial, tuple(on_grid(row) for row in EARLY))
    short = value_of("quilt_scale_exact", scale_of(chain, length=10**4))
    longest = value_of("quilt_scale_exact", scale_of(chain, length=10**18, width=10**18))
    assert short <= longest * (1 + 1e-10)
    assert longest <= short * (1 + 1e-10)


@pytest.mark.parametrize("initial", [(0.25, 0.75, 0.0, 0.0), "any", (0.5, 0.0, 0.5, 0.0)])
def test_a_chain_that_never_forgets_gets_the_trivial_quilt_at_once(initial: Any) -> None:
    point = scale_of(ChainLaw(initial, PERIOD_TWO), length=MILLION, epsilon=0.5)
    assert exactly(value_of("quilt_scale_exact", point)) <= 2 * MILLION
    short = point | {"length": 9}
    assert exactly(value_of("quilt_scale_exact", short)) >= least(
        truth_of("quilt_scale_exact", short)
    )


def test_a_search_that_is_cut_short_is_safe(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the limits on lags, nodes, searches and quilts, only accuracy is lost."""
    monkeypatch.setattr(pufferfish_quilts, "_MOST_SEARCHES", 2)
    monkeypatch.setattr(pufferfish_quilts, "_MOST_NODES", 3)
    monkeypatch.setattr(pufferfish_chain, "_MOST_LAGS", 4)
    monkeypatch.setattr(pufferfish_nodes, "_MOST_QUILTS", 9)
    for point, answer in hard_points("quilt_scale_exact", instances(50, 150), seed=3):
        assert exactly(value_of("quilt_scale_exact", point)) >= least(answer), point


def test_a_stationary_law_beyond_two_doubles_is_replaced_by_every_law(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    points = [
        (point, answer)
        for point, answer in hard_points("quilt_scale_exact", instances(20, 60), seed=4)
        if point["chains"][0].initial == "stationary"
    ]
    monkeypatch.setattr(pufferfish_chain, "stationary_law", lambda _: None)
    monkeypatch.setattr(pufferfish_mixing, "stationary_law", lambda _: None)
    for point, answer in points:
        assert exactly(value_of("quilt_scale_exact", point)) >= least(answer), point
    three = (on_grid([1.0, 2.0, 3.0]), on_grid([2.0, 1.0, 1.0]), on_grid([1.0, 1.0, 5.0]))
    assert value_of("stationary_minimum", {"P": three}) == 0.0
    assert value_of("eigengap", {"P": three}) == 0.0


def test_the_stationary_law_stops_where_two_doubles_end() -> None:
    """A ladder that is climbed with 2^-53 a step: the law falls by that with each state."""
    rare, size = 2.0**-53, 12
    ladder = np.zeros((size, size))
    for state in range(size):
        ladder[state, min(state + 1, size - 1)] += rare
        ladder[state, max(state - 1, 0)] += 1.0 - rare
    assert pufferfish_chain.stationary_law(ladder) is None
    assert pufferfish_chain.stationary_law(ladder[:4, :4] / 1.0) is not None


@pytest.mark.parametrize("name", ["stationary_minimum", "eigengap", "eigengap_reversible"])
def test_gaps_are_at_or_below_the_truth(name: str) -> None:
    random, seen = np.random.default_rng(5), 0
    while seen < 120:
        if name == "eigengap_reversible":
            states = int(random.integers(3, 6))
            moves = np.triu(random.integers(0, 40, (states, states)), 1) / 512.0
            matrix = moves + moves.T
            np.fill_diagonal(matrix, 1.0 - matrix.sum(axis=1))
            point: Point = {"P": tuple(map(tuple, matrix.tolist()))}
        else:
            point = {"P": hard_chain(random).P}
        try:
            answer = truth_of(name, point)
        except ValueError:  # reducible
            continue
        seen += 1
        assert Fraction(value_of(name, point)) <= answer.lower, point
        assert value_of(name, point) >= float(answer.upper) - 1e-12


def test_an_eigenvalue_bound_is_proved_before_it_is_returned(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(np.linalg, "eigvalsh", lambda matrix: np.full(len(matrix), -1.0))
    three = (on_grid([9.0, 1.0, 0.0]), on_grid([1.0, 8.0, 1.0]), on_grid([0.0, 1.0, 9.0]))
    answer = truth_of("eigengap", {"P": three})
    assert Fraction(value_of("eigengap", {"P": three})) <= answer.lower


def query_of(random: np.random.Generator) -> Point:
    chain = hard_chain(random)
    if chain.initial == "any":
        chain = chain._replace(initial="stationary")
    length = int(random.choice((1, 2, 3, 6, 9)))
    rows = length if random.random() < 0.5 else 1
    values = random.choice((0.0, 1.0, 2.0, 2.5, -1.0), (rows, len(chain.P)))
    return {"chains": (chain,), "length": length, "values": tuple(map(tuple, values.tolist()))}


def queries(count: int, seed: int) -> list[Point]:
    random = np.random.default_rng(seed)
    found: list[Point] = []
    while len(found) < count:
        point = query_of(random)
        try:
            truth_of("chain_wasserstein", point)
        except ValueError:
            continue
        found.append(point)
    return found


@pytest.mark.parametrize("exact", [True, False])
def test_additive_queries_are_at_or_above_the_truth_exact_or_rounded(
    monkeypatch: pytest.MonkeyPatch, *, exact: bool
) -> None:
    if not exact:
        monkeypatch.setattr(pufferfish_additive, "_MOST_PRODUCTS", 0)
    for at, point in enumerate(queries(instances(40, 120), seed=6)):
        farthest = truth_of("chain_wasserstein", point).exact
        value = Fraction(value_of("chain_wasserstein", point))
        assert value == farthest if exact else value >= farthest, point
        noisy = point | {"scale": (0.004, 0.3, 2.0, 60.0)[at % 4]}
        assert exactly(value_of("chain_loss", noisy)) >= least(truth_of("chain_loss", noisy))


def test_rounded_laws_give_the_distance_of_a_long_sum() -> None:
    chain = ChainLaw("stationary", tuple(on_grid(row) for row in EARLY))
    point = {"chains": (chain,), "length": 90, "values": ((0.0, 1.0),)}
    assert not pufferfish_additive.is_little_work(2, [(0, 1)] * 90)
    assert value_of("chain_wasserstein", point) == truth_of("chain_wasserstein", point).exact
    noisy = point | {"scale": 10.0}
    value, answer = value_of("chain_loss", noisy), truth_of("chain_loss", noisy)
    assert least(answer) <= Fraction(value) <= answer.lower * Fraction("1.0000000001")


def test_nothing_is_claimed_of_a_rounded_law_that_hardly_ever_holds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pufferfish_additive, "_MOST_PRODUCTS", 0)
    rare = 2.0**-45
    chain = ChainLaw((1.0, 0.0), ((1.0, 0.0), (1.0, 0.0)))
    three = ((1 - rare, rare, 0.0), (1 - rare, 0.0, rare), (1.0, 0.0, 0.0))
    point = {"chains": (ChainLaw((1 - rare, rare, 0.0), three),), "length": 3}
    point |= {"values": ((0.0, 1.0, 7.0),)}
    assert exactly(value_of("chain_wasserstein", point)) >= least(
        truth_of("chain_wasserstein", point)
    )
    never = {"chains": (chain,), "length": 3, "values": ((0.0, 1.0),), "scale": 1.0}
    assert value_of("chain_loss", never) == 0.0
    monkeypatch.setattr(pufferfish_additive, "_UNDERFLOWED", 1.0)
    assert value_of("chain_loss", point | {"scale": 1e-3}) == math.inf


def test_losses_from_densities_and_from_their_logarithms_agree(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    mu = LineLaw((0.0, 1.0, 5.0), on_grid([1.0, 2.0, 3.0]))
    nu = LineLaw((-1.0, 2.0), on_grid([1.0, 4.0]))
    point = {"mu": mu, "nu": nu, "scale": 0.5}
    answer = truth_of("laplace_loss", point)
    values = [value_of("laplace_loss", point)]
    monkeypatch.setattr(pufferfish_line, "MOST_DECAY", 0.0)
    values.append(value_of("laplace_loss", point))
    for value in values:
        assert least(answer) <= Fraction(value) <= answer.lower * Fraction("1.000000000001")


@pytest.mark.parametrize("scale", [1e-300, 1e-6, 1e-3])
def test_losses_of_next_to_no_noise_are_finite_or_beyond_doubles(scale: float) -> None:
    point = {
        "mu": LineLaw((0.0, 1e-3, 40.0), on_grid([1.0, 1e-12, 1.0])),
        "nu": LineLaw((0.0, 30.0), on_grid([1.0, 1e-9])),
        "scale": scale,
    }
    value, answer = value_of("laplace_loss", point), truth_of("laplace_loss", point)
    assert exactly(value) >= least(answer)
    assert value == math.inf or Fraction(value) <= answer.lower * Fraction("1.0000000001")


def test_nearly_equal_ratios_are_compared_exactly() -> None:
    third = 1 / 3
    p = (third, math.nextafter(third, 1.0), 0.25)
    assert pufferfish_line.largest_ratio(p, (0.1, 0.1, 0.1)) == Fraction(p[1]) / Fraction(0.1)
    assert pufferfish_line.largest_ratio((1.0,), (5e-324,)) == Fraction(1) / Fraction(5e-324)
    assert pufferfish_line.log_above(Fraction(2) ** 1074) >= 1074 * math.log(2)
    assert math.isfinite(pufferfish_line.log_above(Fraction(2) ** 1074))


def test_a_chain_of_51_states_and_a_million_nodes_fits_its_tables() -> None:
    """The stationary scale, by a search of one node; any start asks for a little more."""
    random = np.random.default_rng(8)
    places = np.arange(51)
    decay = np.exp(-np.abs(places[:, None] - places) / 10.0) * random.uniform(0.5, 1.5, (51, 51))
    matrix = tuple(on_grid(row) for row in decay.tolist())
    found = [
        value_of("quilt_scale_exact", scale_of(ChainLaw(initial, matrix), length=MILLION))
        for initial in ("stationary", on_grid([1.0] * 51), "any")
    ]
    slack = 1 + 1e-9
    assert found[0] <= found[1] * slack <= found[2] * slack**2
    assert found[2] < 1.5 * found[0]


def steady_point(share: int, length: int, epsilon: float = 1.0) -> Point:
    """Return the stationary chain of two states that stays with this many 2^-53ths."""
    stays, moves = share * 2.0**-53, (2**53 - share) * 2.0**-53
    chain = ChainLaw("stationary", ((stays, moves), (moves, stays)))
    return {"chains": (chain,), "length": length, "epsilon": epsilon}


def with_norm_next_to_one(length: int) -> int:
    """Return the largest share of 2^-53ths to stay with that leaves a scale.

    The matrix of influences is symmetric, so that its norm is its spectral radius.
    """
    low, high = 2**52, 2**53 - 1
    while low + 1 < high:
        middle = (low + high) // 2
        finite = math.isfinite(value_of("gk16_scale", steady_point(middle, length)))
        low, high = (middle, high) if finite else (low, middle)
    return low


@pytest.mark.parametrize("length", [27, 100])
def test_the_scale_of_a_norm_next_to_one_is_as_accurate_as_any(length: int) -> None:
    point = steady_point(with_norm_next_to_one(length), length, 0.001)
    value, answer = value_of("gk16_scale", point), truth_of("gk16_scale", point)
    assert value > 1e15
    assert least(answer) <= Fraction(value) <= answer.lower * (1 + Fraction(1, 10**12))


def test_the_worst_gk16_scale_of_a_campaign_is_within_the_promise() -> None:
    ahead = float.fromhex("0x1.c6f4e5ec88d64p-3")
    rows = ((ahead, 1 - ahead), (0.5, 0.5))
    point = {"chains": (ChainLaw("any", rows),), "length": 27, "epsilon": 0.001}
    value, answer = value_of("gk16_scale", point), truth_of("gk16_scale", point)
    assert least(answer) <= Fraction(value) <= answer.lower * (1 + Fraction(1, 10**12))


def test_an_impossible_transition_has_no_finite_gk16_scale() -> None:
    for rows in (((1.0, 0.0), (0.5, 0.5)), ((0.0, 1.0), (1.0, 0.0))):
        for initial in ("any", "stationary", (0.5, 0.5)):
            point = {"chains": (ChainLaw(initial, rows),), "length": 5, "epsilon": 1.0}
            assert value_of("gk16_scale", point) == math.inf


@each_of("initial", ["any", "stationary", (1.0, 0.0, 0.0), (0.5, 0.25, 0.25)])
def test_gk16_scales_of_long_chains_are_on_the_safe_side(initial: Any) -> None:
    rows = tuple(on_grid(row) for row in ([1.0, 1.1, 1.2], [1.1, 1.0, 1.0], [1.2, 1.2, 1.0]))
    for length in (1, 2, 3, 5_000):
        point = {"chains": (ChainLaw(initial, rows),), "length": length, "epsilon": 0.5}
        value, answer = value_of("gk16_scale", point), truth_of("gk16_scale", point)
        assert least(answer) <= Fraction(value) <= answer.lower * (1 + Fraction(1, 10**12))


def small_law(random: np.random.Generator) -> LineLaw:
    size = int(random.integers(1, 5))
    points = random.choice(np.arange(-6.0, 7.0), size, replace=False) / 2
    weights = 10.0 ** -random.integers(0, 7, size)
    return LineLaw(tuple(map(float, points)), on_grid(weights.tolist()))


@each_of("noise", ["laplace", "gaussian"])
def test_deltas_of_known_laws_are_never_below_the_truth_and_near_it(noise: str) -> None:
    random = np.random.default_rng(38)
    for _ in range(instances(40, 400)):
        point = {
            "mu": small_law(random),
            "nu": small_law(random),
            "scale": float(2.0 ** random.integers(-4, 5)),
            "epsilon": float(random.choice([0.0, 0.125, 1.0, 3.0])),
        }
        value, answer = value_of(f"{noise}_delta", point), truth_of(f"{noise}_delta", point)
        assert Fraction(value) >= answer.lower
        assert Fraction(value) <= answer.upper * Fraction("1.000001") + Fraction(1, 10**15)


def test_epsilons_of_known_laws_keep_their_delta() -> None:
    random = np.random.default_rng(39)
    for _ in range(instances(6, 60)):
        point = {"mu": small_law(random), "nu": small_law(random), "scale": 1.0}
        delta = float(random.choice([0.25, 1e-3, 1e-9]))
        epsilon = value_of("laplace_epsilon", {**point, "delta": delta})
        kept = truth_of("laplace_delta", {**point, "epsilon": epsilon})
        assert kept.upper <= Fraction(delta)
        answer = truth_of("laplace_epsilon", {**point, "delta": delta})
        assert Fraction(epsilon) <= answer.upper * Fraction("1.000001") + Fraction(1, 10**9)


def test_where_atoms_are_finer_than_doubles_it_is_the_delta_without_noise() -> None:
    mu, nu = LineLaw((0.0, 1e9), (0.5, 0.5)), LineLaw((0.0,), (1.0,))
    point = {"mu": mu, "nu": nu, "scale": 1e-7, "epsilon": 1.0}
    assert 0.5 <= value_of("gaussian_delta", point) <= 0.5 * (1 + 1e-12)


def test_a_normal_density_below_all_doubles_counts_e_to_the_epsilon_times() -> None:
    point = {
        "mu": LineLaw((0.0, -1.0), on_grid([0.98, 0.02])),
        "nu": LineLaw((-0.5,), (1.0,)),
        "scale": 0.023,
        "epsilon": 629.5,
    }
    answer = truth_of("gaussian_delta", point)
    assert 0 < answer.lower <= Fraction(value_of("gaussian_delta", point)) <= 10 * answer.upper
