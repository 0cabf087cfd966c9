"""Chains, networks, matrices and laws on the line: drawn, judged, written, verified, printed."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any

import jsonschema
import pytest
import rfc8785
from each import each_of
from searched_points import drawn
from simplexcert.certify import certify_backend
from simplexcert.certify.certificate import canonical_bytes, statement_of, verify
from simplexcert.certify.certificate.errors import CertificateError, ShapeError, WitnessError
from simplexcert.certify.certificate.parts import MAX_ROW
from simplexcert.certify.certificate.schema import schema_text
from simplexcert.certify.checks.case import answered
from simplexcert.certify.cli import run
from simplexcert.certify.points import Given, Point, exact_point, written
from simplexcert.certify.search.draws import Draws
from simplexcert.certify.search.strategies import drawn as drawn_value
from simplexcert.certify.verdict import Verdict
from simplexcert.reference import quantities
from simplexcert.reference import quantity as registry
from simplexcert.reference.domain import (
    CHAINS,
    INITIAL,
    LINE_LAW,
    NETWORK,
    NETWORKS,
    NUMBERS,
    Condition,
    IndexSets,
    Interval,
    MatrixKind,
    Stochastic,
    count_from,
)
from simplexcert.reference.domain.matrices import ANY_NUMBERS, IndexSet
from simplexcert.reference.enclosure import Enclosure
from simplexcert.reference.quantity import Side, Truth, quantity, quantity_named
from simplexcert.reference.second import opinion, opinions
from simplexcert.reference.structures import STARTS, ChainLaw, LineLaw, Matrix, NetworkNode

Maker = Callable[..., str]
Sets = tuple[tuple[int, ...], ...]

# Kinds with hints, as a quantity of several parameters needs them.
ROWS = Annotated[Matrix, MatrixKind(ANY_NUMBERS, as_wide_as="chains", as_long_as="length")]
LENGTH = Annotated[int, Interval("integer", at_least=Fraction(1), search=("1", "4"))]
SQUARE = Annotated[Matrix, Stochastic(as_wide_as="initial")]
DATA_LAWS = Annotated[Matrix, MatrixKind(each="law", as_wide_as="values")]
SECRETS = Annotated[Sets, IndexSets(among="laws")]
AS_SECRETS = Annotated[Sets, IndexSets(among="secrets", each="pair", size=2, longest_searched=1)]
NODE_VALUES = Annotated[Matrix, MatrixKind(ANY_NUMBERS, 3, as_wide_as="it", as_long_as="it")]
QUILT = Annotated[tuple[int, ...], IndexSet()]

FITS = (
    Condition(
        "as many columns as states, one row or length rows",
        lambda chains, length, values: (
            len(values[0]) == len(chains[0].P) and len(values) in (1, length)
        ),
        "a test",
    ),
)
MATCHES = (
    Condition(
        "as many states",
        lambda initial, P: initial in STARTS or len(initial) == len(P),
        "a test",
    ),
)


def total(value: Any) -> Fraction:
    """Return the sum of all numbers in a value, whatever its shape; a word counts as 7."""
    if isinstance(value, str):
        return Fraction(7)
    if isinstance(value, tuple):
        return sum(map(total, value), Fraction(0))
    return Fraction(value)


@pytest.fixture(autouse=True)
def shapes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register quantities of every structured kind for one test; both engines agree on them."""
    quantities(), opinions()
    monkeypatch.setattr(registry, "_registry", dict(registry._registry))
    monkeypatch.setattr(opinion, "_registry", dict(opinion._registry))

    def made(function: Callable[..., Fraction], conditions: tuple[Condition, ...] = ()) -> None:
        name = f"made.{function.__name__}"
        quantity(name, safe=Side.UPPER, truth=Truth.LEAST, source="a test", conditions=conditions)(
            function
        )

        @opinion.second_opinion(name, engine="mpfr", rigorous=True)
        def enclose(bits: int, **exact: Any) -> Enclosure:  # noqa: ARG001
            return Enclosure.of(function(**exact))

    def chain(chains: CHAINS, length: LENGTH, values: ROWS) -> Fraction:
        """Sum over chains."""
        return total(chains) * length + total(values)

    def start(initial: INITIAL, P: SQUARE, node: LENGTH) -> Fraction:
        """Sum over a start."""
        return total(initial) + total(P[0][:1]) * node

    def line(mu: LINE_LAW, nu: LINE_LAW) -> Fraction:
        """Mean of one law less that of the other."""
        means = (sum(map(Fraction.__mul__, law.points, law.mass), Fraction(0)) for law in (mu, nu))
        return next(means) - next(means)

    def secrets(values: NUMBERS, laws: DATA_LAWS, secrets: SECRETS, pairs: AS_SECRETS) -> Fraction:
        """Sum over an instantiation."""
        return total(values) + total(laws[0][0]) + total(secrets) + total(pairs)

    def network(network: NETWORK, node: LENGTH, quilt: QUILT) -> Fraction:
        """Sum over a network."""
        return total(network) + node + len(quilt)

    def networks(it: NETWORKS, values: NODE_VALUES) -> Fraction:
        """Sum over networks."""
        return total(it) + total(values)

    made(chain, FITS)
    made(start, MATCHES)
    for function in (line, secrets, network, networks):
        made(function)


NAMES = ("chain", "start", "line", "secrets", "network", "networks")


@each_of("name", NAMES)
@each_of("climbing", [False, True])
def test_structured_points_lie_in_the_domain_and_are_the_same_every_time(
    name: str, climbing: bool
) -> None:
    item = quantities()[f"made.{name}"]
    points = drawn(item, 25, climbing=climbing)
    assert len({tuple(point.values()) for point in points}) > len(points) / 2
    assert all(item.admits(exact_point(point)) for point in points)
    assert points == drawn(item, 25, climbing=climbing)
    assert points != drawn(item, 25, "t", climbing=climbing)


def test_a_vector_of_whole_numbers_is_no_copy_of_others() -> None:
    for name in ("markov.certificate_ergodicity", "markov.certificate_stationary"):
        for point in drawn(quantity_named(name), 60, climbing=False):
            assert all(isinstance(size, int) for size in point["sizes"])


@pytest.mark.parametrize("climbing", [False, True])
def test_matrices_lie_on_the_grid_that_another_parameter_says(climbing: bool) -> None:
    item = quantity_named("markov.certificate_stationary")
    points = drawn(item, 120, climbing=climbing)
    assert all(item.admits(exact_point(point)) for point in points)
    assert list(points[0]) == list(item.parameters)
    bits = [point["grid_bits"] for point in points]
    assert min(bits) < 10
    assert max(bits) > 53
    entries = [
        Fraction(share)
        for point in points
        for row in point["Q"]
        for share in row
        if point["grid_bits"] < 53
    ]
    assert len({entry for entry in entries if entry.denominator > 2}) > 20


@each_of("name", NAMES)
def test_what_is_drawn_is_what_a_person_may_give(name: str) -> None:
    item = quantities()[f"made.{name}"]
    for point in drawn(item, 30, climbing=False):
        exact = item.read({key: _as_given(value) for key, value in point.items()})
        assert exact == exact_point(point)


def _as_given(value: Any) -> Any:
    return answered(lambda it: it, {"it": value})


def column(name: str, key: str, cases: int = 150) -> list[Any]:
    return [point[key] for point in drawn(quantities()[f"made.{name}"], cases, climbing=False)]


def test_chains_have_every_size_every_start_and_every_special_matrix() -> None:
    lists = column("chain", "chains")
    chains = [chain for chains in lists for chain in chains]
    assert {type(chain) for chain in chains} == {ChainLaw}
    sizes = {(len(chains), len(chains[0].P)) for chains in lists}
    assert sizes >= {(1, 2), (1, 3), (2, 2), (2, 3)}
    assert max(sizes) <= (2, 5)
    starts = [chain.initial for chain in chains]
    assert all(starts.count(word) > 20 for word in STARTS)
    assert sum(isinstance(start, tuple) for start in starts) > 20
    assert any(isinstance(start, tuple) and 0 in start for start in starts)
    matrices = [chain.P for chain in chains]
    assert any(list(map(list, P)) == identity(len(P)) for P in matrices)
    assert any(set(map(max, P)) == {1.0} and P[0][0] == 0 for P in matrices)
    assert any(len(set(P)) == 1 for P in matrices)
    assert any(0 in row and max(row) < 1 for P in matrices for row in P)


def identity(size: int) -> list[list[int]]:
    return [[int(row == column) for column in range(size)] for row in range(size)]


def test_every_row_that_is_drawn_has_doubles_with_a_sum_of_exactly_one() -> None:
    rows = [row for chains in column("chain", "chains", 30) for chain in chains for row in chain.P]
    rows += [row for rows in column("secrets", "laws", 30) for row in rows]
    rows += [row for nodes in column("network", "network", 30) for node in nodes for row in node[1]]
    rows += [law.mass for law in column("line", "mu", 30)]
    assert len(rows) > 150
    assert all(sum(map(Fraction, row)) == 1 for row in rows)


def test_values_fit_the_states_and_have_one_row_or_one_a_step() -> None:
    points = drawn(quantities()["made.chain"], 100, climbing=False)
    shapes = {(len(point["values"]), point["length"]) for point in points}  # type: ignore[arg-type]
    assert {(1, 1), (1, 2), (2, 2), (1, 4)} <= shapes
    numbers = [x for point in points for row in point["values"] for x in row]  # type: ignore[union-attr]
    assert min(numbers) < 0 < max(numbers)
    assert sum(x == int(x) for x in numbers) > 20


def test_a_hint_of_the_states_spares_the_search_most_draws() -> None:
    item = replace(quantities()["made.start"], conditions=())
    agree = sum(MATCHES[0].test(**_two(point)) for point in drawn(item, 60, climbing=False))
    assert agree == 60
    without = replace(item, parameters={**item.parameters, "P": Stochastic()})
    free = sum(MATCHES[0].test(**_two(point)) for point in drawn(without, 60, climbing=False))
    assert free < 60


def _two(point: Point) -> dict[str, Any]:
    return {name: point[name] for name in ("initial", "P")}


def test_networks_have_every_size_and_edges_both_ways() -> None:
    networks = column("network", "network")
    assert {len(nodes) for nodes in networks} == {1, 2, 3}
    edges = {(parent, at) for nodes in networks for at, node in enumerate(nodes, 1)
             for parent in node.parents}  # fmt: skip
    assert edges == {(one, other) for one in (1, 2, 3) for other in (1, 2, 3) if one != other}
    assert any(len(node.parents) == 2 for nodes in networks for node in nodes)
    assert any(not node.parents for nodes in networks for node in nodes[2:])


def test_the_networks_of_one_point_have_as_many_nodes_as_values_rows() -> None:
    points = drawn(quantities()["made.networks"], 50, climbing=False)
    lists: list[Any] = [point["it"] for point in points]
    assert {len(networks) for networks in lists} == {1, 2}
    assert all(len(set(map(len, networks))) == 1 for networks in lists)
    fitting = [point for point in points if len(point["values"]) == len(point["it"][0])]  # type: ignore[arg-type,index]
    assert len(fitting) == 50


def test_laws_on_the_line_differ_in_size_have_zeros_and_points_of_both_signs() -> None:
    laws = column("line", "mu")
    assert {len(law.points) for law in laws} >= {1, 2, 3, 4}
    points = [x for law in laws for x in law.points]
    assert min(points) < 0 < max(points)
    assert any(0 in law.mass for law in laws)


def test_secrets_number_the_data_sets() -> None:
    points = drawn(quantities()["made.secrets"], 50, climbing=False)
    daily = [point for at, point in enumerate(points) if at % 8 != 5]
    assert {len(point["values"]) for point in daily} == {1, 2, 3, 4}  # type: ignore[arg-type]
    for point in points:
        many = len(point["laws"][0])  # type: ignore[index,arg-type]
        assert all(max(each) <= max(many, 1) for each in point["secrets"])  # type: ignore[union-attr,arg-type,type-var]


def test_whole_numbers_from_zero_are_drawn_evenly() -> None:
    lags = count_from(0, 4)
    item = replace(quantities()["made.start"], parameters={"lag": lags}, conditions=(), slow=True)
    assert {point["lag"] for point in drawn(item, 60, climbing=False)} == {0, 1, 2, 3, 4}


def test_a_kind_that_no_search_knows_is_an_error() -> None:
    class Odd:
        pass

    with pytest.raises(StopIteration):
        drawn_value(Odd(), Draws("odd"), {})  # type: ignore[arg-type]


CHAIN: Any = ChainLaw("stationary", ((0.5, 0.5), (0.0, 1.0)))
LAW_OF_TWO: Any = LineLaw((-1.0, 0.5), (0.25, 0.75))
NODE: Any = NetworkNode((1, 2), ((0.5, 0.5),))
POINT: Given = {"chains": (CHAIN,), "mu": LAW_OF_TWO, "networks": ((NODE,),), "initial": "any"}


def test_a_backend_is_given_records_as_dictionaries() -> None:
    given = answered(lambda **given: given, POINT)
    assert given == {
        "chains": [{"initial": "stationary", "P": [[0.5, 0.5], [0.0, 1.0]]}],
        "mu": {"points": [-1.0, 0.5], "mass": [0.25, 0.75]},
        "networks": [[{"parents": [1, 2], "table": [[0.5, 0.5]]}]],
        "initial": "any",
    }


def test_records_are_written_as_objects_of_doubles_in_hex() -> None:
    half, zero, one = "0x1.0000000000000p-1", "0x0.0p+0", "0x1.0000000000000p+0"
    assert written(POINT["chains"]) == [{"initial": "stationary", "P": [[half, half], [zero, one]]}]
    assert written(POINT["networks"]) == [[{"parents": [1, 2], "table": [[half, half]]}]]
    assert written("any") == "any"


def test_a_point_of_records_is_exactly_what_its_floats_are() -> None:
    exact = exact_point(POINT)
    half, one = Fraction(1, 2), Fraction(1)
    assert exact["chains"] == (ChainLaw("stationary", ((half, half), (Fraction(0), one))),)
    assert isinstance(exact["mu"], LineLaw)
    assert [type(x) for x in exact["mu"].points] == [Fraction, Fraction]
    assert exact["initial"] == "any"


def campaign(make_backend: Maker, name: str, body: str) -> dict[str, Any]:
    name = f"made.{name}"
    found = certify_backend(make_backend(name, body), quantities=name, cases=10)
    loaded: dict[str, Any] = json.loads(canonical_bytes(statement_of(found)))
    return loaded


def file_of(folder: Path, statement: dict[str, Any]) -> Path:
    file = folder / "certificate.json"
    file.write_bytes(rfc8785.dumps(statement))
    return file


def worst_of(statement: dict[str, Any]) -> dict[str, Any]:
    parameters: dict[str, Any] = statement["predicate"]["checks"][0]["worst"]["parameters"]
    return parameters


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("body", "verdict"),
    [
        ("answer = math.nextafter(truth, math.inf)", Verdict.CERTIFIED),
        ("answer = truth - 1", Verdict.REFUTED),
    ],
)
def test_a_worst_case_may_hold_a_structure_and_verifies(
    make_backend: Maker, tmp_path: Path, name: str, body: str, verdict: Verdict
) -> None:
    statement = campaign(make_backend, name, body)
    jsonschema.Draft202012Validator(json.loads(schema_text("backend-v1.schema.json"))).validate(
        statement
    )
    found = verify(file_of(tmp_path, statement))
    worst = [each for check in statement["predicate"]["checks"] if (each := check["worst"])]
    assert (found.verdict, found.witnesses) == (verdict, len(worst))


ONE, ZERO = "0x1.0000000000000p+0", "0x0.0p+0"
EYE = [[ONE, ZERO], [ZERO, ONE]]
HOSTILE: dict[str, tuple[str, dict[str, Any], type[CertificateError]]] = {
    "word-unknown": ("chain", {"chains": [{"initial": "some", "P": EYE}]}, WitnessError),
    "word-with-a-capital": ("chain", {"chains": [{"initial": "Any", "P": EYE}]}, ShapeError),
    "word-in-a-matrix": ("chain", {"chains": [{"initial": "any", "P": [["any"]]}]}, ShapeError),
    "word-for-a-matrix": ("chain", {"chains": [{"initial": "any", "P": "any"}]}, ShapeError),
    "word-for-a-number": ("chain", {"length": "any"}, WitnessError),
    "word-with-a-line-end": ("chain", {"chains": [{"initial": "any\n", "P": EYE}]}, ShapeError),
    "word-among-chains": ("chain", {"chains": ["any"]}, ShapeError),
    "number-with-a-line-end": ("chain", {"values": [[ONE + "\n"] * 2]}, ShapeError),
    "not-a-number-in-a-record": ("line", {"mu": {"points": ["nan"], "mass": [ONE]}}, ShapeError),
    "infinite-in-a-record": ("line", {"mu": {"points": ["inf"], "mass": [ONE]}}, WitnessError),
    "key-unknown": ("chain", {"chains": [{"inital": "any", "P": EYE}]}, ShapeError),
    "key-of-another-record": ("chain", {"chains": [{"points": [ONE], "P": EYE}]}, WitnessError),
    "key-missing": ("chain", {"chains": [{"P": EYE}]}, ShapeError),
    "keys-too-many": ("line", {"mu": {"points": [ONE], "mass": [ONE], "P": EYE}}, WitnessError),
    "record-in-a-record": (
        "line", {"mu": {"points": {"points": [ONE], "mass": [ONE]}, "mass": [ONE]}}, ShapeError),
    "record-for-a-list": ("chain", {"chains": {"initial": "any", "P": EYE}}, WitnessError),
    "record-for-a-number": ("chain", {"length": {"initial": "any", "P": EYE}}, WitnessError),
    "list-for-a-record": ("line", {"mu": [ONE, ONE]}, WitnessError),
    "rows-off-one": ("chain", {"chains": [{"initial": "any", "P": [[ONE] * 2] * 2}]}, WitnessError),
    "rows-in-rows": ("chain", {"chains": [{"initial": "any", "P": [[[ONE]]]}]}, ShapeError),
    "row-endless": (
        "chain", {"chains": [{"initial": "any", "P": [[ONE] * (MAX_ROW + 1)]}]}, ShapeError),
    "networks-in-networks": (
        "networks", {"it": [[[{"parents": [], "table": [[ONE]]}]]]}, ShapeError),
    "nodes-endless": (
        "network", {"network": [{"parents": [], "table": [[ONE]]}] * 1001}, ShapeError),
    "cycle": ("network", {"network": [{"parents": [1], "table": [[ONE]]}]}, WitnessError),
    "parent-a-half": (
        "network", {"network": [{"parents": ["0x1.8p+0"], "table": [[ONE]]}]}, WitnessError),
    "secret-zero": ("secrets", {"secrets": [[0]]}, WitnessError),
    "secret-empty": ("secrets", {"secrets": [[]]}, ShapeError),
    "values-missing": ("secrets", {"values": []}, WitnessError),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_a_tampered_structure_is_refused(make_backend: Maker, tmp_path: Path, name: str) -> None:
    quantity_name, hostile, error = HOSTILE[name]
    statement = campaign(make_backend, quantity_name, "answer = 1e300")
    file = file_of(tmp_path, statement)
    assert verify(file).verdict is Verdict.CERTIFIED
    worst_of(statement).update(hostile)
    file.write_bytes(json.dumps(statement, sort_keys=True, separators=(",", ":")).encode())
    with pytest.raises(error):
        verify(file)


def test_a_structure_that_is_replaced_by_another_is_noticed(
    make_backend: Maker, tmp_path: Path
) -> None:
    statement = campaign(make_backend, "line", "answer = math.nextafter(truth, math.inf)")
    worst_of(statement)["mu"] = {"points": [ONE, "0x1.8000000000000p+9"], "mass": [ONE, ZERO]}
    with pytest.raises(WitnessError):
        verify(file_of(tmp_path, statement))


def test_the_same_seed_gives_the_same_bytes_for_structures(
    make_backend: Maker,
) -> None:
    where = make_backend("made.line", "answer = math.nextafter(truth, math.inf)")
    first, second = (
        canonical_bytes(statement_of(certify_backend(where, quantities="made.line", cases=101)))
        for _ in range(2)
    )
    assert first == second


def test_the_models_leave_memory_whole() -> None:
    """A pattern joined to a list or an object is freed wrongly by msgspec, which this notices."""
    code = (
        "import msgspec; from simplexcert.certify.certificate.models import Statement;"
        "msgspec.json.Decoder(Statement)"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONMALLOC": "debug"},
        capture_output=True,
        check=False,
    )
    assert (ended.returncode, ended.stderr) == (0, b"")


def evaluated(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert run(["evaluate", *arguments, "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


CHAINS_TEXT = '[{"initial": "stationary", "P": [["1/2","1/2"],[0.9,0.1]]}]'
CHAINS_SHAPE = [{"initial": "stationary", "P": [["1/2", "1/2"], ["9/10", "1/10"]]}]


def test_structures_are_given_as_json_and_told_as_it(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    values = ["-p", "length=3", "-p", 'values=[["1/2", -1]]']
    given = evaluated(capsys, "made.chain", "-p", f"chains={CHAINS_TEXT}", *values)
    assert given["parameters"] == {
        "chains": CHAINS_SHAPE, "length": "3", "values": [["1/2", "-1"]]}  # fmt: skip
    assert Fraction(given["exact"]) == 27 - Fraction(1, 2)
    file = tmp_path / "params.json"
    file.write_text(f'{{"chains": {CHAINS_TEXT}}}', encoding="utf-8")
    assert evaluated(capsys, "made.chain", "--params", str(file), *values) == given
    file.write_text(json.dumps(given["parameters"]), encoding="utf-8")
    assert evaluated(capsys, "made.chain", "--params", str(file)) == given


def test_a_word_is_given_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    given = ["-p", "initial=any", "-p", "P=[[1, 0], [0, 1]]", "-p", "node=1"]
    assert evaluated(capsys, "made.start", *given)["parameters"] == {
        "initial": "any", "P": [["1", "0"], ["0", "1"]], "node": "1"}  # fmt: skip


def test_a_network_is_given_node_by_node(capsys: pytest.CaptureFixture[str]) -> None:
    nodes = [
        {"parents": [], "table": [["1", "0"]]},
        {"parents": ["1"], "table": [["1"], ["1"]]},
    ]
    given = ["-p", f"network={json.dumps(nodes)}", "-p", "node=1", "-p", "quilt=[]"]
    assert evaluated(capsys, "made.network", *given)["parameters"]["network"] == nodes


@pytest.mark.parametrize(
    ("name", "given", "says"),
    [
        ("chain", ['chains=[{"initial": "any", "P": [[1, 0], ["0.5", "0.499"]]}]'],
         "chains, chain 1, P, row 2 = [0.5, 0.499], with sum 0.999, is outside the domain"),
        ("chain", ['chains=[{"initial": "stationry", "P": [[1, 0], [0, 1]]}]'],
         "unknown word for chains, chain 1, initial 'stationry'; did you mean 'stationary'?"),
        ("chain", [f"chains={CHAINS_TEXT}", "values=[[1, 2, 3]]"],
         "is outside the domain of made.chain: it needs as many columns as states"),
        ("start", ["initial=stationary", "P=[[1]]", "node=1"], "P = [[1]], of one state, is"),
    ],
)  # fmt: skip
def test_a_bad_structure_exits_3_with_one_sentence(
    capsys: pytest.CaptureFixture[str], name: str, given: list[str], says: str
) -> None:
    whole = {"chain": {"length": "1", "values": "[[1, 2]]"}}.get(name, {})
    named = dict(item.split("=", 1) for item in given)
    arguments = [f"{key}={value}" for key, value in {**whole, **named}.items()]
    code = run(["evaluate", f"made.{name}", *(part for item in arguments for part in ("-p", item))])
    told = capsys.readouterr()
    assert (code, told.out) == (3, "")
    assert says in told.err
    assert told.err.count("\n") == 1


def test_a_large_matrix_is_printed_cut(capsys: pytest.CaptureFixture[str]) -> None:
    rows = json.dumps(identity(60))
    assert (
        run(["evaluate", "made.start", "-p", "initial=any", "-p", f"P={rows}", "-p", "node=1"]) == 0
    )
    told = capsys.readouterr().out
    assert "characters)" in told
    assert len(told) < 2_000


def test_quantities_tell_the_structured_kinds(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["quantities", "made.*", "--json"]) == 0
    lines = json.loads(capsys.readouterr().out)["quantities"]
    kinds = {
        f"{line['name']}.{item['name']}": item["kind"]
        for line in lines
        for item in line["parameters"]
    }
    assert kinds == {
        "made.chain.chains": "chains", "made.chain.length": "integer",
        "made.chain.values": "matrix", "made.line.mu": "law", "made.line.nu": "law",
        "made.network.network": "network", "made.network.node": "integer",
        "made.network.quilt": "vector", "made.networks.it": "networks",
        "made.networks.values": "matrix", "made.secrets.laws": "matrix",
        "made.secrets.pairs": "rows", "made.secrets.secrets": "rows",
        "made.secrets.values": "vector", "made.start.P": "matrix",
        "made.start.initial": "initial", "made.start.node": "integer",
    }  # fmt: skip
