"""Data flows one way: no package imports, even inside a function, one that comes after it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest
import simplexcert.certify
import simplexcert.reference

CERTIFY = Path(simplexcert.certify.__path__[0])
REFERENCE = Path(simplexcert.reference.__path__[0])
# Each knows those before it alone; what stands on one line knows nothing of the others there.
STAGES = (
    {"verdict", "marks"},
    {"files"},
    {"points"},
    {"backends"},
    {"workers", "samplers", "search"},
    {"checks"},
    {"audits", "campaign"},
    {"certificate", "published"},
    {"report"},
    {"ci", "audited"},
    {"curves"},
    {"cli", "public"},
)


def imported(file: Path, root: Path) -> Iterator[str]:
    """Yield the full name of everything that a file imports, with dots, from simplexcert on."""
    here = ["simplexcert", root.name, *file.relative_to(root).parts[:-1]]
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = here[: len(here) + 1 - node.level] if node.level else []
            yield from (
                ".".join([*base, *filter(None, [node.module]), alias.name]) for alias in node.names
            )


def stage_of(file: Path) -> str:
    """Return the package, or the module beside the packages, that a file of certify belongs to."""
    return file.relative_to(CERTIFY).parts[0].removesuffix(".py")


@cache
def known_by() -> Mapping[str, set[str]]:
    """Return what each package of certify imports of the others."""
    prefix = ("simplexcert", "certify")
    stages = {stage_of(file) for file in CERTIFY.glob("**/*.py")} - {"__init__"}
    graph: dict[str, set[str]] = {stage: set() for stage in stages}
    for file in CERTIFY.glob("**/*.py"):
        if stage_of(file) in graph:
            for name in imported(file, CERTIFY):
                parts = name.split(".")
                if tuple(parts[:2]) == prefix and parts[2:3] and parts[2] in stages:
                    graph[stage_of(file)].add(parts[2])
    return {stage: known - {stage} for stage, known in graph.items()}


def circle_in(graph: Mapping[str, set[str]]) -> list[str]:
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_packages_know_each_other_in_one_direction() -> None:
    assert circle_in(known_by()) == []


@pytest.mark.parametrize("again", [("backends", "checks"), ("search", "certificate")])
def test_a_circle_would_be_found(again: tuple[str, str]) -> None:
    graph = known_by()
    one, other = again
    assert {one, other} <= set(circle_in({**graph, one: graph[one] | {other}}))


def test_no_stage_knows_a_later_one() -> None:
    graph, before = known_by(), set[str]()
    listed = set[str]().union(*STAGES)
    assert listed <= graph.keys()
    for stages in STAGES:
        for stage in stages:
            assert graph[stage] & listed <= before, stage
        before |= stages


def test_the_reference_knows_nothing_of_who_is_certified() -> None:
    for file in REFERENCE.glob("**/*.py"):
        for name in imported(file, REFERENCE):
            assert not f"{name}.".startswith("simplexcert.certify."), file
