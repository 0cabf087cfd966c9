"""One test of a law for many things: all are tried, and each that fails is named."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

import pytest

T = TypeVar("T")


def each(items: Iterable[T]) -> Callable[[Callable[[T], None]], Callable[[], None]]:
    """Make a test of a law with one parameter, which it takes from all items."""
    tried = list(items)

    def of_law(law: Callable[[T], None]) -> Callable[[], None]:
        def of_all() -> None:
            assert tried
            failed = []
            for item in tried:
                try:
                    law(item)
                except (AssertionError, pytest.fail.Exception) as error:
                    failed.append(f"{getattr(item, 'name', item)}: {error}")
            assert not failed, "\n".join(failed)

        of_all.__name__, of_all.__doc__ = law.__name__, law.__doc__
        return of_all

    return of_law
