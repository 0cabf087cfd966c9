"""What quantities state of their answers beyond one point: complete, well formed, and in a note."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from each import each
from simplexcert.reference import quantities
from simplexcert.reference.domain import Condition, Positive
from simplexcert.reference.quantity import Side, Truth, quantity, quantity_named
from simplexcert.reference.relations import (
    UNKNOWN,
    Bound,
    End,
    InverseOf,
    Order,
    Trend,
    Trends,
    bounds,
    ends,
    more,
    trends,
)
from simplexcert.reference.relations import each as entry_by_entry
from stated_laws import NOTE, TESTS, missing
from tried_trends import require_trend

NUMBERS, ENTRYWISE, CONTAINED, RELEASES = Order


def test_every_quantity_says_how_it_rises_and_falls_or_that_this_is_unknown() -> None:
    silent = [name for name, item in quantities().items() if item.trends is None]
    assert not silent, f"give @quantity rises and falls, or rises=UNKNOWN: {', '.join(silent)}"


@pytest.mark.usefixtures("made_up")
def test_silence_is_told_from_what_is_unknown() -> None:
    def registered(name: str, **said: Trends) -> tuple[Trend, ...] | None:
        @quantity(name, safe=Side.UPPER, truth=Truth.LEAST, source="a test", **said)  # type: ignore[arg-type]
        def size(k: Positive) -> Fraction:
            """Size."""
            return k

        return quantity_named(name).trends

    assert registered("made.silent") is None
    assert registered("made.unknown", rises=UNKNOWN) == ()
    assert registered("made.risen", rises="k") == (Trend("k"),)
    assert registered("made.fallen", falls="k") == (Trend("k", rises=False),)


@pytest.mark.usefixtures("made_up")
@pytest.mark.parametrize(
    "stated",
    [
        {"rises": "k"},
        {"falls": ("scale", more("k"))},
        {"rises": UNKNOWN, "vanishes": "low k"},
        {"rises": UNKNOWN, "quick": "k.count <= 3"},
        {"rises": UNKNOWN, "inverse": InverseOf("dirichlet.profile.delta", "k", "step")},
    ],
)
def test_a_relation_to_a_parameter_that_there_is_not_is_refused(stated: dict[str, object]) -> None:
    register = quantity("made.x", safe=Side.UPPER, truth=Truth.LEAST, source="a test", **stated)  # type: ignore[arg-type]

    def size(scale: Positive) -> Fraction:
        """Size."""
        return scale

    with pytest.raises(ValueError, match=r"made\.x takes scale, and no k"):
        register(size)


def test_trends_of_numbers_come_first_and_each_knows_its_direction() -> None:
    where = Condition("a > 0", lambda a: a > 0, "a test")
    found = trends((more("a"), "b c"), (entry_by_entry("d"), Trend("e", where=where)))
    assert [(trend.parameter, trend.rises) for trend in found] == [
        ("b", True),
        ("c", True),
        ("a", True),
        ("d", False),
        ("e", False),
    ]
    assert not found[-1].holds_at({"a": Fraction(0)})
    assert found[-1].holds_at({"a": Fraction(1)})


def test_ends_and_bounds_are_read_from_their_texts() -> None:
    assert ends("high epsilon, low step") == (
        End("epsilon", lowest=False),
        End("step", lowest=True),
    )
    assert bounds("eta <= 0.2, b >= 1/20") == (
        Bound("eta", lower=False, value=Fraction(1, 5)),
        Bound("b", lower=True, value=Fraction(1, 20)),
    )
    assert ends("") == bounds("") == ()
    for read, text in ((ends, "step"), (ends, "most step"), (bounds, "b > 1"), (bounds, "b >= x")):
        with pytest.raises((KeyError, ValueError)):
            read(text)


def test_orders_of_collections_and_lists() -> None:
    assert NUMBERS.is_at_most(1, 1)
    assert not NUMBERS.is_at_most(2, 1)
    assert CONTAINED.is_at_most((2, 1), (1, 2, 2))
    assert not CONTAINED.is_at_most((2, 2), (1, 2))
    assert ENTRYWISE.is_at_most((1, 2), (1, 3))
    assert not ENTRYWISE.is_at_most((1, 2), (2, 1))
    assert not ENTRYWISE.is_at_most((1,), (1, 1))
    one, safer = (Fraction(2), Fraction(1), 2), (Fraction(3), Fraction(1), 2)
    assert RELEASES.is_at_most((one, safer), (safer, one))
    assert RELEASES.is_at_most((safer,), (one,))
    assert RELEASES.is_at_most((safer,), (one, one))
    assert not RELEASES.is_at_most((one,), (safer, safer))
    assert not RELEASES.is_at_most((safer, safer), (one,))
    assert not RELEASES.is_at_most((one,), ((Fraction(1), Fraction(1, 2), 2),))
    assert not RELEASES.is_at_most((one,), ((Fraction(1), Fraction(1), 1),))


def test_a_trend_is_in_an_order_that_its_parameter_can_have() -> None:
    for item in quantities().values():
        for trend in item.trends or ():
            kind = item.parameters[trend.parameter].kind
            assert (trend.order is NUMBERS) == (kind in ("real", "integer")), (item.name, trend)


def test_an_inverse_gives_its_forward_quantity_all_that_it_takes() -> None:
    inverses = [item for item in quantities().values() if item.inverse]
    for item in inverses:
        inverse = item.inverse
        assert inverse is not None
        forward = quantity_named(inverse.quantity)
        taken = {*inverse.multiples, *filter(None, [inverse.solves])}
        assert taken
        assert taken <= {*forward.parameters}, item.name
        assert {*forward.parameters} - taken <= {*item.parameters}, item.name
        if inverse.solves:  # then it takes nothing else but the target
            assert {*item.parameters} - {inverse.target} <= {*forward.parameters}, item.name
        # On which side a multiple is rounded is read from how the forward quantity moves.
        moved = {trend.parameter for trend in forward.trends or ()}
        assert {*inverse.multiples} <= moved, item.name
    assert inverses


def test_a_promise_of_two_answers_names_a_chance_that_the_point_gives() -> None:
    sets = [(item, item.promise.good_set) for item in quantities().values() if item.promise]
    for item, good_set in sets:
        if good_set is not None and good_set.given is None:
            assert {*quantity_named(good_set.delta).parameters} <= {*item.parameters}, item.name
        if good_set is not None and good_set.where is not None:
            assert {*good_set.where.names} <= {*item.parameters}, item.name
    assert any(good_set for _, good_set in sets)


def test_whatever_is_stated_has_its_proof_and_its_test() -> None:
    told = missing(quantities(), NOTE.read_text("utf-8"), TESTS.read_text("utf-8"))
    assert not told, "\n".join(told)


@pytest.mark.usefixtures("made_up")
def test_what_has_no_proof_or_no_test_is_told_with_what_to_write() -> None:
    @quantity("made.size", safe=Side.UPPER, truth=Truth.LEAST, source="a test", rises="k")
    def size(k: Positive) -> Fraction:
        """Size."""
        return k

    made = {"made.size": quantity_named("made.size")}
    line = "| `made.size` | k | | | [LAW](#LAW) |"
    proved, tests = "## sizes\n\n`made.size` is k.\n\n", 'require_trends("sizes")'
    for text, tried, told in (
        (proved, tests, line),
        (f"{line.replace('LAW', 'sizes')}\n", tests, "prove under `## sizes`"),
        (f"{proved}{line.replace('LAW', 'sizes')}\n", "", tests),
        (f"{proved}{line.replace('LAW', 'sizes').replace('| k |', '| |')}\n", tests, "| k |"),
    ):
        (found,) = missing(made, text, tried)
        assert told in found
    assert not missing(made, f"{proved}{line.replace('LAW', 'sizes')}\n", tests)
    (found,) = missing({}, f"{line.replace('LAW', 'sizes')}\n", tests)
    assert found.startswith("take the row of `made.size` out")


@each(["dirichlet.profile.delta", "dirichlet.renyi.step", "markov.model.epsilon_bound"])
def test_a_trend_the_wrong_way_round_is_found(name: str) -> None:
    item = quantity_named(name)
    for trend in item.trends or ():
        with pytest.raises(AssertionError):
            require_trend(item, replace(trend, rises=not trend.rises))
