"""What a piece of evidence came to: a verdict, how strong it is, and the numbers that decide it."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from ..verdict import Verdict

# Figures of the numbers that are shown; verdicts rest on the enclosures themselves.
SHOWN_DIGITS = 12


class Strength(enum.StrEnum):
    """What a verdict rests on."""

    IDENTITY = "exact identity"
    COUNTEREXAMPLE = "rigorous counterexample"
    PROOF = "proof, its formulas executed"
    BOX = "certified over a box"
    NUMBER = "enclosed number"
    SAMPLED = "sampled only"
    NONE = "not decidable here"


# A verdict that rests on several pieces is as strong as the weakest of them.
STRONGEST_FIRST = tuple(Strength)


@dataclass(frozen=True)
class Number:
    """A number that evidence rests on, enclosed; ``of`` says of what, with exact inputs."""

    of: str
    lower: str
    upper: str
    second: str

    def as_json(self) -> dict[str, str]:
        """Return the published shape; real numbers are text."""
        return {"of": self.of, "lower": self.lower, "upper": self.upper, "second": self.second}


@dataclass(frozen=True)
class Finding:
    """What one piece of evidence came to. ``decides`` is False for what only supports."""

    strength: Strength
    verdict: Verdict
    says: str
    numbers: tuple[Number, ...] = ()
    decides: bool = True

    def as_json(self) -> dict[str, object]:
        """Return the published shape."""
        return {
            "strength": self.strength.value,
            "verdict": self.verdict.value,
            "says": self.says,
            "decides": self.decides,
            "numbers": [number.as_json() for number in self.numbers],
        }
