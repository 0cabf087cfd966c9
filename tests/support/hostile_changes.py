"""Hostile changes of backends' certificates: laws, the names of a scope, and samplers.

Each changes one thing of a good one, and what else has to be changed so that only that is wrong.
"""

from __future__ import annotations

import copy
import gzip
import json
from collections.abc import Callable
from typing import Any

from simplexcert.certify.certificate.samplers import NOTHING_DRAWN

Table = dict[str, Any]
Change = Callable[[Table], object]
# By the name of the hostile file; stated() of make_hostile.py makes it of the good one.
STATED: dict[str, Change] = {}
LINES: dict[str, Callable[[bytes], bytes]] = {}

ONE, TWO, LARGE = (f"0x1.{'0' * 13}p+{power}" for power in (0, 1, 9))
PROFILE = "dirichlet.profile."


def predicate(table: Table) -> Table:
    """Return what is said."""
    found: Table = table["predicate"]
    return found


def scope(table: Table) -> Table:
    """Return what was asked for."""
    found: Table = predicate(table)["scope"]
    return found


def of(table: Table, quantity: str, check: str) -> Table:
    """Return a check of a quantity of the profile."""
    found: Table = next(
        one
        for one in predicate(table)["checks"]
        if (one["quantity"], one["check"]) == (PROFILE + quantity, check)
    )
    return found


def worst(table: Table, quantity: str, check: str) -> Table:
    """Return the worst case of a check."""
    found: Table = of(table, quantity, check)["worst"]
    return found


def other(table: Table, quantity: str, check: str, at: int = 0) -> Table:
    """Return one of the answers, or truths, that a law compares with."""
    found: Table = worst(table, quantity, check)["others"][at]
    return found


def twice(table: Table) -> Table:
    """Return the other answer of delta's determinism."""
    return other(table, "delta", "determinism")


def pair(table: Table) -> Table:
    """Return the parameters of the pair that epsilon's adjacency compares with."""
    found: Table = other(table, "epsilon", "adjacency")["parameters"]
    return found


def dropped(table: Table, *wrong: Table) -> None:
    """Drop checks, and all cases of theirs."""
    checks = predicate(table)["checks"]
    for one in wrong:
        checks.remove(one)
    predicate(table)["sample"] = [
        one
        for one in predicate(table)["sample"]
        if any((one["quantity"], one["check"]) == (c["quantity"], c["check"]) for c in checks)
    ]
    counted(table)


def counted(table: Table) -> None:
    """Make the transcript as long as the checks have cases."""
    predicate(table)["transcript"]["cases"] = sum(c["cases"] for c in predicate(table)["checks"])


def not_run(table: Table, check: Table) -> None:
    """Say that a check does not apply."""
    check.update(
        verdict="inapplicable", cases=0, worst=None, ulps=None, side="none", second="inapplicable"
    )
    counted(table)


def run_as(check: Table, like: Table) -> None:
    """Say that a check was run as another one was."""
    check.update({**copy.deepcopy(like), "quantity": check["quantity"], "check": check["check"]})


def said(table: Table, instead: str, *, of_it: str = "refuted") -> None:
    """Say another verdict of all parts that have one, and of the whole."""
    for part in predicate(table)["checks"] + predicate(table)["samplers"]:
        if part["verdict"] == of_it:
            part["verdict"] = instead
            part.update({"wrong": 0} if "wrong" in part else {})
    predicate(table)["verdict"] = instead


def on_terms(table: Table, **terms: Any) -> None:
    """Let all checks of a quantity have been made on other terms."""
    for part in predicate(table)["checks"]:
        if part["quantity"] == PROFILE + "delta":
            part.update(terms)


def without_a_name(table: Table) -> None:
    """Leave a quantity out, with its checks, but for their cases in the transcript."""
    before = predicate(table)["transcript"]["cases"]
    name = scope(table)["names"].pop(0)
    dropped(table, *[one for one in predicate(table)["checks"] if one["quantity"] == name])
    predicate(table)["transcript"]["cases"] = before


def moved(table: Table, at: int, by: float) -> None:
    """Move an entry of the pair's second law, and nothing else."""
    law = pair(table)["v"]
    law[at] = (float.fromhex(law[at]) * by).hex()


# --- The names of a scope. ---
STATED["scope-names-shortened"] = lambda t: scope(t)["names"].pop()
STATED["scope-names-shortened-with-its-checks"] = without_a_name
STATED["scope-names-shortened-and-counted"] = lambda t: (without_a_name(t), counted(t))
STATED["scope-names-shortened-by-another-version"] = lambda t: (
    predicate(t)["tool"].update(version="0.0.1"), without_a_name(t), counted(t))  # fmt: skip
STATED["scope-names-of-no-quantity"] = lambda t: scope(t)["names"].append(PROFILE + "szeta")
STATED["scope-names-beside-the-glob"] = lambda t: scope(t)["names"].append("dirichlet.tail.uniform")
STATED["scope-names-twice"] = lambda t: scope(t)["names"].append(PROFILE + "step_for_renyi")
STATED["scope-names-out-of-order"] = lambda t: scope(t)["names"].reverse()
STATED["scope-names-empty"] = lambda t: scope(t).update(names=[])
STATED["scope-names-missing"] = lambda t: scope(t).pop("names")
STATED["scope-names-more-than-were-checked"] = lambda t: scope(t).update(
    quantities="dirichlet.*", names=["dirichlet.add_remove.delta", *scope(t)["names"]]
)
STATED["scope-narrower-than-its-names"] = lambda t: scope(t).update(quantities=PROFILE + "delta")
STATED["scope-of-everything-but-samplers"] = lambda t: scope(t).update(quantities="*")
STATED["scope-samplers-a-word"] = lambda t: scope(t).update(samplers="yes")

# --- Which laws there are, and how often they were tried. ---
STATED["law-missing"] = lambda t: dropped(t, of(t, "delta", "determinism"))
STATED["law-of-adjacency-missing"] = lambda t: dropped(t, of(t, "epsilon", "adjacency"))
STATED["law-of-another-quantity"] = lambda t: of(t, "delta", "monotone").update(check="inverse")
STATED["law-unknown"] = lambda t: of(t, "delta", "monotone").update(check="trust")
STATED["law-of-all-cases"] = lambda t: (
    of(t, "delta", "monotone").update(cases=12), counted(t))  # fmt: skip
STATED["law-of-fewer-cases"] = lambda t: (
    of(t, "delta", "monotone").update(cases=2), counted(t))  # fmt: skip
STATED["law-said-not-to-apply"] = lambda t: not_run(t, of(t, "delta", "adjacency"))
STATED["law-run-of-what-is-not-answered"] = lambda t: (
    run_as(of(t, "step_for_renyi", "determinism"), of(t, "step_for_dp", "determinism")),
    counted(t))  # fmt: skip
STATED["law-in-the-sample"] = lambda t: predicate(t)["sample"][0].update(check="monotone")
STATED["law-of-an-accuracy-never-promised"] = lambda t: of(t, "delta", "monotone").update(
    accuracy="1/2"
)
STATED["law-of-a-slack-of-its-own"] = lambda t: of(t, "delta", "monotone").update(slack="1/2")
STATED["law-asked-of-the-second-engine-for-nothing"] = lambda t: of(
    t, "delta", "determinism"
).update(second="overlaps")
STATED["law-not-asked-of-the-second-engine"] = lambda t: of(t, "delta", "adjacency").update(
    second="inapplicable"
)
STATED["law-with-a-distance"] = lambda t: of(t, "delta", "monotone").update(ulps="3", side="above")
STATED["law-with-another-distance"] = lambda t: of(t, "delta", "determinism").update(
    ulps="5", side="above"
)

# --- What a law compares with. ---
STATED["others-missing"] = lambda t: worst(t, "delta", "determinism").pop("others")
STATED["others-of-a-direction"] = lambda t: worst(t, "delta", "direction").update(others=[twice(t)])
STATED["others-dropped"] = lambda t: worst(t, "delta", "determinism").update(others=[])
STATED["others-twice"] = lambda t: worst(t, "delta", "determinism")["others"].append(twice(t))
STATED["others-without-end"] = lambda t: worst(t, "delta", "determinism").update(
    others=[twice(t)] * 17
)
STATED["others-of-another-quantity"] = lambda t: twice(t).update(quantity=PROFILE + "epsilon")
STATED["others-of-no-quantity"] = lambda t: twice(t).update(quantity="os.system")
STATED["others-at-another-point"] = lambda t: twice(t)["parameters"].update(alpha=ONE)
STATED["others-not-a-number"] = lambda t: twice(t).update(value="nan")
STATED["others-infinite"] = lambda t: twice(t).update(value="inf")
STATED["others-of-another-answer"] = lambda t: twice(t).update(value=ONE)
STATED["others-a-number"] = lambda t: twice(t).update(value=1)
STATED["others-a-truth"] = lambda t: (
    twice(t).update(value=None),
    of(t, "delta", "determinism").update(second="overlaps"))  # fmt: skip
STATED["others-with-a-field-more"] = lambda t: twice(t).update(file="/etc/passwd")
STATED["others-without-a-parameter"] = lambda t: twice(t)["parameters"].pop("alpha")
STATED["others-at-no-double"] = lambda t: twice(t)["parameters"].update(alpha="0.5")
STATED["others-at-infinity"] = lambda t: twice(t)["parameters"].update(alpha="inf")
STATED["others-outside-the-domain"] = lambda t: twice(t)["parameters"].update(alpha="-" + ONE)
STATED["monotone-in-two-parameters"] = lambda t: other(t, "epsilon", "monotone")[
    "parameters"].update(alpha=ONE, step=ONE)  # fmt: skip
STATED["monotone-of-another-answer"] = lambda t: other(t, "epsilon", "monotone").update(value=LARGE)
STATED["monotone-of-no-other-answer"] = lambda t: worst(t, "epsilon", "monotone").update(others=[])
STATED["limit-not-at-an-end"] = lambda t: (
    worst(t, "delta", "limit").update(others=[{
        "quantity": PROFILE + "delta", "value": None,
        "parameters": {**worst(t, "delta", "limit")["parameters"]}}]),
    worst(t, "delta", "limit")["others"][0]["parameters"].update(epsilon=ONE, step=ONE),
    worst(t, "delta", "limit")["parameters"].update(epsilon=ONE, step=ONE),
    of(t, "delta", "limit").update(second="overlaps"))  # fmt: skip
STATED["limit-elsewhere"] = lambda t: worst(t, "delta", "limit").update(lower="2", upper="3")
STATED["limit-passed"] = lambda t: worst(t, "delta", "limit").update(value=TWO)
STATED["limit-passed-as-an-entry"] = lambda t: worst(t, "epsilon", "limit").update(
    value="-" + LARGE, entry=[1]
)
STATED["determinism-of-an-entry"] = lambda t: worst(t, "delta", "determinism").update(entry=[1])
STATED["inverse-at-another-point"] = lambda t: other(t, "epsilon", "inverse")["parameters"].update(
    alpha=ONE
)
STATED["inverse-of-another-answer"] = lambda t: worst(t, "epsilon", "inverse").update(value=LARGE)
STATED["inverse-of-another-own-answer"] = lambda t: other(t, "step_for_dp", "inverse", 1).update(
    value="0x0.0p+0"
)
STATED["inverse-without-its-own-answer"] = lambda t: worst(t, "step_for_dp", "inverse")[
    "others"].pop()  # fmt: skip
STATED["inverse-without-its-truth"] = lambda t: (
    worst(t, "epsilon", "inverse")["others"].pop(0),
    of(t, "epsilon", "inverse").update(second="inapplicable"))  # fmt: skip
STATED["inverse-with-its-truth-alone-in-doubt"] = lambda t: worst(t, "epsilon", "inverse")[
    "others"].pop(0)  # fmt: skip
STATED["adjacency-of-no-pair"] = lambda t: (
    worst(t, "epsilon", "adjacency").update(others=[]),
    of(t, "epsilon", "adjacency").update(second="inapplicable"))  # fmt: skip
STATED["adjacency-of-inputs-that-are-not-adjacent"] = lambda t: moved(t, 0, 1.5)
STATED["adjacency-of-inputs-too-far-apart"] = lambda t: pair(t).update(
    u=[ONE, LARGE], v=[LARGE, ONE]
)
STATED["adjacency-of-inputs-that-are-no-law"] = lambda t: pair(t).update(v=["-" + ONE, LARGE])
STATED["adjacency-of-a-pair-of-one"] = lambda t: pair(t).update(u=[ONE], v=[TWO])
STATED["adjacency-at-another-epsilon"] = lambda t: pair(t).update(epsilon=LARGE)
STATED["adjacency-of-another-loss"] = lambda t: worst(t, "epsilon", "adjacency").update(
    lower="0.001", upper="0.002"
)
STATED["adjacency-of-another-quantity"] = lambda t: other(t, "epsilon", "adjacency").update(
    quantity=PROFILE + "delta"
)

# --- Refutations. ---
STATED["lawless-said-certified"] = lambda t: said(t, "certified")
STATED["lawless-of-one-answer"] = lambda t: twice(t).update(
    value=worst(t, "delta", "determinism")["value"]
)
STATED["lawless-check-said-certified"] = lambda t: of(t, "delta", "determinism").update(
    verdict="certified", wrong=0
)
STATED["lawless-counted-as-right"] = lambda t: of(t, "delta", "determinism").update(wrong=0)
STATED["counted-more-than-there-were"] = lambda t: of(t, "delta", "direction").update(open=10**6)
STATED["trivial-answers-unsaid"] = lambda t: of(t, "delta", "direction").update(open=9, trivial=8)
STATED["loose-against-the-truth"] = lambda t: of(t, "delta", "direction").update(loose=1)
STATED["terms-of-one-check"] = lambda t: of(t, "delta", "direction").update(direction="upper")
STATED["domain-unsaid"] = lambda t: on_terms(t, domain={"alpha": ["1", "2"]})
STATED["domain-of-no-parameter"] = lambda t: on_terms(t, domain={"beta": ["1", "2"]})
STATED["direction-unknown"] = lambda t: on_terms(t, direction="sideways")
STATED["lawless-without-its-own-answer"] = lambda t: worst(t, "epsilon", "inverse")["others"].pop()
STATED["lawless-check-dropped"] = lambda t: dropped(t, of(t, "delta", "determinism"))
STATED["lawless-check-said-not-to-apply"] = lambda t: not_run(t, of(t, "delta", "determinism"))

# --- Samplers. ---


def sampler(table: Table, at: int = 0) -> Table:
    """Return the result at one of the points."""
    found: Table = predicate(table)["samplers"][at]
    return found


def counting(table: Table) -> Table:
    """Return a test of the first point whose count is neither 0 nor all."""
    found: Table = next(one for one in sampler(table)["tests"] if one["count"] > 0)
    return found


def tests_said(table: Table, change: int) -> None:
    """Say another number of tests in all."""
    for one in predicate(table)["samplers"]:
        one["tests_in_all"] += change


STATED["lawless-sampler-dropped"] = lambda t: predicate(t).update(samplers=[], samplers_offered=[])
STATED["lawless-sampler-said-certified"] = lambda t: [
    one.update(verdict="certified")
    for result in predicate(t)["samplers"] for one in (result, *result["tests"])]  # fmt: skip
STATED["lawless-sampler-without-what-refutes-it"] = lambda t: [
    result["tests"].remove(one)
    for result in predicate(t)["samplers"] for one in list(result["tests"])
    if one["verdict"] == "refuted"]  # fmt: skip
STATED["sampler-offered-and-not-told-of"] = lambda t: predicate(t).update(samplers=[])
STATED["sampler-told-of-and-not-offered"] = lambda t: predicate(t).update(samplers_offered=[])
STATED["sampler-offered-twice"] = lambda t: predicate(t).update(samplers_offered=["laplace"] * 2)
STATED["sampler-offered-besides"] = lambda t: predicate(t).update(
    samplers_offered=["dirichlet", "laplace"]
)
STATED["sampler-unknown"] = lambda t: predicate(t).update(samplers_offered=["poisson"])
STATED["sampler-offers-missing"] = lambda t: predicate(t).pop("samplers_offered")
STATED["sampler-offers-emptied"] = lambda t: (
    predicate(t).update(samplers=[], samplers_offered=[]),
    predicate(t)["non_claims"].__setitem__(slice(-2, -1), [NOTHING_DRAWN]))  # fmt: skip
STATED["sampler-out-of-scope"] = lambda t: scope(t).update(samplers=False)
STATED["sampler-dropped-without-a-word"] = lambda t: (
    scope(t).update(samplers=False), predicate(t).update(samplers=[]))  # fmt: skip
STATED["sampler-point-dropped"] = lambda t: predicate(t)["samplers"].pop()
STATED["sampler-point-dropped-and-counted"] = lambda t: (
    predicate(t)["samplers"].pop(), tests_said(t, -len(sampler(t)["tests"])))  # fmt: skip
STATED["sampler-point-twice"] = lambda t: predicate(t)["samplers"].append(sampler(t))
STATED["sampler-points-in-another-order"] = lambda t: predicate(t)["samplers"].reverse()
STATED["sampler-of-another-seed"] = lambda t: sampler(t).update(seed=1)
STATED["sampler-of-another-campaign"] = lambda t: predicate(t).update(seed=1)
STATED["sampler-at-another-scale"] = lambda t: sampler(t)["parameters"].update(scale=TWO)
STATED["sampler-at-no-scale"] = lambda t: sampler(t).update(parameters={})
STATED["sampler-test-dropped"] = lambda t: sampler(t)["tests"].pop()
STATED["sampler-test-dropped-and-counted"] = lambda t: (
    sampler(t)["tests"].pop(), tests_said(t, -1))  # fmt: skip
STATED["sampler-tests-in-another-order"] = lambda t: sampler(t)["tests"].reverse()
STATED["sampler-tests-all-dropped"] = lambda t: (
    tests_said(t, -len(sampler(t)["tests"])), sampler(t).update(tests=[]))  # fmt: skip
STATED["sampler-count-changed"] = lambda t: counting(t).update(count=counting(t)["count"] * 2)
STATED["sampler-count-beyond-its-draws"] = lambda t: counting(t).update(count=200_001)
STATED["sampler-count-negative"] = lambda t: counting(t).update(count=-1)
STATED["sampler-draws-of-a-test-changed"] = lambda t: counting(t).update(draws=100)
STATED["sampler-draws-changed"] = lambda t: sampler(t).update(draws=100)
STATED["sampler-tail-changed"] = lambda t: counting(t).update(tail={"lower": "0.1", "upper": "0.2"})
STATED["sampler-tail-inverted"] = lambda t: counting(t).update(tail={"lower": "2", "upper": "0"})
STATED["sampler-tail-not-a-number"] = lambda t: counting(t)["tail"].update(lower="nan")
STATED["sampler-probability-moved"] = lambda t: counting(t).update(
    probability={"lower": "0.3", "upper": "0.4"}
)
STATED["sampler-probability-astronomical"] = lambda t: counting(t)["probability"].update(
    lower="1e-999999999999"
)
STATED["sampler-probability-missing"] = lambda t: counting(t).pop("probability")
STATED["sampler-false-alarm-tightened"] = lambda t: sampler(t).update(
    false_alarm="1/1000000000000000000"
)
STATED["sampler-false-alarm-loosened"] = lambda t: sampler(t).update(false_alarm="1/1000")
STATED["sampler-false-alarm-over-zero"] = lambda t: sampler(t).update(false_alarm="1/0")
STATED["sampler-tests-in-all-lowered"] = lambda t: tests_said(t, -1)
STATED["sampler-tests-in-all-raised"] = lambda t: tests_said(t, 1_000)
STATED["sampler-threshold-moved"] = lambda t: counting(t)["parameters"].update(below=LARGE)
STATED["sampler-test-renamed"] = lambda t: counting(t).update(test="nothing")
STATED["sampler-refuted-under-a-certified-whole"] = lambda t: sampler(t).update(verdict="refuted")
STATED["sampler-said-refuted"] = lambda t: (
    sampler(t).update(verdict="refuted"), counting(t).update(verdict="refuted"),
    predicate(t).update(verdict="refuted"))  # fmt: skip
STATED["sampler-said-not-to-apply"] = lambda t: sampler(t).update(verdict="inapplicable")
STATED["sampler-limits-not-told"] = lambda t: predicate(t)["non_claims"].pop(2)

# --- Transcripts. ---


def cases(change: Callable[[list[Table]], list[Table]]) -> Callable[[bytes], bytes]:
    """Return a change of a transcript's cases."""

    def changed(content: bytes) -> bytes:
        found = change([json.loads(line) for line in gzip.decompress(content).splitlines()])
        lines = (json.dumps(one, sort_keys=True, separators=(",", ":")) + "\n" for one in found)
        return gzip.compress("".join(lines).encode(), mtime=0)

    return changed


LINES["transcript-without-laws"] = cases(
    lambda found: [one for one in found if one["check"] in ("direction", "accuracy")]
)
LINES["transcript-without-others"] = cases(lambda found: [{**one, "others": []} for one in found])
