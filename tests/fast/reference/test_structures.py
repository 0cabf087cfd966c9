"""Chains, networks, matrices and laws on the line: read from anything, refused by their place."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple, get_args

import numpy as np
import pytest
from each import each_of
from simplexcert.reference import domain
from simplexcert.reference.domain import Domain
from simplexcert.reference.domain.matrices import MAX_LAWS, MAX_STATES
from simplexcert.reference.domain.structures import (
    MAX_ATOMS,
    MAX_CHAINS,
    MAX_NETWORKS,
    MAX_NODES,
    MAX_TABLE_ROWS,
    cycle_among,
)
from simplexcert.reference.errors import InputError, UnknownNameError
from simplexcert.reference.exact import exact_json, exact_text, parse_json, shown
from simplexcert.reference.structures import STARTS, ChainLaw, LineLaw, NetworkNode

NAMES = (
    "CHAINS", "INDEX_SET", "INDEX_SETS", "INITIAL", "LAWS", "LINE_LAW", "NETWORK", "NETWORKS",
    "NUMBERS", "PAIRS", "STOCHASTIC", "VALUES", "WHOLE_NUMBERS")  # fmt: skip
KINDS: dict[str, Domain] = {name: get_args(getattr(domain, name))[1] for name in NAMES}
HALF, ONE, ZERO = Fraction(1, 2), Fraction(1), Fraction(0)
P = ((HALF, HALF), (Fraction(9, 10), Fraction(1, 10)))
COINS = ((HALF, HALF),)
CHAIN = ChainLaw("stationary", P)
NODES = (NetworkNode((), COINS), NetworkNode((1,), P))
VALUES: dict[str, tuple[Any, ...]] = {
    "CHAINS": ((CHAIN,), (CHAIN, ChainLaw((ZERO, ONE), P), ChainLaw("any", P))),
    "INDEX_SET": ((), (3, 1)),
    "INDEX_SETS": (((1, 3), (2,)), ((2,), (2,))),
    "INITIAL": (*STARTS, (HALF, HALF), (ONE, ZERO, ZERO)),
    "LAWS": (((HALF, HALF), (ONE, ZERO)), ((ONE,),)),
    "LINE_LAW": (LineLaw((ONE, -HALF), (HALF, HALF)), LineLaw((HALF,), (ONE,))),
    "NETWORK": (NODES, (NetworkNode((2,), P), NetworkNode((), COINS))),
    "NETWORKS": ((NODES, (NetworkNode((), ((ONE,),)),)),),
    "NUMBERS": ((-HALF, ZERO),),
    "PAIRS": (((1, 3), (2, 1)),),
    "STOCHASTIC": (P, ((ZERO, ONE, ZERO), (ONE, ZERO, ZERO), (ZERO, ZERO, ONE))),
    "VALUES": (((-HALF, ZERO),), ((ONE,), (HALF,))),
    "WHOLE_NUMBERS": ((7, 1, 7),),
}  # fmt: skip
ALL = [(name, value) for name, values in VALUES.items() for value in values]


def test_every_kind_has_values_here() -> None:
    assert sorted(VALUES) == sorted(NAMES)


@each_of("name, value", ALL)
def test_what_lies_in_the_domain_is_read_back_from_its_json(name: str, value: Any) -> None:
    kind = KINDS[name]
    text = json.dumps(exact_json(value))
    for given in (value, exact_json(value), parse_json(text), value if value in STARTS else text):
        assert kind.read("it", given) == value
    assert types_of(kind.read("it", exact_json(value))) == types_of(value)
    assert kind.stray("it", value) == ""
    assert kind.admits(value)
    assert kind.search
    assert kind.describe("it")


def types_of(value: Any) -> Any:
    return (type(value), *map(types_of, value)) if isinstance(value, tuple) else type(value)


class Chain(NamedTuple):
    P: Any
    initial: Any


@each_of(
    "name, given, value",
    [
        ("STOCHASTIC", np.array([[0.5, 0.5], [0.0, 1.0]]), ((HALF, HALF), (ZERO, ONE))),
        ("STOCHASTIC", np.eye(2, dtype=int), ((ONE, ZERO), (ZERO, ONE))),
        ("CHAINS", [{"initial": np.array([0, 1]), "P": [["1/2", 0.5], np.array([0, 1])]}],
         (ChainLaw((ZERO, ONE), ((HALF, HALF), (ZERO, ONE))),)),
        ("CHAINS", [Chain(np.eye(2), " any ")], (ChainLaw("any", ((ONE, ZERO), (ZERO, ONE))),)),
        ("CHAINS", '[{"initial": "stationary", "P": [["1/2", "1/2"], [0.9, 0.1]]}]', (CHAIN,)),
        ("LINE_LAW", {"points": np.arange(2), "mass": [0.5, "0.5"]},
         LineLaw((ZERO, ONE), (HALF, HALF))),
        ("LINE_LAW", ' {"points": [1], "mass": [1]}', LineLaw((ONE,), (ONE,))),
        ("NETWORK", [{"parents": np.array([], dtype=int), "table": np.array([[0.5, 0.5]])}],
         (NetworkNode((), COINS),)),
        ("INDEX_SETS", [np.array([1, 3]), [2.0]], ((1, 3), (2,))),
        ("WHOLE_NUMBERS", np.array([3.0, 4.0]), (3, 4)),
        ("INDEX_SET", [], ()),
    ],
)  # fmt: skip
def test_arrays_objects_and_named_tuples_are_read(name: str, given: object, value: object) -> None:
    assert KINDS[name].read("it", given) == value
    assert types_of(KINDS[name].read("it", given)) == types_of(value)


def node(parents: object = (), *rows: object) -> dict[str, object]:
    return {"parents": list(parents) if isinstance(parents, tuple) else parents, "table": rows}


MALFORMED = [
    ("CHAINS", 3, "chains: 3 is not a list of chains such as"),
    ("CHAINS", [], "chains: the list is empty; it holds chains such as"),
    ("CHAINS", {"initial": "any", "P": [[1]]}, "is not a list of chains"),
    ("CHAINS", "[{}", "it is not JSON"),
    ("CHAINS", [CHAIN, [1, 2]], r"it, chain 2: \[1, 2\] is not an object \{initial, P\}"),
    ("CHAINS", [(CHAIN.initial, P)], "is not an object"),
    ("CHAINS", [{"P": P}], r"it, chain 1 lacks initial; it is an object \{initial, P\}"),
    ("CHAINS", [{}], "it, chain 1 lacks initial, P"),
    ("CHAINS", [{"initial": "any", "P": 3}], "it, chain 1, P: 3 is not a list of rows"),
    ("CHAINS", [{"initial": "any", "P": [[1, 0], []]}], "it, chain 1, P, row 2: the list is empty"),
    ("CHAINS", [{"initial": "any", "P": [[1, "x"]]}], "it, chain 1, P, row 1, entry 2: 'x' is not"),
    ("CHAINS", [{"initial": "any", "P": [[1, float("nan")]]}], "entry 2: nan is not a finite"),
    ("CHAINS", [{"initial": 3, "P": P}], "it, chain 1, initial: 3 is not a list of numbers"),
    ("CHAINS", [{"initial": [1, None], "P": P}], "it, chain 1, initial, entry 2: None is not"),
    ("INITIAL", "", "it: '' is not a list of numbers"),
    ("INITIAL", "[1", "it is not JSON"),
    ("LINE_LAW", [0, 1], r"it: \[0, 1\] is not an object \{points, mass\}"),
    ("LINE_LAW", {"points": [0]}, "it lacks mass"),
    ("LINE_LAW", {"points": [], "mass": [1]}, "it, points: the list is empty"),
    ("LINE_LAW", {"points": [0], "mass": [[1]]}, "it, mass, entry 1: .* is not a number"),
    ("LAWS", [["1/0"]], "it, law 1, entry 1: a fraction with denominator 0"),
    ("VALUES", [1], "it, row 1: 1 is not a list of numbers"),
    ("WHOLE_NUMBERS", [1, 2.5], "it, entry 2: 2.5 is not a whole number"),
    ("WHOLE_NUMBERS", [], "it: the list is empty; it holds integers"),
    ("INDEX_SETS", [[1], [1.5]], "it, set 2, entry 1: 1.5 is not a whole number"),
    ("INDEX_SETS", [[1], []], "it, set 2: the list is empty"),
    ("PAIRS", [1], "it, pair 1: 1 is not a list of integers"),
    ("NETWORK", [{"table": [[1]]}], "it, node 1 lacks parents; it is an object"),
    ("NETWORK", [node((), [1]), node((1.5,), [1])], "it, node 2, parents, entry 1: 1.5 is not"),
    ("NETWORK", [node(3, [1])], "it, node 1, parents: 3 is not a list of integers"),
    ("NETWORK", [node(())], "it, node 1, table: the list is empty"),
    ("NETWORKS", [[node((), [1])], 3], "it, network 2: 3 is not a list of nodes"),
    ("NETWORKS", [[]], "it, network 1: the list is empty"),
]  # fmt: skip


@each_of("name, given, sentence", MALFORMED)
def test_what_is_malformed_is_answered_with_its_place(
    name: str, given: object, sentence: str
) -> None:
    with pytest.raises(InputError, match=sentence.replace("chains: ", "it: ", 1)):
        KINDS[name].read("it", given)


@each_of(
    "name, given, sentence",
    [
        ("CHAINS", [{"inital": "any", "P": P}],
         r"unknown key of it, chain 1 'inital'; did you mean 'initial'\? \(it has initial, P\)"),
        ("CHAINS", [{"initial": "any", "P": P, 3: 4}], "unknown key of it, chain 1 '3'"),
        ("CHAINS", [{"initial": "stationry", "P": P}],
         "unknown word for it, chain 1, initial 'stationry'; did you mean 'stationary'"),
        ("INITIAL", "every", "unknown word for it 'every'.*it is stationary or any, or a list"),
        ("LINE_LAW", {"points": [0], "masses": [1]}, "key of it 'masses'; did you mean 'mass'"),
        ("NETWORK", [{"parent": [], "table": [[1]]}], "'parent'; did you mean 'parents'"),
    ],
)  # fmt: skip
def test_an_unknown_key_or_word_is_answered_with_the_nearest(
    name: str, given: object, sentence: str
) -> None:
    with pytest.raises(UnknownNameError, match=sentence):
        KINDS[name].read("it", given)


def chain(*rows: object, initial: object = "any") -> list[dict[str, object]]:
    return [{"initial": "any", "P": [[1, 0], [0, 1]]}, {"initial": initial, "P": rows}]


HINT = " (decimals that are off by rounding: give fractions, or counts divided by their total)"
EACH = "one row for each combination of its parents' states"
OUTSIDE: list[tuple[str, object, str]] = [
    ("CHAINS", chain([1, 0], ["0.5", "0.499"]),
     "it, chain 2, P, row 2 = [0.5, 0.499], with sum 0.999,"),
    ("CHAINS", chain([1, 0], ["0.333333", "0.666666"]),
     f"it, chain 2, P, row 2 = [0.333333, 0.666666], with sum 0.999999{HINT},"),
    ("CHAINS", chain([1, 0], [-1, 2]), "it, chain 2, P, row 2, entry 1 = -1"),
    ("CHAINS", chain([1, 0], [0, 1, 0]),
     "it, chain 2, P, row 2 = [0, 1, 0], of length 3 where there are 2 rows,"),
    ("CHAINS", chain([1, 0]), "it, chain 2, P = [[1, 0]], of one state,"),
    ("CHAINS", chain([1, 0, 0], [0, 1, 0], [0, 0, 1]),
     "it, chain 2, of 3 states where chain 1 has 2,"),
    ("CHAINS", chain([1, 0], [0, 1], initial=[1, 0, 0]),
     "it, chain 2, initial = [1, 0, 0], of length 3 where P has 2 rows,"),
    ("CHAINS", chain([1, 0], [0, 1], initial=["1/2", "1/3"]),
     "it, chain 2, initial = [0.5, 1/3], with sum 5/6,"),
    ("INITIAL", [1], "it = [1]"),
    ("INITIAL", [2, -1], "it, entry 1 = 2"),
    ("STOCHASTIC", [[1, 0, 0], [0, 1, 0]],
     "it, row 1 = [1, 0, 0], of length 3 where there are 2 rows,"),
    ("STOCHASTIC", [[1]], "it = [[1]], of one state,"),
    ("LAWS", [[1, 0], [1]], "it, law 2 = [1], of length 1 where law 1 has 2,"),
    ("LAWS", [[1, 0], [1, 1]], "it, law 2 = [1, 1], with sum 2,"),
    ("VALUES", [[1, 0], [1]], "it, row 2 = [1], of length 1 where row 1 has 2,"),
    ("WHOLE_NUMBERS", [1, 0], "it, entry 2 = 0"),
    ("INDEX_SET", [1, 1], "it = [1, 1], with 1 twice,"),
    ("INDEX_SETS", [[1], [2, 2]], "it, set 2 = [2, 2], with 2 twice,"),
    ("INDEX_SETS", [[1], [0]], "it, set 2, entry 1 = 0"),
    ("PAIRS", [[1, 2], [3]], "it, pair 2 = [3], of length 1,"),
    ("LINE_LAW", {"points": [0, "0.0"], "mass": [0, 1]}, "it, points = [0, 0], with 0 twice,"),
    ("LINE_LAW", {"points": [0, 1], "mass": [1]},
     "it, mass = [1], of length 1 where there are 2 points,"),
    ("LINE_LAW", {"points": [0], "mass": [2]}, "it, mass, entry 1 = 2"),
    ("NETWORK", [node((), [1, 0]), node((1,), [1, 0])],
     f"it, node 2, with a table of length 1 and not 2, {EACH},"),
    ("NETWORK", [node((), [1, 0], [1, 0])],
     f"it, node 1, with a table of length 2 and not 1, {EACH},"),
    ("NETWORK", [node((3,), [1]), node((), [1])],
     "it, node 1, with the parent 3 in a network of 2 nodes,"),
    ("NETWORK", [node((0,), [1])], "it, node 1, with the parent 0 in a network of 1 nodes,"),
    ("NETWORK", [node((), [1]), node((1, 1), [1])], "it, node 2, with the parent 1 twice,"),
    ("NETWORK", [node((1,), [1])], "it, with the cycle 1 -> 1,"),
    ("NETWORKS", [[node((), [1])], [node((), [1]), node((3,), [1]), node((2, 1), [1])]],
     "it, network 2, with the cycle 2 -> 3 -> 2,"),
    ("NETWORKS", [[node((), ["1/2", "1/3"])]],
     "it, network 1, node 1, row 1 = [0.5, 1/3], with sum 5/6,"),
    ("NETWORK", [node((), [1, 0]), node((1,), [1, 0], [1])],
     "it, node 2, row 2 = [1], of length 1 where row 1 has 2,"),
]  # fmt: skip


@each_of("name, given, stray", OUTSIDE)
def test_what_lies_outside_is_named_by_its_place(name: str, given: object, stray: str) -> None:
    kind = KINDS[name]
    value = kind.read("it", given)
    assert kind.stray("it", value) == stray
    assert not kind.admits(value)


@each_of("name", NAMES)
def test_a_value_of_another_kind_is_not_admitted(name: str) -> None:
    hostile: list[Any] = [HALF, 3, "word", ((1,), 2), (CHAIN, 2), (NODES, 3), (NODES[0], 3)]
    others = [*hostile, CHAIN, NODES[0], ((((ONE,),),),)]
    for value in others:
        assert not KINDS[name].admits(value), value
        assert KINDS[name].stray("it", value).startswith("it")


@each_of(
    "name, given, sentence",
    [
        ("STOCHASTIC", [[1]] * (MAX_STATES + 1), "a list of 1001 rows is longer than 1000"),
        ("LAWS", [[1]] * (MAX_LAWS + 1), "a list of 1001 laws is longer than 1000"),
        ("CHAINS", [CHAIN] * (MAX_CHAINS + 1), "a list of 1001 chains is longer than 1000"),
        ("INITIAL", [1] * (MAX_STATES + 1), "a list of 1001 numbers is longer than 1000"),
        ("LINE_LAW", LineLaw((ONE,) * (MAX_ATOMS + 1), (ONE,)), "100001 numbers is longer"),
        ("NETWORK", [node((), [1])] * (MAX_NODES + 1), "a list of 1001 nodes is longer than 1000"),
        ("NETWORK", [node((), *[[1]] * (MAX_TABLE_ROWS + 1))], "100001 rows is longer than 100000"),
        ("NETWORK", [node((1,) * (MAX_NODES + 1), [1])], "1001 integers is longer than 1000"),
        ("NETWORKS", [[node((), [1])]] * (MAX_NETWORKS + 1), "1001 networks is longer than 1000"),
    ],
)
def test_what_is_larger_than_the_limits_is_not_read(
    name: str, given: object, sentence: str
) -> None:
    with pytest.raises(InputError, match=sentence):
        KINDS[name].read("it", given)


def test_a_law_whose_sum_cannot_be_held_is_refused_in_a_matrix_too() -> None:
    hostile = tuple(tuple(Fraction(1, 10**9999 + at) for at in range(1, 40)) for _ in range(39))
    with pytest.raises(InputError, match="it, row 1: the sum of the entries has too many digits"):
        KINDS["STOCHASTIC"].stray("it", hostile)


def test_doubles_that_were_rounded_get_the_hint() -> None:
    thirds = KINDS["STOCHASTIC"].read("it", [[0.1, 0.9], [0.5, 0.5]])
    assert KINDS["STOCHASTIC"].stray("it", thirds).endswith(f"{HINT},")
    law = get_args(domain.LAW)[1]
    assert law.stray("p", law.read("p", [0.1] * 10)).endswith(f"{HINT},")


@each_of(
    "parents, cycle",
    [
        ([(), (1,), (1, 2)], ()),
        ([(2,), (3,), (1,)], (1, 3, 2, 1)),
        ([(), (3, 1), (2,), (3,)], (2, 3, 2)),
        ([(), (1, 3), (4,), (3,), (1,)], (3, 4, 3)),
        ([(2,), (2,)], (2, 2)),
    ],
)
def test_a_cycle_is_named_from_parent_to_child(
    parents: list[tuple[int, ...]], cycle: tuple[int, ...]
) -> None:
    assert cycle_among(parents) == cycle
    for parent, child in pairwise(cycle):
        assert parent in parents[child - 1]


def test_a_long_line_of_nodes_has_no_cycle_and_a_long_ring_is_one() -> None:
    line = [(), *((at,) for at in range(1, MAX_NODES))]
    assert cycle_among(line) == ()
    ring = cycle_among([(MAX_NODES,), *line[1:]])
    assert len(set(ring)) == MAX_NODES == len(ring) - 1


def test_structures_are_shown_with_their_parts_named_and_cut() -> None:
    assert exact_text((CHAIN,)) == "[{initial: stationary, P: [[1/2, 1/2], [9/10, 1/10]]}]"
    assert shown((CHAIN,)) == "[{initial: stationary, P: [[0.5, 0.5], [... (52 characters)"
    assert shown(LineLaw((ONE,), (ONE,))) == "{points: [1], mass: [1]}"
    assert shown(((NetworkNode((), ((ONE,),)),),)) == "[[{parents: [], table: [[1]]}]]"
    assert shown("any") == "'any'"


def test_structures_are_written_as_objects() -> None:
    assert exact_json((ChainLaw("any", P),)) == [
        {"initial": "any", "P": [["1/2", "1/2"], ["9/10", "1/10"]]}
    ]
    assert exact_json(NODES[:1]) == [{"parents": [], "table": [["1/2", "1/2"]]}]


@pytest.mark.parametrize("hostile", [ChainLaw("\x1b[2J", P), ChainLaw("any", (((P,),),)), ("any",)])  # type: ignore[arg-type]
def test_a_record_that_is_no_value_is_shown_in_ascii(hostile: object) -> None:
    assert shown(hostile).isprintable()
    assert not shown(hostile).startswith(("{", "["))
