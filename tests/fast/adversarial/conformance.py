"""Write the hostile certificates and the good ones as a corpus for other verifiers.

    python tests/fast/adversarial/conformance.py FOLDER

The folder needs nothing of ours: an index in JSON says of every case what a verifier is given and
whether it has to refuse it. ``CONFORMANCE.md``, its README, says how it is used.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import sys
import tomllib
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import msgspec
import run_against
from msgspec import Meta
from simplexcert.certify.certificate import errors
from simplexcert.certify.vectors.writing import generator

HERE: Final = Path(__file__).parent
COPIED: Final = ("good", "hostile", "forged", "table.toml", "run_against.py", "verifier.mjs")
TYPE: Final = "https://simplexcert.github.io/conformance/v0"
LEVELS: Final = {
    "InputError": "bytes",
    "CanonicalFormError": "form",
    "LimitError": "form",
    "ShapeError": "form",
    "VersionError": "form",
    "EnvelopeError": "envelope",
    "SignatureError": "signature",
    "AlgebraError": "consistency",
    "SubjectError": "files",
    "TranscriptError": "files",
    "ClaimError": "mathematics",
    "EvidenceError": "mathematics",
    "WitnessError": "mathematics",
    "PolicyError": "policy",
}
UNREADABLE: Final = "It is no JSON that one may read in one way only."

_Path = Annotated[str, Meta(pattern=r"^(good|hostile|forged)/[A-Za-z0-9._-]+$")]
_Text = Annotated[str, Meta(min_length=1)]
_Level = Literal[
    "bytes", "form", "envelope", "signature", "consistency", "files", "mathematics", "policy"
]


class _Closed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table with exactly the fields that are named."""


class Kind(_Closed, frozen=True):
    """What can be wrong, and at which level a verifier finds it."""

    level: _Level
    meaning: _Text


class Case(_Closed, frozen=True):
    """What a verifier is given, and what it has to do."""

    id: _Text
    result: Literal["refuse", "accept"]
    kind: _Text | None
    certificate: _Path
    keys: list[_Path]
    subjects: list[_Path]
    transcript: _Path | None
    max_slack: _Text | None
    changed: _Path | None
    sha256: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
    instead_of: _Path | None


class Written(_Closed, frozen=True):
    """What wrote the index."""

    name: _Text
    version: _Text


class Index(_Closed, frozen=True):
    """All cases, those to refuse first."""

    type: Literal["https://simplexcert.github.io/conformance/v0"]
    schema_version: Literal[1]
    generator: Written
    kinds: dict[_Text, Kind]
    cases: list[Case]


def kinds() -> dict[str, Kind]:
    """Return the kinds of errors that some file has, by name."""
    said = {name: getattr(errors, name, None) for name in LEVELS}
    return {
        name: Kind(LEVELS[name], UNREADABLE if kind is None else str(kind.__doc__).splitlines()[0])
        for name, kind in said.items()
    }


def case_of(name: str, result: Literal["refuse", "accept"], given: list[str], **more: Any) -> Case:
    """Return the case of the words that `verify` is given."""
    options = list(zip(given[1::2], given[2::2], strict=True))

    def all_of(option: str) -> list[str]:
        return [value for each, value in options if each == option]

    return Case(
        id=name,
        result=result,
        certificate=given[0],
        keys=all_of("--key"),
        subjects=all_of("--subject"),
        transcript=next(iter(all_of("--transcript")), None),
        max_slack=next(iter(all_of("--max-slack")), None),
        **more,
    )


def cases() -> list[Case]:
    """Return every case, each good one once."""
    table = tomllib.loads((HERE / "table.toml").read_text(encoding="utf-8"))
    hostile = {
        file.name.split(".")[0]: f"hostile/{file.name}" for file in (HERE / "hostile").iterdir()
    }
    refused, accepted = [], dict[tuple[str, ...], Case]()
    for name, row in table.items():
        changed, good = hostile[name], f"good/{row['from']}"
        more = {"kind": row["error"], "changed": changed, "instead_of": good}
        given = run_against.arguments(table, name, changed)
        refused.append(case_of(name, "refuse", given, **more, sha256=digest(changed)))
        words = run_against.arguments(table, name, good)
        nothing = {"kind": None, "changed": None, "instead_of": None}
        known = f"good-{len(accepted) + 1}"
        accepted.setdefault(
            tuple(words), case_of(known, "accept", words, **nothing, sha256=digest(words[0]))
        )
    return [*refused, *accepted.values()]


def digest(path: str) -> str:
    """Return the sha256 of a file of the corpus."""
    return hashlib.sha256((HERE / path).read_bytes()).hexdigest()


def index() -> Index:
    """Return the index of the corpus."""
    made = generator()
    return Index(TYPE, 1, Written(made.name, made.version), kinds(), cases())


def schema() -> dict[str, Any]:
    """Return the JSON Schema of an index."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"{TYPE}/schema.json",
        "title": "simplexcert conformance corpus of certificates, version 0",
        **msgspec.json.schema(Index),
    }


def write(folder: Path) -> None:
    """Write the corpus into a folder, which is made, or holds an earlier one."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in COPIED:
        if (HERE / name).is_dir():
            shutil.rmtree(folder / name, ignore_errors=True)
            shutil.copytree(HERE / name, folder / name)
        else:
            shutil.copyfile(HERE / name, folder / name)
    shutil.copyfile(HERE / "CONFORMANCE.md", folder / "README.md")
    for name, value in (
        ("index.json", msgspec.to_builtins(index())),
        ("index.schema.json", schema()),
    ):
        (folder / name).write_text(json.dumps(value, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
