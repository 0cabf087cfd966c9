"""Messages: no sentence holds a number of any length, which is long, or which Python refuses.

A number that was given goes through ``shown``, which cuts it. What else stands in the braces of a
message is text, a constant, or counts things that are in memory: each by a name that is listed
here. Whoever needs another name decides which of them it is.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import simplexcert.certify
import simplexcert.reference
from each import each_of

ROOTS = [
    Path(str(package.__file__)).parent for package in (simplexcert.reference, simplexcert.certify)
]
# The register's own numbers are written in its files.
OURS = "papers"
FILES = {
    f"{root.name}/{file.relative_to(root).as_posix()}": file
    for root in ROOTS
    for file in sorted(root.rglob("*.py"))
    if OURS not in file.relative_to(root).parts
}
# Where inputs are read texts become parts of messages; elsewhere they are of what was read.
READERS = (
    "reference/",
    "certify/mechanisms/",
    "certify/audits/",
    "certify/published/",
    "certify/releasing/",
    "certify/backends/",
)
# These write numbers, whatever their length.
WRITERS = {"certify/audits/coq.py", "reference/dyadic.py", "reference/exact.py"}
# What makes text of bounded length, or a float, and what only joins texts.
MAKES_TEXT = frozenset(
    {
        "shown",
        "exact_text",
        "figures_up",
        "plainly",
        "said",
        "len",
        "float",
        "join",
        "listed",
        "isinstance",
    }
    | {"describe", "reason", "place", "overall", "not_unique", "strip", "removeprefix"}
    | {"_called", "cap_said", "name_of", "reason_of", "said_range", "said_ranges"}
    | {"_cut", "_misfit", "_known", "_takes", "_listed", "_at_least"}
    | {"said_value", "escape", "_call", "_key"}
)
# Names that stand for text wherever they stand, for a float, or (`at`) for a place in a list.
TEXTS = frozenset(
    """
    at where name path error place file key what strerror attribute target reason address why folder
    kind id check text column quantity source worker said stray output instead label out option
    called space statement program shape told executor names_told sentence who word forward wrong
    verdict side rule line keyid otherwise pattern mechanism status module_name certificate claim
    note hint command words reader first second digest ulps extra derived package seconds
    case_seconds max_seconds quantities language _name __name__ dtype
    """.split()  # noqa: SIM905
)
# By file, names that stand for text there alone, or for a number that counts what is in memory.
COUNTS = {
    "certify/adapters/dp_accounting.py": "given bits last",
    "certify/adapters/losses.py": "value",
    "certify/audits/decision.py": "value",
    "certify/published/deployment.py": "_short",
    "certify/audits/table.py": "_value",
    "certify/curves/claims.py": "_OTHER",
    "certify/mechanisms/markov_model/model.py": "near",
    "certify/mechanisms/protocol.py": "value",
    "certify/mechanisms/histogram.py": "change down",
    "certify/mechanisms/plan.py": "number",
    "certify/mechanisms/laid_out.py": "count only rows",
    "certify/mechanisms/matrix.py": "rows",
    "certify/mechanisms/pufferfish/chain.py": "number",
    "certify/mechanisms/pufferfish/network.py": "most width",
    "certify/mechanisms/pufferfish/noise.py": "most states width",
    "certify/mechanisms/pufferfish/wasserstein.py": "given",
    "certify/audits/tight.py": "named other",
    "certify/backends/accountants/__init__.py": "package distribution",
    "certify/backends/answers.py": "width",
    "certify/backends/declarations.py": "about",
    "certify/backends/draws.py": "wanted number count",
    "certify/backends/keeper.py": "processes memory",
    "certify/backends/messages.py": "one plain seen there quoted",
    "certify/backends/pipes.py": "most last_words how si_status begins",
    "certify/backends/subjects.py": "record here",
    "certify/certificate/backend.py": "cases total",
    "certify/certificate/worst_case.py": "found most",
    "certify/certificate/claim.py": "found stated",
    "certify/certificate/papers.py": "stated",
    "certify/certificate/reading.py": "most",
    "certify/certificate/grids.py": "least",
    "certify/certificate/transcript.py": "number first_line cases gravest count total",
    "certify/certificate/own_numbers.py": "number due",
    "certify/cli/commands.py": "item",
    "certify/cli/issuing.py": "form",
    "certify/models/dirichlet.py": "tables",
    "certify/models/layout.py": "count",
    "certify/models/network.py": "node",
    "certify/mechanisms/reading.py": "least",
    "certify/mechanisms/data/table.py": "columns line_num most width record index",
    "certify/releasing/ledger/composition.py": "total said known rest _why_no_sum",
    "certify/report/budget.py": "height",
    "certify/releasing/ledger/totals.py": "noun number",
    "certify/releasing/ledger/opened.py": "has",
    "certify/releasing/ledger/contents.py": "number before",
    "certify/mechanisms/public.py": "meaning",
    "certify/releasing/published.py": "count grid secret size rows",
    "certify/search/hunt.py": "cases",
    "certify/simulating/running.py": "chosen",
    "certify/simulating/study.py": "numbers",
    "reference/domain/structures.py": "count nodes",
    "reference/dirichlet/pair.py": "changed",
    "reference/domain/__init__.py": "why",
    "reference/display.py": "lines",
    "reference/enclosure.py": "low high self",
    "reference/evaluation.py": "given enclosure estimated how precision_bits engine",
    "reference/exact.py": "value most",
    "reference/grids.py": "given call enclosure size open_points undecided",
    "reference/exact_lists.py": "items most",
    "reference/domain/kinds.py": "before after left right fewest off_by_rounding title titles"
    " parts",
    "reference/markov/bounds/certificate.py": "held",
    "reference/markov/model/privacy.py": "_constant_row",
    "reference/markov/model/data.py": "size number width line_num",
    "reference/markov/model/rows.py": "shown more given",
    "reference/markov/model/merging.py": "categories",
    "reference/markov/printed.py": "row",
    "reference/markov/structure.py": "listed more numbers",
    "reference/domain/matrices.py": "entries each width laws empty size",
    "reference/pufferfish/network/search.py": "quilt node far",
    "reference/quantity.py": "values summary",
    "reference/sampling/draw.py": "count least",
}  # fmt: skip


def messages(tree: ast.AST, name: str = "") -> Iterator[ast.expr]:
    """Yield what stands in braces in what is raised, and where inputs are read in any text."""
    texts = name.startswith(READERS) and name not in WRITERS
    for node in ast.walk(tree):
        if isinstance(node, ast.Raise) or (texts and _makes_text(node)):
            yield from (one.value for one in ast.walk(node) if isinstance(one, ast.FormattedValue))


def _makes_text(node: ast.AST) -> bool:
    returned = node.returns if isinstance(node, ast.FunctionDef) else None
    is_text = isinstance(returned, ast.Name) and returned.id == "str"
    return is_text or isinstance(node, ast.Lambda)


def last_name(node: ast.expr) -> str:
    if isinstance(node, ast.Name):
        return node.id
    return node.attr if isinstance(node, ast.Attribute) else ""


def is_bounded(node: ast.expr, counts: frozenset[str]) -> bool:
    """Whether an expression is text, a constant, or counts something."""
    if isinstance(node, ast.Constant | ast.Call):
        return isinstance(node, ast.Constant) or last_name(node.func) in MAKES_TEXT | counts
    if isinstance(node, ast.JoinedStr):  # its own braces are looked at by themselves
        return True
    if isinstance(node, ast.IfExp):
        return is_bounded(node.body, counts) and is_bounded(node.orelse, counts)
    if isinstance(node, ast.BinOp):  # one more, or a text that is there or not
        return all(is_bounded(one, counts) or isinstance(one, ast.UnaryOp)
                   for one in (node.left, node.right))  # fmt: skip
    if isinstance(node, ast.Subscript):  # of texts, by position
        by_name = isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str)
        by_position = isinstance(node.slice, ast.Constant | ast.UnaryOp) and not by_name
        return by_position or last_name(node.value) in counts
    name = last_name(node)
    # N is what was given.
    return (name.isupper() and len(name) > 1) or name in TEXTS or name in counts


def test_what_is_raised_holds_no_number_of_any_length() -> None:
    wrong = [
        f"{name}, line {one.lineno}: {ast.unparse(one)}"
        for name, file in FILES.items()
        for one in messages(ast.parse(file.read_text(encoding="utf-8")), name)
        if not is_bounded(one, frozenset(COUNTS.get(name, "").split()))
    ]
    assert wrong == [], "put it through shown(), or list its name here"


def test_no_name_is_listed_that_no_message_has() -> None:
    for name, listed in COUNTS.items():
        tree = ast.parse(FILES[name].read_text(encoding="utf-8"))
        there = {last_name(part) for one in messages(tree, name) for part in ast.walk(one)
                 if isinstance(part, ast.expr)}  # fmt: skip
        assert set(listed.split()) <= there, name


NUMBERS = ("n", "exact['n']", "sum(counts)", "claim.number('N')", "one.N", "n + 1", "str(n)")


@each_of("number", NUMBERS)
def test_a_number_that_was_given_is_found(number: str) -> None:
    raised = ast.parse(f'raise InputError(f"{{where}}: {{{number}}}, {{shown({number})}}")')
    found = [is_bounded(one, frozenset()) for one in messages(raised)]
    assert found == [True, False, True]
