"""The corpus for accountants, worked out again to its last file."""

from __future__ import annotations

import json

import msgspec
import pytest
from simplexcert.certify.vectors.corpus import CORPUS, corpus_file, corpus_quantities

# Who wrote the files, and with which libraries: truths do not depend on it.
VERSIONS = ("generator", "engines")


@pytest.mark.parametrize("name", corpus_quantities())
def test_the_files_are_what_is_worked_out_again(name: str) -> None:
    kept = json.loads((CORPUS / f"{name}.json").read_bytes())
    found = msgspec.to_builtins(corpus_file(name))
    for version in VERSIONS:
        kept.pop(version)
        found.pop(version)
    assert found == kept
