"""The Markov quilt mechanism on chains: times, and the memory that it takes.

MQMExact with 51 states and a million steps, as in song2017 Table 2 (which names 282 s for its
program), enclosed to 15 digits; the same from any start and from a law that is not stationary; and
the two-state chains of its examples; each beside the float64 backend, with how far that is above.
MQMApprox last.
The chain of 51 states moves between neighbouring states, with random weights from a fixed seed; its
scale is about 200. Nothing here asserts a time.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Callable, Iterator
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from simplexcert.certify.backends.float64 import backend
from simplexcert.reference import evaluate

STATES, DIGITS = 51, 15
EXACT, APPROX = "pufferfish.quilt_scale_exact", "pufferfish.quilt_scale_approx"
Chain = dict[str, object]


def neighbours(states: int = STATES) -> list[list[Fraction]]:
    """Return a chain whose weights fall off with the distance of two states."""
    random = Random("quilts")  # noqa: S311
    rows = []
    for x in range(states):
        weights = [
            random.randint(500, 1500) * 3 // (1 + abs(x - y)) ** 2 + 1 for y in range(states)
        ]
        rows.append([Fraction(weight, sum(weights)) for weight in weights])
    return rows


def two_states() -> list[list[str]]:
    return [["9/10", "1/10"], ["4/10", "6/10"]]


PROBLEMS: list[tuple[str, Chain, int]] = [
    ("51 states, 10^6 steps, stationary", {"initial": "stationary", "P": neighbours()}, 10**6),
    ("51 states, 100 steps, stationary", {"initial": "stationary", "P": neighbours()}, 100),
    ("51 states, 10^6 steps, any start", {"initial": "any", "P": neighbours()}, 10**6),
    (
        "51 states, 10^6 steps, near uniform",
        {"initial": [Fraction(1, 64)] * 50 + [Fraction(14, 64)], "P": neighbours()},
        10**6,
    ),
    ("2 states, 100 steps, stationary", {"initial": "stationary", "P": two_states()}, 100),
    ("2 states, 100 steps, any start", {"initial": "any", "P": two_states()}, 100),
    ("2 states, 100 steps, from a state", {"initial": [1, 0], "P": two_states()}, 100),
    ("2 states, 10^6 steps, from a state", {"initial": [1, 0], "P": two_states()}, 10**6),
]


@pytest.fixture(scope="module")
def table(request: pytest.FixtureRequest) -> Iterator[list[str]]:
    lines = [f"\n{'':<38}{'s':>8}{'MB':>6}  {'scale':<28}{'float64, s':>11}  excess"]
    yield lines
    with request.config.pluginmanager.getplugin("capturemanager").global_and_fixture_disabled():
        print(*lines, sep="\n")  # noqa: T201 - the table is what it is for


@pytest.mark.parametrize(("title", "chain", "length"), PROBLEMS, ids=[one[0] for one in PROBLEMS])
def test_scale(title: str, chain: Chain, length: int, table: list[str]) -> None:
    """Enclose the scale at epsilon 1; the memory is the process's peak so far."""
    floats = {
        key: value if isinstance(value, str) else in_floats(value) for key, value in chain.items()
    }
    table.append(
        line(
            title, EXACT, {"chains": [chain], **rest(length)}, {"chains": [floats], **rest(length)}
        )
    )


def test_approximate_scale(table: list[str]) -> None:
    given = {"pi_min": Fraction(1, 1000), "gap": Fraction(1, 100), "length": 10**6, "epsilon": 1}
    floats = {"pi_min": 0.001, "gap": 0.01, "length": 10**6, "epsilon": 1.0}
    table.append(line("MQMApprox, 10^6 steps", APPROX, given, floats))


def rest(length: int) -> dict[str, int]:
    return {"length": length, "epsilon": 1, "width": length}


def in_floats(value: object) -> object:
    if isinstance(value, list):
        return [in_floats(item) for item in value]
    return float(Fraction(value))  # type: ignore[arg-type]


def line(title: str, name: str, given: dict[str, object], floats: dict[str, object]) -> str:
    """Return one line of the table; the excess is of numbers that float64 holds rounded."""
    answer, taken = timed(lambda: evaluate(name, given, digits=DIGITS))
    assert answer.narrow
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    value, fast = timed(lambda: backend.quantities[name](**floats))
    excess = float(Fraction(value) / answer.upper - 1)
    upper = answer.as_json()["upper"]
    return f"{title:<38}{taken:>8.3f}{peak:>6}  {upper:<28}{fast:>11.5f}  {excess:.1e}"


def timed(answered: Callable[[], Any]) -> tuple[Any, float]:
    start = time.perf_counter()
    return answered(), time.perf_counter() - start
