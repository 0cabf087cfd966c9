"""A release that was made with its certificate, and the same with something changed afterwards."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import rfc8785
from private_data import given
from simplexcert.certify import Verdict, draw_release, verify

Table = dict[str, Any]
Change = Callable[[Table], object]


class Case:
    """A release, its claim file and its certificate, in a folder."""

    def __init__(
        self, folder: Path, mechanism: str, seed: int | None = None, **changes: str
    ) -> None:
        folder.mkdir()
        self.claim, data = given(folder, mechanism, **changes)
        self.out, self.certificate = folder / "release.json", folder / "certificate.json"
        draw_release(self.claim, data, out=self.out, certificate=self.certificate, seed=seed)
        self.statement: Table = json.loads(self.certificate.read_bytes())
        self.released: Table = json.loads(self.out.read_bytes())

    def verdict(self, statement: Table, folder: Path, *subjects: Path) -> Verdict:
        file = folder / "changed.json"
        file.write_bytes(rfc8785.dumps(statement))
        return verify(file, subject=subjects).verdict

    def with_release(self, change: Change, folder: Path, *, digest: bool) -> tuple[Table, Path]:
        """Return the certificate, and a file with a changed release, of the stated digest or so."""
        released, statement = copy.deepcopy(self.released), copy.deepcopy(self.statement)
        change(released)
        file = folder / "other.json"
        file.write_bytes(rfc8785.dumps(released))
        if digest:
            new = {"sha256": sha256(file.read_bytes()).hexdigest()}
            old = statement["predicate"]["release"]["file"]["digest"]
            for subject in statement["subject"]:
                if subject["digest"] == old:
                    subject["digest"] = new
            statement["predicate"]["release"]["file"]["digest"] = new
            statement["predicate"]["release"]["protected"] = released.get("protected")
        return statement, file

    def with_claim(self, text: str, folder: Path) -> tuple[Table, Path]:
        """Return the certificate as if it were about a claim file of this text, and that file."""
        file = folder / "claim.toml"
        file.write_text(text, encoding="utf-8")
        digests = [sha256(one.read_bytes()).hexdigest() for one in (self.claim, file)]
        return json.loads(json.dumps(self.statement).replace(*digests)), file
