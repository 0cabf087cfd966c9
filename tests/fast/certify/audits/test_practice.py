"""A certified claim that releases without any noise to speak of keep, too, says so in line 1."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest
from each import each_of
from flint import arb
from simplexcert.certify import audit
from simplexcert.certify.audits.decision import LEAST_ERROR, MOST_DELTA, MOST_EPSILON
from simplexcert.certify.cli import run
from simplexcert.certify.verdict import Verdict
from vacuous_claims import COUNTS, Keys, claim_text

SAID = "; it hides nothing in practice"
RELEASE = {**COUNTS, "k": 10, "eta": "1/10", "N": 100}
BEYOND = MOST_EPSILON + Fraction(1, 10**9)


def claim_of(folder: Path, said: Keys, **changed: object) -> Path:
    file = folder / "claim.toml"
    text = claim_text("dirichlet.counts", {**RELEASE, **changed}, said)
    file.write_text(text, encoding="utf-8")
    return file


def told(found: list[str]) -> bool:
    return any("hidden in practice" in sentence for sentence in found)


def test_a_bit_that_is_flipped_once_in_ten_billion_keeps_the_least_of_them() -> None:
    """Whoever reads it errs as rarely; its largest log-ratio bounds all that is ever claimed."""
    flipped = LEAST_ERROR
    ratio = arb((1 - flipped).numerator) / arb(flipped.numerator)  # of equal denominators
    assert ratio.log() < MOST_EPSILON.numerator
    assert MOST_DELTA == 1 - LEAST_ERROR


@each_of(
    "said, is_told",
    [
        ({"epsilon": str(BEYOND), "delta": "1e-9"}, True),
        ({"epsilon": "1e300", "delta": "1e-9"}, True),
        ({"epsilon": "1e300", "order": 2}, True),
        ({"epsilon": 0, "delta": 1}, True),
        ({"epsilon": 1, "delta": str(MOST_DELTA + Fraction(1, 10**20))}, True),
        ({"epsilon": str(MOST_EPSILON), "delta": str(MOST_DELTA)}, False),
        ({"epsilon": str(MOST_EPSILON), "order": 2}, False),
    ],
)
def test_a_claim_beyond_practice_is_certified_and_says_so(
    said: Keys, is_told: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    claim = claim_of(tmp_path, said)
    found = audit(claim)
    assert found.verdict is Verdict.CERTIFIED
    assert told(found.non_claims) is is_told
    out = tmp_path / "certificate.json"
    for words in (["audit", str(claim), "--out", str(out)], ["verify", str(out)]):
        assert run([*words, "-q"]) == 0
        assert (SAID in capsys.readouterr().out) is is_told
    assert told(json.loads(out.read_bytes())["predicate"]["non_claims"]) is is_told


def test_of_a_claim_that_is_refuted_the_sentence_would_be_beside_the_point(tmp_path: Path) -> None:
    found = audit(claim_of(tmp_path, {"epsilon": str(BEYOND), "order": 50}))
    assert found.verdict is Verdict.REFUTED
    assert not told(found.non_claims)


def test_a_release_under_such_a_claim_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    claim, data, out = claim_of(tmp_path, {"epsilon": "1e300", "order": 2}), tmp_path / "d.csv", "r"
    with claim.open("a") as stream:
        stream.write('[data]\ncategories = ["a", "b", "c"]\npublic = ["eta", "N", "categories"]\n')
    data.write_text("category,count\na,50\nb,30\nc,20\n", encoding="utf-8")
    certificate = str(tmp_path / "c")
    words = ["release", str(claim), "--data", str(data), "--out", str(tmp_path / out)]
    assert run([*words, "--certificate", certificate, "-q"]) == 0
    assert SAID in capsys.readouterr().out
    assert run(["verify", certificate, "-q"]) == 0
    assert SAID in capsys.readouterr().out
