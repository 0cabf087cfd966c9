"""How a release was made, as its report tells it."""

from __future__ import annotations

from dataclasses import dataclass

from ...certificate.models import MadeStatement, OfARelease

_SEEDED = (
    "This release is not private: it was drawn from a seed, for a test. Whoever knows the seed can "
    "undo the noise. The claim, below, is of the same mechanism drawn from bits that nobody knows."
)
_EXACT = (
    "Its issuer says that each number is the rounding, to the grid, of an exact draw, from random "
    "bits of the operating system that nobody kept. Nobody can see that in the numbers."
)


@dataclass(frozen=True)
class Drawn:
    """What is told of a release that was made."""

    private: bool
    facts: tuple[tuple[str, str], ...]

    @property
    def kind(self) -> str:
        """What the certificate is called."""
        private = "a private release" if self.private else "a release that is not private"
        return f"Certificate of {private}, and of how it was made"

    @property
    def sentence(self) -> str:
        """What it means that it was drawn so."""
        return _EXACT if self.private else _SEEDED


def drawn_in(statement: OfARelease) -> Drawn | None:
    """Return how the release was made, None where a certificate is of the claim alone."""
    if not isinstance(statement, MadeStatement):
        return None
    made = statement.predicate.made
    facts = [
        ("private", "yes" if made.private else "NO"),
        ("drawn from", "a seed" if made.seed is not None else f"the {made.drawn_from}"),
        *([] if made.seed is None else [("seed", made.seed)]),
        ("grid", f"multiples of {made.grid}"),
        ("file", made.file.name),
        ("its sha256", made.file.digest.sha256),
    ]
    return Drawn(made.private, tuple(facts))
