"""The verdicts that were recorded when they were last reviewed, written by the command alone."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from ...reference.errors import InputError
from ...reference.exact import parse_json, read_file
from ..files import write_whole
from ..marks import PACKAGED
from ..verdict import Verdict
from .deriving import Derived, standing
from .entries import Claim
from .findings import Strength

EXPECTED = Path(__file__).with_name("expected.json")


class Recorded(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The verdict on an entry and on its other readings, and what it rests on."""

    verdict: Verdict
    strength: Strength
    proof_fails: bool
    readings: list[Verdict]


def recorded(file: Path | None = None) -> dict[str, Recorded]:
    """Return the recorded verdicts by id. Raises InputError if the file is no such table."""
    file = file or EXPECTED
    table: Any = parse_json(read_file(file), file.name)
    try:
        return msgspec.convert(table, dict[str, Recorded])
    except msgspec.ValidationError as error:
        raise InputError(f"{file.name} is no table of recorded verdicts: {error}") from None


def record(found: Mapping[str, Derived], file: Path | None = None) -> None:
    """Write the verdicts that were just derived over those of the same ids."""
    file = file or EXPECTED
    kept = recorded(file) if file.is_file() else {}
    kept.update({name: record_of(one) for name, one in found.items()})
    from .register import entries

    table = {name: msgspec.to_builtins(kept[name]) for name in entries() if name in kept}
    lines = (f"{json.dumps(name)}: {json.dumps(line)}" for name, line in table.items())
    write_whole(file, ("{\n" + ",\n".join(lines) + "\n}\n").encode(), PACKAGED)


def record_of(found: Derived) -> Recorded:
    """Return what is recorded of an entry."""
    return Recorded(
        found.verdict,
        found.strength,
        found.proof_fails,
        [reading.verdict for reading in found.readings],
    )


def standing_of(claim: Claim, line: Recorded) -> str:
    """Return in words how an entry stands, from what is recorded of it."""
    return standing(claim, line.verdict, proof_fails=line.proof_fails, readings=line.readings)


def differing(found: Mapping[str, Derived], file: Path | None = None) -> list[str]:
    """Return the ids whose verdict is not the recorded one, or is not recorded at all."""
    known = recorded(file)
    return [name for name, one in found.items() if known.get(name) != record_of(one)]
