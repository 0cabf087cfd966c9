"""The command that shows, and derives again, the verdicts on what the papers state."""

from __future__ import annotations

import click

from ...reference.errors import InputError, UnknownNameError
from .group import JSON, print_json, reader_may_leave, simplexcert


@simplexcert.command()
@click.argument("pattern", default="*", metavar="[GLOB]")
@click.option("--check", is_flag=True, help="Derive every verdict again from its evidence.")
@click.option("--jobs", default=1, show_default=True, help="Worker processes.")
@click.option(
    "--record", is_flag=True, help="With --check: write what is found as the recorded verdicts."
)
@JSON
def claims(pattern: str, check: bool, jobs: int, record: bool, as_json: bool) -> int:
    """Show the verdict on every published statement; with --check derive each again.

    The exit code is 0 when every derived verdict is the recorded one: that a published statement
    is refuted is a finding, not a failure.
    """
    from ..claims.register import entries
    from ..report.claims import claims_as_json, print_claims
    from ..report.terminal import progress

    names = list(entries(pattern))
    if not names:
        raise UnknownNameError("claim", pattern, entries(), "(no claim matches)")
    if record and not check:
        raise InputError("--record writes what was derived; give --check, too")
    found = None
    if check:
        from ..claims.deriving import derived

        with progress("deriving") as advance:
            found = derived(names, jobs=jobs, on_progress=advance)
        if record:
            from ..claims.recorded import record as write

            write(found)
    with reader_may_leave():
        if as_json:
            print_json(claims_as_json(names, found))
        else:
            print_claims(names, found)
    if found is None:
        return 0
    from ..claims.recorded import differing

    return 1 if differing(found) else 0
