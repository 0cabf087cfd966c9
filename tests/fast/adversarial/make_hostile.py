"""Make the hostile certificates from the good ones. Run it to write them again.

Each is a good one with one thing changed; table.toml says which error that has to raise, and why.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import hostile_changes
import rfc8785
from made_signers import signer
from simplexcert.certify.certificate.signing import Opened, sealed

HERE = Path(__file__).parent
Table = dict[str, Any]
Change = Callable[[bytes], bytes]
CHANGES: dict[str, Change] = {}

# What a claim's certificate would say of a release that is none of its subjects.
DRAWN: dict[str, Any] = {
    "private": True, "drawn_from": "operating system", "seed": None, "grid": "1/1024",
    "protected": None,
    "file": {"name": "drawn.json", "digest": {"sha256": "0" * 64}}, "ledger": None,
}  # fmt: skip
ASTRONOMICAL = "1e+999999999999"
ONE = "0x1.0000000000000p+0"


def put(name: str, change: Change) -> None:
    """Add a hostile file, by its name."""
    assert name not in CHANGES
    CHANGES[name] = change


def stated(name: str, change: Callable[[Table], object]) -> None:
    """Add one whose statement is changed and stays canonical where it has such a form."""

    def changed(content: bytes) -> bytes:
        table = json.loads(content)
        change(table)
        return json.dumps(table, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()

    put(name, changed)


def wrapped(name: str, change: Callable[[Table], object]) -> None:
    """Add one whose envelope is changed and stays canonical."""

    def changed(content: bytes) -> bytes:
        table = json.loads(content)
        change(table)
        return rfc8785.dumps(table)

    put(name, changed)


def signed(name: str, change: Change) -> None:
    """Add one whose payload is changed and signed again, by the key that is trusted."""
    put(name, lambda content: resigned(change(payload_of(content))))


def replaced(name: str, old: bytes, new: bytes) -> None:
    """Add one with the first of some bytes replaced."""

    def changed(content: bytes) -> bytes:
        assert old in content
        return content.replace(old, new, 1)

    put(name, changed)


def payload_of(content: bytes) -> bytes:
    """Return the payload of an envelope."""
    return base64.b64decode(json.loads(content)["payload"])


def resigned(payload: bytes) -> bytes:
    """Return any bytes in an envelope, signed."""
    return sealed(Opened(payload, {}), signer(0))


def good(name: str) -> bytes:
    """Return a good file."""
    return (HERE / "good" / name).read_bytes()


def first(table: Table) -> Table:
    """Return the first signature of an envelope."""
    found: Table = table["signatures"][0]
    return found


def check(table: Table) -> Table:
    """Return the first check, which was made."""
    found: Table = table["predicate"]["checks"][0]
    return found


def predicate(table: Table) -> Table:
    """Return what is said."""
    found: Table = table["predicate"]
    return found


def subject(table: Table) -> Table:
    """Return the first thing that it is said of."""
    found: Table = table["subject"][0]
    return found


def flipped(text: str, byte: int) -> str:
    """Return base64 of the same bytes but for one bit."""
    content = bytearray(base64.b64decode(text))
    content[byte] ^= 1
    return base64.b64encode(content).decode()


def renamed(name: str) -> Callable[[Table], object]:
    """Return a change of the subject's name."""
    return lambda t: subject(t).update(name=name)


# --- The envelope, with the key that it was signed by. ---
wrapped("signature-bad", lambda t: first(t).update(sig=flipped(first(t)["sig"], 0)))
wrapped(
    "signature-bad-in-its-last-byte", lambda t: first(t).update(sig=flipped(first(t)["sig"], 63))
)
wrapped("signature-of-zeros", lambda t: first(t).update(sig=base64.b64encode(bytes(64)).decode()))
wrapped("signature-cut-short", lambda t: first(t).update(sig=base64.b64encode(bytes(63)).decode()))
wrapped("signature-empty", lambda t: first(t).update(sig=""))
wrapped(
    "signature-of-another-payload",
    lambda t: first(t).update(sig=first(json.loads(good("release-signed.json")))["sig"]),
)
wrapped(
    "payload-swapped",
    lambda t: t.update(payload=json.loads(good("release-signed.json"))["payload"]),
)
wrapped("payload-changed-in-one-bit", lambda t: t.update(payload=flipped(t["payload"], 1000)))
wrapped("payload-type-of-another-kind", lambda t: t.update(payloadType="application/json"))
wrapped("payload-type-missing", lambda t: t.pop("payloadType"))
wrapped("payload-missing", lambda t: t.pop("payload"))
wrapped("payload-a-list", lambda t: t.update(payload=[t["payload"]]))
wrapped("keyid-unknown", lambda t: first(t).update(keyid="0" * 64))
wrapped("keyid-missing", lambda t: first(t).pop("keyid"))
wrapped("keyid-in-capitals", lambda t: first(t).update(keyid=first(t)["keyid"].upper()))
wrapped("keyid-with-a-line-end", lambda t: first(t).update(keyid=first(t)["keyid"] + "\n"))
wrapped("signatures-missing", lambda t: t.pop("signatures"))
wrapped("signatures-empty", lambda t: t.update(signatures=[]))
wrapped("signatures-a-thousand", lambda t: t.update(signatures=t["signatures"] * 1000))
wrapped("signature-by-the-same-key-twice", lambda t: t["signatures"].append(first(t)))
wrapped("signatures-out-of-order", lambda t: t["signatures"].reverse())
wrapped("envelope-field-unknown", lambda t: t.update(critical=["payloadType"]))
wrapped("signature-field-unknown", lambda t: first(t).update(cert="none"))
replaced("envelope-key-twice", b'{"payload":', b'{"payload":"","payload":')
replaced("envelope-signatures-twice", b'"signatures":', b'"signatures":[],"signatures":')
replaced("envelope-with-spaces", b":", b": ")
replaced("envelope-with-an-escape", b"payloadType", b"p\\u0061yloadType")
put("envelope-after-a-byte-order-mark", lambda c: b"\xef\xbb\xbf" + c)
put("envelope-before-a-line-end", lambda c: c + b"\n")
put("envelope-before-another", lambda c: c + c)
put("envelope-cut-short", lambda c: c[:-1])
put("envelope-in-a-list", lambda c: b"[" + c + b"]")
wrapped(
    "base64-with-a-space", lambda t: t.update(payload=t["payload"][:4] + " " + t["payload"][4:])
)
wrapped(
    "base64-with-line-ends",
    lambda t: t.update(payload=t["payload"][:76] + "\n" + t["payload"][76:]),
)
wrapped("base64-for-addresses", lambda t: first(t).update(
    sig=base64.urlsafe_b64encode(b"\xff" * 64).decode()))  # fmt: skip
wrapped("base64-with-bits-in-its-padding", lambda t: first(t).update(
    sig=first(t)["sig"][:-3] + chr(ord(first(t)["sig"][-3]) + 1) + "=="))  # fmt: skip
wrapped("base64-without-padding", lambda t: first(t).update(sig=first(t)["sig"].rstrip("=")))
wrapped("base64-with-more-padding", lambda t: first(t).update(sig=first(t)["sig"] + "===="))
wrapped("base64-of-other-letters", lambda t: t.update(payload="é" + t["payload"][2:]))
signed("signed-payload-not-canonical", lambda p: p.replace(b":", b": ", 1))
signed("signed-payload-an-envelope", lambda _: good("backend-signed.json"))
signed("signed-payload-empty", lambda _: b"")
signed("signed-payload-no-json", lambda _: b"\xff\xfe")
signed("signed-payload-untrue", lambda p: p.replace(b'"cases":12', b'"cases":13', 1))
put("not-signed-though-a-key-is-given", payload_of)
put("signed-by-another-key-alone", lambda c: sealed(Opened(payload_of(c), {}), signer(1)))
wrapped("second-signature-bad", lambda t: t["signatures"][1].update(
    sig=flipped(t["signatures"][1]["sig"], 9)))  # fmt: skip
wrapped("second-signature-dropped", lambda t: t["signatures"].pop())

# --- The text, before anything is made of it. ---
replaced("key-twice", b'"seed":0', b'"seed":1,"seed":0')
replaced("key-twice-deep-inside", b'"cases":12', b'"cases":1,"cases":12')
replaced("spaces", b":", b": ")
replaced("escape", b'"certified"', b'"\\u0063ertified"')
replaced("solidus-escaped", b"https://", b"https:\\/\\/")
replaced("number-with-a-point", b'"seed":0', b'"seed":0.0')
replaced("number-with-an-exponent", b'"cases":12', b'"cases":12e0')
replaced("number-minus-zero", b'"seed":0', b'"seed":-0')
replaced("number-not-a-number", b'"seed":0', b'"seed":NaN')
replaced("number-infinite", b'"seed":0', b'"seed":Infinity')
replaced("number-beyond-doubles", b'"seed":0', b'"seed":1e400')
replaced("number-of-an-endless-exponent", b'"seed":0', b'"seed":1e999999999')
replaced("number-that-json-cannot-carry", b'"seed":0', b'"seed":9007199254740993')
replaced("number-of-too-many-digits", b'"seed":0', b'"seed":1' + b"0" * 20_000)
replaced("numbers-too-large-together", b'"seed":0', b'"seed":[' + b"1e9999," * 2_001 + b"0]")
replaced(
    "numbers-in-quotes-too-large-together", b'"seed":0', b'"seed":[' + b'"1e9999",' * 2_001 + b"0]"
)
replaced("number-with-a-leading-zero", b'"cases":12', b'"cases":012')
replaced("no-utf-8", b'"rounded"', b'"round\xff"')
replaced("utf-8-too-long", b'"rounded"', b'"round\xc1\xa5d"')
replaced("lone-surrogate", b'"rounded"', b'"\\ud800"')
replaced("comment", b"{", b"{/**/")
replaced("comma-at-the-end", b"}]}", b"}],}")
put("byte-order-mark", lambda c: b"\xef\xbb\xbf" + c)
put("utf-16", lambda c: c.decode().encode("utf-16"))
put("line-end-at-the-end", lambda c: c + b"\n")
put("zero-byte-at-the-end", lambda c: c + b"\0")
put("cut-short", lambda c: c[:-100])
put("empty", lambda _: b"")
put("null", lambda _: b"null")
put("deep", lambda _: b"[" * 10_000 + b"]" * 10_000)
put("deep-objects", lambda _: b'{"a":' * 5_000 + b"1" + b"}" * 5_000)
replaced("deep-inside", b'"subject":[', b'"subject":[' + b"[" * 500 + b"]" * 500 + b",")
put("order-of-keys", lambda c: json.dumps(
    dict(reversed(json.loads(c).items())), separators=(",", ":")).encode())  # fmt: skip

# --- The shape. ---
stated("version-unknown", lambda t: t.update(predicateType=t["predicateType"][:-1] + "9"))
stated("version-of-another-kind", lambda t: t.update(
    predicateType="https://simplexcert.github.io/claim/v1"))  # fmt: skip
stated("version-0", lambda t: t.update(predicateType=t["predicateType"][:-1] + "0"))
stated("kind-of-another-name", lambda t: t.update(
    predicateType="https://simplexcert.github.io/certificate/v2"))  # fmt: skip
stated(
    "version-of-somebody-else", lambda t: t.update(predicateType="https://slsa.dev/provenance/v1")
)
stated("version-missing", lambda t: t.pop("predicateType"))
stated("statement-of-another-type", lambda t: t.update(_type="https://in-toto.io/Statement/v0.1"))
stated("field-unknown", lambda t: predicate(t).update(trusted="yes"))
stated("field-unknown-and-critical", lambda t: t.update(critical=["everything"]))
stated("field-in-other-letters", lambda t: t.update(Predicate=t.pop("predicate")))
stated("field-missing", lambda t: predicate(t).pop("non_claims"))
stated("field-null", lambda t: predicate(t).update(checks=None))
stated("subject-missing", lambda t: t.update(subject=[]))
stated("subject-above", renamed("../backend.py"))
stated("subject-above-in-the-middle", renamed("a/../../backend.py"))
stated("subject-absolute", renamed("/etc/passwd"))
stated("subject-with-backslashes", renamed("..\\backend.py"))
stated("subject-with-control-characters", renamed("\x1b[2Jbackend.py"))
stated("subject-with-a-zero-byte", renamed("backend.py\0.txt"))
stated("subject-with-a-line-end", renamed("backend.py\n"))
stated("subject-written-backwards", renamed("\u202eyp.dnekcab"))
stated("subject-with-a-mark-of-no-width", renamed("back\u200eend.py"))
stated("subject-empty", renamed(""))
stated("subject-endless", renamed("a" * 5_000))
stated("digest-in-capitals", lambda t: subject(t)["digest"].update(
    sha256=subject(t)["digest"]["sha256"].upper()))  # fmt: skip
stated("digest-cut-short", lambda t: subject(t)["digest"].update(sha256="abc"))
stated("digest-with-a-line-end", lambda t: subject(t)["digest"].update(
    sha256=subject(t)["digest"]["sha256"] + "\n"))  # fmt: skip
stated("digest-of-another-kind", lambda t: subject(t).update(digest={"md5": "0" * 32}))
stated("subject-of-another-digest", lambda t: subject(t)["digest"].update(sha256="0" * 64))
stated("cases-negative", lambda t: check(t).update(cases=-1))
stated("cases-a-fraction", lambda t: check(t).update(cases=12.5))
stated("cases-a-text", lambda t: check(t).update(cases="12"))
stated("cases-a-truth-value", lambda t: check(t).update(cases=True))
stated("verdict-unknown", lambda t: predicate(t).update(verdict="fine"))
stated("text-endless", lambda t: predicate(t)["scope"].update(backend="a" * 25_000))
stated("text-with-control-characters", lambda t: predicate(t)["scope"].update(
    backend="\x1b[2J\x1b[HCERTIFIED"))  # fmt: skip
stated("time-that-never-was", lambda t: predicate(t).update(issued="2025-02-30T00:00:00Z"))
stated("time-with-no-zone", lambda t: predicate(t).update(issued="2025-02-28T00:00:00"))
stated("enclosure-not-a-number", lambda t: check(t)["worst"].update(lower="nan"))
stated("enclosure-a-number", lambda t: check(t)["worst"].update(lower=0))

# --- What is said. ---
stated("part-refuted-under-a-certified-whole", lambda t: check(t).update(verdict="refuted"))
stated("part-undecided-under-a-certified-whole", lambda t: check(t).update(verdict="undecided"))
stated("part-missing", lambda t: predicate(t)["checks"].pop(0))
stated("part-twice", lambda t: predicate(t)["checks"].append(check(t)))
stated("parts-all-missing", lambda t: predicate(t).update(checks=[]))
stated("part-of-no-cases", lambda t: check(t).update(cases=0))
stated("part-said-not-to-apply", lambda t: check(t).update(
    verdict="inapplicable", cases=0, worst=None, ulps=None, side="none",
    second="inapplicable"))  # fmt: skip
stated("scope-wider-than-the-parts", lambda t: predicate(t)["scope"].update(quantities="*"))
stated("cases-more-than-were-run", lambda t: predicate(t)["scope"].update(cases=10**9))
stated("worst-case-missing", lambda t: check(t).update(worst=None))
stated("enclosure-inverted", lambda t: check(t)["worst"].update(
    lower=check(t)["worst"]["upper"], upper=check(t)["worst"]["lower"]))  # fmt: skip
stated("enclosure-moved", lambda t: check(t)["worst"].update(lower="1e-22", upper="1.1e-22"))
stated("enclosure-astronomical", lambda t: check(t)["worst"].update(
    lower=ASTRONOMICAL, upper=ASTRONOMICAL))  # fmt: skip
stated("value-below-the-truth", lambda t: check(t)["worst"].update(value="0x1.0000000000000p-1060"))
stated("value-not-a-number", lambda t: check(t)["worst"].update(value="nan"))
stated("value-infinite", lambda t: check(t)["worst"].update(value="inf"))
stated("value-beyond-doubles", lambda t: check(t)["worst"].update(value="0x1p+99999"))
stated("parameter-outside-the-domain", lambda t: check(t)["worst"]["parameters"].update(
    alpha="-" + ONE))  # fmt: skip
stated("parameter-infinite", lambda t: check(t)["worst"]["parameters"].update(alpha="inf"))
stated("parameter-missing", lambda t: check(t)["worst"]["parameters"].pop("alpha"))
stated("parameter-unknown", lambda t: check(t)["worst"]["parameters"].update(file=ONE))
stated("parameter-a-list", lambda t: check(t)["worst"]["parameters"].update(alpha=[ONE]))
stated("parameter-of-another-case", lambda t: check(t)["worst"]["parameters"].update(alpha=ONE))
stated("entry-of-a-number", lambda t: check(t)["worst"].update(entry=[1]))
stated("side-changed", lambda t: check(t).update(side="below"))
stated("quantity-unknown", lambda t: check(t).update(quantity="dirichlet.profile.x"))
stated("slack-not-told", lambda t: check(t).update(slack="1/2"))
stated("slack-of-everything", lambda t: check(t).update(slack="1"))
stated("limits-not-told", lambda t: predicate(t)["non_claims"].pop())
stated("assumptions-not-told", lambda t: predicate(t).update(hypotheses=[]))
stated("second-engine-not-named", lambda t: predicate(t)["engines"].pop())
stated("transcript-of-fewer-cases", lambda t: predicate(t)["transcript"].update(cases=1))
stated("sample-missing", lambda t: predicate(t).update(sample=[]))


# --- What its reader demands: it checks, and admits more slack than that. ---
def admitting(table: Table) -> None:
    """Admit a slack, and tell it as it has to be told."""
    name = check(table)["quantity"]
    for one in predicate(table)["checks"]:
        if one["quantity"] == name:
            one["slack"] = "1/1000000000"
    sentence = "a relative understatement of 1e-9 is admitted by the backend"
    predicate(table)["non_claims"].insert(0, f"{name}: {sentence}")


stated("slack-that-its-reader-does-not-admit", admitting)

# --- The transcript. ---
put("transcript-of-another-campaign", lambda _: good("cases-of-another.jsonl.gz"))
put("transcript-cut-short", lambda c: c[:-20])
put("transcript-of-nothing", lambda _: gzip.compress(b"", mtime=0))
put("transcript-with-a-wrong-checksum", lambda c: c[:-8] + bytes(4) + c[-4:])
put("transcript-with-a-bad-byte", lambda c: c[:200] + bytes([c[200] ^ 4]) + c[201:])
put("transcript-bomb", lambda _: gzip.compress(bytes(2**25), mtime=0))
put("transcript-bomb-of-lines", lambda _: gzip.compress(b"\n" * 2**24, mtime=0))
put("transcript-bomb-of-cases", lambda c: gzip.compress(gzip.decompress(c) * 2_000, mtime=0))
put("transcript-with-large-numbers", lambda c: gzip.compress(
    gzip.decompress(c).replace(b'"entry":[]', b'"entry":[' + b"1e9999," * 290_000 + b"0]", 1),
    mtime=0))  # fmt: skip
put("transcript-with-a-long-number", lambda c: gzip.compress(
    gzip.decompress(c).replace(b'"entry":[]', b'"entry":[' + b"7" * 2_000_000 + b"]", 1),
    mtime=0))  # fmt: skip
put("transcript-before-another", lambda c: c + c)
put("transcript-before-rubbish", lambda c: c + b"\0")
put("transcript-not-compressed", gzip.decompress)
put("transcript-in-another-order", lambda c: gzip.compress(
    b"".join(sorted(gzip.decompress(c).splitlines(keepends=True))), mtime=0))  # fmt: skip
put("transcript-with-a-case-dropped", lambda c: gzip.compress(
    b"".join(gzip.decompress(c).splitlines(keepends=True)[:-1]), mtime=0))  # fmt: skip
put("transcript-with-a-verdict-changed", lambda c: gzip.compress(
    gzip.decompress(c).replace(b"certified", b"undecided", 1), mtime=0))  # fmt: skip

# --- A transcript that was forged, and a certificate that states its digest. ---
FORGED: dict[str, Callable[[list[Table]], list[Table]]] = {}


def forged(name: str, change: Callable[[list[Table]], object]) -> None:
    """Add a certificate of the good transcript with other cases."""

    def changed_cases(cases: list[Table]) -> list[Table]:
        change(cases)
        return cases

    def with_digest(table: Table) -> None:
        content = forged_lines(name)
        predicate(table)["transcript"].update(sha256=hashlib.sha256(content).hexdigest())

    FORGED[name] = changed_cases
    stated(name, with_digest)


def forged_lines(name: str) -> bytes:
    """Return the lines of a forged transcript."""
    lines = gzip.decompress(good("cases.jsonl.gz")).splitlines()
    return b"".join(
        rfc8785.dumps(case) + b"\n" for case in FORGED[name](list(map(json.loads, lines)))
    )


def forged_file(name: str) -> Path:
    """Return where the transcript of a forged certificate is."""
    return HERE / "forged" / f"{name}.jsonl.gz"


def of_kind(cases: list[Table], kind: str) -> list[Table]:
    """Return the directions of the first quantity at points of a kind."""
    first = cases[0]["quantity"]
    return [
        case for case in cases
        if (case["quantity"], case["check"], case["kind"]) == (first, "direction", kind)
    ]  # fmt: skip


def of_the_first_five(cases: list[Table]) -> None:
    cases[:] = [cases[at % 5] for at in range(len(cases))]


def left_out(cases: list[Table]) -> None:
    cases[:] = [*cases[1:], cases[-1]]


forged("forged-of-five-lines-repeated", of_the_first_five)
forged("forged-with-a-drawn-point-made-up", lambda cases: (
    of_kind(cases, "drawn")[1]["parameters"].update(alpha=ONE)))  # fmt: skip
forged("forged-with-a-drawn-point-repeated", lambda cases: (
    of_kind(cases, "drawn")[1].update(parameters=cases[0]["parameters"])))  # fmt: skip
forged("forged-with-a-found-point-repeated", lambda cases: of_kind(cases, "found")[1].update(
    parameters=of_kind(cases, "found")[0]["parameters"]))  # fmt: skip
forged("forged-with-a-line-left-out", left_out)
forged("forged-with-points-said-to-be-found", lambda cases: (
    [case.update(kind="found") for case in cases]))  # fmt: skip
forged("forged-with-lines-exchanged", lambda cases: cases.insert(0, cases.pop(1)))
stated("forged-by-another-seed", lambda t: (
    predicate(t).update(seed=7), predicate(t)["non_claims"].insert(
        0, "Points were drawn by the seed 7, which its issuer chose; 0 is usual.")))  # fmt: skip
stated("forged-of-another-file", lambda t: t["subject"][0]["digest"].update(sha256="0" * 64))
stated("forged-by-another-version", lambda t: predicate(t)["tool"].update(version="0.0.7"))
stated("seed-not-told", lambda t: predicate(t).update(seed=7))
stated("cases-beyond-all-campaigns", lambda t: (
    predicate(t)["scope"].update(cases=3_500_000_000_000_000), [
        one.update(cases=3_500_000_000_000_000) for one in predicate(t)["checks"]]))  # fmt: skip

# --- A release. ---


def claim(table: Table) -> Table:
    """Return a release's claim."""
    found: Table = table["predicate"]["claim"]
    return found


def evidence(table: Table) -> Table:
    """Return the first number that a release's verdict rests on."""
    found: Table = table["predicate"]["evidence"][0]
    return found


stated("claim-of-a-smaller-epsilon", lambda t: claim(t).update(epsilon="1/10"))
stated("claim-of-another-epsilon", lambda t: claim(t).update(epsilon="2"))
stated("claim-of-another-delta", lambda t: claim(t).update(delta="1/1000000000000"))
stated("claim-of-another-parameter", lambda t: claim(t)["release"].update(k="41/2"))
stated("claim-of-another-mechanism", lambda t: claim(t).update(mechanism="dirichlet.identity"))
stated("claim-of-an-unknown-mechanism", lambda t: claim(t).update(mechanism="os.system"))
stated("claim-not-reduced", lambda t: claim(t)["release"].update(k="206/10"))
stated("claim-with-data", lambda t: claim(t)["release"].update(counts=["1", "2", "3", "4", "5"]))
stated("claim-with-a-key-unknown", lambda t: claim(t)["release"].update(file="/etc/passwd"))
stated("claim-without-a-parameter", lambda t: claim(t)["release"].pop("eta"))
stated("claim-of-delta-and-order", lambda t: claim(t).update(order="2"))
stated("claim-of-a-huge-number", lambda t: claim(t).update(epsilon="1" + "0" * 30_000))
stated("claim-of-many-digits", lambda t: claim(t)["release"].update(k="1" + "0" * 19_000))
stated("claim-a-number", lambda t: claim(t).update(epsilon=2))
stated("claim-not-a-number", lambda t: claim(t).update(epsilon="nan"))
stated("claim-of-what-is-left-to-be-chosen", lambda t: claim(t)["release"].update(k="tight"))
stated("claim-over-zero", lambda t: claim(t).update(epsilon="1/0"))
stated("claim-deep", lambda t: claim(t)["release"].update(k=[[[[[[[["1"]]]]]]]]))
stated("claim-with-control-characters", lambda t: claim(t).update(name="\x1b[2JCERTIFIED"))
stated("claim-written-backwards", lambda t: claim(t).update(name="\u202edeifitrec"))
stated(
    "release-refuted-said-certified",
    lambda t: predicate(t).update(verdict="certified", witness=None),
)
stated("release-certified-said-refuted", lambda t: predicate(t).update(
    verdict="refuted",
    witness=predicate(json.loads(good("release-refuted.json")))["witness"]))  # fmt: skip
stated("release-certified-said-an-error", lambda t: predicate(t).update(verdict="error"))
stated("evidence-moved", lambda t: evidence(t).update(lower="1", upper="1.1"))
stated("evidence-inverted", lambda t: evidence(t).update(
    lower=evidence(t)["upper"], upper=evidence(t)["lower"]))  # fmt: skip
stated("evidence-dropped", lambda t: predicate(t)["evidence"].pop())
stated(
    "evidence-of-another-quantity", lambda t: evidence(t).update(quantity="dirichlet.profile.renyi")
)
stated("evidence-at-another-point", lambda t: evidence(t)["parameters"].update(alpha="2"))
stated("evidence-twice", lambda t: predicate(t)["evidence"].append(evidence(t)))
stated("evidence-said-not-to-be-asked-twice", lambda t: evidence(t).update(second="inapplicable"))
stated("exact-moved", lambda t: predicate(t)["exact"]["epsilon_at_delta"].update(
    lower="0.1", upper="0.2"))  # fmt: skip
stated("exact-dropped", lambda t: predicate(t)["exact"].pop("epsilon_at_delta"))
stated(
    "exact-not-a-number", lambda t: predicate(t)["exact"]["epsilon_at_delta"].update(upper="nan")
)
stated("paper-bound-moved", lambda t: predicate(t)["paper"]["epsilon_bound"].update(
    lower="0.5", upper="0.6"))  # fmt: skip
stated("paper-bound-dropped", lambda t: predicate(t)["paper"].update(epsilon_bound=None))
stated("exact-any-number", lambda t: predicate(t)["exact"]["epsilon_at_delta"].update(
    lower="0", upper="inf"))  # fmt: skip
stated("exact-four-times-the-truth-at-most", lambda t: (
    predicate(t)["exact"]["epsilon_at_delta"].update(upper="9")))  # fmt: skip
stated("paper-bound-any-number", lambda t: predicate(t)["paper"]["epsilon_bound"].update(
    lower="0", upper=ASTRONOMICAL))  # fmt: skip
stated("evidence-any-number", lambda t: evidence(t).update(lower="-inf", upper="inf"))
stated("attained-denied", lambda t: predicate(t).update(attained=False))
stated("witness-dropped", lambda t: predicate(t).update(witness=None))
stated("witness-changed", lambda t: predicate(t)["witness"].update(alpha="1"))
stated("witness-of-other-rows", lambda t: predicate(t)["witness"].update(rows=["1"]))
stated("witness-without-a-part", lambda t: predicate(t)["witness"].pop("claimed"))
stated("hypothesis-said-to-hold", lambda t: [
    one.update(status="holds") for one in predicate(t)["hypotheses"]])  # fmt: skip
stated("hypothesis-dropped", lambda t: predicate(t)["hypotheses"].pop(0))
stated("hypothesis-said-to-rest-on-data", lambda t: predicate(t)["hypotheses"][0].update(
    rests_on="data"))  # fmt: skip
stated("release-said-to-be-drawn", lambda t: predicate(t).update(release=DRAWN))
stated("release-from-a-seed-said-certified", lambda t: predicate(t).update(release={
    **DRAWN, "private": False, "drawn_from": "seed", "seed": "7"}))  # fmt: skip
stated("release-member-missing", lambda t: predicate(t).pop("release"))
stated("release-limits-not-told", lambda t: predicate(t)["non_claims"].pop(0))
stated("release-engines-not-named", lambda t: predicate(t).update(engines=[]))
stated("release-field-unknown", lambda t: predicate(t).update(checked=True))
stated("field-of-a-hypothesis-missing", lambda t: predicate(t)["hypotheses"][0].pop("bears_on"))
put("release-where-a-backend-is-asked-for", lambda _: good("release.json"))
signed(
    "signed-release-of-another-claim",
    lambda p: p.replace(b'"epsilon":"451/200"', b'"epsilon":"1/10"'),
)

# --- A release of rows, counted from records in a file. ---


def row(table: Table) -> Table:
    """Return the first row."""
    found: Table = predicate(table)["rows"][0]
    return found


def told(table: Table, at: int) -> Table:
    """Return one of the hypotheses that are told from the data."""
    found: list[Table] = [
        one for one in predicate(table)["hypotheses"] if one["rests_on"] == "data"
    ]
    return found[at]


stated("rows-dropped", lambda t: predicate(t).update(rows=[]))
stated("rows-missing", lambda t: predicate(t).pop("rows"))
stated("rows-without-one", lambda t: predicate(t)["rows"].pop())
stated("rows-in-another-order", lambda t: predicate(t)["rows"].reverse())
stated("row-moved", lambda t: row(t)["epsilon_at_delta"].update(lower="0.1", upper="0.2"))
stated("row-inverted", lambda t: row(t)["epsilon_at_delta"].update(lower="1", upper="0.1"))
stated("row-of-another-name", lambda t: row(t).update(label="else"))
stated("row-of-other-numbers", lambda t: row(t).update(N="10"))
stated("row-without-a-bound", lambda t: row(t).update(delta_bound=None))
stated("rows-of-other-labels", lambda t: claim(t)["release"]["labels"].reverse())
stated("rows-of-one-label", lambda t: claim(t)["release"].update(labels=["home"] * 4))
stated("rows-of-a-label-that-is-none", lambda t: claim(t)["release"].update(labels=["", *"bcd"]))
stated("rows-without-labels", lambda t: claim(t)["release"].pop("labels"))
stated("read-off-not-told", lambda t: claim(t)["release"].pop("read_off_the_data"))
stated("read-off-told-of-k", lambda t: claim(t)["release"].update(read_off_the_data=["k"]))
stated("read-off-a-text", lambda t: claim(t)["release"].update(read_off_the_data="N, n, labels"))
stated("left-out-not-told", lambda t: claim(t)["release"].pop("left_out_of_the_data"))
stated("left-out-twice", lambda t: claim(t)["release"].update(left_out_of_the_data=["moon"] * 2))
stated("file-of-data-named", lambda t: claim(t)["release"].update(counts="moves.csv"))
stated("data-told-of-in-a-note", lambda t: told(t, 0).update(note="the least count is 89"))
stated("data-told-of-by-half", lambda t: predicate(t)["hypotheses"].remove(told(t, -1)))
stated("data-said-to-be-assumed", lambda t: told(t, 0).update(status="assumed"))
stated("data-said-of-elsewhere", lambda t: told(t, 2).update(source="benvenuti2025"))
stated("data-below-the-floor-certified", lambda t: (
    told(t, 0).update(status="fails"), predicate(t)["paper"].update(applies=False)))  # fmt: skip
stated("data-said-to-fail-though-the-bound-applies", lambda t: told(t, 0).update(status="fails"))
stated("accuracy-said-to-be-of-privacy", lambda t: told(t, -1).update(bears_on="privacy"))
stated("privacy-said-to-be-of-accuracy", lambda t: predicate(t)["hypotheses"][0].update(
    bears_on="accuracy"))  # fmt: skip
stated("claim-file-of-another-claim", lambda t: claim(t)["release"]["k"].reverse())
stated("claim-file-that-leaves-nothing-open", lambda t: claim(t)["release"].update(
    read_off_the_data=["eta", "N", "n", "labels"]))  # fmt: skip


# --- Laws, the names of a scope, samplers. ---
for name, of_a_statement in hostile_changes.STATED.items():
    stated(name, of_a_statement)
for name, of_lines in hostile_changes.LINES.items():
    put(name, of_lines)


def file_of(name: str) -> Path:
    """Return where a hostile file is."""
    of_cases = name.startswith("transcript-") and name != "transcript-of-fewer-cases"
    return HERE / "hostile" / f"{name}{'.jsonl.gz' if of_cases else '.json'}"


def main(bases: dict[str, str]) -> None:
    """Write every hostile file anew; ``bases`` names the good file of each."""
    (HERE / "forged").mkdir(exist_ok=True)
    for file in (*(HERE / "hostile").iterdir(), *(HERE / "forged").iterdir()):
        file.unlink()
    for name, change in CHANGES.items():
        file_of(name).write_bytes(change(good(bases[name])))
    for name in FORGED:
        forged_file(name).write_bytes(gzip.compress(forged_lines(name), mtime=0))


if __name__ == "__main__":
    import tomllib

    table = tomllib.loads((HERE / "table.toml").read_text(encoding="utf-8"))
    main({name: row["from"] for name, row in table.items()})
