"""Enclosures that were worked out once, kept for tests whose law is about something else.

A certificate is tampered with, and verified, many times; the numbers that it rests on stay.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest
from simplexcert.reference import second
from simplexcert.reference.enclosure import Enclosed
from simplexcert.reference.quantity import Quantity
from simplexcert.reference.second.opinion import Opinion

_MOST = 50_000
_Key = tuple[Hashable, ...]
# With the route that was taken, if there were several.
_kept: dict[_Key, tuple[Enclosed, str | None]] = {}


def _key(asked: Hashable, bits: int, exact: Mapping[str, Any]) -> _Key | None:
    """Return what an answer of an engine hangs on, or None where it cannot be looked up."""
    key = (asked, bits, *exact.items())
    try:
        hash(key)
    except TypeError:
        return None
    return key


def _keep(key: _Key | None, found: Enclosed, route: str | None = None) -> None:
    if key is not None:
        if len(_kept) >= _MOST:
            _kept.clear()
        _kept[key] = found, route


@contextmanager
def kept_enclosures() -> Iterator[None]:
    """Let both engines answer at once where they were asked before, by the same function."""
    first, opinion_on = Quantity.enclose, second.opinion_on

    def enclose(
        self: Quantity,
        bits: int,
        exact: Mapping[str, Any],
        took: Callable[[str], object] | None = None,
    ) -> Enclosed:
        key = _key((self.function, self.within), bits, exact)
        if key is None or key not in _kept:
            routes: list[str] = []
            found = first(self, bits, exact, routes.append)
            _keep(key, found, routes[-1] if routes else None)
        else:
            found, route = _kept[key]
            routes = [] if route is None else [route]
        if took is not None and routes:
            took(routes[-1])
        return found

    def kept_opinion_on(name: str) -> Opinion:
        opinion = opinion_on(name)

        def enclose(bits: int, **exact: Any) -> Enclosed:
            key = _key(opinion.enclose, bits, exact)
            if key is None or key not in _kept:
                found = opinion.enclose(bits, **exact)
                _keep(key, found)
                return found
            return _kept[key][0]

        return replace(opinion, enclose=enclose)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Quantity, "enclose", enclose)
        patch.setattr(second, "opinion_on", kept_opinion_on)
        yield
