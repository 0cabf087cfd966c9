"""One environment for all tests of a project outside this repository."""

from __future__ import annotations

import pytest
from outside_project import Environment, environment_in


@pytest.fixture(scope="session")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    return environment_in(tmp_path_factory.mktemp("outside"))
