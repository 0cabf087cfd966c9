"""Privatised Markov chains simulated, beside every bound on them, proved or printed.

Run as ``python benchmarks/markov_simulation.py [--quick] [--chain NAME] [--out FOLDER]``. For each
chain of benchmarks/simulation/chains.py, and every k_i at 1 to 1,000 times its least admissible
value, it draws private chains (rows Dirichlet(k_i P_i) on the positive entries, seeded) and writes
tables in Markdown and CSV, and a plot for each chain, to benchmarks/results. The public data are
read from the folder that SIMPLEXCERT_DATA names, which holds

- nyc_taxi/manhattan63_od_counts_2018_2020.csv: trips between zones (NYC Taxi & Limousine
  Commission);
- msnbc/transition_counts_17x17.csv: pages visited (UCI, "MSNBC.com");

without it those are skipped. All of it takes six minutes on one core. Exits with 1 where a
simulated mean contradicts a proved bound by more than four standard errors. That T4-B or T4-C comes
within a factor 2 is reported, not required.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from simulation.bounds import compared
from simulation.chains import CHAINS, FACTORS, Chain, NoDataError
from simulation.grades import grade_lines
from simulation.measures import simulated
from simulation.plots import write_plot
from simulation.results import Result, failures
from simulation.tables import markdown, write_csv

RESULTS = Path(__file__).parent / "results"
SEED = 20_251
# Draws for each factor: entries of all matrices together, and the most draws of small chains.
ENTRIES, MOST_DRAWS = 24_000_000, 100_000
QUICK_ENTRIES, QUICK_DRAWS = 400_000, 4_000
# A mean of fewer draws has no standard error to speak of.
FEWEST_DRAWS = 200


def draws_for(chain: Chain, *, quick: bool) -> int:
    """Return how many private chains are drawn for each factor."""
    entries, most = (QUICK_ENTRIES, QUICK_DRAWS) if quick else (ENTRIES, MOST_DRAWS)
    return max(FEWEST_DRAWS, min(most, chain.effort * entries // len(chain.counts) ** 2))


def results_of(key: str, *, quick: bool, seed: int, step: Callable[[], object]) -> list[Result]:
    """Simulate one chain at every factor. Raises NoDataError where its data are not there."""
    chain = CHAINS[key]()
    draws = draws_for(chain, quick=quick)
    found = []
    for factor in chain.factors:
        means = simulated(chain, factor, draws, seed)
        found.append(Result(key, chain, factor, means, tuple(compared(chain, factor, means))))
        step()
    return found


@contextmanager
def progress(total: int) -> Iterator[Callable[[], object]]:
    """Yield what moves a bar on a terminal's standard error; silent elsewhere."""
    columns = TextColumn("simulating"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    console = Console(stderr=True)
    with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
        task = bar.add_task("simulating", total=total)
        yield lambda: bar.advance(task)


def written(out: Path, results: Sequence[Result], grades: Sequence[str]) -> None:
    """Write the tables and the plots side by side."""
    out.mkdir(parents=True, exist_ok=True)
    text = "\n".join([*markdown(results), *grades]) + "\n"
    (out / "markov_bounds.md").write_text(text, encoding="utf-8")
    write_csv(out / "markov_bounds.csv", results)
    for key in dict.fromkeys(one.key for one in results):
        write_plot(out / f"{key}.png", [one for one in results if one.key == key])


def asked(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="fewer draws: two minutes")
    parser.add_argument("--chain", action="append", choices=CHAINS, help="only this; repeatable")
    parser.add_argument("--out", type=Path, default=RESULTS, help="the folder for the results")
    parser.add_argument("--seed", type=int, default=SEED)
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Simulate, write, and return the exit code."""
    given = asked(arguments)
    keys = given.chain or list(CHAINS)
    results: list[Result] = []
    with progress(len(keys) * len(FACTORS)) as step:
        for key in keys:
            try:
                results += results_of(key, quick=given.quick, seed=given.seed, step=step)
            except NoDataError as error:
                print(f"{key} is skipped: {error}", file=sys.stderr)  # noqa: T201
    written(given.out, results, list(grade_lines(quick=given.quick, seed=given.seed)))
    contradicted = failures(results)
    for line in contradicted:
        print(f"CONTRADICTED {line}", file=sys.stderr)  # noqa: T201
    print(given.out / "markov_bounds.md")  # noqa: T201 - where the tables are
    return 1 if contradicted else 0


if __name__ == "__main__":
    sys.exit(main())
