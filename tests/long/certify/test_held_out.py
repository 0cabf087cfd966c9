"""A default campaign finds faults whose authors had not seen how points are sought.

They stand in held_out.toml and are looked at when the search has changed, not while it is changed:
what is fitted to them is held out no more.
"""

from __future__ import annotations

import importlib
import sys
import tomllib
from pathlib import Path

import pytest
from simplexcert.certify import certify_backend
from simplexcert.certify.verdict import Verdict, overall

SOURCES = tomllib.loads(
    Path(__file__).with_name("held_out.toml").read_text(encoding="utf-8"),
)
# Points that a usual campaign looks at.
SCREEN = 4000
# Of forty-four, so many at least.
FOUND = 42


def verdict_on(kind: str, name: str, folder: Path, seed: int) -> Verdict:
    # Its points follow from this name, too.
    module = f"fr_{kind}_{name}"
    (folder / f"{module}.py").write_text(SOURCES[kind][name]["source"], encoding="utf-8")
    answered = importlib.import_module(module).backend.quantities
    # A module that is imported would be called here, and not in a process of its own.
    del sys.modules[module]
    return overall(
        certify_backend(f"{module}:backend", quantities=each, screen=SCREEN, seed=seed).verdict
        for each in answered
    )


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_nearly_all_faults_are_found_by_a_usual_campaign(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    missed = [
        name
        for name in SOURCES["faulty"]
        if verdict_on("faulty", name, tmp_path, seed) not in (Verdict.REFUTED, Verdict.ERROR)
    ]
    assert len(SOURCES["faulty"]) - len(missed) >= FOUND, missed


@pytest.mark.parametrize("name", SOURCES["sound"])
def test_nothing_sound_is_refuted(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    # One answers that it is infinite at most of its points, and says too little to be certified.
    passes = (Verdict.CERTIFIED, Verdict.INAPPLICABLE)
    assert verdict_on("sound", name, tmp_path, 0) in passes
