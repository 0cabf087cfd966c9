"""What a report is made from: a certificate's bytes, and what was found when they were checked."""

from __future__ import annotations

import base64
import hashlib
import shlex
from dataclasses import dataclass
from pathlib import PurePath

from ...verdict import Verdict

# A larger certificate is not put into its own report.
_MOST_CARRIED = 512 * 1024


@dataclass(frozen=True)
class Origin:
    """The bytes of a certificate, envelope and all, and how it stands.

    ``keyids`` are the fingerprints of the keys that are said to have signed it. ``verdict`` is what
    checking it came to, or what was just found where it is new. ``again`` says that it was checked
    once more for this report.
    """

    content: bytes
    name: str
    keyids: tuple[str, ...]
    verdict: Verdict
    again: bool

    @property
    def file(self) -> str:
        """The file's name without the folders that it lies in."""
        return PurePath(self.name).name or "certificate.json"

    @property
    def sha256(self) -> str:
        """The digest of the file."""
        return hashlib.sha256(self.content).hexdigest()

    @property
    def carried(self) -> str | None:
        """The file in base64, to be saved from the report; None where it is too large."""
        if len(self.content) > _MOST_CARRIED:
            return None
        return base64.b64encode(self.content).decode()

    def commands(self, subjects: list[str]) -> list[str]:
        """Return the commands that check the certificate, for a POSIX shell."""
        file = self._quoted(self.file)
        check = [f"simplexcert verify {file}"]
        check += [f"--key PUBLIC.pem --fingerprint {keyid}" for keyid in self.keyids]
        if len(subjects) == 1:
            check.append(f"--subject {self._quoted(subjects[0])}")
        return [
            f"echo {self._quoted(f'{self.sha256}  {self.file}')} | sha256sum --check",
            " ".join(check),
        ]

    def _quoted(self, text: str) -> str:
        # A name that begins with a dash would be taken for an option.
        return shlex.quote(f"./{text}" if text.startswith("-") else text)
