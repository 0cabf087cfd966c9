"""The papers' experiments run again, and one page of what came out.

``PYTHONPATH=benchmarks python -m experiments [ID ...] [--quick] [--out FOLDER] [--jobs N]``, or
``make experiments``; an ID may be a pattern such as 'song2017.*'. The public data are read from the
folder that SIMPLEXCERT_DATA names; without it what needs them is skipped. Each experiment writes
its tables and plots into a folder of its own, and the page is made from all results that are there.

Exit codes: 0 run, 3 a bad argument or result, 4 an experiment failed, 5 nothing was run.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from .page import PAGE, page
from .registry import Setting, UnknownExperimentError, chosen, experiments
from .results import BadResultError, Result, read_results
from .running import run_all

RESULTS = Path(__file__).parents[1] / "results"
SEED = 20_251
JOBS, MOST_JOBS = 2, 256
RUN, BAD_INPUT, FAILED, NOTHING_RUN = 0, 3, 4, 5


class Parser(argparse.ArgumentParser):
    """Exits with the project's code for bad usage."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong."""
        self.exit(BAD_INPUT, f"{self.prog}: {message}\n")


def jobs(text: str) -> int:
    """Read how many processes there are to be."""
    if not (text.isdecimal() and 1 <= int(text) <= MOST_JOBS):
        raise argparse.ArgumentTypeError(f"a whole number from 1 to {MOST_JOBS}, not {text!r}")
    return int(text)


def seed(text: str) -> int:
    """Read the seed, which generators take from 0 on."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"a whole number from 0 on, not {text!r}")
    return int(text)


def asked(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = Parser(prog="experiments", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("ids", nargs="*", metavar="ID", help="such as song2017.figure-4 or 'a.*'")
    parser.add_argument("--quick", action="store_true", help="small sizes, to see that they run")
    parser.add_argument("--out", type=Path, default=RESULTS, help="the folder for the results")
    parser.add_argument("--jobs", type=jobs, default=JOBS, help="processes at once")
    parser.add_argument("--seed", type=seed, default=SEED)
    parser.add_argument("--list", action="store_true", help="list the experiments and stop")
    parser.add_argument("--page", action="store_true", help="make the page again, run nothing")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what is asked for, write the page, and return the exit code."""
    given = asked(arguments)
    if given.list:
        told(*(f"{one.id:<28}{one.where}: {one.title}" for one in experiments().values()))
        return RUN
    try:
        ids = [] if given.page else chosen(given.ids)
        code = code_of(given, ids)
        write_page(given.out)
    except (UnknownExperimentError, BadResultError, OSError) as error:
        print(f"experiments: {error}", file=sys.stderr)  # noqa: T201
        return BAD_INPUT
    return code


def code_of(given: argparse.Namespace, ids: Sequence[str]) -> int:
    """Run the experiments, telling what was skipped and what failed."""
    given.out.mkdir(parents=True, exist_ok=True)
    settings = [Setting(one, given.quick, given.seed) for one in ids]
    ended = list(run_all(settings, given.out, given.jobs)) if settings else []
    failed = [one for one in ended if isinstance(one, Exception)]
    skipped = [one for one in ended if isinstance(one, Result) and one.absent]
    for error in failed:
        print(error, file=sys.stderr)  # noqa: T201
    for result in skipped:
        print(f"{result.id} is skipped: {result.absent}", file=sys.stderr)  # noqa: T201
    if failed:
        return FAILED
    return NOTHING_RUN if ids and len(skipped) == len(ids) else RUN


def write_page(out: Path) -> None:
    """Write the page of all results in the folder, and say where it is."""
    (out / PAGE).write_text(page(read_results(out)), encoding="utf-8")
    told(out / PAGE)


def told(*lines: object) -> None:
    """Print lines."""
    print(*lines, sep="\n")  # noqa: T201


if __name__ == "__main__":
    sys.exit(main())
