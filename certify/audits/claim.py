"""Read a user's claim: a release, and what is said of its privacy, in TOML with exact numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from importlib.resources import files
from pathlib import Path
from typing import Any

from ...reference.domain import Exact
from ...reference.errors import DomainError, InputError, UnknownNameError
from ...reference.exact import (
    exact_integer,
    exact_number,
    exact_text,
    parse_toml,
    read_file,
    shown,
)
from .mechanisms import OPTIONAL, Mechanism, mechanism_named

EXAMPLE_PREFIX = "example:"
MAX_CATEGORIES = 1_000_000


@dataclass(frozen=True)
class Claim:
    """A release and a claim about it, every number exact.

    Exactly one of ``delta`` (approximate differential privacy) and ``order`` (Renyi) is given.
    """

    name: str
    mechanism: Mechanism
    release: Mapping[str, Exact]
    counts: tuple[int, ...] | None
    epsilon: Fraction
    delta: Fraction | None
    order: Fraction | None

    def as_json(self) -> dict[str, object]:
        """Return the claim with its numbers as exact text."""
        said = {"epsilon": self.epsilon, "delta": self.delta, "order": self.order}
        return {
            "name": self.name,
            "mechanism": self.mechanism.name,
            "release": {key: exact_text(value) for key, value in self.release.items()},
            "claim": {key: exact_text(v) for key, v in said.items() if v is not None},
        }


def read_claim(where: str | Path) -> Claim:
    """Read a claim file, or ``example:NAME``. Raises InputError with a sentence."""
    text, name = _source(where)
    table = parse_toml(text, name)
    _require_keys(table, ("release", "claim"), name)
    release, said = (_table(table, key, name) for key in ("release", "claim"))
    mechanism = mechanism_named(_text(release, "mechanism", name))
    exact = _release(release, mechanism, name)
    epsilon, delta, order = _said(said, name)
    counts = _counts(release, exact, name)
    title = release.get("name", mechanism.name)
    if not isinstance(title, str):
        raise InputError(f"{name}: [release] name is {shown(title)}, not text")
    return Claim(title, mechanism, exact, counts, epsilon, delta, order)


def example_names() -> list[str]:
    """Return the names of the claims that are shipped."""
    folder = files(__package__) / "examples"
    return sorted(item.name.removesuffix(".toml") for item in folder.iterdir())


def example_text(name: str) -> str:
    """Return a shipped claim file. Raises UnknownNameError."""
    if name not in example_names():
        raise UnknownNameError("example", name, example_names())
    return (files(__package__) / "examples" / f"{name}.toml").read_text(encoding="utf-8")


def _source(where: str | Path) -> tuple[str | bytes, str]:
    text = str(where)
    if text.startswith(EXAMPLE_PREFIX):
        return example_text(text.removeprefix(EXAMPLE_PREFIX)), text
    return read_file(where), text


def _require_keys(table: Mapping[str, Any], known: tuple[str, ...], name: str) -> None:
    for key in table:
        if key not in known:
            raise UnknownNameError("key", key, known, f"in {name}")


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


def _release(table: Mapping[str, Any], mechanism: Mechanism, name: str) -> dict[str, Exact]:
    known = ["name", "mechanism", *mechanism.parameters]
    known += ["W"] if "w" in known else []
    known += ["counts"] if "n" in known else []
    _require_keys(table, tuple(known), f"{name} [release]")
    given = {key: table[key] for key in mechanism.parameters if key in table}
    if "W" in table:
        if "w" in table:
            raise InputError(f"{name}: give W or w, not both")
        given["w"] = len(_coordinates(table["W"], name))
    missing = [k for k in mechanism.parameters if k not in given and k not in OPTIONAL]
    if missing:
        raise InputError(f"{name}: [release] lacks {', '.join(missing)}")
    return {key: _parameter(mechanism, key, value, name) for key, value in given.items()}


def _parameter(mechanism: Mechanism, key: str, value: object, name: str) -> Exact:
    interval = mechanism.parameters[key]
    exact = interval.read(f"{name}: {key}", value)
    if not interval.admits(exact):
        raise DomainError(
            f"{name}: {key} = {shown(exact)} is no parameter of {mechanism.name}: "
            f"it needs {interval.describe(key)}"
        )
    return exact


def _coordinates(value: object, name: str) -> list[int]:
    if not isinstance(value, list) or not value:
        raise InputError(f"{name}: W is {shown(value)}; it lists the protected coordinates")
    coordinates = [exact_integer(item, f"{name}: W") for item in value]
    if min(coordinates) < 1 or len(set(coordinates)) != len(coordinates):
        raise InputError(f"{name}: W = {shown(value)} must hold different numbers from 1 on")
    return coordinates


def _said(table: Mapping[str, Any], name: str) -> tuple[Fraction, Fraction | None, Fraction | None]:
    _require_keys(table, ("epsilon", "delta", "order"), f"{name} [claim]")
    if "epsilon" not in table or ("delta" in table) == ("order" in table):
        raise InputError(f"{name}: [claim] needs epsilon and exactly one of delta and order")
    number = {key: exact_number(value, f"{name}: {key}") for key, value in table.items()}
    if number["epsilon"] < 0:
        raise DomainError(f"{name}: epsilon = {shown(number['epsilon'])} is below 0")
    if "delta" in number and not 0 <= number["delta"] <= 1:
        raise DomainError(f"{name}: delta = {shown(number['delta'])} is not a probability")
    if "order" in number and number["order"] < 1:
        raise DomainError(f"{name}: order = {shown(number['order'])} is below 1")
    return number["epsilon"], number.get("delta"), number.get("order")


def _counts(
    table: Mapping[str, Any], exact: Mapping[str, Exact], name: str
) -> tuple[int, ...] | None:
    value = table.get("counts")
    if value is None:
        return None
    if not isinstance(value, list) or not value or len(value) > MAX_CATEGORIES:
        raise InputError(f"{name}: counts is {shown(value)}; it lists one count a category")
    counts = tuple(exact_integer(item, f"{name}: counts") for item in value)
    if min(counts) < 0:
        raise InputError(f"{name}: counts holds {min(counts)}; a count is at least 0")
    if len(counts) != exact["n"]:
        raise InputError(f"{name}: there are {len(counts)} counts, but n = {exact['n']}")
    if sum(counts) != exact["N"]:
        raise InputError(f"{name}: the counts sum to {sum(counts)}, but N = {exact['N']}")
    return counts
