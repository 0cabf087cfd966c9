"""Read parts of a claim file: parameters in their domains, coordinates, counts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from ...reference.domain import Domain, Value
from ...reference.errors import DomainError, InputError, UnknownNameError
from ...reference.exact import exact_integer, exact_number, shown
from ...reference.kinds import MAX_ENTRIES, MAX_ROWS

MAX_CATEGORIES = 1_000_000


def require_keys(table: Mapping[str, Any], known: Iterable[str], where: str) -> None:
    """Raise UnknownNameError, with the nearest key, if a key is not known."""
    names = tuple(known)
    for key in table:
        if key not in names:
            raise UnknownNameError("key", key, names, f"({where} takes {', '.join(names)})")


def require_all(given: Mapping[str, Any], needed: Iterable[str], where: str) -> None:
    """Raise InputError if a needed key is missing."""
    missing = [key for key in needed if key not in given]
    if missing:
        raise InputError(
            f"{where}: [release] lacks {', '.join(missing)}; "
            "`simplexcert audit --template MECHANISM` prints a claim file with all of them"
        )


def parameters(
    given: Mapping[str, Any], domains: Mapping[str, Domain], mechanism: str, where: str
) -> dict[str, Value]:
    """Return those of the parameters that are given, exact and inside their domains."""
    return {
        key: _parameter(given[key], key, domain, mechanism, where)
        for key, domain in domains.items()
        if key in given
    }


def _parameter(value: object, key: str, domain: Domain, mechanism: str, where: str) -> Value:
    exact = domain.read(f"{where}: {key}", value)
    stray = domain.stray(key, exact)
    if stray:
        raise DomainError(
            f"{where}: {stray} is no parameter of {mechanism}: it needs {domain.describe(key)}"
        )
    return exact


def coordinates(value: object, where: str) -> list[int]:
    """Return the numbers of the protected coordinates, which start at 1."""
    if not isinstance(value, list) or not value:
        raise InputError(
            f"{where}: W is {shown(value)}; it lists the protected coordinates, such as [1, 2]"
        )
    if len(value) > MAX_ENTRIES:
        raise InputError(
            f"{where}: W lists {len(value)} coordinates, more than {MAX_ENTRIES}; "
            "say how many with w instead"
        )
    found = [exact_integer(item, f"{where}: W") for item in value]
    if min(found) < 1 or len(set(found)) != len(found):
        raise InputError(f"{where}: W = {shown(value)} must hold different numbers from 1 on")
    return found


def category_counts(value: object, N: int, n: int, where: str) -> tuple[int, ...] | None:
    """Return the data themselves, checked against N and n; None where there are none."""
    if value is None:
        return None
    if not isinstance(value, list) or not value or len(value) > MAX_CATEGORIES:
        raise InputError(f"{where}: counts is {shown(value)}; it lists one count a category")
    counts = tuple(exact_integer(item, f"{where}: counts") for item in value)
    if min(counts) < 0:
        raise InputError(f"{where}: counts holds {shown(min(counts))}; a count is at least 0")
    if len(counts) != n:
        raise InputError(f"{where}: there are {len(counts)} counts, but n = {shown(n)}")
    if sum(counts) != N:
        raise InputError(f"{where}: the counts sum to {shown(sum(counts))}, but N = {shown(N)}")
    return counts


def approximate_or_renyi(
    table: Mapping[str, Any], name: str
) -> tuple[Fraction, Fraction | None, Fraction | None]:
    """Return a claimed epsilon, and the delta or the order that comes with it."""
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


def numbers(value: object, where: str, least: Fraction) -> list[int]:
    """Return a list of whole numbers that are at least ``least``."""
    if not isinstance(value, list) or not value:
        raise InputError(f"{where} is {shown(value)}; it lists one number a row")
    if len(value) > MAX_ROWS:
        raise InputError(f"{where} lists {len(value)} rows; more than {MAX_ROWS} are not read")
    found = [exact_integer(item, where) for item in value]
    if min(found) < least:
        raise DomainError(
            f"{where} holds {shown(min(found))}; it needs numbers from {shown(least)} on"
        )
    return found
