"""Where commands write what they issue: the options, the checks before any work, the files."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from ...reference.errors import InputError
from ..files import STANDARD, is_same
from .group import OR_STANDARD
from .limited import work_is_done

if TYPE_CHECKING:
    from ..audits import Audit
    from ..marks import Mark

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
OUT = click.option(
    "--out", type=OR_STANDARD, metavar="CERT.json", help="Write the certificate there; - prints it."
)


def require_targets(written: Iterable[tuple[str | None, Mark | None]], read: list[str]) -> None:
    """Raise InputError now if a file could not be written, or would be written over another.

    Each is given with the mark that a file of its name has to bear, or None where that is left to
    what reads it.
    """
    from ..files import require_writable

    named = [(path, mark) for path, mark in written if path is not None]
    for at, (path, mark) in enumerate(named):
        if any(_same(path, other) for other, _ in named[:at]):
            raise InputError(f"two results are to be written to {path}; give two files")
        if any(_same(path, other) for other in read):
            raise InputError(f"{path} is to be read and to be written over; give another file")
        require_writable(path, mark)


def certificate_and_report(
    out: str | None, report: str | None
) -> list[tuple[str | None, Mark | None]]:
    """Return where the two are to be written, each with its mark."""
    from ..marks import CERTIFICATE
    from ..marks import REPORT as PAGE

    return [(out, CERTIFICATE), (report, PAGE)]


def _same(one: str, other: str) -> bool:
    if STANDARD in (one, other):
        return False  # one is read and the other written, or is a file
    return is_same(one, other)


def write_certificate(
    content: bytes, out: str | None, report: str | None, found: Audit | None = None
) -> None:
    """Write the certificate, and the report that is made from it, once both are made."""
    from ..files import write_whole

    page = None
    if report is not None:
        from ..report import report_of

        name = "certificate.json" if out in (None, STANDARD) else out
        page = report_of(content, name, found)
    work_is_done()
    for (path, mark), made in zip(
        certificate_and_report(out, report), (content, page), strict=True
    ):
        if path is not None and made is not None:
            write_whole(path, made, mark)


def say_written(out: str | None, report: str | None) -> None:
    """Say what was written, and where."""
    for what, path in (("certificate", out), ("report", report)):
        if path not in (None, STANDARD):
            click.echo(f"{what} written to {path}")
