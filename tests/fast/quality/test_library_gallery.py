"""Textbook code on common libraries is judged as recorded, and what is refuted is wrong.

That it is wrong is worked out without our engines. Here the libraries that are quick and always
here; the others, some of which are programs, are for tests/long.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from each import each
from simplexcert.certify import certify_backend
from simplexcert.certify.backends.loading import load_backend
from simplexcert.certify.backends.program import stop_programs
from simplexcert.certify.campaign import CheckResult
from simplexcert.certify.checks.judgement import AGAINST_THE_TRUTH
from simplexcert.certify.verdict import Verdict
from site_pages import OWN

# A backend is found as a user's would be, by the name of its module.
sys.path.insert(0, str(Path(__file__).parent))

from library_gallery import (
    IN_GATE,
    LIBRARIES,
    WITNESSES,
    Library,
    NotHereError,
    is_cheap,
    is_wrong,
    rows_of_domains,
    rows_of_verdicts,
    true_text,
)

CASES, SCREEN = 25, 100
PAGE = OWN / "libraries.md"


@pytest.fixture(autouse=True)
def nothing_kept(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Leave the search to itself; points are drawn by the number alone, warnings not raised."""
    monkeypatch.setattr("simplexcert.certify.campaign.batches.kept_points", lambda _: ())
    monkeypatch.setattr(
        "simplexcert.certify.campaign.run.campaign_seed",
        lambda _subjects, _version, _names, seed, _domains: f"libraries/{seed}",
    )
    with np.errstate(all="ignore"):
        yield
    stop_programs()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return where programs are compiled, each once."""
    return tmp_path_factory.mktemp("programs")


def found_at(library: Library, folder: Path, *, within: bool) -> str:
    """Return how a library's backend is found, or skip the test where the library is not here."""
    try:
        return library.where(folder, within=within)
    except NotHereError as error:
        pytest.skip(str(error))


def verdicts_of(where: str, cases: int, screen: int) -> dict[str, Verdict]:
    """Return the verdict on each quantity by its truth; each that is refuted is confirmed.

    Laws between answers fail only where the answers themselves do.
    """
    checks = certify_backend(where, cases=cases, screen=screen).checks
    asked = [check for check in checks if check.cases]
    found = {one.quantity: one.verdict for one in asked if one.check in AGAINST_THE_TRUTH}
    for check in asked:
        if check.check not in AGAINST_THE_TRUTH:
            assert check.verdict in {Verdict.CERTIFIED, found[check.quantity]}, check
        elif check.verdict is Verdict.REFUTED:
            require_confirmed(check)
    return found


def require_confirmed(check: CheckResult) -> None:
    """Require that the second engine agrees and, where that is cheap, mpmath at many digits."""
    worst = check.worst
    assert worst is not None
    assert check.second == "overlaps", check
    if is_cheap(worst.quantity, worst.parameters):
        answer = float.fromhex(worst.value)
        assert is_wrong(worst.quantity, worst.parameters, answer, worst.entry), check


def require_recorded(
    library: Library, folder: Path, cases: int = CASES, screen: int = SCREEN
) -> None:
    """Require the recorded verdicts on all of the domains, and certified ones on the declared.

    The latter with few cases: points of a declared domain may be long to find.
    """
    if library.asked(within=False):
        found = verdicts_of(found_at(library, folder, within=False), cases, screen)
        refuted = {name for name, verdict in found.items() if verdict is Verdict.REFUTED}
        assert refuted == set(library.answered)
        assert set(found.values()) <= {Verdict.REFUTED, Verdict.CERTIFIED}
        assert set(found) == set(library.asked(within=False))
    within = library.asked(within=True)
    if within:
        found = verdicts_of(found_at(library, folder, within=True), CASES, SCREEN)
        assert found == dict.fromkeys(within, Verdict.CERTIFIED)


def require_wrong_at_witnesses(library: Library, folder: Path) -> None:
    """Require that what is recorded is wrong, and so is what is answered now, at each witness."""
    backend = load_backend(found_at(library, folder, within=False)).backend
    for name, recorded in library.answered.items():
        witness = WITNESSES[name]
        answer = backend.quantities[name](**witness.parameters)
        for place in witness.entry:
            answer = answer[place - 1]
        assert is_wrong(name, witness.parameters, recorded, witness.entry), name
        assert is_wrong(name, witness.parameters, answer, witness.entry), name


@pytest.mark.parametrize("library", IN_GATE, ids=lambda library: library.name)
def test_a_librarys_verdicts_are_those_recorded(library: Library, folder: Path) -> None:
    require_recorded(library, folder)


@pytest.mark.parametrize(
    "library", [one for one in IN_GATE if one.answered], ids=lambda library: library.name
)
def test_a_library_is_wrong_at_the_recorded_points(library: Library, folder: Path) -> None:
    require_wrong_at_witnesses(library, folder)


@each(sorted(WITNESSES))
def test_a_recorded_truth_is_that_of_many_digits(name: str) -> None:
    witness = WITNESSES[name]
    assert true_text(name, witness.parameters, witness.entry) == witness.true


def test_every_witness_refutes_some_library() -> None:
    assert {name for library in LIBRARIES for name in library.answered} == set(WITNESSES)


def test_the_page_of_libraries_shows_the_records() -> None:
    rows = re.findall(r"^\| (?!library|quantity|-).*\|$", PAGE.read_text("utf-8"), re.MULTILINE)
    expected = [*rows_of_verdicts(LIBRARIES), *rows_of_domains(LIBRARIES)]
    assert rows == expected, "\n".join(expected)
