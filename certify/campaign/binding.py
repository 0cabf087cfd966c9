"""What a campaign's cases depend on, as text: two campaigns that agree in it have the same cases.

It stands at the head of a partial transcript, and every worker is asked whether it agrees.
"""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Mapping, Sequence
from fractions import Fraction
from importlib.metadata import PackageNotFoundError, version
from typing import Any, TypeAlias

from ...reference.exact import exact_text
from ..backends.loading import LoadedBackend
from ..search.corpus import WORST_INPUTS

Bound: TypeAlias = Mapping[str, Any]

FORM = "https://simplexcert.github.io/partial-transcript/v0"
# Whatever draws the points, encloses the truths and, for a backend of ours, answers.
TOOL = "simplexcert"
_LIBRARIES = (TOOL, "python-flint", "gmpy2", "mpmath", "numpy", "scipy")


def versions() -> dict[str, str]:
    """Return the versions of whatever a case may depend on besides the backend."""
    return {"python": platform.python_version(), **{name: _version(name) for name in _LIBRARIES}}


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:  # from a checkout that is on the path and not installed
        return "unknown"


def campaign_bound(
    loaded: LoadedBackend,
    names: Sequence[str],
    *,
    cases: int,
    seed: int,
    batch: int,
    case_seconds: float,
) -> dict[str, Any]:
    """Return what binds a partial transcript to its campaign, by the names that people are told."""
    backend = loaded.backend
    return {
        "form": FORM,
        "backend": loaded.where,
        "backend's name": backend.name,
        "backend's version": backend.version,
        "backend's files": {item.name: item.sha256 for item in loaded.subjects},
        "backend's quantities": sorted(name for name in names if name in backend.quantities),
        "backend's slack": _texts(backend.slack),
        "backend's accuracy": _texts(backend.accuracy),
        "quantities": list(names),
        "cases": cases,
        "seed": seed,
        "cases a batch": batch,
        "case seconds": case_seconds.hex(),
        "points kept from earlier campaigns": _digest(WORST_INPUTS.read_bytes()),
        "versions": versions(),
    }


def _texts(shares: Mapping[str, Fraction]) -> dict[str, str]:
    return {name: exact_text(share) for name, share in sorted(shares.items())}


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def differing(ours: Bound, theirs: Bound) -> list[str]:
    """Return the names under which two campaigns differ; a table's differing keys one by one."""
    found: list[str] = []
    for name, value in ours.items():
        other = theirs.get(name)
        if value == other:
            continue
        if isinstance(value, dict) and isinstance(other, dict):
            found.extend(
                f"{name} ({key})"
                for key in sorted(value.keys() | other.keys())
                if value.get(key) != other.get(key)
            )
        else:
            found.append(name)
    return found
