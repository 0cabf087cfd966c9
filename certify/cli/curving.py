"""The command that draws curves: of a quantity, or of a claim, over a grid."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..files import STANDARD
from .commands import given_parameters
from .group import OR_STANDARD, example, print_json, require_targets, simplexcert, telling
from .limited import limited, work_is_done
from .streams import print_line, reader_may_leave

if TYPE_CHECKING:
    from ..curves import Curve


def _load() -> None:
    """Load what any curve takes; what its quantity takes is known when it is read."""
    import numpy as np  # noqa: F401

    from ...reference import grids  # noqa: F401


@simplexcert.command(epilog=example("curve example:poll -p epsilon=0:4:41 --plot poll.svg"))
@click.argument("what", type=OR_STANDARD, metavar="QUANTITY|CLAIM")
@click.option(
    "-p",
    "given",
    multiple=True,
    metavar="NAME=VALUE",
    help="A parameter; NAME=FROM:TO:STEPS, or with :log, varies.",
)
@click.option(
    "--csv", "out", type=OR_STANDARD, metavar="FILE", help="Write all points there; - prints them."
)
@click.option("--plot", metavar="FILE", help="Draw it there: .svg, .pdf or .png.")
@click.option("--digits", default=20, show_default=True, help="Significant digits.")
@limited(loading=_load)
@telling
def curve(
    what: str,
    given: tuple[str, ...],
    out: str | None,
    plot: str | None,
    digits: int,
    as_json: bool,
    quiet: bool,
    verbose: bool,
) -> int:
    """Answer a quantity, or a claim, over a grid: a table, a CSV file, a plot.

    STEPS points, both ends included. Of a claim, CLAIM.toml or example:NAME, epsilon or delta
    varies: what its release loses exactly, what the paper prints, what is claimed.
    """
    from ...reference.precision import Budget, seconds_left
    from ..curves import curve as curve_of

    _require_targets(out, plot, what)
    # The command's limit is the only one.
    budget = Budget(seconds=seconds_left())
    found = curve_of(what, given_parameters(given), digits=digits, budget=budget)
    _write(found, out, plot)
    with reader_may_leave(out):
        if as_json:
            print_json({**found.as_json(), "csv": out, "plot": plot})
        else:
            _print(found, out, plot, quiet=quiet, verbose=verbose)
    return 0 if found.verdict == "certified" else 2


def _require_targets(out: str | None, plot: str | None, what: str) -> None:
    """Raise InputError now if something could not be written."""
    from ..extras import require_plots
    from ..marks import CURVE
    from ..pictures import mark_of

    mark = None
    if plot is not None:
        mark = mark_of(plot)
        require_plots("--plot")
    require_targets([(out, CURVE), (plot, mark)], [what] if Path(what).is_file() else [])


def _write(found: Curve, out: str | None, plot: str | None) -> None:
    """Make all files, and then write them."""
    from ..files import write_whole
    from ..marks import CURVE
    from ..pictures import mark_of

    picture = None
    if plot is not None:
        from ..curves.drawing import picture_of

        picture = picture_of(found, plot)
    work_is_done()
    if out is not None:
        write_whole(out, found.csv().encode(), CURVE)
    if plot is not None and picture is not None:
        write_whole(plot, picture, mark_of(plot))


def _print(found: Curve, out: str | None, plot: str | None, *, quiet: bool, verbose: bool) -> None:
    # No verdict stands here: a claim whose curve is proved may be refuted by it.
    click.echo(repr(found))
    if quiet:
        return
    if verbose or (out is None and plot is None):
        for line in _in_columns(list(found.shown_rows(every=verbose))):
            click.echo(line)
    for name, path in (("curve", out), ("plot", plot)):
        if path not in (None, STANDARD):
            print_line(f"{name} written to {path}")


def _in_columns(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
