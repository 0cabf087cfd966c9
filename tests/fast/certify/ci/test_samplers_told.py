"""A sampler that fails is told as a check of a quantity is: in lines, in JUnit, in SARIF."""

from __future__ import annotations

import json
import shlex
from xml.etree import ElementTree as ET

import jsonschema
from sarif_schema import PUBLISHED
from simplexcert.certify.ci.junit import junit_of
from simplexcert.certify.ci.outcomes import Outcome, exit_code_of
from simplexcert.certify.ci.sarif import sarif_of
from simplexcert.certify.ci.violations import Run, lines_about
from simplexcert.certify.ci.witnesses import Shown
from simplexcert.certify.cli.issuing import certify


def test_each_sampler_is_one_finding_and_fails_the_run(samplers: list[Shown]) -> None:
    parts = [shown.judged for shown in samplers]
    assert [part.finding.quantity for part in parts] == ["sampler.dirichlet", "sampler.laplace"]
    assert [part.finding.verdict.value for part in parts] == ["refuted", "error"]
    assert {part.outcome for part in parts} == {Outcome.FAILED}
    assert exit_code_of(parts) == 1


def test_the_line_has_the_parameters_and_the_test(samplers: list[Shown]) -> None:
    run = Run("mine:it", "mine", "1", 20, 7)
    line, reproduce = lines_about(run, samplers[0])
    assert line.startswith("VIOLATION quantity=sampler.dirichlet check=draws verdict=refuted ")
    assert ' params={"alpha":["0x1' in line
    worst = json.loads(line.partition(" worst=")[2])
    assert worst["verdict"] == "refuted"
    words = shlex.split(reproduce)
    assert words[1:5] == ["simplexcert", "certify", "mine:it", "--samplers"]
    options = {option for parameter in certify.params for option in parameter.opts}
    assert {word for word in words if word.startswith("--")} <= options
    (broken, _) = lines_about(run, samplers[1])
    assert broken.isascii()
    assert broken.isprintable()
    assert " reason=" in broken


def test_the_files_tell_it(run: Run, samplers: list[Shown]) -> None:
    failures = ET.fromstring(junit_of(run, samplers)).iter("failure")  # noqa: S314
    assert "passed the test" in str(next(failures).get("message"))
    log = json.loads(sarif_of(run, samplers, None, 1))
    jsonschema.validate(log, PUBLISHED)
    first = log["runs"][0]["results"][0]
    assert first["ruleId"] == "sampler.dirichlet/draws"
    assert first["properties"]["worst"]["draws"] > 0
