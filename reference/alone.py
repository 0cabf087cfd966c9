"""networkx as it is by itself: what the environment says to it plays no part."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from .errors import InputError

# Read as networkx is imported: other implementations of its algorithms, and where a name is not of
# an installed one the import fails.
_READ: Final = ("NETWORKX_", "_NETWORKX_")


@contextmanager
def left_alone() -> Iterator[None]:
    """Import networkx meanwhile without the variables that it reads; they are there again after.

    Raises InputError where it cannot be imported: it reads what every installed package lists.
    """
    kept = {name: value for name, value in os.environ.items() if name.startswith(_READ)}
    for name in kept:
        del os.environ[name]
    try:
        yield
    except Exception as error:  # noqa: BLE001
        raise InputError(
            f"networkx cannot be imported: {type(error).__name__}: {error}; it, or another package "
            "that is installed beside it, is broken"
        ) from None
    finally:
        os.environ.update(kept)
