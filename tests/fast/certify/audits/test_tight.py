"""Parameters that are chosen for a claim: certified always, and the next decimal is not."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from ball_checks import seeded
from each import each_of
from simplexcert.certify.audits import claim as claims_read
from simplexcert.certify.audits import roots, tight
from simplexcert.certify.audits.claim import claim_in, example_text
from simplexcert.certify.audits.decision import decide
from simplexcert.certify.audits.roots import (
    FIGURES,
    LEAST,
    MOST,
    decimal_at,
    is_kept,
    last_kept,
    place_below,
)
from simplexcert.certify.certificate import claim as certificate_claim
from simplexcert.certify.certificate import verification, verify
from simplexcert.certify.certificate.claim import claim_of, claim_statement_of
from simplexcert.certify.certificate.errors import ClaimError
from simplexcert.certify.certificate.issuing import claim_subject
from simplexcert.certify.certificate.models import ReleaseClaim
from simplexcert.certify.cli import run
from simplexcert.certify.mechanisms.markov_model.rows import ModelParameters, rows_of
from simplexcert.certify.mechanisms.protocol import Claim
from simplexcert.certify.mechanisms.questions import Question, Term, Truth, truth_of
from simplexcert.certify.verdict import Verdict
from simplexcert.reference.dyadic import Dyadic
from simplexcert.reference.enclosure import Enclosure, Trilean
from simplexcert.reference.errors import DomainError, InputError, UnknownNameError
from simplexcert.reference.exact import parse_toml
from simplexcert.reference.precision import BudgetSpentError, all_within, check_budget
from simplexcert.reference.structures import ChainLaw

Table = dict[str, Any]
APPROXIMATE = {"epsilon": "1", "delta": "0.01"}
RENYI = {"epsilon": "0.7", "order": "3"}
SENSITIVITIES = {"delta2_squared": "3", "delta_inf": "1"}
ROWS = {"eta": ["6/900", "8/840"], "N": [900, 840], "n": [4, 4]}
TIGHT = "tight"
LEAST_WORD = "least"


def claimed(mechanism: str, said: Table, **release: Any) -> Claim:
    """Return the claim that these keys make."""
    return claim_in({"release": {"mechanism": mechanism, **release}, "claim": said}, "it")


def with_next(claim: Claim, key: str, places: int = 1) -> Claim:
    """Return the claim with the next decimal in place of a number."""
    beyond = decimal_at(place_below(claim.parameters.given[key]) + places)
    return claim.at(**{key: beyond})


def drawn(draw: Random) -> Iterator[tuple[str, str, Table]]:
    """Yield releases of each mechanism that are drawn, with the parameter that is left open."""
    share = {"eta": f"0.{draw.randint(10, 24)}", "eta_bar": f"0.{draw.randint(10, 20)}"}
    share["b"] = f"0.0{draw.randint(10, 40)}"
    size = draw.randint(40, 200)
    yield "dirichlet.identity", "k", {**share, "w": 3}
    yield "dirichlet.average", "k", {**share, "w": 2, "N": draw.randint(2, 9)}
    yield "dirichlet.counts", "k", {"eta": f"{draw.randint(8, 12)}/{size}", "N": size, "n": 3}
    yield "dirichlet.renyi", "step", {"alpha": f"{draw.randint(1, 90)}/7"}
    yield "dirichlet.renyi", "step", {"alpha": draw.randint(1, 9), "neighbours": "add_remove"}


def is_beyond(claim: Claim) -> bool:
    """Whether a claim is refuted where inputs attain its loss, and elsewhere not certified."""
    worst = claim.mechanism.worst(claim)
    if worst.attained:
        return decide(claim).verdict is Verdict.REFUTED
    return not worst.sufficient and truth_of(worst.asked[0]).above is Trilean.TRUE


@each_of("said", [APPROXIMATE, RENYI])
@each_of("seed", range(3))
def test_what_is_chosen_is_certified_and_the_next_decimal_is_not(seed: int, said: Table) -> None:
    for mechanism, key, release in drawn(seeded(seed)):
        claim = claimed(mechanism, said, **release, **{key: TIGHT})
        assert decide(claim).verdict is Verdict.CERTIFIED
        assert is_beyond(with_next(claim, key))


@pytest.mark.parametrize("b", ["0.3", "0.7"])
def test_where_no_whole_step_fits_what_does_is_calibrated(b: str) -> None:
    release = {"eta": "0.2", "eta_bar": "0.1", "b": b, "w": 4, "k": TIGHT}
    claim = claimed("dirichlet.identity", {"epsilon": 1, "delta": "0.1"}, **release)
    assert decide(claim).verdict is Verdict.CERTIFIED
    assert is_beyond(with_next(claim, "k"))


@pytest.mark.parametrize(
    ("widths", "said"), [([2, 3], {"epsilon": 1, "delta": "0.02"}), ([2, 2, 5], RENYI)]
)
def test_several_rows_of_a_matrix_are_chosen_together(widths: list[int], said: Table) -> None:
    release = {"eta": "0.15", "eta_bar": "0.1", "b": "0.06", "w": widths}
    claim = claimed("dirichlet.matrix", said, k=TIGHT, **release)
    assert decide(claim).verdict is Verdict.CERTIFIED
    assert decide(with_next(claim, "k")).verdict is Verdict.REFUTED


@pytest.mark.parametrize("said", [{"epsilon": 1, "delta": "0.01"}, RENYI], ids=["delta", "order"])
def test_sensitivities_alone_are_calibrated_by_their_bound(said: Table) -> None:
    claim = claimed("dirichlet.renyi", said, step=TIGHT, alpha=5, **SENSITIVITIES)
    assert decide(claim).verdict is Verdict.CERTIFIED
    assert decide(with_next(claim, "step")).verdict is Verdict.UNDECIDED


def test_a_tie_with_a_rational_is_kept() -> None:
    """At alpha = step = 1 the Kullback-Leibler divergence is 1."""
    claim = claimed("dirichlet.renyi", {"epsilon": 1, "order": 1}, step=TIGHT, alpha=1)
    assert claim.parameters.given["step"] == 1
    assert decide(claim).verdict is Verdict.CERTIFIED


@pytest.mark.parametrize("said", [{"epsilon": 1, "delta": "0.001"}, RENYI], ids=["delta", "order"])
def test_a_model_is_chosen_row_by_row(said: Table) -> None:
    claim = claimed("markov.model", said, k=TIGHT, **ROWS)
    assert decide(claim).verdict is Verdict.CERTIFIED
    k = ModelParameters.of(claim).k
    assert len(set(k)) == 2
    for at in range(2):
        more = [decimal_at(place_below(one) + (at == row)) for row, one in enumerate(k)]
        assert decide(claimed("markov.model", said, k=more, **ROWS)).verdict is Verdict.REFUTED


def test_a_row_that_is_given_keeps_its_number() -> None:
    both = claimed("markov.model", RENYI, k=TIGHT, **ROWS)
    one = claimed("markov.model", RENYI, k=["300", TIGHT], **ROWS)
    k = ModelParameters.of(both).k
    assert ModelParameters.of(one).k == (Fraction(300), k[1])
    assert decide(one).verdict is Verdict.CERTIFIED


def test_a_row_with_nothing_to_hide_takes_its_number_of_records() -> None:
    rows = {"eta": ["6/900", "1/2"], "N": [900, 7], "n": [4, 1]}
    claim = claimed("markov.model", RENYI, k=TIGHT, **rows)
    assert rows_of(claim)[1].k == 7
    assert decide(claim).verdict is Verdict.CERTIFIED


def random_chains(draw: Random) -> list[ChainLaw]:
    """Return a chain of two states whose shares are drawn."""
    stay = [Fraction(draw.randint(3, 9), 10) for _ in range(2)]
    moves = ((stay[0], 1 - stay[0]), (1 - stay[1], stay[1]))
    return [ChainLaw((Fraction(1, 4), Fraction(3, 4)), moves)]


def is_enough(claim: Claim) -> bool:
    """Whether a scale is certified by quilts or by what other mechanisms ask."""
    worst = claim.mechanism.worst(claim)
    asked = (*worst.sufficient, *(() if "values" in claim.parameters.given else worst.asked[:1]))
    return any(truth_of(question).above is Trilean.FALSE for question in asked)


def pufferfish(draw: Random) -> Iterator[tuple[str, Table]]:
    """Yield releases whose scale is left open."""
    chains = random_chains(draw)
    yield "pufferfish.chain", {"chains": chains, "length": draw.randint(2, 30), "lipschitz": "7/3"}
    yield "pufferfish.chain", {"chains": chains, "lengths": [draw.randint(2, 30), 4]}
    yield "pufferfish.chain", {"chains": chains, "length": 5, "values": [["0", "1/3"]]}
    nodes = [
        {"parents": [], "table": [["1/4", "3/4"]]},
        {"parents": [1], "table": chains[0].P},
        {"parents": [2], "table": chains[0].P},
    ]
    yield "pufferfish.network", {"networks": [nodes], "lipschitz": 2}
    yield "pufferfish.network", {"networks": [nodes], "values": [[0, 1]]}
    shares = [draw.randint(1, 9) for _ in range(4)]
    law = [Fraction(one, sum(shares)) for one in shares]
    secrets = {"secrets": [[1, 2], [3, 4]], "pairs": [[1, 2]]}
    values = [draw.randint(0, 9) for _ in range(3)]
    yield "pufferfish.wasserstein", {"values": [*values, 11], "laws": [law], **secrets}


@pytest.mark.parametrize("seed", range(2))
def test_a_scale_is_enough_and_the_decimal_before_it_is_not(seed: int) -> None:
    for mechanism, release in pufferfish(seeded(seed)):
        claim = claimed(mechanism, {"epsilon": "5/7"}, scale=TIGHT, **release)
        assert is_enough(claim)
        assert not is_enough(with_next(claim, "scale", -1))


@each_of("number", range(6))
def test_a_claim_with_a_chosen_scale_is_certified(number: int) -> None:
    mechanism, release = list(pufferfish(seeded(9)))[number]
    claim = claimed(mechanism, {"epsilon": 2}, scale=TIGHT, **release)
    assert decide(claim).verdict is Verdict.CERTIFIED


def test_of_quilts_and_distance_the_smaller_scale_is_taken() -> None:
    """Slow chains lose all to quilts, and a query that hardly moves has a small distance."""
    release = {"chains": random_chains(seeded(1)), "length": 4}
    said = {"epsilon": 1}
    quilts = claimed("pufferfish.chain", said, scale=TIGHT, **release)
    known = claimed("pufferfish.chain", said, scale=TIGHT, values=[[0, 1]], **release)
    assert known.calibrated is not None
    assert "Wasserstein" in known.calibrated.criterion
    assert known.parameters.given["scale"] < quilts.parameters.given["scale"]


KNOWN = (2, 4, 5)  # of those above, the releases of a known query


@each_of("number", KNOWN)
def test_the_least_scale_keeps_the_claim_and_the_decimal_before_it_does_not(number: int) -> None:
    mechanism, release = list(pufferfish(seeded(5)))[number]
    claim = claimed(mechanism, {"epsilon": "5/7"}, scale=LEAST_WORD, **release)
    assert decide(claim).verdict is Verdict.CERTIFIED
    assert decide(with_next(claim, "scale", -1)).verdict is Verdict.REFUTED
    tight = claimed(mechanism, {"epsilon": "5/7"}, scale=TIGHT, **release)
    assert claim.parameters.given["scale"] <= tight.parameters.given["scale"]
    assert claim.calibrated is not None
    assert "exact loss" in claim.calibrated.criterion


@each_of("number", (0, 1, 3))
def test_the_least_scale_of_an_unknown_query_is_refused_and_tight_is_named(number: int) -> None:
    mechanism, release = list(pufferfish(seeded(5)))[number]
    with pytest.raises(InputError, match='scale = "tight" is the least that a mechanism asks'):
        claimed(mechanism, {"epsilon": 1}, scale=LEAST_WORD, **release)


def test_where_the_query_hides_all_there_is_no_least_scale() -> None:
    release = {"values": [1, 1], "laws": [["1/2", "1/2"]], "secrets": [[1], [2]], "pairs": [[1, 2]]}
    with pytest.raises(DomainError, match="the query without noise keeps the claim"):
        claimed("pufferfish.wasserstein", {"epsilon": 1}, scale=LEAST_WORD, **release)


def test_only_a_scale_can_be_least() -> None:
    release = {"k": LEAST_WORD, "eta": "0.073", "N": 98, "n": 5}
    with pytest.raises(InputError, match="is not a number"):
        claimed("dirichlet.counts", APPROXIMATE, **release)


def test_the_printed_running_example_needs_what_the_audit_says() -> None:
    table = parse_toml(example_text("song2017-chain"))
    table["release"]["scale"] = TIGHT
    assert abs(claim_in(table, "it").parameters.given["scale"] - Fraction("12.9341")) < Fraction(
        "0.0001"
    )


@each_of(
    "mechanism, said, release, sentence",
    [
        ("dirichlet.counts", {"epsilon": 1, "delta": "1e-9"},
         {"k": TIGHT, "eta": "0.073", "N": 98, "n": 5},
         "no k keeps .* delta rises with k, .* it is 1.9733095e-5 or more"),
        ("dirichlet.counts", {"epsilon": 1, "order": 9},
         {"k": TIGHT, "eta": "0.073", "N": 98, "n": 5}, "epsilon rises with k, .* it is infinite"),
        ("dirichlet.counts", {"epsilon": 1, "delta": 0},
         {"k": TIGHT, "eta": "0.073", "N": 98, "n": 5},
         "no k keeps .* epsilon rises with k, .* it is infinite"),
        ("dirichlet.renyi", {"epsilon": 0, "order": 2}, {"step": TIGHT, "alpha": 3},
         "no step keeps epsilon = 0, order = 2"),
        ("dirichlet.renyi", {"epsilon": 1, "delta": 1},
         {"step": TIGHT, "alpha": 3, **SENSITIVITIES},
         "there is no largest step: every one keeps"),
        ("pufferfish.wasserstein", {"epsilon": 1},
         {"scale": TIGHT, "values": [1, 1], "laws": [["1/2", "1/2"]], "secrets": [[1], [2]],
          "pairs": [[1, 2]]}, "nothing is to be hidden"),
    ],
)  # fmt: skip
def test_a_target_that_no_number_reaches_is_refused(
    mechanism: str, said: Table, release: Table, sentence: str
) -> None:
    with pytest.raises(DomainError, match=sentence):
        claimed(mechanism, said, **release)


@pytest.mark.parametrize(
    ("mechanism", "said", "release"),
    [
        ("dirichlet.identity", RENYI, {"k": 1, "eta": TIGHT, "eta_bar": "0.1", "b": 1, "w": 2}),
        ("dirichlet.identity", RENYI, {"k": [TIGHT], "eta": "0.1", "eta_bar": "0.1", "b": 1,
                                       "w": 2}),
        ("pufferfish.chain", {"epsilon": 1},
         {"scales": [TIGHT], "length": 3, "chains": random_chains(seeded(1))}),
    ],
)  # fmt: skip
def test_no_other_number_is_chosen(mechanism: str, said: Table, release: Table) -> None:
    with pytest.raises(InputError, match="is not a number"):
        claimed(mechanism, said, **release)


def test_what_is_not_decided_in_time_is_not_chosen() -> None:
    with (
        all_within(1e-9),
        pytest.raises(BudgetSpentError, match='it: step = "tight" was not decided in time'),
    ):
        claimed("dirichlet.renyi", RENYI, step=TIGHT, alpha=5)


def test_a_number_too_near_to_tell_counts_as_above_only_where_there_was_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    near = Enclosure(Dyadic((1 << 99) - 1, -99), Dyadic((1 << 99) + 1, -99))
    question = Question("epsilon_at_order", Fraction(1), (Term("dirichlet.profile.renyi", {}),))
    monkeypatch.setattr(roots, "truth_of", lambda asked, _: Truth(asked, near, (near,)))
    assert not is_kept(question)
    with all_within(1e-9), pytest.raises(BudgetSpentError):
        is_kept(question)


def test_decimals_are_in_a_row() -> None:
    draw = seeded(3)
    places = sorted({draw.randrange(place_below(LEAST), place_below(MOST)) for _ in range(200)})
    places = sorted({*places, -1, 0, 1, *(one + 1 for one in places)})
    for one, other in pairwise(places):
        assert decimal_at(one) < decimal_at(other)
    for place in places:
        value, beyond = decimal_at(place), decimal_at(place + 1)
        assert place_below(value) == place
        assert place_below((value + 2 * beyond) / 3) == place
        assert len(str(value.numerator * 10**40 // value.denominator).rstrip("0")) <= FIGURES


def test_where_a_search_begins_does_not_matter() -> None:
    draw = seeded(5)
    for _ in range(50):
        edge = Fraction(draw.randrange(1, 10**9), draw.randrange(1, 10**9))
        found = {
            last_kept(lambda value, edge=edge: value <= edge, near)
            for near in (edge, LEAST, MOST, LEAST / 9, MOST * 9, 2 * edge)
        }
        assert found == {decimal_at(place_below(edge))}


@pytest.mark.parametrize("near", [LEAST, Fraction(1), MOST])
def test_a_search_that_meets_no_end_finds_none(near: Fraction) -> None:
    assert last_kept(lambda _: True, near) is None


@pytest.mark.parametrize("wrong", [LEAST, Fraction(3)])
def test_a_wrong_guess_changes_no_choice(wrong: Fraction, monkeypatch: pytest.MonkeyPatch) -> None:
    release: Table = {"k": TIGHT, "eta": "0.15", "eta_bar": "0.1", "b": "0.06", "w": 2}
    said = {"epsilon": 1, "delta": "0.05"}
    right = claimed("dirichlet.identity", said, **release).parameters.given["k"]
    monkeypatch.setattr(roots, "_near", lambda *_: wrong)
    assert claimed("dirichlet.identity", said, **release).parameters.given["k"] == right


def test_an_audit_tells_what_was_chosen(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "claim.toml"
    file.write_text(
        example_text("dirichlet.identity")
        .replace("k = 10 ", 'k = "tight" ')
        .replace('"0.001"  ', '"0.2"  '),
        encoding="utf-8",
    )
    assert run(["audit", str(file)]) == 0
    said = capsys.readouterr().out
    assert "\n  calibrated       k = " in said
    assert "the largest k of 12 figures that keeps the claim" in said
    assert run(["audit", str(file), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    k = told["claim"]["release"]["k"]
    assert told["calibrated"] == {
        "parameters": {"k": k},
        "criterion": "the largest k of 12 figures that keeps the claim",
    }
    assert Fraction(k) > 1


def test_a_claim_that_leaves_nothing_open_tells_of_no_choice() -> None:
    found = decide(claimed("dirichlet.renyi", RENYI, step="0.1", alpha=5))
    assert found.claim.calibrated is None
    assert "calibrated" not in found.as_json()


def test_a_certificate_holds_the_numbers_alone() -> None:
    found = decide(claimed("dirichlet.renyi", RENYI, step=TIGHT, alpha=5))
    subject = claim_subject(b"[release]", "claim.toml")
    stated = claim_statement_of(found, [subject]).predicate.claim
    assert Fraction(str(stated.release["step"])) == found.claim.parameters.given["step"]
    assert claim_of(stated) == replace(found.claim, calibrated=None)


def test_a_certificate_is_of_the_claim_file_with_the_word(tmp_path: Path) -> None:
    claim, certificate = tmp_path / "claim.toml", tmp_path / "certificate.json"
    text = example_text("benvenuti2025-grades").replace('k = "20.6"', 'k = "tight"')
    claim.write_text(text, encoding="utf-8")
    assert run(["audit", str(claim), "--out", str(certificate)]) == 0
    assert run(["verify", str(certificate), "--subject", str(claim)]) == 0


def test_without_time_to_choose_nothing_is_decided(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    claim = tmp_path / "claim.toml"
    text = example_text("benvenuti2025-grades").replace('k = "20.6"', 'k = "tight"')
    claim.write_text(text, encoding="utf-8")
    assert run(["audit", str(claim), "--max-seconds", "1e-9"]) == 2
    assert 'k = "tight" was not decided in time' in capsys.readouterr().err


@pytest.mark.parametrize("key", ["data", "output"])
def test_what_is_said_of_the_making_has_the_keys_that_a_release_knows(key: str) -> None:
    table: Callable[[object], Table] = lambda value: {  # noqa: E731
        "release": {"mechanism": "dirichlet.renyi", "step": "0.1", "alpha": 5},
        "claim": RENYI,
        key: value,
    }
    assert claim_in(table({}), "it").parameters.given["step"] == Fraction("0.1")
    with pytest.raises(UnknownNameError, match=rf"unknown key 'anything' \(it \[{key}\] takes "):
        claim_in(table({"anything": 1}), "it")
    with pytest.raises(InputError, match=rf"no table \[{key}\]"):
        claim_in(table(3), "it")


# Claims that leave a number to be chosen, as a certificate's claim would state them.
LEFT_OPEN: dict[str, tuple[Table, Table]] = {
    "k": ({"mechanism": "dirichlet.counts", "k": TIGHT, "eta": "73/1000", "N": "98", "n": "5",
           "gamma": "1/2500"}, {"epsilon": "451/200", "delta": "13/5000"}),
    "k of a row": ({"mechanism": "markov.model", "k": ["20", TIGHT], "eta": ["1/150", "1/105"],
                  "N": ["900", "840"], "n": ["4", "4"]}, APPROXIMATE),
    "step": ({"mechanism": "dirichlet.renyi", "step": TIGHT, "alpha": "5"}, RENYI),
    "scale": ({"mechanism": "pufferfish.chain", "scale": TIGHT}, {"epsilon": "1"}),
}  # fmt: skip


@pytest.mark.parametrize("key", LEFT_OPEN)
def test_a_certificate_that_leaves_a_number_open_is_refused_before_any_work(
    key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (roots, tight, claims_read):
        for name in {"with_numbers", "largest", "least_scale"} & vars(module).keys():
            monkeypatch.setattr(module, name, lambda *_: pytest.fail("a number was chosen"))
    release, said = LEFT_OPEN[key]
    given = dict(release)
    stated = ReleaseClaim(
        "a release", given.pop("mechanism"), given, said["epsilon"], said.get("delta"),
        said.get("order"),
    )  # fmt: skip
    with pytest.raises(ClaimError, match='"tight" is no number'):
        claim_of(stated)


def test_what_a_claim_file_leaves_open_is_chosen_within_the_time_of_the_certificate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    claim, certificate = tmp_path / "claim.toml", tmp_path / "certificate.json"
    text = example_text("benvenuti2025-grades").replace('k = "20.6"', 'k = "tight"')
    claim.write_text(text, encoding="utf-8")
    assert run(["audit", str(claim), "--out", str(certificate)]) == 0
    monkeypatch.setattr(verification, "CLAIM_SECONDS", 1e-9)
    with pytest.raises(BudgetSpentError, match=r"claim\.toml: k = .* not decided in time"):
        verify(certificate, subject=claim)


def test_the_claim_of_a_certificate_is_read_within_its_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = decide(claimed("dirichlet.renyi", RENYI, step="0.1", alpha=5))
    statement = claim_statement_of(found, [claim_subject(b"[release]", "claim.toml")])

    def slow(_: ReleaseClaim) -> Claim:
        check_budget()
        pytest.fail("it was read outside of the time")

    monkeypatch.setattr(certificate_claim, "CLAIM_SECONDS", 1e-9)
    monkeypatch.setattr(certificate_claim, "claim_of", slow)
    assert certificate_claim.claim_verdict(statement) == (Verdict.UNDECIDED, None)
