"""Libraries of other languages, each through a program that answers lines of JSON."""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from .libraries import DELTA, RENYI, TAIL, TOTAL_VARIATION, Library, NotHereError

_SOURCES = Path(__file__).parents[3] / "backends_in"
_QUANTITIES = (DELTA, TOTAL_VARIATION, RENYI, TAIL)


@dataclass(frozen=True)
class Program(Library):
    """A program of ours on a library: its source, what runs or compiles it, what it includes."""

    source: str = ""
    tool: str = ""
    words: tuple[str, ...] = ()
    header: str = ""

    def where(self, folder: Path, *, within: bool) -> str:
        """Return the command that starts it, compiled into a folder where it has to be."""
        if shutil.which(self.tool) is None:
            raise NotHereError(f"{self.tool} is not here")
        program = self._compiled(folder) if self.header else self._script()
        declared = {
            "quantities": self.asked(within=within),
            "slack": self.slacks(within=within),
            "domain": self.domains(within=within),
        }
        return "command:" + shlex.join([*program, json.dumps(declared)[1:-1]])

    def _script(self) -> list[str]:
        return [self.tool, *self.words, str(_SOURCES / self.source)]

    def _compiled(self, folder: Path) -> list[str]:
        program = folder / Path(self.source).stem
        if not program.exists():
            included = f"#include <{self.header}>\n"
            if self._told("-E", "-x", _language(self.source), "-", given=included).returncode:
                raise NotHereError(f"{self.header} is not here")
            made = self._told(str(_SOURCES / self.source), "-o", str(program), *self.words)
            assert made.returncode == 0, made.stderr
        return [str(program)]

    def _told(self, *words: str, given: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [self.tool, *words], input=given, capture_output=True, text=True, check=False
        )


def _language(source: str) -> str:
    return "c" if source.endswith(".c") else "c++"


in_gsl = Program(
    "GSL",
    "2.7.1",
    _QUANTITIES,
    {DELTA: "0", TOTAL_VARIATION: "4.204094906e-9", RENYI: "1.187436283e-7", TAIL: "0"},
    source="dirichlet_gsl.c",
    tool="cc",
    words=("-O2", "-lgsl", "-lgslcblas", "-lm"),
    header="gsl/gsl_sf_gamma.h",
)
in_boost = Program(
    "Boost",
    "1.74",
    _QUANTITIES,
    {DELTA: "0", TOTAL_VARIATION: "4.204395276e-9", RENYI: "1.187436283e-7", TAIL: "0"},
    source="dirichlet_boost.cpp",
    tool="c++",
    words=("-O1",),
    header="boost/math/special_functions/beta.hpp",
)
in_r = Program(
    "R",
    "4.2.2",
    _QUANTITIES,
    {DELTA: "0", TOTAL_VARIATION: "4.204395276e-9", RENYI: "1.187436283e-7", TAIL: "0"},
    source="dirichlet.R",
    tool="Rscript",
    words=("--vanilla",),
)
