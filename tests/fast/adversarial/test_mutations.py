"""Any change whatever of a signed certificate is refused where its key is given, in a sentence."""

from __future__ import annotations

import base64
import copy
import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
import rfc8785
from each import each_of
from instances import instances
from simplexcert.certify.certificate import CertificateError, verify
from simplexcert.certify.cli import run
from simplexcert.reference.errors import InputError

GOOD = Path(__file__).parent / "good"
KEY = GOOD / "public.pem"
SIGNED = [
    "backend-signed",
    "release-signed",
    "release-refuted-signed",
    "release-rows-signed",
]
# Every so many bytes one is changed: often of one file, and of all in tests/long.
STEP, FAR = 64, 1024
# Of what has hundreds of fields that are read alike, some are dropped; of the others all are.
EVERY = {"backend": 17, "backend-drawing": 97, "backend-signed": 17, "release": 5}
EVERY |= {"release-refuted-signed": 7, "release-rows": 23, "release-rows-signed": 13}
EVERY = {name: instances(every, 1) for name, every in EVERY.items()}
OTHERS: list[Any] = [None, "", "x", 0, -1, True, [], {}, ["x"], {"x": "x"}]


def good(name: str) -> bytes:
    return (GOOD / f"{name}.json").read_bytes()


def refused(file: Path) -> None:
    """Require a typed error, whichever it is."""
    with pytest.raises((CertificateError, InputError)) as caught:
        verify(file, keys=[KEY])
    assert caught.type not in (CertificateError, Exception)


def refused_by_the_command(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = run(["verify", str(file), "--key", str(KEY)])
    told = capsys.readouterr()
    assert (code in (1, 3), told.out, told.err.count("\n")) == (True, "", 1)
    assert "fault of simplexcert" not in told.err


def bytes_changed(content: bytes, step: int) -> Iterator[bytes]:
    """Yield the content with one byte changed, dropped, doubled or followed by another."""
    for at in range(0, len(content), step):
        before, byte, after = content[:at], content[at : at + 1], content[at + 1 :]
        yield before + bytes([byte[0] ^ 1]) + after
        yield before + bytes([byte[0] ^ 0x80]) + after
        yield before + after
        yield before + byte + byte + after
        yield before + b" " + byte + after


def places(node: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the place of every field and every item, at any depth."""
    items = node.items() if isinstance(node, dict) else enumerate(node)
    for key, value in items:
        yield (*at, key)
        if isinstance(value, dict | list):
            yield from places(value, (*at, key))


def fields_changed(table: Any) -> Iterator[Any]:
    """Yield the table with one field or item dropped, or with something else in its place."""
    for number, place in enumerate(places(table)):
        for other in (OTHERS[number % len(OTHERS)], ...):
            changed = copy.deepcopy(table)
            node = changed
            for key in place[:-1]:
                node = node[key]
            if other is ...:
                del node[place[-1]]
            elif node[place[-1]] == other and type(node[place[-1]]) is type(other):
                continue
            else:
                node[place[-1]] = other
            yield changed


@each_of("name", SIGNED)
def test_the_good_one_is_accepted(name: str) -> None:
    assert verify(GOOD / f"{name}.json", keys=[KEY]).checked_by


def require_refused_wherever_changed(name: str, step: int, folder: Path) -> None:
    file = folder / "certificate.json"
    for changed in bytes_changed(good(name), step):
        file.write_bytes(changed)
        refused(file)


@pytest.mark.parametrize(
    ("name", "step"), [(SIGNED[-1], STEP), *((name, FAR) for name in SIGNED[:-1])]
)
def test_every_so_many_bytes_one_matters(name: str, step: int, tmp_path: Path) -> None:
    require_refused_wherever_changed(name, step, tmp_path)


@pytest.mark.parametrize("name", SIGNED)
def test_no_change_of_a_byte_ends_in_a_traceback(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "certificate.json"
    for changed in list(bytes_changed(good(name), STEP))[::29]:
        file.write_bytes(changed)
        refused_by_the_command(file, capsys)


@pytest.mark.parametrize("name", SIGNED)
def test_every_field_of_the_envelope_matters(name: str, tmp_path: Path) -> None:
    file = tmp_path / "certificate.json"
    for changed in fields_changed(json.loads(good(name))):
        file.write_bytes(rfc8785.dumps(changed))
        refused(file)


@pytest.mark.parametrize("name", SIGNED)
def test_every_field_of_what_is_signed_matters(name: str, tmp_path: Path) -> None:
    file, envelope = tmp_path / "certificate.json", json.loads(good(name))
    statement = json.loads(base64.b64decode(envelope["payload"]))
    for changed in islice(fields_changed(statement), 0, None, EVERY.get(name, 1)):
        payload = base64.b64encode(rfc8785.dumps(changed)).decode()
        file.write_bytes(rfc8785.dumps({**envelope, "payload": payload}))
        refused(file)


@pytest.mark.parametrize("name", ["backend", "backend-drawing", "release", "release-rows"])
def test_a_field_dropped_from_an_unsigned_one_is_refused_too(name: str, tmp_path: Path) -> None:
    """Whoever leaves something out gets nothing for it; what is changed, truth decides."""
    file, statement = tmp_path / "certificate.json", json.loads(good(name))
    for place in list(places(statement))[:: EVERY.get(name, 1)]:
        changed = copy.deepcopy(statement)
        node = changed
        for key in place[:-1]:
            node = node[key]
        del node[place[-1]]
        file.write_bytes(rfc8785.dumps(changed))
        with pytest.raises(CertificateError):
            verify(file)
