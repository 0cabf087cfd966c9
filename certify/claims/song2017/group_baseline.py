"""Sections 5.1 to 5.3: the group privacy baseline."""

from __future__ import annotations

from fractions import Fraction

from ....reference.arb.balls import ball, enclosure_of, working_precision
from ....reference.enclosure import Enclosure
from ....reference.second.directed import Span
from ..entries import Claim, Reading
from ..evidence import Formula, Instance, NotDecidable, Proof, Reproduced
from ..values import At, Exactly, Worked
from . import executed_setting as setting
from .inputs import LENGTH

GROUP = "song2017/group-baseline.md"
# Table 3: 20 trials with 51 bins, at epsilon = 0.2, 1, 5.
_VARIABLES = 20 * 51
_GROUP_ERRORS = {"0.2": "516.1555", "1": "102.8868", "5": "19.8712"}
_BITS = 256


def _group(epsilon: str) -> At:
    given = {"lipschitz": "1/100", "size": LENGTH, "epsilon": epsilon}
    return At("pufferfish.group_scale", given)


def _tail(total: Fraction) -> Worked:
    """Return the chance that so many standard exponential variables have a larger sum."""

    def first() -> Enclosure:
        with working_precision(_BITS):
            return enclosure_of(ball(total).gamma_upper(_VARIABLES, regularized=True))

    def second() -> Enclosure:
        """Sum the Poisson probabilities of fewer than so many events."""
        term, summed = Span.of(1, _BITS), Span.of(0, _BITS)
        at = Span.of(total, _BITS)
        for k in range(_VARIABLES):
            summed += term
            term = term * at / Span.of(k + 1, _BITS)
        return (summed / at.exp()).enclosure()

    return Worked(f"P(Gamma({_VARIABLES}) > {total})", first, second)


def _chance(epsilon: str, scale: int) -> Worked:
    """Return the chance of a larger average error than Table 3's, at scale/epsilon a bin."""
    return _tail(20 * Fraction(_GROUP_ERRORS[epsilon]) * Fraction(epsilon) / scale)


CLAIMS = (
    Claim(
        id="song2017.synthetic-group",
        kind="number",
        where="Section 5.2; caption of Figure 4",
        says="Group privacy has expected errors of the frequency of state 1 of about 5, 1, 0.2 for "
        "epsilon = 0.2, 1, 5.",
        garbled="the caption has epsilon = 0.5 where the text has 0.2",
        note=GROUP,
        evidence=tuple(
            Reproduced(f"scale 1/epsilon at {epsilon}, the mean of |Lap|", printed, _group(epsilon))
            for epsilon, printed in (("0.2", "5"), ("1", "1"), ("5", "0.2"))
        ),
        readings=(
            Reading("5 is for epsilon = 0.5", (Reproduced("scale at 0.5", "5", _group("0.5")),)),
        ),
    ),
    Claim(
        id="song2017.group-noise",
        kind="algorithm",
        where="Section 5.1 (Lap(1/epsilon) a bin); Section 5.3.1 (Lap(M/(T epsilon)))",
        says="GroupDP, with noise of scale 1/epsilon on each bin of the relative histogram, is "
        "epsilon-private for the whole chain.",
        note=GROUP,
        evidence=(
            Instance(
                "a chain all in state 1 or all in state 2, epsilon = 1: two bins, each of which "
                "moves by 1, lose at most 1 together",
                At(
                    "pufferfish.laplace_loss",
                    {
                        "mu": {"points": [1], "mass": [1]},
                        "nu": {"points": [0], "mass": [1]},
                        "scale": 1,
                    },
                    times="2",
                ),
                "<=",
                Exactly("1"),
            ),
        ),
        readings=(
            Reading(
                "for one bin alone, as in Section 5.2",
                (
                    Proof(
                        "baselines.md#one-group",
                        "the share of one state moves by at most 1",
                        (Formula("group", setting.group_noise_is_enough),),
                    ),
                ),
            ),
        ),
    ),
    Claim(
        id="song2017.group-noise-repaired",
        kind="repair",
        repairs="song2017.group-noise",
        where="Sections 5.1 and 5.3.1",
        says="With scale 2/epsilon a bin, or 2M/(T epsilon) for pieces of length at most M, it is "
        "private, and no smaller scale is.",
        note=GROUP,
        evidence=(
            Proof(
                "baselines.md#one-group",
                "all mass moved between two bins changes the 1-norm by 2 (1)",
                (
                    Formula("(1)", setting.one_entry_moves_two_counts),
                    Formula("group", setting.group_noise_is_enough),
                ),
            ),
        ),
    ),
    Claim(
        id="song2017.table-3-group",
        kind="number",
        where="Table 3, GroupDP",
        says="Average 1-norm errors of 516.1555, 102.8868 and 19.8712 over 20 trials with 51 bins.",
        note=GROUP,
        evidence=(
            NotDecidable(
                "the errors are random: with the text's scale 1/epsilon they are practically "
                "excluded, with 2/epsilon they are ordinary"
            ),
            *(
                Instance(
                    f"chance of a larger average at epsilon = {epsilon} with scale 1/epsilon",
                    _chance(epsilon, 1),
                    "<",
                    Exactly("1e-100"),
                )
                for epsilon in _GROUP_ERRORS
            ),
            *(
                Instance(
                    f"chance of a larger average at epsilon = {epsilon} with scale 2/epsilon",
                    _chance(epsilon, 2),
                    ">",
                    Exactly("0.3"),
                )
                for epsilon in _GROUP_ERRORS
            ),
        ),
    ),
)
