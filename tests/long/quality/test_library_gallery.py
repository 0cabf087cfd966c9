"""The other libraries of the gallery: linear algebra, and programs in C, C++ and R."""

from __future__ import annotations

from pathlib import Path

import pytest
from fast.quality.test_library_gallery import (
    IN_GATE,
    LIBRARIES,
    Library,
    folder,
    nothing_kept,
    require_recorded,
    require_wrong_at_witnesses,
)

__all__ = ["folder", "nothing_kept"]

CASES, SCREEN = 100, 400
OTHERS = [library for library in LIBRARIES if library not in IN_GATE]


@pytest.mark.parametrize("library", OTHERS, ids=lambda library: library.name)
def test_every_other_librarys_verdicts_are_those_recorded(library: Library, folder: Path) -> None:
    require_recorded(library, folder, CASES, SCREEN)


@pytest.mark.parametrize(
    "library", [one for one in OTHERS if one.answered], ids=lambda library: library.name
)
def test_every_other_library_is_wrong_at_the_recorded_points(
    library: Library, folder: Path
) -> None:
    require_wrong_at_witnesses(library, folder)
