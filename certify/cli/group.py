"""The group of commands, and what all of them print by."""

from __future__ import annotations

import json
from importlib.metadata import version
from typing import Any

import click

from ...reference.errors import InputError, UnknownNameError
from ..files import STANDARD
from .streams import reader_may_leave

__all__ = ["FOLDER", "JSON", "OR_STANDARD", "print_json", "reader_may_leave", "simplexcert"]

JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON on standard output.")


# The name of a file, or - for standard input or output, whichever it is for.
OR_STANDARD = click.types.StringParamType()
# The name of a folder; no other text ends with a slash.
FOLDER = click.types.StringParamType()


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
    mean something else.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        rest = super().parse_args(ctx, args)
        for parameter in self.params:
            given = ctx.params.get(parameter.name or "")
            for value in given if isinstance(given, tuple) else (given,):
                _require_said(parameter, value)
        if ctx.params.get("as_json") and STANDARD in _written_to(self, ctx):
            raise InputError("--out - and --json would both be standard output; give --out a file")
        return rest


def _written_to(command: click.Command, ctx: click.Context) -> list[object]:
    return [ctx.params.get(each.name or "") for each in command.params if "--out" in each.opts]


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


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(
    version("simplexcert"), prog_name="simplexcert", message="%(prog)s %(version)s"
)
def simplexcert() -> None:
    """Certified numbers for differential privacy on the probability simplex.

    Exit codes: 0 certified or answered; 1 refuted, or a certificate does not check; 2 undecided;
    3 bad usage or bad input, or the system refused; 4 our own failure; 5 nothing was run or all was
    inapplicable; 130 interrupted; 143 ended by SIGTERM.
    """


def print_json(value: Any) -> None:
    """Print a value as JSON on standard output."""
    click.echo(json.dumps(value, indent=2))
