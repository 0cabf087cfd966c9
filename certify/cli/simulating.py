"""The command that simulates releases for studies of utility: never private."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from ...reference.errors import InputError
from .group import (
    FOLDER,
    OR_STANDARD,
    example,
    print_json,
    require_targets,
    simplexcert,
    telling,
)
from .limited import limited, work_is_done
from .streams import print_line, reader_may_leave

if TYPE_CHECKING:
    from ..marks import Mark
    from ..simulating import Simulation

# What --out writes in its folder.
_FILES: Final = ("simulation.json", "errors.csv", "errors.png")
_LONGEST_LIST: Final = 10_000


@simplexcert.command(epilog=example("simulate example:poll --input '[30, 12, 8]'"))
@click.argument("claim", type=OR_STANDARD)
@click.option("--input", "given", metavar="JSON", help="A made-up or public input, or `claim`.")
@click.option("--data", metavar="FILE", help="Data, as [data] in the claim says: NOT PRIVATE.")
@click.option("--draws", default=10_000, show_default=True, help="How often to draw.")
@click.option("--seed", default=0, show_default=True, help="The same seed gives the same numbers.")
@click.option("--epsilon", "epsilons", metavar="E,E,...", help="Each with k, step or scale tight.")
@click.option("--out", type=FOLDER, metavar="FOLDER", help=f"Write {', '.join(_FILES)} there.")
@click.option("--plot", metavar="FILE", help="Write a plot there: .svg, .pdf or .png.")
@limited()
@telling
def simulate(
    claim: str,
    given: str | None,
    data: str | None,
    draws: int,
    seed: int,
    epsilons: str | None,
    out: str | None,
    plot: str | None,
    as_json: bool,
    quiet: bool,
    verbose: bool,
) -> int:
    """Simulate CLAIM.toml or example:NAME many times, for its utility: NOT PRIVATE.

    Expected errors beside what is proved of them. Exit code 1 where a mean contradicts a proved
    statement, 2 where it is only odd.
    """
    from ..report import progress
    from ..simulating import simulate as simulated

    _require_targets(out, plot, [path for path in (claim, data) if path])
    with progress("simulating") as advance:
        found = simulated(
            claim,
            data=data,
            given=given,
            draws=draws,
            seed=seed,
            epsilons=_listed(epsilons),
            on_progress=advance,
        )
    _write(found, out, plot)
    with reader_may_leave():
        _print(found, out, plot, as_json=as_json, quiet=quiet, verbose=verbose)
    return _exit_code(found)


def _listed(epsilons: str | None) -> list[str]:
    if epsilons is None:
        return []
    if len(epsilons) > _LONGEST_LIST:
        raise InputError(f"--epsilon of more than {_LONGEST_LIST} characters is not read")
    return epsilons.split(",")


def _require_targets(out: str | None, plot: str | None, read: list[str]) -> None:
    """Raise InputError now if something could not be written."""
    from ..extras import require_plots
    from ..pictures import mark_of

    mark = None if plot is None else mark_of(plot)
    for option, asked in (("--plot", plot), ("--out", out)):
        if asked is not None:
            require_plots(option)
    inside: list[tuple[str | None, Mark | None]] = []
    if out is not None:
        folder = Path(out)
        if folder.is_dir():
            inside = [(str(folder / name), mark) for name, mark in _marks().items()]
        else:
            _require_possible(folder)
    require_targets([*inside, (plot, mark)], read)


def _require_possible(folder: Path) -> None:
    """Raise InputError unless a folder could be made there; it is, once its files are made."""
    above = next(each for each in folder.absolute().parents if os.path.lexists(each))
    if os.path.lexists(folder) or not (above.is_dir() and os.access(above, os.W_OK | os.X_OK)):
        raise InputError(f"cannot make the folder {folder}: it is a file, or one is in its way")


def _marks() -> Mapping[str, Mark]:
    """Return the names of the files of --out, each with its mark."""
    from ..marks import ERRORS, PNG, SIMULATION

    return dict(zip(_FILES, (SIMULATION, ERRORS, PNG), strict=True))


def _contents(found: Simulation) -> Mapping[str, bytes]:
    from ..simulating.plots import plot_of
    from ..simulating.written import as_json, table_of

    text = json.dumps(as_json(found), indent=2) + "\n"
    contents = (text.encode(), table_of(found).encode(), plot_of(found))
    return dict(zip(_FILES, contents, strict=True))


def _write(found: Simulation, out: str | None, plot: str | None) -> None:
    """Make all files, and then write them."""
    from ..files import write_whole
    from ..pictures import format_of, mark_of
    from ..simulating.plots import plot_of

    made = {} if out is None else _contents(found)
    picture = None if plot is None else plot_of(found, format_of(plot))
    work_is_done()
    if out is not None:
        _fill(Path(out), made)
    if plot is not None and picture is not None:
        write_whole(plot, picture, mark_of(plot))


def _fill(folder: Path, made: Mapping[str, bytes]) -> None:
    """Write the files of a folder; one that was made for them and got none is removed."""
    from ..files import write_whole

    is_new = not folder.is_dir()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot make the folder {folder}: {error.strerror}") from None
    try:
        for name, content in made.items():
            write_whole(folder / name, content, _marks()[name])
    except BaseException:
        with suppress(OSError):  # it holds something
            if is_new:
                folder.rmdir()
        raise


def _print(
    found: Simulation,
    out: str | None,
    plot: str | None,
    *,
    as_json: bool,
    quiet: bool,
    verbose: bool,
) -> None:
    from ..report import console_here
    from ..simulating.written import as_json as shape_of
    from ..simulating.written import print_simulation

    if as_json:
        print_json(shape_of(found))
        return
    print_simulation(console_here(), found, quiet=quiet, verbose=verbose)
    if quiet:
        return
    for what, path in (("simulation", out), ("plot", plot)):
        if path is not None:
            print_line(f"{what} written to {path} (NOT PRIVATE)")


def _exit_code(found: Simulation) -> int:
    """Return 1 for a contradiction, 2 for an odd mean, 5 where nothing was compared."""
    from ..simulating.comparing import Finding
    from ..verdict import Verdict, exit_code

    meaning = {
        Finding.CONTRADICTED: Verdict.REFUTED,
        Finding.ODD: Verdict.UNDECIDED,
        Finding.AGREES: Verdict.CERTIFIED,
        Finding.NOTHING: Verdict.INAPPLICABLE,
    }
    return exit_code(meaning[found.finding])
