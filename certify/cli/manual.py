"""The manual page, made from the commands' own help: ``simplexcert.1``, which the wheel installs.

``make manual`` writes it again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Final

import click

from .checking import PASSPHRASE_VARIABLE
from .running import COMPLETION, simplexcert

PAGE: Final = Path(__file__).with_name("simplexcert.1")
_NAME: Final = "simplexcert"
_ENVIRONMENT: Final = (
    (
        PASSPHRASE_VARIABLE,
        "The passphrase by which keygen encrypts a private key, and by which sign reads it.",
    ),
    (
        COMPLETION,
        "Completion: bash_source, zsh_source and fish_source print what the shell is to evaluate.",
    ),
    ("SOURCE_DATE_EPOCH", "The time of issue that a certificate tells, in seconds since 1970."),
    ("NO_COLOR", "With any value nothing is coloured."),
)
_EXAMPLES: Final = (
    ("Decide a claim that is shipped", "simplexcert audit example:benvenuti2025-grades"),
    ("Begin one of your own", "simplexcert audit --template dirichlet.counts > claim.toml"),
    ("Explain a quantity", "simplexcert quantities dirichlet.profile.delta"),
    ("Check a backend", "simplexcert certify module:attribute --out certificate.json"),
    ("Check a stranger's certificate", "simplexcert verify certificate.json --key PUBLIC.pem"),
)


def manual_page() -> str:
    """Return the page as troff with the macros of man(7)."""
    context = click.Context(simplexcert)
    summary, *paragraphs = _paragraphs(simplexcert)
    lines = [
        f'.TH SIMPLEXCERT 1 "" "{_NAME} {version(_NAME)}" "User Commands"',
        ".SH NAME",
        f"{_NAME} \\- {_plain(summary.removesuffix('.'))}",
        ".SH SYNOPSIS",
        f".B {_NAME}",
        _plain(" ".join(simplexcert.collect_usage_pieces(context))),
        ".SH DESCRIPTION",
        *_spaced(paragraphs),
        ".SH OPTIONS",
        *_options(simplexcert, context),
        *_listed([("-h, --help", "Show the help, of any command as well.")]),
        ".SH COMMANDS",
    ]
    for name, command in sorted(simplexcert.commands.items()):
        lines += _command(name, command)
    lines += [".SH ENVIRONMENT", *_listed(_ENVIRONMENT), ".SH EXAMPLES"]
    for about, example in _EXAMPLES:
        lines += [".PP", _plain(f"{about}:"), ".PP", ".RS", _plain(example), ".RE"]
    return "\n".join([*lines, ""])


def _command(name: str, command: click.Command) -> Iterator[str]:
    context = click.Context(command)
    yield f".SS {name}"
    yield f".B {_NAME} {name}"
    yield _plain(" ".join(command.collect_usage_pieces(context)))
    yield ".PP"
    yield from _spaced(_paragraphs(command))
    yield from _options(command, context)
    title, *lines = (command.epilog or "").removeprefix("\b\n").splitlines()
    yield from (".PP", title)
    for line in lines:
        yield from (".PP", ".RS", _plain(line.strip()), ".RE")


def _paragraphs(command: click.Command) -> list[str]:
    return [" ".join(each.split()) for each in re.split(r"\n\s*\n", (command.help or "").strip())]


def _spaced(paragraphs: Iterable[str]) -> Iterator[str]:
    for number, text in enumerate(paragraphs):
        if number:
            yield ".PP"
        yield _plain(text)


def _options(command: click.Command, context: click.Context) -> Iterator[str]:
    records = (each.get_help_record(context) for each in command.params)
    yield from _listed(record for record in records if record is not None and record[1])


def _listed(pairs: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Yield names, each with what is said of it set in below."""
    for name, said in pairs:
        yield from (".TP", f".B {_plain(name)}", _plain(" ".join(said.split())))


def _plain(text: str) -> str:
    """Return text that means itself: no line of it is a request, and a minus can be copied."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{escaped}" if escaped.startswith((".", "'")) else escaped


if __name__ == "__main__":
    PAGE.write_text(manual_page(), encoding="utf-8")
