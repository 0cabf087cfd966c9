"""Labels that a claim file's [data] lists: public, so the only ones that a sentence may show."""

from __future__ import annotations

from collections.abc import Sequence

from ....reference.errors import InputError, UnknownNameError
from ....reference.exact import shown
from ....reference.markov.model.table import label_of
from ..protocol import PublicSettings
from .table import MAX_COLUMNS, QUOTE

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
