"""Toys for the rows of CONTRIBUTING's table: what is written where, for each."""

from __future__ import annotations

from typing import NamedTuple

from simplexcert.certify.mechanisms import template_text


class Part(NamedTuple):
    """A text for the end of a file, which may be new, or for before the only such text in it.

    ``asked`` is how a failing test names the file, where that is not by its path.
    """

    file: str
    text: str
    before: str = ""
    asked: str = ""

    @property
    def asked_as(self) -> str:
        """What a test that asks for the file says."""
        return self.asked or self.file


class Toy(NamedTuple):
    """What is added by a row: in parts, and then by the commands that the row names.

    With all parts before ``asked_from`` the tests ``asking`` ask for the others. ``only`` are the
    things at which laws of many are tried.
    """

    row: str
    name: str
    parts: tuple[Part, ...]
    only: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    asked_from: Part | None = None
    asking: tuple[str, ...] = ()


_SECOND = "tests/fast/reference/second/test_second_opinion.py"
# Those of the second opinions that name what is missing.
_COMPLETE = (
    f"{_SECOND}::test_every_quantity_has_a_second_opinion_and_nothing_else_has",
    f"{_SECOND}::test_every_quantity_has_edges",
)
_INDEX = "tests/fast/proofs_notes/test_index.py"
_STATED = "tests/fast/reference/test_relations.py"


def _quantity() -> Toy:
    name = "dirichlet.utility.second_moment"
    asked = Part(
        "reference/second/dirichlet/utility.py",
        f'''

@second_opinion("{name}", engine="mpfr", rigorous=True)
def second_moment(bits: int, p: Fraction, k: Fraction) -> Enclosure:
    """Return the variance p (1-p)/(k+1) and p^2, a rational."""
    return Enclosure.of(p * (1 - p) / (k + 1) + p * p, bits)
''',
        asked="reference/second/",
    )
    parts = (
        Part(
            "reference/dirichlet/utility.py",
            f'''

@quantity(
    "{name}",
    safe=Side.NONE,
    truth=Truth.LEAST,
    source=_UTILITY_NOTE,
    formula=r"E x^2 = \\frac{{p (k p + 1)}}{{k + 1}}",
    within=A_PROBABILITY,
    rises=UNKNOWN,
)
def second_moment(p: Probability, k: Positive) -> Fraction:
    """Mean square of a coordinate with mean p: p (k p + 1)/(k + 1), a rational."""
    return p * (k * p + 1) / (k + 1)
''',
        ),
        Part(
            "proofs_notes/utility.md",
            "Its mean square is p (k p + 1)/(k + 1).\n\n",
            before="## mean-absolute-deviation",
        ),
        asked,
        Part(
            "reference/second/edges.toml",
            f"""
"{name}" = [
    {{ p = "0", k = "3" }},
    {{ p = "1/3", k = "20.6" }},
]
""",
        ),
        Part(
            "proofs_notes/README.md",
            f"`{name}`, ",
            before="`dirichlet.utility.variance`, `markov.expected_deviations`",
        ),
    )
    asking = (*_COMPLETE, _INDEX)
    return Toy("quantity", name, parts, (name, "utility.md"), asked_from=asked, asking=asking)


QUANTITY = _quantity()
TWIN = Toy(
    "fast twin of a quantity",
    QUANTITY.name,
    (
        Part(
            "certify/backends/float64/utility.py",
            '''

def second_moment(p: FloatArray, k: FloatArray) -> FloatArray:
    """Return the mean square of a coordinate, to about 1e-15 relative."""
    return p * (k * p + 1) / (k + 1)
''',
        ),
        Part(
            "certify/backends/float64/__init__.py",
            f'    "{QUANTITY.name}": elementwise(utility.second_moment),\n',
            before='    "dirichlet.utility.variance": elementwise(',
        ),
    ),
    (QUANTITY.name,),
)


def _family() -> Toy:
    law = "toy-quotients"
    asked = Part("reference/second/edges.toml", """
"toy.ratio" = [{ step = "1", scale = "1/3" }]
"toy.step" = [{ scale = "1", epsilon = "1/3" }]
""")  # fmt: skip
    parts = (
        Part(
            "reference/toy.py",
            '''"""A toy family: what a step of the one query loses with noise of a scale."""

from __future__ import annotations

from fractions import Fraction

from .domain import AT_LEAST_ZERO, Positive
from .quantity import Side, Truth, quantity
from .relations import InverseOf

_NOTE = "proofs_notes/toy.md"


@quantity(
    "toy.ratio",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=_NOTE,
    formula="s / c",
    within=AT_LEAST_ZERO,
    rises="step",
    falls="scale",
)
def ratio(step: Positive, scale: Positive) -> Fraction:
    """Step over scale."""
    return step / scale


@quantity(
    "toy.step",
    safe=Side.LOWER,
    truth=Truth.LEAST,
    source=_NOTE,
    formula="c e",
    within=AT_LEAST_ZERO,
    rises="scale epsilon",
    inverse=InverseOf("toy.ratio", "epsilon", solves="step"),
)
def step(scale: Positive, epsilon: Positive) -> Fraction:
    """Largest step whose ratio is at most epsilon."""
    return scale * epsilon
''',
        ),
        Part(
            "reference/second/toy.py",
            '''"""The toy family again."""

from __future__ import annotations

from fractions import Fraction

from ..enclosure import Enclosure
from .opinion import second_opinion


@second_opinion("toy.ratio", engine="mpfr", rigorous=True)
def ratio(bits: int, step: Fraction, scale: Fraction) -> Enclosure:
    """Return the quotient, a rational."""
    return Enclosure.of(1 / (scale / step), bits)


@second_opinion("toy.step", engine="mpfr", rigorous=True)
def step(bits: int, scale: Fraction, epsilon: Fraction) -> Enclosure:
    """Return the product, a rational."""
    return Enclosure.of(epsilon / (1 / scale), bits)
''',
        ),
        Part(
            "proofs_notes/toy.md",
            """# A toy

**Statement.** With noise of a scale a step of the query loses step/scale.

## quotient-of-both

step/scale is at most ε exactly where step ≤ ε scale. ∎
""",
        ),
        asked,
        Part(
            "proofs_notes/laws-of-answers.md",
            f"## {law}\n\n`toy.ratio` is a quotient, `toy.step` a product.\n\n",
            before="## ends-of-ranges",
            asked="laws-of-answers.md",
        ),
        Part(
            "proofs_notes/laws-of-answers.md",
            "- `toy.step`: a quotient in its dividend.\n",
            before="\nIf f at half",
            asked="laws-of-answers.md",
        ),
        Part(
            "proofs_notes/laws-of-answers.md",
            f"| `toy.ratio` | step | scale | | [{law}](#{law}) |\n"
            f"| `toy.step` | scale, epsilon | | `toy.ratio` in epsilon | [{law}](#{law}) |\n",
            before="\n## What nothing refutes",
            asked="| `toy.step` | scale, epsilon | | `toy.ratio` in epsilon | [LAW](#LAW) |",
        ),
        Part(
            "tests/fast/proofs_notes/test_laws_of_answers.py",
            f'def test_toy_quotients() -> None:\n    require_trends("{law}")\n\n\n',
            before="def test_ends_of_ranges",
            asked="laws-of-answers.md",
        ),
        Part(
            "tests/fast/proofs_notes/test_toy.py",
            '''"""The law of proofs_notes/toy.md."""

from fractions import Fraction


def test_quotient_of_both() -> None:
    for step in (1, 2, 3):
        assert (Fraction(step, 2) <= 1) == (step <= 2)
''',
        ),
        Part(
            "proofs_notes/README.md",
            "| [toy.md](toy.md) | `toy.ratio`, `toy.step` | a quotient | "
            "`tests/fast/proofs_notes/test_toy.py` |\n",
            before="| [monotone-roots.md]",
        ),
    )
    asking = (*_COMPLETE, _INDEX, _STATED)
    only = ("toy.ratio", "toy.step", "toy.md")
    return Toy("family of quantities", "toy", parts, only, asked_from=asked, asking=asking)


FAMILY = _family()


def _mechanism() -> Toy:
    name, alike = "toy.vector", "dirichlet.identity"
    asked = Part("tests/support/private_data.py", f'\n\nDATA["{name}"] = DATA["{alike}"]\n')
    parts = (
        Part(
            "certify/mechanisms/toy.py",
            f'''"""A toy: one private vector in the bordered simplex, released as Dirichlet(k p)."""

from .vector import Identity


class _Toy(Identity):
    """A vector whose protected coordinates are all of it but one."""

    name = "{name}"

    def non_claims(self, claim):
        """Return what a verdict does not say."""
        return [*super().non_claims(claim), "This is a toy."]


TOY = _Toy()
''',
        ),
        Part(f"certify/mechanisms/{name}.toml", template_text(alike).replace(alike, name)),
        Part(
            "certify/mechanisms/__init__.py",
            f'    "{name}": ("toy", "TOY"),\n',
            before='    "dirichlet.identity": (',
        ),
        asked,
    )
    tests = "tests/fast/certify/releasing/test_release_end_to_end.py"
    asking = (f"{tests}::test_there_are_private_data_for_every_mechanism",)
    return Toy("mechanism", name, parts, (name,), asked_from=asked, asking=asking)


MECHANISM = _mechanism()


def _claim() -> Toy:
    asked = Part(
        "tests/fast/proofs_notes/test_toy_claim.py",
        '''"""The law of proofs_notes/toy-claim.md."""


def test_odd_squares_are_odd() -> None:
    assert all(n * n % 2 for n in range(1, 100, 2))
''',
    )
    parts = (
        Part(
            "proofs_notes/toy-claim.md",
            """# A toy claim

**Statement.** Squares of odd numbers are odd.

## odd-squares-are-odd

(2n + 1)² = 2(2n² + 2n) + 1. ∎
""",
        ),
        asked,
        Part(
            "proofs_notes/README.md",
            "| [toy-claim.md](toy-claim.md) | none | squares | "
            "`tests/fast/proofs_notes/test_toy_claim.py` |\n",
            before="| [monotone-roots.md]",
        ),
    )
    return Toy("claim of ours", "toy-claim", parts, asked_from=asked, asking=(_INDEX,))


CLAIM = _claim()


def _entry() -> Toy:
    name = "gohari2020.toy-sum"
    asked = Part(
        "tests/fast/certify/papers/ids.toml",
        '  "toy-sum",\n',
        before='  "definition-1",\n  "definition-2-implies',
        asked=f"add {name} to tests/fast/certify/papers/ids.toml",
    )
    parts = (
        Part(
            "certify/papers/gohari2020/definitions.py",
            f"""    Statement(
        "{name}",
        "remark",
        "I, nowhere",
        "One half and one half are less than 1.",
        _NOTE,
        (
            Instance(
                "two halves",
                Exactly("1", "two halves"),
                "<",
                Exactly("1", "one"),
                {{"halves": True}},
            ),
        ),
    ),
""",
            before='    Statement(\n        "gohari2020.definition-1",',
        ),
        asked,
    )
    commands = (
        f"simplexcert claims {name} --check --record",
        f"python -m simplexcert.certify.papers.notes {name}",
    )
    tests = "tests/fast/certify/papers/test_notes.py"
    asking = (f"{tests}::test_every_statement_of_a_paper_is_an_entry",)
    row = "published statement"
    return Toy(row, name, parts, (name,), commands, asked_from=asked, asking=asking)


ENTRY = _entry()


def _check() -> Toy:
    asked = Part(
        "tests/fast/quality/gallery/faults_of_laws.py",
        """

faulty.put(
    Entry(
        "period_and_a_bit",
        {"markov.period": lambda P: up("markov.period", P=P) * (1 + 2**-40)},
        "a period that is no whole number",
        cases=20,
        law="whole",
    )
)
""",
        asked="tests/fast/quality/gallery/",
    )
    parts = (
        Part(
            "certify/checks/relations/whole.py",
            '''"""Whole: what is counted is answered by a whole number."""

from __future__ import annotations

from fractions import Fraction

from ....reference.quantity import Quantity
from ...verdict import Verdict
from .relation import Ask, Declared, First, Found, Ruling, Truths, Witness, Wording, point_at


class Whole:
    """The period of a chain is answered by a whole number."""

    check = "whole"
    wording = Wording(
        "what is counted is answered by a whole number",
        "the whole number below",
        "The answer is a whole number.",
        "The answer is no whole number.",
    )

    def applies_to(self, quantity: Quantity) -> bool:
        """Whether the quantity counts something."""
        return quantity.name == "markov.period"

    def found(self, quantity: Quantity, first: First, ask: Ask, declared: Declared) -> Found:
        """Take the answer."""
        return Found(first.point, first.number, ())

    def verdict_on(
        self,
        witness: Witness,
        slack: Fraction,  # noqa: ARG002
        accuracy: Fraction | None,  # noqa: ARG002
        truths: Truths,  # noqa: ARG002
    ) -> Ruling:
        """Hold the answer against the whole number below."""
        below = Fraction(int(witness.value))
        same = below == witness.value
        return Ruling(Verdict.CERTIFIED if same else Verdict.REFUTED, point_at(below))
''',
        ),
        Part(
            "certify/checks/relations/cases.py",
            "from .whole import Whole\n",
            before="\n# Adjacency and noise are one check",
        ),
        Part("certify/checks/relations/cases.py", "    Whole(),\n", before="    Form(),\n)"),
        asked,
        Part(
            "tests/fast/quality/test_gallery.py",
            '    "period_and_a_bit",\n',
            before="}  # fmt: skip\nSOUND_IN_GATE",
        ),
    )
    return Toy(
        "check of answers against each other",
        "whole",
        parts,
        ("period_and_a_bit",),
        ("python -m simplexcert.certify.certificate.schema",),
        asked_from=asked,
        asking=("tests/fast/quality/test_gallery.py::test_the_gallery_is_large_and_covers_every_family",),
    )  # fmt: skip


CHECK = _check()
FIELD = Toy(
    "field of a certificate",
    "quantities",
    (
        Part(
            "certify/certificate/models.py",
            "    quantities: Count\n",
            before="\n\nclass Predicate(Closed, frozen=True):",
        ),
        Part(
            "certify/certificate/backend.py",
            "            , quantities=len({check.quantity for check in campaign.checks}),\n",
            before="        ),\n    )\n\n\ndef _scope",
        ),
        Part(
            "certify/certificate/backend.py",
            "    known = {one.quantity for one in predicate.checks}\n"
            "    if predicate.transcript.quantities != len(known):\n"
            '        raise AlgebraError("the transcript is of other quantities than the checks")\n',
            before="\n\ndef _require_sample",
        ),
        Part(
            "proofs_notes/backend-certificate.md",
            ", `quantities`, of how many",
            before=" |\n\nA check:",
        ),
        Part(
            "proofs_notes/backend-certificate.md",
            '\n      "quantities": 1,',
            before='\n      "sha256": "',
        ),
    ),
    # The two commands that write the kept certificates again, and their tests, take minutes.
    commands=("python -m simplexcert.certify.certificate.schema",),
)


def _experiment() -> Toy:
    name = "gohari2020.toy"
    asked = Part(
        "proofs_notes/site/pages/experiments.md",
        f"| `{name}` | A toy |\n",
        before="| `ponnoprat2023.figure-2` |",
    )
    parts = (
        Part(
            "benchmarks/experiments/gohari2020/toy.py",
            '''"""A toy: nothing is drawn."""

from __future__ import annotations

from ..curves import curves
from ..outcome import Finding, Outcome, Plot, Running, Table, Verdict
from ..registry import Setting


def toy(setting: Setting) -> Running:  # noqa: ARG001
    """Work out nothing."""
    yield 1.0
    points = {"one": {"line": [(0.0, 1.0), (1.0, 2.0)]}}
    return Outcome(
        tables=(Table("toy", "Toy", ("what",), ((1,),)),),
        plots=(Plot("toy", "Toy", curves(points, xlabel="x", ylabel="y")),),
        findings=(
            Finding("one", "one", Verdict.AS_PRINTED, "a toy (claim gohari2020.lemma-1)"),
        ),
    )
''',
        ),
        Part(
            "benchmarks/experiments/gohari2020/__init__.py",
            "from .toy import toy\n",
            before="\nEXPERIMENTS",
        ),
        Part(
            "benchmarks/experiments/gohari2020/__init__.py",
            f'EXPERIMENTS = (*EXPERIMENTS, Experiment("{name}", "Nowhere", "A toy", toy))\n',
        ),
        asked,
    )
    tests = "tests/fast/site/test_pages.py"
    asking = (f"{tests}::test_the_experiments_that_are_listed_are_those_there_are",)
    only = (name, "experiments")
    return Toy("experiment", name, parts, only, asked_from=asked, asking=asking)


EXPERIMENT = _experiment()


def _page() -> Toy:
    asked = Part(
        "proofs_notes/site/mkdocs.yml",
        "      - toy.md\n",
        before="      - interface.md\n",
        asked="toy.md",
    )
    page = Part(
        "proofs_notes/site/pages/toy.md",
        """# A toy

```python
from simplexcert.reference import evaluate
assert evaluate("dirichlet.utility.variance", {"p": "1/2", "k": 3}).lower > 0
```

<!-- figure figures/largest-k.svg: Of no toy: the largest k that keeps a claim -->
""",
    )
    asking = ("tests/fast/site/test_pages.py::test_every_page_has_its_place_in_the_navigation",)
    return Toy("page of the site", "toy", (page, asked), ("toy",), asked_from=asked, asking=asking)


PAGE = _page()
