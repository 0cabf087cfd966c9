"""Releases: a mechanism run on private data, drawn exactly, and certified.

Data flows one way: a claim file and a data file -> a plan (what would be drawn) -> draws, rounded
to a published grid -> the release, its certificate, its entry in a ledger.
"""

from typing import TYPE_CHECKING

from ...reference.lazy import lazily

if TYPE_CHECKING:
    from .published import Made
    from .running import draw_release

__all__ = ["Made", "draw_release"]

# Ledgers and certificates know parts of this package, and not the whole of it.
__getattr__ = lazily(__name__, {"Made": ".published", "draw_release": ".running"})
