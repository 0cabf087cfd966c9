"""Release by the command line, with a signal at a step of publishing; run as a program.

A process is forked for each signal, so that what is imported once serves all of them. The steps are
those of ``ledger_killing``, from where the release is drawn to where the command has printed it.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
import time
from pathlib import Path
from typing import Any

from ledger_killing import Killer, ended, entries, forked, visible
from simplexcert.certify import cli
from simplexcert.certify.releasing import delivery

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGXCPU)


def released(folder: Path, n: int, number: int, options: list[str]) -> int:
    """Return the exit code of a release that a signal comes to at its n-th step of publishing."""
    publish = delivery.Record.published

    def interrupted(*of: Any) -> Any:
        killer = Killer(n, number, [os.getppid()])  # as a terminal sends it, to both
        killer.install()
        return publish(*of)

    def work() -> None:
        delivery.Record.published = interrupted  # type: ignore[method-assign]
        for stream, name in ((1, ".out"), (2, ".err")):
            os.dup2(os.open(folder / name, os.O_WRONLY | os.O_CREAT), stream)
        words = [str(folder / "claim.toml"), "--data", str(folder / "private.csv")]
        cli._STARTED = time.monotonic()
        cli.main(["release", *words, "--out", str(folder / "r.json"),
                 "--certificate", str(folder / "c.json"), *options])  # fmt: skip

    with forked(lambda: _exiting(work)) as child:
        return ended(child)


def _exiting(work: Any) -> None:
    try:
        work()
    except SystemExit as end:
        os._exit(int(end.code or 0))


def at_steps(begun: Path, every: int, options: list[str]) -> list[dict[str, Any]]:
    """Return what is left and said by releases that a signal comes to, some steps later each."""
    found = []
    for n in range(1, 100, every):
        folder = begun.with_name(f"{begun.name} {n}")
        shutil.copytree(begun, folder)
        number = SIGNALS[n % len(SIGNALS)]
        ledger = ["--ledger", str(folder / "ledger.json")] if "--ledger" in options else []
        code = released(folder, n, number, ledger + [o for o in options if o != "--ledger"])
        if code == 0:
            return found
        recorded = entries(folder / "ledger.json")
        found.append(
            {"code": code, "signal": number, "recorded": recorded, "left": visible(folder / "x"),
             "hidden": sorted(f.name for f in folder.iterdir() if f.name.startswith(".")),
             "out": (folder / ".out").read_text(), "err": (folder / ".err").read_text()}
        )  # fmt: skip
    raise AssertionError(f"it has no end: {found[-1]}")


def main(where: str, every: str, *options: str) -> None:
    """Release with these options, and print what was found as JSON."""
    print(json.dumps(at_steps(Path(where), int(every), list(options))))  # noqa: T201


if __name__ == "__main__":
    main(*sys.argv[1:])
