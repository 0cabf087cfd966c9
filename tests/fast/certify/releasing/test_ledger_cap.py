"""The cap of a ledger: fixed with the first release, counted in claims, and never passed."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import pytest
import rfc8785
from command_line import calling
from each import each_of
from ledger_entries import GRADES, SAID, entry, grades, output
from private_data import given
from simplexcert.certify.cli import run
from simplexcert.certify.releasing import draw_release, published, running
from simplexcert.certify.releasing.ledger import (
    Cap,
    Entry,
    cap_of,
    composed,
    open_ledger,
    read_ledger,
)
from simplexcert.certify.releasing.ledger.composition import CAPPED, NO_ODOMETER
from simplexcert.certify.releasing.ledger.contents import NO_RELEASES, ledger_bytes
from simplexcert.reference.errors import InputError

COUNTS: Mapping[str, Any] = {"k": 10, "eta": "0.1", "N": 98, "n": 5}
P = [["0.9", "0.1"], ["0.4", "0.6"]]
CHAIN: Mapping[str, Any] = {"chains": [{"initial": "stationary", "P": P}], "length": 100}
STATES: Mapping[str, Any] = {"states": ["a", "b"], "column": "state"}


def histogram(epsilon: Any, order: Any = 5, **changed: Any) -> Entry:
    table = {"step": "0.1", "alpha": 20, **changed}
    return entry("dirichlet.renyi", table, {"epsilon": epsilon, "order": order}, {})


def chain(scale: Any, epsilon: Any = 1) -> Entry:
    return entry("pufferfish.chain", {**CHAIN, "scale": scale}, {"epsilon": epsilon}, STATES)


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    return tmp_path / "ledger.json"


def commit(ledger: Path, of: Entry, cap: Cap | None = None) -> None:
    """Record a release under the next name."""
    with open_ledger(ledger, cap) as it:
        target = ledger.parent / f"r{len(it.ledger.entries)}"
        it.require_possible(of, {target: output(of)})
        it.commit(of, {target: output(of)})


def refused(ledger: Path, of: Entry, match: str, cap: Cap | None = None) -> None:
    """Require that nothing is recorded, neither when it is tried nor when it is done at once."""
    before = ledger.read_bytes() if ledger.exists() else None
    with pytest.raises(InputError, match=match):
        commit(ledger, of, cap)
    with pytest.raises(InputError, match=match), open_ledger(ledger, cap) as it:
        it.commit(of, {ledger.parent / "at once": output(of)})
    assert (ledger.read_bytes() if ledger.exists() else None) == before
    assert not (ledger.parent / "at once").exists()


def test_claims_are_counted_until_the_cap_is_reached(ledger: Path) -> None:
    commit(ledger, grades(), cap_of("10", "0.0052"))
    commit(ledger, grades())
    refused(ledger, grades(), r"delta adds up to 0\.0078")
    assert len(read_ledger(ledger).entries) == 2


def test_what_still_fits_is_recorded_after_what_did_not(ledger: Path) -> None:
    small = entry("dirichlet.counts", COUNTS, {"epsilon": "0.5", "delta": "0.001"}, GRADES)
    commit(ledger, grades(), cap_of("2.755", "0.1"))
    refused(ledger, grades(), r"epsilon adds up to 4\.51")
    commit(ledger, small)


def test_one_entry_that_is_recorded_twice_counts_twice(ledger: Path) -> None:
    of = grades()
    with open_ledger(ledger, cap_of("2.255", "0.1")) as it:
        it.require_possible(of, {ledger.parent / "one": output(of)})
        it.commit(of, {ledger.parent / "one": output(of)})
        with pytest.raises(InputError, match="epsilon adds up to"):
            it.commit(of, {ledger.parent / "two": output(of)})


def test_another_entry_than_was_tried_is_counted_anew(ledger: Path) -> None:
    small = entry("dirichlet.counts", COUNTS, {"epsilon": "0.5", "delta": "0.001"}, GRADES)
    with open_ledger(ledger, cap_of(1, "0.1")) as it:
        it.require_possible(small, {ledger.parent / "one": output(small)})
        with pytest.raises(InputError, match="epsilon adds up to"):
            it.commit(grades(), {ledger.parent / "one": output(grades())})


def test_the_first_release_may_not_pass_the_cap(ledger: Path) -> None:
    refused(ledger, grades(), "epsilon adds up to", cap_of(2, "0.01"))
    assert not ledger.exists()


def test_the_referee_s_two_steps_keep_the_cap_whichever_came_second(tmp_path: Path) -> None:
    """What both claim is counted, not the smaller number that was spent on the way."""
    for then in ("0.01", "1.2"):
        (tmp_path / then).mkdir()
        ledger = tmp_path / then / "ledger.json"
        commit(ledger, histogram(1, step="0.5"), cap_of(2, order=5))
        commit(ledger, histogram(1, step=then))
        refused(ledger, histogram("0.001"), r"epsilon adds up to 2\.001")
        found = read_ledger(ledger)
        assert composed(found.entries, found.cap).rests_on[-1] == CAPPED


@pytest.mark.parametrize(
    ("of", "cap", "match"),
    [
        (histogram(1), cap_of(3, "0.1"), "not counted against an order"),
        (grades(), cap_of(3, order=2), "not counted against an order"),
        (histogram(1, 4), cap_of(3, order=5), "at the order 4, below the cap's"),
        (grades(private=False), cap_of(3, "0.1"), "drawn from a seed"),
        (chain(20), cap_of(3, order=2), "not counted against an order"),
        (chain(20), cap_of("0.5", 0), "epsilon adds up to 1"),
    ],
)
def test_what_does_not_count_against_a_cap_is_refused(
    ledger: Path, of: Entry, cap: Cap, match: str
) -> None:
    refused(ledger, of, match, cap)


def test_claims_of_higher_orders_count_at_the_cap_s(ledger: Path) -> None:
    commit(ledger, histogram(1, 7), cap_of(2, order=5))
    commit(ledger, histogram(1, 5))


def test_a_release_of_other_neighbours_is_refused(ledger: Path) -> None:
    commit(ledger, grades(), cap_of(100, "0.5"))
    other = entry("dirichlet.counts", {**COUNTS, "N": 99}, SAID, GRADES)
    refused(ledger, other, "nothing shows that this keeps it: entry 2 has another N")


def test_what_is_left_is_never_more_than_what_is_refused_beyond(ledger: Path) -> None:
    """Spent is rounded up and left down, to twelve digits; the cap itself is held exactly."""
    third = entry("dirichlet.counts", COUNTS, {"epsilon": "1/3", "delta": "1/3000"}, GRADES)
    commit(ledger, third, cap_of("2/3", "0.1"))
    shape: Any = composed([third], cap_of("2/3", "0.1")).as_json()
    assert shape["spent"]["epsilon"] == "0.333333333334"
    assert shape["left"] == {"epsilon": "0.333333333333", "delta": "0.0996666666666"}
    more = entry("dirichlet.counts", COUNTS, {"epsilon": "0.333333333334", "delta": 0}, GRADES)
    refused(ledger, more, "epsilon adds up to")
    commit(ledger, third)
    shape = composed([third, third], cap_of("2/3", "0.1")).as_json()
    assert shape["left"]["epsilon"] == "0"


def test_at_an_order_epsilon_alone_is_left() -> None:
    shape: Any = composed([histogram(1, 7)], cap_of(3, order=5)).as_json()
    assert shape["left"] == {"epsilon": "2", "delta": None}


def test_nothing_is_left_of_a_cap_that_is_not_kept() -> None:
    for entries in ([grades(), grades()], [grades(), histogram(1)]):
        shape: Any = composed(entries, cap_of(3, "0.1")).as_json()
        assert (shape["keeps_its_cap"], shape["left"]) == (False, None)


def test_without_a_cap_nothing_is_left_of_it() -> None:
    shape: Any = composed([grades()]).as_json()
    assert (shape["left"], shape["spent"]["epsilon"]) == (None, "2.255")


def test_claims_that_do_not_add_up_are_refused(ledger: Path) -> None:
    commit(ledger, histogram(1), cap_of(100, order=2))
    refused(ledger, grades(), "claims are of several kinds")


def test_pufferfish_releases_are_counted_by_their_quilts(ledger: Path) -> None:
    """Two of scale 20 lose what one of scale 10 does, whatever each claims for its query."""
    commit(ledger, chain(20, 4), cap_of(4, 0))
    both = composed([chain(20), chain(20)]).total
    assert both is not None
    commit(ledger, chain(20))
    third = composed([chain(20)] * 3).total
    assert third is not None
    assert both.epsilon < 4
    while third.epsilon <= 4:
        commit(ledger, chain(20))
        third = composed([chain(20)] * (len(read_ledger(ledger).entries) + 1)).total
        assert third is not None
    refused(ledger, chain(20), "epsilon adds up to")


def test_a_pufferfish_cap_that_is_not_known_to_be_kept_refuses(
    ledger: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit(ledger, chain(20), cap_of(4, 0))
    monkeypatch.setattr("simplexcert.certify.releasing.ledger.totals.SECONDS", -1.0)
    refused(ledger, chain(20), "not known in time")


# It is fixed with the first release.


def test_a_cap_stays_whether_it_is_said_again_or_not(ledger: Path) -> None:
    commit(ledger, grades(), cap_of("5.0", "0.1"))
    commit(ledger, grades(), cap_of(5, "1/10"))
    assert read_ledger(ledger).cap == Cap("5", "1/10", None)
    refused(ledger, grades(), r"has the cap epsilon = 5, delta = 0\.1", cap_of(6, "0.1"))


def test_a_cap_that_no_release_has_used_stays(ledger: Path) -> None:
    begun = msgspec.structs.replace(NO_RELEASES, cap=cap_of(3, "0.1"))
    ledger.write_bytes(ledger_bytes(begun, "ledger"))
    refused(ledger, grades(), "has the cap epsilon = 3", cap_of(100, "0.5"))
    refused(ledger, grades(), "has the cap epsilon = 3", cap_of(100, order=2))
    commit(ledger, grades())
    refused(ledger, grades(), "epsilon adds up to")


def test_a_ledger_with_entries_gets_no_cap(ledger: Path) -> None:
    commit(ledger, grades())
    refused(ledger, grades(), "has entries and no cap", cap_of(100, "0.1"))


def test_a_cap_that_was_changed_or_removed_is_told(ledger: Path) -> None:
    """The first entry holds the digest of the ledger without entries, and so of its cap."""
    commit(ledger, grades(), cap_of(5, "0.1"))
    value = json.loads(ledger.read_bytes())
    for cap in (None, {**value["cap"], "epsilon": "6"}):
        ledger.write_bytes(rfc8785.dumps({**value, "cap": cap}))
        with pytest.raises(InputError, match="the digest of a ledger without entries"):
            read_ledger(ledger)


def test_a_forged_ledger_that_passes_its_cap_says_so(
    ledger: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    commit(ledger, grades())
    commit(ledger, grades())
    value = json.loads(ledger.read_bytes())
    value["cap"] = {"epsilon": "3", "delta": "1/10", "order": None}
    head: Any = {**value, "entries": [], "pending": []}
    for one in value["entries"]:
        one["previous"] = sha256(rfc8785.dumps(head)).hexdigest()
        head = one
    ledger.write_bytes(rfc8785.dumps(value))
    outcome = calling(capsys, "ledger")(ledger)
    assert "not known to be kept" in outcome.out
    shape = json.loads(calling(capsys, "ledger")(ledger, "--json").out)["composition"]
    assert (shape["keeps_its_cap"], shape["rests_on"][-1]) == (False, NO_ODOMETER)


@pytest.mark.parametrize(
    "cap",
    [
        {"delta": None},
        {"order": "2"},
        {"epsilon": "0"},
        {"epsilon": "-1"},
        {"epsilon": "10/2"},
        {"epsilon": 5},
        {"epsilon": "5/0"},
        {"epsilon": "1" * 10_001},
        {"delta": "1"},
        {"delta": "-1/2"},
        {"delta": None, "order": "1/2"},
        {"more": "1"},
    ],
)
def test_a_file_s_cap_is_one(ledger: Path, cap: dict[str, Any]) -> None:
    commit(ledger, grades(), cap_of(5, "0.1"))
    value = json.loads(ledger.read_bytes())
    ledger.write_bytes(rfc8785.dumps({**value, "cap": {**value["cap"], **cap}}))
    with pytest.raises(InputError, match="no ledger of this version"):
        read_ledger(ledger)


@each_of(
    "said",
    [
        lambda: cap_of(None, "0.1"),
        lambda: cap_of(None, None, 2),
        lambda: cap_of(1),
        lambda: cap_of(1, "0.1", 2),
        lambda: cap_of(0, "0.1"),
        lambda: cap_of(1, 1),
        lambda: cap_of(1, -1),
        lambda: cap_of(1, order="0.5"),
        lambda: cap_of("one", "0.1"),
        lambda: cap_of(float("inf"), "0.1"),
    ],
)
def test_what_is_no_cap_is_refused(said: Callable[[], object]) -> None:
    with pytest.raises(InputError, match="cap"):
        said()


def test_no_numbers_are_no_cap() -> None:
    assert cap_of() is None


# The command.


def never(*_: object) -> Any:
    raise AssertionError("a bit was drawn, or the data were opened")


def test_the_command_refuses_beyond_the_cap_before_the_draw(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = given(tmp_path, "dirichlet.renyi")
    made = draw_release(*found, seed=1)
    epsilon = made.audit.claim.epsilon
    ledger = tmp_path / "ledger.json"
    asked = ["release", str(found.claim), "--data", str(found.data), "--ledger", str(ledger)]
    cap = ["--cap-epsilon", str(Fraction(3, 2) * epsilon), "--cap-order", "5"]
    assert run([*asked, *cap, "--out", str(tmp_path / "one.json")]) == 0
    assert "left: epsilon = " in capsys.readouterr().out
    monkeypatch.setattr(published, "operating_system", never)
    assert run([*asked, "--out", str(tmp_path / "two.json")]) == 3
    assert "with this release epsilon adds up to" in capsys.readouterr().err
    assert not (tmp_path / "two.json").exists()
    outcome = calling(capsys, "ledger")(ledger)
    assert "fixed before the first release; kept" in outcome.out


@each_of("data", ["good", "wrong", "missing"])
def test_beyond_the_cap_all_data_are_refused_alike(
    data: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody learns by it whether the data would have been admitted: they are not opened."""
    found = given(tmp_path, "dirichlet.renyi")
    ledger = tmp_path / "ledger.json"
    if data == "wrong":
        found.data.write_text("no such column\n")
    elif data == "missing":
        found.data.unlink()
    monkeypatch.setattr(running, "_plan", never)
    with pytest.raises(InputError, match=r"epsilon adds up to 0\.1; the cap of"):
        draw_release(*found, out=tmp_path / "r", ledger=ledger, cap=cap_of("0.05", order=5))
    assert not ledger.exists()


def test_a_cap_without_a_ledger_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="give the ledger, too"):
        draw_release(
            *given(tmp_path, "dirichlet.renyi"), out=tmp_path / "r", cap=cap_of(1, order=2)
        )
