"""What a release can look like: a forged file with its own digest is refused by what is public."""

from __future__ import annotations

import atexit
import json
import re
from fractions import Fraction
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
import pytest
import rfc8785
from each import each_of
from instances import instances
from made_releases import Case, Change, Table
from private_data import DATA, given
from simplexcert.certify import draw_release
from simplexcert.certify.audits.claim import claim_in
from simplexcert.certify.audits.decision import decide
from simplexcert.certify.certificate import subjects
from simplexcert.certify.certificate.claim import claim_statement_of, published_claim
from simplexcert.certify.certificate.errors import SubjectError
from simplexcert.certify.certificate.issuing import claim_subject, subject
from simplexcert.certify.certificate.reading import canonical_bytes
from simplexcert.certify.certificate.release import read_released, with_release
from simplexcert.certify.cli import run
from simplexcert.certify.verdict import Verdict
from simplexcert.reference.errors import InputError
from simplexcert.reference.exact import parse_toml


@cache
def made(mechanism: str) -> Case:
    folder = TemporaryDirectory()
    atexit.register(folder.cleanup)
    return Case(Path(folder.name) / "made", mechanism)


def in_places(*places: int) -> Change:
    """Put what stands at these places of every row into that order; names and values alike."""

    def change(released: Table) -> None:
        released["names"] = [released["names"][at] for at in places]

    return change


def looking(**changes: Any) -> Change:
    return lambda released: released.update(changes)


def one_more(released: Table) -> None:
    released["names"].append("more")
    rows = released["value"] if released["rows"] else [released["value"]]
    for row in rows:
        row.append("0")


def rows_in(*places: int) -> Change:
    def change(released: Table) -> None:
        released["rows"] = [released["rows"][at] for at in places]

    return change


def even(count: int, rows: int) -> list[list[str]]:
    return [["0.5", "0.5", *(["0"] * (count - 2))] if count > 1 else ["1"] for _ in range(rows)]


def all_named(*states: str) -> Table:
    return {"names": list(states), "rows": list(states)}


# Of each mechanism what its claim alone forbids, whatever [data] says.
BY_THE_CLAIM: dict[str, dict[str, Change]] = {
    "dirichlet.identity": {
        "one coordinate": looking(names=["care"], value=["1"]),
        "as many as are protected": looking(
            names=["care", "roads", "parks"], value=["0.5", "0.5", "0"]
        ),
        "another is protected as well": looking(protected=[["care", "roads", "parks", "rest"]]),
        "fewer are protected": looking(protected=[["care", "roads"]]),
        "one is protected twice": looking(protected=[["care", "roads", "roads"]]),
        "a stranger is protected": looking(protected=[["care", "roads", "sea"]]),
        "none is protected": looking(protected=None),
        "two rows": looking(
            rows=["a", "b"], value=[["1", "0", "0", "0"]] * 2
        ),
    },
    "dirichlet.average": {
        "one coordinate": looking(names=["care"], value=["1"]),
        "none is protected": looking(protected=None),
    },
    "dirichlet.counts": {
        "a category more": one_more,
        "some are protected": looking(protected=[["A"]]),
    },
    "dirichlet.renyi": {
        "one cell": looking(names=["day"], value=["1"]),
        "labelled rows": looking(rows=["a"], value=[["1", "0"]], names=["day", "year"]),
        "some are protected": looking(protected=[["day"]]),
    },
    "dirichlet.matrix": {
        "one column": looking(names=["home"], value=[["1"]] * 3),
        "a column more": one_more,
        "two rows": looking(rows=["home", "work"], value=even(3, 2)),
        "rows permuted": rows_in(1, 0, 2),
        "columns permuted": in_places(1, 0, 2),
        "rows by other names": looking(rows=["x", "y", "z"]),
        "one vector": looking(rows=None, value=["1", "0", "0"]),
        "rows of which nothing is said": looking(protected=[["home", "work"]] * 2),
        "said twice": looking(protected=[["home", "work"]] * 3),
        "all are protected": looking(protected=[["home", "work", "shop"]]),
    },
    "markov.model": {
        "an impossible third entry": looking(
            value=[["0.25", "0.25", "0.5"], ["0.25", "0.25", "0.5"], ["0.25", "0.25", "0.5"]]
        ),
        "one column": looking(names=["north"], value=[["1"]] * 3),
        "rows permuted": rows_in(2, 0, 1),
    },
    "pufferfish.chain": {
        "one number": looking(names=["answer"], value="1"),
        "names of no query": looking(names=["a", "b", "c"], value=["1", "1", "1"]),
    },
    "pufferfish.network": {
        "labelled rows": looking(rows=["a"], value=[["1", "2"]], names=["well", "ill"]),
    },
    "pufferfish.wasserstein": {
        "a list of one": looking(value=["1"]),
        "another name": looking(names=["sum"]),
        "two numbers": looking(names=["a", "b"], value=["1", "2"]),
    },
}  # fmt: skip
# What only its claim file forbids.
BY_THE_FILE: dict[str, dict[str, Change]] = {
    "dirichlet.identity": {
        "names swapped": in_places(3, 1, 2, 0),
        "strangers": looking(names=["a", "b", "c", "d"], protected=[["a", "b", "c"]]),
        "a coordinate more": one_more,
        "others are protected": looking(protected=[["care", "roads", "rest"]]),
    },
    "dirichlet.average": {"a coordinate more": one_more, "names swapped": in_places(0, 2, 1, 3)},
    "dirichlet.counts": {
        "names swapped": in_places(1, 0, 2),
        "strangers": looking(names=["x", "y", "z"]),
    },
    "dirichlet.renyi": {"a cell more": one_more, "strangers": looking(names=["x", "y", "z"])},
    "dirichlet.matrix": {
        "strangers": looking(**all_named("x", "y", "z"), protected=[["x", "y"]]),
        "in another order": looking(**all_named("work", "home", "shop")),
        "others are protected": looking(protected=[["home", "shop"]]),
    },
    "markov.model": {
        "an impossible move": looking(
            value=[["0.25", "0.25", "0.5"], ["0.25", "0.25", "0.5"], ["1", "0", "0"]]
        ),
        "strangers": looking(**all_named("x", "y", "z")),
    },
    "pufferfish.chain": {"strangers": lambda x: x.update(names=[f"{n}?" for n in x["names"]])},
    "pufferfish.network": {"another query": looking(names=["well", "ill"], value=["1", "2"])},
}  # fmt: skip


# Claims under which nothing is released, whatever [data] says, by what their lines are changed to.
OF_NOTHING: dict[str, list[dict[str, str]]] = {
    "dirichlet.identity": [{"k": '"1/1000"'}],
    "dirichlet.average": [{"k": '"1/1000"'}, {"N": "2_000_000"}],
    "dirichlet.counts": [{"k": '"1/1000"'}, {"N": "9999999999999999999"}],
    "dirichlet.renyi": [{"alpha": '"1/2000"', "step": '"1e-9"'}],
    "dirichlet.matrix": [{"k": '"1/1000"'}],
    "markov.model": [
        {"k": '"1/1000"'},
        {"n": "[3, 3, 5]"},
        {"n": '[3, 3, 2]\nread_off_the_data = ["n"]'},
        {"N": "[40, 50, 9999999999999999999]"},
    ],
    "pufferfish.chain": [
        {"length": "4_000_000"},
        {"scale": '"1e301"'},
        {"scale": '"1e-301"', "lipschitz": '"1e-303"'},
    ],
    "pufferfish.network": [{"scale": '"1e301"'}],
    "pufferfish.wasserstein": [{"scale": '"1e301"'}],
}
# Releases that look as those of the shipped claims, and under such others do not.
OF_ANOTHER: dict[str, tuple[dict[str, str], Change]] = {
    "a state that is left out of the data": (
        {"n": '[3, 3, 2]\nleft_out_of_the_data = ["isle"]'}, looking()
    ),
    "a state that is never left": (
        {"n": "[3, 3, 1]", "eta": '["0.1", "0.1", "1"]'},
        looking(value=[["1", "0", "0"], ["1", "0", "0"], ["0", "0", "1"]]),
    ),
    "two states that are never left": (
        {"n": "[3, 1, 1]", "eta": '["0.1", "1", "1"]'},
        looking(value=[["1", "0", "0"], ["0", "0", "1"], ["0", "1", "0"]]),
    ),
    "a histogram that changes by more than lipschitz": (
        {"lipschitz": '"0.0999"'}, looking()
    ),
}  # fmt: skip


def forged(
    mechanism: str, folder: Path, change: Change, **changes: str
) -> tuple[Table, Path, Path]:
    """Return a true certificate of a claim with a made-up release, that release, and no data."""
    claim, data = given(folder, mechanism, **changes)
    data.unlink()
    content = claim.read_bytes()
    audit = decide(claim_in(parse_toml(content, "it"), "it"))
    released = json.loads(json.dumps(made(mechanism).released))
    stated = msgspec.to_builtins(published_claim(audit.claim))
    released |= {"name": stated["name"], "release": stated["release"]}
    released["claim"] = {key: stated[key] for key in ("epsilon", "delta", "order")}
    change(released)
    file = folder / "release.json"
    file.write_bytes(rfc8785.dumps(released))
    of_claim = claim_statement_of(audit, [claim_subject(content, "claim.toml")], None)
    assert of_claim.predicate.verdict is Verdict.CERTIFIED
    digest = sha256(file.read_bytes()).hexdigest()
    drawn = with_release(
        of_claim, read_released(file.read_bytes(), "it"), subject(file.name, digest), None
    )
    return json.loads(canonical_bytes(drawn)), file, claim


def changed(case: Case, old: str, new: str) -> str:
    """Return the text of its claim file with another for the one line that begins so."""
    text, count = re.subn(f"(?m)^{old}", lambda _: new, case.claim.read_text(encoding="utf-8"))
    assert count == 1
    return text


def listed(table: dict[str, dict[str, Change]]) -> list[tuple[str, str]]:
    return [(mechanism, name) for mechanism, changes in table.items() for name in changes]


@each_of("mechanism", DATA)
def test_each_release_looks_as_its_claim_and_its_claim_file_say(
    mechanism: str, tmp_path: Path
) -> None:
    case = made(mechanism)
    for files in ([case.out], [case.out, case.claim], [case.claim, case.out]):
        assert case.verdict(case.statement, tmp_path, *files) is Verdict.CERTIFIED


@each_of("mechanism, name", listed(BY_THE_CLAIM))
def test_a_release_that_its_claim_cannot_have_is_refused(
    mechanism: str, name: str, tmp_path: Path
) -> None:
    case = made(mechanism)
    statement, file = case.with_release(BY_THE_CLAIM[mechanism][name], tmp_path, digest=True)
    with pytest.raises(SubjectError):
        case.verdict(statement, tmp_path, file)


@pytest.mark.parametrize(
    ("mechanism", "changes"), [(name, one) for name, given in OF_NOTHING.items() for one in given]
)
def test_a_claim_under_which_nothing_is_released_has_no_release_and_opens_no_data(
    mechanism: str, changes: dict[str, str], tmp_path: Path
) -> None:
    """What the claim file refuses by its claim alone the claim alone refuses as well."""
    statement, file, claim = forged(mechanism, tmp_path, looking(), **changes)
    with pytest.raises(SubjectError, match="cannot have released"):
        made(mechanism).verdict(statement, tmp_path, file)
    with pytest.raises(InputError) as refused:
        draw_release(claim, tmp_path / "private.csv")
    assert "private.csv" not in str(refused.value)


@pytest.mark.parametrize("name", OF_ANOTHER)
def test_a_release_under_another_claim_that_cannot_have_it_is_refused(
    name: str, tmp_path: Path
) -> None:
    changes, change = OF_ANOTHER[name]
    mechanism = "pufferfish.chain" if "lipschitz" in changes else "markov.model"
    statement, file, _ = forged(mechanism, tmp_path, change, **changes)
    with pytest.raises(SubjectError, match="cannot have released"):
        made(mechanism).verdict(statement, tmp_path, file)


def test_no_data_file_holds_as_many_vectors_of_as_many_names(tmp_path: Path) -> None:
    names = ["care", "roads", "parks", *map(str, range(997))]

    def wide(released: Table) -> None:
        released.update(names=names, value=["1", *["0"] * 999])

    for number, held in (("7_999", True), ("8_000", False)):
        folder = tmp_path / number
        folder.mkdir()
        statement, file, claim = forged("dirichlet.average", folder, wide, N=number)
        if held:
            assert made("dirichlet.average").verdict(statement, folder, file) is Verdict.CERTIFIED
            continue
        with pytest.raises(SubjectError, match="more than a data file holds"):
            made("dirichlet.average").verdict(statement, folder, file)
        claim.write_text(
            re.sub(
                "(?m)^names = .*", f"names = {json.dumps(names)}", claim.read_text(encoding="utf-8")
            ),
            encoding="utf-8",
        )
        with pytest.raises(InputError, match="more than a data file holds"):
            draw_release(claim, tmp_path / "private.csv")


@pytest.mark.parametrize("name", ["", " b ", "b" * 101, '"'])
def test_a_release_has_names_that_a_claim_file_can_give(name: str, tmp_path: Path) -> None:
    case = made("dirichlet.counts")
    statement, file = case.with_release(looking(names=["A", name, "C"]), tmp_path, digest=True)
    with pytest.raises(SubjectError):
        case.verdict(statement, tmp_path, file)


@each_of("mechanism, name", listed(BY_THE_FILE))
def test_a_release_that_its_claim_file_cannot_have_is_refused_beside_it_and_only_there(
    mechanism: str, name: str, tmp_path: Path
) -> None:
    case = made(mechanism)
    statement, file = case.with_release(BY_THE_FILE[mechanism][name], tmp_path, digest=True)
    assert case.verdict(statement, tmp_path, file) is Verdict.CERTIFIED
    for files in ((file, case.claim), (case.claim, file)):
        with pytest.raises(SubjectError):
            case.verdict(statement, tmp_path, *files)


@pytest.mark.parametrize("mechanism", instances(["dirichlet.counts"], list(DATA)))
def test_a_release_on_another_grid_than_its_claim_file_asks_for_is_refused(
    mechanism: str, tmp_path: Path
) -> None:
    case = made(mechanism)
    finer = str(Fraction(case.released["grid"]) / 2)
    statement, file = case.with_release(looking(grid=finer), tmp_path, digest=True)
    statement["predicate"]["release"]["grid"] = finer
    assert case.verdict(statement, tmp_path, file) is Verdict.CERTIFIED
    with pytest.raises(SubjectError, match="grid"):
        case.verdict(statement, tmp_path, file, case.claim)


@pytest.mark.parametrize("cut", [None, "[data]"])
def test_a_file_from_which_no_release_was_made_is_no_claim_file_of_one(
    cut: str | None, tmp_path: Path
) -> None:
    """Beside anything else than its claim file a release would be held against its claim alone."""
    case = made("dirichlet.counts")
    text = case.claim.read_text(encoding="utf-8").split("[data]")[0] if cut else "anything"
    statement, other = case.with_claim(text, tmp_path)
    assert case.verdict(statement, tmp_path, case.out) is Verdict.CERTIFIED
    with pytest.raises(SubjectError, match="no claim file"):
        case.verdict(statement, tmp_path, case.out, other)


# What is changed in a claim file, after which no release is made from it, whatever the data are.
OF_NO_RELEASE: dict[str, tuple[str, str, str]] = {
    "nothing is public": ("dirichlet.counts", "public = .*", "public = []"),
    "it holds the data": ("dirichlet.counts", "eta = ", "counts = [17, 33, 10]\neta = "),
    "a strange key": ("dirichlet.counts", "column = ", "odd = 1\ncolumn = "),
    "no name of a column": ("dirichlet.renyi", "column = .*", "column = 5"),
    "a move from nowhere": ("markov.model", "from = .*", ""),
    "no names": ("dirichlet.average", "names = .*", ""),
    "fewer are protected": ("dirichlet.average", "protected = .*", 'protected = ["care", "roads"]'),
    "no such grid": ("dirichlet.counts", "grid_bits = .*", "grid_bits = 257"),
    "a strange output": ("dirichlet.counts", "grid_bits = ", "bits = "),
    "one piece cut": ("pufferfish.chain", "column = ", 'piece = "p"\ncolumn = '),
    "no column": ("pufferfish.network", "column = .*", ""),
}


@each_of("name", OF_NO_RELEASE)
def test_a_claim_file_from_which_nothing_is_released_is_none_of_a_release(
    name: str, tmp_path: Path
) -> None:
    case = made(OF_NO_RELEASE[name][0])
    statement, other = case.with_claim(changed(case, *OF_NO_RELEASE[name][1:]), tmp_path)
    with pytest.raises(SubjectError, match=r"no claim file from which|claim file cannot be read"):
        case.verdict(statement, tmp_path, case.out, other)
    with pytest.raises(SubjectError, match=r"no claim file from which|claim file cannot be read"):
        case.verdict(statement, tmp_path, other)
    with pytest.raises(InputError) as refused:
        draw_release(other, tmp_path / "private.csv")
    assert "private.csv" not in str(refused.value)


# What a claim file says of its releases that the certificate states as well.
TOLD_OF_ITS_RELEASE: dict[str, tuple[str, str, str]] = {
    "another grid": ("dirichlet.counts", "grid_bits = .*", "grid_bits = 17"),
    "the usual grid": ("pufferfish.network", "grid_bits = .*", ""),
    "others are protected": (
        "dirichlet.identity", "protected = .*", 'protected = ["care", "roads", "rest"]'
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", TOLD_OF_ITS_RELEASE)
def test_a_claim_file_says_what_the_certificate_tells_of_its_release(
    name: str, tmp_path: Path
) -> None:
    case = made(TOLD_OF_ITS_RELEASE[name][0])
    statement, other = case.with_claim(changed(case, *TOLD_OF_ITS_RELEASE[name][1:]), tmp_path)
    assert case.verdict(statement, tmp_path, case.out) is Verdict.CERTIFIED
    with pytest.raises(SubjectError, match=r"grid|protected"):
        case.verdict(statement, tmp_path, other)


def test_a_file_that_is_too_large_to_be_read_is_no_release(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = made("dirichlet.counts")
    monkeypatch.setattr(subjects, "MAX_FILE_BYTES", 10)
    for one in (case.out, case.claim):
        with pytest.raises(SubjectError, match="larger than any"):
            case.verdict(case.statement, tmp_path, one)


def test_what_is_protected_follows_from_the_claim_without_any_subject(tmp_path: Path) -> None:
    case = made("dirichlet.matrix")
    for protected in (None, [["home"]], [["home", "work"]] * 2, [["home", "home"]]):
        statement = case.with_release(looking(), tmp_path, digest=False)[0]
        statement["predicate"]["release"]["protected"] = protected
        with pytest.raises(Exception, match="protected"):
            case.verdict(statement, tmp_path)


def test_release_and_certificate_name_the_protected_coordinates() -> None:
    named = {
        "dirichlet.identity": [["care", "roads", "parks"]],
        "dirichlet.matrix": [["home", "work"]],
        "dirichlet.counts": None,
    }
    for mechanism, protected in named.items():
        case = made(mechanism)
        assert case.released["protected"] == protected
        assert case.statement["predicate"]["release"]["protected"] == protected


def test_an_audit_certifies_no_release_that_its_claim_cannot_have(tmp_path: Path) -> None:
    case = made("dirichlet.matrix")
    for change in (looking(**all_named("x", "y", "z"), protected=[["x", "y"]]), one_more):
        _, file = case.with_release(change, tmp_path, digest=False)
        out = tmp_path / "certificate.json"
        assert run(["audit", str(case.claim), "--subject", str(file), "--out", str(out)]) == 3
        assert not out.exists()
    assert run(["audit", str(case.claim), "--subject", str(case.out), "--out", str(out)]) == 0
