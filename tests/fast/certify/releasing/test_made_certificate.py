"""A made release's certificate: nothing dropped, forged or exchanged makes it pass for more."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
import rfc8785
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)
from made_releases import Case, Change, Table
from simplexcert.certify import Verdict, verify
from simplexcert.certify.certificate import claim as certificate_claim
from simplexcert.certify.certificate import sign as signed
from simplexcert.certify.certificate.errors import (
    AlgebraError,
    CertificateError,
    ShapeError,
    SubjectError,
)
from simplexcert.certify.certificate.schema import SCHEMA_FILES, schema_text
from simplexcert.certify.cli import run


@pytest.fixture(scope="module")
def private(tmp_path_factory: pytest.TempPathFactory) -> Case:
    return Case(tmp_path_factory.mktemp("made") / "private", "dirichlet.counts")


@pytest.fixture(scope="module")
def seeded(tmp_path_factory: pytest.TempPathFactory) -> Case:
    return Case(tmp_path_factory.mktemp("made") / "seeded", "dirichlet.counts", seed=3)


@pytest.fixture(scope="module")
def matrix(tmp_path_factory: pytest.TempPathFactory) -> Case:
    return Case(tmp_path_factory.mktemp("made") / "matrix", "markov.model")


@pytest.fixture(scope="module")
def noisy(tmp_path_factory: pytest.TempPathFactory) -> Case:
    return Case(tmp_path_factory.mktemp("made") / "noisy", "pufferfish.wasserstein")


def places(node: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the place of every field and of every entry, at any depth."""
    items = enumerate(node) if isinstance(node, list) else ()
    for key, value in node.items() if isinstance(node, dict) else items:
        yield (*at, key)
        yield from places(value, (*at, key))


def at(node: Any, place: tuple[Any, ...]) -> Any:
    for key in place:
        node = node[key]
    return node


def passes(case: Case, statement: Table, folder: Path, *subjects: Path) -> bool:
    """Whether a changed certificate is certified; anything else is no pass."""
    try:
        return case.verdict(statement, folder, *subjects) is Verdict.CERTIFIED
    except CertificateError:
        return False


def test_dropping_any_field_is_never_a_pass(private: Case, seeded: Case, tmp_path: Path) -> None:
    for case in (private, seeded):
        for place in places(case.statement):
            changed = copy.deepcopy(case.statement)
            del at(changed, place[:-1])[place[-1]]
            assert not passes(case, changed, tmp_path), place


def test_the_shape_is_closed(private: Case, tmp_path: Path) -> None:
    for place in [(), *places(private.statement)]:
        changed = copy.deepcopy(private.statement)
        node = at(changed, place)
        # What is as `audit --json` publishes it is compared with what is found, leaf by leaf.
        if isinstance(node, dict) and place[1:2] not in [(x,) for x in PUBLISHED]:
            node["more"] = "x"
            with pytest.raises(ShapeError):
                private.verdict(changed, tmp_path)


PUBLISHED = {
    "claim",
    "paper",
    "exact",
    "bound_off_lattice",
    "rows",
    "witness",
    "evidence",
}
MADE: dict[str, Change] = {
    "private": lambda made: made.update(private=not made["private"]),
    "source": lambda made: made.update(
        drawn_from="seed" if made["seed"] is None else "operating system"),
    "seed": lambda made: made.update(seed="3" if made["seed"] is None else None),
    "private with a seed": lambda made: made.update(
        private=True, drawn_from="operating system", seed="3"),
    "private from a seed": lambda made: made.update(private=True, drawn_from="seed", seed="3"),
    "private from nothing": lambda made: made.update(private=True, drawn_from="seed", seed=None),
    "long seed": lambda made: made.update(private=False, drawn_from="seed", seed=str(2**64)),
    "grid": lambda made: made.update(grid="1/3"),
    "coarse grid": lambda made: made.update(grid="1"),
    "digest": lambda made: made["file"]["digest"].update(sha256="0" * 64),
    "name": lambda made: made["file"].update(name="other.json"),
}  # fmt: skip


@pytest.mark.parametrize("name", MADE)
def test_a_making_that_contradicts_itself_is_refused(
    name: str, private: Case, seeded: Case, tmp_path: Path
) -> None:
    for case in (private, seeded):
        changed = copy.deepcopy(case.statement)
        MADE[name](changed["predicate"]["release"])
        if changed != case.statement:
            with pytest.raises(AlgebraError):
                case.verdict(changed, tmp_path)


def test_what_is_not_said_of_the_draw_is_neither_dropped_nor_added(
    private: Case, seeded: Case, tmp_path: Path
) -> None:
    for case in (private, seeded):
        for told in (case.statement["predicate"]["non_claims"][:-1], ["All is well."]):
            changed = copy.deepcopy(case.statement)
            changed["predicate"]["non_claims"] = told
            with pytest.raises(AlgebraError):
                case.verdict(changed, tmp_path)


def test_a_seeded_release_is_not_certified_by_its_verdict_alone(
    seeded: Case, tmp_path: Path
) -> None:
    changed = copy.deepcopy(seeded.statement)
    changed["predicate"]["verdict"] = "certified"
    with pytest.raises(AlgebraError):
        seeded.verdict(changed, tmp_path)
    assert seeded.verdict(seeded.statement, tmp_path) is Verdict.INAPPLICABLE


def test_a_seeded_release_that_is_certified_as_private_does_not_fit_its_certificate(
    private: Case, seeded: Case, tmp_path: Path
) -> None:
    changed = copy.deepcopy(seeded.statement)
    changed["predicate"]["verdict"] = "certified"
    made = changed["predicate"]["release"]
    made.update(private=True, drawn_from="operating system", seed=None)
    changed["predicate"]["non_claims"] = private.statement["predicate"]["non_claims"]
    with pytest.raises(SubjectError, match="private"):
        seeded.verdict(changed, tmp_path, seeded.out)


@pytest.mark.parametrize("verdict", ["refuted", "undecided", "inapplicable", "error"])
def test_nothing_is_made_under_a_claim_that_is_not_certified(
    verdict: str, private: Case, tmp_path: Path
) -> None:
    changed = copy.deepcopy(private.statement)
    changed["predicate"]["verdict"] = verdict
    with pytest.raises(AlgebraError):
        private.verdict(changed, tmp_path)


def test_an_inner_claim_is_decided_anew(private: Case, tmp_path: Path) -> None:
    changed = copy.deepcopy(private.statement)
    changed["predicate"]["claim"]["epsilon"] = "1/100"
    assert not passes(private, changed, tmp_path)


def test_a_claim_that_is_exchanged_is_not_that_of_the_release(
    private: Case, tmp_path: Path
) -> None:
    other = Case(tmp_path / "other", "dirichlet.renyi")
    changed = copy.deepcopy(private.statement)
    changed["predicate"] = {
        **other.statement["predicate"],
        "release": changed["predicate"]["release"],
    }
    assert private.verdict(changed, tmp_path) is Verdict.CERTIFIED  # it is true, of something else
    for subject in (private.out, private.claim):
        with pytest.raises(SubjectError):
            private.verdict(changed, tmp_path, subject)


def test_without_time_nothing_passes(
    private: Case, seeded: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(certificate_claim, "CLAIM_SECONDS", 0.0)
    assert private.verdict(private.statement, tmp_path) is Verdict.UNDECIDED
    assert seeded.verdict(seeded.statement, tmp_path) is Verdict.INAPPLICABLE


# --- the release's own file ---------------------------------------------------------------------


def shift(released: Table) -> None:
    """Put one step of the grid from one share to another."""
    from fractions import Fraction

    from simplexcert.certify.certificate.grids import decimal_text

    grid = Fraction(released["grid"])
    first, second, *_ = released["value"]
    move = -grid if Fraction(first) > 0 else grid
    released["value"][0] = decimal_text(Fraction(first) + move)
    released["value"][1] = decimal_text(Fraction(second) - move)


def test_other_numbers_with_the_digest_left_are_refused(private: Case, tmp_path: Path) -> None:
    statement, file = private.with_release(shift, tmp_path, digest=False)
    with pytest.raises(SubjectError):
        private.verdict(statement, tmp_path, file)


def test_other_numbers_with_another_digest_are_what_only_a_signature_tells(
    private: Case, tmp_path: Path
) -> None:
    statement, file = private.with_release(shift, tmp_path, digest=True)
    assert private.verdict(statement, tmp_path, file) is Verdict.CERTIFIED


CHANGES: dict[str, Change] = {
    "sum": lambda x: x["value"].__setitem__(0, "1"),
    "off the grid": lambda x: x.update(value=["0.1", "0.2", "0.7"]),
    "third": lambda x: x.update(value=["1/3", "1/3", "1/3"]),
    "negative": lambda x: x.update(value=["-0.5", "1", "0.5"]),
    "zeros at the end": lambda x: x.update(value=["0.50", "0.25", "0.25"]),
    "number": lambda x: x.update(value=[1, 0, 0]),
    "float": lambda x: x.update(value=[0.5, 0.25, 0.25]),
    "not a number": lambda x: x.update(value=["nan", "1", "0"]),
    "infinite": lambda x: x.update(value=["inf", "1", "0"]),
    "scalar": lambda x: x.update(value="1"),
    "deeper": lambda x: x.update(value=[[["1"]], ["0"], ["0"]]),
    "too few": lambda x: x["value"].pop(),
    "another n": lambda x: x.update(value=["0.5", "0.5"], names=["A", "B"]),
    "a name twice": lambda x: x.update(names=["A", "A", "B"]),
    "rows": lambda x: x.update(rows=["a"], value=[x["value"]]),
    "grid": lambda x: x.update(grid="1/18014398509481984"),
    "seed": lambda x: x.update(seed="3", private=False, drawn_from="seed"),
    "private": lambda x: x.update(private=False),
    "source": lambda x: x.update(drawn_from="seed"),
    "epsilon": lambda x: x["claim"].update(epsilon="1/100"),
    "delta": lambda x: x["claim"].update(delta="0"),
    "order": lambda x: x["claim"].update(order="2"),
    "k": lambda x: x["release"].update(k="1"),
    "mechanism": lambda x: x.update(mechanism="dirichlet.renyi"),
    "title": lambda x: x.update(name="other"),
    "tool": lambda x: x["tool"].update(version="9"),
    "version": lambda x: x.update(schema_version=2),
    "more": lambda x: x.update(more="x"),
    "hidden": lambda x: x.update(names=["A\u200b", "B", "C"]),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_release_that_is_not_as_the_certificate_says_is_refused_whatever_its_digest(
    name: str, private: Case, tmp_path: Path
) -> None:
    statement, file = private.with_release(CHANGES[name], tmp_path, digest=True)
    with pytest.raises(SubjectError):
        private.verdict(statement, tmp_path, file)


def test_dropping_any_field_of_a_release_is_refused(private: Case, tmp_path: Path) -> None:
    for key in private.released:
        statement, file = private.with_release(lambda x, key=key: x.pop(key), tmp_path, digest=True)
        with pytest.raises(SubjectError):
            private.verdict(statement, tmp_path, file)


def drop_row(released: Table) -> None:
    released["rows"].pop()
    released["value"].pop()


OF_ROWS: dict[str, Change] = {
    "a row less": drop_row,
    "a row without a label": lambda x: x["rows"].pop(),
    "a label twice": lambda x: x.update(rows=["north"] * 3),
    "no labels": lambda x: x.update(rows=None),
    "a row's sum": lambda x: x["value"][1].__setitem__(0, "1"),
    "one list": lambda x: x.update(value=x["value"][0]),
    "a short row": lambda x: x["value"][2].pop(),
}


@pytest.mark.parametrize("name", OF_ROWS)
def test_rows_that_are_not_those_of_the_mechanism_are_refused(
    name: str, matrix: Case, tmp_path: Path
) -> None:
    statement, file = matrix.with_release(OF_ROWS[name], tmp_path, digest=True)
    with pytest.raises(SubjectError):
        matrix.verdict(statement, tmp_path, file)


@pytest.mark.parametrize("value", [["1", "2"], "0.1", [["1"]], [], "1e3", ""])
def test_noisy_numbers_that_are_not_those_of_the_mechanism_are_refused(
    value: object, noisy: Case, tmp_path: Path
) -> None:
    change: Change = lambda x: x.update(value=value)  # noqa: E731
    statement, file = noisy.with_release(change, tmp_path, digest=True)
    with pytest.raises(SubjectError):
        noisy.verdict(statement, tmp_path, file)


def test_bytes_in_another_order_are_refused(private: Case, tmp_path: Path) -> None:
    statement, file = private.with_release(lambda _: None, tmp_path, digest=False)
    file.write_text(json.dumps(private.released), encoding="utf-8")
    digest = sha256(file.read_bytes()).hexdigest()
    old = statement["predicate"]["release"]["file"]["digest"]["sha256"]
    statement = json.loads(json.dumps(statement).replace(old, digest))
    statement["subject"].sort(key=lambda x: (x["name"], x["digest"]["sha256"]))
    with pytest.raises(SubjectError):
        private.verdict(statement, tmp_path, file)


# --- as other certificates -----------------------------------------------------------------------


def test_it_is_signed_and_verified_as_others_are(private: Case, tmp_path: Path) -> None:
    key = Ed25519PrivateKey.generate()
    secret, public = tmp_path / "private.pem", tmp_path / "public.pem"
    secret.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    public.write_bytes(
        key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    )
    out = tmp_path / "signed.json"
    signed(private.certificate, secret, passphrase=lambda: "", out=out)
    found = verify(out, keys=[public], subject=[private.out, private.claim])
    assert found.verdict is Verdict.CERTIFIED
    assert len(found.checked_by) == 1


def test_json_says_what_kind_it_is(private: Case, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", str(private.certificate), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["kind"] == "claim"
    assert (told["release"]["private"], told["release"]["file"]["name"]) == (True, "release.json")


def test_a_transcript_is_refused(private: Case) -> None:
    assert run(["verify", str(private.certificate), "--transcript", str(private.out)]) == 3


@pytest.mark.parametrize("name", ["claim-v1", "released-v1"])
def test_the_published_schema_is_that_of_the_models(name: str) -> None:
    file = f"{name}.schema.json"
    assert SCHEMA_FILES[file].read_text(encoding="utf-8") == schema_text(file)


def test_a_claims_certificate_names_no_release_that_the_claim_does_not_hold_of(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    private = Case(tmp_path / "private", "dirichlet.counts")
    seeded = Case(tmp_path / "seeded", "dirichlet.counts", seed=1)
    other = Case(tmp_path / "other", "dirichlet.renyi")
    written = seeded.out.read_bytes()
    # What some reader of JSON takes for a release, though ours does not.
    read_by_others = {
        "a line more": written + b"\n",
        "a byte order mark": b"\xef\xbb\xbf" + written,
        "a key twice": written[:-1] + b',"seed":"7"}',
        "no number": written[:-1] + b',"note":NaN}',
        "another key": written.replace(b'"private":', b'"Private":'),
        "a key spelt out": written.replace(b'"drawn_from":', b'"drawn\\u005ffrom":'),
    }
    loose = [tmp_path / f"{name}.json" for name in read_by_others]
    for file, content in zip(loose, read_by_others.values(), strict=True):
        file.write_bytes(content)
    target = tmp_path / "claim-certificate.json"
    refused = [(seeded.out, "from a seed"), (other.out, "another claim")]
    refused += [(file, "as it is written") for file in loose]
    for file, sentence in refused:
        asked = ["audit", str(private.claim), "--out", str(target), "--subject", str(file)]
        assert run(asked) == 3
        assert sentence in capsys.readouterr().err
        assert not target.exists()
    assert run(["audit", str(private.claim), "--out", str(target), "--subject",
                str(private.out)]) == 0  # fmt: skip
    assert verify(target, subject=private.out).verdict is Verdict.CERTIFIED
    text = target.read_text(encoding="utf-8")
    old = sha256(private.out.read_bytes()).hexdigest()
    for file, _ in refused:
        named = text.replace(old, sha256(file.read_bytes()).hexdigest())
        statement = json.loads(named)
        statement["subject"].sort(key=lambda item: (item["name"], item["digest"]["sha256"]))
        target.write_bytes(rfc8785.dumps(statement))
        with pytest.raises(SubjectError):
            verify(target, subject=file)


def test_a_subject_of_which_the_digest_alone_was_compared_is_named(
    private: Case, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    note, target = tmp_path / "note.txt", tmp_path / "certificate.json"
    note.write_text("of the same day", encoding="utf-8")
    asked = ["audit", str(private.claim), "--out", str(target), "--subject", str(note)]
    assert run(asked) == 0
    capsys.readouterr()
    assert run(["verify", str(target), "--subject", str(note)]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "note.txt' is read as neither the claim's file nor a release: its digest fits" in said
    assert verify(target, subject=[note, private.claim]).digest_alone == (str(note),)


@pytest.mark.parametrize(
    ("added", "sentence"),
    [("# [", "another claim"), ("[claim]", "no claim file that can be read")],
    ids=["another-claim", "no-toml"],
)
def test_no_certificate_names_a_claim_file_that_verify_refuses(
    private: Case, tmp_path: Path, capsys: pytest.CaptureFixture[str], added: str, sentence: str
) -> None:
    other, target = tmp_path / "other.toml", tmp_path / "certificate.json"
    text = private.claim.read_text(encoding="utf-8")
    other.write_text(text.replace("\nname = ", '\nname = "another"\n#', 1) + added, "utf-8")
    asked = ["audit", str(private.claim), "--out", str(target), "--subject", str(other)]
    assert run(asked) == 3
    assert sentence in capsys.readouterr().err
    assert not target.exists()
