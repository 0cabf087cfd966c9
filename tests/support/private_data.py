"""Private data for each shipped claim file, and the texts by which they would be recognised.

Beside them, what of the claim file leaves no two neighbours.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from simplexcert.certify.mechanisms import MECHANISMS, mechanism_named, template_text
from simplexcert.reference.exact import exact_text

# The mechanisms by which releases are drawn: of the others there are no data.
DRAWN = tuple(name for name in MECHANISMS if mechanism_named(name).draws)


class Private(NamedTuple):
    """A data file's text, and what of it nobody may ever see; the words are no public ones.

    ``vacuous`` are replacements in the claim file after which no two inputs are neighbours; none
    where some are in any case. ``whole`` makes a data file of what an audit tells of one of two
    inputs that attain the loss; None where it tells of none.
    """

    text: str
    secrets: tuple[str, ...]
    vacuous: tuple[tuple[str, str], ...] = ()
    whole: Callable[[Any], str] | None = None


def records(header: str, lines: Iterable[str]) -> str:
    """Return a CSV file; each line is told apart by a number that stands nowhere else."""
    numbered = (f"{770_000 + at},{line}" for at, line in enumerate(lines, 1))
    return "\n".join([f"record,{header}", *numbered]) + "\n"


def vectors(*lines: str) -> str:
    return "\n".join(["care,roads,parks,rest", *lines]) + "\n"


def shares(*first: str) -> str:
    """Return the shares that are given, and last what they leave."""
    return ",".join((*first, exact_text(1 - sum(map(Fraction, first)))))


def mean_of_five(one: str, other: str) -> str:
    """Return five vectors, all but the first with their protected shares at the floor."""
    first = (exact_text(5 * Fraction(share) - Fraction(4, 10)) for share in (one, other))
    return vectors(shares(*first, "1/10"), *[shares("1/10", "1/10", "1/10")] * 4)


def graded(one: str, other: str) -> str:
    """Return sixty records, of which the first two grades have these shares."""
    first, second = (int(60 * Fraction(share)) for share in (one, other))
    return records("grade", "A" * first + "B" * second + "C" * (60 - first - second))


def moved_in_each_row(*rows: tuple[str, str]) -> str:
    places = ("home", "work", "shop")
    lines = (f"{place},{shares(*row)}" for place, row in zip(places, rows, strict=True))
    return "\n".join([",home,work,shop", *lines]) + "\n"


def moved_from_north(*counts: str) -> str:
    """Return so many moves from the first state to each, and from the others as many as ever."""
    lines = [move for move in MOVES if not move.startswith("north")]
    for place, count in zip(("north", "south", "isle"), counts, strict=True):
        lines += [f"north,{place}"] * int(count)
    return records("from,to", lines)


GRADES = ["A"] * 17 + ["B"] * 33 + ["C"] * 10
MOVES = (
    ["north,north"] * 19 + ["north,south"] * 13 + ["north,isle"] * 8
    + ["south,north"] * 11 + ["south,south"] * 27 + ["south,isle"] * 12
    + ["isle,south"] * 13 + ["isle,isle"] * 17
)  # fmt: skip
TICKETS = ["day"] * 131 + ["year"] * 57
STEPS = ["rest", "walk", "walk", "rest"] * 5
DATA = {
    "dirichlet.identity": Private(
        vectors("0.31415926,0.27182818,0.22360679,0.19040577"),
        ("31415926", "27182818", "22360679", "19040577"),
        (('b = "0.025"', "b = 0"),),
        lambda moved: vectors(shares(*moved, "1/10")),
    ),
    "dirichlet.average": Private(
        vectors(
            "0.31415926,0.27182818,0.22360679,0.19040577",
            "0.21415926,0.27182818,0.22360679,0.29040577",
            "0.31415926,0.17182818,0.32360679,0.19040577",
            "0.11415926,0.37182818,0.22360679,0.29040577",
            "0.31415926,0.27182818,0.12360679,0.29040577",
        ),
        ("1415926", "7182818", "2360679", "9040577"),
        (('eta_bar = "0.1"', 'eta_bar = "7/10"'), ('eta = "0.1"', 'eta = "1/10"')),
        lambda moved: mean_of_five(*moved),
    ),
    "dirichlet.counts": Private(
        records("grade", GRADES), ("7700",), (('eta = "0.1"', 'eta = "1/3"'),),
        lambda moved: graded(*moved),
    ),
    "dirichlet.matrix": Private(
        ",home,work,shop\nhome,0.51415926,0.27182818,0.21401256\n"
        "work,0.31415926,0.27182818,0.41401256\nshop,0.22360679,0.57721566,0.19917755\n",
        ("1415926", "7182818", "1401256", "2360679", "7721566", "9917755"),
        (("changed_rows = 3", "changed_rows = 0"),),
        lambda moved: moved_in_each_row(*moved),
    ),
    "markov.model": Private(
        records("from,to", MOVES),
        ("7700", "7701"),
        (
            ("[40, 50, 30]", "[3, 3, 2]"),
            ('["0.1", "0.1", "0.15"]', '["1/3", "1/3", "1/2"]'),
        ),
        lambda counts: moved_from_north(*counts),
    ),
    "dirichlet.renyi": Private(
        records("ticket", TICKETS),
        ("7700", "7701"),
        whole=lambda counts: records(
            "ticket", ["day"] * int(counts[0]) + ["year"] * int(counts[1])
        ),
    ),
    "pufferfish.chain": Private(
        records("activity", STEPS),
        ("7700", "rest,walk"),
        (
            ('[["0.7", "0.3"], ["0.4", "0.6"]]', "[[1, 0], [1, 0]]"),
            ('[["0.6", "0.4"], ["0.5", "0.5"]]', "[[1, 0], [1, 0]]"),
        ),
    ),
    "pufferfish.interval_chain": Private(records("activity", STEPS), ("7700", "rest,walk")),
    "pufferfish.mixing_chain": Private(records("activity", STEPS), ("7700", "rest,walk")),
    "pufferfish.network": Private(
        records("status", ["well", "ill", "ill"]),
        ("7700",),
        (('["0.8", "0.2"]', "[1, 0]"), ('["0.6", "0.4"]', "[0, 1]")),
    ),
    "pufferfish.wasserstein": Private(
        "answer\n2.0000000\n",
        ("2.0000000",),
        (
            ('[["0.4", "0.1", "0.1", "0.4"]]', '[["1/2", 0, "1/2", 0], [0, "1/2", 0, "1/2"]]'),
            ("[[1, 2], [3, 4]]", "[[1, 2]]"),
        ),
    ),
}  # fmt: skip


class Given(NamedTuple):
    """A claim file and its data, written."""

    claim: Path
    data: Path


def given(folder: Path, mechanism: str, **changes: str) -> Given:
    """Write a mechanism's shipped claim file and data; ``changes`` are of the claim's lines."""
    text = template_text(mechanism)
    for key, value in changes.items():
        (line,) = (one for one in text.split("\n") if one.split(" ")[0] == key)
        text = text.replace(line, f"{key} = {value}")
    claim, data = folder / "claim.toml", folder / "private.csv"
    claim.write_text(text, encoding="utf-8")
    data.write_text(DATA[mechanism].text, encoding="utf-8")
    return Given(claim, data)
