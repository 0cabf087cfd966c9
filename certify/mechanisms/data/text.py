"""The text of a private file: a regular file of bounded size, in UTF-8 with or without a mark."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from ....reference.errors import InputError
from ....reference.exact import read_file
from .quiet import told


def text_of(path: str | Path) -> str:
    """Return the text of a file. Raises InputError with its name and nothing out of it.

    What is no regular file is not opened: a pipe would be waited for.
    """
    file = Path(path)
    if _is_irregular(file):
        raise InputError(f"cannot read {file}: it is no regular file")
    content = read_file(file)
    text = told(
        lambda: content.decode("utf-8-sig"), f"{file} is not UTF-8 text", of=UnicodeDecodeError
    )
    if "\0" in text:
        raise InputError(f"{file} holds a NUL character; it is no text file")
    return text


def _is_irregular(file: Path) -> bool:
    """Whether there is something else than a file; read_file says what is wrong with a name."""
    with suppress(OSError, ValueError):
        return file.exists() and not file.is_file()
    return False
