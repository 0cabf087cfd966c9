"""What a campaign's certificate was in the versions before the current one."""

from __future__ import annotations

import copy
from typing import Any

from simplexcert.certify.certificate.statement import NOT_SIGNED_V0


def version_1(statement: dict[str, Any]) -> dict[str, Any]:
    """Return what the same campaign's certificate was in version 1, which knew no laws."""
    old = copy.deepcopy(statement)
    old["predicateType"] = old["predicateType"].replace("v2", "v1")
    predicate = old["predicate"]
    predicate["checks"] = [
        check for check in predicate["checks"] if check["check"] in ("direction", "accuracy")
    ]
    for key in ("samplers", "samplers_offered"):
        del predicate[key]
    for key in ("names", "samplers"):
        del predicate["scope"][key]
    for check in predicate["checks"]:
        if check["worst"]:
            del check["worst"]["others"]
    predicate["transcript"]["cases"] = sum(check["cases"] for check in predicate["checks"])
    return old


def version_0(statement: dict[str, Any]) -> dict[str, Any]:
    """Return what the same campaign's certificate was in version 0."""
    old = version_1(statement)
    old["predicateType"] = old["predicateType"].replace("v1", "v0")
    predicate = old["predicate"]
    for key in ("issued", "sample"):
        del predicate[key]
    del predicate["transcript"]["cases"]
    for check in predicate["checks"]:
        if check["worst"]:
            del check["worst"]["entry"]
    predicate["non_claims"][-1] = NOT_SIGNED_V0
    return old


OLDER = {0: version_0, 1: version_1}
