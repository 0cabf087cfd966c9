"""Plans of Laplace releases of networks: the answers again, and every way to be refused."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from each import each_of
from noise_cases import DOWN, GRAPH, REST, STATES, UP, centres, column, noise, public
from simplexcert.reference.errors import InputError

OWN = [[UP, DOWN], ["zq_private_a", "zq_private_b"], ["zq_private_c", UP, REST]]


def test_a_histogram_counts_the_states_of_all_nodes(tmp_path: Path) -> None:
    plan = noise(GRAPH, tmp_path)
    assert (plan.names, plan.centres, plan.scalar) == (STATES, (1, 1, 1), False)
    relative = GRAPH.listing(query="relative histogram").where(lipschitz="2/3")
    assert centres(relative, tmp_path) == ["1/3"] * 3


def test_values_are_read_node_by_node(tmp_path: Path) -> None:
    case = GRAPH.listing(query=None).where(values=[[1, 2, 3], [10, 20, 30], [0, 200, 300]])
    plan = noise(case.where(lipschitz=300), tmp_path)
    assert (plan.names, plan.centres, plan.scalar) == (("answer",), (2 + 10 + 300,), True)


def test_weights_may_count_states_that_each_node_names_itself(tmp_path: Path) -> None:
    case = GRAPH.listing(query=None, weights=[[1, 0, "1/2"], [0, 0, 1]], states=OWN)
    found = case.of(column(DOWN, "zq_private_a", REST))
    assert centres(found, tmp_path) == ["3/2", "1"]
    strange = case.of(column(DOWN, UP, REST)).refusal(tmp_path)
    assert "line 3: no state of this node" in strange


def test_a_histogram_needs_states_that_all_nodes_share(tmp_path: Path) -> None:
    assert "one list" in GRAPH.listing(states=OWN).refusal(tmp_path)


def _possible(network: list[dict[str, Any]], at: tuple[int, ...]) -> bool:
    """Say again whether states are possible, with the row found by listing all of them."""
    for node, state in zip(network, at, strict=True):
        widths = [range(len(network[one - 1]["table"][0])) for one in node["parents"]]
        row = [*product(*widths)].index(tuple(at[one - 1] for one in node["parents"]))
        if not Fraction(node["table"][row][state]):
            return False
    return True


def test_just_what_is_impossible_under_the_network_is_refused(tmp_path: Path) -> None:
    (network,) = GRAPH.release["networks"]
    allowed = 0
    for at in product(range(2), range(2), range(3)):
        case = GRAPH.of(column(*(STATES[one] for one in at)))
        if _possible(network, at):
            assert sum(noise(case, tmp_path).centres) == 3
            allowed += 1
        else:
            assert "no network of the class allows" in case.refusal(tmp_path)
    assert allowed == 5


def test_a_network_of_the_class_may_allow_what_another_one_does_not(tmp_path: Path) -> None:
    sure = [{"parents": [], "table": [[0, 1, 0]]}] * 3
    case = GRAPH.of(column(DOWN, DOWN, DOWN))
    assert "no network" in case.refusal(tmp_path)
    either = case.where(networks=[*GRAPH.release["networks"], sure])
    assert noise(either, tmp_path).centres == (0, 3, 0)


def test_a_state_that_only_another_network_has_is_impossible_under_this_one(tmp_path: Path) -> None:
    wide = [{"parents": [], "table": [[0, "1/2", "1/2"]]}] * 3
    case = GRAPH.where(networks=[*GRAPH.release["networks"], wide]).of(column(REST, UP, UP))
    assert "no network" in case.refusal(tmp_path)
    assert noise(case.of(column(REST, DOWN, REST)), tmp_path).centres == (0, 1, 2)


def test_a_node_may_stand_before_its_parents(tmp_path: Path) -> None:
    child = {"parents": [2], "table": [[1, 0], ["1/2", "1/2"]]}
    small = [child, {"parents": [], "table": [["1/2", "1/2"]]}]
    wide = [{"parents": [], "table": [[0, 0, 1]]}, {"parents": [], "table": [[1, 0, 0]]}]
    case = GRAPH.where(networks=[small, wide])
    assert noise(case.of(column(DOWN, DOWN)), tmp_path).centres == (0, 2, 0)
    assert noise(case.of(column(REST, UP)), tmp_path).centres == (1, 0, 1)
    for states in ((DOWN, UP), (UP, REST), (REST, REST)):
        assert "no network" in case.of(column(*states)).refusal(tmp_path)


@pytest.mark.parametrize("states", [(DOWN, UP), (DOWN, UP, REST, UP)])
def test_the_file_has_a_line_for_each_node(tmp_path: Path, states: tuple[str, ...]) -> None:
    assert "does not have 3 lines" in GRAPH.of(column(*states)).refusal(tmp_path)


def test_a_state_that_the_node_lacks_is_refused_by_its_line(tmp_path: Path) -> None:
    assert "line 2: no state of this node" in GRAPH.of(column(REST, UP, UP)).refusal(tmp_path)
    assert "line 4: no state of this node" in GRAPH.of(column(UP, UP, "zq")).refusal(tmp_path)


def test_networks_with_different_numbers_of_nodes_are_refused(tmp_path: Path) -> None:
    one = [{"parents": [], "table": [["1/2", "1/2"]]}]
    case = GRAPH.where(networks=[*GRAPH.release["networks"], one])
    assert "different numbers of nodes" in case.refusal(tmp_path)


@each_of(
    "states, said",
    [
        (None, "needs states"),
        ([UP, DOWN], "lists 2 names, but nodes have up to 3 states"),
        (OWN[:2], "has 2 lists, but there are 3 nodes"),
        ([*OWN[:2], [UP, DOWN]], "list 3 has 2 names, but node 3 has 3 states"),
        ([*OWN[:2], [UP, UP, DOWN]], "twice"),
        ([UP, [DOWN], REST], "lists names"),
        ([], "needs 1 or more"),
    ],
)
def test_the_claim_names_the_states_of_every_node(
    tmp_path: Path, states: object, said: str
) -> None:
    case = GRAPH.listing(states=states, query=None, weights=[[1, 0, 0]])
    with pytest.raises(InputError, match=said):
        noise(case, tmp_path)


def test_the_lipschitz_constant_covers_what_one_node_changes(tmp_path: Path) -> None:
    assert "changes by up to 2" in GRAPH.where(lipschitz="1.99").refusal(tmp_path)


def test_several_scales_are_refused(tmp_path: Path) -> None:
    release = {key: value for key, value in GRAPH.release.items() if key != "scale"}
    several = replace(GRAPH, release={**release, "scales": [1, 2]})
    assert "--ledger" in several.refusal(tmp_path)


def test_what_has_to_be_public_is_the_class_and_the_states() -> None:
    assert public(GRAPH) == ("class", "states")
