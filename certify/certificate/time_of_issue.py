"""When a certificate was issued: told when asked, else the same inputs give the same bytes."""

from __future__ import annotations

import os
import time
from datetime import UTC, datetime

from ...reference.errors import InputError
from ...reference.exact import shown

# What reproducible builds set to the moment that they tell (reproducible-builds.org).
_VARIABLE = "SOURCE_DATE_EPOCH"
# The last second of the year 9999, after which RFC 3339 has no times.
_LAST_SECOND = 253_402_300_799


def time_of_issue(*, asked: bool) -> str | None:
    """Return the moment in RFC 3339 and UTC: SOURCE_DATE_EPOCH where it is set, else now if asked.

    None where neither is so. Raises InputError where the variable is no moment.
    """
    given = os.environ.get(_VARIABLE)
    if given is None:
        return _written(int(time.time())) if asked else None
    plain = given.isascii() and given.isdigit() and len(given) <= len(str(_LAST_SECOND))
    if not plain or int(given) > _LAST_SECOND:
        raise InputError(f"{_VARIABLE} = {shown(given)} is no number of seconds since 1970")
    return _written(int(given))


def _written(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
