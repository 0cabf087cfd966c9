"""The worst inputs of earlier campaigns, kept in a file that grows, and replayed first.

``python -m simplexcert.certify.certificate.worst_inputs CERT.json ...`` adds to it the worst cases
of certificates. It is text that anybody may have edited: what of it is no point of the domain is
left out (a test asks that nothing be), what is no table at all is refused.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeAlias

from ...reference.errors import InputError
from ...reference.exact import parse_json, read_file, shown
from ...reference.quantity import Quantity
from ..files import write_whole
from ..marks import PACKAGED
from ..points import Point, point_from

# For each quantity the points as a certificate writes them, the latest first.
_Table: TypeAlias = dict[str, list[dict[str, Any]]]

WORST_INPUTS = Path(__file__).with_name("worst_inputs.json")


def kept_points(quantity: Quantity, file: Path = WORST_INPUTS) -> tuple[Point, ...]:
    """Return the kept points of a quantity that lie in its domain, the latest first."""
    found = []
    for written in kept_table(file).get(quantity.name, []):
        try:
            found.append(point_from(quantity, written))
        except InputError:  # a domain may have changed since
            continue
    return tuple(found)


def kept_table(file: Path = WORST_INPUTS) -> _Table:
    """Return the file's points, each as it is written. Raises InputError if it is no such table."""
    table = parse_json(read_file(file), file.name)
    if not isinstance(table, dict):
        raise InputError(f"{file.name} is no object with a list of points for each quantity")
    for name, points in table.items():
        if not isinstance(points, list) or not all(isinstance(item, dict) for item in points):
            raise InputError(f"{file.name}: {shown(name)} has no list of points")
    return table


def grown(table: _Table, cases: Iterable[tuple[str, dict[str, Any]]]) -> _Table:
    """Return a table with the points of more cases before those of the same quantity."""
    found = {name: list(points) for name, points in table.items()}
    for name, written in cases:
        points = found.setdefault(name, [])
        if written not in points:
            points.insert(0, written)
    return dict(sorted(found.items()))


def write_table(table: _Table, file: Path = WORST_INPUTS) -> None:
    """Write the file whole, one point a line."""
    lines = (
        f"{json.dumps(name)}: [\n" + ",\n".join(json.dumps(each) for each in points) + "\n]"
        for name, points in table.items()
    )
    write_whole(file, ("{\n" + ",\n".join(lines) + "\n}\n").encode(), PACKAGED)
