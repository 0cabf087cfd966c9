"""What a claim file says to be public of the data, so that a release may be made from it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from ...reference.errors import InputError, UnknownNameError
from ...reference.exact import shown
from .protocol import Claim, PublicSettings

PUBLIC: Final = "public"
GRID_BITS: Final = "grid_bits"
OUTPUT_KEYS: Final = (GRID_BITS,)
# What a guarantee takes for public, and where it enters.
MEANING: Final[Mapping[str, str]] = {
    "eta": "the floor of the protected coordinates: the concentration is calibrated by it",
    "eta_bar": "what is left outside the protected coordinates: it says which inputs there are",
    "N": "the number of records: neighbours have the same, and the draw is from counts over it",
    "n": "the number of categories: the release has one coordinate for each",
    "names": "the names of the coordinates, which the release repeats",
    "support": "which coordinates are 0 for everybody: they are released as exactly 0",
    "categories": "the names of the coordinates, also of those that no record has",
    "states": "the names of the states, also of those that never occur",
    "feasible": "which transitions are possible at all: all others are released as exactly 0",
    "length": "how many states the sequence has",
    "lengths": "how many states each piece has",
    "class": "the laws that the data may come from: the guarantee is for these alone",
}


def require_no_data_in(release: Mapping[str, Any], where: str) -> None:
    """Raise InputError for private data in a claim file, whose digest is published."""
    if "counts" in release:
        raise InputError(
            f"{where}: [release] holds counts; a release takes the data from --data, for a claim "
            "file is published, or its digest, by which a guess of the data could be checked"
        )


def public_in(data: Mapping[str, Any], where: str) -> frozenset[str]:
    """Return the names that [data] public lists. Raises InputError."""
    names = data.get(PUBLIC, [])
    if not isinstance(names, list) or not all(isinstance(item, str) for item in names):
        raise InputError(
            f"{where}: public is {shown(names)}; it lists names, such as [{', '.join(MEANING)}]"
        )
    if len(set(names)) != len(names):
        raise InputError(f"{where}: public lists a name twice")
    return frozenset(names)


def require_public(listed: Iterable[str], needed: Iterable[str], where: str) -> None:
    """Raise InputError unless all that has to be public is said to be, and nothing else is."""
    known, said = tuple(needed), set(listed)
    for name in sorted(said - set(known)):
        hint = f"({where} [data] public takes {', '.join(known)} here)"
        raise UnknownNameError("public name", name, known, hint)
    for name in known:
        if name not in said:
            raise InputError(_not_public(name, where))


def _not_public(name: str, where: str) -> str:
    """Return the sentence that says what a name is, and what to do."""
    meaning = MEANING.get(name, "a parameter of the release")
    return (
        f"{where}: [data] public does not list {name}, {meaning}. The guarantee takes it for "
        f"public, and nothing here hides it. If it was fixed without looking at the private data, "
        f'add "{name}" to public; else choose it so that it was'
    )


def settings_in(claim: Claim, table: Mapping[str, Any], where: str) -> PublicSettings:
    """Return how a claim file lets data be read.

    Raises InputError where nothing is released from it, as something is not public, or not said.
    """
    release, data = table["release"], table["data"]
    require_no_data_in(release, where)
    said = PublicSettings(where, release, data, public_in(data, where))
    require_public(said.public, claim.mechanism.public_names(claim, said), where)
    claim.mechanism.require_columns(claim, said)
    return said
