"""The manual page that the wheel installs: the commands' own help, as it is now."""

from __future__ import annotations

import re

import pytest
from simplexcert.certify.cli import manual
from simplexcert.certify.cli.running import simplexcert

KEPT = manual.PAGE.read_text(encoding="utf-8")
# All that troff is asked to do there.
REQUESTS = {"TH", "SH", "SS", "B", "PP", "TP", "RS", "RE"}


def test_the_page_that_is_kept_is_that_of_the_help() -> None:
    assert manual.manual_page() == KEPT, "the help has changed: make manual"


def test_every_command_and_option_is_on_the_page() -> None:
    read = KEPT.replace("\\-", "-")
    for name, command in simplexcert.commands.items():
        section = read.partition(f".SS {name}\n")[2].partition("\n.S")[0]
        assert section, name
        for parameter in command.params:
            if parameter.param_type_name == "option":
                assert re.search(rf"^\.B .*{parameter.opts[0]}\b", section, re.MULTILINE), parameter


def test_no_word_of_the_help_is_taken_for_a_request() -> None:
    lines = re.findall(r"^\.(\S*)", KEPT, re.MULTILINE)
    assert set(lines) == REQUESTS
    assert not re.findall("^'", KEPT, re.MULTILINE)


@pytest.mark.parametrize(
    ("text", "written"),
    [(".so /etc/x", "\\&.so /etc/x"), ("'br", "\\&'br"), ("a\\b -c", "a\\eb \\-c")],
)
def test_text_means_itself(text: str, written: str) -> None:
    assert manual._plain(text) == written
