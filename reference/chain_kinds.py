"""Kinds of domain: how a chain starts, laws of chains, and laws on the line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from .errors import UnknownNameError
from .exact import shown
from .exact_lists import exact_fields, exact_list, exact_vector
from .kinds import Law, SearchRange, Value
from .matrix_kinds import MAX_STATES, SHARES, Stochastic, first_repeated, length_stray
from .structures import STARTS, ChainLaw, LineLaw

# More chains and more atoms are not read.
MAX_CHAINS = 1_000
MAX_ATOMS = 100_000

STATES = Law()
MATRIX = Stochastic()


@dataclass(frozen=True)
class InitialKind:
    """How a chain may start: by a law, by the stationary law, or by any law at all.

    Hints for the search: how many states a drawn law has at most, ``as_long_as`` an earlier
    parameter with as many, and which words are drawn.
    """

    longest_searched: int = 3
    as_long_as: str | None = None
    words_searched: tuple[str, ...] = STARTS
    kind: str = "initial"

    @property
    def search(self) -> SearchRange:
        """Where a search should look for a share."""
        return STATES.search

    def read(self, name: str, value: object) -> tuple[Fraction, ...] | str:
        """Return the exact law, or the word. Raises InputError if it is neither."""
        word = value.strip() if isinstance(value, str) else ""
        if word and not word.startswith("["):
            if word not in STARTS:
                hint = f"(it is {' or '.join(STARTS)}, or a list of numbers)"
                raise UnknownNameError(f"word for {name}", word, STARTS, hint)
            return word
        return exact_vector(value, name, MAX_STATES)

    def admits(self, value: Value) -> bool:
        """Whether the value is a law or one of the words."""
        return not self.stray("it", value)

    def stray(self, name: str, value: Value) -> str:
        """Return what of the law is not admitted; nothing if it is a law or a word."""
        return "" if value in STARTS else STATES.stray(name, value)

    def describe(self, name: str) -> str:
        """Return the condition as a person would write it."""
        return f"{name} = {' or '.join(STARTS)}, or {STATES.describe(name)}"


INITIAL_KIND = InitialKind()


@dataclass(frozen=True)
class Chains:
    """The lists of laws of chains that all have the same states.

    Hints for the search: how many chains and states a drawn point has at most, and which words for
    an initial law are drawn.
    """

    longest_searched: int = 2
    widest_searched: int = 3
    words_searched: tuple[str, ...] = STARTS
    kind: str = "chains"

    @property
    def search(self) -> SearchRange:
        """Where a search should look for a share."""
        return MATRIX.search

    def read(self, name: str, value: object) -> tuple[ChainLaw, ...]:
        """Return the exact chains. Raises InputError if they are none."""
        what = 'chains such as {"initial": "stationary", "P": [["1/2", "1/2"], [1, 0]]}'
        return exact_list(value, name, ("chain", read_chain), MAX_CHAINS, what)

    def admits(self, value: Value) -> bool:
        """Whether the value is such a list of chains."""
        return not self.stray("it", value)

    def stray(self, name: str, value: Value) -> str:
        """Return what of the chains is not admitted, by its place; nothing if all is."""
        if not isinstance(value, tuple) or isinstance(value, ChainLaw) or not value:
            return f"{name} = {shown(value)}"
        return next(filter(None, _strays(name, value)), "")

    def describe(self, name: str) -> str:
        """Return the condition as a person would write it."""
        return (
            f"{name} with the same states, each with {MATRIX.describe('P')}, and as its initial "
            f"law {' or '.join(STARTS)}, or as many shares with a sum of exactly 1"
        )


def read_chain(value: object, place: str) -> ChainLaw:
    """Return one exact chain. Raises InputError if it is none."""
    initial, matrix = exact_fields(value, place, ChainLaw._fields)
    return ChainLaw(
        INITIAL_KIND.read(f"{place}, initial", initial), MATRIX.read(f"{place}, P", matrix)
    )


def _strays(name: str, chains: tuple[Value, ...]) -> Iterator[str]:
    states = len(chains[0].P) if isinstance(chains[0], ChainLaw) else 0
    for at, chain in enumerate(chains, 1):
        place = f"{name}, chain {at}"
        if not isinstance(chain, ChainLaw):
            yield f"{place} = {shown(chain)}"
            return
        yield MATRIX.stray(f"{place}, P", chain.P)
        if len(chain.P) != states:
            yield f"{place}, of {len(chain.P)} states where chain 1 has {states},"
        yield INITIAL_KIND.stray(f"{place}, initial", chain.initial)
        if chain.initial not in STARTS:
            yield length_stray(f"{place}, initial", chain.initial, states, f"P has {states} rows")


@dataclass(frozen=True)
class LawOnTheLine:
    """The laws on finitely many different points of the line.

    ``longest_searched`` is how many points a drawn law has at most; a hint.
    """

    longest_searched: int = 4
    kind: str = "law"

    @property
    def search(self) -> tuple[SearchRange, SearchRange]:
        """Where a search should look for a point, and for its mass."""
        return (("0.001", "30"), SHARES.search)

    def read(self, name: str, value: object) -> LineLaw:
        """Return the exact law. Raises InputError if it is none."""
        points, mass = exact_fields(value, name, LineLaw._fields)
        return LineLaw(
            exact_vector(points, f"{name}, points", MAX_ATOMS),
            exact_vector(mass, f"{name}, mass", MAX_ATOMS),
        )

    def admits(self, value: Value) -> bool:
        """Whether the value is such a law."""
        return not self.stray("it", value)

    def stray(self, name: str, value: Value) -> str:
        """Return what of the law is not admitted, by its place; nothing if all is."""
        if not isinstance(value, LineLaw):
            return f"{name} = {shown(value)}"
        twice = first_repeated(value.points)
        if twice is not None:
            return f"{name}, points = {shown(value.points)}, with {shown(twice)} twice,"
        count = len(value.points)
        return SHARES.stray(f"{name}, mass", value.mass) or length_stray(
            f"{name}, mass", value.mass, count, f"there are {count} points"
        )

    def describe(self, name: str) -> str:
        """Return the condition as a person would write it."""
        return f"as many different points of {name} as shares of its mass, their sum exactly 1"
