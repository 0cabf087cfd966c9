"""The failures as SARIF 2.1.0, which code scanning reads: a rule a quantity and check.

A result names the backend's file by a relative path, never by one of this machine's; parameters
and answers are in its properties, exact. What was expected to fail is there, suppressed with the
reason.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from importlib.metadata import version
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import quote

from ..report.visible import visible
from ..verdict import Verdict
from .junit import message_of
from .outcomes import Outcome
from .violations import Run, lines_about
from .witnesses import Shown

_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
# A viewer finds the same result again in the next run by this; its name carries its version.
_FINGERPRINT = "simplexcertBackendQuantityCheck/v1"
# Code scanning takes so many results of a run and no more.
MAX_RESULTS = 25_000


def sarif_of(run: Run, parts: Sequence[Shown], file: str | None, exit_code: int) -> bytes:
    """Return the JSON; ``file`` is the backend's, relative to where its project is."""
    told = [part for part in parts if part.judged.outcome not in (Outcome.PASSED, Outcome.SKIPPED)]
    told = told[:MAX_RESULTS]
    ids = list(dict.fromkeys(map(_rule_id, told)))
    content = {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": _driver(ids, told)},
                "invocations": [{"executionSuccessful": True, "exitCode": exit_code}],
                "columnKind": "unicodeCodePoints",
                "results": [_result(run, part, ids.index(_rule_id(part)), file) for part in told],
                "properties": {"backend": _text(run.where), "cases": run.cases, "seed": run.seed},
            }
        ],
    }
    return json.dumps(content, indent=1).encode() + b"\n"


def _rule_id(part: Shown) -> str:
    return f"{part.judged.finding.quantity}/{part.judged.finding.check}"


def _driver(ids: Iterable[str], told: Iterable[Shown]) -> dict[str, Any]:
    found = {_rule_id(part): part.judged.finding for part in told}
    rules = [
        {
            "id": name,
            "shortDescription": {"text": f"{found[name].check} of {found[name].quantity}"},
            "defaultConfiguration": {"level": "error"},
        }
        for name in ids
    ]
    return {"name": "simplexcert", "version": version("simplexcert"), "rules": rules}


def _result(run: Run, part: Shown, rule: int, file: str | None) -> dict[str, Any]:
    finding = part.judged.finding
    undecided = finding.verdict is Verdict.UNDECIDED
    name = f"{run.name}/{_rule_id(part)}"
    return {
        "ruleId": _rule_id(part),
        "ruleIndex": rule,
        "kind": "fail",
        "level": "warning" if undecided else "error",
        "message": {"text": _text(message_of(part))},
        "locations": [_location(part, file)],
        "partialFingerprints": {_FINGERPRINT: hashlib.sha256(_text(name).encode()).hexdigest()},
        "properties": _properties(run, part),
        **_suppressed(part),
    }


def _location(part: Shown, file: str | None) -> dict[str, Any]:
    """Return where a result is: the quantity and check, and the backend's file where known."""
    logical = {
        "name": part.judged.finding.check,
        "fullyQualifiedName": f"{part.judged.finding.quantity}.{part.judged.finding.check}",
        "kind": "function",
    }
    physical = {"physicalLocation": _physical(file)} if file else {}
    return {**physical, "logicalLocations": [logical]}


def _physical(file: str) -> dict[str, Any]:
    # Which line of it is at fault nobody knows.
    return {"artifactLocation": {"uri": quote(file, errors="replace")}, "region": {"startLine": 1}}


def _properties(run: Run, part: Shown) -> dict[str, Any]:
    """Return what a program may want to know of a result, all numbers as text."""
    finding, witness = part.judged.finding, part.witness
    shape = witness.case.as_json() if witness else {}
    found = finding.witness.as_json()["parameters"] if finding.witness else None
    return {
        "verdict": finding.verdict.value,
        "cases": finding.cases,
        **_texts({**shape, **finding.facts}),
        **({"found": found} if found not in (None, shape.get("parameters")) else {}),
        "lines": [_text(line) for line in lines_about(run, part)],
    }


def _texts(value: Any) -> Any:
    """Return JSON with its texts as they can be seen."""
    if isinstance(value, dict):
        return {name: _texts(item) for name, item in value.items()}
    return [_texts(item) for item in value] if isinstance(value, list | tuple) else visible(value)


def _suppressed(part: Shown) -> dict[str, Any]:
    line = part.judged.expected
    if line is None or part.judged.outcome is not Outcome.EXPECTED:
        return {}
    accepted = {"kind": "external", "status": "accepted", "justification": line.reason}
    return {"suppressions": [accepted]}


def _text(text: str) -> str:
    return str(visible(text))


def relative_file(names: Sequence[str], where: str) -> str | None:
    """Return the file of a backend to point at, among the certificate's subjects.

    Of a module it is the module's own; of a command the last file in it, for the first is often an
    interpreter. Names are relative, as a certificate's are; what leads out of the project has
    its last part alone.
    """
    if not names:
        return None
    module = where.partition(":")[0].replace(".", "/")
    own = [name for name in names if name in (f"{module}.py", f"{module}/__init__.py")]
    words = [name for name in names if name in where]
    name = (own or sorted(words, key=where.rindex) or list(names))[-1]
    path = PurePosixPath(name)
    return path.name if path.is_absolute() or ".." in path.parts else str(path)
