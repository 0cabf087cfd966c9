"""The hunt: what is kept first, then draws, then steps that close in on spikes.

Kept worst inputs: every shipped one is a point of its domain, and is replayed first.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from math import ceil
from pathlib import Path
from typing import Any

import pytest
from each import each, each_of
from simplexcert.certify import certify_backend
from simplexcert.certify.campaign import Batch, batches, run_batch
from simplexcert.certify.campaign.batches import drawn_of
from simplexcert.certify.certificate import canonical_bytes, statement_of
from simplexcert.certify.certificate.worst_inputs import worst_of_certificate
from simplexcert.certify.points import Point, exact_point, point_from, written
from simplexcert.certify.search import hunt
from simplexcert.certify.search.draws import GRID_BITS
from simplexcert.certify.search.hunt import grown, hunted, kept_points, kept_table, write_table
from simplexcert.certify.search.local import Steps, at, at_ends, leaves, moved_mass, near
from simplexcert.certify.search.strategies import point_at, points_from
from simplexcert.reference import Quantity, quantities
from simplexcert.reference.domain import Interval, Law
from simplexcert.reference.errors import InputError
from simplexcert.reference.structures import ChainLaw

ALL = quantities()
TOTAL_VARIATION = ALL["dirichlet.profile.total_variation"]
STEPS = 40
# One of every kind of parameter: numbers, vectors, laws, tables, words, chains, networks.
OF_EVERY_KIND = [
    "dirichlet.identity.epsilon_bound",
    "dirichlet.tail.general",
    "dirichlet.utility.expected_kl",
    "dirichlet.composition.delta",
    "dirichlet.matrix.delta_bound",
    "markov.fundamental_norm",
    "markov.benvenuti2025.lemma_4",
    "pufferfish.max_influence",
    "pufferfish.quilt_scale_exact",
    "pufferfish.wasserstein",
    "pufferfish.network_scale",
    "pufferfish.network_influence",
    "pufferfish.instantiation_loss",
]


def examined(
    quantity: Quantity,
    cases: int,
    badness: Callable[[Point], Fraction] = lambda _: Fraction(0),
    seed: str = "s",
    climbing: bool = True,
    kept: Iterable[Point] = (),
) -> list[Point]:
    """Return the points of a hunt: half of them drawn, or all where there is no climbing."""
    found: list[Point] = []
    drawn = islice(points_from(quantity, seed), ceil(cases / 2) if climbing else cases)

    def examine(point: Point) -> Fraction:
        found.append(point)
        return badness(point)

    hunted(quantity, examine, cases, seed, drawn=drawn, found=kept)
    return found


@each_of("name", OF_EVERY_KIND)
def test_steps_stay_in_the_domain_and_change_something(name: str) -> None:
    item, rng = ALL[name], Steps(name)
    (start,) = examined(item, 1, climbing=False)
    taken = [step for step in (near(item, start, rng) for _ in range(STEPS)) if step]
    assert len(taken) > STEPS / 4
    for step in taken:
        assert step != start
        assert item.admits(exact_point(step))
        assert [*step] == [*start]


@each_of("name", OF_EVERY_KIND)
def test_numbers_stay_where_to_search_and_laws_on_the_grid(name: str) -> None:
    item, rng = ALL[name], Steps(name)
    (point,) = examined(item, 1, climbing=False)
    for _ in range(STEPS):
        point = near(item, point, rng) or point
    for parameter, domain in item.parameters.items():
        for path, leaf in leaves(domain, point[parameter]):
            _require_searched(leaf, at(point[parameter], path))


def _require_searched(leaf: object, value: Any) -> None:
    if isinstance(leaf, Law):
        assert sum(map(Fraction, value)) == 1
        assert all((Fraction(share) * 2**GRID_BITS).denominator == 1 for share in value)
    if isinstance(leaf, Interval):
        low, high = (float(end) for end in leaf.search)
        ends = (leaf.at_least, leaf.at_most)
        assert low <= abs(value) <= high or value == 0 or value in ends
        assert isinstance(value, int) == (leaf.kind == "integer")


def test_steps_are_of_every_size_from_the_whole_range_to_a_neighbouring_double() -> None:
    rng = Steps("sizes")
    start: Point = {"alpha": 1.0, "step": 3.0}
    taken = [step for step in (near(TOTAL_VARIATION, start, rng) for _ in range(400)) if step]
    moves = [abs(math.log2(float(step["alpha"]))) for step in taken if step["alpha"] != 1.0]
    assert any(step["alpha"] == math.nextafter(1, 2) for step in taken)
    assert max(moves) > 5
    for small, large in ((2**-50, 2**-30), (2**-30, 2**-15), (2**-15, 2**-5), (2**-5, 1)):
        assert any(small <= move < large for move in moves)


def test_a_size_that_led_to_something_worse_is_tried_again() -> None:
    rng = Steps("again")
    while not 2**-31 < rng.size() < 2**-30:
        pass
    rng.worked()
    found = [rng.size() for _ in range(100)]
    assert sum(2**-35 < size < 2**-28 for size in found) > 40


def test_mass_moves_between_two_shares_alone() -> None:
    rng, shares = Steps("mass"), (0.5, 0.25, 0.25 - 2.0**-40, 2.0**-40)
    for _ in range(200):
        moved = moved_mass(shares, rng)
        assert sum(map(Fraction, moved)) == 1
        assert min(moved) >= 0
        assert sum(a != b for a, b in zip(moved, shares, strict=True)) in (0, 2)  # 0: none to give


def test_every_parameter_is_put_to_the_ends_of_where_it_is_searched() -> None:
    start: Point = {"alpha": (1.0, 2.0), "rest": 3.0, "gamma": 0.1}
    found = list(at_ends(ALL["dirichlet.tail.general"], start))
    assert {point["rest"] for point in found} == {0.0, 1e-3, 1e3, 3.0}
    assert {point["gamma"] for point in found} == {0.0, 1e-12, 1.0, 0.1}
    assert all(sum(point[name] != start[name] for name in start) == 1 for point in found)


def test_half_of_the_points_are_steps_and_the_other_half_is_drawn_as_if_alone() -> None:
    drawn = examined(TOTAL_VARIATION, 50, climbing=False)
    both = examined(TOTAL_VARIATION, 100)
    assert both[:50] == drawn
    assert len(both) == 100


def test_steps_share_parameters_with_what_was_tried_before() -> None:
    """So a cache that leaves a parameter out of its key is found."""
    found = examined(TOTAL_VARIATION, 100)
    shared = sum(
        any(
            point["alpha"] == step["alpha"] or point["step"] == step["step"] for point in found[:at]
        )
        for at, step in enumerate(found)
        if at >= 50
    )
    assert shared > 30


def test_kept_points_come_after_the_drawn_ones_and_are_climbed_from() -> None:
    kept: list[Point] = [{"alpha": 7.0, "step": 5.0}, {"alpha": 8.0, "step": 5.0}]
    found = examined(TOTAL_VARIATION, 20, kept=kept)
    assert found[10:12] == kept
    assert len(found) == 20


def test_a_drawn_point_is_examined_though_it_was_before_and_a_kept_one_is_not() -> None:
    one: Point = {"alpha": 7.0, "step": 5.0}
    found: list[Point] = []

    def examine(point: Point) -> Fraction:
        found.append(point)
        return Fraction(0)

    hunted(TOTAL_VARIATION, examine, 3, "s", drawn=[one, one], found=[one])
    assert found[:2] == [one, one]
    assert found[2] != one


def test_a_domain_of_fewer_points_than_cases_is_said_to_have_no_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("simplexcert.certify.search.hunt.MOST_TRIES", 1_000)
    few = {name: Interval("integer", search=("1", "2")) for name in TOTAL_VARIATION.parameters}
    small = replace(TOTAL_VARIATION, parameters=few, conditions=())
    with pytest.raises(InputError, match=r"no 5 different points were found.*declare a larger one"):
        hunted(small, lambda _: Fraction(0), 5, "s")


def spike(point: Point) -> Fraction:
    """Above 1 in one place in 7,000 of the range, in log scale, and falling off slowly."""
    away = abs(math.log(float(point["alpha"]) / math.pi)) + 1e-9
    return Fraction(min(1e-3 / away, 10.0))


def test_steps_find_a_spike_that_draws_miss() -> None:
    with_steps = examined(TOTAL_VARIATION, 1000, spike, "3")
    without = examined(TOTAL_VARIATION, 1000, spike, "3", climbing=False)
    assert max(map(spike, with_steps)) > 1
    assert max(map(spike, without)) < 1


def test_the_hunt_depends_on_the_seed_alone() -> None:
    runs = [examined(TOTAL_VARIATION, 60, spike, seed) for seed in ("s", "s", "t")]
    assert runs[0] == runs[1] != runs[2]


def test_a_domain_of_few_points_is_gone_through() -> None:
    item = ALL["dirichlet.profile.total_variation"]
    few = {name: Interval("integer", search=("1", "4")) for name in item.parameters}
    small = replace(item, parameters=few, conditions=())
    found: list[Point] = []

    def examine(point: Point) -> Fraction:
        found.append(point)
        return Fraction(0)

    hunted(small, examine, 16, "s")
    assert len({tuple(point.values()) for point in found}) == 16


def test_a_whole_number_is_not_moved_beyond_where_it_is_searched() -> None:
    quantity = quantities()["pufferfish.chain_wasserstein"]
    half = ((0.5, 0.5), (0.5, 0.5))
    point = {"chains": (ChainLaw((0.5, 0.5), half),), "length": 2, "values": ((0.0, 1.0),)}  # type: ignore[arg-type]
    assert {moved["length"] for moved in at_ends(quantity, point)} == {1, 5}


NAME = "dirichlet.profile.total_variation"
HALF = {"alpha": "0x1.0p-1", "step": "0x1.8p+1"}


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    file = tmp_path / "worst.json"
    monkeypatch.setattr(batches, "kept_points", lambda quantity: kept_points(quantity, file))
    return file


def test_no_shipped_entry_is_stale() -> None:
    for name, points in kept_table().items():
        assert name in ALL
        for point in points:
            assert ALL[name].admits(exact_point(point_from(ALL[name], point)))


def test_every_family_has_a_shipped_entry_and_none_stands_twice() -> None:
    table = kept_table()
    assert {name.rpartition(".")[0].split(".")[-1] for name in table} >= {
        "profile", "tail", "identity", "average", "counts", "matrix", "composition", "renyi",
        "add_remove", "utility", "markov", "pufferfish",
    }  # fmt: skip
    for points in table.values():
        assert len({json.dumps(each, sort_keys=True) for each in points}) == len(points)


@each(sorted(ALL))
def test_what_is_written_is_read_as_it_was_drawn(name: str) -> None:
    item = ALL[name]

    def keep(point: Any) -> Any:
        text = json.dumps({key: written(value) for key, value in point.items()})
        again = point_from(item, json.loads(text))
        assert again == point
        assert repr(again) == repr(point)
        return 0

    hunted(item, keep, 6, "written", drawn=islice(points_from(item, "written"), 3))


def test_a_stale_entry_is_left_out(table: Path) -> None:
    stale = [{"alpha": "0x1p0"}, {**HALF, "step": "-0x1p0"}, {**HALF, "step": "0.1"}, HALF]
    write_table({NAME: stale, "no.such.quantity": [HALF]}, table)
    assert kept_points(ALL[NAME], table) == ({"alpha": 0.5, "step": 3.0},)


@each_of(
    "value",
    [
        "0x1p99999",
        "0xzz",
        "nan",
        [[[[[[[["0x1p0"]]]]]]]],
        {"a": 1},
        True,
        None,
        "0x1.8p+1 ",
        10**400,
    ],
)
def test_hostile_values_are_refused_one_by_one(value: Any) -> None:
    with pytest.raises(InputError):
        point_from(ALL[NAME], {"alpha": value, "step": {"x": value}})


@each_of("text", ["", "[]", '{"a": 1}', '{"a": [1]}', "[" * 10_000, '{"a":[],"a":[]}'])
def test_what_is_no_table_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "worst.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError):
        kept_table(file)


def test_kept_points_are_replayed_once_what_is_drawn_was_asked(table: Path) -> None:
    entries = [{"alpha": float(at).hex(), "step": "0x1p0"} for at in range(1, 9)]
    write_table({NAME: entries}, table)
    for cases, replayed in ((40, 8), (10, 5), (1, 0)):
        batch = run_batch(Batch(None, NAME, 0, cases, "s"))
        asked = [case for case in batch if case.check == "direction"]
        assert len(asked) == cases
        drawn, found = asked[: drawn_of(cases)], asked[drawn_of(cases) :]
        assert {case.kind for case in drawn} == {"drawn"}
        assert {case.kind for case in found} <= {"found"}
        assert [case.parameters["alpha"] for case in found[:replayed]] == [
            float(at) for at in range(1, replayed + 1)
        ]
        item = ALL[NAME]
        assert [case.parameters for case in drawn] == [
            point_at(item, "s", index) for index in range(drawn_of(cases))
        ]
    second = run_batch(Batch(None, NAME, 1, 20, "s", drawn=50))
    assert second[0].parameters == point_at(ALL[NAME], "s", 50)
    assert all(case.parameters["step"] != 1.0 for case in second[:10])


def test_the_file_grows_by_the_worst_of_a_certificate(table: Path, tmp_path: Path) -> None:
    write_table({NAME: [HALF]}, table)
    certificate = tmp_path / "certificate.json"
    certificate.write_bytes(
        canonical_bytes(statement_of(certify_backend(quantities=NAME, cases=5)))
    )
    more = grown(kept_table(table), worst_of_certificate(certificate))
    assert more[NAME][-1] == HALF
    assert 2 <= len(more[NAME]) <= 3
    assert grown(more, worst_of_certificate(certificate)) == more
    write_table(more, table)
    assert kept_table(table) == more


def test_the_shipped_file_is_as_it_would_be_written(tmp_path: Path) -> None:
    write_table(kept_table(), tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == hunt.WORST_INPUTS.read_bytes()
