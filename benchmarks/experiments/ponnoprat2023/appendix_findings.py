"""What Appendix C says of (epsilon, 1e-5)-private models, beside what came out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..outcome import Finding, Verdict
from .noise_by_accounting import smaller
from .ways import AT_ORDER, FLOORS, NOISES, noise_label
from .wins import losses

if TYPE_CHECKING:
    from .bayes import Study

APPENDIX = "claim ponnoprat2023.appendix-c"
GOHARI = (
    "The models by gohari2020's guarantee: its eta, eta_bar, W and gamma are not stated, and it is"
    f" for laws with shares of at least eta, which a value without a record has not ({APPENDIX})."
)


def laplace(study: Study) -> Finding:
    """Return the finding on Laplace against Gaussian noise."""
    found = [
        losses(study, noise_label(NOISES[1], floor), noise_label(NOISES[0], floor))
        for floor in FLOORS
    ]
    better = all(one.wins > one.losses for one in found)
    basic, exact = smaller(study)
    return Finding(
        "at (epsilon, 1e-5) Laplace noise does better than Gaussian (Appendix C)",
        "smaller : larger cross-entropy of Laplace for the floors "
        + "; ".join(f"{floor} {one}" for floor, one in zip(FLOORS, found, strict=True)),
        Verdict.IN_SHAPE if better else Verdict.NOT_AS_PRINTED,
        "it is a matter of the accounting: with a share of epsilon and delta for each table Laplace"
        f" has the smaller deviation in {basic:.0%} of the cells, with all tables accounted for"
        f" together in {exact:.0%} ({APPENDIX})",
    )


def reached(study: Study) -> Finding:
    """Return the finding on what order 5 reaches."""
    pairs = [
        (epsilon, table.scores[epsilon, AT_ORDER])
        for table in study.tables
        for epsilon in study.epsilons
    ]
    out = sorted({float(epsilon) for epsilon, score in pairs if score is None})
    return Finding(
        "models of the Renyi guarantee at each epsilon of Figures 9 to 11",
        f"at order 5 none for epsilon = {', '.join(f'{one:g}' for one in out)}"
        if out
        else "all of these epsilons are reached at order 5",
        Verdict.NOT_AS_PRINTED if out else Verdict.AS_PRINTED,
        "the conversion at order 5 gives no epsilon of 2.2527 or less, whatever the step; the order"
        " that was used is not printed, and 'Algorithm 1' takes the best one for each epsilon"
        f" ({APPENDIX})",
    )
