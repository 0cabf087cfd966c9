"""The group of commands, the options that several have, and the writing of their results."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Final

import click

from ...reference.errors import InputError, UnknownNameError
from ..files import STANDARD, is_same
from .limited import Command, looked_for, work_is_done
from .streams import print_line, reader_may_leave

if TYPE_CHECKING:
    from ..audits import Audit
    from ..marks import Mark

# Where a context keeps the words of the command line after its name.
GIVEN = f"{__name__}.given"
JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON on standard output.")
_QUIET = click.option("-q", "--quiet", is_flag=True, help="Print line 1 alone.")
_VERBOSE = click.option("-v", "--verbose", is_flag=True, help="Print everything.")


def telling(command: Command) -> Command:
    """Give a command that decides or lists ``--json``, ``-q`` and ``-v``: how much it prints."""
    return _QUIET(_VERBOSE(JSON(command)))


def telling_a_line(command: Command) -> Command:
    """Give a command that prints one line the same options: that line is line 1, and everything."""

    @functools.wraps(command)
    def told(*, quiet: bool, verbose: bool, **given: Any) -> Any:
        del quiet, verbose
        return command(**given)

    return telling(told)


# The name of a file, or - for standard input or output, whichever it is for.
OR_STANDARD = click.types.StringParamType()
# The name of a folder; no other text ends with a slash.
FOLDER = click.types.StringParamType()


def example(*lines: str) -> str:
    """Return what stands at the end of a command's help, as it stands; the manual has it, too."""
    title = "Example:" if len(lines) == 1 else "Examples:"
    return "\n".join(["\b", title, *(f"  simplexcert {line}" for line in lines)])


# What --template is without the name of a mechanism.
_EACH = "?"
TEMPLATE = click.option(
    "--template",
    metavar="[MECHANISM]",
    is_flag=False,
    is_eager=True,
    flag_value=_EACH,
    help="Print a claim file to start from, and stop; without MECHANISM, list which there are.",
)


def print_template(name: str, claim: str | None = None) -> None:
    """Print a mechanism's claim file, or which mechanisms have one; a claim beside it is too much.

    Raises InputError for that, and for a mechanism that there is not.
    """
    from ..mechanisms import template_text
    from ..report import templates_explained

    if claim is not None:
        raise InputError(f"give a claim or --template, not both: {claim} would not be read")
    text = "".join(f"{line}\n" for line in templates_explained()) if name == _EACH else ""
    with reader_may_leave():
        click.echo(text or template_text(name), nl=False)


class _Telling(click.Command):
    """A command whose help may be asked for by nobody who reads it, or onto a full disk."""

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **more: Any,
    ) -> click.Context:
        with reader_may_leave():
            return super().make_context(info_name, args, parent, **more)
        raise click.exceptions.Exit(0)


class _Command(_Telling):
    """A command that takes an empty text for nothing, and ``-`` where it says so alone.

    An empty text is what a script leaves of a variable that is not set: left out, an option would
    mean something else. So it would where it stands twice, and one of its values were left out.
    """

    def __init__(
        self, *given: Any, sections: Mapping[str, tuple[str, ...]] | None = None, **more: Any
    ) -> None:
        """Take the options of each section of the help; what is in none comes last."""
        super().__init__(*given, **more)
        self._sections = sections or {}

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options by section."""
        records = {
            parameter.opts[-1]: record
            for parameter in self.get_params(ctx)
            if isinstance(parameter, click.Option) and (record := parameter.get_help_record(ctx))
        }
        for title, names in self._sections.items():
            with formatter.section(title):
                formatter.write_dl([records.pop(name) for name in names])
        with formatter.section("More" if self._sections else "Options"):
            formatter.write_dl(list(records.values()))

    def get_short_help_str(self, limit: int = 45) -> str:
        """Return the first sentence of the help, whole: a list of commands wraps it."""
        return super().get_short_help_str(limit + len(self.help or ""))

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        _require_once(self, ctx, args)
        rest = super().parse_args(ctx, args)
        for parameter in self.params:
            given = ctx.params.get(parameter.name or "")
            for value in given if isinstance(given, tuple) else (given,):
                _require_said(parameter, value)
        if ctx.params.get("as_json") and STANDARD in _written_to(self, ctx):
            raise InputError(
                "a file that is - and --json would both be standard output; give a name"
            )
        return rest


def _written_to(command: click.Command, ctx: click.Context) -> list[object]:
    return [
        ctx.params.get(each.name or "")
        for each in command.params
        if {"--out", "--csv"} & set(each.opts)
    ]


def _require_once(command: click.Command, ctx: click.Context, args: list[str]) -> None:
    """Raise InputError where an option of one value stands twice: the last alone would count."""
    _, _, order = command.make_parser(ctx).parse_args(list(args))
    once = [
        each
        for each in order
        if isinstance(each, click.Option) and not (each.multiple or each.is_flag or each.count)
    ]
    for at, option in enumerate(once):
        if option in once[:at]:
            raise InputError(f"{_called(option)} stands twice, and takes one value; give it once")


def _require_said(parameter: click.Parameter, value: object) -> None:
    if value == "":
        raise InputError(f"{_called(parameter)} is empty: give a value, or leave it out")
    if value == STANDARD and parameter.type is not OR_STANDARD:
        raise InputError(
            f"{_called(parameter)} takes no standard stream: give a name; a file - is ./-"
        )
    if isinstance(value, str) and value.endswith("/") and parameter.type is not FOLDER:
        from ...reference.exact import shown

        raise InputError(f"{_called(parameter)} {shown(value)} names a folder, and takes none")


def _called(parameter: click.Parameter) -> str:
    return (
        parameter.opts[0] if isinstance(parameter, click.Option) else parameter.human_readable_name
    )


class _Commands(_Telling, click.Group):
    """A group whose unknown commands are answered with the nearest known one."""

    command_class = _Command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args and not ctx.resilient_parsing:
            raise click.UsageError("give a command; `simplexcert --help` lists them")
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not args[0].startswith("-") and args[0] not in self.commands:
            raise UnknownNameError("command", args[0], self.commands)
        return super().resolve_command(ctx, args)


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=example("audit example:poll"),
)
@click.version_option(
    version("simplexcert"), prog_name="simplexcert", message="%(prog)s %(version)s"
)
def simplexcert() -> None:
    """Decide claims of differential privacy, with proved numbers.

    Exit codes: 0 certified or answered; 1 refuted, or a certificate does not check; 2 undecided;
    3 bad usage or bad input, or the system refused; 4 our own failure; 5 nothing was run or all was
    inapplicable; 130 interrupted; 143 ended by SIGTERM.

    What the words mean: proofs_notes/site/pages/glossary.md.
    """


def print_json(value: Any) -> None:
    """Print a value as JSON on standard output."""
    click.echo(json.dumps(value, indent=2))


ISSUED = click.option(
    "--issued", is_flag=True, help="Tell the time of issue in the certificate, too."
)


def _can_be_drawn(_: click.Context, option: click.Parameter, path: str | None) -> str | None:
    """Return where a report is to be written. Raises InputError where nothing could draw it."""
    if path is not None:
        from ..extras import require_plots

        require_plots(option.opts[0])
    return path


REPORT = click.option(
    "--report",
    metavar="OUT.html",
    callback=_can_be_drawn,
    help="Write a report for people there.",
)
COQ = click.option(
    "--coq",
    metavar="PROOF.v",
    help="Write a certified claim there as a theorem, which Coq checks.",
)
SUBJECT = click.option(
    "--subject",
    "subjects",
    multiple=True,
    metavar="FILE",
    help="Name this file, too, as one that the certificate is about: released data, a wheel.",
)
OUT = click.option(
    "--out", type=OR_STANDARD, metavar="CERT.json", help="Write the certificate there; - prints it."
)


def require_targets(written: Iterable[tuple[str | None, Mark | None]], read: list[str]) -> None:
    """Raise InputError now if a file could not be written, or would be written over another.

    Each is given with the mark that a file of its name has to bear, or None where that is left to
    what reads it.
    """
    from ..files import require_writable

    named = [(path, mark) for path, mark in written if path is not None]
    for at, (path, mark) in enumerate(named):
        if any(_same(path, other) for other, _ in named[:at]):
            raise InputError(f"two results are to be written to {path}; give two files")
        if any(_same(path, other) for other in read):
            raise InputError(f"{path} is to be read and to be written over; give another file")
        require_writable(path, mark)


def certificate_and_report(
    out: str | None, report: str | None
) -> list[tuple[str | None, Mark | None]]:
    """Return where the two are to be written, each with its mark."""
    from ..marks import CERTIFICATE
    from ..marks import REPORT as PAGE

    return [(out, CERTIFICATE), (report, PAGE)]


def _same(one: str, other: str) -> bool:
    if STANDARD in (one, other):
        return False  # one is read and the other written, or is a file
    return is_same(one, other)


# Where a page is still to be made, what would do has no more than this of the time that is left.
_SHARE_BEFORE_A_PAGE: Final = 0.5


def with_repairs(found: Audit, *, is_last: bool) -> Audit:
    """Return a verdict with what would do instead, as far as it is found in time.

    Where it ``is_last``, all of the time that is left may be spent on it.
    """
    from ...reference.precision import seconds_left
    from ..audits.repair import MOST_SECONDS, repairs_of, unfound

    most = MOST_SECONDS if is_last else min(MOST_SECONDS, _SHARE_BEFORE_A_PAGE * seconds_left())
    looked = looked_for(functools.partial(repairs_of, found), unfound(found), most)
    return replace(found, would_do=looked)


def write_certificate(
    content: bytes, out: str | None, report: str | None, found: Audit | None = None
) -> None:
    """Write the certificate, and the report that is made from it, once both are made."""
    from ..files import write_whole

    page = None
    if report is not None:
        from ..report import report_of

        name = "certificate.json" if out in (None, STANDARD) else out
        page = report_of(content, name, found)
    work_is_done()
    for (path, mark), made in zip(
        certificate_and_report(out, report), (content, page), strict=True
    ):
        if path is not None and made is not None:
            write_whole(path, made, mark)


def say_written(
    out: str | None, report: str | None, *, quiet: bool = False, **others: str | None
) -> None:
    """Print which files were written, ``others`` by what they are, unless line 1 is all.

    What is in standard output is not told there.
    """
    if quiet:
        return
    named = {what.replace("_", " "): path for what, path in others.items()}
    for what, path in {"certificate": out, "report": report, **named}.items():
        if path not in (None, STANDARD):
            print_line(f"{what} written to {path}")
