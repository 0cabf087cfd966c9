"""The gallery: every faulty backend is refuted with a witness, and every sound one certified.

Kept inputs are put aside: what is tested is the search. Here some of each kind; all of it, and many
seeds of a few, are for tests/long.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from simplexcert.certify import certify_backend
from simplexcert.certify.backends.answers import real_answers
from simplexcert.certify.campaign import CheckResult, cases_of_relation
from simplexcert.certify.checks.judgement import AGAINST_THE_TRUTH, DEFAULT_ACCURACY, rules_for
from simplexcert.certify.checks.relations.cases import (
    RELATIONS,
    StatedOther,
    relation_verdict,
    relations_for,
)
from simplexcert.certify.checks.relations.form import Form
from simplexcert.certify.checks.relations.relation import by_both_engines
from simplexcert.certify.points import exact_point, real_in
from simplexcert.certify.search import hunt
from simplexcert.certify.verdict import Verdict
from simplexcert.reference import evaluate
from simplexcert.reference.enclosure import entry_at
from simplexcert.reference.quantity import Side, Truth, quantities, quantity_named

# A backend is found as a user's would be, by the name of its module.
sys.path.insert(0, str(Path(__file__).parent))

from gallery import Entry, faulty, forget, sound

FEWEST_FAULTY, FEWEST_BY_LAWS, FEWEST_SOUND = 60, 16, 15
FAMILIES = {
    "dirichlet.profile", "dirichlet.tail", "dirichlet.identity", "dirichlet.average",
    "dirichlet.counts", "dirichlet.matrix", "dirichlet.composition", "dirichlet.renyi",
    "dirichlet.add_remove", "dirichlet.utility", "markov", "pufferfish",
    "renyi", "gaussian", "dpsgd", "permute_and_flip",
}  # fmt: skip
REFUTABLE = list(faulty.entries.values())
# They miss a printed number, or a bound, and not the least number, if the registry names one.
NOT_SHOWN = {
    "quilt_gap_doubled", "quilt_epsilon_of_one", "gk16_least_chain", "identity_one_more",
    "counts_one_more", "renyi_bound_all_parts", "renyi_step_unsafe",
    "gaussian_quilt_renyi_of_one", "contraction_by_ratio_alone",
}  # fmt: skip
BY_LAWS = {entry.name for entry in REFUTABLE if entry.law}
# Those of the gate: of every family and every kind of fault some, of quantities that are cheap.
IN_GATE = {
    "classical_gaussian", "gaussian_tail_of_the_other", "first_step_alone",
    "permute_and_flip_as_a_bounded_range",
    "profile_half_step", "profile_float32", "profile_one_minus", "profile_two_ulps_low",
    "profile_rounded_to_nearest", "profile_overflow", "profile_equal", "largest_order_rounded",
    "renyi_near_one", "renyi_infinite_late", "renyi_bound_all_parts",
    "conversion_order_for_order_minus_one", "renyi_divergence_swapped", "corner_for_every_delta",
    "add_remove_other_direction", "cached_without_epsilon", "cached_last", "noisy",
    "tail_one_minus", "identity_border_dropped", "average_dimension_for_number",
    "matrix_tail_least_row", "counts_last_one_free", "variance_degrees_of_freedom",
    "stationary_by_power", "classes_with_a_threshold", "closeness_one_way", "quilt_gap_doubled",
    "wasserstein_no_noise", "lemma_8_doubled", "laplace_delta_one_order",
    "gaussian_delta_of_means", "influences_added",
    # Of each law of answers two that it alone finds.
    "drifts_upwards", "stationary_from_anywhere",
    "gives_up_on_large_floors", "composition_by_its_first",
    "total_variation_in_percent", "delta_with_a_floor",
    "step_of_nothing", "step_needlessly_small",
    "nothing_lost_by_identity_bound", "nothing_lost_by_model",
    "half_of_network_scale", "nothing_for_quilt_scale_exact",
    "arrays_in_single_precision", "rest_of_a_loop_left_out",
    # What only a longer list shows than people write by hand.
    "wasserstein_of_many_points",
}  # fmt: skip
SOUND_IN_GATE = {
    "delta_ten_percent_above", "renyi_nearest_with_slack", "renyi_by_log_gammas",
    "variance_plain", "expected_kl_by_digammas", "stationary_by_cofactors", "divergence_plain",
    "wasserstein_by_quantiles", "largest_order_vectorized",
}  # fmt: skip
CHECKS_OF_LAWS = {law.check for law in RELATIONS}
# Of each engine, where a law's witness is worked out anew.
SECONDS = 20.0
# Most faults are met among the first points, most others among four or sixteen times as many.
FEWEST_CASES = 6


@pytest.fixture(autouse=True)
def nothing_kept(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Leave the search to itself, and caches of the gallery empty.

    Points are drawn by the number alone: a change of the gallery, or a version, draws no others.
    """
    monkeypatch.setattr("simplexcert.certify.campaign.batches.kept_points", lambda _: ())
    monkeypatch.setattr(
        "simplexcert.certify.campaign.run.campaign_seed",
        lambda _subjects, _version, _names, seed, _domains: f"gallery/{seed}",
    )
    forget()
    yield
    forget()


def checked(entry: Entry, shelf: str, seed: int = 0) -> tuple[CheckResult, ...]:
    where = f"gallery:{shelf}.{entry.name}"
    campaign = certify_backend(where, quantities=entry.quantity, cases=entry.cases, seed=seed)
    assert {check.check: check.cases for check in campaign.checks} == cases_of(entry)
    return tuple(check for check in campaign.checks if check.cases)


def cases_of(entry: Entry) -> dict[str, int]:
    """Return how many cases each check has."""
    quantity = quantities()[entry.quantity]
    slack, accuracy = (
        {name: Fraction(share) for name, share in declared.items()}
        for declared in (entry.slack, entry.accuracy)
    )
    found = {rule.check: entry.cases for rule in rules_for(quantity, slack, accuracy)}
    laws = {law.check: cases_of_relation(law.check, entry.cases) for law in relations_for(quantity)}
    # They are called in this process: arrays are the only other form, of quantities of reals.
    return found | laws | ({} if entry.vectorized else {Form.check: 0})


def require_refuted(entry: Entry, seed: int = 0) -> None:
    """Require a refuted check whose witness excludes the answer by more than what is declared.

    What a law is said to be needed for passes all comparisons with the truth, and that law not: it
    is refuted, or loose where that law is of quality.
    What misses a printed number alone need not be unsound: then it is not certified, and no more;
    where a point is met that shows it unsound, it is refuted.
    """
    checks = checked(entry, "faulty", seed)
    refuted = {check.check: check for check in checks if check.verdict is Verdict.REFUTED}
    loose = {check.check: check for check in checks if check.counts.loose}
    if entry.law in loose:
        assert not refuted, (entry.name, set(refuted))
        require_witness(entry, loose[entry.law])
        return
    if entry.name in NOT_SHOWN and not refuted:
        assert quantities()[entry.quantity].truth is Truth.PRINTED
        (direction,) = (check for check in checks if check.check == "direction")
        assert (direction.verdict, direction.cases > 0) == (Verdict.INAPPLICABLE, True), entry.name
        return
    assert refuted, f"{entry.name} passes: {entry.wrong}"
    if entry.law:
        assert entry.law in refuted, (entry.name, set(refuted))
        assert not set(refuted) & set(AGAINST_THE_TRUTH), (entry.name, set(refuted))
    for check in refuted.values():
        require_witness(entry, check)


def require_witness(entry: Entry, check: CheckResult) -> None:
    """Require that a check's worst case is refuted, or loose, by itself, as it is written down."""
    worst = check.worst
    assert worst is not None
    assert worst.verdict is Verdict.REFUTED or worst.note == "loose"
    value, _ = real_answers(float.fromhex(worst.value))
    assert isinstance(value, Fraction | float)
    if check.check in AGAINST_THE_TRUTH:
        again = evaluate(entry.quantity, worst.exact_parameters(), digits=20).enclosure
        assert not _holds(entry_at(again, worst.entry), value)
        return
    others = [
        StatedOther(other.quantity, exact_point(other.parameters), _number(other.value))
        for other in worst.others
    ]
    slack = Fraction(entry.slack.get(entry.quantity, 0))
    accuracy = _accuracy(entry)
    found, _, note = relation_verdict(
        check.check,
        quantity_named(entry.quantity),
        worst.exact_parameters(),
        value,
        others,
        slack,
        accuracy,
        by_both_engines(SECONDS),
        place=worst.entry,
    )
    assert (found, note) == (worst.verdict, worst.note)


def _holds(enclosure: object, value: Fraction | float) -> bool:
    low, high = enclosure.lower, enclosure.upper  # type: ignore[attr-defined]
    return bool(low <= value <= high)


def _number(text: str | None) -> Fraction | float | None:
    return None if text is None else real_in(text)


def _accuracy(entry: Entry) -> Fraction | None:
    promised = entry.accuracy.get(entry.quantity)
    if promised is not None:
        return Fraction(promised)
    return DEFAULT_ACCURACY if quantities()[entry.quantity].safe is Side.NONE else None


def require_certified(entry: Entry, seed: int = 0) -> None:
    verdicts = {check.check: check.verdict for check in checked(entry, "sound", seed)}
    assert set(verdicts.values()) == {Verdict.CERTIFIED}, (entry.name, verdicts)


@pytest.mark.parametrize("label", sorted(IN_GATE))
def test_a_faulty_backend_is_refuted(label: str) -> None:
    """With few cases, or with more of them up to its own."""
    entry, cases = faulty.entries[label], FEWEST_CASES
    while cases < entry.cases:
        with suppress(AssertionError):
            require_refuted(replace(entry, cases=cases))
            return
        cases *= 4
    require_refuted(entry)


@pytest.mark.parametrize("label", sorted(SOUND_IN_GATE))
def test_a_sound_backend_is_certified(label: str) -> None:
    require_certified(sound.entries[label])


def test_what_a_long_search_found_is_found_at_once_where_it_is_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    spike = replace(faulty.entries["profile_spike"], cases=40)
    faults = [check.verdict for check in checked(spike, "faulty")]
    assert Verdict.REFUTED not in faults
    monkeypatch.setattr("simplexcert.certify.campaign.batches.kept_points", hunt.kept_points)
    require_refuted(spike)


def test_the_gallery_is_large_and_covers_every_family() -> None:
    assert len(REFUTABLE) >= FEWEST_FAULTY
    assert len(BY_LAWS) >= FEWEST_BY_LAWS
    laws = CHECKS_OF_LAWS - {faulty.entries[label].law for label in BY_LAWS}
    assert not laws, f"add a fault that {laws} alone finds to tests/fast/quality/gallery/"
    assert len(sound.entries) >= FEWEST_SOUND
    in_gate = [faulty.entries[label] for label in IN_GATE]
    laws = CHECKS_OF_LAWS - {entry.law for entry in in_gate}
    assert not laws, f"add a fault that {laws} alone finds to IN_GATE of {Path(__file__).name}"
    for entries in (REFUTABLE, in_gate):
        assert {_family(entry.quantity) for entry in entries} == FAMILIES


def _family(quantity: str) -> str:
    first, second, *_ = quantity.split(".")
    return f"{first}.{second}" if first == "dirichlet" else first


def test_every_fault_is_said_in_words_of_its_own() -> None:
    said = [(entry.quantity, entry.wrong) for entry in faulty.entries.values()]
    assert all(wrong for _, wrong in said)
    assert len(set(said)) == len(said)
    assert not any(entry.wrong for entry in sound.entries.values())
