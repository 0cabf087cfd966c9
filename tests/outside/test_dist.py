"""What is released: the same commit gives the same bytes, wherever and whoever builds it."""

from __future__ import annotations

import json
import shlex
import shutil
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from outside_project import ROOT, Environment, shell


def built_in(folder: Path, umask: str) -> dict[str, Path]:
    """Clone the commit into a folder, build what is released there, and return it by its kind."""
    clone = f"git clone --quiet --no-hardlinks {shlex.quote(str(ROOT))} {shlex.quote(str(folder))}"
    build = f"{shlex.quote(sys.executable)} {shlex.quote(str(folder / '.ci' / 'dist.py'))}"
    done = shell(f"umask {umask} && {clone} && {build}", folder.parent)
    assert done.code == 0, done
    paths = [folder / line for line in done.out.splitlines()]
    assert sorted(paths) == sorted((folder / "dist").iterdir())
    return {path.suffix: path for path in paths}


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return built_in(tmp_path_factory.mktemp("one") / "clone", "0022")


def test_two_clones_at_other_paths_with_other_umasks_build_the_same_bytes(
    dist: dict[str, Path], tmp_path: Path
) -> None:
    for kind, path in built_in(tmp_path / "a clone elsewhere", "0077").items():
        assert (path.name, path.read_bytes()) == (dist[kind].name, dist[kind].read_bytes())


def test_the_wheel_made_from_the_released_sources_holds_what_ours_does(
    dist: dict[str, Path], environment: Environment
) -> None:
    ours, theirs = (zipfile.ZipFile(path).namelist() for path in (environment.wheel, dist[".whl"]))
    assert sorted(ours) == sorted(theirs)


def test_the_released_sources_are_no_ones_and_of_one_time(dist: dict[str, Path]) -> None:
    with tarfile.open(dist[".gz"]) as archive:
        members = archive.getmembers()
    assert len({member.mtime for member in members}) == 1
    assert {(m.uid, m.gid, m.uname, m.gname) for m in members} == {(0, 0, "", "")}
    assert {oct(m.mode) for m in members if m.isfile()} == {"0o644"}


def test_the_bill_of_materials_names_what_the_core_takes_with_its_hashes(
    dist: dict[str, Path],
) -> None:
    bill = json.loads(dist[".json"].read_bytes())
    pinned = (ROOT / ".ci" / "core.txt").read_text(encoding="utf-8")
    assert bill["bomFormat"] == "CycloneDX"
    assert bill["metadata"]["component"]["name"] == "simplexcert"
    named = {(one["name"], one["version"]) for one in bill["components"]}
    assert named == {tuple(x.split()[0].split("==")) for x in pinned.splitlines() if "==" in x}
    for one in bill["components"]:
        assert any(found["hashes"] for found in one["externalReferences"])


def engine() -> str | None:
    """Return what builds and runs containers here, if anything does."""
    for name in ("podman", "docker"):
        if shutil.which(name) and shell(f"{name} info", ROOT).code == 0:
            return name
    return None


def test_the_container_certifies_without_a_network() -> None:
    found = engine()
    if found is None:
        pytest.skip("neither podman nor docker runs here")
    built = shell(f"{found} build -q -f .ci/Containerfile -t simplexcert-tried .", ROOT)
    assert built.code == 0, built
    limits = "--network=none --read-only --tmpfs /tmp --cap-drop=all"
    asked = "certify --quantities dirichlet.utility.variance --cases 4"
    done = shell(f"{found} run --rm {limits} simplexcert-tried {asked}", ROOT)
    assert done.out.startswith("CERTIFIED"), done
