"""A claim that speaks of no two inputs is inapplicable, whoever asks; one that does is not."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from each import each_of
from ledger_entries import entry
from private_data import DATA, DRAWN, Given, given
from simplexcert.certify import audit
from simplexcert.certify.cli import run
from simplexcert.certify.mechanisms import mechanism_named
from simplexcert.certify.mechanisms.protocol import Mechanism
from simplexcert.certify.models import PrivateTables
from simplexcert.certify.releasing import draw_release, published
from simplexcert.certify.releasing.ledger.composition import cap_of, composed, require_within
from simplexcert.certify.releasing.refusals import NotCertifiedError
from simplexcert.certify.simulating import simulate
from simplexcert.certify.verdict import Verdict
from simplexcert.reference.errors import DomainError, InputError
from vacuous_claims import CASES, Alike, Keys, claim_text

PURE: Keys = {"epsilon": "1e9"}
# The one claim that nothing but equal laws keeps, the one that everything keeps, and one between.
NOTIONS: dict[str, Keys] = {
    "nothing": {"epsilon": 0, "delta": 0},
    "everything": {"epsilon": 0, "delta": 1},
    "order": {"epsilon": 0, "order": 2},
    "order 1": {"epsilon": 7, "order": 1},
}


def said_of(case: Alike) -> Iterator[Keys]:
    yield from [PURE] if case.pure else NOTIONS.values()


def written(folder: Path, case: Alike, keys: Keys, said: Keys) -> Path:
    file = folder / "claim.toml"
    file.write_text(claim_text(case.mechanism, keys, said), encoding="utf-8")
    return file


@each_of("name", CASES)
def test_a_claim_about_no_two_inputs_is_inapplicable_whatever_it_says(
    name: str, tmp_path: Path
) -> None:
    case = CASES[name]
    for said in said_of(case):
        found = audit(written(tmp_path, case, case.without, said))
        assert found.verdict is Verdict.INAPPLICABLE
        assert not found.attained
        assert not found.exact
        assert case.why in found.why


@each_of("name", CASES)
def test_a_claim_about_some_two_inputs_is_never_called_inapplicable(
    name: str, tmp_path: Path
) -> None:
    case = CASES[name]
    for said in said_of(case):
        found = audit(written(tmp_path, case, case.with_some, said))
        assert found.verdict is not Verdict.INAPPLICABLE
        assert found.why == ""
        if said.get("delta") == 0 or said.get("order") == 2:
            assert found.verdict is Verdict.REFUTED


@each_of("name", CASES)
def test_an_audit_says_why_and_the_certificate_verifies_as_no_pass(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    case = CASES[name]
    claim = written(tmp_path, case, case.without, next(said_of(case)))
    out = tmp_path / "certificate.json"
    assert run(["audit", str(claim), "--out", str(out)]) == 5
    said = " ".join(capsys.readouterr().out.split())
    assert said.startswith("INAPPLICABLE ")
    assert case.why in said.partition(" because: ")[2]
    assert " Numbers: " not in said
    predicate = json.loads(out.read_bytes())["predicate"]
    assert (predicate["verdict"], predicate["attained"]) == ("inapplicable", False)
    assert case.why in predicate["exact"]["vacuous"]
    assert run(["verify", str(out)]) == 5
    said = " ".join(capsys.readouterr().out.split())
    assert said.startswith("INAPPLICABLE ")
    assert case.why in said.partition(" because: ")[2]
    page = tmp_path / "page.html"
    assert run(["report", str(out), "--out", str(page)]) == 0
    assert case.why in page.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["identity, one coordinate", "model, no row can change"])
def test_a_certificate_that_makes_more_of_such_a_claim_does_not_check(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    case = CASES[name]
    claim, out = written(tmp_path, case, case.without, NOTIONS["nothing"]), tmp_path / "out.json"
    run(["audit", str(claim), "--out", str(out)])
    out.write_bytes(out.read_bytes().replace(b'"verdict":"inapplicable"', b'"verdict":"certified"'))
    assert run(["verify", str(out)]) == 1
    assert "the claim is inapplicable, not certified" in capsys.readouterr().err
    run(["audit", str(claim), "--out", str(out)])
    out.write_bytes(out.read_bytes().replace(b'"attained":false', b'"attained":true'))
    assert run(["verify", str(out)]) == 1


def vacuous(folder: Path, mechanism: str) -> Given:
    """Write a mechanism's shipped claim file with nothing left that has a neighbour."""
    found = given(folder, mechanism)
    text = found.claim.read_text(encoding="utf-8")
    for old, new in DATA[mechanism].vacuous:
        assert old in text
        text = text.replace(old, new)
    found.claim.write_text(text, encoding="utf-8")
    return found


def test_each_mechanism_whose_claims_can_be_vacuous_has_such_a_claim() -> None:
    for name in DRAWN:
        can_be = type(mechanism_named(name)).vacuity is not Mechanism.vacuity
        assert can_be == bool(DATA[name].vacuous), f"{name} in tests/support/private_data.py"


@each_of("mechanism", [name for name, each in DATA.items() if each.vacuous])
def test_nothing_is_drawn_written_or_opened_under_such_a_claim(
    mechanism: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def draw(_count: int) -> int:
        raise AssertionError("a bit was drawn")

    monkeypatch.setattr(published, "operating_system", draw)
    claim, data = vacuous(tmp_path, mechanism)
    data.unlink()
    data.mkdir()
    before = {file.name for file in tmp_path.iterdir()}
    files = {"--out": "out.json", "--certificate": "cert.json", "--ledger": "ledger.json"}
    options = [part for key, name in files.items() for part in (key, str(tmp_path / name))]
    assert run(["release", str(claim), "--data", str(data), *options]) == 5
    said = capsys.readouterr()
    assert said.out.startswith("INAPPLICABLE  ")
    assert "\nbecause: no two different inputs are neighbours" in said.out
    assert "nothing was released" in said.err
    assert {file.name for file in tmp_path.iterdir()} == before
    with pytest.raises(NotCertifiedError, match="no two different inputs") as caught:
        draw_release(claim, data)
    assert caught.value.verdict is Verdict.INAPPLICABLE


def test_a_release_says_its_verdict_to_programs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    claim, data = vacuous(tmp_path, "dirichlet.counts")
    out = str(tmp_path / "out.json")
    assert run(["release", str(claim), "--data", str(data), "--out", out, "--json"]) == 5
    assert json.loads(capsys.readouterr().out)["verdict"] == "inapplicable"


@each_of("name", CASES)
def test_no_number_is_chosen_for_such_a_claim(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    key = "scale" if case.pure else "k"
    claim = written(tmp_path, case, {**case.without, key: "tight"}, next(said_of(case)))
    found = audit(claim)
    assert found.verdict is Verdict.INAPPLICABLE
    assert found.claim.calibrated is not None
    assert "1 stands for any number" in found.claim.calibrated.criterion
    with pytest.raises(DomainError, match=f'"tight" chooses no {key}'):
        simulate(claim, given=[1])


def test_releases_without_neighbours_have_no_total() -> None:
    case = CASES["counts, none above the floor"]
    said = NOTIONS["nothing"]
    vacuous_one = entry(case.mechanism, case.without, said, {})
    for entries in ([vacuous_one], [vacuous_one, vacuous_one]):
        found = composed(entries)
        assert found.total is None
        assert "entry 1 speaks of no two inputs" in found.why


def test_models_without_a_row_that_changes_in_all_of_them_have_no_total() -> None:
    """Rows that change in one release each: once, the total was an epsilon of 0."""
    said, data = {"epsilon": 9, "order": 2}, {"states": ["a", "b"], "from": "f", "to": "t"}
    common = {"k": 1, "N": [8, 8], "n": [2, 2]}
    first, second, both = (
        entry("markov.model", {**common, "eta": eta}, said, data)
        for eta in (["1/8", "1/2"], ["1/2", "1/8"], ["1/8", "1/8"])
    )
    assert "no row of the chain has neighbours in every release" in composed([first, second]).why
    total = composed([first, both]).total
    assert total is not None
    assert total.epsilon > 0


@pytest.mark.parametrize(("eta_bar", "why"), [("1/5", "no room for a change"), ("1/2", "above 1")])
def test_vectors_without_neighbours_or_data_in_all_of_them_have_no_total_and_keep_no_cap(
    eta_bar: str, why: str
) -> None:
    """Each release has neighbours by itself; only (2/5, 2/5), or nothing, is an input of both."""
    said, names = {"epsilon": 1, "delta": "0.05"}, ["a", "b", "c"]
    inside = {"names": names, "protected": ["a", "b"]}
    rows = {"states": names, "protected": {key: ["a", "b"] for key in names}}
    kinds: list[tuple[str, Keys, Keys]] = [
        ("dirichlet.identity", {"w": 2}, inside),
        ("dirichlet.average", {"w": 2, "N": 3}, inside),
        ("dirichlet.matrix", {"w": [2, 2, 2], "changed_rows": 1}, rows),
    ]
    for mechanism, more, data in kinds:
        both = [
            entry(mechanism, {"k": 5, "b": "0.1", "eta": eta, "eta_bar": bar, **more}, said, data)
            for eta, bar in (("2/5", "1/20"), ("1/10", eta_bar))
        ]
        assert all(composed([one]).total for one in both)
        found = composed(both)
        assert found.total is None
        assert found.why.startswith("of data that every release admits")
        assert why in found.why
        with pytest.raises(InputError, match="nothing shows that this keeps it"):
            require_within(cap_of(3, "0.5"), both, "ledger.json")


@pytest.mark.parametrize("method", ["dirichlet", "gaussian"])
def test_a_model_of_which_one_record_alone_is_possible_is_not_drawn(method: str) -> None:
    def tables(sizes: list[int], neighbours: str) -> PrivateTables:
        return PrivateTables(sizes, [[], [0]], epsilon=1, delta="1e-5", neighbours=neighbours,
                             method=method, draw="float")  # fmt: skip

    with pytest.raises(DomainError, match="no two different inputs are neighbours"):
        tables([1, 1], "replace").fit([[0, 0]])
    # A record more is a neighbour, and one that can be another is, too.
    assert tables([1, 1], "add_remove").fit([[0, 0]]).privacy_.holds()
    assert tables([1, 2], "replace").fit([[0, 1]]).privacy_.holds()


def test_data_that_are_no_input_are_told_at_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The claim speaks of some inputs, but not of these data; so says its certificate, too."""
    keys = {"k": 10, "eta": "1/10", "N": 30, "n": 3, "counts": [2, 8, 20]}
    claim, out = tmp_path / "claim.toml", tmp_path / "out.json"
    text = claim_text("dirichlet.counts", keys, {"epsilon": 9, "delta": "1/10"})
    claim.write_text(text, encoding="utf-8")
    assert run(["audit", str(claim), "--out", str(out)]) == 5
    assert "\nbecause: the data are no input" in capsys.readouterr().out
    assert run(["verify", str(out), "-q"]) == 5
    assert "; it states that the data are no input" in capsys.readouterr().out


def test_a_release_drawn_from_a_seed_says_so_in_the_first_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    claim, data = given(tmp_path, "dirichlet.counts")
    certificate = tmp_path / "certificate.json"
    draw_release(claim, data, out=tmp_path / "out.json", certificate=certificate, seed=1)
    assert run(["verify", str(certificate), "-q"]) == 5
    assert "; NOT PRIVATE: it was drawn from a seed" in capsys.readouterr().out


EVERY_NAME = {
    "dirichlet.identity": {"w": "4", "protected": '["care", "roads", "parks", "rest"]'},
    "dirichlet.average": {"w": "4", "protected": '["care", "roads", "parks", "rest"]'},
    "dirichlet.matrix": {"w": "[3, 2, 2]", "home": '["home", "work", "shop"]'},
}


@pytest.mark.parametrize("mechanism", EVERY_NAME)
def test_a_claim_file_by_which_no_data_are_an_input_is_refused_with_the_data_unopened(
    mechanism: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """All names are protected, and some share has to be left outside of them: all of it public."""
    claim, data = given(tmp_path, mechanism, **EVERY_NAME[mechanism])
    data.write_text("no file that anybody could read", encoding="utf-8")
    out = tmp_path / "out.json"
    for command in (
        ["audit", str(claim), "--out", str(out)],
        ["release", str(claim), "--data", str(data), "--out", str(out)],
    ):
        assert run(command) == 3
        told = capsys.readouterr().err
        assert "no data are an input of the mechanism, whatever they are" in told.replace("\n", " ")
        assert not out.exists()
