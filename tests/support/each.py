"""One test of a law for many things: all are tried, and each that fails is named.

With `--only NAME` those laws that are tried of NAME are tried of nothing else; others as ever.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import pytest

T = TypeVar("T")
_Law = Callable[..., None]
_only: set[str] = set()
_met: set[str] = set()


def try_only(names: Iterable[str]) -> None:
    """Try laws of many things at these alone, where they are among them."""
    _only.update(names)


def never_met() -> list[str]:
    """Return the only names that no law was tried of."""
    return sorted(_only - _met)


def is_of(values: Iterable[object]) -> bool:
    """Whether what a law is given is, or bears, one of the only names."""
    names = {name for value in values if isinstance(name := getattr(value, "name", value), str)}
    _met.update(names & _only)
    return bool(names & _only)


def the_only(names: Iterable[str]) -> list[str]:
    """Return these names, or those of them that are only names, where there are any."""
    tried = list(names)
    return [name for name in tried if is_of((name,))] or tried


def each(items: Iterable[T]) -> Callable[[Callable[[T], None]], Callable[[], None]]:
    """Make a test of a law with one parameter, which it takes from all items."""
    tried = list(items)

    def of_law(law: Callable[[T], None]) -> Callable[[], None]:
        def of_all() -> None:
            _try_all([(getattr(item, "name", item), (item,), {}) for item in tried], law)

        of_all.__name__, of_all.__doc__ = law.__name__, law.__doc__
        return of_all

    return of_law


def each_of(
    names: str, rows: Iterable[Any]
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Make a test of a law with these parameters, which it takes from each row, and maybe others.

    The others are for another ``each_of``, or for pytest. Each row has an empty ``tmp_path`` and a
    ``monkeypatch`` of its own, and nothing is left in ``capsys``; all else that pytest gives is
    shared by all rows.
    """
    parameters = names.split(", ")
    tried = [row if len(parameters) > 1 else (row,) for row in rows]

    def of_law(law: _Law) -> _Law:
        def of_all(**others: Any) -> None:
            given = [dict(zip(parameters, row, strict=True)) for row in tried]
            _try_all([(one, (), {**one, **others}) for one in given], law)

        of_all.__name__, of_all.__doc__ = law.__name__, law.__doc__
        signature = inspect.signature(law)
        left = [one for one in signature.parameters.values() if one.name not in parameters]
        of_all.__signature__ = signature.replace(parameters=left)  # type: ignore[attr-defined]
        return of_all

    return of_law


_Given = tuple[object, tuple[Any, ...], dict[str, Any]]


def _try_all(all_given: list[_Given], law: _Law) -> None:
    """Try a law for all that is given, named; the first error is the cause of what is raised."""
    assert all_given
    all_given = [one for one in all_given if is_of((*one[1], *one[2].values()))] or all_given
    failed: list[str] = []
    first: BaseException | None = None
    for number, (name, values, named) in enumerate(all_given):
        try:
            with _of_its_own(named, number) as own:
                law(*values, **own)
        except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001 - each is told
            kind = "" if isinstance(error, AssertionError) else f"{type(error).__name__}: "
            failed.append(f"{name}: {kind}{error}")
            first = first or error
    if first is not None:
        raise AssertionError("\n".join(failed)) from first


@contextmanager
def _of_its_own(named: dict[str, Any], number: int) -> Iterator[dict[str, Any]]:
    """Give a row the folder, patches and streams that it would have as a test alone."""
    own = dict(named)
    if "tmp_path" in own:
        own["tmp_path"] /= f"row-{number}"
        own["tmp_path"].mkdir()
    if "capsys" in own:
        own["capsys"].readouterr()
    with pytest.MonkeyPatch.context() as patch:
        if "monkeypatch" in own:
            own["monkeypatch"] = patch
        yield own
