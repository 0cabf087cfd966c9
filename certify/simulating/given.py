"""A study of a made-up or public input: the claim's mechanism, and what is given to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from ...reference.errors import InputError
from ...reference.exact import parse_json, shown
from ...reference.markov.model.data import DataModel
from ..mechanisms.protocol import Claim
from .study import Study, study_of_plan

# In place of an input: the counts that the claim file holds.
FROM_CLAIM: Final = "claim"
# For a million entries of 60 characters.
MOST_CHARACTERS: Final = 64 * 1024 * 1024


def study_given(claim: Claim, given: str | Sequence[object] | None, where: str) -> Study:
    """Return what is simulated of a claim at an input. Raises InputError."""
    plan = claim.mechanism.plan_of_input(claim, _input(claim, given, where), where)
    return study_of_plan(plan, claim)


def _input(claim: Claim, given: str | Sequence[object] | None, where: str) -> Any:
    if given is None:
        return None
    if not isinstance(given, str):
        return given
    if given != FROM_CLAIM:
        return _parsed(given)
    if claim.data is None:
        raise InputError(f"{where}: the input is to be the claim's counts, but [release] has none")
    return claim.data.counts if isinstance(claim.data, DataModel) else claim.data


def _parsed(given: str) -> object:
    if len(given) > MOST_CHARACTERS:
        raise InputError(f"an input of more than {MOST_CHARACTERS} characters is not read")
    found = parse_json(given, "the input")
    if not isinstance(found, list):
        raise InputError(f"the input is {shown(found)}; it needs a list in JSON, or the word "
                         f'"{FROM_CLAIM}" for the counts in the claim file')  # fmt: skip
    return found
