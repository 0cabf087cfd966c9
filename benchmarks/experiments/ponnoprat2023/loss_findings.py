"""What Section 5.1 says of cross-entropies, beside what came out."""

from __future__ import annotations

from collections.abc import Iterable
from math import log
from typing import TYPE_CHECKING

from ..outcome import Finding, Verdict
from .ways import DIRICHLET, FLOORS, NOISES, PRINTED_AXIS, TIGHT, divided_label, noise_label
from .wins import losses

if TYPE_CHECKING:
    from .bayes import Studied, Study

FIGURES = "claim ponnoprat2023.figures-4-5"
# A tenth of a nat: the paper says "remarkably close", and no number.
CLOSE = 0.1
# Where the paper says that the losses come near the non-private ones.
NEAR = ("CreditCard", "GermanCredit", "Bank", "Adult")


def against_noise(study: Study, floor: str, claim: str) -> Finding:
    """Return the finding on cross-entropies against noisy counts with one floor."""
    found = [losses(study, DIRICHLET, noise_label(method, floor)) for method in NOISES]
    listed = "; ".join(f"{one.other.split(',')[0]} {one}" for one in found)
    tuned = "; ".join(
        f"{method} {losses(study, TIGHT, noise_label(method, floor))}" for method in NOISES
    )
    return Finding(
        "the Dirichlet mechanism's test cross-entropy is below that of noisy counts on all tables",
        f"noisy counts raised to {floor}: smaller : larger against {listed}, of"
        f" {found[0].cells} cells",
        worst(one.verdict for one in found),
        "what stands in the place of small noisy counts is not printed, and where laws are divided"
        f" by their own sum it decides ({claim}). '{TIGHT}' against the same: {tuned}",
    )


def divided(study: Study) -> Finding:
    """Return the finding on noisy counts that are divided as (10) is printed."""
    found = {floor: losses(study, DIRICHLET, divided_label(floor)) for floor in FLOORS}
    return Finding(
        "the same, each noisy count divided by the noisy count of the class, as (10) reads",
        "Algorithm 1 against the Gaussian so: "
        + "; ".join(f"floor {floor} {one}" for floor, one in found.items()),
        worst(one.verdict for one in found.values()),
        "such quotients do not add up to 1; that they are divided by their own sum instead costs no"
        f" privacy, and makes the noise better at each floor ({FIGURES})",
    )


def worst(verdicts: Iterable[Verdict]) -> Verdict:
    """Return the verdict that is farthest from what is printed."""
    return max(verdicts, key=list(Verdict).index)


def near(study: Study) -> Finding:
    """Return the finding on the distance from the non-private model."""
    apart = {name: _farthest(study, table) for name, table in _named(study).items()}
    listed = ", ".join(f"{name} {value:.2f}" for name, value in apart.items())
    return Finding(
        f"remarkably close to the non-private losses on {', '.join(NEAR)}",
        f"farthest from them at any budget, in nats: {listed or 'none of them is there'}",
        Verdict.IN_SHAPE if apart and max(apart.values()) <= CLOSE else Verdict.NOT_AS_PRINTED,
        f"read as {CLOSE} of a nat at most. On all tables together Algorithm 1 costs more than the"
        f" uniform guess, which tells nothing, in {worse_than_guessing(study)} ({FIGURES}, claim"
        " ponnoprat2023.random-guess)",
    )


def _named(study: Study) -> dict[str, Studied]:
    known = {table.split.source.name: table for table in study.tables}
    return {name: known[name] for name in NEAR if name in known}


def _farthest(study: Study, table: Studied) -> float:
    scores = [table.scores[epsilon, DIRICHLET] for epsilon in study.epsilons]
    return max(abs(one.loss.value - table.not_private.loss.value) for one in scores if one)


def worse_than_guessing(study: Study) -> str:
    """Return in how many cells Algorithm 1 costs more than the guess."""
    scores = [
        (score.loss.value, log(table.split.classes))
        for table in study.tables
        for (_, label), score in table.scores.items()
        if score and label == DIRICHLET
    ]
    return f"{sum(loss > guess for loss, guess in scores)} of {len(scores)} cells"


def printed_axis(study: Study) -> Finding:
    """Return the finding on draws over the classes."""
    last = study.epsilons[-1]
    listed = [
        (table.split.source.name, table.scores[last, PRINTED_AXIS], table.scores[last, DIRICHLET])
        for table in study.tables
    ]
    found = [
        (name, one.loss.value, other.loss.value) for name, one, other in listed if one and other
    ]
    worse = sum(one > other for _, one, other in found)
    return Finding(
        "for each value of a feature a draw over the classes stands for P(value | class) (5.1)",
        f"cross-entropy at epsilon = {last}, so and over the values: "
        + "; ".join(f"{name} {one:.2f} and {other:.2f}" for name, one, other in found),
        Verdict.NOT_AS_PRINTED if worse else Verdict.IN_SHAPE,
        "the indices are exchanged: all else here draws over the values (claim"
        " ponnoprat2023.naive-bayes-axis)",
    )
