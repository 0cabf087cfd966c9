"""Write the loops of the float64 backend's series as Coq definitions, with every rounding.

The loops are read from the source itself, as syntax trees, so that the proofs are about the program
that runs: sums, products and quotients of doubles, by NumPy (``np.add(x, y, out=z)``), in place
(``z += x``) or written out. What is not among them is refused. ``index`` is S n, ``index - 1.0`` is
n, both exact, as they stay below 2^53. A function of one loop becomes ``step_NAME``, which maps the
numbers before one run of the body to those after it, and ``normal_NAME``: nothing underflows there.

Expressions on the way from the sum to the answer of delta are translated likewise, with functions
and constants, which are exact; FORMULAS names them.

From the part for large epsilon/step the lines that make q, A q and A (1-q) are read likewise,
differences included; its exponential is a given number, and the condition on the slope's rest one
that holds.

``python3 generate.py`` writes SeriesSource.v; with ``--check`` it only says whether it is today's.
"""

from __future__ import annotations

import ast
import operator
import sys
from collections.abc import Callable, Iterator
from decimal import Decimal, localcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

HERE = Path(__file__).resolve().parent
BACKEND = HERE.parents[1] / "certify" / "backends" / "float64"
WRITTEN = HERE / "SeriesSource.v"

_HEAD = """\
(** The loops of certify/backends/float64, written by generate.py; not to be edited. *)
From Coq Require Import Reals List ZArith.
From Flocq Require Import Core.
From Simplexcert Require Import Rounding.
Import ListNotations.
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
    "steep_parts",
    ("total", "ratio", "rest_of_slope"),
    ("low", "scaled"),
)
_STEEP_HIGH = _STEEP._replace(name="steep_high", leaves=("high",))
_STEEP_FIRST = "ratio = np.exp(-slope)"
_STEEP_KNOWN = {"np.where(slope < _UNDERFLOWS, rest_of_slope, 0.0)": "rest_of_slope", "1.0": "1"}


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
        if self.loop.function == _STEEP.function and text in _STEEP_KNOWN:
            known = _STEEP_KNOWN[text]
            return self.now.get(known, known)
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


def steep(source: str) -> Iterator[str]:
    """Yield how q and A q, and A (1-q), are made where epsilon/step is large."""
    made = [
        statement
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef) and node.name == _STEEP.function
        for statement in node.body
        if isinstance(statement, ast.Assign | ast.AugAssign)
    ]
    for loop in (_STEEP, _STEEP_HIGH):
        named = [each for each in made if ast.unparse(_target(each)) in ("ratio", *loop.leaves)]
        if not named or ast.unparse(named[0]) != _STEEP_FIRST:
            raise RefusedError(
                f"{_STEEP.file} does not begin with `{_STEEP_FIRST}` in {_STEEP.function}; the "
                "proofs take the exponential of the slope as given: prove another, then change "
                "generate.py"
            )
        body = _Body(loop)
        body.signs = {**_SIGNS, ast.Sub: "-"}
        for statement in named[1:]:
            body.read(statement)
        lets = "".join(f"  let {each.result} := {_rounded(each)} in\n" for each in body.operations)
        results = ", ".join(body.now.get(name, name) for name in loop.leaves)
        takes = " ".join(loop.takes)
        yield f"Definition {loop.name} ({takes} : R) :=\n{lets}  ({results}).\n"


def _target(statement: ast.Assign | ast.AugAssign) -> ast.expr:
    return statement.targets[0] if isinstance(statement, ast.Assign) else statement.target


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
        "_advance": "weighted += (total - before) * (done + block)",
        "_advance_one": "state[7:11] = (term, partner, total, "
        "weighted + (total - before) * (done + block))",
    }
    for function, expected in charged.items():
        statements = {
            ast.unparse(node)
            for tree in ast.walk(ast.parse(source))
            if isinstance(tree, ast.FunctionDef) and tree.name == function
            for node in ast.walk(tree)
            if isinstance(node, ast.Assign | ast.AugAssign)
        }
        if expected not in statements:
            raise RefusedError(
                f"series.py does not say `{expected}` in {function}; the proofs are of that doubt: "
                "prove the new one, then change `doubts` in generate.py"
            )
    units = constant("series.py", "_UNITS_A_STEP", source)
    yield f"Definition units_a_step : R := {units}.\n"
    yield "Definition units_of_term (k n : R) : R := units_a_step * k + n + 8.\n"
    yield (
        "Definition units_recorded (weighted total n : R) : R :=\n"
        "  units_a_step * weighted / total + n + 8.\n"
    )
    yield "Definition units_of_complement (n : R) : R := (units_a_step + 1) * (n + 8).\n"


# Where the source goes another way: what it is named in Coq, and how it reads in the source.
_THRESHOLDS = (
    ("steep_from", "incomplete_beta.py", "_STEEP = 32.0", "32"),
    ("left_out_from", "incomplete_beta.py", "_UNDERFLOWS = 800.0", "800"),
    ("beta_underflowing", "incomplete_beta.py", "_UNDERFLOWING = 1e-130", ""),
    ("large_sum", "series.py", "_LARGE, _SHRINK = (2.0 ** 700, -600)", "bpow radix2 700"),
    ("large_sum", "series.py", "large = state[9] > _LARGE", ""),
    (
        "the complement's points",
        "profile.py",
        (
            "near = complement_series(given.alpha, given.step, given.scaled_high / given.total, "
            "given.scaled_high, _MOST_TERMS)"
        ),
        "",
    ),
    (
        "the complement's points",
        "profile.py",
        (
            "far = complement_series(given.alpha, given.step, given.low, given.scaled_low, "
            "_MOST_TERMS)"
        ),
        "",
    ),
)


def thresholds(sources: dict[str, str]) -> Iterator[str]:
    """Yield where the source goes another way; each has to read as the proofs take it."""
    for name, file, expected, value in _THRESHOLDS:
        said = {
            ast.unparse(each) for each in ast.walk(ast.parse(sources[file])) if _is_statement(each)
        }
        if expected not in said:
            raise RefusedError(
                f"{file} does not say `{expected}`; the proofs take {name} so: prove what it says "
                "now, then change _THRESHOLDS in generate.py"
            )
        if value:
            yield f"Definition {name} : R := {value}.\n"


class Formula(NamedTuple):
    """One expression to translate: where it stands, what it is named, and what it takes."""

    file: str
    function: str
    assigned: str  # the target of its assignment; "" where it is returned
    name: str
    takes: str  # as Coq binds them
    names: dict[str, str]  # what stands for what in Coq


_INDEXED = {"done": "INR n", "done + 1": "INR (S n)"}
FORMULAS = (
    Formula(
        "series.py",
        "_has_converged",
        "ratio",
        "ratio_of",
        "(n : nat) (alpha total low : R)",
        {**_INDEXED, "alpha": "alpha", "total": "total", "low": "low"},
    ),
    Formula(
        "series.py",
        "_has_converged",
        "negligible",
        "negligible_of",
        "(value ratio : R)",
        {"value": "value", "ratio": "ratio"},
    ),
    Formula(
        "series.py",
        "_record",
        "units",
        "recorded_units",
        "(n : nat) (weighted value : R)",
        {**_INDEXED, "state[10]": "weighted", "state[9]": "value"},
    ),
    Formula(
        "series.py",
        "_record",
        "outcome[2, where]",
        "recorded_doubt",
        "(units : R)",
        {"units": "units"},
    ),
    Formula(
        "series.py",
        "complement_series",
        "outcome[2, where]",
        "complement_doubt",
        "(n : nat)",
        _INDEXED,
    ),
    Formula(
        "incomplete_beta.py",
        "_summed",
        "doubt",
        "summed_doubt",
        "(n : nat) (weighted value : R)",
        {"last": "INR n", "weighted": "weighted", "value": "value"},
    ),
    Formula(
        "profile.py",
        "_by_difference",
        "logarithm",
        "logarithm_of_sum",
        "(log : R -> R) (value exponent : R)",
        {"summed.value": "value", "summed.exponent": "exponent"},
    ),
    Formula(
        "profile.py",
        "_raised",
        "rounding",
        "rounding_of",
        "(part logarithm : R)",
        {"part": "part", "given.logarithm": "logarithm"},
    ),
    Formula(
        "profile.py",
        "_raised",
        "",
        "raised",
        "(value given doubt rounding : R)",
        {"value": "value", "given.doubt": "given", "doubt": "doubt", "rounding": "rounding"},
    ),
    Formula(
        "profile.py",
        "_by_complement",
        "doubt",
        "doubt_of_rest",
        "(given near far : R)",
        {"given.doubt": "given", "near.doubt": "near", "far.doubt": "far"},
    ),
    Formula(
        "profile.py",
        "_by_complement",
        "missing",
        "rest_of",
        "(exp : R -> R) (logarithm near far doubt : R)",
        {
            "given.logarithm": "logarithm",
            "near.value": "near",
            "far.value": "far",
            "doubt": "doubt",
        },
    ),
    Formula(
        "profile.py",
        "_by_complement",
        "",
        "logarithm_without",
        "(log1p : R -> R) (missing : R)",
        {"missing": "missing"},
    ),
    Formula(
        "profile.py",
        "delta",
        "value",
        "value_of",
        "(exp : R -> R) (logarithm : R)",
        {"logarithm": "logarithm"},
    ),
    Formula(
        "profile.py",
        "delta",
        "",
        "answer_of",
        "(next : R -> R -> R) (value : R)",
        {"value": "value"},
    ),
)
# Which sizes are tried: what all has to hold of them.
ADMITTED = (
    Formula(
        "profile.py",
        "log_delta",
        "usual",
        "delta_is_tried",
        "(alpha step epsilon : R)",
        {"alpha": "alpha", "step": "step", "epsilon": "epsilon"},
    ),
    Formula(
        "incomplete_beta.py",
        "is_usual",
        "usual",
        "beta_is_tried",
        "(alpha others point : R)",
        {
            "alpha": "alpha",
            "others[0]": "others",
            "point": "point",
            "total": "rnd (alpha + others)",
        },
    ),
)
_FINITE = "np.isfinite(epsilon)"  # as every real number is
_FUNCTIONS = {
    "np.abs": "Rabs",
    "np.log": "log",
    "np.exp": "exp",
    "np.log1p": "log1p",
    "np.maximum": "Rmax",
    "np.fmax": "Rmax",
    "larger": "Rmax",  # of numbers and of arrays
    "np.minimum": "Rmin",
    "np.nextafter": "next",
}
_SIGNS_OF_FORMULAS: dict[type[ast.operator], str] = {**_SIGNS, ast.Sub: "-"}
# What else the proofs take of these functions, word for word.
_AS_WRITTEN = {
    "series.py": (
        "return (ratio < _LARGEST_RATIO) & (term * ratio <= negligible)",
        "return np.array([_has_converged(state[_TESTED, 0].tolist(), done, max)])",
        "return np.asarray(_has_converged(state[_TESTED], done, np.maximum), dtype=np.bool_)",
        "_TESTED = [1, 4, 5, 7, 9]",
        "alpha, total, low, term, value = tested",
        "second, total = (alpha + step, 2.0 * alpha + step)",
        "outcome[0, where] = state[9]",
        (
            "state = np.stack([np.arange(alpha.size, dtype=np.float64), alpha, step, second, "
            "total, low, scaled_low, step / total, alpha / total, step / total, "
            "np.zeros_like(alpha), np.zeros_like(alpha)])"
        ),
    ),
    "profile.py": (
        "result[where] = np.where(np.isnan(value), 0.0, np.minimum(value, 0.0))",
        "return _raised(given.logarithm + logarithm, given, summed.doubt, logarithm)",
        "result = np.zeros_like(alpha)",
        (
            "if not np.all(usual):\n    if np.any(usual):\n        "
            "result[usual] = log_delta(alpha[usual], step[usual], epsilon[usual])\n    "
            "return result"
        ),
        "logarithm = log_delta(alpha, step, epsilon)",
        "given = front(alpha, step, epsilon)",
        (
            "summed = difference_series(given.alpha, given.step, given.low, given.scaled_low, "
            "4 * _MOST_TERMS)"
        ),
    ),
    "incomplete_beta.py": (
        "total = alpha + others[0]",
        "usual = is_usual(alpha, others, point)",
        "result = np.zeros_like(alpha)",
    ),
}


class _Formulas:
    """The expressions of modules as Coq terms, a rounding at each operation on doubles."""

    def __init__(self, sources: dict[str, str]) -> None:
        self.trees = {each.file: ast.parse(sources[each.file]) for each in (*FORMULAS, *ADMITTED)}
        self.constants: dict[str, dict[str, float]] = {}
        for file, tree in self.trees.items():
            known = {"UNIT": 2.0**-53, "np.finfo(np.float64).tiny": sys.float_info.min}
            self.constants[file] = known
            for node in tree.body:
                match node:
                    case ast.Assign([ast.Name(name)], value):
                        pairs = [(name, value)]
                    case ast.Assign([ast.Tuple(targets)], ast.Tuple(values)):
                        pairs = [
                            (ast.unparse(each), value)
                            for each, value in zip(targets, values, strict=True)
                        ]
                    case _:
                        pairs = []
                for name, value in pairs:
                    found = _constant(value, known)
                    if found is not None:
                        known[name] = found

    def definitions(self) -> Iterator[str]:
        """Yield the definition of every formula, and the constant that bounds a ratio."""
        for file, statements in _AS_WRITTEN.items():
            there = {
                ast.unparse(node)
                for node in ast.walk(self.trees[file])
                if isinstance(node, ast.stmt)
            }
            for statement in statements:
                if statement not in there:
                    raise RefusedError(
                        f"{file} does not say `{statement}`; the proofs take it so: prove what it "
                        "says now, then change _AS_WRITTEN in generate.py"
                    )
        largest = _number(self.constants["series.py"]["_LARGEST_RATIO"])
        yield f"Definition largest_ratio : R := {largest}.\n"
        for formula in FORMULAS:
            term = self._term(self._expression(formula), formula)
            yield f"Definition {formula.name} {formula.takes} : R :=\n  {term}.\n"
        for formula in ADMITTED:
            conditions = " /\\\n  ".join(self._conditions(formula))
            yield f"Definition {formula.name} {formula.takes} : Prop :=\n  {conditions}.\n"

    def _conditions(self, formula: Formula) -> Iterator[str]:
        """Yield what flags say of an element: all of ``usual = x > y``, ``usual &= z``."""
        for function in self.trees[formula.file].body:
            if not isinstance(function, ast.FunctionDef) or function.name != formula.function:
                continue
            for node in ast.walk(function):
                match node:
                    case ast.Assign([ast.Name(formula.assigned)], value) if node in function.body:
                        yield from self._compared(value, formula)
                    case ast.AugAssign(ast.Name(formula.assigned), ast.BitAnd(), value) if (
                        node in function.body
                    ):
                        yield from self._compared(value, formula)
                    case ast.stmt() | ast.expr() if _stores(node, formula.assigned):
                        raise RefusedError(
                            f"{formula.file}, line {node.lineno}, in {formula.function}: "
                            f"`{ast.unparse(node)}` is no condition more; write it with &="
                        )

    def _compared(self, node: ast.expr, formula: Formula) -> Iterator[str]:
        match node:
            case ast.BinOp(left, ast.BitAnd(), right):
                yield from self._compared(left, formula)
                yield from self._compared(right, formula)
            case ast.Compare(left, [ast.Lt() | ast.Gt() as sign], [right]):
                first, second = self._term(left, formula), self._term(right, formula)
                yield f"{first} {'<' if isinstance(sign, ast.Lt) else '>'} {second}"
            case _ if ast.unparse(node) != _FINITE:
                raise RefusedError(
                    f"{formula.file}, line {node.lineno}, in {formula.function}: "
                    f"`{ast.unparse(node)}` is no comparison that generate.py knows; write it with "
                    "< or >, or teach it"
                )

    def _expression(self, formula: Formula) -> ast.expr:
        found = [
            node.value
            for function in ast.walk(self.trees[formula.file])
            if isinstance(function, ast.FunctionDef) and function.name == formula.function
            for node in ast.walk(function)
            if isinstance(node, ast.Assign | ast.Return)
            and node.value
            and (ast.unparse(node.targets[0]) if isinstance(node, ast.Assign) else "")
            == formula.assigned
        ]
        if len(found) != 1:
            raise RefusedError(
                f"{formula.file} says {len(found)} times in {formula.function} what "
                f"{formula.assigned or 'it returns'} is, not once; name it in FORMULAS of "
                "generate.py"
            )
        return found[0]

    def _term(self, node: ast.expr, formula: Formula) -> str:
        text = ast.unparse(node)
        constant = _constant(node, self.constants[formula.file])
        if text in formula.names:
            return f"({formula.names[text]})" if " " in formula.names[text] else formula.names[text]
        if constant is not None:
            return _number(constant)
        match node:
            case ast.BinOp(left, sign, right) if type(sign) in _SIGNS_OF_FORMULAS:
                first, second = (_argument(self._term(side, formula)) for side in (left, right))
                return f"rnd ({first} {_SIGNS_OF_FORMULAS[type(sign)]} {second})"
            case ast.UnaryOp(ast.USub(), value):
                return f"(- {_argument(self._term(value, formula))})"
            case ast.Call(function, arguments, []) if ast.unparse(function) in _FUNCTIONS:
                given = " ".join(_argument(self._term(each, formula)) for each in arguments)
                return f"{_FUNCTIONS[ast.unparse(function)]} {given}"
        raise RefusedError(
            f"{formula.file}, line {node.lineno}, in {formula.function}: `{text}` is no operation "
            "that generate.py knows on what the formula takes; write it with these, or teach it"
        )


def _stores(node: ast.AST, name: str) -> bool:
    """Whether a statement without others in it gives a variable another value."""
    return isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign | ast.NamedExpr) and any(
        isinstance(each, ast.Name) and each.id == name and isinstance(each.ctx, ast.Store)
        for each in ast.walk(node)
    )


_FOLDED: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Pow: operator.pow,
}


def _constant(node: ast.expr, known: dict[str, float]) -> float | None:
    """Return what Python makes of an expression of constants, None where it has others."""
    if ast.unparse(node) in known:
        return known[ast.unparse(node)]
    match node:
        case ast.Constant(int() | float() as value):
            return float(value)
        case ast.UnaryOp(ast.USub(), ast.Constant(int() | float() as value)):
            return -float(value)
        case ast.BinOp(left, sign, right) if type(sign) in _FOLDED:
            first, second = _constant(left, known), _constant(right, known)
            if first is not None and second is not None:
                return _FOLDED[type(sign)](first, second)
    return None


def _argument(term: str) -> str:
    return f"({term})" if " " in term and not term.startswith("(") else term


def _number(value: float) -> str:
    """Return a double as Coq reads it, exactly."""
    top, bottom = value.as_integer_ratio()
    if bottom == 1:
        zeros = (top & -top).bit_length() - 1 if abs(top) > 2**64 else 0
        return f"({top >> zeros} * bpow radix2 {zeros})" if zeros else str(top)
    top_text = f"({top})" if top < 0 else str(top)
    power = bottom.bit_length() - 1
    return f"({top_text} * bpow radix2 (-{power}))"


# Functions of doubled.py without loops and conditions, in the order in which they use each other.
_DOUBLED = ("two_sum", "_halves", "two_product", "normalised", "plus", "times", "over")
_PAIRS = {"Doubled": "R * R", "Reals": "R"}
_NAMED = {
    "_SPLITTER": str(2**27 + 1),
    "_FIRST": "exp_first",
    "_SECOND": "exp_second",
    "_THIRD": "exp_third",
}
# Of _near_parts: what q, A q and A (1-q) are made of, from e^-slope.
_NEAR_MADE = ("second", "total", "high", "low")
_NEAR_GIVEN = "ratio = exp_minus(slope)"


class _Straight:
    """A function without loops as a Coq function, a rounding at each operation on doubles."""

    def __init__(self, file: str, source: str) -> None:
        self.file = file
        self.tree = ast.parse(source)

    def function(self, name: str) -> ast.FunctionDef:
        """Return a function of the module."""
        for node in self.tree.body:
            if isinstance(node, ast.FunctionDef) and node.name == name:
                return node
        raise RefusedError(f"{self.file} has no function {name}; name another in generate.py")

    def whole(self, name: str) -> str:
        """Return the definition of a function."""
        node = self.function(name)
        takes = " ".join(
            f"({each.arg} : {_PAIRS[ast.unparse(each.annotation)]})"
            for each in node.args.args
            if each.annotation
        )
        body = [each for each in node.body if not isinstance(each, ast.Expr)]
        lines = "".join(self.line(each) for each in body)
        return f"Definition doubled_{name.strip('_')} {takes} :=\n{lines}.\n"

    def lines(self, name: str, known: dict[str, str]) -> str:
        """Return a function's body, the statements that are known word for word as they are known.

        Each of those has to be there.
        """
        body = [each for each in self.function(name).body if not isinstance(each, ast.Expr)]
        said = [ast.unparse(each) for each in body]
        for statement in known:
            if statement not in said:
                raise RefusedError(
                    f"{self.file} does not say `{statement}` in {name}; the proofs take it so: "
                    "prove what it says now, then change generate.py"
                )
        return "".join(
            known[text] if text in known else self.line(each)
            for text, each in zip(said, body, strict=True)
        )

    def require(self, known: dict[str, tuple[str, ...]], what: str) -> None:
        """Refuse functions that do not say each of their known statements word for word."""
        for name, statements in known.items():
            nodes = ast.walk(self.function(name))
            said = {ast.unparse(each) for each in nodes if _is_statement(each)}
            for statement in statements:
                if statement not in said:
                    raise RefusedError(
                        f"{self.file} does not say `{statement}` in {name}; the proofs take "
                        f"{what} so: prove what it says now, then change generate.py"
                    )

    def near(self) -> str:
        """Return how q, A q and A (1-q) are made up to epsilon/step = 32."""
        body = self.function("_near_parts").body
        if _NEAR_GIVEN not in {ast.unparse(each) for each in body}:
            raise RefusedError(
                f"{self.file} does not say `{_NEAR_GIVEN}` in _near_parts; the proofs take the "
                "exponential of the slope as given: prove another, then change generate.py"
            )
        made = [each for each in body if isinstance(each, ast.Assign)]
        lines = "".join(
            self.line(each) for each in made if ast.unparse(each.targets[0]) in _NEAR_MADE
        )
        answer = body[-1]
        if not isinstance(answer, ast.Return) or not isinstance(answer.value, ast.Tuple):
            raise self.refusal(answer)
        low, scaled, high = (self.term(each) for each in answer.value.elts[:3])
        takes = "(alpha step : R) (ratio : R * R)"
        return (
            f"Definition near_parts {takes} :=\n{lines}  ({low}, {scaled}).\n\n"
            f"Definition near_high {takes} :=\n{lines}  {high}.\n"
        )

    def line(self, statement: ast.stmt) -> str:
        """Translate one statement, or refuse it."""
        match statement:
            case ast.Assign([ast.Name(name)], value):
                return f"  let {name} := {self.term(value)} in\n"
            case ast.Assign([ast.Tuple([ast.Name(first), ast.Name(second)])], value):
                pair = f"{first}_{second}"
                return (
                    f"  let {pair} := {self.term(value)} in\n"
                    f"  let {first} := fst {pair} in\n  let {second} := snd {pair} in\n"
                )
            case ast.Return(ast.expr() as value):
                return f"  {self.term(value)}"
        raise self.refusal(statement)

    def term(self, node: ast.expr) -> str:
        """Translate one expression, or refuse it."""
        found = ""
        match node:
            case ast.Name(name):
                found = _NAMED.get(name, name)
            case ast.Constant(float(number)):
                found = _number(number)
            case ast.UnaryOp(ast.USub(), value):
                found = f"(- {self.term(value)})"
            case ast.Subscript(value, ast.Constant(0)):
                found = f"(fst {self.term(value)})"
            case ast.Subscript(value, ast.Constant(1)):
                found = f"(snd {self.term(value)})"
            case ast.BinOp(left, sign, right) if type(sign) in _SIGNS_OF_FORMULAS:
                first, second = self.term(left), self.term(right)
                found = f"(rnd ({first} {_SIGNS_OF_FORMULAS[type(sign)]} {second}))"
            case ast.Tuple([first_part, second_part]):
                found = f"({self.term(first_part)}, {self.term(second_part)})"
            case ast.Call():
                found = self.called(node)
        if not found:
            raise self.refusal(node)
        return found

    def called(self, node: ast.Call) -> str:
        """Translate a call of a function of doubled.py or NumPy, "" where it is another."""
        found = ""
        match node:
            case ast.Call(ast.Name("single"), [value], []):
                found = f"({self.term(value)}, 0)"
            case ast.Call(ast.Attribute(ast.Name("np"), "ones_like"), [ast.Name()], []):
                found = "1"
            case ast.Call(ast.Name(name), arguments, []) if name in _DOUBLED:
                given = " ".join(self.term(each) for each in arguments)
                found = f"(doubled_{name.strip('_')} {given})"
        return found

    def refusal(self, node: ast.AST) -> RefusedError:
        """Return what is wrong with a part of the source."""
        return RefusedError(
            f"{self.file}, line {getattr(node, 'lineno', 0)}: `{ast.unparse(node)}` is no "
            "operation on doubles or pairs of them that generate.py knows; write it with these, or "
            "teach it"
        )


# Of exp_minus: what is no operation on doubles, word for word, and what it is in Coq.
_EXP_MINUS = {
    "steps = np.rint(-argument[0] / (_FIRST + _SECOND))": (
        "  let whole := ZnearestE (rnd (- fst argument / exp_step)) in\n"
        "  let steps := IZR whole in\n"
    ),
    "tail = np.full_like(rest, _TAYLOR[0])": "  let tail := exp_taylor_0 in\n",
    "for coefficient in _TAYLOR[1:]:\n    tail = tail * rest + coefficient": "".join(
        f"  let tail := rnd (rnd (tail * rest) + exp_taylor_{place}) in\n" for place in range(1, 6)
    ),
    "whole = steps.astype(np.int64)": "",
    "power = (_POWERS[whole % _STEPS], _POWERS_LOW[whole % _STEPS])": (
        "  let power := nth (Z.to_nat (whole mod 32)) exp_powers (0, 0) in\n"
    ),
    "scale = whole // _STEPS": "  let scale := (whole / 32)%Z in\n",
    "return (np.ldexp(high, scale), np.ldexp(low, scale))": (
        "  (rnd (bpow radix2 scale * high), rnd (bpow radix2 scale * low))"
    ),
}
# Of quotient: top and bottom as parts in [1/2, 1) times powers of two, whose exponents are shift.
_QUOTIENT = {
    "top_part, top_scale = np.frexp(top)": "",
    "bottom_part, bottom_scale = np.frexp(bottom)": "",
    "shift = top_scale - bottom_scale": "",
    "return (np.ldexp(high, shift), np.ldexp(low, shift))": (
        "  (rnd (bpow radix2 shift * high), rnd (bpow radix2 shift * low))"
    ),
}
_SLOPE = {
    "front": (
        "slope = quotient(epsilon, step)",
        "parts = _near_parts(small_alpha, small_step, slope)",
        "steep = slope[0] > _STEEP",
        "there = (slope[0][steep], slope[1][steep])",
        "scale = np.frexp(2.0 * alpha + step)[1]",
        "small_alpha, small_step = (np.ldexp(alpha, -scale), np.ldexp(step, -scale))",
        "far = _steep_parts(small_alpha[steep], small_step[steep], there)",
        "low, scaled_low, scaled_high, drift, deviance, spread = parts",
        (
            "return Front(alpha, step, second, total, low, np.ldexp(scaled_low, scale), "
            "np.ldexp(scaled_high, scale), np.ldexp(drift, scale), deviance, ratio - deviance, "
            "doubt)"
        ),
    ),
    "_near_parts": ("slope = (np.minimum(slope[0], _STEEP), slope[1])",),
    "_steep_parts": (
        "slope, rest_of_slope = doubled_slope",
        "second, total = (alpha + step, 2.0 * alpha + step)",
        (
            "return (low, scaled, high, scaled - alpha, np.maximum(deviance, 0.0), "
            "8 * UNIT * spread)"
        ),
    ),
}
_EXP_CONSTANTS = (
    "_STEPS = 32",
    "_FIRST, _SECOND, _THIRD = _pieces_of_step()",
    "_POWERS, _POWERS_LOW = _table_of_powers()",
)


def exponential(source: str) -> str:
    """Return exp_minus with its constants, which the source's own functions work out."""
    module = _Straight("doubled.py", source)
    said = [ast.unparse(each) for each in module.tree.body]
    for statement in _EXP_CONSTANTS:
        if statement not in said:
            raise RefusedError(
                f"doubled.py does not say `{statement}`; the proofs of exp_minus take it so: prove "
                "what it says now, then change generate.py"
            )
    known: dict[str, Any] = {
        "Decimal": Decimal,
        "localcontext": localcontext,
        "np": SimpleNamespace(array=list),
    }
    for node in module.tree.body:
        text = ast.unparse(node)
        if text.startswith(("_STEPS =", "_DECIMALS =", "_PIECE_BITS =", "_TAYLOR =")):
            exec(text, known)  # noqa: S102 - our own source, of which these are numbers
    for name in ("_pieces_of_step", "_table_of_powers"):
        function = module.function(name)
        function.returns = None
        exec(ast.unparse(function), known)  # noqa: S102 - our own source
    pieces, (high, low) = known["_pieces_of_step"](), known["_table_of_powers"]()
    numbers = {
        "exp_first": pieces[0],
        "exp_second": pieces[1],
        "exp_third": pieces[2],
        "exp_step": pieces[0] + pieces[1],
        **{f"exp_taylor_{place}": value for place, value in enumerate(known["_TAYLOR"])},
    }
    told = "".join(f"Definition {name} : R := {_number(it)}.\n" for name, it in numbers.items())
    pairs = ";\n".join(
        f"  ({_number(top)}, {_number(rest)})" for top, rest in zip(high, low, strict=True)
    )
    told += f"Definition exp_powers : list (R * R) := [\n{pairs}].\n\n"
    lines = module.lines("exp_minus", _EXP_MINUS)
    return f"{told}Definition exp_minus (argument : R * R) :=\n{lines}.\n"


def slopes(doubled: str, source: str) -> str:
    """Return quotient, of the parts of its two numbers, by which the slope is made."""
    _Straight("incomplete_beta.py", source).require(_SLOPE, "the slope")
    module = _Straight("doubled.py", doubled)
    lines = module.lines("quotient", _QUOTIENT)
    takes = "(top_part bottom_part : R) (shift : Z)"
    return f"Definition quotient_of_parts {takes} :=\n{lines}.\n"


# Of the incomplete beta: how A, A x and A (1-x) are made, word for word; the rest is translated.
_POINTS = {
    "_factor": ("total = plus(single(alpha), others)",),
    "_deviances": (
        "scale = np.frexp(total[0])[1]",
        (
            "near, far, whole = (np.ldexp(alpha, -scale), _scaled(others, -scale), "
            "_scaled(total, -scale))"
        ),
        "tiny = point < _UNDERFLOWING",
        "usual = np.where(tiny, 0.5, point)",
        (
            "return (np.ldexp(np.where(tiny, lone, deviance), scale), np.ldexp(spread, scale), "
            "np.where(tiny, total[0] * point, np.ldexp(low[0], scale)), "
            "np.where(tiny, total[0], np.ldexp(high[0], scale)))"
        ),
    ),
    "_scaled": ("return (np.ldexp(value[0], scale), np.ldexp(value[1], scale))",),
    "_by_series": ("value, rest, doubt = _summed(given.low, given.point, given.alpha)",),
    "_by_complement": ("value, _, doubt = _summed(given.high, 1.0 - given.point, given.others)",),
}


def points(source: str) -> Iterator[str]:
    """Yield what A x and A (1-x) of an incomplete beta are made of: A scaled, in two doubles."""
    module = _Straight("incomplete_beta.py", source)
    module.require(_POINTS, "x and 1-x")
    made = {
        ast.unparse(each.targets[0]): each.value
        for each in module.function("_deviances").body
        if isinstance(each, ast.Assign)
    }
    for name in ("low", "high"):
        yield (
            f"Definition beta_{name} (whole : R * R) (usual : R) :=\n"
            f"  fst {module.term(made[name])}.\n"
        )
    yield f"Definition beta_underflowing : R := {_number(1e-130)}.\n"


def _is_statement(node: ast.AST) -> bool:
    return isinstance(node, ast.stmt)


def generated(sources: dict[str, str]) -> str:
    """Return SeriesSource.v for the modules' texts, by file name."""
    doubled = _Straight("doubled.py", sources["doubled.py"])
    if "_SPLITTER = 2.0**27 + 1.0" not in sources["doubled.py"]:
        raise RefusedError("doubled.py does not say `_SPLITTER = 2.0**27 + 1.0`; Dekker's does")
    parts = [
        _HEAD,
        *(doubled.whole(name) for name in _DOUBLED),
        exponential(sources["doubled.py"]),
        slopes(sources["doubled.py"], sources["incomplete_beta.py"]),
        _Straight("incomplete_beta.py", sources["incomplete_beta.py"]).near(),
        *points(sources["incomplete_beta.py"]),
        *(coq(loop, sources[loop.file]) for loop in LOOPS),
        *steep(sources["incomplete_beta.py"]),
        *doubts(sources["series.py"]),
        *_Formulas(sources).definitions(),
        *thresholds(sources),
    ]
    summed = sources["incomplete_beta.py"]
    units = constant("incomplete_beta.py", "_UNITS_A_STEP", summed)
    if "doubt = UNIT * (_UNITS_A_STEP * weighted / value + last + 8)" not in summed:
        raise RefusedError(
            "incomplete_beta.py does not say "
            "`doubt = UNIT * (_UNITS_A_STEP * weighted / value + last + 8)`; the proofs are of "
            "that doubt: prove the new one, then change `generated` in generate.py"
        )
    if "weighted += (value - before) * last" not in summed:
        raise RefusedError(
            "incomplete_beta.py does not say `weighted += (value - before) * last`; the proofs are "
            "of that weighted sum: prove the new one, then change `generated` in generate.py"
        )
    parts.append(
        "Definition units_of_summed_recorded (weighted value n : R) : R :=\n"
        f"  {units} * weighted / value + n + 8.\n"
    )
    parts.append(f"Definition units_of_summed (k n : R) : R := {units} * k + n + 8.\n")
    return "\n".join(parts)


def sources_today() -> dict[str, str]:
    """Return the texts of the modules that are translated."""
    files = {"doubled.py", *(each.file for each in (*LOOPS, *FORMULAS))}
    return {file: (BACKEND / file).read_text("utf-8") for file in sorted(files)}


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
