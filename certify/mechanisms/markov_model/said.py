"""What a claim about a model says of the data in words: labels, what was read off, what left out.

Where the data are given it is found out. Where they are not, such as in a certificate, the claim
says it by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ....reference.errors import InputError
from ....reference.exact import shown
from ....reference.markov.model.data import DataModel
from ....reference.markov.model.table import label_of
from ....reference.matrix_kinds import MAX_STATES

# The labels of the rows; without them these are called 1, 2, and so on.
LABELS = "labels"
# Which of the keys were read off the data, and which states were left out of these.
READ_OFF = "read_off_the_data"
LEFT_OUT = "left_out_of_the_data"
# What the data have and a claim may leave out, in the order in which it is published.
OF_DATA = ("eta", "N", "n")
SAID = (LABELS, READ_OFF, LEFT_OUT)
_DATA_KEYS = ("counts", "without")

Words = tuple[str, ...]


def labels_in(table: Mapping[str, Any], where: str) -> Words | None:
    """Return the labels of the rows, None where a claim gives none. Raises InputError."""
    if LABELS not in table:
        return None
    labels = _labels(table, LABELS, where)
    if not labels or len(set(labels)) != len(labels):
        raise InputError(f"{where}: labels = {shown(labels)} must hold one label a row, all others")
    return labels


def labelled(table: Mapping[str, Any], data: DataModel, where: str) -> DataModel:
    """Return the data with the claim's labels. Raises InputError where a file has other ones."""
    labels = labels_in(table, where)
    if labels is None:
        return data
    if isinstance(table["counts"], str) and labels != data.labels:
        raise InputError(
            f"{where}: labels = {shown(labels)} are not those of the counts, {shown(data.labels)}"
        )
    return replace(data, labels=labels)


def said_of(
    table: Mapping[str, Any], labels: Sequence[str], missing: Iterable[str], where: str
) -> dict[str, Words]:
    """Return what a claim with data says of them; ``missing`` are the keys that were read off."""
    for key in (READ_OFF, LEFT_OUT):
        if key in table:
            raise InputError(f"{where}: {key} is found out where counts are given; leave it out")
    read_off = list(missing)
    if LABELS not in table and isinstance(table["counts"], str) and not _are_numbers(labels):
        read_off.append(LABELS)
    left_out = tuple(dict.fromkeys(table.get("without", [])))
    return _without_empty(labels, read_off, left_out)


def said_in(table: Mapping[str, Any], where: str) -> dict[str, Words]:
    """Return what a claim without data says of them by itself. Raises InputError."""
    labels = labels_in(table, where) or ()
    read_off = table.get(READ_OFF, [])
    known = [key for key in (*OF_DATA, LABELS) if key in table]
    if not isinstance(read_off, list) or read_off != [key for key in known if key in read_off]:
        raise InputError(
            f"{where}: {READ_OFF} is {shown(read_off)}; it lists those of {', '.join(known)} that "
            "were read off the data, in this order"
        )
    left_out = tuple(dict.fromkeys(_labels(table, LEFT_OUT, where)))
    return _without_empty(labels, read_off, left_out)


def without_a_file(release: Mapping[str, Any], published: Mapping[str, Any]) -> dict[str, Any]:
    """Return a claim's [release] whose counts are in a file, without that file.

    What is missing then is taken from what was published as read off the data, and nothing else.
    """
    if not isinstance(release.get("counts"), str):
        return dict(release)
    kept = {key: value for key, value in release.items() if key not in _DATA_KEYS}
    told = published.get(READ_OFF)
    off = [key for key in (*OF_DATA, LABELS) if isinstance(told, list) and key in told]
    found = {key: published[key] for key in off if key in published and key not in release}
    return {**kept, **found, READ_OFF: list(found), LEFT_OUT: release.get("without", [])}


def _without_empty(labels: Sequence[str], read_off: Sequence[str], out: Words) -> dict[str, Words]:
    """Return what is published: no numbers as labels, and nothing that is empty."""
    names = () if _are_numbers(labels) else labels
    said = {LABELS: names, READ_OFF: read_off, LEFT_OUT: out}
    return {key: tuple(words) for key, words in said.items() if words}


def _are_numbers(labels: Sequence[str]) -> bool:
    return all(label == str(at) for at, label in enumerate(labels, 1))


def _labels(table: Mapping[str, Any], key: str, where: str) -> Words:
    given = table.get(key, [])
    if not isinstance(given, list) or not all(isinstance(item, str) for item in given):
        raise InputError(f"{where}: {key} is {shown(given)}; it lists labels of states")
    if len(given) > MAX_STATES:
        raise InputError(f"{where}: {key} lists {len(given)} states; {MAX_STATES} are read")
    return tuple(label_of(item, f"{where}: {key}, {at}") for at, item in enumerate(given, 1))
