"""Commands that answer: enclosures, test vectors, and the papers' register.

Each imports what it needs when it runs, so that ``--help`` stays fast.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from ...reference.errors import InputError, UnknownNameError
from .group import (
    FOLDER,
    ISSUED,
    JSON,
    OR_STANDARD,
    OUT,
    REPORT,
    certificate_and_report,
    example,
    print_json,
    require_targets,
    say_written,
    simplexcert,
    telling,
    telling_a_line,
    write_certificate,
)
from .limited import MAX_SECONDS
from .streams import print_line, reader_may_leave, tell

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..papers.derive import Derived


@simplexcert.command(epilog=example("evaluate gaussian.delta -p noise_multiplier=1.1 -p epsilon=1"))
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
@click.option("-q", "--quiet", is_flag=True, help="Print the two ends alone.")
@click.option("-v", "--verbose", is_flag=True, help="Print every entry of an array.")
@JSON
def evaluate(
    quantity: str,
    given: tuple[str, ...],
    file: str | None,
    digits: int,
    engine: str,
    max_seconds: float,
    as_json: bool,
    quiet: bool,
    verbose: bool,
) -> int:
    """Enclose a quantity: a proved lower and upper bound, as narrow as asked."""
    from ...reference.evaluation import answer_at
    from ...reference.precision import Budget

    if not 0 < max_seconds <= MAX_SECONDS:
        raise InputError(f"--max-seconds {max_seconds:g} is not in (0, {MAX_SECONDS:g}]")
    answer = answer_at(
        quantity,
        given_parameters(given, file),
        digits=digits,
        engine=engine,
        budget=Budget(seconds=max_seconds),
    )
    from ..report import print_answer

    with reader_may_leave():
        if as_json:
            print_json(answer.as_json())
        else:
            print_answer(answer, quiet=quiet, verbose=verbose)
    return 0 if answer.narrow else 2


def given_parameters(given: Iterable[str], file: str | None = None) -> dict[str, object]:
    """Return the parameters of -p NAME=VALUE and of a file. Raises InputError."""
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
    from ...reference.exact import MAX_MATRIX_VALUES, parse_json
    from ..files import content_at, name_of

    table = parse_json(content_at(file), name_of(file), most=MAX_MATRIX_VALUES)
    if not isinstance(table, dict):
        raise InputError(f"{name_of(file)} holds no JSON object of parameters")
    return table


@simplexcert.command(epilog=example("vectors --quantities 'gaussian.*' --out vectors"))
@click.option("--out", type=FOLDER, required=True, metavar="DIR", help="Write the files there.")
@click.option("--quantities", "pattern", default="*", metavar="GLOB", help="Which quantities.")
@click.option("--cases", default=60, show_default=True, help="Cases per quantity.")
@click.option("--seed", default=0, show_default=True, help="The same seed gives the same bytes.")
@telling_a_line
def vectors(out: str, pattern: str, cases: int, seed: int, as_json: bool) -> int:
    """Write test vectors, one JSON file a quantity, for implementations in any language."""
    from ..report import progress
    from ..vectors.writing import write_vectors

    with progress("writing") as advance:
        index = write_vectors(out, pattern=pattern, cases=cases, seed=seed, on_progress=advance)
    kinds = ("valid", "acceptable", "invalid")
    counts = {kind: sum(getattr(entry, kind) for entry in index.files) for kind in kinds}
    number = len(index.files)
    with reader_may_leave():
        if as_json:
            print_json({"schema_version": 1, "folder": out, "quantities": number, **counts})
        else:
            print_line(
                f"{sum(counts.values())} cases of {number} quantit{'y' if number == 1 else 'ies'} "
                f"written to {out}: "
                + ", ".join(f"{count} {kind}" for kind, count in counts.items())
            )
    return 0


@simplexcert.command(epilog=example("claims 'gohari2020.*'"))
@click.argument("pattern", default="*", metavar="[GLOB]")
@click.option("--check", is_flag=True, help="Derive every verdict again from its evidence.")
@click.option("--jobs", default=1, show_default=True, help="Worker processes.")
@click.option(
    "--record", is_flag=True, help="With --check: write what is found as the recorded verdicts."
)
@OUT
@REPORT
@ISSUED
@telling
def claims(
    pattern: str,
    check: bool,
    jobs: int,
    record: bool,
    out: str | None,
    report: str | None,
    issued: bool,
    as_json: bool,
    quiet: bool,
    verbose: bool,
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
        _issue_register(pattern, found, out, report, issued=issued)
    with reader_may_leave(out if issue else None):
        if as_json:
            print_json({**claims_as_json(names, found), "certificate": out if issue else None})
        else:
            print_claims(names, found, quiet=quiet, verbose=verbose)
            if issue:
                say_written(out, report, quiet=quiet)
    if (out or report) and not issue:
        tell("no certificate: what is derived is not what is recorded")
    return 0 if same else 1


def _issue_register(
    pattern: str, found: Mapping[str, Derived], out: str | None, report: str | None, *, issued: bool
) -> None:
    """Write the certificate of the verdicts just derived, and the report that is made from it."""
    from ..certificate.issuing import time_of_issue
    from ..certificate.papers import papers_statement_of
    from ..certificate.reading import canonical_bytes

    statement = papers_statement_of(pattern, found, time_of_issue(asked=issued))
    write_certificate(canonical_bytes(statement), out, report)
