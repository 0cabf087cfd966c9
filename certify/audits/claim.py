"""Read a user's claim: a release, and what is said of its privacy, in TOML with exact numbers."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from ...reference.errors import InputError, UnknownNameError
from ...reference.exact import parse_toml, shown
from ..files import content_at, name_of
from ..mechanisms import MECHANISMS, mechanism_named, template_text
from ..mechanisms.protocol import Claim, PublicSettings
from ..mechanisms.public import OUTPUT_KEYS, PUBLIC
from ..mechanisms.reading import require_keys
from .tight import CALIBRATION, require_numbers, with_numbers

EXAMPLE_PREFIX = "example:"
# The format of claim files, as `audit --format` calls it.
TOML = "toml"
# The verdict stands in front of the name, on one line.
_LONGEST_TITLE = 200
# What a release is made of and how it is written: of it an audit reads the keys, and whether any
# data are an input.
_OF_THE_MAKING = ("data", "output")


def read_claim(where: str | Path) -> Claim:
    """Read a claim file, or ``example:NAME``. Raises InputError with a sentence."""
    text, name = source_of(where)
    return claim_in(parse_toml(text, name), name)


def claim_in(table: Mapping[str, Any], name: str, *, choosing: bool = True) -> Claim:
    """Return the claim that a table with [release] and [claim] makes. Raises InputError.

    A parameter that is "tight" is chosen for it, with [calibration] where that needs one; unless
    ``choosing``, where it is refused before any work.
    """
    require_keys(table, ("release", "claim", CALIBRATION, *_OF_THE_MAKING), name)
    release, said = (_table(table, key, name) for key in ("release", "claim"))
    for key in (CALIBRATION, *_OF_THE_MAKING):
        _table({key: {}, **table}, key, name)
    require_keys(table.get("output", {}), OUTPUT_KEYS, f"{name} [output]")
    mechanism = mechanism_named(_text(release, "mechanism", name))
    require_keys(release, ("name", "mechanism", *mechanism.keys), f"{name} [release]")
    require_keys(table.get("data", {}), (*mechanism.data_keys, PUBLIC), f"{name} [data]")
    title = _title(release.get("name", mechanism.name), name)
    if not choosing:
        require_numbers(release, mechanism, name)
    require_keys(said, ("epsilon", "delta", "order"), f"{name} [claim]")
    target = mechanism.target(said, name)
    given, chosen = with_numbers(release, mechanism, target, table.get(CALIBRATION), name)
    parameters, data = mechanism.read(given, name)
    claim = Claim(title, mechanism, parameters, data, *target, chosen)
    # Its file may say of the coordinates that no data are an input, though the claim does not.
    if mechanism.vacuity(claim) is None:
        settings = PublicSettings(name, release, table.get("data", {}), frozenset())
        mechanism.require_inputs(claim, settings)
    return claim


def claim_without_files(table: Mapping[str, Any], name: str, known: Mapping[str, Any]) -> Claim:
    """Return the claim that a table makes, but open no file that it names.

    What it leaves to the data in one is taken from a release of ``known`` parameters, if that says
    that it was read off data. Raises InputError.
    """
    release = table.get("release")
    if isinstance(release, dict) and release.get("mechanism") in MECHANISMS:
        mechanism = mechanism_named(release["mechanism"])
        table = {**table, "release": mechanism.without_files(release, known)}
    return claim_in(table, name)


def files_named_in(table: Mapping[str, Any], name: str) -> list[Path]:
    """Return the files beside a claim that it names to be read."""
    release = table.get("release")
    counts = release.get("counts") if isinstance(release, dict) else None
    return [Path(name).parent / counts] if isinstance(counts, str) else []


def example_names() -> list[str]:
    """Return the names of the claims that are shipped: papers' own, and one a mechanism."""
    folder = files(__package__) / "examples"
    return sorted((*(item.name.removesuffix(".toml") for item in folder.iterdir()), *MECHANISMS))


def example_text(name: str) -> str:
    """Return a shipped claim file. Raises UnknownNameError."""
    if name not in example_names():
        listed = "(`simplexcert audit --examples` lists all)"
        raise UnknownNameError("example", name, example_names(), listed)
    if name in MECHANISMS:
        return template_text(name)
    return (files(__package__) / "examples" / f"{name}.toml").read_text(encoding="utf-8")


def source_of(where: str | Path) -> tuple[bytes, str]:
    """Return the bytes of a claim file, ``-`` or ``example:NAME``, and what it is called."""
    text = str(where)
    if text.startswith(EXAMPLE_PREFIX):
        return example_text(text.removeprefix(EXAMPLE_PREFIX)).encode(), text
    return content_at(where), name_of(where)


def _table(table: Mapping[str, Any], key: str, name: str) -> Mapping[str, Any]:
    value = table.get(key)
    if not isinstance(value, dict):
        raise InputError(f"{name} has no table [{key}]")
    return value


def _text(table: Mapping[str, Any], key: str, name: str) -> str:
    value = table.get(key)
    if not isinstance(value, str):
        raise InputError(f"{name}: [release] needs {key} = a name in quotes")
    return value


def _title(value: object, name: str) -> str:
    """Return what the release is called: one line that cannot be taken for anything else."""
    if not isinstance(value, str):
        raise InputError(f"{name}: [release] name is {shown(value)}, not text")
    if not (value.isprintable() and value.strip() and len(value) <= _LONGEST_TITLE):
        raise InputError(
            f"{name}: [release] name is {shown(value)}; it needs one line of printable text, at "
            f"most {_LONGEST_TITLE} characters"
        )
    return value
