"""Sections 2.2 and 2.4: the examples of the setting."""

from __future__ import annotations

from fractions import Fraction

from ....reference.enclosure import Enclosure, Trilean
from ..entries import Claim
from ..evidence import Formula, Identity, Instance, Proof
from ..values import At, Exactly, Worked
from . import executed_setting as executed
from .executed_wasserstein import clique_distance, clique_distance_by_strassen
from .inputs import ACTIVITIES, matrix, numbers, one_chain, symmetric

EXAMPLES = "song2017/examples.md"


def _whole(value: Fraction) -> Enclosure:
    return Enclosure.of(value)


def _clique(people: int) -> Worked:
    return Worked(
        f"W of the number infected in a clique of {people}, given one's status",
        lambda: _whole(clique_distance(people)),
        lambda: _whole(clique_distance_by_strassen(people)),
    )


def _are_chains() -> Trilean:
    laws = [numbers(start) for start, _ in ACTIVITIES]
    laws += [row for _, rows in ACTIVITIES for row in matrix(rows)]
    return Trilean.of(all(sum(law) == 1 and min(law) >= 0 for law in laws))


CLAIMS = (
    Claim(
        id="song2017.example-2-2-1",
        kind="example",
        where="Section 2.2, Example 1; Section 1",
        says="The class shown consists of Markov chains; noise for one entry does not hide an "
        "activity in a correlated chain, and noise for the group grows like T/epsilon.",
        note=EXAMPLES,
        evidence=(
            Identity("starts and rows of both chains are laws", _are_chains),
            Instance(
                "the sum of 12 steps of a chain that stays with 9/10, released with the noise for "
                "one entry at epsilon = 1, loses more than 1",
                At(
                    "pufferfish.chain_loss",
                    {
                        "chains": one_chain("stationary", symmetric("0.9")),
                        "length": 12,
                        "values": [["0", "1"]],
                        "scale": "1",
                    },
                ),
                ">",
                Exactly("1"),
                decides=True,
            ),
            Instance(
                "noise for all 100 entries of a histogram of counts, at epsilon = 1",
                At("pufferfish.group_scale", {"lipschitz": 2, "size": 100, "epsilon": 1}),
                "=",
                Exactly("200"),
            ),
            Proof(
                "baselines.md#one-group",
                "noise for one entry and for T entries has the scales 2/epsilon and 2T/epsilon",
                (Formula("group", executed.group_noise_is_enough),),
            ),
        ),
    ),
    Claim(
        id="song2017.example-2-2-2",
        kind="example",
        where="Section 2.2, Example 2; P(N = j) proportional to e^(2j)",
        says="In cliques where the number infected has that law, noise by the Wasserstein distance "
        "can be below that of group privacy, which is the clique's size.",
        hypotheses=("people of a clique are exchangeable",),
        garbled="the sum in the denominator uses its index for the clique as well",
        note=EXAMPLES,
        evidence=tuple(
            Instance(
                f"a clique of {people}", _clique(people), "<", Exactly(str(people)), decides=True
            )
            for people in (4, 10, 30)
        ),
    ),
    Claim(
        id="song2017.example-2-4-histogram",
        kind="example",
        where="Section 2.4, after Definition 2.5; Sections 5.1 and 5.2",
        says="A histogram of counts is 2-Lipschitz in the 1-norm, the relative one 2/T-Lipschitz, "
        "and the share of one state 1/T-Lipschitz; less would be wrong.",
        hypotheses=("at least two states",),
        note=EXAMPLES,
        evidence=(
            Proof(
                f"{EXAMPLES}#counts",
                "two different unit vectors differ by 2 (1)",
                (Formula("(1)", executed.one_entry_moves_two_counts),),
            ),
        ),
    ),
)
