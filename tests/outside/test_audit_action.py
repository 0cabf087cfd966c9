"""The audit's composite action, its own step run as a runner would, outside this repository."""

from __future__ import annotations

import json
from pathlib import Path

from outside_project import AUDIT_ACTION, Environment, action_steps

SOUND, FALSE = "example:benvenuti2025-grades", "example:fallin2023-three-rows"


def test_the_action_ends_as_the_worst_claim_deserves(
    environment: Environment, tmp_path: Path
) -> None:
    (audit,) = [step for step in action_steps(AUDIT_ACTION) if step["name"] == "Audit"]
    done = environment.shell(
        f"set -eo pipefail; {audit['run']}",
        tmp_path,
        CLAIMS=f"{SOUND}\n{FALSE}",
        STRICT="false",
        SECONDS_EACH="60",
        OUT="found",
        GITHUB_OUTPUT=str(tmp_path / "output"),
    )
    assert done.code == 1, done
    assert "CERTIFIED" in done.out
    assert (tmp_path / "output").read_text(encoding="utf-8") == "exit-code=1\n"
    found = tmp_path / "found" / "2-example_fallin2023-three-rows.json"
    assert json.loads(found.read_bytes())["predicate"]["verdict"] == "refuted"
    assert found.with_suffix(".html").is_file()


def test_the_wheel_holds_both_actions(environment: Environment, tmp_path: Path) -> None:
    listed = environment.shell(f"python -m zipfile -l '{environment.wheel}'", tmp_path)
    for name in ("action", "audit-action"):
        assert f"simplexcert/certify/ci/{name}/action.yml" in listed.out
