"""Families of quantities: packages whose quantities' names begin with theirs.

A family stands once beside this file, and once in ``second``, where its second opinions are.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from pkgutil import iter_modules

_HERE = Path(__file__).parent


@cache
def families() -> tuple[str, ...]:
    """Return the families' names, in order: those that both engines know."""
    both = ({each.name for each in iter_modules([str(at)])} for at in (_HERE, _HERE / "second"))
    return tuple(sorted(set.intersection(*both)))
