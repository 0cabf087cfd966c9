"""Version 1 of a backend's certificate, which is still read, and what version 2 shares with it.

Every field is required and none may be added, so dropping one is an error and never a pass.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import Annotated, ClassVar, Final, Literal

import msgspec
from msgspec import Meta

from ..verdict import Verdict
from . import models_v0
from .models_v0 import Closed, Engine, HypothesisStatus, Scope, Subject, Tool
from .texts import (
    HEX_OR_WORD,
    MAX_CHECKS,
    MAX_DEPTH,
    MAX_ITEMS,
    MAX_SAMPLE,
    MAX_SUBJECTS,
    Count,
    HexFloatOrWord,
    Listed,
    Object,
    PlainHexFloat,
    Position,
    Seed,
    Text,
    Time,
    Ulps,
    Whole,
)

PREDICATE_TYPE_V1: Final = "https://simplexcert.github.io/certificate/v1"

Sentences = Annotated[list[Text], Meta(max_length=MAX_ITEMS)]
Engines = Annotated[list[Engine], Meta(max_length=MAX_ITEMS)]


def require_time(issued: str | None) -> None:
    """Raise ValueError unless there is such a moment."""
    if issued is not None:
        datetime.fromisoformat(issued)


class Witness(models_v0.Witness, frozen=True):
    """The worst case of a check: exact parameters, the answer, and the truth's enclosure.

    ``entry`` is the place, counted from 1, of the entry that was worst where the answer is a vector
    or a matrix, and empty where it is a number.
    """

    parameters: dict[Text, HexFloatOrWord | Whole | Listed | Object]
    entry: Annotated[list[Position], Meta(max_length=MAX_DEPTH)]

    words: ClassVar[re.Pattern[str]] = HEX_OR_WORD


class Check(models_v0.Check, frozen=True):
    """One check of one quantity."""

    worst: Witness | None
    ulps: Ulps | None


class Sample(Closed, frozen=True):
    """One of the cases that were tried, for a picture: how large the truth, how far the answer.

    ``size`` is about the truth's absolute value. Nothing rests on a sample.
    """

    quantity: Text
    check: Literal["direction", "accuracy"]
    ulps: Ulps
    side: Literal["above", "below", "at", "unknown", "none"]
    size: PlainHexFloat


class Transcript(models_v0.Transcript, frozen=True):
    """The digest of the uncompressed canonical lines of every case, in order, and their number."""

    cases: Count


class Predicate(Closed, frozen=True):
    """What was checked, how, and with what result."""

    verdict: Verdict
    tool: Tool
    engines: Engines
    issued: Time | None
    seed: Seed
    scope: Scope
    checks: Annotated[list[Check], Meta(max_length=MAX_CHECKS)]
    sample: Annotated[list[Sample], Meta(max_length=MAX_SAMPLE)]
    hypotheses: Annotated[list[HypothesisStatus], Meta(max_length=MAX_ITEMS)]
    non_claims: Sentences
    transcript: Transcript

    def __post_init__(self) -> None:
        """Require that the time of issue is one."""
        require_time(self.issued)


class Statement(Closed, frozen=True):
    """An in-toto Statement, version 1, about a backend."""

    type: Literal["https://in-toto.io/Statement/v1"] = msgspec.field(name="_type")
    subject: Annotated[list[Subject], Meta(min_length=1, max_length=MAX_SUBJECTS)]
    predicateType: Literal["https://simplexcert.github.io/certificate/v1"]  # noqa: N815
    predicate: Predicate
