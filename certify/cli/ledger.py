"""The command that shows a ledger of releases, and what they come to together."""

from __future__ import annotations

from pathlib import Path

import click

from .group import JSON, print_json, reader_may_leave, simplexcert


@simplexcert.command()
@click.argument("ledger")
@click.option(
    "--deliver", is_flag=True, help="Write what a killed run had recorded and not written."
)
@JSON
def ledger(ledger: str, deliver: bool, as_json: bool) -> None:
    """Show the releases of the same data that a ledger records, and what they come to together.

    The total is worked out anew from the claims. A ledger is only written to with --deliver.
    """
    from ..releasing.ledger import composed, open_ledger, read_ledger, releases_beside

    found = read_ledger(ledger)
    delivered: tuple[str, ...] = ()
    if deliver:
        with open_ledger(ledger) as opened:
            found, delivered = opened.ledger, opened.delivered
    total, others = composed(found.entries, found.cap), releases_beside(Path(ledger), found)
    from ..report import ledger_as_json, print_ledger

    with reader_may_leave():
        if as_json:
            print_json({**ledger_as_json(found, total, others), "written": list(delivered)})
        else:
            print_ledger(found, total, others)
            for name in delivered:
                click.echo(f"written: {name}")
