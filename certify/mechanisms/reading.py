"""Read parts of a claim file: parameters in their domains, coordinates, counts, public labels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ...reference.domain import Domain, Value
from ...reference.domain.kinds import MAX_ENTRIES, MAX_ROWS
from ...reference.errors import DomainError, InputError, UnknownNameError
from ...reference.exact import exact_integer, exact_number, shown
from ...reference.labels import label_of
from .data.table import MAX_COLUMNS, QUOTE

if TYPE_CHECKING:
    from .protocol import PublicSettings

_MAX_CATEGORIES = 1_000_000


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
    if not isinstance(value, list) or not value or len(value) > _MAX_CATEGORIES:
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


# Categories of a Dirichlet law, and states of a chain.
LEAST_LABELS = 2


def text_in(settings: PublicSettings, key: str) -> str:
    """Return a text that [data] gives. Raises InputError."""
    value = settings.data.get(key)
    if not isinstance(value, str) or not value:
        raise InputError(f"{settings.where}: [data] needs {key} = a name in quotes")
    return value


def labels_in(settings: PublicSettings, key: str, least: int = LEAST_LABELS) -> tuple[str, ...]:
    """Return the different labels that [data] lists under a key. Raises InputError."""
    if key not in settings.data:
        raise InputError(f'{settings.where}: [data] needs {key} = ["...", ...], which are public')
    labels = labels_of(settings.data[key], f"{settings.where} [data]: {key}")
    if len(labels) < least:
        raise InputError(f"{settings.where} [data]: {key} lists {len(labels)}; it needs {least} or "
                         "more")  # fmt: skip
    return labels


def labels_of(value: object, place: str) -> tuple[str, ...]:
    """Return a list of different labels. Raises InputError."""
    if not isinstance(value, list) or not all(isinstance(label, str) for label in value):
        raise InputError(f"{place} is {shown(value)}; it lists names in quotes")
    if len(value) > MAX_COLUMNS:
        raise InputError(f"{place} lists more than {MAX_COLUMNS} names")
    labels = tuple(label_of(label, place) for label in value)
    # No data file holds one in a field: only data without that label would be served.
    if any(QUOTE in label for label in labels):
        raise InputError(
            f"{place}: a label holds a quotation mark, and no field of a data file may"
        )
    if len(set(labels)) != len(labels):
        raise InputError(f"{place}: a name stands twice")
    return labels


def label_sets_in(
    settings: PublicSettings, key: str, states: Sequence[str]
) -> dict[str, tuple[str, ...]]:
    """Return what [data] lists under a key for some of the states: other states, by the label."""
    value, place = settings.data.get(key, {}), f"{settings.where} [data]: {key}"
    if not isinstance(value, dict):
        raise InputError(f"{place} is {shown(value)}; it is a table, label = [labels]")
    found = {label: labels_of(given, f"{place}, {shown(label)}") for label, given in value.items()}
    for label in (*found, *(other for others in found.values() for other in others)):
        if label not in states:
            raise UnknownNameError("state", label, states, f"({place})")
    return found
