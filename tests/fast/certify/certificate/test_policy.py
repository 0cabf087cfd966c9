"""What a reader demands of a certificate beyond that it checks: one sentence, exit 1."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import rfc8785
from command_line import Cli, Outcome, calling
from each import each_of
from simplexcert.certify import audit
from simplexcert.certify.audits.claim import claim_in
from simplexcert.certify.certificate.backend import Terms, non_claims
from simplexcert.certify.certificate.errors import PolicyError
from simplexcert.certify.mechanisms import MECHANISMS, mechanism_named, template_text
from simplexcert.certify.mechanisms.neighbours import NAMES, Adjacency, Unlike, named
from simplexcert.reference.exact import exact_number, parse_toml
from simplexcert.reference.quantity import quantity_named

GOOD = Path(__file__).parents[2] / "adversarial" / "good"
SIGNED = GOOD / "release-signed.json"
CLAIM, BACKEND, KEY = GOOD / "release.json", GOOD / "backend.json", GOOD / "public.pem"


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Cli:
    return calling(capsys)


@pytest.mark.parametrize(
    "words",
    [
        "--max-epsilon 2.255 --max-delta 0.0026",
        "--mechanism dirichlet.counts --neighbours replace",
    ],
)
def test_a_claim_that_keeps_the_bounds_passes(cli: Cli, words: str) -> None:
    assert cli("verify", str(CLAIM), *words.split()).code == 0


# What each is told: bounds one unit of the last place too tight, and what it cannot be held to.
BROKEN_BY_THE_CLAIM = {
    "--max-epsilon 2.254 --max-delta 0.0026": "its epsilon 2.255 is above",
    "--max-epsilon 2.255 --max-delta 0.0025": "its delta 0.0026 is above",
    "--max-epsilon 2.255 --max-delta 0": "its delta 0.0026 is above",
    "--max-epsilon 2.255 --order 2": "met by a Renyi claim alone",
    "--mechanism dirichlet.identity": "it is about dirichlet.counts",
    "--neighbours add_remove": "which changes its category, not those asked for",
    "--quantities *": "--quantities has nothing to be compared with",
    "--min-cases 1": "--min-cases has nothing to be compared with",
    "--max-slack 0": "--max-slack has nothing to be compared with",
}


@each_of("words", BROKEN_BY_THE_CLAIM)
def test_a_claim_that_does_not_keep_them_is_refused(cli: Cli, words: str) -> None:
    found = cli("verify", str(CLAIM), *words.split())
    assert (found.code, found.out) == (1, "")
    assert BROKEN_BY_THE_CLAIM[words] in found.err


def test_every_bound_that_is_not_kept_is_told_in_the_sentence_and_in_json(cli: Cli) -> None:
    words = "--max-epsilon 2.254 --max-delta 0.0025 --mechanism gaussian --min-cases 1"
    told = ("--min-cases has", "it is about", "its delta", "its epsilon")
    found = cli("verify", str(CLAIM), *words.split(), "--json")
    shape = json.loads(found.out)
    assert (found.code, shape["verdict"], shape["error"]) == (1, None, "PolicyError")
    for reason, begins in zip(shape["reasons"], told, strict=True):
        assert reason.startswith(begins)
        assert reason in found.err


def test_what_was_asked_of_signatures_files_and_bounds_is_answered_together(cli: Cli) -> None:
    words = ["--key", str(KEY), "--subject", str(BACKEND), "--mechanism", "gaussian"]
    told = ["there is no signature by", f"{BACKEND} (sha256", "it is about dirichlet.counts, not"]
    shape = json.loads(cli("verify", str(CLAIM), *words, "--json").out)
    assert (shape["verdict"], shape["error"]) == (None, "SignatureError")
    lines = cli("verify", str(CLAIM), *words).err.splitlines()
    for reason, line, begins in zip(shape["reasons"], lines, told, strict=True):
        assert line == f"simplexcert: {reason}"
        assert reason.startswith(begins)


def test_another_file_does_not_hide_a_bound_that_is_not_kept(cli: Cli) -> None:
    words = ["--subject", str(BACKEND), "--neighbours", "add_remove"]
    shape = json.loads(cli("verify", str(CLAIM), *words, "--json").out)
    assert (len(shape["reasons"]), shape["error"]) == (2, "SubjectError")


def test_of_many_reasons_the_sentence_has_the_first_and_their_number() -> None:
    reasons = [f"reason {at}." for at in range(9)]
    error = PolicyError(*reasons)
    assert error.reasons == tuple(reasons)
    assert str(error).endswith("reason 4.; and 4 more reasons")


def test_of_a_signature_that_was_checked_it_is_said_what_it_leaves_open(cli: Cli) -> None:
    signed = cli("verify", str(SIGNED), "--key", str(KEY))
    assert (signed.code, "only a signature" in signed.out) == (0, False)
    assert "Who holds the key that signed it" in signed.out
    assert "only a signature" in cli("verify", str(SIGNED)).out


# A claim of order 5, and one of neighbours of another kind than the claim above.
RENYI = template_text("dirichlet.renyi").replace('"replace"', '"add_remove"')
OF_RENYI = {
    "--max-epsilon 0.1 --order 5": "",
    "--max-epsilon 0.1 --order 9/2 --neighbours add_remove": "",
    "--max-epsilon 0.1 --order 5.1": "its order 5 is below the least, 5.1",
    "--max-epsilon 0.09 --order 5": "its epsilon 0.1 is above",
    "--max-epsilon 0.1 --max-delta 0.5": "nothing to be compared with in a Renyi claim",
    "--neighbours replace": "which is added or removed, not those asked for",
}


def test_a_renyi_claim_is_held_to_an_order_alone(cli: Cli, tmp_path: Path) -> None:
    claim, out = tmp_path / "claim.toml", tmp_path / "renyi.json"
    claim.write_text(RENYI.split("[data]")[0])
    assert cli("audit", str(claim), "--out", str(out)).code == 0
    for words, said in OF_RENYI.items():
        found = cli("verify", str(out), *words.split())
        assert (found.code, said in found.err) == (int(bool(said)), True), words


@pytest.mark.parametrize("words", ["--min-cases 12 --quantities dirichlet.profile.[de]*", ""])
def test_a_backend_that_keeps_them_passes(cli: Cli, words: str) -> None:
    assert cli("verify", str(BACKEND), *words.split()).code == 0


BROKEN_BY_THE_BACKEND = {
    "--min-cases 13": "12 cases of a quantity were asked, below the least, 13",
    "--quantities *": "does not stand certified in it",
    # It is in the scope, and was not run.
    "--quantities dirichlet.profile.step_for_renyi": "does not stand certified in it",
    "--max-epsilon 9 --max-delta 0": "--max-epsilon has nothing to be compared with",
    "--mechanism dirichlet.counts": "--mechanism has nothing to be compared with",
    "--neighbours replace": "--neighbours has nothing to be compared with",
}


@each_of("words", BROKEN_BY_THE_BACKEND)
def test_a_backend_that_does_not_keep_them_is_refused(cli: Cli, words: str) -> None:
    found = cli("verify", str(BACKEND), *words.split())
    assert (found.code, found.out) == (1, "")
    assert BROKEN_BY_THE_BACKEND[words] in found.err


@pytest.fixture
def slack(tmp_path: Path) -> Path:
    """Return a backend's certificate that admits a slack of a billionth."""
    table: dict[str, Any] = json.loads(BACKEND.read_bytes())
    predicate = table["predicate"]
    for check in predicate["checks"]:
        if check["quantity"] == "dirichlet.profile.delta":
            check["slack"] = "1/1000000000"
    terms = {
        one["quantity"]: Terms(
            exact_number(one["slack"]), quantity_named(one["quantity"]), None, None
        )
        for one in predicate["checks"]
    }
    sampling = [text for text in predicate["non_claims"] if "sampling" in text]
    predicate["non_claims"] = non_claims(terms, predicate["seed"], [], sampling)
    path = tmp_path / "slack.json"
    path.write_bytes(rfc8785.dumps(table))
    return path


def test_slack_stands_in_the_headline(cli: Cli, slack: Path) -> None:
    found = cli("verify", str(slack), "-q")
    assert found.code == 0
    assert found.out.startswith("CERTIFIED WITH SLACK 1e-9  ")
    assert "SLACK" not in cli("verify", str(BACKEND)).out


def test_no_slack_is_admitted_once_anything_is_demanded(cli: Cli, slack: Path) -> None:
    found = cli("verify", str(slack), "--min-cases", "1")
    assert (found.code, found.out) == (1, "")
    assert "its slack 1e-9 is above the most, 0" in found.err
    assert cli("verify", str(slack), "--max-slack", "1e-10").code == 1
    assert cli("verify", str(slack), "--max-slack", "1e-9", "--min-cases", "1").code == 0


# Every answer is 8/10 off, on a quantity where both sides are unsafe, and promises no better.
FAR_OFF = """
from fractions import Fraction
from simplexcert.reference import evaluate

NAME = "markov.stationary_distance"


def answer(**chains):
    exact = {key: [[Fraction(x) for x in row] for row in rows] for key, rows in chains.items()}
    return float(evaluate(NAME, exact).upper) * 1.8


class Backend:
    name, version = "far off", "1"
    quantities, accuracy = {NAME: answer}, {NAME: 0.875}


backend = Backend()
"""


@pytest.fixture
def far_off(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Outcome:
    """What was printed of a backend that promises next to nothing; its certificate is far.json."""
    (tmp_path / "far_off.py").write_text(FAR_OFF)
    monkeypatch.chdir(tmp_path)
    asked = ["--quantities", "markov.stationary_distance", "--cases", "4"]
    return cli("certify", "far_off:backend", *asked, "--out", "far.json")


def test_a_wide_accuracy_without_a_safe_side_is_told_as_slack(cli: Cli, far_off: Outcome) -> None:
    assert (far_off.code, far_off.out[:21]) == (0, "CERTIFIED WITH SLACK ")
    verified = cli("verify", "far.json").out
    assert verified.startswith("CERTIFIED WITH SLACK ")
    assert "a relative error on either side of 0.875 is admitted" in " ".join(verified.split())


@pytest.mark.usefixtures("far_off")
def test_a_wide_accuracy_without_a_safe_side_is_above_a_smaller_slack(cli: Cli) -> None:
    for words in ("--max-slack 0", "--max-slack 1/2", "--quantities markov.stationary_distance"):
        assert cli("verify", "far.json", *words.split()).code == 1, words
    assert cli("verify", "far.json", "--max-slack", "7/8").code == 0


def test_a_signature_that_is_demanded_is_checked_by_a_key_that_is_given(cli: Cli) -> None:
    signed = GOOD / "backend-signed.json"
    assert cli("verify", str(signed), "--require-signed").code == 3
    assert cli("verify", str(BACKEND), "--require-signed", "--key", str(KEY)).code == 1
    assert cli("verify", str(signed), "--require-signed", "--key", str(KEY)).code == 0


@each_of(
    "words",
    [
        "--max-epsilon 1",
        "--max-delta 0",
        "--order 2",
        "--max-epsilon 1 --max-delta 0 --order 2",
        "--max-epsilon -1 --max-delta 0",
        "--max-epsilon 1 --max-delta 1",
        "--max-epsilon 1 --order 1",
        "--max-epsilon one --max-delta 0",
        "--mechanism dirichlet.count",
        "--neighbours nobody",
        "--quantities dirichlet.nothing*",
        "--min-cases 0",
        "--min-cases many",
        "--max-slack -1",
    ],
)
def test_what_nothing_could_be_held_to_is_bad_usage(cli: Cli, words: str) -> None:
    for file in (CLAIM, BACKEND):
        found = cli("verify", str(file), *words.split())
        assert (found.code, found.out) == (3, ""), words


def test_the_claim_that_was_decided_stands_before_its_name(cli: Cli) -> None:
    first, *others = " ".join(cli("verify", str(CLAIM)).out.split("Not claimed")[0].split()).split(
        " 'grades of one course', "
    )
    assert first.startswith("CERTIFIED under 2 assumptions ")
    assert first.endswith("dirichlet.counts, epsilon = 2.255, delta = 0.0026:")
    assert "parameters: N = 98, eta = 0.073, gamma = 0.0004, k = 20.6, n = 5" in others[0]
    assert f"neighbours: {NAMES['replace']}" in others[0]


@each_of("name", MECHANISMS)
def test_every_mechanism_says_whose_difference_it_hides(name: str) -> None:
    table = parse_toml(template_text(name).encode(), name)
    claim = claim_in({key: table[key] for key in table if key != "data"}, name)
    assert isinstance(mechanism_named(name).adjacency(claim, {}), Adjacency | Unlike)


@each_of("name", [name for name in MECHANISMS if not mechanism_named(name).draws])
def test_neighbours_of_a_query_that_counts_nothing_change_no_category(name: str) -> None:
    table = parse_toml(template_text(name).encode(), name)
    for neighbours in NAMES:
        said = {**table, "release": {**table["release"], "neighbours": neighbours}}
        claim = claim_in(said, name)
        found = claim.mechanism.adjacency(claim, {})
        assert named(found) == neighbours
        assert "category" not in found.words


def test_a_mixture_s_events_stand_with_their_numbers(tmp_path: Path, cli: Cli) -> None:
    release = {
        "mechanism": "composition",
        "neighbours": "replace",
        "events": [{"mechanism": "gaussian", "noise_multiplier": "5", "count": 3}],
    }
    file = tmp_path / "cert.json"
    audit({"release": release, "claim": {"epsilon": 4, "delta": "1e-5"}}).write_certificate(file)
    told = " ".join(cli("verify", str(file)).out.split())
    assert "events = [(count = 3, mechanism = 'gaussian', noise_multiplier = 5)]" in told
