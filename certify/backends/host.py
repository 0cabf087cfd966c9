"""A module's backend in a process of its own, asked through the pipes that any program has.

Its results cross the pipe as doubles, with the reason where they are none; so what it answers is
judged as it would be in our process, and what it does to its process it does to that one only.
"""

from __future__ import annotations

import json
import os
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import CodeType
from typing import Any, BinaryIO

from ...reference.errors import InputError
from ...reference.exact import exact_text, shown
from ..points import Many, as_given, given_in, written_real
from .answers import Reals, called, real_answers
from .declarations import written_ranges
from .loading import kept_alive, thing_at
from .messages import written_line
from .protocol import Backend, as_backend, attribute_of


def serve(where: str, *packages: str) -> None:
    """Declare the backend ``module:attribute`` and answer until the input ends.

    It and the ``packages`` that it adapts run from their sources.
    """
    for name in (where.partition(":")[0].partition(".")[0], *packages):
        sys.meta_path.insert(0, _FromSource(name))
    questions, answers = _pipes_for_us_alone()
    warnings.simplefilter("ignore")
    with kept_alive(), questions, answers:
        questions.readline()  # the protocol's version, of which there is one
        backend, declaration = _declared(where)
        _write(answers, declaration)
        if backend is not None:
            for line in questions:
                asked = json.loads(line)
                if "sampler" in asked:
                    _write(answers, _drawn(backend.samplers, asked))
                else:
                    _write(answers, _answer(backend.quantities, asked))


def _write(answers: BinaryIO, message: Mapping[str, Any]) -> None:
    answers.write(written_line(message))
    answers.flush()


def _pipes_for_us_alone() -> tuple[BinaryIO, BinaryIO]:
    """Return the pipes, and let the backend print on standard error and read nothing.

    The copies are not inherited, so what the backend starts cannot keep them open.
    """
    questions, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return questions, answers


def _declared(where: str) -> tuple[Backend | None, Mapping[str, Any]]:
    """Return the backend and what it declares, or none and why there is none."""
    try:
        thing = thing_at(where, where)
        # Which of its names are quantities, whoever asks will say.
        names = attribute_of(thing, "quantities", where)
        backend = as_backend(thing, where, names if isinstance(names, Mapping) else ())
    except InputError as error:
        return None, {"error": str(error)}
    # The backend's own objects were looked at, which may raise anything.
    except BaseException as error:  # noqa: BLE001
        return None, {"error": f"{where} is not a backend: looking at it {_raises(error)}"}
    return backend, {
        "name": backend.name,
        "version": backend.version,
        "quantities": list(backend.quantities),
        "slack": {name: exact_text(share) for name, share in backend.slack.items()},
        "accuracy": {name: exact_text(share) for name, share in backend.accuracy.items()},
        "samplers": list(backend.samplers),
        "domain": {name: written_ranges(ranges) for name, ranges in backend.domain.items()},
        "direction": dict(backend.direction),
        "vectorized": backend.vectorized,
    }


class _SourceOnly(SourceFileLoader):
    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        code: CodeType = self.source_to_code(self.get_data(path), path)
        return code


class _FromSource:
    """Finds the modules of one package, and has them run from the files that were digested.

    A compiled file in a cache may say that it need not be compared with its source.
    """

    def __init__(self, package: str) -> None:
        self._package = package

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: object = None
    ) -> ModuleSpec | None:
        """Return what is found otherwise, its source to be compiled."""
        del target
        if name.partition(".")[0] != self._package:
            return None
        others: list[Any] = [PathFinder, *(each for each in sys.meta_path if each is not self)]
        for finder in others:
            spec: ModuleSpec | None = finder.find_spec(name, path)
            if spec is not None:
                if type(spec.loader) is SourceFileLoader:
                    spec.loader = _SourceOnly(spec.loader.name, spec.loader.path)
                return spec
        return None


def _raises(error: BaseException) -> str:
    return f"raises {type(error).__name__}"


def _answer(
    quantities: Mapping[str, Callable[..., Any]], question: Mapping[str, Any]
) -> Mapping[str, Any]:
    """Return the answer to one question."""
    answer: object
    try:
        function = quantities[question["quantity"]]
        answer = called(function, lambda: _given_in(question))
    # SystemExit and KeyboardInterrupt too: nobody but the backend raises them here.
    except BaseException as error:  # noqa: BLE001
        answer = error
    values, reason = real_answers(answer)
    if values is None:
        return {"id": question["id"], "error": reason, "answer": shown(answer)}
    return {"id": question["id"], "value": _written(values)}


def _given_in(question: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of a question; arrays are asked of who declared them alone."""
    given = given_in(question["parameters"])
    return as_given(given | {name: Many(given[name]) for name in question.get("arrays", ())})


def _drawn(
    samplers: Mapping[str, Callable[..., Any]], question: Mapping[str, Any]
) -> Mapping[str, Any]:
    """Return the draws that are asked for."""
    from .draws import BadDrawsError, draws_in  # NumPy, which takes half of a start

    parameters = given_in(question["parameters"])
    count, seed = question["count"], question["seed"]
    answer: object
    try:
        answer = samplers[question["sampler"]](**parameters, count=count, seed=seed)
    # SystemExit and KeyboardInterrupt too: nobody but the backend raises them here.
    except BaseException as error:  # noqa: BLE001
        answer = error
    width = len(parameters["alpha"]) if "alpha" in parameters else None
    try:
        draws = draws_in(answer, count, width)
    except BadDrawsError as error:
        return {"id": question["id"], "error": str(error)}
    return {"id": question["id"], "value": (draws if width else draws[:, 0]).tolist()}


def _written(values: Reals) -> Any:
    if isinstance(values, tuple):
        return [_written(item) for item in values]
    return written_real(values)
