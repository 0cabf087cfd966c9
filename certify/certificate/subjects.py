"""The files that a claim's certificate is about: the claim file, and releases under the claim.

They are hostile until checked. A release that was drawn is looked at with its claim file, where
both are given: names, rows, protected coordinates, impossible entries, the grid are public there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from ...reference.errors import InputError
from ...reference.exact import (
    MAX_FILE_BYTES,
    MAX_MATRIX_VALUES,
    parse_json,
    parse_toml,
    read_file,
    shown,
)
from ..audits.claim import claim_without_files, files_named_in
from ..files import sha256_of_file
from ..mechanisms.protocol import Claim, Layout, PublicSettings
from ..mechanisms.public import settings_in
from .claim import claim_of, is_told_of_data_in, published_claim
from .errors import CertificateError, SubjectError
from .grids import chosen_bits, grid_text, usual_bits
from .models import AnyStatement, ClaimStatement, Release, Released
from .release import (
    claim_in_release,
    read_released,
    require_laid_out,
    require_possible,
    require_same,
    written_protected,
)

# What a file has that says of itself that it is a release, to any reader of JSON, however lenient:
# it may be read with a duplicate key, a comment or NaN in it, which ours refuses.
_SAID_OF_ITSELF: Final = "drawn_from"
_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
# A line that begins a table which each claim file has.
_CLAIMS_TABLE: Final = re.compile(
    rb"^[ \t]*\[[ \t]*[\"']?(release|claim)[\"']?[ \t]*\]", re.MULTILINE
)


@dataclass(frozen=True)
class ClaimFile:
    """A file that makes the certificate's claim, and what it says besides."""

    claim: Claim
    table: Mapping[str, Any]
    name: str

    @property
    def settings(self) -> PublicSettings | None:
        """How data are read, as far as layouts need it; None where that is not said."""
        data = self.table.get("data")
        if not isinstance(data, dict):
            return None
        return PublicSettings(self.name, self.table["release"], data, frozenset())

    def public(self, settings: PublicSettings) -> tuple[Layout, str]:
        """Return how its releases look, and their grid. Raises InputError: none is made from it."""
        mechanism = self.claim.mechanism
        layout = mechanism.layout(self.claim, settings)
        bits = chosen_bits(self.table.get("output", {}), mechanism.name, self.name)
        if bits is None:
            bits = usual_bits(layout.scale, mechanism.name, self.name)
        return layout, grid_text(bits)


def held_in(statement: AnyStatement, file: str | Path) -> ClaimFile | Released | None:
    """Return the claim file or the release that a subject is. Raises SubjectError: it is none.

    Where it is a claim file, it must make the claim that a release's certificate states, and data
    that it holds itself have to be as the certificate tells. A file of data that it names is not
    opened; what was read off it is taken to be as the certificate states.
    Where it is the release that was made, it must be one of that claim, of that making; and where
    a claim's certificate names a release, one of that claim, and not drawn from a seed.
    """
    digest, name = sha256_of_file(file), str(file)
    if digest not in {item.digest.sha256 for item in statement.subject}:
        raise SubjectError(f"{file} (sha256 {digest}) is not a subject of the certificate")
    if not isinstance(statement, ClaimStatement):
        return None
    drawn = statement.predicate.release
    # A larger file `audit` does not read either, so it is no claim; nor is it a release.
    if Path(file).stat().st_size > MAX_FILE_BYTES:
        if drawn is None:
            return None
        raise SubjectError(f"{name} is larger than any claim file or release")
    content = read_file(file)
    if drawn is None:
        found = release_in(content, name)
        return found or _claim_file(statement, content, name)
    if digest != drawn.file.digest.sha256:
        claim_file = _claim_file(statement, content, name)
        if claim_file is None or claim_file.settings is None:
            raise SubjectError(f"{name} is no claim file from which a release was made")
        try:
            settings = settings_in(claim_file.claim, claim_file.table, name)
            _require_told(drawn, *claim_file.public(settings))
        except InputError as error:
            raise SubjectError(
                f"{name} is no claim file from which a release was made: {error}"
            ) from None
        return claim_file
    try:
        released = read_released(content, name)
        require_same(statement.predicate, released, name)
    except (InputError, CertificateError) as error:
        raise SubjectError(f"{name} is not the release that was certified: {error}") from None
    return released


def _require_told(drawn: Release, layout: Layout, grid: str) -> None:
    """Raise InputError unless a claim file asks for what the certificate tells of its release."""
    if grid != drawn.grid:
        raise InputError(
            f"it asks for a grid of {shown(grid)}, not {shown(drawn.grid)}, which is stated"
        )
    if written_protected(layout.protected) != drawn.protected:
        raise InputError("its protected coordinates are not those that are stated")


def release_in(content: bytes, name: str) -> Released | None:
    """Return the release in a file, None in any other. Raises SubjectError: it is not private."""
    if not _says_it_is_a_release(content, name):
        return None
    try:
        released = read_released(content, name)
    except (InputError, CertificateError) as error:
        raise SubjectError(f"{name} is no release as it is written: {error}") from None
    if not released.private or released.seed is not None:
        raise SubjectError(f"{name} was drawn from a seed: what is claimed does not hold of it")
    return released


def _says_it_is_a_release(content: bytes, name: str) -> bool:
    """Whether a file has the key of releases, as it stands there or as our reader reads it."""
    if not content.removeprefix(_BYTE_ORDER_MARK).lstrip().startswith(b"{"):
        return False
    if f'"{_SAID_OF_ITSELF}"'.encode() in content:
        return True
    try:
        found = parse_json(content, name, most=MAX_MATRIX_VALUES)
    except InputError:
        return False
    return _SAID_OF_ITSELF in found


def _claim_file(statement: ClaimStatement, content: bytes, name: str) -> ClaimFile | None:
    try:
        table = parse_toml(content, name)
    except InputError as error:
        if _looks_like_a_claim(content, name):
            raise SubjectError(f"no claim file that can be read: {error}") from None
        return None  # a release of data, say
    if not {"release", "claim"} <= set(table):
        return None
    try:
        stated = statement.predicate.claim
        claim = claim_without_files(table, name, stated.release)
    except InputError as error:
        raise SubjectError(f"the claim file cannot be read: {error}") from None
    if published_claim(claim) != stated:
        raise SubjectError(f"{name} makes another claim than the certificate states")
    if _holds_data(statement, claim, table, name) and not is_told_of_data_in(
        claim, statement.predicate.hypotheses
    ):
        raise SubjectError(f"{name} holds data of which the certificate tells otherwise")
    return ClaimFile(claim, table, name)


def _looks_like_a_claim(content: bytes, name: str) -> bool:
    """Whether people would take a file for a claim file, by its name or its tables."""
    if Path(name).suffix.lower() == ".toml":
        return True
    tables = {found.group(1) for found in _CLAIMS_TABLE.finditer(content)}
    return tables == {b"release", b"claim"}


def _holds_data(
    statement: ClaimStatement, claim: Claim, table: Mapping[str, Any], name: str
) -> bool:
    """Whether a claim file holds data itself, of which the certificate tells.

    Nothing is told of data where nothing was claimed; a release tells of the data that it is of.
    """
    if "counts" not in table["release"] or files_named_in(table, name):
        return False
    return statement.predicate.release is None and claim.mechanism.vacuity(claim) is None


def require_about(
    statement: AnyStatement, held: Sequence[tuple[str, ClaimFile | Released | None]]
) -> None:
    """Raise SubjectError unless what its subjects hold goes together.

    A release has to look as the claim lets it look, and each claim file that is given beside it.
    """
    released = [(name, one) for name, one in held if isinstance(one, Released)]
    if not isinstance(statement, ClaimStatement) or not released:
        return
    claim = claim_of(statement.predicate.claim)
    files = [file for _, file in held if isinstance(file, ClaimFile)]
    for name, one in released:
        if claim_in_release(one) != statement.predicate.claim:
            raise SubjectError(f"{name} is a release under another claim")
        _require_look(one, name, claim, files)


def _require_look(released: Released, name: str, claim: Claim, files: Sequence[ClaimFile]) -> None:
    """Raise SubjectError unless a release looks as its claim, and its claim files, let it look."""
    try:
        layout = require_possible(released, claim, name)
        for file in files:
            if (settings := file.settings) is not None:
                public, grid = file.public(settings)
                require_laid_out(layout, public, name, file.name)
                _require_grid(released, grid, name, file.name)
    except InputError as error:
        raise SubjectError(f"{error}; the mechanism cannot have released this") from None


def _require_grid(released: Released, grid: str, name: str, said: str) -> None:
    if released.grid != grid:
        raise InputError(f"{name} has another grid than {said} asks for")
