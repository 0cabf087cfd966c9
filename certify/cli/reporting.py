"""The report: one HTML file from a certificate, made at any time."""

from __future__ import annotations

from pathlib import Path

import click

from ...reference.errors import InputError
from .group import reader_may_leave, simplexcert


@simplexcert.command()
@click.argument("certificate")
@click.option("--out", required=True, metavar="OUT.html", help="Write the report there.")
def report(certificate: str, out: str) -> None:
    """Verify a certificate and make a report for people: one HTML file that needs no network.

    A certificate that does not check gives no report. Signatures are named in it, not checked: that
    takes a key, and `verify --key`.
    """
    from ...reference.exact import read_file
    from ..files import require_writable, write_whole
    from ..report.page import report_on
    from ..report.terminal import working

    if Path(out).resolve() == Path(certificate).resolve():
        raise InputError(f"the report would be written over {certificate}; give another file")
    require_writable(out)
    with working(f"verifying {Path(certificate).name}"):
        page = report_on(read_file(certificate), certificate)
    write_whole(out, page)
    with reader_may_leave():
        click.echo(f"report written to {out}")
