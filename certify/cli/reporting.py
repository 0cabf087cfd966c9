"""The report: one HTML file from a certificate, made at any time."""

from __future__ import annotations

from pathlib import Path

import click

from ..files import STANDARD
from .group import OR_STANDARD, reader_may_leave, simplexcert
from .limited import limited, work_is_done
from .targets import require_targets, say_written


@simplexcert.command()
@click.argument("certificate", type=OR_STANDARD)
@click.option(
    "--out",
    type=OR_STANDARD,
    required=True,
    metavar="OUT.html",
    help="Write the report there; - prints it.",
)
@limited()
def report(certificate: str, out: str) -> None:
    """Verify a certificate and make a report for people: one HTML file that needs no network.

    A certificate that does not check gives no report. Signatures are named in it, not checked: that
    takes a key, and `verify --key`.
    """
    from ..files import content_at, write_whole
    from ..marks import REPORT
    from ..report import report_on, working

    require_targets([(out, REPORT)], [certificate])
    name = "certificate.json" if certificate == STANDARD else certificate
    with working(f"verifying {Path(name).name}"):
        page = report_on(content_at(certificate), name)
    work_is_done()
    write_whole(out, page, REPORT)
    with reader_may_leave(out):
        say_written(None, out)
