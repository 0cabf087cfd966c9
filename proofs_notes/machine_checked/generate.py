"""Write the loops of the float64 backend's series as Coq definitions, with every rounding.

The loops are read from the source itself, as syntax trees, so that the proofs are about the program
that runs: sums, products and quotients of doubles, by NumPy (``np.add(x, y, out=z)``), in place
(``z += x``) or written out. What is not among them is refused. ``index`` is S n, ``index - 1.0`` is
n, both exact, as they stay below 2^53. A function of one loop becomes ``step_NAME``, which maps the
numbers before one run of the body to those after it, and ``normal_NAME``: nothing underflows there.

From the part for large epsilon/step the lines that make q and A q are read likewise, differences
included; its exponential is a given number, and the condition on the slope's rest one that holds.

``python3 generate.py`` writes SeriesSource.v; with ``--check`` it only says whether it is today's.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
BACKEND = HERE.parents[1] / "certify" / "backends" / "float64"
WRITTEN = HERE / "SeriesSource.v"

_HEAD = """\
(** The loops of certify/backends/float64, written by generate.py; not to be edited. *)
From Coq Require Import Reals.
From Simplexcert Require Import Rounding.
Local Open Scope R_scope.
"""
_SIGNS: dict[type[ast.operator], str] = {ast.Add: "+", ast.Mult: "*", ast.Div: "/"}
_CALLS = {"add": "+", "multiply": "*", "divide": "/"}
_EXACT = {"index": "INR (S n)", "index - 1.0": "INR n"}


class RefusedError(ValueError):
    """The source holds what is not translated; the message says what, where and what to do."""


class Loop(NamedTuple):
    """A function with one loop to translate: what its body takes, and what it leaves."""

    file: str
    function: str
    name: str
    takes: tuple[str, ...]
    leaves: tuple[str, ...]


_DIFFERENCE = ("alpha", "step", "second", "low", "scaled_low", "term", "partner", "total")
_COMPLEMENT = ("second", "point", "scaled_point", "term", "total")
LOOPS = (
    Loop("series.py", "_advance", "advance", _DIFFERENCE, ("term", "partner", "total")),
    Loop("series.py", "_advance_one", "advance_one", _DIFFERENCE, ("term", "partner", "total")),
    Loop("series.py", "_advance_complement", "advance_complement", _COMPLEMENT, ("term", "total")),
    Loop(
        "series.py",
        "_advance_one_complement",
        "advance_one_complement",
        _COMPLEMENT,
        ("term", "total"),
    ),
    Loop(
        "incomplete_beta.py",
        "_summed",
        "summed",
        ("front", "place", "below", "term", "value"),
        ("term", "value"),
    ),
)

_STEEP = Loop(
    "incomplete_beta.py",
    "_steep_parts",
    "steep",
    ("total", "ratio", "rest_of_slope"),
    ("low", "scaled"),
)
_STEEP_MADE = ("ratio", "low", "scaled")
_STEEP_FIRST = "ratio = np.exp(-slope)"
_STEEP_REST = "np.where(slope < _UNDERFLOWS, rest_of_slope, 0.0)"


class Operation(NamedTuple):
    """One rounded operation: ``result`` := rnd (``left`` ``sign`` ``right``)."""

    result: str
    left: str
    sign: str
    right: str


class _Body:
    """The operations of one loop body in order, each result under a name of its own."""

    def __init__(self, loop: Loop) -> None:
        self.loop = loop
        self.operations: list[Operation] = []
        self.signs = _SIGNS
        self.now = {name: name for name in loop.takes}
        self._counts: dict[str, int] = {}

    def read(self, statement: ast.stmt) -> None:
        """Translate one statement, or refuse it."""
        match statement:
            case ast.Expr(ast.Call(ast.Attribute(ast.Name("np"), name), [left, right], keywords)):
                if name not in _CALLS or [word.arg for word in keywords] != ["out"]:
                    raise self._refusal(statement)
                target = keywords[0].value
                result = self._operation(target, _CALLS[name], left, right)
            case ast.AugAssign(ast.Name() as target, sign, right):
                result = self._operation(target, self._sign(sign, statement), target, right)
            case ast.Assign([ast.Name() as target], value):
                result = self._value(_while_going(value, target), target)
            case _:
                raise self._refusal(statement)
        if not isinstance(target, ast.Name):
            raise self._refusal(statement)
        self.now[target.id] = result

    def _value(self, node: ast.expr, target: ast.expr) -> str:
        """Return the Coq term of an expression; its operations come to stand before it."""
        text = ast.unparse(node)
        if text in _EXACT:
            return f"({_EXACT[text]})"
        if self.loop == _STEEP and text == _STEEP_REST:
            return self.now["rest_of_slope"]
        if isinstance(node, ast.Name) and node.id in self.now:
            return self.now[node.id]
        if isinstance(node, ast.BinOp):
            return self._operation(target, self._sign(node.op, node), node.left, node.right)
        raise self._refusal(node)

    def _operation(self, target: ast.expr, sign: str, left: ast.expr, right: ast.expr) -> str:
        first, second = self._value(left, target), self._value(right, target)
        name = ast.unparse(target)
        self._counts[name] = self._counts.get(name, 0) + 1
        result = f"{name}{self._counts[name]}"
        self.operations.append(Operation(result, first, sign, second))
        return result

    def _sign(self, sign: ast.operator, node: ast.AST) -> str:
        if type(sign) not in self.signs:
            raise self._refusal(node)
        return self.signs[type(sign)]

    def _refusal(self, node: ast.AST) -> RefusedError:
        line = getattr(node, "lineno", 0)
        return RefusedError(
            f"{self.loop.file}, line {line}, in {self.loop.function}: `{ast.unparse(node)}` is no "
            "sum, product or quotient of numbers that the loop holds; write it with these alone, "
            "or teach generate.py what it means and prove it"
        )


def _while_going(value: ast.expr, target: ast.Name) -> ast.expr:
    """Return x of ``x if alone else np.where(going, x, target)``: the sum while it goes on."""
    match value:
        case ast.IfExp(
            ast.Name("alone"),
            summed,
            ast.Call(ast.Attribute(ast.Name("np"), "where"), [ast.Name("going"), same, old], []),
        ) if ast.unparse(summed) == ast.unparse(same) and ast.unparse(old) == target.id:
            return summed
    return value


def operations(loop: Loop, source: str) -> tuple[list[Operation], tuple[str, ...]]:
    """Return the operations of a loop's body, and under which names it leaves its results."""
    body = _Body(loop)
    for statement in _loop_of(loop, source).body:
        body.read(statement)
    return body.operations, tuple(body.now[name] for name in loop.leaves)


def _loop_of(loop: Loop, source: str) -> ast.For:
    """Return the innermost loop over ``index``, of which there has to be one."""
    functions = [
        node
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef) and node.name == loop.function
    ]
    loops = [
        node
        for function in functions
        for node in ast.walk(function)
        if isinstance(node, ast.For) and ast.unparse(node.target) == "index"
    ]
    if len(loops) != 1:
        raise RefusedError(
            f"{loop.file} has {len(loops)} loops over `index` in {loop.function}, not one; "
            "name in LOOPS of generate.py the function whose loop adds the terms"
        )
    if not ast.unparse(loops[0].iter).startswith("range(done + 1, done + "):
        raise RefusedError(
            f"{loop.file}, line {loops[0].lineno}: the loop of {loop.function} does not begin at "
            "done + 1; the proofs take its indices as 1, 2, 3, ..."
        )
    return loops[0]


def steep(source: str) -> str:
    """Return how q and A q are made where epsilon/step is large."""
    made = [
        statement
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef) and node.name == _STEEP.function
        for statement in node.body
        if isinstance(statement, ast.Assign | ast.AugAssign)
        and ast.unparse(
            statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
        )
        in _STEEP_MADE
    ]
    if not made or ast.unparse(made[0]) != _STEEP_FIRST:
        raise RefusedError(
            f"{_STEEP.file} does not begin with `{_STEEP_FIRST}` in {_STEEP.function}; the proofs "
            "take the exponential of the slope as given: prove another, then change generate.py"
        )
    body = _Body(_STEEP)
    body.signs = {**_SIGNS, ast.Sub: "-"}
    for statement in made[1:]:
        body.read(statement)
    lets = "".join(f"  let {each.result} := {_rounded(each)} in\n" for each in body.operations)
    results = ", ".join(body.now.get(name, name) for name in _STEEP.leaves)
    return f"Definition steep_parts ({' '.join(_STEEP.takes)} : R) :=\n{lets}  ({results}).\n"


def coq(loop: Loop, source: str) -> str:
    """Return the two definitions of one loop."""
    found, results = operations(loop, source)
    takes = f"(n : nat) ({' '.join(loop.takes)} : R)"
    lets = "".join(f"  let {each.result} := {_rounded(each)} in\n" for each in found)
    normal = "".join(
        f"  normal ({each.left} {each.sign} {each.right}) /\\\n"
        f"  let {each.result} := {_rounded(each)} in\n"
        for each in found
    )
    return (
        f"Definition step_{loop.name} {takes} :=\n{lets}  ({', '.join(results)}).\n\n"
        f"Definition normal_{loop.name} {takes} : Prop :=\n{normal}  True.\n"
    )


def _rounded(each: Operation) -> str:
    return f"rnd ({each.left} {each.sign} {each.right})"


def constant(file: str, name: str, source: str) -> int:
    """Return a constant of a module that is a whole number."""
    for node in ast.parse(source).body:
        match node:
            case ast.Assign([ast.Name(found)], ast.Constant(float(value))) if found == name:
                if value.is_integer():
                    return int(value)
    raise RefusedError(
        f"{file} gives {name} no whole number; generate.py reads it from `{name} = 13.0`"
    )


def doubts(source: str) -> Iterator[str]:
    """Yield what difference_series and complement_series add as their doubts, in units."""
    charged = {
        "_record": "units = _UNITS_A_STEP * state[10] / state[9] + done + 8",
        "complement_series": "outcome[2, where] = (_UNITS_A_STEP + 1) * (done + 8) * UNIT",
    }
    for function, expected in charged.items():
        statements = {
            ast.unparse(node)
            for tree in ast.walk(ast.parse(source))
            if isinstance(tree, ast.FunctionDef) and tree.name == function
            for node in ast.walk(tree)
            if isinstance(node, ast.Assign)
        }
        if expected not in statements:
            raise RefusedError(
                f"series.py does not say `{expected}` in {function}; the proofs are of that doubt: "
                "prove the new one, then change `doubts` in generate.py"
            )
    units = constant("series.py", "_UNITS_A_STEP", source)
    yield f"Definition units_a_step : R := {units}.\n"
    yield "Definition units_of_term (k n : R) : R := units_a_step * k + n + 8.\n"
    yield "Definition units_of_complement (n : R) : R := (units_a_step + 1) * (n + 8).\n"


def generated(sources: dict[str, str]) -> str:
    """Return SeriesSource.v for the modules' texts, by file name."""
    parts = [
        _HEAD,
        *(coq(loop, sources[loop.file]) for loop in LOOPS),
        steep(sources["incomplete_beta.py"]),
        *doubts(sources["series.py"]),
    ]
    summed = sources["incomplete_beta.py"]
    units = constant("incomplete_beta.py", "_UNITS_A_STEP", summed)
    if "doubt = UNIT * (_UNITS_A_STEP * weighted / value + last + 8)" not in summed:
        raise RefusedError(
            "incomplete_beta.py does not say "
            "`doubt = UNIT * (_UNITS_A_STEP * weighted / value + last + 8)`; the proofs are of "
            "that doubt: prove the new one, then change `generated` in generate.py"
        )
    parts.append(f"Definition units_of_summed (k n : R) : R := {units} * k + n + 8.\n")
    return "\n".join(parts)


def sources_today() -> dict[str, str]:
    """Return the texts of the modules that are translated."""
    return {loop.file: (BACKEND / loop.file).read_text("utf-8") for loop in LOOPS}


def main(arguments: list[str]) -> str | None:
    """Write SeriesSource.v, or check it; return what is wrong."""
    try:
        text = generated(sources_today())
    except RefusedError as refused:
        return str(refused)
    if arguments == ["--check"]:
        if WRITTEN.read_text("utf-8") == text:
            return None
        return (
            "SeriesSource.v is not of today's source: run `python3 generate.py`, then `make proofs`"
        )
    if arguments:
        return "usage: python3 generate.py [--check]"
    WRITTEN.write_text(text, "utf-8")
    return None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
