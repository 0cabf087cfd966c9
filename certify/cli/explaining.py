"""The command that says what there is: quantities, one of them explained, and mechanisms."""

from __future__ import annotations

from fnmatch import fnmatchcase

import click

from ...reference.errors import UnknownNameError
from .group import example, print_json, simplexcert, telling
from .streams import reader_may_leave


@simplexcert.command(epilog=example("quantities gaussian.delta"))
@click.argument("pattern", default="*", metavar="[GLOB|NAME]")
@click.option("--mechanisms", is_flag=True, help="List what a claim can be about, with the papers.")
@telling
def quantities(pattern: str, mechanisms: bool, as_json: bool, quiet: bool, verbose: bool) -> None:
    """List the quantities, or explain one: what it is, its parameters, safe side, an example.

    NAME explains one; a GLOB, such as 'dirichlet.*', lists those that match. What the words mean:
    proofs_notes/site/pages/glossary.md.
    """
    if mechanisms:
        _mechanisms(pattern, as_json=as_json, quiet=quiet)
        return
    from ...reference.quantity import quantities_matching

    found = quantities_matching(pattern)
    from ..report import print_quantities

    with reader_may_leave():
        if as_json:
            shapes = [item.as_json() for item in found.values()]
            print_json({"schema_version": 1, "quantities": shapes})
        else:
            print_quantities(found, quiet=quiet, verbose=verbose)


def _mechanisms(pattern: str, *, as_json: bool, quiet: bool) -> None:
    from ..mechanisms import MECHANISMS, mechanism_named
    from ..report import mechanism_as_json, mechanisms_explained

    found = [mechanism_named(name) for name in MECHANISMS if fnmatchcase(name, pattern)]
    if not found:
        raise UnknownNameError("mechanism", pattern, MECHANISMS, "(no mechanism matches)")
    with reader_may_leave():
        if as_json:
            shapes = [mechanism_as_json(each) for each in found]
            print_json({"schema_version": 1, "mechanisms": shapes})
        else:
            number = f"{len(found)} mechanism{'' if len(found) == 1 else 's'}"
            lines = [] if quiet else ["", *mechanisms_explained(found)]
            click.echo("\n".join([number, *lines]))
