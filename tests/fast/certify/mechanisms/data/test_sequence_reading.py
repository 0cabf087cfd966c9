"""States read off a file: their numbers, where pieces begin, and that nothing shows them."""

from __future__ import annotations

import time
from pathlib import Path
from random import Random

import pytest
from noise_cases import STATES, column
from private_files import require_quiet
from simplexcert.certify.mechanisms.data.sequence import States, by_node, one_piece, pieces
from simplexcert.certify.mechanisms.data.table import Table, read_table
from simplexcert.reference.errors import InputError


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """Six drawn states of two pieces."""
    file = tmp_path / "states.csv"
    file.write_text(column(*Random(3).choices(STATES, k=6)), encoding="utf-8")  # noqa: S311
    return read_table(file)


def _fields(table: Table, found: States) -> bool:
    return table.column("state") == [STATES[at] for at in found.numbers]


def test_states_are_numbered_in_the_order_of_the_labels(table: Table) -> None:
    found = one_piece(table, "state", STATES, 6)
    assert _fields(table, found)
    assert found.lengths == (6,)
    assert [*found.starts] == [0]
    assert sum(found.counts(5)) == 6
    assert found.counts(5)[3:] == [0, 0]


def test_pieces_begin_where_the_name_of_the_piece_changes(tmp_path: Path) -> None:
    file = tmp_path / "days.csv"
    lines = [f"{day},{STATES[0]}" for day in "aabccc"]
    file.write_text("\n".join(["day,state", *lines]), encoding="utf-8")
    found = pieces(read_table(file), "state", STATES, "day", (2, 1, 3))
    assert [*found.starts] == [0, 2, 3]
    assert found.place(3).endswith("line 5")


def test_each_node_has_labels_of_its_own(table: Table) -> None:
    own = [[label] for label in table.column("state")]
    assert [*by_node(table, "state", own).numbers] == [0] * 6
    with pytest.raises(InputError, match="line 4") as caught:
        by_node(table, "state", [*own[:2], ["else"], *own[3:]])
    require_quiet(caught.value, {"zq_private"})


def test_what_was_read_is_not_shown(table: Table) -> None:
    found = one_piece(table, "state", STATES, 6)
    assert "zq_private" not in f"{found!r} {found} {table!r}"
    assert "numbers" not in repr(found)


def test_a_million_states_are_numbered_in_seconds(tmp_path: Path) -> None:
    file = tmp_path / "long.csv"
    file.write_text("state\n" + "a\nb\n" * 500_000, encoding="utf-8")
    started = time.process_time()
    found = one_piece(read_table(file), "state", ("a", "b"), 1_000_000)
    assert found.counts(2) == [500_000, 500_000]
    assert time.process_time() - started < 5
