"""Certificates of chains counted from records: no data in them, and row by row what is found."""

from __future__ import annotations

import copy
import hashlib
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import rfc8785
from instances import instances
from simplexcert.certify.audits.claim import claim_in
from simplexcert.certify.audits.decision import decide
from simplexcert.certify.certificate import CertificateError, canonical_bytes, verify
from simplexcert.certify.certificate.claim import claim_statement_of
from simplexcert.certify.certificate.errors import ClaimError, SubjectError
from simplexcert.certify.certificate.issuing import claim_subject
from simplexcert.certify.certificate.schema import schema
from simplexcert.certify.cli import run
from simplexcert.certify.mechanisms.markov_model import reading, rows
from simplexcert.certify.verdict import Verdict
from simplexcert.reference.exact import parse_toml
from simplexcert.reference.precision import BudgetSpentError

Table = dict[str, Any]
Issued = Callable[..., Table]

LABELS = ("home", "work", "shop, big", "1/2")
# Numbers that stand nowhere else, so that one in a certificate would be seen.
COUNTS = ((4001, 2931, 2003, 1071), (907, 5003, 2309, 1019), (1103, 4007, 7001, 897),
          (1201, 631, 8003, 977))  # fmt: skip
CLAIM = """
[release]
name = "moves"
mechanism = "markov.model"
{release}
[claim]
{claimed}
"""
RELEASE = {
    "k": "[200, 210, 190, 200]", "eta": '"1/50"', "gamma": '"0.001"', "counts": '"moves.csv"',
    "without": '["moon"]',
}  # fmt: skip
PRIVATE = 'epsilon = "0.05"\ndelta = "1e-9"'
CLAIMED = 'epsilon = "0.5"\ndelta = "1e-9"'


def moves(counts: tuple[tuple[int, ...], ...] = COUNTS, labels: tuple[str, ...] = LABELS) -> str:
    lines = ["from,to,count", f'"{labels[0]}",moon,3', f'moon,"{labels[0]}",2']
    lines += [
        f'"{source}","{target}",{count}'
        for source, row in zip(labels, counts, strict=True)
        for target, count in zip(labels, row, strict=True)
    ]
    return "\n".join(lines)


@pytest.fixture
def issued(tmp_path: Path) -> Issued:
    """Audit a claim with a file of counts beside it, remove that file, return the certificate."""

    def make(file: str = "", claimed: str = CLAIMED, **keys: str | None) -> Table:
        given = {**RELEASE, **keys}
        release = "\n".join(f"{key} = {value}" for key, value in given.items() if value is not None)
        claim, data, out = (tmp_path / name for name in ("claim.toml", "moves.csv", "cert.json"))
        claim.write_text(CLAIM.format(release=release, claimed=claimed), encoding="utf-8")
        data.write_text(file or moves(), encoding="utf-8")
        run(["audit", str(claim), "--out", str(out), "--report", str(tmp_path / "report.html")])
        data.unlink()
        loaded: Table = json.loads(out.read_bytes())
        return loaded

    return make


def verdict_of(folder: Path, statement: Table) -> Verdict:
    file = folder / "changed.json"
    file.write_bytes(rfc8785.dumps(statement))
    return verify(file).verdict


def places(node: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the place of every field and every item of a list, at any depth."""
    for key, value in node.items() if isinstance(node, dict) else enumerate(node):
        yield (*at, key)
        if isinstance(value, dict | list):
            yield from places(value, (*at, key))


def without(statement: Table, place: tuple[Any, ...]) -> Table:
    changed = copy.deepcopy(statement)
    node: Any = changed
    for key in place[:-1]:
        node = node[key]
    del node[place[-1]]
    return changed


def told(statement: Table) -> list[Table]:
    return [one for one in statement["predicate"]["hypotheses"] if one["rests_on"] == "data"]


# --- what is in it, and what is not ---------------------------------------------------------------


def test_a_certificate_is_decided_again_without_the_data(issued: Issued, tmp_path: Path) -> None:
    statement = issued()
    jsonschema.Draft202012Validator(schema("claim-v1.schema.json")).validate(statement)
    assert statement["predicate"]["verdict"] == "certified"
    assert verdict_of(tmp_path, statement) is Verdict.CERTIFIED
    assert run(["report", str(tmp_path / "cert.json"), "--out", str(tmp_path / "again.html")]) == 0


def test_no_count_is_in_the_certificate_nor_in_its_report(issued: Issued, tmp_path: Path) -> None:
    issued()
    for name in ("cert.json", "report.html"):
        content = (tmp_path / name).read_text(encoding="utf-8")
        text = re.sub('<svg.*?</svg>|base64,[^"]*', "", content, flags=re.DOTALL)
        assert "moves.csv" not in text
        counts = [count for row in COUNTS for count in row]
        assert [x for x in counts if re.search(rf"(?<![\w.]){x}(?![\w.])", text)] == []


def test_what_was_read_off_the_data_is_a_parameter_that_is_said_to_be(issued: Issued) -> None:
    predicate = issued()["predicate"]
    release = predicate["claim"]["release"]
    assert release["read_off_the_data"] == ["N", "n", "labels"]
    assert release["left_out_of_the_data"] == ["moon"]
    assert release["N"] == [str(sum(row)) for row in COUNTS]
    assert release["labels"] == list(LABELS)
    (public,) = [one for one in predicate["hypotheses"] if "are public" in one["statement"]]
    assert public["rests_on"] == "parameters"
    assert public["note"].startswith("N, n, labels were read off the private data")


def test_the_rows_are_those_that_the_audit_publishes(issued: Issued) -> None:
    predicate = issued()["predicate"]
    assert [row["label"] for row in predicate["rows"]] == list(LABELS)
    assert predicate["exact"]["row"] in LABELS


def test_notes_on_the_data_are_left_out(issued: Issued) -> None:
    statement = issued(eta=None)
    assert [one["status"] for one in told(statement)[:2]] == ["holds", "fails"]
    assert all(one["note"] == "" for one in told(statement))


def test_what_bears_on_accuracy_alone_does_not_bear_on_the_bound(
    issued: Issued, tmp_path: Path
) -> None:
    loops = ((0, 0, 300, 300), (0, 0, 300, 300), (300, 300, 0, 0), (300, 300, 0, 0))
    statement = issued(
        moves(loops), eta='"1/5"', without='["moon"]', claimed="epsilon=9\ndelta=0.5"
    )
    statuses = {one["statement"]: one for one in statement["predicate"]["hypotheses"]}
    assert statuses["the chain is aperiodic"]["status"] == "fails"
    assert statuses["the chain is aperiodic"]["bears_on"] == "accuracy"
    assert statuses["in each row n >= 3"]["status"] == "fails"
    assert verdict_of(tmp_path, statement) is Verdict(statement["predicate"]["verdict"])


@pytest.mark.parametrize("labels", [None, '["north", "south", "2"]'])
def test_counts_in_the_claim_itself_are_left_out_too(
    issued: Issued, tmp_path: Path, labels: str | None
) -> None:
    statement = issued(counts=json.dumps(COUNTS), without='["2"]', k="200", labels=labels)
    release = statement["predicate"]["claim"]["release"]
    assert release["labels"] == json.loads(labels or '["1", "3", "4"]')
    assert release["left_out_of_the_data"] == ["2"]
    assert release["read_off_the_data"] == ["N", "n"]
    assert "counts" not in release
    assert (
        verify(tmp_path / "cert.json", subject=tmp_path / "claim.toml").verdict
        == (statement["predicate"]["verdict"])
    )


# --- the data make less of a claim, never more ----------------------------------------------------


@pytest.mark.parametrize(
    ("eta", "verdict", "floors"),
    [
        ('"1/50"', Verdict.CERTIFIED, ["holds"]),
        (None, Verdict.CERTIFIED, ["holds", "fails"]),
        ('"1/10"', Verdict.INAPPLICABLE, ["fails"]),
    ],
)
def test_data_may_leave_less_of_a_claim(
    issued: Issued, tmp_path: Path, eta: str | None, verdict: Verdict, floors: list[str]
) -> None:
    statement = issued(eta=eta)
    assert statement["predicate"]["verdict"] == verdict
    floor = [one["status"] for one in told(statement) if "at least eta N" in one["statement"]]
    assert floor == floors
    assert verdict_of(tmp_path, statement) is verdict


def test_data_at_a_floor_that_was_read_off_them_may_leave_nothing_to_show(
    issued: Issued, tmp_path: Path
) -> None:
    once = moves((*COUNTS[:3], (1201, 631, 8003, 1)))
    said = "epsilon = 30\ndelta = 0.9"
    statement = issued(once, eta=None, claimed=said)
    assert statement["predicate"]["verdict"] == "undecided"
    assert verdict_of(tmp_path, statement) is Verdict.UNDECIDED
    fixed = issued(once, eta='"1/20000"', claimed=said)
    assert fixed["predicate"]["verdict"] == "certified"
    fixed["predicate"]["verdict"] = "undecided"
    assert verdict_of(tmp_path, fixed) is Verdict.UNDECIDED


def test_data_that_are_fine_leave_all_of_a_claim(issued: Issued, tmp_path: Path) -> None:
    statement = issued()
    statement["predicate"]["verdict"] = "inapplicable"
    with pytest.raises(ClaimError, match="the claim is certified"):
        verdict_of(tmp_path, statement)


def test_a_false_claim_is_refuted_without_the_data(issued: Issued, tmp_path: Path) -> None:
    statement = issued(claimed=PRIVATE)
    assert statement["predicate"]["witness"]["row"] in LABELS
    assert verdict_of(tmp_path, statement) is Verdict.REFUTED


@pytest.mark.parametrize(
    ("epsilon", "verdict"), [("2", Verdict.CERTIFIED), ("0.00001", Verdict.REFUTED)]
)
def test_a_claim_at_an_order_is_certified_alike(
    issued: Issued, tmp_path: Path, epsilon: str, verdict: Verdict
) -> None:
    statement = issued(claimed=f'epsilon = "{epsilon}"\norder = 3')
    assert "epsilon_at_order" in statement["predicate"]["rows"][0]
    assert verdict_of(tmp_path, statement) is verdict


# --- what is left out or changed ------------------------------------------------------------------


@pytest.mark.parametrize("claimed", [CLAIMED, PRIVATE], ids=["certified", "refuted"])
def test_nothing_may_be_dropped(issued: Issued, tmp_path: Path, claimed: str) -> None:
    statement = issued(claimed=claimed, gamma=None)
    verdict_of(tmp_path, statement)
    for place in list(places(statement))[:: instances(11, 1)]:
        with pytest.raises(CertificateError):
            verdict_of(tmp_path, without(statement, place))


def test_every_text_of_a_row_is_decided_again(issued: Issued, tmp_path: Path) -> None:
    statement = issued(gamma=None)
    rows = statement["predicate"]["rows"]
    texts = [(at, key) for at, row in enumerate(rows) for key in row]
    for at, key in texts[:: instances(len(rows) + 1, 1)]:
        changed = copy.deepcopy(statement)
        changed["predicate"]["rows"][at][key] = "7"
        with pytest.raises(CertificateError):
            verdict_of(tmp_path, changed)


def test_what_has_to_be_assumed_of_data_may_not_be_dropped(tmp_path: Path) -> None:
    out = tmp_path / "cert.json"
    for name in ("dirichlet.identity", "markov-model", "benvenuti2025-taxi"):
        run(["audit", f"example:{name}", "--out", str(out)])
        statement = json.loads(out.read_bytes())
        kept = [one for one in statement["predicate"]["hypotheses"] if one["rests_on"] != "data"]
        statement["predicate"]["hypotheses"] = kept
        with pytest.raises(ClaimError, match="always said"):
            verdict_of(tmp_path, statement)


# --- time -----------------------------------------------------------------------------------------


def test_rows_that_take_too_long_have_no_certificate(
    issued: Issued, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    statement = issued()
    monkeypatch.setattr(rows, "_ROWS_SECONDS", 0.0)
    assert verdict_of(tmp_path, statement) is Verdict.UNDECIDED
    two = 'k = 200\neta = "1/50"\nN = [900, 901]\nn = 4'
    found = decide(claim_in(parse_toml(CLAIM.format(release=two, claimed=CLAIMED)), "it"))
    with pytest.raises(BudgetSpentError, match="2 rows took too long"):
        claim_statement_of(found, [claim_subject(b"", "it")])


def test_a_certificate_of_as_many_rows_as_are_read_is_read(tmp_path: Path) -> None:
    labels = json.dumps([f"{at} {'x' * 90}" for at in range(1_000)])
    release = f'k = 200\neta = "1/50"\nN = 900\nn = 4\nlabels = {labels}'
    found = decide(claim_in(parse_toml(CLAIM.format(release=release, claimed=CLAIMED)), "it"))
    content = canonical_bytes(claim_statement_of(found, [claim_subject(b"", "it")]))
    (tmp_path / "cert.json").write_bytes(content)
    assert verify(tmp_path / "cert.json").verdict is found.verdict


# --- files ----------------------------------------------------------------------------------------


def test_the_claim_file_is_a_subject_and_its_data_are_not_opened(
    issued: Issued, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    statement = issued()
    assert [one["name"] for one in statement["subject"]] == ["claim.toml"]
    (tmp_path / "moves.csv").write_text(moves(), encoding="utf-8")
    monkeypatch.setattr(reading, "counts_from", pytest.fail)
    found = verify(tmp_path / "cert.json", subject=tmp_path / "claim.toml")
    assert found.verdict is Verdict.CERTIFIED


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("k = [200", "k = [201"),
        ('["moon"]', '["sun"]'),
        ('["moon"]', "7"),
        ('["moon"]', "[[1]]"),
        ('"moves.csv"', '["moves.csv"]'),
        ('eta = "1/50"\n', ""),
        ("gamma", "N = 900\ngamma"),
        ("gamma", "counted"),
        ('"markov.model"', '"dirichlet.counts"'),
        ('"0.5"', '"0.4"'),
    ],
)
def test_a_claim_file_of_another_claim_is_no_subject(
    issued: Issued, tmp_path: Path, old: str, new: str
) -> None:
    statement, claim = issued(), tmp_path / "claim.toml"
    content = claim.read_text(encoding="utf-8")
    assert old in content
    claim.write_text(content.replace(old, new), encoding="utf-8")
    statement["subject"][0]["digest"]["sha256"] = hashlib.sha256(claim.read_bytes()).hexdigest()
    file = tmp_path / "changed.json"
    file.write_bytes(rfc8785.dumps(statement))
    with pytest.raises(SubjectError):
        verify(file, subject=claim)


@pytest.mark.parametrize("said", [None, "N", {"N": "1"}, [["N"]], ["k", "mechanism", "N"]])
def test_a_hostile_list_of_what_was_read_off_brings_nothing_in(
    issued: Issued, tmp_path: Path, said: object
) -> None:
    statement = issued()
    statement["predicate"]["claim"]["release"]["read_off_the_data"] = said
    file = tmp_path / "changed.json"
    file.write_bytes(rfc8785.dumps(statement))
    with pytest.raises(CertificateError):
        verify(file)
    with pytest.raises(SubjectError):
        verify(file, subject=tmp_path / "claim.toml")


def test_data_are_not_written_over(issued: Issued, tmp_path: Path) -> None:
    issued()
    data = tmp_path / "moves.csv"
    data.write_text(moves(), encoding="utf-8")
    for option in ("--out", "--report"):
        assert run(["audit", str(tmp_path / "claim.toml"), option, str(data)]) == 3
    assert data.read_text(encoding="utf-8") == moves()
