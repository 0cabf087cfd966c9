"""The ledger of releases of the same data: what was published, and what it comes to together.

An entry is on the disk before its release is, and both at the same moment as far as anybody can
tell: killed wherever it may be, a run leaves neither, or the entry and, at the next open at the
latest, the release.
"""

from .composition import Composition, cap_of, composed, spent_after
from .contents import Cap, Entry, Ledger, entry_of, read_ledger
from .opened import Beside, OpenLedger, open_ledger, releases_beside

__all__ = [
    "Beside",
    "Cap",
    "Composition",
    "Entry",
    "Ledger",
    "OpenLedger",
    "cap_of",
    "composed",
    "entry_of",
    "open_ledger",
    "read_ledger",
    "releases_beside",
    "spent_after",
]
