"""The certificate of the papers: every verdict in it is derived again, and nothing else stands."""

from __future__ import annotations

import copy
import json
import sys
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest
import rfc8785
from command_line import Cli, calling
from made_signers import public_pem, signer
from report_pages import taken_apart
from simplexcert.certify.certificate import papers, papers_statement_of, verify
from simplexcert.certify.certificate.errors import (
    AlgebraError,
    CanonicalFormError,
    CertificateError,
    ClaimError,
    ShapeError,
    VersionError,
)
from simplexcert.certify.certificate.models_papers import PaperEntry, PapersStatement
from simplexcert.certify.certificate.papers import (
    PAPERS_NON_CLAIMS,
    is_of_this_register,
    published_entry,
    register_subjects,
)
from simplexcert.certify.certificate.schema import schema
from simplexcert.certify.certificate.signing import opened, sealed
from simplexcert.certify.certificate.worst_inputs import worst_of_certificate
from simplexcert.certify.papers import statement
from simplexcert.certify.papers.derive import derived, record
from simplexcert.certify.papers.evidence import Finding, Instance, NotDecidable, Strength
from simplexcert.certify.papers.statement import statements
from simplexcert.certify.papers.values import Exactly
from simplexcert.certify.report.page import report_on
from simplexcert.certify.verdict import Verdict
from simplexcert.reference.errors import InputError, SoundnessError
from simplexcert.reference.precision import BudgetSpentError

ALL = 7
LEMMA = "gohari2020.lemma-1"
PACKAGE = Path(statement.__file__).parents[2]
Table = dict[str, Any]
Change = Callable[[Table], object]


@pytest.fixture(autouse=True)
def reviewed(made_up_claims: Path) -> None:
    """Record the verdicts on the made-up entries, as if they had been reviewed."""
    record(derived(statements()), made_up_claims)


@pytest.fixture
def file(tmp_path: Path, claims: Cli) -> Path:
    out = tmp_path / "papers.json"
    assert claims("--check", "--out", out).code == 0
    return out


@pytest.fixture
def stated(file: Path) -> Table:
    loaded: Table = json.loads(file.read_bytes())
    return loaded


@pytest.fixture
def claims(capsys: pytest.CaptureFixture[str]) -> Cli:
    return calling(capsys, "claims")


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Cli:
    return calling(capsys)


def put(name: str, change: Change) -> None:
    """Put an entry of the made-up register in the place of the one of its name."""
    table = statement._all()
    table[name] = change(table[name])


def entry(table: Table, name: str = LEMMA) -> Table:
    (found,) = (one for one in table["predicate"]["entries"] if one["id"] == name)
    one: Table = found
    return one


def changed(file: Path, change: Change) -> Path:
    table = json.loads(file.read_bytes())
    change(table)
    file.write_bytes(rfc8785.dumps(table))
    return file


def test_without_sympy_verify_names_the_extra(
    file: Path, command: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "sympy", None)
    found = command("verify", file)
    assert (found.code, found.out) == (3, "")
    assert "needs sympy, not installed here: pip install 'simplexcert[papers]'" in found.err


def test_what_is_stated_as_undecided_stays_so_and_what_is_derived_is_said(
    file: Path, command: Cli
) -> None:
    def unsure(table: Table) -> None:
        one = entry(table)
        counts = table["predicate"]["counts"]
        papers = [x["counts"] for x in table["predicate"]["papers"] if x["paper"] == one["paper"]]
        for count in (counts, *papers):
            count[one["verdict"]] -= 1
            count["undecided"] += 1
        one["verdict"] = one["standing"] = "undecided"
        for finding in one["evidence"]:
            finding["verdict"] = "undecided"

    found = verify(changed(file, unsure))
    assert found.verdict is Verdict.UNDECIDED
    said = f"{LEMMA}: stated as undecided, derived as refuted"
    assert found.decided_since[0].startswith(said)
    told = command("verify", file)
    assert told.code == 2
    assert said in told.out


def too_wide(one: Finding) -> Finding:
    return replace(one, strength=Strength.NUMBER, verdict=Verdict.UNDECIDED)


def too_late(_: Finding) -> Finding:
    return Finding(Strength.NONE, Verdict.UNDECIDED, "not decided: late")


@pytest.mark.parametrize("slow", [too_wide, too_late])
def test_what_is_decided_and_there_is_no_time_to_derive_stays_undecided(
    file: Path, monkeypatch: pytest.MonkeyPatch, slow: Callable[[Finding], Finding]
) -> None:
    found = {name: papers.derive(name) for name in statements()}
    findings = tuple(map(slow, found[LEMMA].findings))
    found[LEMMA] = replace(found[LEMMA], verdict=Verdict.UNDECIDED, findings=findings)
    monkeypatch.setattr(papers, "derive", found.__getitem__)
    assert verify(file).verdict is Verdict.UNDECIDED


def test_it_holds_every_entry_of_the_glob_in_the_registers_words(stated: Table) -> None:
    shown = stated["predicate"]["entries"]
    assert [one["id"] for one in shown] == list(statements())
    for one, claim in zip(shown, statements().values(), strict=True):
        assert (one["says"], one["where"], one["kind"]) == (claim.says, claim.where, claim.kind)
        assert one["hypotheses"] == list(claim.hypotheses)
        assert len(one["evidence"]) == len(claim.evidence)
        assert len(one["readings"]) == len(claim.readings)
        assert len(one["of_proof"]) == len(claim.of_proof)


def test_it_has_the_published_schema(stated: Table) -> None:
    published = schema("papers-v1.schema.json")
    jsonschema.Draft202012Validator(published).validate(stated)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(published).validate({**stated, "more": 1})


def test_the_same_register_gives_the_same_bytes(
    file: Path, tmp_path: Path, claims: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    again = tmp_path / "again.json"
    claims("--check", "--out", again)
    assert again.read_bytes() == file.read_bytes()


def test_the_time_of_issue_is_told_when_it_is_asked_for(
    tmp_path: Path, claims: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    out = tmp_path / "dated.json"
    claims("--check", "--issued", "--out", out)
    assert json.loads(out.read_bytes())["predicate"]["issued"] == "1970-01-01T00:00:00Z"
    assert verify(out).verdict is Verdict.CERTIFIED


def test_a_refuted_statement_is_a_finding_and_the_certificate_passes(
    file: Path, command: Cli
) -> None:
    found = command("verify", file, "--json")
    told = json.loads(found.out)
    assert found.code == 0
    assert told["counts"] == {"certified": 3, "refuted": 2, "undecided": 1, "inapplicable": 1}
    assert (told["kind"], told["entries"], told["witnesses"]) == ("papers", ALL, ALL)
    assert told["this_register"] is True
    assert "7 derived again" in command("verify", file).out


def test_the_subjects_are_the_registers_files(stated: Table) -> None:
    names = [one["name"] for one in stated["subject"]]
    assert "certify/papers/expected.json" in names
    assert "certify/papers/song2017/__init__.py" in names
    assert not [name for name in names if "fallin2023" in name]
    assert all((PACKAGE / name).is_file() for name in names)


def test_a_file_of_the_register_is_a_subject_and_another_is_none(file: Path, command: Cli) -> None:
    assert command("verify", file, "--subject", statement.__file__).code == 0
    assert command("verify", file, "--subject", file).code == 1


def test_it_tells_where_the_register_is_another(file: Path, command: Cli) -> None:
    changed(file, lambda table: table["subject"][0]["digest"].update(sha256="0" * 64))
    found = command("verify", file)
    assert found.code == 0
    assert "a register with other files than the one here" in found.out


def test_it_is_signed_and_verified(file: Path, tmp_path: Path, command: Cli) -> None:
    key, other = tmp_path / "key.pem", tmp_path / "other.pem"
    key.write_bytes(public_pem(0))
    other.write_bytes(public_pem(1))
    file.write_bytes(sealed(opened(file.read_bytes(), "papers"), signer(0)))
    assert command("verify", file, "--key", key).code == 0
    assert command("verify", file, "--key", other).code == 1


def later(table: Table, key: str, value: object) -> None:
    """Say something else of one entry."""
    entry(table)[key] = value


def refuted_to_certified(table: Table) -> None:
    """Make a whole false entry that goes together, in the place of a true one."""
    one = entry(table)
    one["evidence"][0].update(verdict="certified", strength="enclosed number", decides=True)
    one.update(verdict="certified", strength="enclosed number", standing="true as stated")
    for counts in (table["predicate"]["counts"], table["predicate"]["papers"][0]["counts"]):
        counts["certified"] += 1
        counts["refuted"] -= 1


def with_an_open_reading(change: Change) -> Change:
    """Say, too, that a reading was not decided, which would be no lie by itself."""

    def changed(table: Table) -> None:
        change(table)
        (reading,) = entry(table)["readings"]
        reading["verdict"] = reading["evidence"][0]["verdict"] = "undecided"

    return changed


def open_reading(**said: object) -> Change:
    """Say of evidence that is stated as undecided what is not so."""
    return with_an_open_reading(lambda t: entry(t)["readings"][0]["evidence"][0].update(said))


def number(table: Table) -> Table:
    found: Table = entry(table)["evidence"][0]["numbers"][0]
    return found


HOSTILE: dict[str, tuple[Change, type[CertificateError]]] = {
    "a false entry that goes together": (refuted_to_certified, ClaimError),
    "a false entry beside what is undecided": (
        with_an_open_reading(refuted_to_certified), ClaimError),
    "other words beside what is undecided": (
        with_an_open_reading(lambda t: later(t, "says", "Nonsense")), ClaimError),
    "another number beside what is undecided": (
        with_an_open_reading(lambda t: number(t).update(lower="0.4", upper="0.4")), ClaimError),
    "another standing beside what is undecided": (
        with_an_open_reading(lambda t: later(t, "standing", "true as stated")), AlgebraError),
    "other words of what is undecided": (open_reading(says="It is true, believe me"), ClaimError),
    "numbers of what is undecided": (open_reading(
        numbers=[{"of": "x", "lower": "0", "upper": "1", "second": "overlaps"}]), ClaimError),
    "another kind of what is undecided": (
        open_reading(strength="exact identity"), ClaimError),
    "words beside that there was no time": (
        open_reading(strength="not decidable here", says="believe me"), ClaimError),
    "numbers of what there was no time for": (open_reading(
        strength="not decidable here", says="not decided: late",
        numbers=[{"of": "x", "lower": "0", "upper": "1", "second": "overlaps"}]), ClaimError),
    "another verdict": (lambda t: later(t, "verdict", "certified"), AlgebraError),
    "another strength": (lambda t: later(t, "strength", "exact identity"), AlgebraError),
    "an error": (lambda t: later(t, "verdict", "error"), ShapeError),
    "other words": (lambda t: later(t, "says", "Nonsense"), ClaimError),
    "another place": (lambda t: later(t, "where", "Lemma 2"), ClaimError),
    "another hypothesis": (lambda t: later(t, "hypotheses", ["never"]), ClaimError),
    "a garbled place": (lambda t: later(t, "garbled", "all of it"), ClaimError),
    "another standing": (lambda t: later(t, "standing", "worthless"), AlgebraError),
    "another note": (lambda t: later(t, "note", "proofs_notes/README.md"), ClaimError),
    "a reading dropped": (lambda t: later(t, "readings", []), ClaimError),
    "a reading's verdict": (
        lambda t: entry(t)["readings"][0].update(verdict="refuted"), AlgebraError),
    "no evidence": (lambda t: later(t, "evidence", []), AlgebraError),
    "evidence twice": (lambda t: later(t, "evidence", 2 * entry(t)["evidence"]), ClaimError),
    "a proof that fails": (lambda t: later(t, "proof_fails", True), AlgebraError),
    "another number": (lambda t: number(t).update(lower="0.4", upper="0.4"), ClaimError),
    "a wide number": (lambda t: number(t).update(lower="-inf", upper="inf"), ClaimError),
    "a number turned round": (lambda t: number(t).update(lower="0.6"), ClaimError),
    "a number of something": (lambda t: number(t).update(of="nothing"), ClaimError),
    "an entry missing": (lambda t: t["predicate"]["entries"].pop(), AlgebraError),
    "an entry twice": (
        lambda t: t["predicate"]["entries"].append(entry(t)), AlgebraError),
    "another order": (lambda t: t["predicate"]["entries"].reverse(), AlgebraError),
    "an unknown entry": (lambda t: later(t, "id", "gohari2020.lemma-11"), AlgebraError),
    "a narrower glob": (lambda t: t["predicate"].update(pattern="gohari2020.*"), AlgebraError),
    "a glob of nothing": (
        lambda t: t["predicate"].update(pattern="x", entries=[], papers=[]), ShapeError),
    "other counts": (lambda t: t["predicate"]["counts"].update(refuted=9), AlgebraError),
    "other counts of a paper": (
        lambda t: t["predicate"]["papers"][0]["counts"].update(refuted=9), AlgebraError),
    "another title": (lambda t: t["predicate"]["papers"][0].update(title="x"), AlgebraError),
    "a non-claim dropped": (lambda t: t["predicate"]["non_claims"].pop(), AlgebraError),
    "another non-claim": (lambda t: t["predicate"]["non_claims"].append("x"), AlgebraError),
    "no second engine": (lambda t: t["predicate"]["engines"].pop(), AlgebraError),
    "a subject of another kind": (lambda t: t["subject"].append(
        {"name": "z.pdf", "digest": {"sha256": "0" * 64}}), AlgebraError),
    "nothing recorded": (lambda t: t.update(subject=[
        one for one in t["subject"] if not one["name"].endswith(".json")]), AlgebraError),
    "no such time": (lambda t: t["predicate"].update(issued="2026-02-30T00:00:00Z"), ShapeError),
    "another type": (lambda t: t.update(
        predicateType="https://simplexcert.github.io/papers/v2"), VersionError),
    "a hidden mark": (lambda t: later(t, "says", "At most\u202e a quarter"), ShapeError),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_changed_is_refused_with_its_own_error(file: Path, command: Cli, name: str) -> None:
    change, error = HOSTILE[name]
    with pytest.raises(CertificateError) as caught:
        verify(changed(file, change))
    assert caught.type is error
    assert command("verify", file).code == 1


def test_no_field_may_be_dropped_or_added(file: Path, stated: Table) -> None:
    for path in kinds_of_table():
        for key in [*at(stated, path), "more"]:
            table = copy.deepcopy(stated)
            at(table, path).pop(key, None)
            if key == "more":
                at(table, path)[key] = "x"
            file.write_bytes(rfc8785.dumps(table))
            with pytest.raises((ShapeError, VersionError)):
                verify(file)


def kinds_of_table() -> list[tuple[str | int, ...]]:
    """Return where one table of each kind lies."""
    one: tuple[str | int, ...] = ("predicate", "entries", list(statements()).index(LEMMA))
    return [
        (), ("predicate",), ("predicate", "tool"), ("predicate", "counts"),
        ("predicate", "papers", 0), ("predicate", "papers", 0, "counts"), one,
        (*one, "evidence", 0), (*one, "evidence", 0, "numbers", 0), (*one, "readings", 0),
    ]  # fmt: skip


def at(table: Any, path: tuple[str | int, ...]) -> Table:
    for part in path:
        table = table[part]
    found: Table = table
    return found


def test_bytes_that_are_not_canonical_are_refused(file: Path) -> None:
    file.write_bytes(file.read_bytes() + b"\n")
    with pytest.raises(CanonicalFormError):
        verify(file)


def test_a_register_that_says_otherwise_now_is_exit_1(file: Path, command: Cli) -> None:
    put(LEMMA, lambda claim: replace(claim, evidence=statements()["gohari2020.number"].evidence))
    found = command("verify", file)
    assert found.code == 1
    assert f"{LEMMA} is stated as refuted, derived as certified" in found.err


def test_an_entry_that_came_later_is_missed(file: Path, command: Cli) -> None:
    table = statement._all()
    table["song2017.late"] = replace(table["song2017.figure"], id="song2017.late")
    found = command("verify", file)
    assert found.code == 1
    assert "song2017.late is missing" in found.err


@pytest.mark.parametrize(
    "limit",
    ["certificate.papers.PAPERS_SECONDS", "papers.derive.EVIDENCE_SECONDS"],
)
def test_what_there_is_no_time_for_is_undecided(
    file: Path, command: Cli, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    monkeypatch.setattr(f"simplexcert.certify.{limit}", 0.0)
    assert command("verify", file).code == 2
    page = report_on(file.read_bytes(), "papers.json").decode()
    assert "not every verdict could be derived again" in page


def test_some_entries_alone_leave_the_whole_undecided(file: Path, command: Cli) -> None:
    found = command("verify", file, "--recheck", "3", "--json")
    assert (found.code, json.loads(found.out)["witnesses"]) == (2, 3)
    for number_of in (str(ALL), "100", "all"):
        assert command("verify", file, "--recheck", number_of).code == 0
    for number_of in ("0", "some"):
        assert command("verify", file, "--recheck", number_of).code == 3
    assert command("verify", file, "--transcript", file).code == 3


def test_the_entries_that_are_derived_are_spread_over_all() -> None:
    spread = papers._spread
    for most in range(1, ALL):
        assert [len(spread(range(ALL), most)), spread(range(ALL), most)[0]] == [most, 0]


def test_progress_counts_every_entry(file: Path) -> None:
    seen: list[tuple[int, int]] = []
    verify(file, on_progress=lambda done, total: seen.append((done, total)))
    assert seen == [(done, ALL) for done in range(1, ALL + 1)]


def test_ends_that_are_narrow_and_hold_the_number_are_its(file: Path) -> None:
    ends = {"lower": "0.4999999999999", "upper": "0.5000000000001"}
    assert verify(changed(file, lambda t: number(t).update(ends))).verdict is Verdict.CERTIFIED


def test_ends_that_only_meet_the_printed_ones_do_not_hold_the_number() -> None:
    third = Instance("x", Exactly("1/3"), "<", Exactly("1"), decides=True)
    put(LEMMA, lambda claim: replace(claim, evidence=(third,)))
    found = derived([LEMMA])[LEMMA]
    printed = published_entry(statements()[LEMMA], found)
    assert papers._agrees(printed, found)
    shape = msgspec.to_builtins(printed)
    for ends in (
        ("0.33333333333334", "0.33333333333335"),
        ("0.33333333333332", "0.33333333333333"),
    ):
        shape["evidence"][0]["numbers"][0].update(zip(("lower", "upper"), ends, strict=True))
        with pytest.raises(ClaimError, match="not that of the truth"):
            papers._agrees(msgspec.convert(shape, PaperEntry), found)


def test_nothing_is_issued_where_a_verdict_is_not_the_recorded_one(
    tmp_path: Path, claims: Cli, made_up_claims: Path
) -> None:
    made_up_claims.write_text("{}", "utf-8")
    out, page = tmp_path / "papers.json", tmp_path / "papers.html"
    found = claims("--check", "--out", out, "--report", page)
    assert found.code == 1
    assert "no certificate" in found.err
    assert not out.exists()
    assert not page.exists()
    with pytest.raises(InputError):
        papers_statement_of("*", derived(statements()))
    assert claims("--check", "--record", "--out", out).code == 0
    assert out.exists()


def test_a_certificate_takes_what_was_just_derived(tmp_path: Path, claims: Cli) -> None:
    out = tmp_path / "papers.json"
    assert claims("--out", out).code == 3
    assert claims("--check", "--out", tmp_path).code == 3
    assert claims("--check", "--out", out, "--report", out).code == 3
    some = derived(["gohari2020.number"])
    with pytest.raises(InputError):
        papers_statement_of("gohari2020.*", some)
    assert not out.exists()


def test_evidence_at_fault_or_out_of_time_gives_no_certificate(
    made_up_claims: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "gohari2020.number"
    fault = Instance("x", Exactly("0"), "<", Exactly("1"), {"0 > 1": False}, decides=True)
    put(name, lambda claim: replace(claim, evidence=(fault,)))
    found = derived([name])
    record(found, made_up_claims)
    with pytest.raises(SoundnessError):
        papers_statement_of(name, found)
    monkeypatch.setattr("simplexcert.certify.papers.derive.EVIDENCE_SECONDS", 0.0)
    with pytest.raises(BudgetSpentError):
        papers_statement_of(LEMMA, derived([LEMMA]))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("an entry twice", "an entry stands twice"),
        ("an unknown entry", "the entry gohari2020.lemma-1 is missing"),
        ("another order", "the entries are not in the register's order"),
        ("a narrower glob", "song2017.figure is no entry of the register that the glob matches"),
    ],
)
def test_it_is_told_what_is_wrong_with_the_list_of_entries(
    file: Path, command: Cli, name: str, words: str
) -> None:
    changed(file, HOSTILE[name][0])
    assert words in command("verify", file).err


def test_evidence_at_fault_now_is_exit_1(file: Path, command: Cli) -> None:
    fault = Instance("x", Exactly("0"), "<", Exactly("1"), {"0 > 1": False}, decides=True)
    put(LEMMA, lambda claim: replace(claim, evidence=(fault,)))
    found = command("verify", file)
    assert found.code == 1
    assert LEMMA in found.err


@pytest.mark.parametrize("mark", ["\x07", "\u202e"])
def test_what_no_certificate_can_say_is_bad_input(made_up_claims: Path, mark: str) -> None:
    name = "song2017.figure"
    put(name, lambda claim: replace(claim, evidence=(NotDecidable(f"no{mark}data"),)))
    found = derived([name])
    record(found, made_up_claims)
    with pytest.raises(InputError, match="no certificate can say this"):
        papers_statement_of(name, found)


def test_there_is_no_worst_case_of_a_backend_in_it(file: Path) -> None:
    with pytest.raises(InputError, match="register"):
        worst_of_certificate(file)


def test_its_page_sets_every_entry_out_alike(file: Path, tmp_path: Path, command: Cli) -> None:
    out = tmp_path / "papers.html"
    assert command("report", file, "--out", out).code == 0
    reading = taken_apart(out.read_bytes())
    assert reading.names().count("article") == ALL
    assert reading.within("h3")[:ALL] == list(statements())
    for claim in statements().values():
        assert claim.says in reading.text
        assert f"proofs_notes/{claim.note}" in reading.text
    for sentence in PAPERS_NON_CLAIMS:
        assert sentence in reading.text
    for told in ("at least a quarter", "epsilon >= 0", "not reproduced", "a step"):
        assert told in reading.text
    # Nothing is folded away, but for the table of files.
    assert reading.names().count("details") == 1


def test_its_page_needs_no_script_and_is_in_order(file: Path) -> None:
    content = report_on(file.read_bytes(), "papers.json")
    reading = taken_apart(content)
    assert not {"script", "link", "img", "iframe", "form"} & set(reading.names())
    levels = [int(name[1]) for name in reading.names() if name in ("h1", "h2", "h3", "h4")]
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    names = [found["id"] for _, found in reading.tags if "id" in found]
    assert len(set(names)) == len(names)
    links = [found.get("href") or "" for _, found in reading.tags]
    assert {link[1:] for link in links if link.startswith("#")} <= set(names)


def test_its_page_has_the_papers_in_the_registers_order(file: Path) -> None:
    reading = taken_apart(report_on(file.read_bytes(), "papers.json"))
    headings = [text for text in reading.within("h2") if text.partition(":")[0] in statement.PAPERS]
    assert [text.partition(":")[0] for text in headings] == ["gohari2020", "song2017"]


def test_a_repair_of_what_the_glob_leaves_out_has_no_dead_link(tmp_path: Path, claims: Cli) -> None:
    out, page = tmp_path / "one.json", tmp_path / "one.html"
    assert claims(f"{LEMMA}-repaired", "--check", "--out", out, "--report", page).code == 0
    assert f'href="#entry-{LEMMA}"' not in page.read_text("utf-8")
    assert verify(out).verdict is Verdict.CERTIFIED


def test_a_statement_alone_is_of_its_own_register() -> None:
    """What is issued names the files of its entries' papers, and no other paper's."""
    name = "song2017.figure"
    statement = papers_statement_of(name, derived([name]))
    assert isinstance(statement, PapersStatement)
    assert statement.subject == register_subjects(["song2017"])
    assert is_of_this_register(statement)
