"""Section 5.3: what the printed tables decide."""

from __future__ import annotations

from fractions import Fraction

from ....reference.enclosure import Trilean
from ..entries import Claim, Reading
from ..evidence import Identity, Instance, NotDecidable, Reproduced
from ..values import Exactly

TABLES = "song2017/tables.md"
_EXACT_ERRORS = {"0.2": ("0.1298", "0.25"), "1": ("0.0188", "0.04")}
# Table 2, seconds: MQMApprox and MQMExact on the power data.
_APPROX_SECONDS, _EXACT_SECONDS = "0.0567", "282.2273"
# Table 1: GroupDP, MQMApprox, MQMExact; then DP where it is given.
_TABLE_1 = (
    ("0.0834", "0.0107", "0.0074", "0.2918"),
    ("2.3157", "0.6319", "0.4077"),
    ("0.1138", "0.0156", "0.0098", "0.8746"),
    ("1.7860", "0.2790", "0.1742"),
    ("0.0458", "0.0048", "0.0033", "0.4763"),
    ("1.1492", "0.1967", "0.1316"),
)
_MINUTES_OF_TWO_YEARS = 2 * 365 * 24 * 60


def _errors_are_in_order() -> Trilean:
    rows = [tuple(map(Fraction, row)) for row in _TABLE_1]
    return Trilean.of(all(row[2] < row[1] < min((row[0], *row[3:])) for row in rows))


CLAIMS = (
    Claim(
        id="song2017.table-3-per-bin",
        kind="number",
        where="Section 5.3.2; Table 3, MQMExact",
        says="The errors 0.1298 and 0.0188 over 51 bins are about 0.25 and 0.04 percent a bin.",
        note=TABLES,
        evidence=tuple(
            Reproduced(
                f"percent a bin at epsilon = {epsilon}",
                printed,
                Exactly(str(100 * Fraction(error) / 51)),
            )
            for epsilon, (error, printed) in _EXACT_ERRORS.items()
        ),
    ),
    Claim(
        id="song2017.table-2-ratio",
        kind="number",
        where="Section 5.3.2; Table 2, power data",
        says="MQMExact takes at least an order of magnitude longer than MQMApprox, and less than 5 "
        "minutes.",
        note=TABLES,
        evidence=(
            Instance(
                "ratio of the printed times",
                Exactly(str(Fraction(_EXACT_SECONDS) / Fraction(_APPROX_SECONDS))),
                ">=",
                Exactly("10"),
                decides=True,
            ),
            Instance("printed seconds", Exactly(_EXACT_SECONDS), "<", Exactly("300"), decides=True),
        ),
        readings=(
            Reading(
                "one order of magnitude and not two",
                (
                    Instance(
                        "ratio of the printed times",
                        Exactly(str(Fraction(_EXACT_SECONDS) / Fraction(_APPROX_SECONDS))),
                        "<",
                        Exactly("100"),
                    ),
                ),
                beyond=True,
            ),
        ),
    ),
    Claim(
        id="song2017.table-1",
        kind="number",
        where="Tables 1 and 3, Figure 4 (lower row), Section 5.3",
        says="Errors and times on the activity and power data, and that GK16 does not apply there.",
        note=TABLES,
        evidence=(
            NotDecidable("the data sets are not part of the paper, and the trials are random"),
            Identity(
                "in each column of Table 1 MQMExact is below MQMApprox, that below GroupDP and DP",
                _errors_are_in_order,
                decides=False,
            ),
        ),
    ),
    Claim(
        id="song2017.data-size",
        kind="number",
        where="Sections 1 and 5.3.2",
        says="One observation a minute for about two years makes about, and over, a million.",
        note=TABLES,
        evidence=(
            Identity(
                f"2 x 365 x 24 x 60 = {_MINUTES_OF_TWO_YEARS} is more than a million",
                lambda: Trilean.of(_MINUTES_OF_TWO_YEARS > 10**6),
            ),
        ),
    ),
)
