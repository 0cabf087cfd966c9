"""A study of a data file, which is read exactly as a release of it would read it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from ...reference.errors import InputError
from ..mechanisms.protocol import Claim, PublicSettings
from ..mechanisms.reading import require_keys
from ..releasing.refusals import public_in, quietly
from .study import Study, study_of_plan

_PUBLIC: Final = "public"


def study_of_data(claim: Claim, table: Mapping[str, Any], file: Path, where: str) -> Study:
    """Return what is simulated of a claim at the data. Raises InputError.

    What [data] lists as public is not asked for: nothing that comes out is private anyway.
    """
    mechanism = claim.mechanism
    data = table.get("data")
    if not isinstance(data, dict):
        raise InputError(f"{where} has no table [data], which says how the data file is read; "
                         "`simplexcert release --template MECHANISM` prints one")  # fmt: skip
    require_keys(data, (*mechanism.data_keys, _PUBLIC), f"{where} [data]")
    settings = PublicSettings(where, table["release"], data, public_in(data, where))
    return study_of_plan(quietly(lambda: mechanism.plan(claim, settings, file), "reading"), claim)
