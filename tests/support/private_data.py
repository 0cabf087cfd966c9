"""Private data for each shipped claim file, and the texts by which they would be recognised.

Beside them, what of the claim file leaves no two neighbours.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from simplexcert.certify.mechanisms import template_text


class Private(NamedTuple):
    """A data file's text, and what of it nobody may ever see; the words are no public ones.

    ``vacuous`` are replacements in the claim file after which no two inputs are neighbours; none
    where some are in any case.
    """

    text: str
    secrets: tuple[str, ...]
    vacuous: tuple[tuple[str, str], ...] = ()


def records(header: str, lines: Iterable[str]) -> str:
    """Return a CSV file; each line is told apart by a number that stands nowhere else."""
    numbered = (f"{770_000 + at},{line}" for at, line in enumerate(lines, 1))
    return "\n".join([f"record,{header}", *numbered]) + "\n"


def vectors(*lines: str) -> str:
    return "\n".join(["care,roads,parks,rest", *lines]) + "\n"


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
    ),
    "dirichlet.counts": Private(
        records("grade", GRADES), ("7700",), (('eta = "0.1"', 'eta = "1/3"'),)
    ),
    "dirichlet.matrix": Private(
        ",home,work,shop\nhome,0.51415926,0.27182818,0.21401256\n"
        "work,0.31415926,0.27182818,0.41401256\nshop,0.22360679,0.57721566,0.19917755\n",
        ("1415926", "7182818", "1401256", "2360679", "7721566", "9917755"),
        (("changed_rows = 3", "changed_rows = 0"),),
    ),
    "markov.model": Private(
        records("from,to", MOVES),
        ("7700", "7701"),
        (
            ("[40, 50, 30]", "[3, 3, 2]"),
            ('["0.1", "0.1", "0.15"]', '["1/3", "1/3", "1/2"]'),
        ),
    ),
    "dirichlet.renyi": Private(records("ticket", TICKETS), ("7700", "7701")),
    "pufferfish.chain": Private(
        records("activity", STEPS),
        ("7700", "rest,walk"),
        (
            ('[["0.7", "0.3"], ["0.4", "0.6"]]', "[[1, 0], [1, 0]]"),
            ('[["0.6", "0.4"], ["0.5", "0.5"]]', "[[1, 0], [1, 0]]"),
        ),
    ),
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
