"""The group of commands, and what all of them print by."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from typing import Any

import click

from ...reference.errors import UnknownNameError

JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON on standard output.")
MAX_SECONDS = 86_400.0


class _Commands(click.Group):
    """A group whose unknown commands are answered with the nearest known one."""

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
    3 bad usage or bad input; 4 our own failure; 5 nothing was run or all was inapplicable.
    """


def print_json(value: Any) -> None:
    """Print a value as JSON on standard output."""
    click.echo(json.dumps(value, indent=2))


@contextmanager
def reader_may_leave() -> Iterator[None]:
    """Stop printing when nobody reads any more; what was found keeps its exit code."""
    try:
        yield
        if sys.stdout:
            sys.stdout.flush()
    # rich raises SystemExit itself when its pipe is closed.
    except (BrokenPipeError, SystemExit):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
