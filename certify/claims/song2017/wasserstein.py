"""Section 3 and Appendix B: the Wasserstein mechanism."""

from __future__ import annotations

from ....reference.enclosure import Trilean
from ..entries import Claim
from ..evidence import Formula, Identity, Instance, NotDecidable, Proof
from ..values import At, Exactly
from . import executed_wasserstein as executed
from .inputs import INFECTED, numbers

NOTE = "song2017/wasserstein.md"
_GIVEN_WELL, _GIVEN_ILL = (
    ["0.2", "0.225", "0.5", "0.075", "0"],
    ["0", "0.075", "0.5", "0.225", "0.2"],
)


def _conditionals() -> Trilean:
    found = executed.conditionals_of_the_clique(numbers(INFECTED))
    return Trilean.of(found == (numbers(_GIVEN_WELL), numbers(_GIVEN_ILL)))


def _line(mass: list[str]) -> dict[str, list[str]]:
    kept = [(str(at), share) for at, share in enumerate(mass) if share != "0"]
    return {"points": [at for at, _ in kept], "mass": [share for _, share in kept]}


_MIXTURES = Formula("(4)", executed.mixtures_are_no_further_apart)

CLAIMS = (
    Claim(
        id="song2017.definition-3-1",
        kind="definition",
        where="Section 3, Definition 3.1, (3)",
        says="The infinity-Wasserstein distance is the most that any mass has to move in the best "
        "way to turn one law into the other.",
        hypotheses=("laws of finitely many atoms",),
        note=NOTE,
        evidence=(
            Proof(
                "wasserstein.md#monotone-coupling",
                "the infimum is attained, by the monotone coupling (1)",
                (Formula("(1)", executed.the_infimum_is_attained),),
            ),
        ),
    ),
    Claim(
        id="song2017.figure-1",
        kind="figure",
        where="Section 3, Figure 1",
        says="The two laws of the figure are at distance 1.",
        note=NOTE,
        evidence=(NotDecidable("the masses are drawn and not stated"),),
    ),
    Claim(
        id="song2017.algorithm-1",
        kind="algorithm",
        where="Section 3.1, Algorithm 1",
        says="The Wasserstein mechanism is the Laplace mechanism, with the global sensitivity, "
        "where Pufferfish privacy is differential privacy.",
        hypotheses=("the class of all laws that make entries independent", "a scalar query"),
        note=NOTE,
        evidence=(
            Proof(
                f"{NOTE}#laplace-mechanism",
                "W is at most the sensitivity by shared mixing, and reaches it at point masses (2)",
                (Formula("(2)", executed.independent_entries_reach_the_sensitivity),),
            ),
        ),
    ),
    Claim(
        id="song2017.example-3-1-conditionals",
        kind="number",
        where="Section 3.1, example, second table",
        says="In the clique of four the laws of N given a person's status are "
        "(.2, .225, .5, .075, 0) and its mirror image.",
        hypotheses=("the joint law is symmetric",),
        garbled="the header of the first table has i for j",
        note=NOTE,
        evidence=(Identity("over all 16 data sets, both laws are those printed", _conditionals),),
    ),
    Claim(
        id="song2017.example-3-1-distance",
        kind="number",
        where="Section 3.1, example, last paragraph",
        says="W = 2 there, where group privacy needs 4.",
        note=NOTE,
        evidence=(
            Instance(
                "W of the two laws",
                At("pufferfish.wasserstein", {"mu": _line(_GIVEN_WELL), "nu": _line(_GIVEN_ILL)}),
                "=",
                Exactly("2"),
                decides=True,
            ),
            Instance(
                "the scale for a group of four at epsilon = 1",
                At("pufferfish.group_scale", {"lipschitz": 1, "size": 4, "epsilon": 1}),
                "=",
                Exactly("4"),
                decides=True,
            ),
        ),
    ),
    Claim(
        id="song2017.theorem-3-2",
        kind="theorem",
        where="Section 3.2, Theorem 3.2; proof in Appendix B",
        says="The Wasserstein mechanism is epsilon-Pufferfish private.",
        hypotheses=("W is finite; W = 0 means that no noise is added",),
        garbled="a lower limit in (9) has s where t is meant",
        note=NOTE,
        evidence=(
            Proof(
                f"{NOTE}#privacy",
                "densities differ by a factor of at most e^(W/b) (3), and equal laws need no noise",
                (
                    Formula("(3)", executed.densities_differ_by_the_distance),
                    Formula("W = 0", executed.distance_zero_is_one_law),
                ),
            ),
        ),
    ),
    Claim(
        id="song2017.lemma-b-2",
        kind="lemma",
        where="Appendix B.1, Lemma B.2",
        says="Mixtures with the same weights are no further apart than the furthest pair of parts.",
        note=NOTE,
        evidence=(
            Proof(
                "wasserstein.md#shared-mixing",
                "the mixture of couplings is a coupling (4)",
                (_MIXTURES,),
            ),
        ),
    ),
)
