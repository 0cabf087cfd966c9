"""The laws of proofs_notes/vacuous-claims.md: all inputs on small grids, and who is a neighbour."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product
from math import ceil, prod
from typing import Any

import pytest
from each import each_of
from ledger_entries import entry
from simplexcert.certify.audits.claim import claim_in
from simplexcert.certify.audits.decision import decide
from simplexcert.certify.mechanisms.neighbours import Unlike
from simplexcert.certify.models import PrivateTables
from simplexcert.certify.models.layout import bayes_layout
from simplexcert.certify.releasing.ledger import Entry
from simplexcert.certify.releasing.ledger.totals import in_common
from simplexcert.certify.verdict import Verdict
from simplexcert.reference.dirichlet.pair import Neighbours
from simplexcert.reference.errors import DomainError
from simplexcert.reference.markov.stationary import stationary_law
from simplexcert.reference.pufferfish.possible import chain_has_secrets, network_has_secrets
from simplexcert.reference.structures import ANY, STATIONARY, ChainLaw, NetworkNode

Vector = tuple[int, ...]
# Shares are multiples of 1/PARTS, and so are floors and half distances: where there is room for a
# change there is room for one on the grid.
PARTS = 6
SAID = {"epsilon": 0, "delta": 0}


def of(parts: int) -> str:
    return f"{parts}/{PARTS}"


def found(mechanism: str, said: dict[str, Any] | None = None, **release: Any) -> Neighbours | None:
    """Return what a claim is said to lack; None where it speaks of two inputs."""
    table = {"release": {"mechanism": mechanism, **release}, "claim": said or SAID}
    claim = claim_in(table, "claim.toml")
    vacuity = claim.mechanism.vacuity(claim)
    return None if vacuity is None else vacuity.neighbours


def lacking(inputs: Sequence[Any], adjacent: Callable[[Any, Any], bool]) -> Neighbours | None:
    """Return the same by the definition, from all inputs."""
    if not inputs:
        return Neighbours.NO_INPUT
    some = any(adjacent(one, other) for one, other in combinations(inputs, 2))
    return None if some else Neighbours.NONE


def vectors(w: int, eta: int, eta_bar: int) -> list[Vector]:
    """Return all inputs, in parts: w protected coordinates, and one that is not."""
    every = product(range(PARTS + 1), repeat=w + 1)
    return [
        p for p in every
        if sum(p) == PARTS and min(p[:w]) >= eta and sum(p[:w]) <= PARTS - eta_bar
    ]  # fmt: skip


def near(half: int, w: int) -> Callable[[Vector, Vector], bool]:
    """Say whether two vectors are neighbours at distance b = 2 half."""

    def adjacent(one: Vector, other: Vector) -> bool:
        moved = [at for at, pair in enumerate(zip(one, other, strict=True)) if pair[0] != pair[1]]
        distance = sum(abs(x - y) for x, y in zip(one, other, strict=True))
        return len(moved) == 2 and max(moved) < w and distance <= 2 * half

    return adjacent


BORDERS = [*product((1, 2, 3), (1, 2), (1, 2, 3, 4), (0, 1, 2))]


@each_of("w, eta, eta_bar, half", BORDERS)
def test_protected_vectors(w: int, eta: int, eta_bar: int, half: int) -> None:
    expected = lacking(vectors(w, eta, eta_bar), near(half, w))
    keys = {"eta": of(eta), "eta_bar": of(eta_bar), "b": of(2 * half), "w": w}
    for k in ("1e-290", "7", "1e290"):
        assert found("dirichlet.identity", k=k, **keys) is expected


@each_of("w, eta, eta_bar, half", BORDERS[::2])
def test_mean_of_vectors(w: int, eta: int, eta_bar: int, half: int) -> None:
    close = near(half, w)

    def adjacent(one: tuple[Vector, ...], other: tuple[Vector, ...]) -> bool:
        changed = [(x, y) for x, y in zip(one, other, strict=True) if x != y]
        return len(changed) == 1 and close(*changed[0])

    collections = [*product(vectors(w, eta, eta_bar)[:6], repeat=2)]
    keys = {"eta": of(eta), "eta_bar": of(eta_bar), "b": of(2 * half), "w": w}
    assert found("dirichlet.average", k=7, N=2, **keys) is lacking(collections, adjacent)


@each_of("changed", [0, 1, 2])
@each_of("half", [0, 1])
def test_rows_of_a_matrix(changed: int, half: int) -> None:
    for sizes, eta, eta_bar in product(product((1, 2, 3), repeat=2), (1, 2), (1, 2, 4)):
        close = [near(half, w) for w in sizes]

        def adjacent(
            one: tuple[Vector, ...],
            other: tuple[Vector, ...],
            close: list[Callable[[Vector, Vector], bool]] = close,
        ) -> bool:
            rows = [at for at in range(2) if one[at] != other[at]]
            return len(rows) <= changed and all(close[at](one[at], other[at]) for at in rows)

        rows = [vectors(w, eta, eta_bar)[:6] for w in sizes]
        keys = {"eta": of(eta), "eta_bar": of(eta_bar), "b": of(2 * half)}
        expected = lacking([*product(*rows)], adjacent)
        said = found("dirichlet.matrix", k=7, w=list(sizes), changed_rows=changed, **keys)
        assert said is expected


def all_counts(n: int, total: int, least: int) -> list[Vector]:
    every = product(range(least, total + 1), repeat=n)
    return [counts for counts in every if sum(counts) == total]


def moved(one: Vector, other: Vector) -> bool:
    """Say whether one record changed its category."""
    return sorted(y - x for x, y in zip(one, other, strict=True) if x != y) == [-1, 1]


def has_total(*entries: Entry) -> bool:
    """Whether two releases are said to have neighbours in common."""
    return not isinstance(in_common(entries), Unlike)


@each_of("w", [2, 3])
def test_two_releases_of_vectors(w: int) -> None:
    """All pairs of borders of which each alone has neighbours; of a matrix two equal rows."""
    names = ["a", "b", "c", "d"][: w + 1]
    one = {"names": names, "protected": names[:w]}
    rows = {"states": names, "protected": dict.fromkeys(names, names[:w])}
    kinds: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
        ("dirichlet.identity", {"w": w}, one),
        ("dirichlet.average", {"w": w, "N": 2}, one),
        ("dirichlet.matrix", {"w": [w] * (w + 1)}, rows),
    ]
    borders = [
        border for border in product((1, 2), (1, 2, 3, 4))
        if lacking(vectors(w, *border), near(1, w)) is None
    ]  # fmt: skip
    said, lacked = {"epsilon": 1, "delta": "1/2"}, 0
    for first, second in product(borders, repeat=2):
        both = [p for p in vectors(w, *first) if p in vectors(w, *second)]
        expected = lacking(both, near(1, w)) is None
        lacked += not expected
        for mechanism, more, data in kinds:
            entries = [
                entry(mechanism, {"k": 7, "eta": of(eta), "eta_bar": of(eta_bar), "b": of(2),
                                  **more}, said, data)
                for eta, eta_bar in (first, second)
            ]  # fmt: skip
            assert has_total(*entries) is expected
    assert lacked or w == 3


def test_two_counts_of_a_column() -> None:
    """All pairs of lists of labels, by either mechanism; the data are up to four records."""
    labels, said = "abc", {"epsilon": 1, "delta": "1/2"}
    lists = [list(some) for size in (2, 3) for some in combinations(labels, size)]
    lists.append(["d", "e"])
    everything = [counts for total in range(5) for counts in all_counts(len(labels) + 2, total, 0)]

    def admitted(counts: Vector, listed: list[str], floor: bool) -> bool:
        of_label = dict(zip("abcde", counts, strict=True))
        if floor and (sum(counts) != 4 or min(of_label[label] for label in listed) < 1):
            return False
        return not any(count for label, count in of_label.items() if label not in listed)

    def added(one: Vector, other: Vector) -> bool:
        return sorted(map(abs, (y - x for x, y in zip(one, other, strict=True)))) == [0] * 4 + [1]

    def same_column(listed: list[str], floor: bool, neighbours: str) -> Entry:
        data = {"column": "x", "categories": listed}
        if floor:
            keys = {"k": 7, "eta": "1/4", "N": 4, "n": len(listed)}
            return entry("dirichlet.counts", keys, said, data)
        keys = {"step": 1, "alpha": 1, "neighbours": neighbours}
        keys.update({"delta2_squared": 2 if neighbours == "replace" else 1, "delta_inf": 1})
        return entry("dirichlet.renyi", keys, {"epsilon": 1, "order": "3/2"}, data)

    for floors in product((True, False), repeat=2):
        for neighbours in ("replace", "add_remove")[: 1 if any(floors) else 2]:
            adjacent = moved if neighbours == "replace" else added
            for pair in product(lists, repeat=2):
                both = [
                    counts for counts in everything
                    if all(map(admitted, [counts] * 2, pair, floors))
                ]  # fmt: skip
                entries = map(same_column, pair, floors, [neighbours] * 2)
                assert has_total(*entries) is (lacking(both, adjacent) is None), (pair, floors)


@each_of("n", [1, 2, 3, 4])
def test_counts_of_records(n: int) -> None:
    for total, eta in product(range(1, 9), ("1/12", "1/5", "1/4", "1/3", "1/2", "1")):
        expected = lacking(all_counts(n, total, ceil(Fraction(eta) * total)), moved)
        assert found("dirichlet.counts", k=7, eta=eta, N=total, n=n) is expected


def test_rows_of_counts() -> None:
    kinds = [*product((1, 2, 3), (1, 3, 4), ("1/4", "1/3", "1/2", "1"))]
    for (n, total, eta), (other_n, others, other_eta) in combinations(kinds, 2):
        rows = [
            all_counts(n, total, ceil(Fraction(eta) * total)),
            all_counts(other_n, others, ceil(Fraction(other_eta) * others)),
        ]

        def adjacent(one: tuple[Vector, ...], other: tuple[Vector, ...]) -> bool:
            changed = [(x, y) for x, y in zip(one, other, strict=True) if x != y]
            return len(changed) == 1 and moved(*changed[0])

        expected = lacking([*product(*rows)], adjacent)
        keys = {"n": [n, other_n], "N": [total, others], "eta": [eta, other_eta]}
        assert found("markov.model", k=[7, 9], **keys) is expected


def test_histograms() -> None:
    for cells, records in product((1, 2, 3), range(4)):
        here, more = all_counts(cells, records, 0), all_counts(cells, records + 1, 0)
        replaced = lacking(here, moved) is None
        assert replaced == (cells >= 2 and records >= 1)
        assert all(any(sum(map(abs, map(int.__sub__, y, x))) == 1 for y in more) for x in here)
    for neighbours in ("replace", "add_remove"):
        assert found("dirichlet.renyi", step=1, alpha=1, neighbours=neighbours) is None
    either = {"delta2_squared": 5, "delta_inf": 2}
    assert found("dirichlet.renyi", step=1, alpha=1, **either) is None


HALF, ONE, NONE = Fraction(1, 2), Fraction(1), Fraction(0)


def laws(states: int) -> list[tuple[Fraction, ...]]:
    """Return the point masses, and one law of two states."""
    points = [tuple(ONE if at == one else NONE for at in range(states)) for one in range(states)]
    return [*points, (HALF, HALF, *[NONE] * (states - 2))]


def paths(first: Iterable[int], P: Sequence[Sequence[Fraction]], length: int) -> set[Vector]:
    """Return all sequences of states of positive probability."""
    found = {(state,) for state in first}
    for _ in range(length - 1):
        found = {(*path, at) for path in found for at, x in enumerate(P[path[-1]]) if x}
    return found


def two_in_some_node(sequences: set[Vector]) -> bool:
    return any(len(set(states)) > 1 for states in zip(*sequences, strict=True))


def starts(P: Any, states: int) -> Iterator[tuple[Any, set[int]]]:
    yield ANY, set(range(states))
    for law in laws(states):
        yield law, {at for at, share in enumerate(law) if share}
    try:
        stationary = stationary_law(P)
    except DomainError:
        return  # more than one
    yield STATIONARY, {at for at, share in enumerate(stationary) if share}


def test_states_of_a_node() -> None:
    """Chains of two and three states, and networks of three nodes numbered from child to parent."""
    for states in (2, 3):
        for rows in product(laws(states), repeat=states):
            for initial, first in starts(rows, states):
                for length in (1, 2, 3, 5):
                    expected = two_in_some_node(paths(first, rows, length))
                    assert chain_has_secrets(ChainLaw(initial, rows), length) == expected
    two = laws(2)
    # Node 1 has the parents 3 and 2, node 2 the parent 3.
    for last, *middle in product([(ONE,), (ONE, NONE), (NONE, ONE), (HALF, HALF)], two, two):
        width = len(last)
        for table in product(two, repeat=2 * width):
            network = (
                NetworkNode((3, 2), table),
                NetworkNode((3,), tuple(middle[:width])),
                NetworkNode((), (last,)),
            )
            joint = {
                (x, y, z)
                for z, y, x in product(range(width), range(2), range(2))
                if last[z] * middle[z][y] * table[2 * z + y][x]
            }
            assert network_has_secrets(network) == two_in_some_node(joint)


def test_listed_secrets() -> None:
    secrets = [(1,), (2,), (1, 2), (2, 1), (3,), (2, 3)]
    classes = [[(ONE, NONE, NONE)], [(HALF, HALF, NONE)], [(ONE, NONE, NONE), (NONE, ONE, NONE)],
               [(NONE, HALF, HALF)]]  # fmt: skip
    for laws_of_class, pair in product(classes, combinations(range(6), 2)):
        sets = [frozenset(secrets[at]) for at in pair]
        possible = any(
            all(sum(law[at - 1] for at in one) > 0 for one in sets) for law in laws_of_class
        )
        keys = {
            "values": [0, 1, 5],
            "laws": [[str(x) for x in law] for law in laws_of_class],
            "secrets": [list(one) for one in secrets],
            "pairs": [[at + 1 for at in pair]],
        }
        said = found("pufferfish.wasserstein", {"epsilon": 1}, scale=1, **keys)
        assert (said is None) == (possible and len(set(sets)) == 2)


def test_one_record() -> None:
    for sizes in product((1, 2, 3), repeat=2):
        layout = PrivateTables(sizes, [[], [0]], epsilon=1, order=2).layout
        assert (layout.different_records > 1) == (prod(sizes) > 1)
        for classes in (1, 2):
            for table in ("own", "summed"):
                bayes = bayes_layout(classes, sizes, table)
                assert (bayes.different_records > 1) == (classes * prod(sizes) > 1)


@pytest.mark.parametrize("said", [SAID, {"epsilon": 0, "order": 2}])
def test_nothing_lost_is_equal_laws(said: dict[str, Any]) -> None:
    """(0, 0) is never certified of a Dirichlet mechanism; of noise only for equal laws."""
    border = {"k": 7, "eta": "1/6", "b": "1/3"}
    claims: list[tuple[str, dict[str, Any]]] = []
    for w, eta_bar in product((1, 2, 3), ("1/6", "1/2", "2/3")):
        claims += [
            ("dirichlet.identity", {**border, "w": w, "eta_bar": eta_bar}),
            ("dirichlet.matrix", {**border, "w": [1, w], "eta_bar": eta_bar}),
        ]
    for n, total in product((1, 2, 3), (3, 4, 7)):
        claims.append(("dirichlet.counts", {"k": 7, "eta": "1/3", "N": total, "n": n}))
    for mechanism, release in claims:
        claim = claim_in({"release": {"mechanism": mechanism, **release}, "claim": said}, "c.toml")
        verdict = decide(claim).verdict
        vacuous = found(mechanism, **release) is not None
        assert (verdict is Verdict.INAPPLICABLE) == vacuous
        assert verdict is not Verdict.CERTIFIED
    for values, law in product(([1, 1], [0, 1]), (["1/2", "1/2"], [1, 0])):
        keys = {"values": values, "laws": [law], "secrets": [[1], [2]], "pairs": [[1, 2]]}
        table = {"release": {"mechanism": "pufferfish.wasserstein", "scale": 1, **keys},
                 "claim": {"epsilon": "1e-9"}}  # fmt: skip
        equal = Verdict.CERTIFIED if values == [1, 1] else Verdict.REFUTED
        verdict = Verdict.INAPPLICABLE if law == [1, 0] else equal
        assert decide(claim_in(table, "c.toml")).verdict is verdict
