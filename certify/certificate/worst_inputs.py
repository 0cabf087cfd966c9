"""The worst cases of certificates, for the file of inputs that campaigns replay first.

``python -m simplexcert.certify.certificate.worst_inputs CERT.json ...`` adds them to it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ...reference.errors import InputError
from ...reference.exact import read_file
from ..search.hunt import grown, kept_table, write_table
from .models import ClaimStatement
from .models_papers import PapersStatement
from .reading import read_statement


def worst_of_certificate(path: str | Path) -> list[tuple[str, dict[str, Any]]]:
    """Return each check's quantity and the parameters of its worst case.

    The certificate need not check: what is kept is where to look. Raises InputError if it cannot be
    read.
    """
    statement = read_statement(read_file(path), str(path))
    if isinstance(statement, ClaimStatement):
        raise InputError(f"{path} is the certificate of a release: no backend answered there")
    if isinstance(statement, PapersStatement):
        raise InputError(f"{path} is the certificate of the register: no backend answered there")
    worst = [(check.quantity, check.worst) for check in statement.predicate.checks]
    return [(name, dict(case.parameters)) for name, case in worst if case is not None]


def main(certificates: Iterable[str]) -> None:
    """Add the worst cases of certificates to the file."""
    table = kept_table()
    for path in certificates:
        table = grown(table, worst_of_certificate(path))
    write_table(table)


if __name__ == "__main__":
    main(sys.argv[1:])
