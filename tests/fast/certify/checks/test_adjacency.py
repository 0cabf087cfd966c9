"""The law of adjacency: sound answers pass, unsafe ones are refuted by drawn neighbours."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import islice
from typing import Any

import pytest
from each import each, each_of
from instances import instances
from simplexcert.certify.backends.float64 import backend as float64
from simplexcert.certify.checks.case import answered
from simplexcert.certify.checks.relations.adjacency import Adjacency, neighbours_in
from simplexcert.certify.checks.relations.cases import StatedOther, relation_verdict, relations_for
from simplexcert.certify.checks.relations.relation import (
    Declared,
    First,
    Found,
    NoNumberError,
    as_witness,
    by_both_engines,
    by_the_first_engine,
)
from simplexcert.certify.points import real_in
from simplexcert.certify.search.strategies import points_from
from simplexcert.certify.verdict import Verdict
from simplexcert.reference import evaluate
from simplexcert.reference.adjacency import Floored, Grown, Released, Sensitive
from simplexcert.reference.enclosure import Enclosure
from simplexcert.reference.errors import InputError
from simplexcert.reference.quantity import Side, quantities, quantity_named

LAW = Adjacency()
PROMISES = {name: item.promise for name, item in quantities().items() if item.promise}
Answering = Callable[..., Any]
Answers = Mapping[str, Answering]
NO_SLACK: Mapping[str, Fraction] = {}
BOUND = "dirichlet.identity.epsilon_bound"
ROOM = {"k": 20.0, "eta": 0.1, "eta_bar": 0.1, "b": 0.1, "w": 2, "gamma": 0.02}


def points_of(name: str, count: int) -> Iterator[Any]:
    yield from islice(points_from(quantity_named(name), "adjacency"), count)


def case_at(
    name: str, point: Any, turn: int, answers: Answers, slack: Mapping[str, Fraction] = NO_SLACK
) -> tuple[Found, Verdict, Enclosure]:
    """Return the law's case at a point, and its verdict."""
    first = First(point, answered(answers[name], point), turn)
    known = {each: quantity_named(each) for each in answers}
    declared = Declared(known, slack, {})
    quantity = quantity_named(name)
    found = LAW.found(quantity, first, lambda one, at: answered(answers[one], at), declared)
    own = slack.get(name, Fraction(0))
    ruling = LAW.verdict_on(as_witness(quantity, found), own, None, by_the_first_engine)
    return found, ruling.verdict, ruling.against


def written(name: str, found: Found, slack: Fraction = Fraction(0), **changed: Any) -> Any:
    """Judge a case as it is written down, something of it changed, by both engines."""
    others = [
        StatedOther(
            other.quantity,
            dict(other.parameters),
            None if other.value is None else real_in(other.value),
        )
        for other in found.others
    ]
    parts = {"parameters": found.parameters, "value": found.value, "others": others, **changed}
    return relation_verdict(
        "adjacency",
        quantity_named(name),
        parts["parameters"],
        parts["value"],
        parts["others"],
        slack,
        None,
        by_both_engines(20.0),
        place=changed.get("place", ()),
    )


def truthful(name: str) -> Answering:
    """Return what answers the double next to the truth, on the safe side."""
    quantity = quantity_named(name)

    def answer(**point: Any) -> float:
        found = evaluate(name, point).enclosure
        upper = quantity.safe is Side.UPPER
        end = found.upper if upper else found.lower
        if math.isinf(end):
            return float(end)
        near = float(end)
        missed = near < end if upper else near > end
        return math.nextafter(near, math.inf if upper else 0) if missed else near

    return answer


def test_the_law_is_of_every_quantity_that_promises_something_and_of_no_other() -> None:
    for name, quantity in quantities().items():
        checks = [law.check for law in relations_for(quantity)]
        assert checks.count("adjacency") == (name in PROMISES or quantity.noise is not None)
    assert PROMISES


@each([name for name in PROMISES if name in float64.quantities])
def test_the_sound_backend_keeps_its_promises(name: str) -> None:
    for turn, point in enumerate(points_of(name, instances(4, 12))):
        assert case_at(name, point, turn, float64.quantities)[1] is Verdict.CERTIFIED


@each([name for name in PROMISES if not PROMISES[name].good_set])
def test_the_truth_itself_keeps_its_promises(name: str) -> None:
    """Also where the pair that is drawn is the worst there is, so that the two are as one."""
    answers = {name: truthful(name)}
    for turn, point in enumerate(points_of(name, 4)):
        assert case_at(name, point, turn, answers)[1] is Verdict.CERTIFIED


def chance_of(name: str) -> str:
    """Return the quantity with the chance of a printed epsilon's good set."""
    good_set = PROMISES[name].good_set
    assert good_set is not None
    return good_set.delta


def chance_is_answered(name: str) -> bool:
    """Whether the chance of a good set has the point's own parameters, so that it can be asked."""
    good_set = PROMISES[name].good_set
    return good_set is not None and good_set.given is None


def small(point: Any) -> Any:
    """Return a point with few coordinates, whose chance is quick to enclose."""
    if "rows" in point:
        return {**point, "rows": tuple((2, min(gamma, 0.25)) for _, gamma in point["rows"])}
    if "counts" in point:
        return {**point, "gamma": min(point["gamma"], 0.25)}
    if "w" not in point and isinstance(point["n"], tuple):
        levels = tuple(min(gamma, 0.25) for gamma in point["gamma"])
        return {**point, "n": (3,) * len(levels), "gamma": levels}
    fewest = {"w": 2} if "w" in point else {"n": 3}
    return {**point, **fewest, "gamma": min(point["gamma"], 0.25)}


@each_of("name", [name for name in PROMISES if PROMISES[name].good_set])
def test_true_printed_epsilons_keep_their_promises_together(name: str) -> None:
    answers = {one: truthful(one) for one in (name, chance_of(name))}
    for turn, point in enumerate(points_of(name, 3)):
        assert case_at(name, small(point), turn, answers)[1] is Verdict.CERTIFIED


@each_of("name", [name for name in PROMISES if PROMISES[name].good_set])
def test_a_printed_epsilon_alone_is_held_to_the_true_chance(name: str) -> None:
    """Nothing is refuted that is true; an epsilon of 0 is refuted.

    The chance is told by its parameters where doubles can have them; else it follows.
    """
    good_set = PROMISES[name].good_set
    assert good_set is not None
    told = [None] if good_set.given else [None, None]
    truth: Answers = {name: truthful(name)}
    nothing: Answers = {name: lambda **_: 0.0}
    verdicts = []
    for turn, point in enumerate(points_of(name, 8)):
        if turn < 3:
            assert case_at(name, small(point), turn, truth)[1] is Verdict.CERTIFIED
        found, verdict, _ = case_at(name, small(point), turn, nothing)
        assert [other.value for other in found.others] in (told, [])
        assert verdict is written(name, found)[0]
        verdicts.append(verdict)
    assert Verdict.REFUTED in verdicts
    assert Verdict.UNDECIDED not in verdicts


def test_a_tie_is_kept() -> None:
    """The worst of 3 and 5 loses exactly 35/64 at epsilon 0, which is a double."""
    answers: Answers = {"dirichlet.profile.total_variation": lambda **_: 35 / 64}
    point = {"alpha": 3.0, "step": 2.0}
    assert case_at("dirichlet.profile.total_variation", point, 0, answers)[1] is Verdict.CERTIFIED
    tied: Answers = {"dirichlet.profile.total_variation": lambda **_: 35 / 64 - 2**-45}
    assert case_at("dirichlet.profile.total_variation", point, 0, tied)[1] is Verdict.CERTIFIED
    below: Answers = {"dirichlet.profile.total_variation": lambda **_: 35 / 64 - 2**-30}
    assert case_at("dirichlet.profile.total_variation", point, 0, below)[1] is Verdict.REFUTED


def with_changed(name: str, change: Callable[[Any], Any]) -> Answering:
    """Return the sound function with its parameters changed on the way in."""
    return lambda **point: float64.quantities[name](**{**point, **change(point)})


FAULTS: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "b/4 for b/2 in k": ("dirichlet.identity.k_for_dp", lambda p: {"b": p["b"] / 2}),
    "2N for N": ("dirichlet.average.k_for_dp", lambda p: {"N": 2 * p["N"]}),
    "2N for N of counts": ("dirichlet.counts.k_for_dp", lambda p: {"N": 2 * p["N"]}),
    "a larger floor in k": ("dirichlet.identity.k_for_dp", lambda p: {"eta": p["eta"] * 1.1}),
    "a larger floor": ("dirichlet.profile.delta", lambda p: {"alpha": 1.1 * p["alpha"]}),
    "half a step": ("dirichlet.profile.epsilon", lambda p: {"step": p["step"] / 2}),
    "half a step in renyi": ("dirichlet.profile.renyi", lambda p: {"step": p["step"] / 2}),
    "the next pair": (
        "dirichlet.profile.delta",
        lambda p: {"alpha": p["alpha"] + p["step"]},
    ),
    "another epsilon": ("dirichlet.profile.step_for_renyi", lambda _: {"epsilon": 4}),
    "half a record": ("dirichlet.add_remove.delta", lambda p: {"step": p["step"] / 2}),
    "delta_inf for delta_2": (
        "dirichlet.renyi.epsilon_bound_alpha",
        lambda p: {"delta2_squared": p["delta2_squared"] / 8},
    ),
    "half an epsilon": ("dirichlet.composition.delta", lambda p: {"epsilon": 2 * p["epsilon"] + 2}),
}


@each_of("fault", FAULTS)
def test_unsafe_answers_are_refuted_by_neighbours_that_re_derive(fault: str) -> None:
    name, change = FAULTS[fault]
    answers: Answers = {name: with_changed(name, change)}
    for turn, point in enumerate(points_of(name, 60)):
        found, verdict, _ = case_at(name, point, turn, answers)
        if verdict is Verdict.REFUTED:
            break
    assert verdict is Verdict.REFUTED
    assert written(name, found)[0] is Verdict.REFUTED


@each_of("name", [name for name in PROMISES if chance_is_answered(name)])
def test_a_printed_epsilon_and_a_chance_that_do_not_hold_together_are_refuted(name: str) -> None:
    """An epsilon with nothing for the Betas, and the chance of no good set at all."""
    answers: Answers = {name: lambda **_: 1e-3, chance_of(name): lambda **_: 1e-9}
    refuted = 0
    for turn, point in enumerate(points_of(name, 10)):
        found, verdict, _ = case_at(name, point, turn, answers)
        if verdict is Verdict.REFUTED:
            refuted += 1
            assert written(name, found)[0] is Verdict.REFUTED
    assert refuted
    honest = {**float64.quantities, name: answers[name]}
    verdicts = {
        case_at(name, point, turn, honest)[1] for turn, point in enumerate(points_of(name, 10))
    }
    assert Verdict.UNDECIDED not in verdicts


DELTA = "dirichlet.profile.delta"
POINT = {"alpha": 1.5, "step": 0.25, "epsilon": 0.5}
TRUTH = truthful(DELTA)(**POINT)


def test_a_declared_slack_is_added_before_anything_is_refuted() -> None:
    answers: Answers = {DELTA: lambda **_: 0.95 * TRUTH}
    slack = Fraction(1, 10)
    assert case_at(DELTA, POINT, 0, answers)[1] is Verdict.REFUTED
    found, verdict, _ = case_at(DELTA, POINT, 0, answers, {DELTA: slack})
    assert verdict is Verdict.CERTIFIED
    assert written(DELTA, found, slack)[0] is Verdict.CERTIFIED
    assert written(DELTA, found)[0] is Verdict.REFUTED


@pytest.mark.parametrize(
    ("name", "point", "factor"),
    [
        ("dirichlet.profile.epsilon", {"alpha": 1.5, "step": 0.25, "delta": 1e-3}, 0.95),
        ("dirichlet.profile.step_for_dp", {"alpha": 1.5, "epsilon": 0.5, "delta": 1e-3}, 1.05),
        (
            "dirichlet.identity.k_for_dp",
            {"eta": 0.1, "b": 0.1, "epsilon": 3.0, "delta": 0.01},
            1.05,
        ),
    ],
)
def test_a_declared_slack_moves_an_epsilon_a_step_and_a_k(
    name: str, point: Any, factor: float
) -> None:
    answers: Answers = {name: lambda **_: factor * truthful(name)(**point)}
    assert case_at(name, point, 0, answers)[1] is Verdict.REFUTED
    slack = {name: Fraction(1, 10)}
    assert case_at(name, point, 0, answers, slack)[1] is Verdict.CERTIFIED


def test_an_epsilon_with_slack_is_rounded_up_to_a_double() -> None:
    name, point = "dirichlet.profile.epsilon", {"alpha": 1.5, "step": 0.25, "delta": 1e-3}
    for turn in range(8):
        answer = 1 + turn / 10
        found = case_at(name, point, turn, {name: lambda **_: answer}, {name: Fraction(1, 10)})[0]  # noqa: B023
        at: Any = found.others[0].parameters["epsilon"]
        assert math.nextafter(at, 0) < Fraction(answer) / Fraction(9, 10) <= at


def test_the_calibrated_release_has_the_floor_of_line_2_of_the_algorithm() -> None:
    point = {"order": 3, "step": 2, "delta2_squared": Fraction(2), "delta_inf": Fraction(5)}
    (space,) = PROMISES["dirichlet.renyi.epsilon_bound"].spaces(point)
    assert space == Released(Fraction(81), Fraction(2), Sensitive(Fraction(2), Fraction(5)))


def test_a_slack_of_the_chance_puts_the_truth_in_its_place() -> None:
    name, chance = "dirichlet.identity.epsilon_bound", "dirichlet.identity.delta_bound"
    point = {"k": 20.0, "eta": 0.1, "eta_bar": 0.1, "b": 0.1, "w": 2, "gamma": 0.02}
    answers = {**float64.quantities, chance: lambda **_: 0.0}
    found, verdict, _ = case_at(name, point, 0, answers, {chance: Fraction(1, 2)})
    assert verdict is Verdict.CERTIFIED
    assert [other.value for other in found.others] == [None, None]
    assert written(name, found)[0] is Verdict.CERTIFIED


@pytest.mark.parametrize("answer", [math.inf, 1e308])
def test_what_promises_nothing_is_kept(answer: float) -> None:
    name = "dirichlet.profile.epsilon"
    point = {"alpha": 1.5, "step": 0.25, "delta": 1e-3}
    found, verdict, _ = case_at(name, point, 0, {name: lambda **_: answer})
    assert verdict is Verdict.CERTIFIED
    assert written(name, found)[0] is Verdict.CERTIFIED


@pytest.mark.parametrize("answer", [0.0, -1.0, -math.inf])
def test_no_step_at_all_promises_nothing(answer: float) -> None:
    name = "dirichlet.profile.step_for_dp"
    point = {"alpha": 1.5, "epsilon": 0.5, "delta": 1e-3}
    found, verdict, _ = case_at(name, point, 0, {name: lambda **_: answer})
    assert verdict is Verdict.CERTIFIED
    assert found.others == ()


@pytest.mark.parametrize("answer", [math.inf, 1e300, 1e6])
def test_a_step_beyond_all_bounds_is_refuted(answer: float) -> None:
    name = "dirichlet.profile.step_for_dp"
    point = {"alpha": 1.5, "epsilon": 0.5, "delta": 1e-3}
    found, verdict, _ = case_at(name, point, 0, {name: lambda **_: answer})
    assert verdict is Verdict.REFUTED
    assert written(name, found)[0] is Verdict.REFUTED


def test_an_infinite_divergence_keeps_only_an_infinite_promise() -> None:
    name, point = "dirichlet.profile.renyi", {"alpha": 1.0, "step": 0.5, "order": 3.0}
    found, verdict, _ = case_at(name, point, 0, {name: lambda **_: 1e300})
    assert verdict is Verdict.REFUTED
    assert written(name, found)[0] is Verdict.REFUTED
    assert case_at(name, point, 0, {name: lambda **_: math.inf})[1] is Verdict.CERTIFIED
    assert case_at(name, point, 0, {name: lambda **_: -math.inf})[1] is Verdict.REFUTED


@each_of("name", ["dirichlet.profile.epsilon", BOUND])
@each_of("answer", [-1.0, -math.inf])
def test_an_epsilon_below_0_is_held_to_what_is_lost_at_0(name: str, answer: float) -> None:
    point = ROOM if name == BOUND else {"alpha": 1.5, "step": 0.25, "delta": 1e-3}
    found, verdict, _ = case_at(name, point, 0, {name: lambda **_: answer})
    assert verdict is Verdict.REFUTED
    assert written(name, found)[0] is Verdict.REFUTED


@each_of("answer", [math.nan, "1", None, [1.0]])
def test_what_is_no_number_is_an_error(answer: object) -> None:
    with pytest.raises(NoNumberError):
        case_at(DELTA, POINT, 0, {DELTA: lambda **_: answer})


def test_a_chance_that_is_no_number_is_an_error() -> None:
    name = BOUND
    answers = {**float64.quantities, "dirichlet.identity.delta_bound": lambda **_: math.nan}
    with pytest.raises(NoNumberError) as caught:
        case_at(name, ROOM, 0, answers)
    assert caught.value.parameters == ROOM


def test_the_same_point_gives_the_same_neighbours_and_another_turn_others() -> None:
    answers: Answers = {DELTA: lambda **_: 1.0}
    cases = [case_at(DELTA, POINT, turn, answers)[0] for turn in (1, 1, 3)]
    assert cases[0] == cases[1] != cases[2]


def test_every_release_of_a_composition_has_its_worst_pair_in_turn() -> None:
    name = "dirichlet.composition.delta"
    point = {"releases": ((1.0, 0.25, 1), (2.0, 0.5, 1)), "epsilon": 1.0}
    pairs = [
        case_at(name, point, turn, float64.quantities)[0].others[0].parameters["u"]
        for turn in (0, 2)
    ]
    assert pairs == [(1.25, 1.0), (2.5, 2.0)]


# What is no witness of this law.

FOUND = case_at(DELTA, POINT, 0, {DELTA: lambda **_: TRUTH})[0]
PAIR = FOUND.others[0].parameters
ULP = 2.0**-40


def other(quantity: str = "dirichlet.pair.delta", value: Any = None, **changed: Any) -> StatedOther:
    return StatedOther(quantity, {**PAIR, **changed}, value)


def test_the_witness_that_is_changed_below_is_one() -> None:
    assert PAIR == {"u": (1.75, 1.5), "v": (1.5, 1.75), "epsilon": 0.5}
    assert written(DELTA, FOUND, others=[other()])[0] is Verdict.CERTIFIED


@each_of(
    "others, says",
    [
        ([other(u=(1.75, 1.5 - ULP), v=(1.5, 1.75 - ULP))], "not neighbours"),
        ([other(u=(1.75 + ULP, 1.5), v=(1.5, 1.75 + ULP))], "not neighbours"),
        ([other(u=(1.75, 1.5), v=(1.5, 1.75 + ULP))], "outside the domain"),
        ([other(u=(1.75, 1.5), v=(1.5, 1.5))], "not neighbours"),
        ([other(u=(1.75, 1.5, 2.0), v=(1.5, 1.75, 2.0))], "not neighbours"),
        ([other(epsilon=0.25)], "not the epsilon that was answered for"),
        ([other(epsilon=0.75)], "not the epsilon that was answered for"),
        ([other(value=Fraction(1))], "not answered but enclosed"),
        ([], "not a pair and what belongs to it"),
        ([other(), other()], "not a pair and what belongs to it"),
        ([StatedOther(DELTA, POINT, None)], "not a pair and what belongs to it"),
    ],
)
def test_a_witness_that_is_not_of_the_laws_form_is_refused(others: Any, says: str) -> None:
    with pytest.raises(InputError, match=says):
        written(DELTA, FOUND, others=others)


def test_an_entry_of_an_array_is_refused() -> None:
    with pytest.raises(InputError, match="has no entry"):
        written(DELTA, FOUND, place=(1,))


def test_a_pair_where_nothing_is_promised_is_refused() -> None:
    name = "dirichlet.profile.epsilon"
    point = {"alpha": 1.5, "step": 0.25, "delta": 1e-3}
    with pytest.raises(InputError, match="where nothing is promised"):
        written(name, FOUND, parameters=point, value=math.inf)


def test_a_chance_of_another_good_set_is_refused() -> None:
    found = case_at(BOUND, ROOM, 0, float64.quantities)[0]
    pair, chance = found.others
    assert written(BOUND, found)[0] is Verdict.CERTIFIED
    wrong = StatedOther(chance.quantity, {**chance.parameters, "gamma": 0.5}, Fraction(1))
    others = [StatedOther(pair.quantity, dict(pair.parameters), None), wrong]
    with pytest.raises(InputError, match="not that of the answer"):
        written(BOUND, found, others=others)


@each_of(
    "name, point",
    [
        (BOUND, {**ROOM, "b": 1.0, "eta": 0.3}),
        (BOUND, {**ROOM, "w": 9}),
        (BOUND, {**ROOM, "b": 0.5, "eta": 0.2, "eta_bar": 0.2}),
        (
            "dirichlet.counts.epsilon_bound",
            {"k": 20.0, "eta": 0.19, "N": 10, "n": 5, "gamma": 0.01},
        ),
    ],
)
def test_where_no_theorem_holds_another_point_is_asked_and_such_a_witness_refused(
    name: str, point: Any
) -> None:
    found, verdict, _ = case_at(name, point, 0, float64.quantities)
    assert found.parameters != point
    assert verdict is Verdict.CERTIFIED
    with pytest.raises(InputError, match="a pair, where nothing is promised"):
        written(name, found, parameters=point)


# Neighbours in doubles.


@pytest.mark.parametrize("worst", [True, False])
def test_neighbours_in_doubles_keep_floor_and_step_exactly(*, worst: bool) -> None:
    tenth = Fraction(1, 10)
    for turn in range(60):
        scale = Fraction(10) ** (turn % 13 - 6)
        values = Sensitive(Fraction(2), Fraction(1))
        for space in (
            Floored(scale / 3, tenth),
            Grown(tenth / 3, scale / 7),
            Released(scale / 3, tenth, values),
        ):
            pair = neighbours_in(space, f"{turn}", worst=worst)
            u, v = (tuple(map(Fraction, side)) for side in pair)
            assert min(u + v) > 0
            assert space.are_adjacent(u, v)
            assert worst <= (u != v)


def test_neighbours_are_at_the_floor_and_a_whole_step_apart_where_doubles_have_them() -> None:
    pair = neighbours_in(Floored(Fraction(1), Fraction(1, 4)), "", worst=True)
    assert pair == ((1.25, 1.0), (1.0, 1.25))


@each_of(
    "u, v, adjacent",
    [
        (("1", "5"), ("1.5", "5"), True),
        (("1.5", "5"), ("1", "5"), True),
        (("1", "5"), ("1", "5"), True),
        (("1", "5"), ("1.6", "5"), False),
        (("0.9", "5"), ("1", "5"), False),
        (("1", "0.5"), ("1.5", "0.5"), False),
        (("1", "5"), ("1.2", "5.2"), False),
        (("1", "5"), ("1.5", "5", "5"), False),
    ],
)
def test_a_record_comes_or_goes_above_the_floor(u: Any, v: Any, *, adjacent: bool) -> None:
    space = Grown(Fraction(1), Fraction(1, 2))
    assert space.are_adjacent(tuple(map(Fraction, u)), tuple(map(Fraction, v))) is adjacent


@each_of(
    "u, v, adjacent",
    [
        (("1", "3"), ("3", "1"), True),
        (("1", "3"), ("3.1", "1"), False),
        (("0.9", "3"), ("2", "1"), False),
        (("1", "3", "1"), ("3", "1", "1.1"), False),
        (("1", "3", "1"), ("3", "1"), False),
    ],
)
def test_values_change_within_their_sensitivities(u: Any, v: Any, *, adjacent: bool) -> None:
    space = Released(Fraction(1), Fraction(2), Sensitive(Fraction(2), Fraction(1)))
    assert space.are_adjacent(tuple(map(Fraction, u)), tuple(map(Fraction, v))) is adjacent
