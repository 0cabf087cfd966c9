"""One environment for all tests of a project outside this repository, and one built site."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from outside_project import Environment, environment_in
from site_pages import CONFIG, Site

SECONDS = 300


@pytest.fixture(scope="session")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    return environment_in(tmp_path_factory.mktemp("outside"))


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """Build the site as `make site` builds it."""
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "-f", CONFIG, "-d", folder],
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=SECONDS,
    )
    return Site(folder, done.returncode, done.stderr + done.stdout)
