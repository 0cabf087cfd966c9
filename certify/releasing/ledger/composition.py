"""What the releases of a ledger come to together, or why nothing is said.

It is worked out from the claims whenever it is asked for: a ledger holds no totals that could be
believed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from .models import Entry
from .neighbours import Unlike, common_neighbours
from .stated import Stated, stated
from .totals import Total, exact_total, sum_of_claims

OF_ALL: Final = (
    "That all entries are of the same data, and that nothing else was released of them.",
    "That the claims are true: of each its certificate tells.",
    "That both neighbours are data that every release admits.",
)
FIXED: Final = (
    "That all parameters were fixed before the first release; which release comes next, and of "
    "what, may depend on the earlier ones."
)
WITHIN: Final = (
    "That parameters and claims were fixed before the first release, or chosen on the way within "
    "a total that was; which release comes next may depend on the earlier ones."
)
_ONE: Final = "the claim of the only entry"


@dataclass(frozen=True)
class Composition:
    """What is lost by all releases together.

    ``total`` is the smallest epsilon that is known, ``claimed`` what the claims add up to; without
    a total ``why`` says why there is none. ``neighbours`` says whose difference it hides, in words;
    of a single release those of its own claim, without words.
    """

    entries: int
    neighbours: str
    total: Total | None
    claimed: Total | None
    why: str

    @property
    def rests_on(self) -> tuple[str, ...]:
        """What a total takes for granted."""
        if self.total is None:
            return ()
        return (*OF_ALL, FIXED if self.total.if_fixed else WITHIN)

    def as_json(self) -> dict[str, object]:
        """Return the published shape."""
        return {
            "entries": self.entries,
            "neighbours": self.neighbours or None,
            "total": self.total.as_json() if self.total else None,
            "claimed": self.claimed.as_json() if self.claimed else None,
            "why_no_total": self.why or None,
            "rests_on": list(self.rests_on),
        }


def composed(entries: Sequence[Entry]) -> Composition:
    """Return what the entries come to. Raises InputError where one states no claim."""
    if not entries:
        return _nothing(entries, "there are no releases")
    seeded = [at for at, entry in enumerate(entries, 1) if not entry.private]
    if seeded:
        return _nothing(
            entries,
            f"entry {seeded[0]} was drawn from a seed: it is not private, and nothing bounds what "
            "it gives away",
        )
    releases = stated(entries)
    common = common_neighbours(releases)
    if isinstance(common, Unlike):
        return _nothing(entries, common.why)
    if len(entries) == 1:
        return _of_one(releases[0])
    return _of_several(entries, releases, common.words)


def _nothing(entries: Sequence[Entry], why: str) -> Composition:
    return Composition(len(entries), "", None, None, why)


def _of_one(release: Stated) -> Composition:
    claim = release.claim
    total = Total(claim.epsilon, claim.delta, claim.order, _ONE)
    return Composition(1, "", total, total, "")


def _of_several(
    entries: Sequence[Entry], releases: Sequence[Stated], neighbours: str
) -> Composition:
    """Return the smaller of what is claimed and what is exactly true.

    Of Pufferfish releases the claims are not added up: some rest on one query's exact loss.
    """
    pure = releases[0].claim.mechanism.name.startswith("pufferfish.")
    claimed = None if pure else sum_of_claims(releases)
    exact = exact_total(releases)
    known = [one for one in (claimed, exact) if one is not None]
    if not known:
        return _nothing(entries, _why(releases, pure=pure))
    total = min(known, key=lambda one: one.epsilon)
    return Composition(len(entries), neighbours, total, claimed, "")


def _why(releases: Sequence[Stated], *, pure: bool) -> str:
    if pure:
        return (
            "what Markov quilts give for all the noise together was not known in time, or is no "
            "finite number"
        )
    if any(one.claim.order is not None for one in releases):
        return "claims with a delta and claims of an order cannot be added up"
    return "the deltas add up to 1 or more, which promises nothing"
