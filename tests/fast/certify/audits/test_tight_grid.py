"""Step and alpha chosen together: the least divergence of all places of the grid."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from math import floor, log10
from typing import Any

import pytest
from each import each_of
from instances import first
from simplexcert.certify.audits import tight
from simplexcert.certify.audits.claim import claim_in
from simplexcert.certify.audits.decision import decide
from simplexcert.certify.audits.roots import decimal_at, place_below
from simplexcert.certify.audits.tight import GRID, Expected, best_on_grid, broken_stick
from simplexcert.certify.mechanisms.protocol import Claim
from simplexcert.certify.mechanisms.questions import truth_of
from simplexcert.certify.verdict import Verdict
from simplexcert.reference import evaluate
from simplexcert.reference.enclosure import Enclosure, Trilean
from simplexcert.reference.errors import DomainError, InputError, UnknownNameError

Table = dict[str, Any]
RENYI = {"epsilon": "0.7", "order": "3"}
APPROXIMATE = {"epsilon": "1", "delta": "1e-4"}
FEW = {"records": 60, "cells": 4}


def claimed(said: Table, calibration: Table | None = None, **release: Any) -> Claim:
    """Return the claim about a histogram whose step and alpha are left open."""
    both = {"mechanism": "dirichlet.renyi", "step": "tight", "alpha": "tight", **release}
    given = {} if calibration is None else {"calibration": calibration}
    return claim_in({"release": both, "claim": said, **given}, "it")


def step_for_renyi(family: str) -> Callable[[Fraction], Fraction]:
    """Return the step of each alpha for the claim RENYI, by the quantity."""

    def step_at(alpha: Fraction) -> Fraction:
        found = evaluate(f"{family}.step_for_renyi", {"alpha": alpha, **RENYI}).lower
        return decimal_at(place_below(found))

    return step_at


@pytest.mark.parametrize(
    ("neighbours", "family", "prior"),
    first(
        2,
        [
            ("replace", "dirichlet.profile", None),
            ("add_remove", "dirichlet.add_remove", ["0.5", "0.5", "0", "0"]),
            ("replace", "dirichlet.profile", ["0.7", "0.1", "0.1", "0.1"]),
        ],
    ),
)
def test_no_place_of_the_grid_is_better(
    neighbours: str, family: str, prior: list[str] | None
) -> None:
    shares = [Fraction(one) for one in prior] if prior else broken_stick(4)
    calibration = {**FEW, **({} if prior is None else {"prior": prior})}
    claim = claimed(RENYI, calibration, neighbours=neighbours)
    step_at = step_for_renyi(family)
    divergences = {}
    for alpha in GRID:
        u = [60 * step_at(alpha) * share + alpha for share in shares]
        divergences[alpha] = evaluate("dirichlet.utility.expected_kl_prior", {"p": shares, "u": u})
    best = min(divergences, key=lambda alpha: divergences[alpha].upper)
    assert claim.parameters.given["alpha"] == best
    assert claim.parameters.given["step"] == step_at(best)
    assert all(
        divergences[best].upper < other.lower
        for alpha, other in divergences.items()
        if alpha != best
    )


@pytest.mark.parametrize(
    ("neighbours", "said"),
    first(
        2,
        [("replace", APPROXIMATE), ("add_remove", RENYI), ("add_remove", APPROXIMATE)],
    ),
)
def test_the_pair_is_certified_and_a_larger_step_is_not(neighbours: str, said: Table) -> None:
    claim = claimed(said, FEW, neighbours=neighbours)
    assert decide(claim).verdict is Verdict.CERTIFIED
    larger = decimal_at(place_below(claim.parameters.given["step"]) + 1)
    beyond = claimed(
        said, neighbours=neighbours, step=larger, alpha=claim.parameters.given["alpha"]
    )
    worst = beyond.mechanism.worst(beyond)
    assert truth_of(worst.asked[0]).above is Trilean.TRUE


def test_a_divergence_needs_its_order_below_the_largest() -> None:
    claim = claimed(RENYI, FEW)
    assert claim.parameters.given["alpha"] > 2 * claim.parameters.given["step"]


def test_the_criterion_is_told() -> None:
    claim = claimed(RENYI, FEW)
    assert claim.calibrated is not None
    assert list(claim.calibrated.parameters) == ["step", "alpha"]
    assert "60 records in 4 cells, as a stick breaks at random" in claim.calibrated.criterion


def test_the_grid_has_24_decimals_a_decade() -> None:
    assert list(GRID) == sorted(set(GRID))
    assert (GRID[0], GRID[-1]) == (Fraction(1, 1000), 10_000)
    decades = [floor(log10(alpha) + 1e-9) for alpha in GRID[:-1]]
    assert {decades.count(decade) for decade in range(-3, 4)} == {24}
    assert all(other / one < Fraction(6, 5) for one, other in pairwise(GRID))


def test_the_stick_breaks_into_means_of_ordered_shares() -> None:
    assert broken_stick(2) == (Fraction(3, 4), Fraction(1, 4))
    assert broken_stick(3) == (Fraction(11, 18), Fraction(5, 18), Fraction(2, 18))
    assert sum(broken_stick(77)) == 1


def test_the_mean_of_a_release_is_nearer_than_a_release() -> None:
    expected = Expected(60, broken_stick(4), "")
    for alpha in GRID[::10]:
        for step in (alpha / 100, alpha):
            mean = expected.divergence_of_mean(alpha, step)
            assert mean.high < expected.divergence(alpha, step, 20).low
            assert expected.divergence_of_mean(alpha, 2 * step).high < mean.low


def test_equal_shares_are_always_nearest_at_the_end_of_the_grid() -> None:
    expected = Expected(60, (Fraction(1, 4),) * 4, "")
    with pytest.raises(DomainError, match="the most noise is best, alpha = 10000 or more"):
        best_on_grid(expected, step_for_renyi("dirichlet.profile"), "it", ordered=True)


def test_no_alpha_is_looked_at_beyond_what_can_be_better() -> None:
    seen: list[Fraction] = []
    step_at = step_for_renyi("dirichlet.profile")

    def watched(alpha: Fraction) -> Fraction:
        seen.append(alpha)
        return step_at(alpha)

    expected = Expected(60, broken_stick(4), "")
    stopped = best_on_grid(expected, watched, "it", ordered=True)
    assert len(seen) < len(GRID)
    assert best_on_grid(expected, watched, "it", ordered=False).alpha == stopped.alpha
    assert seen[-1] == GRID[-1]


def test_of_equal_divergences_the_smaller_alpha_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def divergence(_self: Expected, alpha: Fraction, _step: Fraction, digits: int) -> Enclosure:
        asked.append(digits)
        return Enclosure.of(Fraction(1 if 2 < alpha < 4 else 5))

    monkeypatch.setattr(Expected, "divergence", divergence)
    best = best_on_grid(Expected(9, (), ""), lambda alpha: alpha, "it", ordered=False)
    assert best.alpha == Fraction("2.2")
    assert max(asked) == tight._TIE_DIGITS


def test_divergences_that_overlap_are_told_apart_by_more_digits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Roughly all are alike; nearer, the larger alphas are the better ones."""

    def divergence(_self: Expected, alpha: Fraction, _step: Fraction, digits: int) -> Enclosure:
        if digits == tight.DEFAULT_DIGITS:
            return Enclosure(Enclosure.of(Fraction(1)).low, Enclosure.of(Fraction(2)).high)
        return Enclosure.of(Fraction(1 if alpha == 11 else 2))

    monkeypatch.setattr(Expected, "divergence", divergence)
    best = best_on_grid(Expected(9, (), ""), lambda alpha: alpha, "it", ordered=False)
    assert best.alpha == 11


def test_an_alpha_without_a_step_is_left_out() -> None:
    step_at = step_for_renyi("dirichlet.profile")

    def refused(alpha: Fraction) -> Fraction:
        if alpha < 8:
            raise DomainError("none")
        return step_at(alpha)

    expected = Expected(60, broken_stick(4), "")
    assert best_on_grid(expected, step_at, "it", ordered=True).alpha < 8
    assert best_on_grid(expected, refused, "it", ordered=True).alpha == Fraction("8.2")


@each_of(
    "calibration, sentence",
    [
        ({"cells": 4}, r"it \[calibration\] lacks records"),
        ({"records": 0, "cells": 4}, "records = 0; it is at least 1"),
        ({"records": "1.5", "cells": 4}, "records: '1.5' is not a whole number"),
        ({"records": 9, "cells": 1}, "cells = 1; there are 2 to 500"),
        ({"records": 9, "cells": 501}, "cells = 501; there are 2 to 500"),
        ({"records": 9, "cells": 3, "prior": ["0.5", "0.5"]}, "2 shares, but cells = 3"),
        ({"records": 9, "cells": 2, "prior": ["0.5", "0.4"]}, "prior"),
        ({"records": 9, "cells": 2, "prior": ["0.5", "0.5"]}, "equal shares choose no alpha"),
        ({"records": 9, "cells": 2, "prior": 3}, "prior"),
    ],
)
def test_what_is_expected_is_read_with_care(calibration: Table, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        claimed(RENYI, calibration)


def test_an_unknown_key_is_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'records'"):
        claimed(RENYI, {**FEW, "record": 3})


@pytest.mark.parametrize(
    ("release", "calibration"),
    [
        ({}, None),
        ({"step": "0.1"}, None),
    ],
)
def test_alpha_needs_what_is_expected(release: Table, calibration: Table | None) -> None:
    with pytest.raises(InputError, match='alpha = "tight" needs step = "tight" and a table'):
        claimed(RENYI, calibration, **release)


@pytest.mark.parametrize("release", [{"alpha": 5}, {"step": "0.1"}, {"alpha": 5, "step": "0.1"}])
def test_what_is_expected_stands_where_both_are_open(release: Table) -> None:
    with pytest.raises(InputError, match=r"\[calibration\] is for step and alpha"):
        claimed(RENYI, FEW, **release)


def test_expected_data_must_be_a_table() -> None:
    table = {"release": {"mechanism": "dirichlet.renyi"}, "claim": RENYI, "calibration": 3}
    with pytest.raises(InputError, match=r"no table \[calibration\]"):
        claim_in(table, "it")


def test_only_a_histogram_has_expected_counts() -> None:
    with pytest.raises(DomainError, match="chosen together for a histogram alone"):
        claimed(RENYI, FEW, delta2_squared=3, delta_inf=1)


def test_no_alpha_helps_a_target_that_none_reaches() -> None:
    with pytest.raises(DomainError, match="no step keeps epsilon = 0"):
        claimed({"epsilon": 0, "order": 2}, FEW)
