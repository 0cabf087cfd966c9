"""Processes that a test started, by their numbers."""

from __future__ import annotations

import time
from pathlib import Path

_WAIT_SECONDS = 10.0


def is_gone(number: int) -> bool:
    """Whether a process is no more, or has ended and waits for whoever adopted it, before long."""
    deadline = time.monotonic() + _WAIT_SECONDS
    while time.monotonic() < deadline:
        try:
            state = Path(f"/proc/{number}/stat").read_text(encoding="ascii").rpartition(")")[2]
        except (FileNotFoundError, ProcessLookupError):
            return True
        if state.split()[0] in "ZX":
            return True
        time.sleep(0.01)
    return False
