"""The site's own pages: what they show happens, and what they say of the interface is so."""

from __future__ import annotations

import json
import re
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from each import each_of
from experiments.registry import experiments
from made_signers import private_pem
from shown_pages import inline_commands
from simplexcert.certify.cli import run
from simplexcert.certify.cli.running import simplexcert
from simplexcert.certify.papers.derive import recorded
from simplexcert.certify.verdict import Verdict
from site_pages import CONFIG, OWN

PAGES = {path.stem: path.read_text(encoding="utf-8") for path in sorted(OWN.glob("*.md"))}


def test_every_page_has_its_place_in_the_navigation() -> None:
    navigation = CONFIG.read_text("utf-8").partition("\nnav:\n")[2]
    missing = set(PAGES) - set(re.findall(r"([\w-]+)\.md$", navigation, re.MULTILINE))
    assert missing == set(), [f"{name}.md" for name in missing]


def test_no_page_shows_a_picture_that_is_there_on_the_built_site_alone() -> None:
    shown = {
        (name, place)
        for name, text in PAGES.items()
        for place in re.findall(r"!\[[^\]]*\]\(([^)]+)\)", text)
    }
    assert [each for each in shown if not (OWN / each[1]).is_file()] == []


@each_of("name", sorted(PAGES))
def test_commands_within_sentences_exist(name: str) -> None:
    for words in inline_commands(PAGES[name]):
        command = simplexcert.commands.get(words[0])
        if words[0].startswith("--"):
            continue
        assert command, words
        options = {option for each in command.params for option in each.opts}
        assert {word for word in words if word.startswith("-")} <= options, words


SURVEY = {
    "claim.toml": """
[release]
name = "survey"
mechanism = "dirichlet.counts"
k = 12
eta = "0.1"
N = 200
n = 4
[claim]
epsilon = 1
delta = "1e-6"
[data]
column = "choice"
categories = ["a", "b", "c", "d"]
public = ["eta", "N", "categories"]
""",
    "choices.csv": "choice\n" + "a\nb\nc\nd\n" * 50,
}
INPUT = "[80, 50, 40, 30]"
# In this order: some read what others write.
ASKED = {
    "quantities": ["dirichlet.utility.variance"],
    "keygen": ["--out", "key"],
    "evaluate": ["dirichlet.utility.variance", "-p", "p=1/3", "-p", "k=2"],
    "curve": ["dirichlet.utility.variance", "-p", "p=0:1:3", "-p", "k=1"],
    "audit": ["claim.toml", "--out", "certificate.json"],
    "verify": ["certificate.json"],
    "certify": ["--quantities", "dirichlet.utility.variance", "--cases", "2"],
    "release": ["claim.toml", "--data", "choices.csv", "--out", "r.json", "--ledger", "l.json"],
    "ledger": ["l.json"],
    "claims": ["gohari2020.lemma-1"],
    "simulate": ["claim.toml", "--input", INPUT, "--draws", "100"],
    "report": ["certificate.json", "--out", "page.html"],
    "sign": ["certificate.json", "--key", "private.pem"],
    "vectors": ["--out", "v", "--quantities", "dirichlet.utility.variance", "--cases", "12"],
}


def fields_said() -> dict[str, set[str]]:
    """Return the fields of each command's JSON as the interface tells them, inner ones too."""
    rows = re.findall(
        r"^\| `(\w+)` \| (`\w+`(?:[:,]| \() ?.*) \|$", PAGES["interface"], re.MULTILINE
    )
    return {command: set(re.findall(r"`(\w+)`", said)) for command, said in rows}


def fields_of(printed: Any) -> set[str]:
    """Return an object's fields, and those of the objects in its lists."""
    inner = (item for value in printed.values() if isinstance(value, list) for item in value)
    return set(printed).union(*(fields_of(item) for item in inner if isinstance(item, dict)))


def test_the_interface_tells_the_fields_that_are_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in SURVEY.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "private.pem").write_bytes(private_pem(1))
    said = fields_said()
    assert set(said) == set(ASKED)
    for command, words in ASKED.items():
        capsys.readouterr()
        assert run([command, *words, "--json"]) in {0, 2}, command
        printed = json.loads(capsys.readouterr().out)
        assert printed["schema_version"] == 1
        assert set(printed) - {"schema_version"} <= said[command] <= fields_of(printed), command


def test_the_interface_names_what_can_be_imported() -> None:
    rows = re.findall(r"^\| `(simplexcert[\w.]*)` \| (.*) \|$", PAGES["interface"], re.MULTILINE)
    assert rows
    for module, said in rows:
        found = import_module(module)
        names = set(re.findall(r"`(\w+)`", said))
        assert [name for name in names if not hasattr(found, name)] == []
        exported = set(getattr(found, "__all__", names))
        assert {name for name in exported if not name.isupper()} <= names, module


def test_the_interface_tells_every_verdict_and_exit_code() -> None:
    rows = re.findall(r"^\| (\w+) \| ", PAGES["interface"], re.MULTILINE)
    assert {verdict.value for verdict in Verdict} | set("012345") <= set(rows)


def test_the_limitations_name_every_claim_that_is_undecided() -> None:
    named = re.findall(r"`([a-z]+20\d\d\.[\w-]+)`", PAGES["limitations"])
    undecided = [name for name, one in recorded().items() if one.verdict is Verdict.UNDECIDED]
    assert sorted(named) == sorted(undecided)


def test_the_experiments_that_are_listed_are_those_there_are() -> None:
    rows = re.findall(r"^\| `([\w.-]+)` \| (.*) \|$", PAGES["experiments"], re.MULTILINE)
    there = [(name, one.title) for name, one in experiments().items()]
    table = "\n".join(f"| `{name}` | {title} |" for name, title in there)
    assert rows == there, f"write in proofs_notes/site/pages/experiments.md:\n{table}"
