"""Refusal before harm: a sentence and an exit code, and nothing is drawn, written or opened."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from each import each_of
from private_data import DRAWN, Given, given
from simplexcert.certify.audits.claim import read_claim
from simplexcert.certify.cli import run
from simplexcert.certify.mechanisms import mechanism_named
from simplexcert.certify.mechanisms.protocol import PublicSettings
from simplexcert.certify.mechanisms.public import MEANING
from simplexcert.certify.releasing import draw_release, published
from simplexcert.certify.releasing.refusals import NotCertifiedError
from simplexcert.certify.verdict import Verdict
from simplexcert.reference.errors import InputError
from simplexcert.reference.exact import parse_toml


@pytest.fixture(autouse=True)
def no_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every draw be a failure of the test."""

    def draw(_count: int) -> int:
        raise AssertionError("a bit was drawn")

    monkeypatch.setattr(published, "operating_system", draw)


def refused(found: Given, folder: Path, *more: str) -> int:
    """Run the command; whatever it says, nothing but the claim and the data may be there."""
    before = {file.name: file.read_bytes() for file in folder.iterdir() if file.is_file()}
    out = ["--out", str(folder / "out.json"), "--certificate", str(folder / "cert.json")]
    code = run(["release", str(found.claim), "--data", str(found.data), *out, *more])
    assert {x.name: x.read_bytes() for x in folder.iterdir() if x.is_file()} == before
    return code


def told(capsys: pytest.CaptureFixture[str], verdict: str = "") -> str:
    """Return the one sentence on standard error; with a verdict, and why, before it."""
    said = capsys.readouterr()
    assert said.out.count("\nbecause: ") == bool(verdict) == bool(said.out)
    assert said.out.startswith(verdict)
    assert said.err.count("\n") == 1
    return said.err


def rewritten(found: Given, change: Callable[[str], str]) -> Given:
    text = found.claim.read_text(encoding="utf-8")
    assert change(text) != text
    found.claim.write_text(change(text), encoding="utf-8")
    return found


def public_names() -> list[tuple[str, str]]:
    """Return every mechanism with every name that has to be public."""
    found = []
    for mechanism in DRAWN:
        for line in given_text(mechanism).split("\n"):
            if line.startswith("public = "):
                names = parse_toml(line)["public"]
                found += [(mechanism, name) for name in names]
    return found


def given_text(mechanism: str) -> str:
    from simplexcert.certify.mechanisms import template_text

    return template_text(mechanism)


@each_of("mechanism, name", public_names())
def test_what_has_to_be_public_and_is_not_said_to_be_is_refused(
    mechanism: str, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (line,) = (x for x in given_text(mechanism).split("\n") if x.startswith("public = "))
    names = [one for one in parse_toml(line)["public"] if one != name]
    found = given(tmp_path, mechanism, public=str(names).replace("'", '"'))
    assert refused(found, tmp_path) == 3
    sentence = told(capsys)
    assert f"does not list {name}, {MEANING[name]}" in sentence
    assert f'add "{name}" to public' in sentence


def test_every_public_name_has_a_meaning(tmp_path: Path) -> None:
    for mechanism in DRAWN:
        claim = given(tmp_path, mechanism).claim
        table = parse_toml(claim.read_bytes())
        said = PublicSettings(
            "it", table["release"], table["data"], frozenset(table["data"]["public"])
        )
        for name in mechanism_named(mechanism).public_names(read_claim(claim), said):
            assert name in MEANING, f"certify/mechanisms/public.py says nothing of {name}"


@pytest.mark.parametrize(
    ("public", "meant"),
    [('["eta", "N", "categoris"]', "categories"), ('["eta", "N", "categories", "Ns"]', "N")],
)
def test_a_name_that_need_not_be_public_is_refused_with_the_nearest(
    public: str, meant: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert refused(given(tmp_path, "dirichlet.counts", public=public), tmp_path) == 3
    assert f"did you mean '{meant}'?" in told(capsys)


@pytest.mark.parametrize("public", ['"eta"', "[1]", '["eta", "eta", "N", "categories"]'])
def test_public_that_is_no_list_of_names_is_refused(public: str, tmp_path: Path) -> None:
    assert refused(given(tmp_path, "dirichlet.counts", public=public), tmp_path) == 3


def test_data_in_the_claim_file_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = given(tmp_path, "dirichlet.counts")
    rewritten(found, lambda text: text.replace("[claim]", "counts = [17, 33, 10]\n[claim]"))
    assert refused(found, tmp_path) == 3
    assert "[release] holds counts" in told(capsys)


@pytest.mark.parametrize("key", ["N", "n", "eta"])
def test_a_model_without_its_public_numbers_is_refused(key: str, tmp_path: Path) -> None:
    found = given(tmp_path, "markov.model")
    rewritten(
        found, lambda text: "\n".join(x for x in text.split("\n") if not x.startswith(f"{key} ="))
    )
    assert refused(found, tmp_path) == 3


def test_a_refuted_claim_is_not_released_under_and_the_data_are_not_opened(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = given(tmp_path, "dirichlet.counts", epsilon='"0.1"')
    found.data.unlink()
    found.data.mkdir()
    assert refused(found, tmp_path) == 1
    assert "the claim is refuted: some neighbouring inputs" in told(capsys, "REFUTED  ")


def test_an_undecided_claim_is_not_released_under(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = given(tmp_path, "pufferfish.chain", scale='"1"')
    assert refused(found, tmp_path) == 2
    assert "undecided: that is no pass" in told(capsys, "UNDECIDED  ")


def test_a_claim_about_nothing_is_not_released_under(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert refused(given(tmp_path, "dirichlet.counts", eta='"0.5"'), tmp_path) == 5
    assert "inapplicable: no input satisfies the definition" in told(capsys, "INAPPLICABLE  ")


def test_in_python_the_error_has_the_verdict(tmp_path: Path) -> None:
    claim, data = given(tmp_path, "dirichlet.counts", epsilon='"0.1"')
    with pytest.raises(NotCertifiedError) as caught:
        draw_release(claim, data)
    assert caught.value.verdict is Verdict.REFUTED


@pytest.mark.parametrize("option", ["--out", "--certificate", "--report"])
def test_nothing_is_written_over_a_file(
    option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = given(tmp_path, "dirichlet.counts")
    there = tmp_path / "there"
    there.write_text("mine", encoding="utf-8")
    out = [] if option == "--out" else ["--out", str(tmp_path / "out.json")]
    arguments = ["release", str(found.claim), "--data", str(found.data), *out]
    assert run([*arguments, option, str(there)]) == 3
    assert f"{option} {there} is there already" in told(capsys)
    assert there.read_text(encoding="utf-8") == "mine"


def test_a_dangling_link_is_a_file_that_is_there(tmp_path: Path) -> None:
    found = given(tmp_path, "dirichlet.counts")
    (tmp_path / "link.json").symlink_to(tmp_path / "elsewhere.json")
    with pytest.raises(InputError):
        draw_release(*found, out=tmp_path / "link.json")
    assert not (tmp_path / "elsewhere.json").exists()


@each_of("one", ["out", "certificate", "ledger"])
@each_of("other", ["claim", "data", "out", "certificate", "ledger", "link"])
def test_two_of_the_files_that_are_the_same_are_refused(
    one: str, other: str, tmp_path: Path
) -> None:
    if one == other:
        return
    claim, data = given(tmp_path, "dirichlet.counts")
    (tmp_path / "link").hardlink_to(data)
    names = {name: tmp_path / f"{name}.json" for name in ("out", "certificate", "ledger")}
    names |= {"claim": claim, "data": data, "link": tmp_path / "link"}
    before = data.read_bytes(), claim.read_bytes()
    files = {key: names[key] for key in ("out", "certificate", "ledger")} | {one: names[other]}
    with pytest.raises(InputError):
        draw_release(claim, data, **files)
    assert (data.read_bytes(), claim.read_bytes()) == before


@each_of("seed", ["-1", "18446744073709551616", "1.5", "x", ""])
def test_a_seed_is_a_whole_number_of_64_bits(seed: str, tmp_path: Path) -> None:
    assert refused(given(tmp_path, "dirichlet.counts"), tmp_path, "--seed", seed) == 3


@each_of(
    "mechanism, bits",
    [("dirichlet.counts", x) for x in ("0", "257", "-1", '"a"', "1.5", "true")]
    + [("pufferfish.chain", x) for x in ("-65", "257")],
)
def test_a_grid_out_of_bounds_is_refused(mechanism: str, bits: str, tmp_path: Path) -> None:
    assert refused(given(tmp_path, mechanism, grid_bits=bits), tmp_path) == 3


@pytest.mark.parametrize("table", ["data", "release", "claim"])
def test_a_claim_file_without_a_table_is_refused(table: str, tmp_path: Path) -> None:
    found = given(tmp_path, "dirichlet.counts")
    rewritten(found, lambda text: text.replace(f"[{table}]", f"[{table}d]"))
    assert refused(found, tmp_path) == 3


@pytest.mark.parametrize("line", ["[data]\nkolumn = 1", "[output]\ngrid = 3", "[outputs]"])
def test_a_key_that_is_not_known_is_refused(line: str, tmp_path: Path) -> None:
    found = given(tmp_path, "dirichlet.counts")
    head = line.split("\n", maxsplit=1)[0]
    rewritten(found, lambda x: x.replace(head, line) if head in x else f"{x}\n{line}\n")
    assert refused(found, tmp_path) == 3


@each_of(
    "arguments",
    [[], ["claim.toml"], ["claim.toml", "--data", "d"], ["--template", "dirichlet.cuonts"],
     ["claim.toml", "--template", "dirichlet.counts"], ["example:dirichlet.identity", "--data", "x",
     "--out", "y"]],
)  # fmt: skip
def test_bad_usage_is_a_sentence(
    arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    assert run(["release", *arguments]) == 3
    assert "fault of simplexcert" not in told(capsys)


def test_a_folder_that_is_not_there_is_found_before_any_work(tmp_path: Path) -> None:
    claim, data = given(tmp_path, "dirichlet.counts")
    with pytest.raises(InputError):
        draw_release(claim, data, out=tmp_path / "no" / "out.json")


def test_a_pipe_for_data_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    found = given(tmp_path, "dirichlet.counts")
    found.data.unlink()
    os.mkfifo(found.data)
    assert refused(found, tmp_path) == 3


@pytest.mark.parametrize("name", ["a\u200bb.json", "a\\b.json", "a\nb.json"])
def test_a_file_that_no_certificate_can_name_is_refused_before_the_draw(
    name: str, tmp_path: Path
) -> None:
    claim, data = given(tmp_path, "dirichlet.counts")
    with pytest.raises(InputError):
        draw_release(claim, data, out=tmp_path / name)
    assert not (tmp_path / name).exists()
