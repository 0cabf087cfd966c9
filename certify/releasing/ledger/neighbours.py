"""Which releases may be added up: those whose neighbouring data, or secrets, are the same.

What two releases lose together is a statement on two data sets that are neighbours to both; of
Pufferfish releases on two secrets under one law of a class. Where a claim or the public part of
[data] leaves open whether they are the same, nothing is added up (proofs_notes/ledger.md).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from ...mechanisms.adjacency import Adjacency, Unlike
from ...mechanisms.protocol import Claim
from .models import Entry
from .stated import Stated, stated

# Of a single release, whatever its claim says they are; and of none.
OF_ITS_CLAIM: Final = Adjacency("", {})


def in_common(entries: Sequence[Entry]) -> tuple[list[Stated], Adjacency] | Unlike:
    """Return the different releases and the neighbours of them all, or why there is no total.

    Raises InputError where an entry states no claim.
    """
    if not entries:
        return Unlike("there are no releases")
    seeded = [at for at, entry in enumerate(entries, 1) if not entry.private]
    if seeded:
        return Unlike(
            f"entry {seeded[0]} was drawn from a seed: it is not private, and nothing bounds what "
            "it gives away"
        )
    releases = stated(entries)
    for release in releases:
        vacuity = release.claim.mechanism.vacuity(release.claim)
        if vacuity is not None:
            why = f"the claim of entry {release.number} speaks of no two inputs"
            return Unlike(f"{why}: {vacuity.sentence}")
    common = _common(releases)
    return common if isinstance(common, Unlike) else (releases, common)


def _common(releases: Sequence[Stated]) -> Adjacency | Unlike:
    """Return the neighbours of all the releases, or why there are none that all have.

    A single release has those of its own claim, whatever they are.
    """
    if len(releases) == 1 and releases[0].times == 1:
        return _of_its_claim(releases[0].claim)
    agreed: dict[str, Any] = {}
    first, rows = None, []
    for release in releases:
        claim = release.claim
        one = claim.mechanism.adjacency(claim, release.entry.data)
        if isinstance(one, Unlike):
            return one
        one = replace(one, laws=_class_of(claim))
        first = first or one
        why = _disagreement(one, first, agreed)
        if why:
            return Unlike(f"entry {release.number} {why}")
        agreed.update(one.fixed)
        rows.append(one.rows)
    if not any(all(same) for same in zip(*rows, strict=True)):
        return Unlike("no row of the chain has neighbours in every release")
    return first or OF_ITS_CLAIM


def _of_its_claim(claim: Claim) -> Adjacency:
    """Return what a claim is about, in no words; its class of laws is named all the same."""
    return replace(OF_ITS_CLAIM, laws=_class_of(claim))


def _disagreement(one: Adjacency, first: Adjacency, agreed: Mapping[str, Any]) -> str:
    """Return what keeps a release's neighbours from being those of the ones before."""
    if one.words != first.words:
        return f"is about {one.words}, and entry 1 about {first.words}"
    if one.missing:
        return f"does not say {', '.join(one.missing)}, which decides what its {one.noun} are"
    differing = [key for key, value in one.fixed.items() if agreed.get(key, value) != value]
    if differing:
        return f"has another {differing[0]} than those before, and so other {one.noun}"
    return ""


def _class_of(claim: Claim) -> str:
    """Return the class of laws that a Pufferfish claim lists, in words; of other claims nothing."""
    key = claim.mechanism.laws
    if not key:
        return ""
    listed: Any = claim.parameters.given[key]
    what = key.removesuffix("s") if len(listed) == 1 else key
    return f"the class of {len(listed)} {what} that the claim lists"
