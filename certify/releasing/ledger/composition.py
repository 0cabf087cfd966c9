"""What the releases of a ledger come to together, or why nothing is said.

It is worked out from the claims whenever it is asked for: a ledger holds no totals that could be
believed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import msgspec

from ...mechanisms.adjacency import Adjacency, Unlike
from ...mechanisms.pufferfish.claims import ONLY_THE_CLASS
from .cap import passed
from .models import Cap, Entry
from .neighbours import OF_ITS_CLAIM, in_common
from .stated import Stated
from .totals import Total, exact_total, of_one, sum_of_claims

OF_ALL: Final = (
    "That all entries are of the same data, and that nothing else was released of them.",
    "That the claims are true: of each its certificate tells.",
)
OF_NEIGHBOURS: Final = "That both neighbours are data that every release admits."
OF_SECRETS: Final = (
    "That the data follow one of the laws of the class, under which both secrets are possible.",
    ONLY_THE_CLASS,
)
FIXED: Final = (
    "That how many releases there are, and the parameters and claims of each, were fixed without "
    "regard to any answer; what each asks of the data, and in which order they come, may depend on "
    "earlier answers."
)
NO_ODOMETER: Final = (
    "Where it depended on answers what came next, or whether anything did, this number is what was "
    "spent on the way that was taken, and no guarantee: what holds then is a total that was fixed "
    "before the first release and never passed, not a smaller one."
)
CAPPED: Final = (
    "Where it depended on answers what came next, or whether anything did, the cap holds, which "
    "was fixed before the first release and is not passed; no smaller number does."
)


@dataclass(frozen=True)
class Composition:
    """What is lost by all releases together.

    ``total`` is the smallest epsilon that is known, ``claimed`` what the claims add up to; without
    a total ``why`` says why there is none. ``protected`` says whose difference it hides, ``cap``
    what the ledger's releases may come to, which was fixed beforehand.
    """

    entries: int
    protected: Adjacency
    total: Total | None
    claimed: Total | None
    why: str
    cap: Cap | None = None

    @property
    def rests_on(self) -> tuple[str, ...]:
        """What a total takes for granted."""
        if self.total is None:
            return ()
        of_both = OF_SECRETS if self.protected.laws else (OF_NEIGHBOURS,)
        return (*OF_ALL, *of_both, FIXED, CAPPED if self.keeps_its_cap else NO_ODOMETER)

    @property
    def keeps_its_cap(self) -> bool:
        """Whether there is a cap, and what counts against it is known and does not pass it."""
        counts = self.total if self.protected.laws else self.claimed
        return self.cap is not None and counts is not None and not passed(self.cap, counts)

    def as_json(self) -> dict[str, object]:
        """Return the published shape: ``neighbours``, or ``secrets`` and ``laws``."""
        words, laws = self.protected.words or None, self.protected.laws or None
        return {
            "entries": self.entries,
            "neighbours": None if laws else words,
            "secrets": words if laws else None,
            "laws": laws,
            "total": self.total.as_json() if self.total else None,
            "cap": None if self.cap is None else msgspec.to_builtins(self.cap),
            "keeps_its_cap": self.keeps_its_cap if self.cap else None,
            "claimed": self.claimed.as_json() if self.claimed else None,
            "why_no_total": self.why or None,
            "rests_on": list(self.rests_on),
        }


def composed(entries: Sequence[Entry], cap: Cap | None = None) -> Composition:
    """Return what the entries come to. Raises InputError where one states no claim."""
    common = in_common(entries)
    if isinstance(common, Unlike):
        return Composition(len(entries), OF_ITS_CLAIM, None, None, common.why, cap)
    releases, protected = common
    if len(entries) == 1:
        one = of_one(releases[0])
        return Composition(1, protected, one, one, "", cap)
    return _of_several(entries, releases, protected, cap)


def _of_several(
    entries: Sequence[Entry], releases: Sequence[Stated], protected: Adjacency, cap: Cap | None
) -> Composition:
    """Return the smaller of what is claimed and what is exactly true.

    Of Pufferfish releases the claims are not added up: some rest on one query's exact loss.
    """
    pure = bool(protected.laws)
    claimed = None if pure else sum_of_claims(releases)
    exact = exact_total(releases)
    known = [one for one in (claimed, exact) if one is not None]
    if not known:
        why = _why(releases, pure=pure)
        return Composition(len(entries), OF_ITS_CLAIM, None, None, why, cap)
    total = min(known, key=lambda one: one.epsilon)
    return Composition(len(entries), protected, total, claimed, "", cap)


def _why(releases: Sequence[Stated], *, pure: bool) -> str:
    if pure:
        return (
            "what Markov quilts give for all the noise together was not known in time, or is no "
            "finite number"
        )
    if any(one.claim.order is not None for one in releases):
        return "claims with a delta and claims of an order cannot be added up"
    return "the deltas add up to 1 or more, which promises nothing"
