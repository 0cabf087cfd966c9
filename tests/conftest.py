"""Reproducible property tests, and quantities made up to have parameters of every kind."""

from __future__ import annotations

import gc
import signal
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Annotated, Any

import pytest
from each import is_of, never_met, try_only
from hypothesis import HealthCheck, settings
from instances import instances, try_many
from simplexcert.reference import quantities
from simplexcert.reference import quantity as registry
from simplexcert.reference.domain import (
    LAW,
    RELEASES,
    ROWS,
    Condition,
    Entries,
    Interval,
    Positive,
    Word,
)
from simplexcert.reference.enclosure import Enclosed, Enclosure, mapped
from simplexcert.reference.quantity import Shape, Side, Truth, quantity
from simplexcert.reference.second import opinion, opinions

# A shell that is not interactive starts what runs in its background with interrupts ignored, and
# every child inherits that; tests that interrupt need them.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# They take longest: begun first, so that workers end together.
SLOWEST = {
    "quality/test_gallery.py", "second/test_second_opinion.py",
    "backends/test_float64.py", "ci/test_pytest_plugin.py", "backends/test_program.py",
    "certify/test_time_limits.py", "outside/test_wheel.py",
}  # fmt: skip


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options of the soak, and of whoever adds a thing."""
    parser.addoption("--many", action="store_true", help="try many instances of each law")
    parser.addoption(
        "--only", action="append", default=[], metavar="NAME",
        help="try laws of many things, NAME among them, at NAME alone",
    )  # fmt: skip


def pytest_configure(config: pytest.Config) -> None:
    """Let all modules of tests know whether to try many instances, and draw the same every time."""
    # What is imported and collected is no garbage; see pytest_collection_finish.
    gc.disable()
    if config.getoption("many"):
        try_many()
    try_only(config.getoption("only"))
    settings.register_profile(
        "gate",
        derandomize=True,
        deadline=None,
        max_examples=instances(40, 100),
        suppress_health_check=[HealthCheck.too_slow],
    )
    settings.load_profile("gate")


@pytest.fixture(autouse=True, scope="session")
def _screened_where_it_is_asked_for() -> Iterator[None]:
    """Let a campaign look at no more points than a test asks for: laws are tried at its cases."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("simplexcert.certify.campaign.run.SCREENED_A_CASE", 0)
        yield


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the papers, which share what is derived, and the slowest of the other files.

    Each file's tests stay together, for what they share.
    """

    def turn(item: pytest.Item) -> int:
        if item.path.parent.name == "papers":
            return 0
        return 1 if "/".join(item.path.parts[-2:]) in SLOWEST else 2

    items.sort(key=turn)
    items[:] = _of_the_only(items)


def pytest_collection_finish() -> None:
    """Look for garbage rarely, and among what tests make alone: it took a tenth of their time."""
    gc.freeze()
    gc.enable()
    gc.set_threshold(100_000, 20, 100)


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Say of which only names no law was tried."""
    for name in () if _shared_out(config) else never_met():
        terminalreporter.write_line(f"no law was tried of {name}: is it registered, by that name?")


def _shared_out(config: pytest.Config) -> bool:
    """Whether other processes try the laws, which tell this one of no names."""
    return bool(config.getoption("numprocesses", None))


def _of_the_only(items: list[pytest.Item]) -> list[pytest.Item]:
    """Return the tests without those at other parameters than the only one, where that is one."""
    of_it = {item for item in items if is_of(_parameters(item).values())}
    tests = {_function(item) for item in of_it}
    return [item for item in items if item in of_it or _function(item) not in tests]


def _parameters(item: pytest.Item) -> dict[str, object]:
    return getattr(getattr(item, "callspec", None), "params", {})


def _function(item: pytest.Item) -> object:
    return getattr(item, "function", item)


U = Annotated[tuple[Fraction, ...], Entries(Interval(above=Fraction(0)))]
V = Annotated[tuple[Fraction, ...], Entries(Interval(above=Fraction(0)), as_long_as="u")]
ORDER = Annotated[str, Word(("up", "down"))]
EQUALLY_LONG = Condition(
    "u and v of equal length", lambda u, v: len(u) == len(v), "their definition"
)


@pytest.fixture
def made_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register made.steps, made.rows, made.collision, made.distance and three arrays for one test.

    made.shares is a vector, made.products a matrix, made.ordered a vector by a word.
    All are rational, so both engines are asked for what they need not work out.
    """
    quantities(), opinions()
    monkeypatch.setattr(registry, "_registry", dict(registry._registry))
    monkeypatch.setattr(opinion, "_registry", dict(opinion._registry))

    @quantity("made.steps", safe=Side.UPPER, truth=Truth.LEAST, source="a test")
    def steps(releases: RELEASES, scale: Positive) -> Fraction:
        """Sum of the steps, each times its count, over the scale."""
        return sum((step * count / alpha for alpha, step, count in releases), Fraction(0)) / scale

    @quantity("made.rows", safe=Side.LOWER, truth=Truth.LEAST, source="a test")
    def rows(rows: ROWS) -> Fraction:
        """Largest w gamma of the rows."""
        return max(w * gamma for w, gamma in rows)

    @quantity("made.collision", safe=Side.UPPER, truth=Truth.LEAST, source="a test")
    def collision(p: LAW) -> Fraction:
        """Probability that two draws agree."""
        return sum((share**2 for share in p), Fraction(0))

    @quantity(
        "made.distance",
        safe=Side.UPPER,
        truth=Truth.LEAST,
        source="a test",
        conditions=(EQUALLY_LONG,),
    )
    def distance(u: U, v: V) -> Fraction:
        """Largest absolute difference of two entries."""
        return max(abs(a - b) for a, b in zip(u, v, strict=True))

    @quantity("made.shares", safe=Side.NONE, truth=Truth.LEAST, source="a test", shape=Shape.VECTOR)
    def shares(u: U) -> tuple[Fraction, ...]:
        """Each entry's share of the sum."""
        return tuple(entry / sum(u) for entry in u)

    @quantity(
        "made.products", safe=Side.UPPER, truth=Truth.LEAST, source="a test", shape=Shape.MATRIX
    )
    def products(u: U, v: V) -> tuple[tuple[Fraction, ...], ...]:
        """Product of each entry of u with each of v."""
        return tuple(tuple(a * b for b in v) for a in u)

    @quantity(
        "made.ordered", safe=Side.LOWER, truth=Truth.LEAST, source="a test", shape=Shape.VECTOR
    )
    def ordered(u: U, order: ORDER) -> tuple[Fraction, ...]:
        """Return the entries in order of size."""
        return tuple(sorted(u, reverse=order == "down"))

    for function in (steps, rows, collision, distance, shares, products, ordered):
        _repeat_as_second_opinion(f"made.{function.__name__}", function)


def _repeat_as_second_opinion(name: str, function: Callable[..., Any]) -> None:
    @opinion.second_opinion(name, engine="mpfr", rigorous=True)
    def enclose(bits: int, **exact: Any) -> Enclosed:  # noqa: ARG001
        return mapped(Enclosure.of, function(**exact))
