"""A program that answers 1/(4 (k+1)) from above, and at k = 13 does what its first argument says.

It writes its process number into the second argument's folder each time it starts.
"""

import json
import math
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

MODE, FOLDER = sys.argv[1], Path(sys.argv[2])
QUANTITY = "dirichlet.utility.variance_bound"
UNLUCKY = 13.0


def tell(message: object) -> None:
    say(json.dumps(message))


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def wait() -> None:
    time.sleep(1_000)


def spawn() -> None:
    child = subprocess.Popen(["sleep", "1000"])  # noqa: S607  # it has our pipes
    (FOLDER / f"{child.pid}.pid").touch()


def complain() -> None:
    while True:
        os.write(2, b"no! " * 10_000)


def flood(line_end: bytes) -> None:
    while True:
        os.write(1, b"x" * 10_000 + line_end)


VALUES = {
    "nan": '"nan"',
    "minus-nan": '"-nan"',
    "json-float": "0.5",
    "json-exponent": "1e3",
    "decimal-text": '"0.5"',
    "long-double": '"0x8.000000000000001p-4"',
    "beyond-doubles": '"0x1p+1024"',
    "below-doubles": '"0x1p-1080"',
    "endless-text": f'"0x1.{"0" * 100}p+0"',
    "endless-power": '"0x1p+9999999999"',
    "truth-value": "true",
    "null": "null",
    "list": '["0x1p+0"]',
    "object": "{}",
    "long-fraction": '"1/' + "7" * 10_001 + '"',
    "large-numbers": f"[{'1e9999,' * 140_000}0]",
    "large-numbers-in-quotes": "[" + '"1e9999",' * 140_000 + "0]",
    "too-many": f"[{'[],' * 1_500_000}0]",
}
LINES = {
    "rubbish": "hello",
    "a-warning": "Warning: \x1b[2J k = ID is \u202e large",
    "python": "{'id': ID, 'value': '0x1p+0'}",
    "half": '{"id": ID, "value": ',
    "a-list": "[1, 2]",
    "not-a-number": '{"id": ID, "value": NaN}',
    "twice-a-key": '{"id": ID, "value": "0x1p+0", "value": "0x1p+1"}',
    "deep": "[" * 100_000,
    "other-number": '{"id": 0, "value": "0x1p+0"}',
    "number-as-text": '{"id": "ID", "value": "0x1p+0"}',
    "number-as-truth": '{"id": true, "value": "0x1p+0"}',
    "early": '{"id": 99, "value": "0x1p+0"}\n{"id": ID, "value": "0x1p+0"}',
    "no-value": '{"id": ID}',
    "both": '{"id": ID, "value": "0x1p+0", "error": "no"}',
    "says-why": '{"id": ID, "error": "k = 13\\u0007 \\ud800 brings bad luck"}',
    "long-why": '{"id": ID, "error": "' + "no " * 10_000 + '"}',
}
DEEDS = {
    "hang": wait,
    "die": lambda: sys.exit(3),
    "crash": lambda: os.kill(os.getpid(), signal.SIGSEGV),
    "close-output": lambda: (os.close(1), wait()),
    "flood": lambda: flood(b""),
    "flood-lines": lambda: flood(b"\n"),
    "complain": complain,
    "spawn": lambda: (spawn(), wait()),
    "spawn-and-die": lambda: (spawn(), sys.exit(3)),
    "last-words": lambda: (sys.stderr.write("out of\n luck\x07"), sys.exit(1)),
    "not-utf-8": lambda: os.write(1, b"\xff\xfe\n"),
}


# What is answered beside what was asked.
UNASKED = {
    "twice": lambda asked: (asked,),
    "foresees": lambda asked: (asked + 1, asked, *range(100)),
}


def answer(message: dict) -> None:
    k = float.fromhex(message["parameters"]["k"])
    right = math.nextafter(0.25 / (k + 1) * (1 + 2**-50), math.inf)
    if MODE == "always-hang":
        (FOLDER / f"{os.getpid()}.asked").touch()
        wait()
    if k == UNLUCKY and MODE in DEEDS:
        DEEDS[MODE]()
    if k == UNLUCKY and MODE in LINES:
        say(LINES[MODE].replace("ID", str(message["id"])))
    elif k == UNLUCKY and MODE in VALUES:
        say(f'{{"id": {message["id"]}, "value": {VALUES[MODE]}}}')
    else:
        tell({"id": message["id"], "value": right.hex()})
    if k == UNLUCKY:
        for number in UNASKED.get(MODE, lambda _: ())(message["id"]):
            tell({"id": number, "value": right.hex()})
    if MODE == "always-die":
        sys.exit(3)
    if MODE == "noisy":
        os.write(2, b"note " * 100_000)
    if k == UNLUCKY and MODE == "close-input":
        os.close(0)
        wait()


starts = len(list(FOLDER.glob("*.pid")))
(FOLDER / f"{os.getpid()}.pid").touch()
version = str(starts) if MODE == "changes" else "1"
input()
tell({"name": MODE, "version": version, "quantities": [QUANTITY]})
for question in sys.stdin:
    answer(json.loads(question))
    if MODE == "hang-after-one":
        wait()
if MODE == "ignore-end":
    wait()
