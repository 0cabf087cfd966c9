"""networkx as it is by itself: what the environment says to it plays no part."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

# Read as networkx is imported: other implementations of its algorithms, and where a name is not of
# an installed one the import fails.
_READ: Final = ("NETWORKX_", "_NETWORKX_")


@contextmanager
def left_alone() -> Iterator[None]:
    """Import networkx meanwhile without the variables that it reads; they are there again after."""
    kept = {name: value for name, value in os.environ.items() if name.startswith(_READ)}
    for name in kept:
        del os.environ[name]
    try:
        yield
    finally:
        os.environ.update(kept)
