"""The site, built once as `make site` builds it."""

from __future__ import annotations

import subprocess
import sys

import pytest
from site_pages import CONFIG, Site

SECONDS = 120


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "-f", CONFIG, "-d", folder],
        capture_output=True,
        text=True,
        check=False,
        timeout=SECONDS,
    )
    return Site(folder, done.returncode, done.stderr + done.stdout)
