"""Hold a program that verifies certificates against the hostile ones, by its exit codes alone.

    python tests/fast/adversarial/run_against.py -- simplexcert

It needs nothing but Python 3.11. The program is run as `PROGRAM verify ...`; it has to refuse each
hostile file by its exit code and in one sentence, and to accept the good one in its place.
"""

from __future__ import annotations

import argparse
import fnmatch
import subprocess
import sys
import tomllib
from pathlib import Path

HERE = Path(__file__).parent
REFUSED, UNREADABLE = 1, 3
# A certificate that refutes checks; it ends in 1 too, but prints what it says.
SECONDS = 60


def main() -> int:
    """Return 0 if every hostile file is refused and every good one accepted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="*", metavar="GLOB", help="which of the files, by name")
    parser.add_argument("program", nargs="+", help="what is run, as PROGRAM verify ...")
    given = parser.parse_args()
    table = tomllib.loads((HERE / "table.toml").read_text(encoding="utf-8"))
    names = fnmatch.filter(table, given.only)
    good = {tuple(arguments(table, name, f"good/{table[name]['from']}")) for name in names}
    wrong = [f"good: {' '.join(one)}" for one in sorted(good) if not accepts(given.program, one)]
    wrong += [name for name in names if not refuses(given.program, table, name)]
    for name in wrong:
        print(f"wrong: {name}")  # noqa: T201
    refused = len(names) - sum(not name.startswith("good: ") for name in wrong)
    print(f"accepted {len(good)} good ones, refused {refused} of {len(names)} hostile ones"  # noqa: T201
          if len(wrong) == 0 else f"{len(wrong)} came out wrong")  # fmt: skip
    return 1 if wrong or not names else 0


def arguments(table: dict[str, dict[str, str | list[str]]], name: str, file: str) -> list[str]:
    """Return the arguments of `verify` with a file in the place of the one that is changed."""
    base = str(table[name]["from"])
    usual = ["{it}", "--key", "good/public.pem"] if "-signed" in base else ["{it}"]
    usual = ["good/backend.json", "--transcript", "{it}"] if base.endswith(".gz") else usual
    # A certificate that states a forged transcript's digest is held against that.
    own = f"forged/{name}.jsonl.gz"
    is_forged = not file.startswith("good/") and (HERE / own).exists()
    places = {"{it}": file, "{cases}": own if is_forged else "good/cases.jsonl.gz"}
    return [places.get(part, part) for part in table[name].get("arguments", usual)]


def ran(program: list[str], given: list[str]) -> subprocess.CompletedProcess[str]:
    """Run the program, where the files are."""
    return subprocess.run(
        [*program, "verify", *given],
        cwd=HERE,
        capture_output=True,
        text=True,
        check=False,
        timeout=SECONDS,
    )


def accepts(program: list[str], given: tuple[str, ...]) -> bool:
    """Whether a good certificate is told to check."""
    ended = ran(program, list(given))
    return ended.returncode in (0, REFUSED) and any(
        word in ended.stdout for word in ("is authentic", "is consistent")
    )


def refuses(program: list[str], table: dict[str, dict[str, str | list[str]]], name: str) -> bool:
    """Whether a hostile certificate is refused, with nothing but a sentence."""
    folder = HERE / "hostile"
    (file,) = [one for one in folder.iterdir() if one.name.split(".")[0] == name]
    ended = ran(program, arguments(table, name, f"hostile/{file.name}"))
    expected = UNREADABLE if table[name]["error"] == "InputError" else REFUSED
    sentence = ended.stderr.count("\n") == 1 and "Traceback" not in ended.stderr
    return ended.returncode == expected and not ended.stdout and sentence


if __name__ == "__main__":
    sys.exit(main())
