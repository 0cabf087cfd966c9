"""The command that shows, and derives again, the verdicts on what the papers state."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ...reference.errors import InputError, UnknownNameError
from .group import JSON, print_json, reader_may_leave, simplexcert
from .targets import (
    ISSUED,
    OUT,
    REPORT,
    certificate_and_report,
    require_targets,
    say_written,
    write_certificate,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..papers.derive import Derived


@simplexcert.command()
@click.argument("pattern", default="*", metavar="[GLOB]")
@click.option("--check", is_flag=True, help="Derive every verdict again from its evidence.")
@click.option("--jobs", default=1, show_default=True, help="Worker processes.")
@click.option(
    "--record", is_flag=True, help="With --check: write what is found as the recorded verdicts."
)
@OUT
@REPORT
@ISSUED
@JSON
def claims(
    pattern: str,
    check: bool,
    jobs: int,
    record: bool,
    out: str | None,
    report: str | None,
    issued: bool,
    as_json: bool,
) -> int:
    """Show the verdict on every published statement; with --check derive each again.

    The exit code is 0 when every derived verdict is the recorded one: that a published statement
    is refuted is a finding, not a failure. Only then does --out issue a certificate of them all.
    """
    from ..papers.statement import statements
    from ..report import claims_as_json, print_claims, progress

    names = list(statements(pattern))
    if not names:
        raise UnknownNameError("claim", pattern, statements(), "(no claim matches)")
    if record and not check:
        raise InputError("--record writes what was derived; give --check, too")
    if (out or report) and not check:
        raise InputError("a certificate tells what was just derived; give --check, too")
    require_targets(certificate_and_report(out, report), [])
    found = None
    if check:
        from ..papers.derive import derived

        with progress("deriving") as advance:
            found = derived(names, jobs=jobs, on_progress=advance)
        if record:
            from ..papers.derive import record as write

            write(found)
    from ..papers.derive import differing

    same = found is None or not differing(found)
    issue = found is not None and same and bool(out or report)
    if found is not None and issue:
        _issue(pattern, found, out, report, issued=issued)
    with reader_may_leave(out if issue else None):
        if as_json:
            print_json({**claims_as_json(names, found), "certificate": out if issue else None})
        else:
            print_claims(names, found)
            if issue:
                say_written(out, report)
    if (out or report) and not issue:
        click.echo("simplexcert: no certificate: what is derived is not what is recorded", err=True)
    return 0 if same else 1


def _issue(
    pattern: str, found: Mapping[str, Derived], out: str | None, report: str | None, *, issued: bool
) -> None:
    """Write the certificate of what was just derived, and the report that is made from it."""
    from ..certificate.claims import papers_statement_of
    from ..certificate.reading import canonical_bytes
    from ..certificate.time_of_issue import time_of_issue

    statement = papers_statement_of(pattern, found, time_of_issue(asked=issued))
    write_certificate(canonical_bytes(statement), out, report)
