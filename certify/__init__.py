"""Who may be trusted: audits of claims, checks of backends, certificates.

The names below are loaded when they are first used, so that asking for help stays fast.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_HOMES = {
    "Verdict": ".verdict",
    "audit": ".audits",
    "certify": ".campaign",
    "verify": ".certificate",
}

__all__ = ["Verdict", "audit", "certify", "verify"]  # noqa: F822


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name], __name__), name)
