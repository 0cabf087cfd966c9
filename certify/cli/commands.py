"""Commands that answer. Each imports what it needs when it runs, so that ``--help`` stays fast."""

from __future__ import annotations

from collections.abc import Iterable

import click

from ...reference.errors import InputError, UnknownNameError
from .group import JSON, OR_STANDARD, print_json, reader_may_leave, simplexcert
from .limited import MAX_SECONDS


@simplexcert.command()
@click.argument("pattern", default="*", metavar="[GLOB]")
@JSON
def quantities(pattern: str, as_json: bool) -> None:
    """List the quantities: parameters, domain, safe side and source."""
    from ...reference.quantity import quantities as registry

    found = registry(pattern)
    if not found:
        raise UnknownNameError("quantity", pattern, registry(), "(no quantity matches)")
    from ..report import print_quantities

    with reader_may_leave():
        if as_json:
            shapes = [item.as_json() for item in found.values()]
            print_json({"schema_version": 1, "quantities": shapes})
        else:
            print_quantities(found)


@simplexcert.command()
@click.argument("quantity")
@click.option(
    "-p", "given", multiple=True, metavar="NAME=VALUE", help="A parameter, exact: 20.6 is 103/5."
)
@click.option(
    "--params",
    "file",
    type=OR_STANDARD,
    metavar="FILE.json",
    help="Parameters from a JSON object; - is standard input.",
)
@click.option("--digits", default=20, show_default=True, help="Significant digits.")
@click.option("--engine", default="arb", show_default=True, help="arb (the reference) or second.")
@click.option("--max-seconds", default=60.0, show_default=True, help="Budget of time.")
@JSON
def evaluate(
    quantity: str,
    given: tuple[str, ...],
    file: str | None,
    digits: int,
    engine: str,
    max_seconds: float,
    as_json: bool,
) -> int:
    """Enclose a quantity: a proved lower and upper bound, as narrow as asked."""
    from ...reference.evaluation import evaluate as answer_for
    from ...reference.precision import Budget

    if not 0 < max_seconds <= MAX_SECONDS:
        raise InputError(f"--max-seconds {max_seconds:g} is not in (0, {MAX_SECONDS:g}]")
    answer = answer_for(
        quantity,
        _parameters(given, file),
        digits=digits,
        engine=engine,
        budget=Budget(seconds=max_seconds),
    )
    from ..report import print_answer

    with reader_may_leave():
        if as_json:
            print_json(answer.as_json())
        else:
            print_answer(answer)
    return 0 if answer.narrow else 2


def _parameters(given: Iterable[str], file: str | None) -> dict[str, object]:
    parameters = _from_file(file) if file is not None else {}
    for item in given:
        name, equals, value = item.partition("=")
        if not equals or not name.strip():
            raise InputError(f"-p {item!r} is not of the form NAME=VALUE")
        if name.strip() in parameters:
            raise InputError(f"the parameter {name.strip()} is given twice")
        parameters[name.strip()] = value
    return parameters


def _from_file(file: str) -> dict[str, object]:
    from ...reference.exact import parse_json
    from ..files import content_at, name_of

    table = parse_json(content_at(file), name_of(file))
    if not isinstance(table, dict):
        raise InputError(f"{name_of(file)} holds no JSON object of parameters")
    return table
