"""A claim and a file of private data for each simplex mechanism, and what a refusal may say."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from simplexcert.certify.audits.claim import claim_in
from simplexcert.certify.mechanisms.histogram import HISTOGRAM
from simplexcert.certify.mechanisms.markov_model.model import MODEL
from simplexcert.certify.mechanisms.matrix import MATRIX
from simplexcert.certify.mechanisms.plan import Plan, SimplexPlan
from simplexcert.certify.mechanisms.protocol import Claim, Mechanism, PublicSettings
from simplexcert.certify.mechanisms.vector import AVERAGE, COUNTS
from simplexcert.certify.mechanisms.vector import IDENTITY as VECTOR
from simplexcert.reference.errors import InputError

# Words that no claim has: they stand in files only, and never in a sentence.
PRIVATE = ("771234", "zq_private")
_WORD = re.compile(r"[\w.\-]+")
_LONG = 4  # shorter numbers stand in sentences by chance, as a line's


@dataclass(frozen=True)
class Case:
    """What a release is asked for with; ``suffix`` tells JSON from CSV."""

    mechanism: Mechanism
    release: Mapping[str, Any]
    data: Mapping[str, Any]
    content: str
    suffix: str = ".csv"
    public: frozenset[str] = field(default_factory=frozenset)
    claim: Mapping[str, Any] = field(default_factory=lambda: CLAIM)

    def of(self, content: str) -> Case:
        """Return the same with other data."""
        return replace(self, content=content)

    def where(self, **release: Any) -> Case:
        """Return the same with other parameters of the release."""
        return replace(self, release={**self.release, **release})

    def listing(self, **data: Any) -> Case:
        """Return the same with other keys of [data]; None drops one."""
        kept = {key: value for key, value in {**self.data, **data}.items() if value is not None}
        return replace(self, data=kept)

    def knowing(self, *public: str) -> Case:
        """Return the same with these public, too."""
        return replace(self, public=self.public | set(public))

    def plan(self, folder: Path) -> Plan:
        """Return the mechanism's plan."""
        file = folder / f"private{self.suffix}"
        file.write_bytes(self.content.encode("utf-8", "surrogateescape"))
        return self.mechanism.plan(*self.said, file)

    def public_names(self) -> tuple[str, ...]:
        """Return what the mechanism asks to be public."""
        return self.mechanism.public_names(*self.said)

    @property
    def said(self) -> tuple[Claim, PublicSettings]:
        """The claim, and what its file says besides."""
        release = {"mechanism": self.mechanism.name, **self.release}
        table = {"release": release, "claim": self.claim, "data": self.data}
        settings = PublicSettings("claim.toml", release, self.data, self.public)
        return claim_in(table, "claim.toml"), settings

    def rows(self, folder: Path) -> list[list[str]]:
        """Return the alphas of the plan, as text."""
        plan = self.plan(folder)
        assert isinstance(plan, SimplexPlan)
        return [list(map(str, row.alpha)) for row in plan.rows]

    def refusal(self, folder: Path) -> str:
        """Return the sentence of a refusal, after it was found to tell nothing."""
        with pytest.raises(InputError) as caught:
            self.plan(folder)
        require_quiet(caught.value, self.private)
        # The folder has the words of a test's name, which may be those that the test looks for.
        return str(caught.value).replace(str(folder), "")

    @property
    def private(self) -> set[str]:
        """The words of the file that do not stand in the claim, nor in what a format asks for."""
        said = f"{self.release} {self.data} private.csv private.json {_FORMATS}"
        words = set(_WORD.findall(self.content)) - set(_WORD.findall(said))
        return {word for word in words if len(word) >= _LONG} | set(PRIVATE)


def require_quiet(error: BaseException, private: set[str]) -> None:
    """Fail where an error, or another one that it carries along, shows a private word."""
    for one in carried(error):
        for text in (str(one), repr(one), repr(one.args), repr(vars(one))):
            assert not [word for word in private if word in text], f"{type(one)} tells"


def carried(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error, and what it was raised from and in, whether that is shown or not."""
    if error is not None:
        yield error
        yield from carried(error.__cause__)
        yield from carried(error.__context__)


_FORMATS = "answer dataset category count from to share grade"
CLAIM = {"epsilon": 1, "delta": "0.001"}
_BORDER = {"k": 10, "eta": "0.1", "eta_bar": "0.2", "b": "0.025"}

IDENTITY = Case(
    VECTOR,
    {**_BORDER, "w": 2},
    {"names": ["rain", "snow", "wind_zq"], "protected": ["rain", "snow"]},
    "rain,snow,wind_zq\n0.1771234,0.2,0.6228766\n",
)
JSON_VECTOR = replace(
    IDENTITY,
    content='{"rain": "0.1771234", "snow": 0.2, "wind_zq": "6228766/10000000"}',
    suffix=".json",
)
MEAN = Case(
    AVERAGE,
    {**_BORDER, "N": 3, "w": 2},
    {"names": ["rain", "snow", "wind_zq"], "protected": ["rain", "snow"]},
    "rain,snow,wind_zq\n0.1771234,0.2,0.6228766\n0.5,0.3,0.2\n1/3,1/4,5/12\n",
)
GIVEN = Case(
    COUNTS,
    {"k": 20, "eta": "0.1", "N": 20, "n": 3},
    {"categories": ["A", "B", "C"]},
    "category,count\nB,10\nA,7\nC,3\n",
)
RECORDS = replace(
    GIVEN,
    data={"column": "grade", "categories": ["A", "B", "C"]},
    content="pupil,grade\n" + "".join(f"zq_private,{x}\n" for x in "A" * 7 + "B" * 10 + "C" * 3),
)
CELLS = Case(
    HISTOGRAM,
    {"step": "0.25", "alpha": "1.5"},
    {"categories": ["A", "B", "C"]},
    "category,count\nA,771\nB,0\nC,7712\n",
)
SQUARE = Case(
    MATRIX,
    {**_BORDER, "w": [2, 1]},
    {"states": ["up", "down"], "protected": {"up": ["up"], "down": ["up"]}},
    ",down,up\ndown,0.7123477,0.2876523\nup,0.25,0.75\n",
).where(w=[1, 1])
SHARES = SQUARE.of(
    "from,to,share\nup,up,0.75\ndown,up,0.2876523\ndown,down,0.7123477\nup,down,0.25\n"
)
MOVES = Case(
    MODEL,
    {"k": [9, 8, 7], "eta": ["0.1", "0.2", 1], "N": [20, 10, 7712], "n": [3, 2, 1]},
    {"states": ["a", "b", "c"], "feasible": {"b": ["b", "c"], "c": ["a"]}},
    ",a,b,c\na,3,7,10\nb,0,3,7\nc,7712,0,0\n",
)
STEPS = replace(
    MOVES.where(N=[20, 10, 4]),
    data={**MOVES.data, "from": "source", "to": "target"},
    content="source,zq_private,target\n"
    + "".join(
        f"{source},{at},{target}\n"
        for source, target, count in (
            ("a", "a", 3), ("a", "b", 7), ("a", "c", 10),
            ("b", "b", 3), ("b", "c", 7), ("c", "a", 4),
        )
        for at in range(1000, 1000 + count)
    ),
)  # fmt: skip
CASES = {
    "identity": IDENTITY,
    "json": JSON_VECTOR,
    "average": MEAN,
    "counts": GIVEN,
    "records": RECORDS,
    "histogram": CELLS,
    "matrix": SQUARE,
    "shares": SHARES,
    "model": MOVES,
    "transitions": STEPS,
}
