"""A study of a data file, which is read exactly as a release of it would read it."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

from ...reference.errors import DomainError, InputError
from ..mechanisms.maker import Said
from ..mechanisms.plan import NoisePlan, Plan
from ..mechanisms.protocol import Claim
from ..mechanisms.reading import require_keys
from ..releasing.known import maker_named
from ..releasing.refusals import public_in, quietly
from .given import as_shares
from .study import NoiseStudy, SimplexStudy, Study, StudyRow

_PUBLIC: Final = "public"
_HISTOGRAM: Final = "dirichlet.renyi"


def study_of_data(claim: Claim, table: Mapping[str, Any], file: Path, where: str) -> Study:
    """Return what is simulated of a claim at the data. Raises InputError.

    What [data] lists as public is not asked for: nothing that comes out is private anyway.
    """
    maker = maker_named(claim.mechanism.name)
    data = table.get("data")
    if not isinstance(data, dict):
        raise InputError(f"{where} has no table [data], which says how the data file is read; "
                         "`simplexcert release --template MECHANISM` prints one")  # fmt: skip
    require_keys(data, (*maker.data_keys, _PUBLIC), f"{where} [data]")
    said = Said(where, table["release"], data, public_in(data, where))
    return study_of_plan(quietly(lambda: maker.plan(claim, said, file), "reading"), claim)


def study_of_plan(plan: Plan, claim: Claim) -> Study:
    """Return what is simulated of a plan: its laws, held against what they are drawn around."""
    if isinstance(plan, NoisePlan):
        return NoiseStudy(len(plan.centres), plan.scale)
    before = claim.number("alpha") if claim.mechanism.name == _HISTOGRAM else Fraction(0)
    rows = tuple(_row(row.alpha, before) for row in plan.rows)
    return SimplexStudy(rows, matrix=plan.matrix)


def _row(alpha: tuple[Fraction, ...], before: Fraction) -> StudyRow:
    """Return a row held against its shares without what every coordinate had before."""
    own = tuple(one - before for one in alpha)
    if not sum(own):
        raise DomainError("the data hold no record: there are no shares to be near to")
    return StudyRow(alpha, as_shares(own))
