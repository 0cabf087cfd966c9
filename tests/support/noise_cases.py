"""A claim and a file of private data for each Laplace mechanism: every label of a state is private.

Labels stand in claims, too, but no sentence about data may hold one.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from private_files import Case
from simplexcert.certify.mechanisms.plan import NoisePlan
from simplexcert.certify.mechanisms.pufferfish.chain import CHAIN
from simplexcert.certify.mechanisms.pufferfish.network import NETWORK
from simplexcert.certify.mechanisms.pufferfish.wasserstein import WASSERSTEIN

UP, DOWN, REST = STATES = ("zq_private_up", "zq_private_down", "zq_private_rest")
_PURE = {"epsilon": 1}


def column(*states: str) -> str:
    """Return a file with a column of numbered lines before that of the states."""
    lines = [f"zq_private{at},{state}\n" for at, state in enumerate(states)]
    return "zq_at,state\n" + "".join(lines)


def noise(case: Case, folder: Path) -> NoisePlan:
    """Return what a case plans to draw."""
    plan = case.plan(folder)
    assert isinstance(plan, NoisePlan)
    return plan


def centres(case: Case, folder: Path) -> list[str]:
    """Return the exact answers of a plan as text."""
    return [str(Fraction(one)) for one in noise(case, folder).centres]


def public(case: Case) -> tuple[str, ...]:
    """Return what a case's mechanism wants to be public."""
    return case.public_names()


# From up nothing goes to rest, and no sequence starts with down.
LAW = {"initial": ["1/2", 0, "1/2"], "P": [["1/2", "1/2", 0], ["1/4"] * 2 + ["1/2"], [0, 1, 0]]}
# The same start, and each move that is not possible above, from up and from rest.
OTHER = {"initial": ["1/2", 0, "1/2"], "P": [["1/2", 0, "1/2"], [0, 0, 1], ["1/3"] * 3]}
SEQUENCE = Case(
    CHAIN,
    {"chains": [LAW], "length": 6, "scale": 40, "lipschitz": 2},
    {"column": "state", "states": [*STATES], "query": "histogram"},
    column(UP, UP, DOWN, DOWN, REST, DOWN),
    claim=_PURE,
)
PIECES = replace(
    SEQUENCE,
    release={"chains": [LAW], "lengths": [2, 4], "scale": 40, "lipschitz": 2},
    data={**SEQUENCE.data, "piece": "day"},
    content="day,state\n"
    + "".join(f"zq_private1,{state}\n" for state in (UP, DOWN))
    + "".join(f"zq_private2,{state}\n" for state in (REST, DOWN, UP, UP)),
)
# The third node has three states, of which the last needs the others to be down and up.
_NODES = [
    {"parents": [], "table": [["1/2", "1/2"]]},
    {"parents": [1], "table": [["1/3", "2/3"], [1, 0]]},
    {"parents": [1, 2], "table": [[1, 0, 0], ["1/2", "1/2", 0], [0, "1/2", "1/2"], [0, 1, 0]]},
]
GRAPH = Case(
    NETWORK,
    {"networks": [_NODES], "scale": 40, "lipschitz": 2},
    {"column": "state", "states": [*STATES], "query": "histogram"},
    column(DOWN, UP, REST),
    claim=_PURE,
)
LISTED = Case(
    WASSERSTEIN,
    {
        "values": ["7712/3", 0, "7712/3", 9, 771234],
        "laws": [["1/2", 0, "1/4", "1/4", 0], ["1/4", 0, "1/2", "1/4", 0]],
        "secrets": [[1, 2], [3, 4]],
        "pairs": [[1, 2]],
        "scale": 3000,
    },
    {},
    "dataset\n3\n",
    claim=_PURE,
)
JSON_LISTED = replace(LISTED, content='{"dataset": 3}', suffix=".json")
CASES = {
    "chain": SEQUENCE,
    "pieces": PIECES,
    "network": GRAPH,
    "dataset": LISTED,
    "json": JSON_LISTED,
}
