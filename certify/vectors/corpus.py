"""The corpus for accountants: inputs of published threads, each with the kind of bug it is about.

What was published is in ``published.toml``; all else, the truths, the doubles that decide and the
results, is worked out from it by both engines. Run this module to write the files again.
"""

from __future__ import annotations

import sys
import tomllib
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import msgspec

from ...reference.errors import InputError
from ...reference.exact import shown
from ...reference.quantity import Quantity, quantity_named
from ..files import write_whole
from ..marks import INDEX, VECTORS
from ..points import Point
from .cases import Inside, case_inside, case_outside
from .flags import Flag
from .outside import Outside, reason_outside
from .points import nearest_doubles
from .schema import FOLDER, Index, IndexEntry, VectorCase, VectorFile
from .writing import canonical, file_of, generator, index_entry

CORPUS: Final = FOLDER / "corpus"
# Where a case is not at the numbers of its thread, what is said of that.
_AT: Final = {
    "": "",
    "like": " (numbers of this kind)",
    "beyond": " (the thread's own numbers are not enclosed by both engines: numbers of this kind)",
}

BUGS: Final[dict[str, Flag]] = {
    "Cancellation": Flag(
        "A loss that is a small difference of large numbers, or a tail far below 1.",
        "1 - (1 - P); a profile as the difference of two probabilities near each other.",
        "Balle and Wang 2018, section 3: two tails of the normal law",
    ),
    "CalibrationSide": Flag(
        "The least noise that keeps an epsilon and a delta.",
        "A search that returns the end where the target is missed; a formula beyond its domain.",
        "Balle and Wang 2018, Theorem 4",
    ),
    "CentralLimit": Flag(
        "Many steps of a subsampled mechanism, near to a normal law and not one.",
        "A central limit theorem taken for a bound: it understates the loss by any factor.",
        "Dong, Roth and Su 2022, section 5: the approximation and its error",
    ),
    "FftRounding": Flag(
        "A delta below what is left of a sum of numbers of size 1 in doubles.",
        "Rounding of a transform of 1e-16 taken for probability, or clipped with its sign.",
        "Gopi, Lee and Wutschitz 2021, whose error of a grid has no rounding in it",
    ),
    "OneDirection": Flag(
        "A pair of laws that loses more in one order than in the other.",
        "A record is only added, or only removed: both are neighbours.",
        "Zhu, Dong and Wang 2022, Theorem 11",
    ),
    "OrderDomain": Flag(
        "A Renyi order at an end of what a formula is proved for.",
        "A conversion that divides by the order less 1; a bound of some orders used at others.",
        "Mironov 2017, Proposition 3; Canonne, Kamath and Steinke 2020, Proposition 12",
    ),
    "Overflow": Flag(
        "An epsilon whose exponential is no double, or the noise for which it is so large.",
        "Infinity times 0, or infinity less infinity, that becomes a number on the way.",
        "IEEE 754-2019, section 7.4",
    ),
    "SamplingScheme": Flag(
        "How a batch is drawn, and whose difference is hidden, decide which pair of laws it is.",
        "Fixed or shuffled batches, or replaced records, by the numbers of Poisson samples.",
        "Lebeda, Regehr, Kamath and Steinke 2024",
    ),
    "TruncatedTail": Flag(
        "A loss far out in the tail of the law of the privacy loss.",
        "A grid or a table that ends before it, and what is beyond it is left out.",
        "Gopi, Lee and Wutschitz 2021, Theorem 5.5: the mass that is cut off counts",
    ),
}


class Published(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A case of ``published.toml``: a quantity's inputs, the bug, the thread, and what it says."""

    quantity: str
    bug: str
    issue: str
    says: str
    inputs: dict[str, Any]
    at: str = ""

    @property
    def comment(self) -> str:
        """What the thread says, and whether it does so at these numbers."""
        return self.says + _AT[self.at]


@cache
def published() -> tuple[Published, ...]:
    """Return all cases, by quantity."""
    text = (files(__package__) / "published.toml").read_text(encoding="utf-8")
    cases = msgspec.convert(tomllib.loads(text)["case"], list[Published])
    return tuple(sorted(cases, key=lambda case: case.quantity))


def corpus_cases(quantity: Quantity) -> list[VectorCase]:
    """Return the corpus's cases of a quantity, in the order of their names.

    Raises InputError where an engine is not narrow enough at one.
    """
    asked = [case for case in published() if case.quantity == quantity.name]
    return sorted((_case(quantity, each) for each in asked), key=lambda case: case.id)


def _case(quantity: Quantity, asked: Published) -> VectorCase:
    point = _point(quantity, asked)
    why = reason_outside(quantity, point)
    if why:
        outside = Outside(point, f"{asked.comment}; {why}", ("OutOfDomain", asked.bug), ())
        found: VectorCase | None = case_outside(quantity, outside)
    else:
        found = case_inside(quantity, Inside(point, asked.comment, (asked.bug,)))
    if found is None:
        raise InputError(f"{quantity.name}: no truth is narrow enough for {shown(asked.issue)}")
    return msgspec.structs.replace(found, issue=asked.issue)


def _point(quantity: Quantity, asked: Published) -> Point:
    """Return the doubles nearest to the inputs, which need not be in the domain."""
    exact = {
        name: domain.read(name, asked.inputs[name]) for name, domain in quantity.parameters.items()
    }
    return nearest_doubles(exact)


def corpus_file(name: str) -> VectorFile:
    """Return the corpus's file of a quantity."""
    quantity = quantity_named(name)
    return file_of(quantity, corpus_cases(quantity), 0, BUGS)


def corpus_quantities() -> list[str]:
    """Return the quantities of which the corpus has cases."""
    return list(dict.fromkeys(case.quantity for case in published()))


def write_corpus(folder: Path = CORPUS) -> Index:
    """Write a file of cases for each quantity of the corpus, and the index; return the index."""
    folder.mkdir(exist_ok=True)
    entries: list[IndexEntry] = []
    for name in corpus_quantities():
        made = corpus_file(name)
        write_whole(folder / f"{name}.json", canonical(made), VECTORS)
        entries.append(index_entry(made))
    index = Index("https://simplexcert.github.io/vectors-index/v0", 1, generator(), 0, entries)
    write_whole(folder / "index.json", canonical(index), INDEX)
    return index


if __name__ == "__main__":
    write_corpus(*map(Path, sys.argv[1:2]))
