"""The commands. Each imports what it needs when it runs, so that ``--help`` stays fast."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from importlib.metadata import version
from typing import Any

import click

from ...reference.errors import InputError, UnknownNameError

_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON on standard output.")
_MAX_SECONDS = 86_400.0


class _Commands(click.Group):
    """A group whose unknown commands are answered with the nearest known one."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not args[0].startswith("-") and args[0] not in self.commands:
            raise UnknownNameError("command", args[0], self.commands)
        return super().resolve_command(ctx, args)


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(
    version("simplexcert"), prog_name="simplexcert", message="%(prog)s %(version)s"
)
def simplexcert() -> None:
    """Certified numbers for differential privacy on the probability simplex.

    Exit codes: 0 certified or answered; 1 refuted, or a certificate does not check; 2 undecided;
    3 bad usage or bad input; 4 our own failure; 5 nothing was run or all was inapplicable.
    """


@simplexcert.command()
@click.argument("pattern", default="*", metavar="[GLOB]")
@_JSON
def quantities(pattern: str, as_json: bool) -> None:
    """List the quantities: parameters, domain, safe side and source."""
    from ...reference.quantity import quantities as registry

    found = registry(pattern)
    if not found:
        raise UnknownNameError("quantity", pattern, registry(), "(no quantity matches)")
    if as_json:
        _print_json(
            {"schema_version": 1, "quantities": [item.as_json() for item in found.values()]}
        )
        return
    from ..report.terminal import print_quantities

    print_quantities(found)


@simplexcert.command()
@click.argument("quantity")
@click.option(
    "-p", "given", multiple=True, metavar="NAME=VALUE", help="A parameter, exact: 20.6 is 103/5."
)
@click.option("--params", "file", metavar="FILE.json", help="Parameters from a JSON object.")
@click.option("--digits", default=20, show_default=True, help="Significant digits.")
@click.option("--engine", default="arb", show_default=True, help="arb (the reference) or second.")
@click.option("--max-seconds", default=60.0, show_default=True, help="Budget of time.")
@_JSON
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

    if not 0 < max_seconds <= _MAX_SECONDS:
        raise InputError(f"--max-seconds {max_seconds:g} is not in (0, {_MAX_SECONDS:g}]")
    answer = answer_for(
        quantity,
        _parameters(given, file),
        digits=digits,
        engine=engine,
        budget=Budget(seconds=max_seconds),
    )
    from ..report.terminal import print_answer

    with _reader_may_leave():
        if as_json:
            _print_json(answer.as_json())
        else:
            print_answer(answer)
    return 0 if answer.narrow else 2


@simplexcert.command()
@click.argument("claim", required=False)
@click.option("--template", metavar="MECHANISM", help="Print a claim file to start from, and stop.")
@_JSON
def audit(claim: str | None, template: str | None, as_json: bool) -> int:
    """Decide a privacy claim: CLAIM.toml, or example:NAME."""
    from ..audits import audit as audited
    from ..audits.claim import example_text
    from ..audits.mechanisms import mechanism_named
    from ..verdict import exit_code

    if template is not None:
        if claim is not None:
            raise InputError(f"give a claim or --template, not both: {claim} would not be read")
        click.echo(example_text(mechanism_named(template).example), nl=False)
        return 0
    if claim is None:
        raise InputError("audit needs a claim file, or example:NAME; see --template MECHANISM")
    found = audited(claim)
    from ..report.terminal import print_audit

    with _reader_may_leave():
        if as_json:
            _print_json(found.as_json())
        else:
            print_audit(found)
    return exit_code(found.verdict)


@simplexcert.command()
@click.argument("backend", required=False)
@click.option("--quantities", "pattern", default="*", metavar="GLOB", help="Which quantities.")
@click.option("--cases", default=200, show_default=True, help="Cases per quantity.")
@click.option("--seed", default=0, show_default=True, help="The same seed gives the same bytes.")
@click.option("--jobs", default=1, show_default=True, help="Worker processes.")
@click.option(
    "--case-seconds", default=20.0, show_default=True, help="Time that a backend has for a case."
)
@click.option("--out", metavar="CERT.json", help="Write the certificate there.")
@click.option("--transcript", metavar="CASES.jsonl.gz", help="Write every case there.")
@click.option("--strict", is_flag=True, help="Undecided counts as a failure.")
@_JSON
def certify(
    backend: str | None,
    pattern: str,
    cases: int,
    seed: int,
    jobs: int,
    case_seconds: float,
    out: str | None,
    transcript: str | None,
    strict: bool,
    as_json: bool,
) -> int:
    """Check a backend and certify it, by default the built-in one.

    BACKEND is an entry point's name, module:attribute, or "command:PROGRAM ARG ...".
    """
    from ..campaign import certify as checked
    from ..certificate import canonical_bytes, statement_of
    from ..files import require_writable, whole_file
    from ..report.terminal import print_campaign, progress
    from ..transcript import transcript_writer
    from ..verdict import exit_code

    if out and out == transcript:
        raise InputError(f"--out and --transcript both name {out}; give two files")
    for path in filter(None, (out, transcript)):
        require_writable(path)
    with ExitStack() as stack:
        write = stack.enter_context(transcript_writer(transcript)) if transcript else None
        advance = stack.enter_context(progress("checking"))
        campaign = checked(
            backend,
            quantities=pattern,
            cases=cases,
            seed=seed,
            jobs=jobs,
            case_seconds=case_seconds,
            on_case=write,
            on_progress=advance,
        )
    content = canonical_bytes(statement_of(campaign))
    if out:
        with whole_file(out) as stream:
            stream.write(content)
    with _reader_may_leave():
        if as_json:
            predicate = json.loads(content)["predicate"]
            _print_json({"schema_version": 1, **predicate, "certificate": out})
        else:
            print_campaign(campaign, out)
    return exit_code(campaign.verdict, strict=strict)


@simplexcert.command()
@click.argument("certificate")
@click.option("--subject", metavar="FILE", help="Require this file to be one it is about.")
@_JSON
def verify(certificate: str, subject: str | None, as_json: bool) -> int:
    """Check a certificate: shape, canonical form, verdict, and every worst case again."""
    from ..certificate import verify as verified
    from ..verdict import exit_code

    found = verified(certificate, subject=subject)
    from ..report.terminal import print_verified

    with _reader_may_leave():
        if as_json:
            _print_json(found.as_json())
        else:
            print_verified(found, certificate)
    return exit_code(found.verdict)


def _print_json(value: Any) -> None:
    click.echo(json.dumps(value, indent=2))


@contextmanager
def _reader_may_leave() -> Iterator[None]:
    """Stop printing when nobody reads any more; what was found keeps its exit code."""
    try:
        yield
        if sys.stdout:
            sys.stdout.flush()
    # rich raises SystemExit itself when its pipe is closed.
    except (BrokenPipeError, SystemExit):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _parameters(given: Iterable[str], file: str | None) -> dict[str, object]:
    parameters = _from_file(file) if file else {}
    for item in given:
        name, equals, value = item.partition("=")
        if not equals or not name.strip():
            raise InputError(f"-p {item!r} is not of the form NAME=VALUE")
        if name.strip() in parameters:
            raise InputError(f"the parameter {name.strip()} is given twice")
        parameters[name.strip()] = value
    return parameters


def _from_file(file: str) -> dict[str, object]:
    from ...reference.exact import parse_json, read_file

    table = parse_json(read_file(file), file)
    if not isinstance(table, dict):
        raise InputError(f"{file} holds no JSON object of parameters")
    return table
