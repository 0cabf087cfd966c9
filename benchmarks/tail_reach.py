"""How far the tail reaches: the seconds that 20 digits take over a grid, and where they fail.

Run as ``python benchmarks/tail_reach.py [SECONDS] [JOBS]``; prints a table in Markdown, one row for
each kind of law and one column for each share of the room that gamma takes. Nothing is asserted.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction
from itertools import product
from multiprocessing import get_context

from simplexcert.reference import evaluate
from simplexcert.reference.precision import Budget

KINDS = {"equal": ("2", "10", "60", "300", "1000"), "different": ("2", "4", "10", "60")}
ALPHAS = ("1e-3", "0.1", "1", "30", "1000", "1e5")
RESTS = ("0", "1", "1e4")
# gamma as a share of 1/count, beyond which nothing is left.
SHARES = ("1e-6", "0.1", "0.5", "0.9", "0.999")
SLOW = 0.1


def seconds(point: tuple[str, str, str, str, str, float]) -> str:
    """Return how long one evaluation took, and by which route; or that it stayed undecided."""
    kind, count, alpha, rest, share, most = point
    given: dict[str, object] = {"rest": rest, "gamma": Fraction(share) / int(count)}
    if kind == "equal":
        name, given = "dirichlet.tail.uniform", {**given, "alpha": alpha, "count": count}
    else:  # from alpha up to twice that
        entries = [Fraction(alpha) * (1 + Fraction(i, int(count))) for i in range(int(count))]
        name, given = "dirichlet.tail.general", {**given, "alpha": entries}
    start = time.perf_counter()
    answer = evaluate(name, given, budget=Budget(most))
    taken = time.perf_counter() - start
    route = (answer.route or "")[:1]
    if not answer.narrow:
        return f"**none** in {taken:.0f} s"
    return f"{route} {taken:.1f}" if taken >= SLOW else route


def rows(most: float, jobs: int) -> Iterator[str]:
    """Yield the lines of the table."""
    yield "| | count | alpha | rest | " + " | ".join(f"{share}/count" for share in SHARES) + " |"
    yield "|---" * (4 + len(SHARES)) + "|"
    laws = [
        (kind, *law) for kind, counts in KINDS.items() for law in product(counts, ALPHAS, RESTS)
    ]
    points = [(*law, share, most) for law in laws for share in SHARES]
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as executor:
        found = executor.map(seconds, points)
        for law in laws:
            cells = [next(found) for _ in SHARES]
            yield f"| {' | '.join((*law, *cells))} |"


if __name__ == "__main__":
    limit, workers = (*sys.argv[1:], *("60", "2")[len(sys.argv) - 1 :])
    for line in rows(float(limit), int(workers)):
        print(line, flush=True)  # noqa: T201 - the table is what it is for
