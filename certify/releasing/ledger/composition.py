"""Compose the releases of a ledger, and hold their total against its cap.

A total is worked out from the claims whenever it is asked for: a ledger holds none that could be
believed. The cap, fixed before the first release, is what holds of releases that are chosen in view
of earlier answers. Claims are counted against it, which are fixed when a release is made; what
quilts give for all the noise is, of Pufferfish releases
(proofs_notes/ledger.md#a-cap-holds-whatever-comes-next).
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

import msgspec

from ....reference.errors import InputError
from ....reference.exact import exact_number, exact_text, shown
from ...mechanisms.neighbours import Adjacency, Unlike
from ...mechanisms.pufferfish.claims import ONLY_THE_CLASS
from .contents import Cap, Entry
from .totals import (
    OF_ITS_CLAIM,
    SECONDS,
    LateError,
    Stated,
    Total,
    decimal,
    exact_total,
    in_common,
    of_one,
    sum_of_claims,
)


def cap_of(epsilon: Any = None, delta: Any = None, order: Any = None) -> Cap | None:
    """Return the cap of these numbers, None where none is given. Raises InputError."""
    given = {"epsilon": epsilon, "delta": delta, "order": order}
    texts = {
        key: None if value is None else exact_text(exact_number(value, f"the cap's {key}"))
        for key, value in given.items()
    }
    if all(text is None for text in texts.values()):
        return None
    if texts["epsilon"] is None:
        raise InputError("a cap needs an epsilon, and exactly one of delta and order")
    try:
        return Cap(**texts)  # type: ignore[arg-type]
    except ValueError as error:
        raise InputError(f"this is no cap: {error}") from None


def cap_said(cap: Cap) -> str:
    """Return a cap in words."""
    said = ((key, getattr(cap, key)) for key in ("epsilon", "delta", "order"))
    return ", ".join(f"{key} = {shown(exact_number(text))}" for key, text in said if text)


def require_within(cap: Cap | None, entries: Sequence[Entry], name: str) -> None:
    """Raise InputError where entries pass a cap, or are not known to keep it."""
    if cap is None:
        return
    total = _counted(entries)
    if isinstance(total, str):
        raise InputError(f"{name} has a cap, and nothing shows that this keeps it: {total}")
    why = passed(cap, total)
    if why:
        raise InputError(f"{why}; the cap of {name} is {cap_said(cap)}, and nothing may pass it")


def _counted(entries: Sequence[Entry]) -> Total | str:
    """Return what counts against a cap, or why nothing is known that does."""
    common = in_common(entries)
    if isinstance(common, Unlike):
        return common.why
    releases, protected = common
    if len(entries) == 1:
        return of_one(releases[0])
    if protected.laws:
        exact, late = _exact(releases)
        return exact or _why(releases, pure=True, late=late)
    return sum_of_claims(releases) or "claims are of several kinds, or their deltas reach 1"


def passed(cap: Cap, total: Total) -> str:
    """Return by what a total passes a cap; nothing where it keeps it."""
    if (cap.order is None) != (total.order is None):
        return "claims with a delta are not counted against an order, nor the other way round"
    said = total.as_json()
    if _above(cap.order, total.order):
        return f"a claim is at the order {said['order']}, below the cap's"
    if _above(total.epsilon, cap.epsilon):
        return f"with this release epsilon adds up to {said['epsilon']}"
    if _above(total.delta, cap.delta):
        return f"with this release delta adds up to {said['delta']}"
    return ""


def _above(one: str | Fraction | None, other: str | Fraction | None) -> bool:
    """Whether one number is above another; not where there are none."""
    return one is not None and other is not None and exact_number(one) > exact_number(other)


_OF_ALL: Final = (
    "That all entries are of the same data, and that nothing else was released of them.",
    "That the claims are true: of each its certificate tells.",
)
OF_NEIGHBOURS: Final = (
    "That both neighbours are data that every release admits which was asked, or might have been "
    "after other answers, refused ones too: a refusal is an answer, and nothing is said of data "
    "that would have been refused on any way."
)
OF_SECRETS: Final = (
    "That the data follow one of the laws of the class, under which both secrets are possible.",
    ONLY_THE_CLASS,
)
FIXED: Final = (
    "That how many releases there are, and the parameters and claims of each, were fixed without "
    "regard to any answer or refusal; what each asks of the data, and in which order they come, "
    "may depend on earlier answers."
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
class Left:
    """What a cap leaves, of its epsilon and of its delta; the latter None at an order."""

    epsilon: Fraction
    delta: Fraction | None

    def as_json(self) -> dict[str, str | None]:
        """Return the published shape: decimals that are rounded down."""
        return {
            "epsilon": decimal(self.epsilon, up=False),
            "delta": None if self.delta is None else decimal(self.delta, up=False),
        }


@dataclass(frozen=True)
class Composition:
    """What is lost by all releases together.

    ``total`` is the smallest epsilon that is known, ``claimed`` what the claims add up to; without
    a total ``why`` says why there is none. ``protected`` says whose difference it hides, ``cap``
    what the ledger's releases may come to, which was fixed beforehand. Where ``late``, there was no
    time to work out what is exactly true, and a smaller total may hold, or one at all.
    """

    entries: int
    protected: Adjacency
    total: Total | None
    claimed: Total | None
    why: str
    cap: Cap | None = None
    late: bool = False

    @property
    def remark(self) -> str:
        """What is to be told of a total that another machine may find smaller."""
        return LATE if self.late and self.total is not None else ""

    @property
    def rests_on(self) -> tuple[str, ...]:
        """What a total takes for granted."""
        if self.total is None:
            return ()
        of_both = OF_SECRETS if self.protected.laws else (OF_NEIGHBOURS,)
        return (*_OF_ALL, *of_both, FIXED, CAPPED if self.keeps_its_cap else NO_ODOMETER)

    @property
    def spent(self) -> Total | None:
        """What counts against a cap; None where that is not known."""
        return self.total if self.protected.laws else self.claimed

    @property
    def keeps_its_cap(self) -> bool:
        """Whether there is a cap, and what counts against it is known and does not pass it."""
        return self.cap is not None and self.spent is not None and not passed(self.cap, self.spent)

    @property
    def left(self) -> Left | None:
        """What the cap leaves; None without one, or where it is not known to be kept."""
        if self.cap is None or self.spent is None or not self.keeps_its_cap:
            return None
        epsilon = exact_number(self.cap.epsilon) - self.spent.epsilon
        if self.cap.delta is None or self.spent.delta is None:
            return Left(epsilon, None)
        return Left(epsilon, exact_number(self.cap.delta) - self.spent.delta)

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
            "spent": self.spent.as_json() if self.spent else None,
            "left": self.left.as_json() if self.left else None,
            "claimed": self.claimed.as_json() if self.claimed else None,
            "why_no_total": self.why or None,
            "in_time": not self.late,
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
    exact, late = _exact(releases)
    known = [one for one in (claimed, exact) if one is not None]
    if not known:
        why = _why(releases, pure=pure, late=late)
        return Composition(len(entries), OF_ITS_CLAIM, None, None, why, cap, late)
    total = min(known, key=lambda one: one.epsilon)
    return Composition(len(entries), protected, total, claimed, "", cap, late)


# A picture shows no more steps than these, and neither takes more time for them than a total.
MOST_STEPS: Final = 60


def spent_after(entries: Sequence[Entry], found: Composition) -> list[tuple[int, Total]]:
    """Return what counted against a cap after so many releases, for each number of them.

    ``found`` is their composition. Of many releases it is each time after several. Steps of which
    nothing is known, and for which there was no time, are left out; the last one never is. Raises
    InputError where nothing is known of all together.
    """
    if found.spent is None:
        why = found.why or "claims of several kinds"
        raise InputError(f"there is nothing to draw: {why}")
    number, ends = len(entries), time.process_time() + SECONDS
    steps = min(number, MOST_STEPS)
    known = []
    for first in (-(-number * step // steps) for step in range(1, steps)):
        if time.process_time() > ends:
            break
        total = _counted(entries[:first])
        if isinstance(total, Total):
            known.append((first, total))
    return [*known, (number, found.spent)]


def _exact(releases: Sequence[Stated]) -> tuple[Total | None, bool]:
    """Return what is exactly true, where it is known, and whether there was no time to find it."""
    try:
        return exact_total(releases), False
    except LateError:
        return None, True


LATE: Final = (
    f"What is exactly true was not worked out in {SECONDS:g} s of the processor, so the claims are "
    "added up alone; with more time a smaller total may be found."
)


def _why(releases: Sequence[Stated], *, pure: bool, late: bool) -> str:
    """Return why there is no total: what was not known in time, or why nothing is known at all."""
    if late:
        what = "what Markov quilts give for all the noise together" if pure else "what they lose"
        rest = "" if pure else f", and {_why_no_sum(releases)}"
        known = f"{what} was not known in time ({SECONDS:g} s of the processor)"
        return f"{known}, and on another machine may be{rest}"
    if pure:
        return "what Markov quilts give for all the noise together is no finite number"
    return _why_no_sum(releases)


def _why_no_sum(releases: Sequence[Stated]) -> str:
    if any(one.claim.order is not None for one in releases):
        return (
            "claims with a delta and claims of an order cannot be added up, and of what is exactly "
            "true nothing is known"
        )
    return "the deltas add up to 1 or more, which promises nothing"
