"""The command that writes test vectors."""

from __future__ import annotations

import click

from .group import FOLDER, reader_may_leave, simplexcert


@simplexcert.command()
@click.option("--out", type=FOLDER, required=True, metavar="DIR", help="Write the files there.")
@click.option("--quantities", "pattern", default="*", metavar="GLOB", help="Which quantities.")
@click.option("--cases", default=60, show_default=True, help="Cases per quantity.")
@click.option("--seed", default=0, show_default=True, help="The same seed gives the same bytes.")
def vectors(out: str, pattern: str, cases: int, seed: int) -> int:
    """Write test vectors, one JSON file a quantity, for implementations in any language."""
    from ..report import progress
    from ..vectors.writing import write_vectors

    with progress("writing") as advance:
        index = write_vectors(out, pattern=pattern, cases=cases, seed=seed, on_progress=advance)
    valid, acceptable, invalid = (
        sum(getattr(entry, result) for entry in index.files)
        for result in ("valid", "acceptable", "invalid")
    )
    total = valid + acceptable + invalid
    with reader_may_leave():
        click.echo(
            f"{total} cases of {len(index.files)} quantities written to {out}: "
            f"{valid} valid, {acceptable} acceptable, {invalid} invalid"
        )
    return 0
