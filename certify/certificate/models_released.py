"""The shape of a release that was drawn, and of what a claim's certificate says of it.

Every field is required and none may be added, so dropping one is an error and never a pass.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, TypeAlias

from msgspec import Meta

from .models_parts import Closed, Subject, Tool
from .texts import ExactNumber, Published, Sha256, Table, Text, require_published

# The version of the release's own file.
SCHEMA_VERSION: Final = 1
# Coordinates of a released vector, or rows; no mechanism has more.
MAX_RELEASED: Final = 1_000_000

DrawnFrom: TypeAlias = Literal["operating system", "seed"]
# A seed is a whole number below 2^64.
Seeded = Annotated[str, Meta(pattern="^(0|[1-9][0-9]{0,19})$")]
Names = Annotated[list[Text], Meta(min_length=1, max_length=MAX_RELEASED)]


class Said(Closed, frozen=True):
    """What is claimed; exactly one of delta and order is given."""

    epsilon: ExactNumber
    delta: ExactNumber | None
    order: ExactNumber | None


class Released(Closed, frozen=True):
    """A release as it is published: a vector of the simplex, rows of such, or noisy numbers.

    ``release`` are the mechanism's public parameters, ``value`` exact decimals, one text, a list,
    or a list for each of ``rows``. Each is a multiple of ``grid``.
    """

    schema_version: Literal[1]
    name: Text
    mechanism: Text
    private: bool
    drawn_from: DrawnFrom
    seed: Seeded | None
    claim: Said
    release: Table
    grid: ExactNumber
    names: Names
    rows: Names | None
    value: Published
    tool: Tool

    def __post_init__(self) -> None:
        """Require that the release holds text, lists and objects of text, the value text."""
        require_published(self.release)
        _require_texts(self.value)


def _require_texts(value: Any) -> None:
    """Raise ValueError unless this is text, a list of texts, or a list of lists of texts."""
    rows = value if isinstance(value, list) else [value]
    for row in rows:
        for item in row if isinstance(row, list) else [row]:
            if not isinstance(item, str):
                raise ValueError("Expected decimals as text, in at most two lists")  # noqa: TRY004


class Release(Closed, frozen=True):
    """The release that was drawn under a claim, by the word of whoever issued this.

    ``ledger`` is the head of the ledger that it was added to, as it was before: who sees two
    releases with one head knows that a ledger was turned back. It is null without a ledger.
    """

    private: bool
    drawn_from: DrawnFrom
    seed: Seeded | None
    grid: ExactNumber
    file: Subject
    ledger: Sha256 | None
