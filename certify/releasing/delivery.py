"""Put new files in their places, all of them or none, and never over another file.

All are written beside their places before the first one gets its name; then they get their names
one after the other, a release before its certificate. An error takes back those that have theirs.
Killed in between, the release stands without its certificate, never the other way round: a
certificate of nothing would tell of a release that nobody has, while a release can be certified
again, by ``audit CLAIM.toml --subject RELEASE.json``, without another draw.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack, suppress
from pathlib import Path

from ...reference.errors import InputError
from ..done import has_removed
from ..files import whole_file


def deliver(outputs: Mapping[Path, bytes]) -> None:
    """Write new files, in this order. Raises InputError, and then none of them is there."""
    try:
        with ExitStack() as stack:
            # The last one entered is the first one left, and gets its name then.
            for target, content in reversed(list(outputs.items())):
                stream = stack.enter_context(whole_file(target, durable=True))
                stream.write(content)
                stream.flush()
    except BaseException as error:
        _take_back(outputs)
        if isinstance(error, InputError):
            raise InputError(f"nothing was written: {error}") from None
        raise


def _take_back(outputs: Mapping[Path, bytes]) -> None:
    """Remove those files that have their names by now, and no others that took these."""
    for target, content in outputs.items():
        with suppress(OSError):
            # Nobody else has these bytes: a release is drawn, and a certificate holds its digest.
            if target.is_file() and not target.is_symlink() and target.read_bytes() == content:
                target.unlink()
                has_removed(target)
