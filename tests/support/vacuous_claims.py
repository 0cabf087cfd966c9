"""Claims of every mechanism that speak of no two inputs, and their likes that speak of some."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Keys = Mapping[str, Any]

IDENTITY: Keys = {"k": "1e290", "eta": "1/10", "eta_bar": "1/10", "b": 1, "w": 2}
COUNTS: Keys = {"k": "1e290", "eta": "1/3", "N": 4, "n": 3}
MATRIX: Keys = {**{key: IDENTITY[key] for key in ("k", "eta", "eta_bar", "b")}, "w": [2, 3]}
MODEL: Keys = {"k": "1e290", "eta": "1/4", "N": [4, 3], "n": [3, 3]}
NOISE: Keys = {"scale": "1e-9", "values": [[0, 1]]}
CERTAIN, FAIR = [[0, 1], [1, 0]], [["1/2", "1/2"], [0, 1]]


def _chain(initial: object, P: object = CERTAIN) -> Keys:
    return {**NOISE, "chains": [{"initial": initial, "P": P}], "length": 3}


def _network(child: object, root: object = (1, 0)) -> Keys:
    nodes = [{"parents": [2], "table": child}, {"parents": [], "table": [list(root)]}]  # type: ignore[call-overload]
    return {**NOISE, "networks": [nodes]}


def _listed(laws: object, secrets: object) -> Keys:
    return {"scale": "1e-9", "values": [0, 1, 5], "laws": laws, "secrets": secrets,
            "pairs": [[1, 2]]}  # fmt: skip


@dataclass(frozen=True)
class Alike:
    """A claim without two neighbouring inputs, one with some, and a part of why."""

    mechanism: str
    without: Keys
    some: Keys
    why: str

    @property
    def with_some(self) -> Keys:
        """The keys of the claim that speaks of some, at a concentration that takes no time."""
        return {**self.some, "k": 10} if "k" in self.some else self.some

    @property
    def pure(self) -> bool:
        """Whether a claim is of an epsilon alone, which is above 0."""
        return self.mechanism.startswith("pufferfish.")


CASES: Mapping[str, Alike] = {
    "identity, one coordinate": Alike(
        "dirichlet.identity", {**IDENTITY, "w": 1}, IDENTITY, "w = 1"),
    "identity, no room": Alike(
        "dirichlet.identity", {**IDENTITY, "eta_bar": "4/5"}, IDENTITY, "w eta + eta_bar = 1"),
    "identity, no distance": Alike(
        "dirichlet.identity", {**IDENTITY, "b": 0}, IDENTITY, "b = 0"),
    "identity, no input": Alike(
        "dirichlet.identity", {**IDENTITY, "eta_bar": "5/6"}, IDENTITY, "above 1"),
    "average, one coordinate": Alike(
        "dirichlet.average", {**IDENTITY, "N": 5, "w": 1}, {**IDENTITY, "N": 5}, "w = 1"),
    "average, no room": Alike(
        "dirichlet.average", {**IDENTITY, "N": 5, "eta_bar": "4/5"}, {**IDENTITY, "N": 5},
        "w eta + eta_bar = 1"),
    "average, no distance": Alike(
        "dirichlet.average", {**IDENTITY, "N": 5, "b": 0}, {**IDENTITY, "N": 5}, "b = 0"),
    "matrix, one coordinate": Alike(
        "dirichlet.matrix", {**MATRIX, "w": [1, 1]}, {**MATRIX, "w": [1, 2]}, "w = 1"),
    "matrix, no room": Alike(
        "dirichlet.matrix", {**MATRIX, "w": [1, 2], "eta_bar": "4/5"}, {**MATRIX, "w": [1, 2]},
        "row 1"),
    "matrix, no row changes": Alike(
        "dirichlet.matrix", {**MATRIX, "changed_rows": 0}, {**MATRIX, "changed_rows": 1},
        "changed_rows = 0"),
    "matrix, no distance": Alike("dirichlet.matrix", {**MATRIX, "b": 0}, MATRIX, "b = 0"),
    "matrix, no input": Alike("dirichlet.matrix", {**MATRIX, "w": [1, 10]}, MATRIX, "row 2"),
    "counts, none above the floor": Alike(
        "dirichlet.counts", {**COUNTS, "N": 3}, {**COUNTS, "eta": "1/4"}, "N = 3"),
    "counts, one category": Alike(
        "dirichlet.counts", {**COUNTS, "n": 1}, {**COUNTS, "n": 2, "N": 3}, "n = 1"),
    "counts, one category at the floor": Alike(
        "dirichlet.counts", {**COUNTS, "n": 1, "eta": 1}, {**COUNTS, "n": 2, "N": 3},
        "n = 1"),
    "counts, no input": Alike(
        "dirichlet.counts", {**COUNTS, "N": 2}, {**COUNTS, "eta": "1/4"}, "N = 2"),
    "model, no row can change": Alike(
        "markov.model", {**MODEL, "N": [3, 6]}, {**MODEL, "N": [3, 7]}, "row 1"),
    "model, one transition each": Alike(
        "markov.model", {**MODEL, "n": [1, 1], "eta": 1}, {**MODEL, "n": [1, 2]}, "n = 1"),
    "model, no input": Alike(
        "markov.model", {**MODEL, "N": [40, 2]}, {**MODEL, "N": [40, 3]}, "row 2"),
    "chain, certain from its start": Alike(
        "pufferfish.chain", _chain([1, 0]), _chain(["1/2", "1/2"]), "one state"),
    "chain, certain until its end": Alike(
        "pufferfish.chain", {**_chain([1, 0]), "chains": [{"initial": [0, 1], "P": FAIR}]},
        _chain([1, 0], FAIR), "one state"),
    "chain, absorbed": Alike(
        "pufferfish.chain", _chain("stationary", FAIR), _chain("stationary"), "one state"),
    "chain, every start": Alike(
        "pufferfish.chain", _chain([0, 1]), _chain("any"), "one state"),
    "network, certain": Alike(
        "pufferfish.network", _network([[0, 1], ["1/2", "1/2"]]),
        _network([["1/2", "1/2"], [0, 1]]), "one state"),
    "network, one state each": Alike(
        "pufferfish.network", _network([[1, 0]], [1]), _network([["1/2", "1/2"]], [1]),
        "one state"),
    "listed, secrets of two laws": Alike(
        "pufferfish.wasserstein", _listed([[1, 0, 0], [0, 1, 0]], [[1], [2]]),
        _listed([["1/2", "1/2", 0]], [[1], [2]]), "under one law"),
    "listed, one secret twice": Alike(
        "pufferfish.wasserstein", _listed([["1/2", "1/2", 0]], [[1, 2], [2, 1]]),
        _listed([["1/2", "1/2", 0]], [[1, 2], [2]]), "under one law"),
}  # fmt: skip


def toml_of(value: object) -> str:
    """Return a value as TOML."""
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{key} = {toml_of(item)}' for key, item in value.items())}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(toml_of, value))}]"
    return str(value) if isinstance(value, int) else f'"{value}"'


def claim_text(mechanism: str, keys: Keys, said: Keys) -> str:
    """Return a claim file."""
    tables = {"release": {"mechanism": mechanism, **keys}, "claim": said}
    return "\n".join(
        f"[{name}]\n" + "".join(f"{key} = {toml_of(value)}\n" for key, value in table.items())
        for name, table in tables.items()
    )
