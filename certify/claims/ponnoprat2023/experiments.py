"""Section 5 and Appendix C: what is said of predictions, and what rests on data."""

from __future__ import annotations

from fractions import Fraction

from ....reference.arb.balls import ball
from ..entries import Claim, Reading
from ..evidence import Instance, NotDecidable, Reproduced
from ..forms import span
from ..values import Exactly, Worked
from .conversion import floor
from .forms import worked
from .noise_example import cross_entropy_ratio

NOTE = "ponnoprat2023/experiments.md"
_CASES, _SURE, _WRONG_DIGITS = 100, Fraction(99, 100), 100
_ORDER = 5


def _mean_loss() -> Worked:
    """Enclose the mean cross-entropy of 99 cases at 0.99 and one at 1e-100."""
    wrong = Fraction(1, 10**_WRONG_DIGITS)
    return worked(
        "mean cross-entropy of 99 cases at 0.99 and one at 1e-100",
        lambda: -((_CASES - 1) * ball(_SURE).log() + ball(wrong).log()) / _CASES,
        lambda: (
            (
                span(_CASES - 1) * (span(100).log() - span(99).log())
                + span(_WRONG_DIGITS) * span(10).log()
            )
            / span(_CASES)
        ),
    )


def _guess() -> Worked:
    return worked(
        "cross-entropy of guessing between two classes, log 2",
        lambda: ball(2).log(),
        lambda: -span("1/2").log(),
    )


_NEARLY_ALL = {"99 of 100 are right": _CASES - 1 == 99}  # noqa: PLR2004

CLAIMS = (
    Claim(
        id="ponnoprat2023.accuracy-ratio",
        kind="number",
        where="Section 5.1, on the difference between the two metrics",
        says="With the true label 1 a predicted 0.1 costs almost three times the cross-entropy of "
        "a predicted 0.4.",
        note=NOTE,
        evidence=(
            NotDecidable("almost is not quantified; the ratio is below three"),
            Instance("the ratio", cross_entropy_ratio(), "<", Exactly("3")),
        ),
        readings=(
            Reading(
                "almost three: three to the nearest whole number",
                (Reproduced("the ratio of the losses", "3", cross_entropy_ratio()),),
            ),
            Reading(
                "almost three: within a tenth of three",
                (Instance("the ratio", cross_entropy_ratio(), ">=", Exactly("2.9")),),
            ),
        ),
    ),
    Claim(
        id="ponnoprat2023.accuracy-against-loss",
        kind="remark",
        where="Section 5.1, the same paragraph",
        says="A model of high accuracy has a relatively low cross-entropy loss where it is too "
        "sure of what it gets wrong.",
        hypotheses=("relatively low: at most that of guessing",),
        note=NOTE,
        evidence=(
            Instance(
                "99 of 100 right, the loss against that of guessing",
                _mean_loss(),
                "<=",
                _guess(),
                _NEARLY_ALL,
            ),
        ),
    ),
    Claim(
        id="ponnoprat2023.accuracy-against-loss-repaired",
        kind="repair",
        repairs="ponnoprat2023.accuracy-against-loss",
        where="Section 5.1, the same paragraph",
        says="It can have a high loss there, as the argument before the sentence has it.",
        note=NOTE,
        evidence=(
            Instance(
                "99 of 100 right, the loss against that of guessing",
                _mean_loss(),
                ">",
                _guess(),
                _NEARLY_ALL,
                decides=True,
            ),
        ),
    ),
    Claim(
        id="ponnoprat2023.table-1",
        kind="number",
        where="Table 1",
        says="Instances, attributes, classes and shares of positives of eight public tables.",
        note=NOTE,
        evidence=(NotDecidable("the data are not in the paper"),),
    ),
    Claim(
        id="ponnoprat2023.figures-4-5",
        kind="figure",
        where="Section 5.1, Figures 4 and 5; abstract, Section 6",
        says="On eight data sets the Dirichlet mechanism's cross-entropy is below that of noisy "
        "counts at equal (5, epsilon), near the non-private one on four; none wins in accuracy.",
        note=NOTE,
        evidence=(
            NotDecidable(
                "data, split and bins are not in the paper, nor what is put in the place of noisy "
                "counts that are not positive, on which a logarithmic loss depends"
            ),
        ),
    ),
    Claim(
        id="ponnoprat2023.figure-7",
        kind="figure",
        where="Section 5.2, Figures 6 and 7; abstract, Section 6",
        says="On three data sets the Dirichlet mechanism's log-likelihoods differ substantially "
        "from those of noisy counts for epsilon < 1.",
        garbled="'less' here against 'larger' and 'higher' in the abstract and Section 6",
        note=NOTE,
        evidence=(NotDecidable("data, networks' tables and split are not in the paper"),),
    ),
    Claim(
        id="ponnoprat2023.appendix-c",
        kind="figure",
        where="Appendix C, Figures 9, 10 and 11",
        says="At (epsilon-hat, 1e-5) the Dirichlet mechanism does better than gohari2020's "
        "guarantee in all experiments, and Laplace noise better than Gaussian.",
        note=NOTE,
        evidence=(NotDecidable("data, lambda and gohari2020's parameters are not in the paper"),),
        readings=(
            Reading(
                "lambda = 5 as in Section 5: some r serves an epsilon-hat of 1",
                (
                    Instance(
                        "the infimum of (14) at lambda = 5, which should be below 1",
                        floor(_ORDER),
                        "<",
                        Exactly("1"),
                        {"lambda > 1": _ORDER > 1},
                    ),
                ),
            ),
        ),
    ),
)
