"""Section 5.2: the synthetic experiment."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from ..entries import Claim
from ..evidence import Formula, Instance, NotDecidable, Proof, Relation
from ..values import At
from . import executed_setting as setting
from . import executed_synthetic as on_synthetic
from .inputs import LENGTH, one_chain, symmetric

NOTE = "song2017/synthetic.md"


def _exact(alpha: str, epsilon: str) -> At:
    """Return the scale of the class's worst chain, two-state-corner.md#corner-decides."""
    chains = one_chain("any", symmetric(str(1 - Fraction(alpha))))
    given = {"chains": chains, "length": LENGTH, "epsilon": epsilon, "width": LENGTH}
    return At("pufferfish.quilt_scale_exact", given)


def _approx(alpha: str, epsilon: str) -> At:
    given = {"pi_min": alpha, "gap": str(4 * Fraction(alpha)), "length": LENGTH}
    return At("pufferfish.quilt_scale_approx", {**given, "epsilon": epsilon})


def _gk16(alpha: str, epsilon: str) -> At:
    """Return the scale of the class's two worst chains, for every initial law."""
    ends = (alpha, str(1 - Fraction(alpha)))
    chains = [chain for stay in ends for chain in one_chain("any", symmetric(stay))]
    return At("pufferfish.gk16_scale", {"chains": chains, "length": LENGTH, "epsilon": epsilon})


_NESTED = Proof(
    f"{NOTE}#nested-classes",
    "larger classes have larger suprema, smaller pi_min and g; scores fall with epsilon (1)",
    (Formula("(1)", on_synthetic.larger_classes_need_more),),
)

# One point of either kind for each mechanism.
_COMPARED: tuple[tuple[str, Callable[[str, str], At], str, str, Relation], ...] = (
    ("MQMExact", _exact, "0.35", "1", "<"),
    ("MQMExact", _exact, "0.4", "0.2", ">"),
    ("MQMApprox", _approx, "0.35", "5", "<"),
    ("MQMApprox", _approx, "0.4", "1", ">"),
)

CLAIMS = (
    Claim(
        id="song2017.synthetic-reversible",
        kind="remark",
        where="Section 5.2",
        says="Chains of two states with 0 < p0, p1 < 1 are irreducible, aperiodic and reversible, "
        "and the share of state 1, which decides the histogram, is 1/T-Lipschitz.",
        note=NOTE,
        evidence=(
            Proof(
                f"{NOTE}#two-states",
                "positive transitions, and detailed balance (2); one entry moves one count by 1",
                (
                    Formula("(2)", on_synthetic.two_states_are_reversible),
                    Formula("counts", setting.one_entry_moves_two_counts),
                ),
            ),
        ),
    ),
    Claim(
        id="song2017.synthetic-monotone",
        kind="figure",
        where="Section 5.2, Figure 4; Section 5.4",
        says="The expected errors of GK16, MQMApprox and MQMExact fall as the class shrinks and as "
        "epsilon grows.",
        hypotheses=("errors are expected ones: the scale times the Lipschitz constant",),
        note=NOTE,
        evidence=(
            _NESTED,
            Instance("MQMExact, 0.35 and 0.4", _exact("0.4", "1"), "<", _exact("0.35", "1")),
            Instance("MQMApprox, 0.35 and 0.4", _approx("0.4", "1"), "<", _approx("0.35", "1")),
            Instance("GK16, 0.35 and 0.4", _gk16("0.4", "1"), "<", _gk16("0.35", "1")),
        ),
    ),
    Claim(
        id="song2017.synthetic-gk16-line",
        kind="figure",
        where="Section 5.2, Figure 4; Section 5.4",
        says="GK16 applies right of one line in alpha only, the same for every epsilon; both quilt "
        "mechanisms apply everywhere.",
        note=NOTE,
        evidence=(
            Proof(
                f"{NOTE}#one-line",
                "the condition has no epsilon and holds for subclasses; the trivial quilt's scale "
                "is T/epsilon; at T = 100 the corner chains pass between 0.32 and 0.33 (3)",
                (Formula("(3)", on_synthetic.symmetric_line_is_between),),
            ),
        ),
    ),
    Claim(
        id="song2017.synthetic-comparison",
        kind="figure",
        where="Sections 5.2 and 5.4, Figure 4",
        says="Where all apply, each quilt mechanism needs less noise than GK16 for some parameters "
        "and more for others.",
        hypotheses=(
            "GK16 as the paper describes it, its scale 2/epsilon times the largest row sum",
        ),
        note=NOTE,
        evidence=(
            Proof(
                f"{NOTE}#corners",
                "the corners of the class decide each of the three scales (4)",
                (Formula("(4)", on_synthetic.corners_have_the_largest_influences),),
            ),
            *(
                Instance(
                    f"{name} against GK16 at alpha = {alpha}, epsilon = {epsilon}",
                    scale(alpha, epsilon),
                    relation,
                    _gk16(alpha, epsilon),
                    decides=True,
                )
                for name, scale, alpha, epsilon, relation in _COMPARED
            ),
        ),
    ),
    Claim(
        id="song2017.synthetic-curves",
        kind="figure",
        where="Figure 4, upper row",
        says="Average errors of 500 random trials.",
        note=NOTE,
        evidence=(NotDecidable("the values are drawn and not stated, and the trials are random"),),
    ),
    Claim(
        id="song2017.gk16-description",
        kind="remark",
        where="Sections 5.1 and 5.4",
        says="GK16 is private where the spectral norm of its influence matrix is below 1.",
        note=NOTE,
        evidence=(NotDecidable("it is a theorem of another paper, not stated in this one"),),
    ),
)
