"""The claim file of a release: the claim, how the data are read, the grid; all of it public."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...reference.errors import InputError
from ...reference.exact import parse_toml, read_file
from ..audits.claim import claim_in
from ..certificate.grids import chosen_bits
from ..mechanisms import mechanism_named
from ..mechanisms.protocol import Claim, PublicSettings
from ..mechanisms.public import require_no_data_in, settings_in


@dataclass(frozen=True)
class Asked:
    """A claim file, read: ``content`` are its bytes, ``grid_bits`` None where it leaves them."""

    content: bytes
    claim: Claim
    said: PublicSettings
    grid_bits: int | None


def asked_in(file: Path) -> Asked:
    """Return what a claim file asks for. Raises InputError, also where something is not public."""
    content, where = read_file(file), str(file)
    table = parse_toml(content, where)
    release = _table(table, "release", where)
    require_no_data_in(release, where)
    mechanism = mechanism_named(_mechanism(release, where))
    mechanism.require_drawn(where)
    _table(table, "data", where)
    claim = claim_in(table, where)
    bits = chosen_bits(_table({"output": {}, **table}, "output", where), mechanism.name, where)
    return Asked(content, claim, settings_in(claim, table, where), bits)


def _table(table: Mapping[str, Any], key: str, where: str) -> Mapping[str, Any]:
    value = table.get(key)
    if not isinstance(value, dict):
        raise InputError(
            f"{where} has no table [{key}]; `simplexcert release --template MECHANISM` prints a "
            "claim file with all of them"
        )
    return value


def _mechanism(release: Mapping[str, Any], where: str) -> str:
    value = release.get("mechanism")
    if not isinstance(value, str):
        raise InputError(f"{where}: [release] needs mechanism = a name in quotes")
    return value
