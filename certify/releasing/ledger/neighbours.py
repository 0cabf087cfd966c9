"""Which releases may be added up: those whose neighbouring data, or secrets, are the same.

What two releases lose together is a statement on two data sets that are neighbours to both; of
Pufferfish releases on two secrets under one law of a class. Where a claim or the public part of
[data] leaves open whether they are the same, nothing is added up (proofs_notes/ledger.md).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from ...mechanisms.markov_model.model import MODEL
from ...mechanisms.markov_model.rows import rows_of
from ...mechanisms.protocol import Claim
from ...mechanisms.sensitivities import ADD_REMOVE, is_histogram
from .models import Entry
from .stated import Stated, stated

# Of all of them both have to be data that every release admits.
RECORD_CHANGED: Final = "data that differ in one record, which changes its category"
RECORD_ADDED: Final = "data that differ in one record, which is added or removed"
SECRETS: Final = "two states of one node, under one and the same law"
# What [data] says of one query alone: any may be asked of the same data.
_OF_THE_QUERY: Final = frozenset({"public", "query", "weights", "values"})
# What a release of a chain or network says of the noise and the query, not of the laws.
_OF_THE_NOISE: Final = frozenset({"scale", "scales", "lipschitz", "values", "query", "width"})


@dataclass(frozen=True)
class Neighbours:
    """Which data are neighbours, in words, and what has to be equal for two releases to agree.

    Under Pufferfish privacy they are secrets, and ``laws`` says of which class of laws.
    ``missing`` is what would have to be known and is not.
    """

    words: str
    fixed: Mapping[str, Any]
    missing: tuple[str, ...] = ()
    laws: str = ""

    @property
    def noun(self) -> str:
        """The two things that are not told apart."""
        return "secrets" if self.laws else "neighbours"


# Of a single release, whatever its claim says they are; and of none.
OF_ITS_CLAIM: Final = Neighbours("", {})


@dataclass(frozen=True)
class Unlike:
    """Why releases have no neighbours in common."""

    why: str


def in_common(entries: Sequence[Entry]) -> tuple[list[Stated], Neighbours] | Unlike:
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


def _common(releases: Sequence[Stated]) -> Neighbours | Unlike:
    """Return the neighbours of all the releases, or why there are none that all have.

    A single release has those of its own claim, whatever they are.
    """
    if len(releases) == 1 and releases[0].times == 1:
        return _of_its_claim(releases[0].claim)
    agreed: dict[str, Any] = {}
    first = None
    for release in releases:
        one = _neighbours(release)
        if isinstance(one, Unlike):
            return one
        first = first or one
        why = _disagreement(one, first, agreed)
        if why:
            return Unlike(f"entry {release.number} {why}")
        agreed.update(one.fixed)
    models = [rows_of(one.claim) for one in releases if one.claim.mechanism is MODEL]
    if models and not any(all(row.movable for row in same) for same in zip(*models, strict=True)):
        return Unlike("no row of the chain has neighbours in every release")
    return first or OF_ITS_CLAIM


def _of_its_claim(claim: Claim) -> Neighbours:
    """Return what a claim is about, in no words; its class of laws is named all the same."""
    return replace(OF_ITS_CLAIM, laws=_class_of(claim))


def _disagreement(one: Neighbours, first: Neighbours, agreed: Mapping[str, Any]) -> str:
    """Return what keeps a release's neighbours from being those of the ones before."""
    if one.words != first.words:
        return f"is about {one.words}, and entry 1 about {first.words}"
    if one.missing:
        return f"does not say {', '.join(one.missing)}, which decides what its {one.noun} are"
    differing = [key for key, value in one.fixed.items() if agreed.get(key, value) != value]
    if differing:
        return f"has another {differing[0]} than those before, and so other {one.noun}"
    return ""


def _neighbours(release: Stated) -> Neighbours | Unlike:
    name = release.claim.mechanism.name
    if name not in _KNOWN:
        return Unlike(f"nothing is proved of several releases by {name}")
    return _KNOWN[name](release.entry, release.claim)


def _of_vectors(entry: Entry, claim: Claim) -> Neighbours:
    """Return the neighbours of one protected vector, or of the average of several."""
    one = "one vector" if "N" not in claim.release else "one of N vectors"
    words = (
        f"data that differ in {one}, in two protected coordinates and by at most b in the 1-norm"
    )
    return _named(entry, claim, words, ("b", "w", "N"), ("protected",))


def _of_counts(_entry: Entry, claim: Claim) -> Neighbours:
    """Return the neighbours of counts, whatever is counted of the records."""
    return Neighbours(RECORD_CHANGED, {"N": claim.release["N"]})


def _of_matrix(entry: Entry, claim: Claim) -> Neighbours:
    words = (
        "matrices that differ in at most changed_rows rows, in each in two protected coordinates "
        "and by at most b in the 1-norm"
    )
    return _named(entry, claim, words, ("b", "changed_rows"), ("states", "protected"))


def _of_model(entry: Entry, claim: Claim) -> Neighbours:
    words = "data that differ in one transition, which keeps its origin and changes its end"
    return _named(entry, claim, words, ("N", "n", "labels"), ("states",))


def _of_histogram(_entry: Entry, claim: Claim) -> Neighbours | Unlike:
    if not is_histogram(claim.release):
        return Unlike(
            "dirichlet.renyi with sensitivities that are not a histogram's does not say what its "
            "neighbours are"
        )
    added = claim.release["adjacency"] == ADD_REMOVE
    return Neighbours(RECORD_ADDED if added else RECORD_CHANGED, {})


def _of_laws(entry: Entry, claim: Claim) -> Neighbours:
    """Return the secrets of a class of laws: it, the nodes and their states have to be the same."""
    laws = {key: value for key, value in claim.release.items() if key not in _OF_THE_NOISE}
    found = _named(entry, claim, SECRETS, (), ("states",))
    fixed = {"class of laws or length": laws, **found.fixed}
    return replace(found, fixed=fixed, laws=_class_of(claim))


def _class_of(claim: Claim) -> str:
    """Return the class of laws that a Pufferfish claim lists, in words; of other claims nothing."""
    key = _CLASSES.get(claim.mechanism.name)
    if key is None:
        return ""
    release: Mapping[str, Any] = claim.release
    listed = len(release[key])
    what = key.removesuffix("s") if listed == 1 else key
    return f"the class of {listed} {what} that the claim lists"


def _of_instantiation(_entry: Entry, _claim: Claim) -> Unlike:
    return Unlike(
        "the Wasserstein mechanism protects one release of one query: what several of them lose "
        "together is not bounded by what each loses"
    )


def _named(
    entry: Entry, claim: Claim, words: str, keys: Sequence[str], needed: Sequence[str]
) -> Neighbours:
    """Return neighbours that are fixed by some of the parameters and by what [data] says."""
    fixed = {key: claim.release.get(key) for key in keys}
    data = {key: value for key, value in entry.data.items() if key not in _OF_THE_QUERY}
    missing = tuple(f"{key} in [data]" for key in needed if key not in data)
    return Neighbours(words, {**fixed, "[data]": data}, missing)


# The parameter that lists the laws of a class.
_CLASSES: Final = {
    "pufferfish.chain": "chains",
    "pufferfish.network": "networks",
    "pufferfish.wasserstein": "laws",
}
_KNOWN: Final[Mapping[str, Callable[[Entry, Claim], Neighbours | Unlike]]] = {
    "dirichlet.identity": _of_vectors,
    "dirichlet.average": _of_vectors,
    "dirichlet.counts": _of_counts,
    "dirichlet.matrix": _of_matrix,
    "dirichlet.renyi": _of_histogram,
    "markov.model": _of_model,
    "pufferfish.chain": _of_laws,
    "pufferfish.network": _of_laws,
    "pufferfish.wasserstein": _of_instantiation,
}
