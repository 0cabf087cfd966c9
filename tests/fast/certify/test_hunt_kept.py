"""Kept worst inputs: every shipped one is a point of its domain, and is replayed first."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from each import each
from simplexcert.certify import certify
from simplexcert.certify.campaign import Batch, batches, run_batch
from simplexcert.certify.campaign.batches import drawn_of
from simplexcert.certify.certificate import canonical_bytes, statement_of
from simplexcert.certify.certificate.worst_inputs import worst_of_certificate
from simplexcert.certify.points import exact_point, point_from, written
from simplexcert.certify.search import corpus
from simplexcert.certify.search.corpus import grown, kept_points, kept_table, write_table
from simplexcert.certify.search.hunt import hunted
from simplexcert.certify.search.strategies import point_at, points_from
from simplexcert.reference import quantities
from simplexcert.reference.errors import InputError

ALL = quantities()
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


@pytest.mark.parametrize(
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


@pytest.mark.parametrize(
    "text", ["", "[]", '{"a": 1}', '{"a": [1]}', "[" * 10_000, '{"a":[],"a":[]}']
)
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
    certificate.write_bytes(canonical_bytes(statement_of(certify(quantities=NAME, cases=5))))
    more = grown(kept_table(table), worst_of_certificate(certificate))
    assert more[NAME][-1] == HALF
    assert 2 <= len(more[NAME]) <= 3
    assert grown(more, worst_of_certificate(certificate)) == more
    write_table(more, table)
    assert kept_table(table) == more


def test_the_shipped_file_is_as_it_would_be_written(tmp_path: Path) -> None:
    write_table(kept_table(), tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == corpus.WORST_INPUTS.read_bytes()
