"""The parts that certificates of every kind share.

Every field is required and none may be added, so dropping one is an error and never a pass.
"""

from __future__ import annotations

from datetime import datetime
from pathlib import PurePosixPath
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from .texts import MAX_ITEMS, Sha256, Text

STATEMENT_TYPE: Final = "https://in-toto.io/Statement/v1"


class Closed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table with exactly the fields that are named."""


class Digest(Closed, frozen=True):
    """How a file is recognised."""

    sha256: Sha256


class Subject(Closed, frozen=True):
    """A file that the certificate is about."""

    name: Text
    digest: Digest

    def __post_init__(self) -> None:
        """Require a name that says where in a folder, and nothing of what is around it."""
        path = PurePosixPath(self.name)
        if not path.parts or path.is_absolute() or ".." in path.parts or str(path) != self.name:
            raise ValueError("Expected the plain relative name of a file")
        if "\\" in self.name or self.name != self.name.strip():
            raise ValueError("Expected the plain relative name of a file")


class Tool(Closed, frozen=True):
    """What made the certificate."""

    name: Text
    version: Text


class Engine(Closed, frozen=True):
    """A library whose arithmetic the certificate rests on."""

    name: Text
    version: Text
    role: Literal["first", "second"]


class HypothesisStatus(Closed, frozen=True):
    """Something that the verdict rests on and how it stands."""

    statement: Text
    status: Literal["holds", "fails", "undecided", "assumed"]
    source: Text


Sentences = Annotated[list[Text], Meta(max_length=MAX_ITEMS)]
Engines = Annotated[list[Engine], Meta(max_length=MAX_ITEMS)]


def require_time(issued: str | None) -> None:
    """Raise ValueError unless there is such a moment."""
    if issued is not None:
        datetime.fromisoformat(issued)
