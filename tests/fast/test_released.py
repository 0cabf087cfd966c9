"""What a release is made by and cited as: workflows, the container, the citation."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from simplexcert.certify.papers.statement import PAPERS

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
ACTIONS = sorted((ROOT / "certify" / "ci").glob("*/action.yml"))
CONTAINER = ROOT / ".ci" / "Containerfile"
PROTOCOL = ROOT / "certify" / "backends" / "PROTOCOL.md"


def workflow(name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load(
        (ROOT / ".github" / "workflows" / f"{name}.yml").read_text(encoding="utf-8")
    )
    return loaded


@pytest.mark.parametrize("path", [*WORKFLOWS, *ACTIONS], ids=lambda path: path.parent.name)
def test_every_action_is_named_by_its_commit_with_its_version_beside_it(path: Path) -> None:
    used = re.findall(r"uses: (.+)", path.read_text(encoding="utf-8"))
    assert used
    for each in used:
        assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", each), each


def test_one_commit_of_an_action_is_used_everywhere() -> None:
    used: dict[str, set[str]] = {}
    for path in [*WORKFLOWS, *ACTIONS]:
        for name, commit in re.findall(r"uses: (\S+)@(.+)", path.read_text(encoding="utf-8")):
            used.setdefault(name, set()).add(commit)
    assert {name: len(commits) for name, commits in used.items()} == dict.fromkeys(used, 1)


def test_no_workflow_may_write_but_where_it_signs_and_none_keeps_a_credential() -> None:
    for path in WORKFLOWS:
        found = workflow(path.stem)
        assert found["permissions"] in ({}, {"contents": "read"}), path
        for job in found["jobs"].values():
            writes = {key for key, may in job.get("permissions", {}).items() if may == "write"}
            assert writes <= {"id-token", "attestations"}, path
            for step in job["steps"]:
                if step.get("uses", "").startswith("actions/checkout@"):
                    assert step["with"]["persist-credentials"] is False, path


def test_what_is_published_was_built_and_attested_in_another_job() -> None:
    jobs = workflow("release")["jobs"]
    built = [step.get("run") or step["uses"].partition("@")[0] for step in jobs["build"]["steps"]]
    assert built.index("make dist") < built.index("actions/attest-build-provenance")
    assert jobs["publish"]["needs"] == "build"
    assert jobs["publish"]["permissions"] == {"id-token": "write"}
    # Nothing is checked out or run there: the job that may publish has what was built, alone.
    taken = [step["uses"].partition("@")[0] for step in jobs["publish"]["steps"]]
    assert taken == ["actions/download-artifact", "pypa/gh-action-pypi-publish"]


def instructions() -> list[tuple[str, str]]:
    text = CONTAINER.read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [(word, rest) for word, _, rest in (line.partition(" ") for line in lines)]


def test_the_container_is_of_one_release_and_ends_as_nobody() -> None:
    found = instructions()
    (base,) = [rest for word, rest in found if word == "FROM"]
    assert re.fullmatch(r"python:3\.\d+-slim-[a-z]+(@sha256:[0-9a-f]{64})?", base)
    assert [rest for word, rest in found if word == "USER"] == ["65534:65534"]
    assert [word for word, _ in found][-4:] == ["USER", "WORKDIR", "ENTRYPOINT", "CMD"]
    for rest in (rest for word, rest in found if word == "RUN"):
        assert "--require-hashes" in rest or "--no-build-isolation" in rest


def test_the_container_copies_what_there_is_and_all_that_is_installed() -> None:
    copied = {name for word, rest in instructions() if word == "COPY" for name in rest.split()[:-1]}
    assert [name for name in copied if not (ROOT / name).exists()] == []
    listed = PROJECT["tool"]["setuptools"]["package-dir"].values()
    tops = {Path(folder).parts[0] for folder in listed}
    assert {*tops, PROJECT["project"]["readme"], "LICENSE", "pyproject.toml"} <= copied


def test_the_container_is_run_without_a_network_and_without_rights() -> None:
    (line,) = re.findall(r"^podman run (?:.*\\\n)*.*", PROTOCOL.read_text("utf-8"), re.MULTILINE)
    assert {"--network=none", "--read-only", "--cap-drop=all", "--pids-limit=1000"} <= {
        *line.replace("\\\n", " ").split()
    }


def test_the_citation_is_of_this_version_and_names_the_five_papers() -> None:
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert cited["cff-version"] == "1.2.0"
    assert (cited["version"], cited["license"]) == (
        PROJECT["project"]["version"], PROJECT["project"]["license"],
    )  # fmt: skip
    assert cited["authors"] == [{"name": "the simplexcert authors"}]
    keys = {
        f"{paper['authors'][0]['family-names'].lower()}{paper['year']}"
        for paper in cited["references"]
    }
    assert keys == set(PAPERS)
