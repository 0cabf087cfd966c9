"""Ask a backend at one point again: ``python -P -m simplexcert.certify.ci.again`` and four words.

The words are a backend, a quantity, a check and the parameters, a JSON object as a certificate
writes a worst case's: ``'{"alpha": "0x1p+0", "step": "0x1p-1", "epsilon": "0x1p-2"}'``. It prints
the violation, or that the check passes there, and its exit code is the verdict's.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from ...reference.errors import InputError, SimplexcertError
from ...reference.exact import parse_json
from ...reference.quantity import quantity_named
from ..backends.loading import load_backend
from ..backends.program import ending_programs
from ..points import Case, point_from
from ..verdict import EXIT_BAD_INPUT, EXIT_OWN_FAILURE, Verdict, exit_code
from .findings import Finding, judged
from .violations import Run, lines_about
from .witnesses import Seen, Shown, asked_again

_USAGE = "give a backend, a quantity, a check and the parameters as a JSON object, and no more"
_WORDS = 4
_UNSAFE = (
    "without -P, what is in the current folder is run by the process that judges: "
    "python -P -m simplexcert.certify.ci.again"
)


def main(arguments: Sequence[str]) -> int:
    """Print what the check finds at the point, and return the exit code."""
    try:
        return _asked(arguments)
    except InputError as error:
        return _say(str(error), EXIT_BAD_INPUT)
    except SimplexcertError as error:
        return _say(str(error), EXIT_OWN_FAILURE)


def _main() -> int:
    if not sys.flags.safe_path:
        return _say(_UNSAFE, EXIT_BAD_INPUT)
    return main(sys.argv[1:])


@ending_programs()
def _asked(arguments: Sequence[str]) -> int:
    if len(arguments) != _WORDS:
        raise InputError(_USAGE)
    where, quantity, check, text = arguments
    written = parse_json(text, "the parameters")
    if not isinstance(written, dict):
        raise InputError(_USAGE)
    point = point_from(quantity_named(quantity), written)
    loaded = load_backend(where)
    case = asked_again(loaded, quantity, check)(point)
    _print(Run(where, loaded.backend.name, loaded.backend.version, 1, 0), case)
    return exit_code(case.verdict)


def _print(run: Run, case: Case) -> None:
    if case.verdict is Verdict.CERTIFIED:
        shape = case.as_json()
        sys.stdout.write(f"passes: {shape['value']} against [{shape['lower']}, {shape['upper']}]\n")
        return
    finding = Finding(case.quantity, case.check, case.verdict, 1, case)
    shown = Shown(judged(finding, ()), Seen(case, again=True))
    sys.stdout.writelines(f"{line}\n" for line in lines_about(run, shown))


def _say(sentence: str, code: int) -> int:
    sys.stderr.write(f"simplexcert: {' '.join(sentence.split())}\n")
    return code


if __name__ == "__main__":
    sys.exit(_main())
