"""Whatever the bytes: what reads certificates, transcripts and keys raises its own errors alone."""

from __future__ import annotations

import gzip
import json
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import rfc8785
from each import each_of
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from made_signers import signer
from simplexcert.certify.certificate import CertificateError, verify
from simplexcert.certify.certificate.models import ClaimStatement, Statement
from simplexcert.certify.certificate.reading import canonical_bytes, read_statement
from simplexcert.certify.certificate.signing import Opened, opened, public_key_in, sealed, signer_in
from simplexcert.certify.certificate.transcript import require_transcript
from simplexcert.certify.certificate.verification import Authentic
from simplexcert.certify.verdict import Verdict
from simplexcert.reference.errors import InputError

GOOD = Path(__file__).parent / "good"
FILES = sorted([*GOOD.glob("*.json"), *(GOOD.parent / "hostile").glob("[!t]*.json")])
CONTENTS = [file.read_bytes() for file in FILES]
KEYS = [file.read_bytes() for file in sorted(GOOD.glob("*.pem"))]
# Transcripts, and the certificate that each is of.
PACKED = {name: (GOOD / f"{name}.jsonl.gz").read_bytes() for name in ("cases", "cases-drawing")}
OWN = {"cases": "backend", "cases-drawing": "backend-drawing"}
LINES = [gzip.decompress(packed) for packed in PACKED.values()]
STATEMENTS = [GOOD / f"{name}.json" for name in ("backend", "release")]
OURS = CertificateError, InputError
# Examples of each law; tests/long tries more, and others each time.
FEW = 40

short = st.text(max_size=30)
numbers = st.integers() | st.floats() | st.integers(-3, 3)
scalars = st.none() | st.booleans() | numbers | short | st.sampled_from(
    ["nan", "inf", "0x1.0000000000000p+0", "1/2", "1e+999999999999", "certified", "../x", "\u202e"]
)  # fmt: skip
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(short, inner, max_size=4),
    max_leaves=12,
)  # fmt: skip


@st.composite
def bytes_near(draw: st.DrawFn, contents: list[bytes]) -> bytes:
    """Draw bytes with a few stretches cut, doubled or written over."""
    content = draw(st.sampled_from(contents))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(content)))
        end = min(len(content), start + draw(st.integers(0, 20)))
        middle = draw(st.sampled_from([b"", content[start:end] * 2]) | st.binary(max_size=8))
        content = content[:start] + middle + content[end:]
    return content


def place_in(draw: st.DrawFn, node: Any) -> tuple[Any, Any]:
    """Draw a table or list, and a key or position in it, at any depth."""
    while True:
        key = draw(st.sampled_from(list(node) if isinstance(node, dict) else range(len(node))))
        inner = node[key]
        if not isinstance(inner, dict | list) or not inner or draw(st.booleans()):
            return node, key
        node = inner


@st.composite
def statements_near(draw: st.DrawFn) -> bytes:
    """Draw a statement with a few fields replaced, moved or dropped, as JSON in canonical order."""
    table = json.loads(draw(st.sampled_from(STATEMENTS)).read_bytes())
    for _ in range(draw(st.integers(1, 3))):
        node, key = place_in(draw, table)
        other, from_key = place_in(draw, table)
        if draw(st.booleans()):
            node[key] = draw(values)
        elif draw(st.booleans()):
            node[key] = json.loads(json.dumps(other[from_key]))
        else:
            del node[key]
        if not table:
            break
    return json.dumps(table, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode(
        errors="surrogatepass"
    )


def read(content: bytes) -> None:
    """Read any bytes as a certificate; what is read is what is written."""
    try:
        found = opened(content, "it")
        statement = read_statement(found.payload, "it")
    except OURS:
        return
    assert canonical_bytes(statement) == found.payload
    assert found.signatures or found.payload == content


def written(content: bytes, use: Callable[[Path], object]) -> object | None:
    """Use a file of these bytes; return None where that raises an error of ours."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "file"
        file.write_bytes(content)
        try:
            return use(file)
        except OURS:
            return None


def any_bytes_are_read_or_refused(content: bytes) -> None:
    read(content)


def any_json_is_read_or_refused(value: Any) -> None:
    read(json.dumps(value).encode())


def any_signed_bytes_are_read_or_refused(content: bytes) -> None:
    read(sealed(Opened(content, {}), signer(0)))


def what_verifies_says_what_it_said(content: bytes) -> None:
    """A change that truth bears out may pass, but nothing passes as better than it is stated."""
    found = written(content, verify)
    if isinstance(found, Authentic):
        stated = found.statement.predicate.verdict
        assert found.verdict in (stated, Verdict.UNDECIDED)
        assert content == rfc8785.dumps(json.loads(content))


def any_file_is_a_key_or_refused(content: bytes) -> None:
    written(content, public_key_in)
    written(content, lambda file: signer_in(file, lambda: "x"))


def any_transcript_is_its_own_or_refused(content: bytes) -> None:
    for name, packed in PACKED.items():
        backend = read_statement((GOOD / f"{OWN[name]}.json").read_bytes(), "it")
        assert not isinstance(backend, ClaimStatement)
        accepted = written(content, partial(transcript_of, backend))
        assert not accepted or gzip.decompress(content) == gzip.decompress(packed)


def transcript_of(backend: Statement, file: Path) -> bool:
    require_transcript(file, backend)
    return True


LAWS: dict[str, tuple[Callable[[Any], None], st.SearchStrategy[Any], float]] = {
    "bytes": (any_bytes_are_read_or_refused, st.binary(max_size=200) | bytes_near(CONTENTS), 2),
    "json": (any_json_is_read_or_refused, values, 1),
    "signed": (any_signed_bytes_are_read_or_refused, bytes_near(CONTENTS), 1),
    "statements": (what_verifies_says_what_it_said, statements_near(), 1),
    "keys": (any_file_is_a_key_or_refused, bytes_near(KEYS), 2),
    "transcripts": (
        any_transcript_is_its_own_or_refused,
        bytes_near([*PACKED.values()]) | bytes_near(LINES).map(gzip.compress), 2),
}  # fmt: skip


def held(name: str, examples: int, *, derandomized: bool) -> None:
    law, drawn, share = LAWS[name]
    often = settings(
        max_examples=int(examples * share),
        derandomize=derandomized,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    often(given(drawn)(law))()


@each_of("name", LAWS)
def test_no_bytes_raise_any_error_but_ours(name: str) -> None:
    held(name, FEW, derandomized=True)
