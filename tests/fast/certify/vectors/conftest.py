"""A folder of vectors, written once, and its files as a consumer reads them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from simplexcert.certify.vectors.writing import write_vectors

# Each safe side; a number, a vector and a matrix as the answer; vectors, laws, tables, words and
# chains as parameters; joint conditions, infinite truths, and a second engine that is not rigorous.
WRITTEN = (
    "dirichlet.counts.epsilon_bound",
    "dirichlet.matrix.epsilon_bound",
    "dirichlet.profile.largest_order",
    "dirichlet.profile.renyi",
    "dirichlet.profile.total_variation",
    "dirichlet.tail.uniform",
    "dirichlet.utility.expected_kl",
    "markov.fundamental",
    "markov.fundamental_norm",
    "markov.stationary",
    "pufferfish.max_divergence",
    "pufferfish.quilt_scale_exact",
)
CASES = 36


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for each quantity, for a glob has no alternatives."""
    everything = tmp_path_factory.mktemp("vectors")
    for name in WRITTEN:
        write_vectors(everything / name, pattern=name, cases=CASES)
    return everything


@pytest.fixture(scope="session")
def files(folder: Path) -> dict[str, Any]:
    return {name: json.loads((folder / name / f"{name}.json").read_bytes()) for name in WRITTEN}
