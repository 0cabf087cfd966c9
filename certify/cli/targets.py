"""Where commands write what they issue: the options, the checks before any work, the files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ...reference.errors import InputError

if TYPE_CHECKING:
    from ..audits import Audit

ISSUED = click.option(
    "--issued", is_flag=True, help="Tell the time of issue in the certificate, too."
)
REPORT = click.option("--report", metavar="OUT.html", help="Write a report for people there.")
SUBJECT = click.option(
    "--subject",
    "subjects",
    multiple=True,
    metavar="FILE",
    help="Name this file, too, as one that the certificate is about: released data, a wheel.",
)
OUT = click.option("--out", metavar="CERT.json", help="Write the certificate there.")


def require_targets(written: list[str | None], read: list[str]) -> None:
    """Raise InputError now if a file could not be written, or would be written over another."""
    from ..files import require_writable

    named = [path for path in written if path]
    for at, path in enumerate(named):
        if any(_same(path, other) for other in named[:at]):
            raise InputError(f"two results are to be written to {path}; give two files")
        if any(_same(path, other) for other in read):
            raise InputError(f"{path} is to be read and to be written over; give another file")
        require_writable(path)


def _same(one: str, other: str) -> bool:
    return Path(one).resolve() == Path(other).resolve()


def write_certificate(
    content: bytes, out: str | None, report: str | None, found: Audit | None = None
) -> None:
    """Write the certificate, and the report that is made from it."""
    from ..files import write_whole

    page = None
    if report:
        from ..report.page import report_of

        page = report_of(content, out or "certificate.json", found)
    for path, bytes_of_it in ((out, content), (report, page)):
        if path and bytes_of_it is not None:
            write_whole(path, bytes_of_it)


def say_written(out: str | None, report: str | None) -> None:
    """Say what was written, and where."""
    for what, path in (("certificate", out), ("report", report)):
        if path:
            click.echo(f"{what} written to {path}")
