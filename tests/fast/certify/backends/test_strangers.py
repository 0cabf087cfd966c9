"""Nothing of a stranger's is run by what checks, nor says what a certificate is about."""

from __future__ import annotations

import json
import os
import py_compile
import subprocess
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import pytest
from simplexcert.certify import certify_backend
from simplexcert.certify.backends.loading import ChangedBackendError, load_backend
from simplexcert.certify.backends.program import ending_programs
from simplexcert.certify.campaign.batches import Batch, Tally, Task, run_task
from simplexcert.certify.cli import run
from simplexcert.certify.verdict import Verdict
from simplexcert.certify.workers import working
from simplexcert.reference.errors import InputError

CHECKS = ["direction", "determinism", "monotone", "limit"]
BOUND = "dirichlet.utility.variance_bound"
SCOPE = "dirichlet.utility.variance*"
SECONDS = 100
# The command as it is installed, whose own folder is the first on its path; and as a text, for
# which an interpreter would put the current folder there.
INSTALLED = [str(Path(sys.executable).with_name("simplexcert"))]
AS_TEXT = [sys.executable, "-c", "from simplexcert.certify.cli import main; main()"]
# What the checker and its workers import, some of it late; each tells of whoever runs it, and ends
# that process as if all were well.
SHADOWED = [
    "mpmath", "networkx", "scipy", "rich", "jinja2", "matplotlib", "hypothesis", "sympy",
    "cryptography", "rfc8785", "msgspec", "gmpy2", "multiprocessing", "concurrent", "secrets",
    "encodings", "importlib_metadata",
]  # fmt: skip
SHADOW = """
import os, sys
if not any("backends.host" in word for word in sys.orig_argv):
    with open({told!r}, "a") as stream:
        print(__name__, sys.orig_argv, file=stream)
    print("CERTIFIED  backend evil 1", flush=True)
    os._exit(0)
"""
BACKEND = """
import math
def bound(k):
    return {answer}
class backend:
    name, version = "evil", "1"
    quantities = {{{quantity!r}: bound}}
"""
SOUND = "math.nextafter(0.25 / (k + 1) * (1 + 2**-50), math.inf)"


class Done(NamedTuple):
    code: int
    out: str
    err: str


def certified(folder: Path, where: str, *options: str, by: list[str] = INSTALLED) -> Done:
    asked = ["certify", where, "--quantities", SCOPE, "--cases", "4", *options]
    done = subprocess.run(
        [*by, *asked], cwd=folder, capture_output=True, text=True, check=False, timeout=SECONDS
    )
    return Done(done.returncode, done.stdout, done.stderr)


def backend_in(folder: Path, before: str = "", answer: str = SOUND) -> Path:
    file = folder / "evil.py"
    source = BACKEND.format(answer=answer, quantity=BOUND)
    file.write_text(before + source, encoding="utf-8")
    return file


def drop(folder: Path) -> None:
    """Write modules into a folder that shadow the checker's."""
    for name in SHADOWED:
        shadow = SHADOW.format(told=str(folder / "told"))
        (folder / f"{name}.py").write_text(shadow, encoding="utf-8")


def dropping(folder: Path) -> str:
    """Return what does so in a backend's module."""
    shadow = SHADOW.format(told=str(folder / "told"))
    return f"for name in {SHADOWED!r}:\n    open(name + '.py', 'w').write({shadow!r})\n"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return the current folder, an empty one; what is started there ends with the test."""
    monkeypatch.chdir(tmp_path)
    with ending_programs():
        yield tmp_path


@pytest.mark.parametrize(
    ("by", "options"),
    [
        (INSTALLED, ["--out", "c.json"]),
        (AS_TEXT, ["--out", "c.json", "--jobs", "2"]),
    ],
    ids=["alone", "workers"],
)
def test_modules_that_a_backend_drops_are_run_by_no_checker(
    tmp_path: Path, by: list[str], options: list[str]
) -> None:
    backend_in(tmp_path, dropping(tmp_path), "0.0")
    done = certified(tmp_path, "evil:backend", *options, by=by)
    assert (tmp_path / "mpmath.py").exists()
    assert not (tmp_path / "told").exists()
    # A program that a worker starts finds what was dropped, which is its own loss.
    verdict = "error" if "--jobs" in options else "refuted"
    assert done.code == 1, done
    assert done.out.startswith(f"{verdict.upper()}  backend 'evil 1': "), done
    assert json.loads((tmp_path / "c.json").read_bytes())["predicate"]["verdict"] == verdict


def test_modules_that_lie_in_the_folder_beforehand_are_run_by_no_checker(tmp_path: Path) -> None:
    drop(tmp_path)
    (tmp_path / "prog.sh").write_text("exit 7", encoding="utf-8")
    done = certified(tmp_path, "command:sh prog.sh", "--jobs", "2")
    assert not (tmp_path / "told").exists()
    assert (done.code, "it ended with status 7" in done.err) == (3, True), done


def test_asking_again_is_refused_where_the_current_folder_would_be_on_the_path(
    tmp_path: Path,
) -> None:
    again = "simplexcert.certify.ci.again"
    words = ["evil:backend", BOUND, "direction", '{"k":"0x1p+1"}']
    backend_in(tmp_path, dropping(tmp_path), "0.0")
    codes = [
        subprocess.run(
            [sys.executable, *flags, "-m", again, *words],
            cwd=tmp_path, check=False, capture_output=True, timeout=SECONDS,
        ).returncode
        for flags in ([], ["-P"])
    ]  # fmt: skip
    assert codes == [3, 1]
    assert not (tmp_path / "told").exists()


HOOK = """
import sys
started = []
def look(event, given):
    if event == "subprocess.Popen":
        started.append(given)
    if event == "import" and started:
        with open("late", "a") as stream:
            print(given[0], file=stream)
sys.addaudithook(look)
"""


def test_nothing_is_imported_once_a_program_was_started(tmp_path: Path) -> None:
    # One that is refuted has all that one has that is certified, and its violations told.
    samplers = "    samplers = {'laplace': lambda scale, count, seed: [scale] * count}\n"
    file = backend_in(tmp_path, answer="0.0")
    file.write_text(file.read_text(encoding="utf-8") + samplers, encoding="utf-8")
    options = ["--samplers", "--out", "c.json", "--report", "r.html", "--junit", "j.xml"]
    options += ["--sarif", "s.json", "--transcript", "t.gz"]
    by = [sys.executable, "-c", f"{HOOK}{AS_TEXT[2]}"]
    done = certified(tmp_path, "evil:backend", *options, by=by)
    assert done.out.startswith("REFUTED"), done
    late = tmp_path / "late"
    assert not late.exists(), late.read_text(encoding="utf-8")


def test_a_worker_imports_nothing_late_and_nothing_from_the_current_folder(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PYTHONSAFEPATH", raising=False)
    backend_in(here)
    terms = load_backend("evil:backend").terms
    batch = Batch("evil:backend", BOUND, 0, 4, "s", terms=terms)
    imported, before = "set(__import__('sys').modules)", dict(os.environ)
    with working(1, run_task) as pool:
        assert pool.submit(eval, "__import__('sys').flags.safe_path").result()
        # What a worker starts is a program as any other.
        assert "PYTHONSAFEPATH" not in pool.submit(eval, "dict(__import__('os').environ)").result()
        assert dict(os.environ) == before
        ready = pool.submit(eval, imported).result()
        pool.submit(run_task, Task(batch, dict.fromkeys(CHECKS, Tally(4, 0)))).result()
        assert pool.submit(eval, imported).result() == ready


def subjects_of(where: str) -> dict[str, str]:
    """Return what a campaign is about, and require that it certifies."""
    campaign = certify_backend(where, quantities=BOUND, cases=4)
    assert campaign.verdict is Verdict.CERTIFIED
    return {item.name: item.sha256 for item in campaign.loaded.subjects}


def digest(file: Path) -> str:
    return sha256(file.read_bytes()).hexdigest()


def test_a_backend_does_not_choose_what_a_certificate_is_about(here: Path) -> None:
    patched = """
import simplexcert.certify.backends.host as host
import simplexcert.certify.backends.subjects as subjects
made_up = (subjects.Subject("trusted_lib/__init__.py", "0" * 64),)
for name in ("subjects_of", "subjects_of_module", "subjects_of_imported"):
    setattr(host, name, lambda *_: made_up)
    setattr(subjects, name, lambda *_: made_up)
real, more = host.written_line, [["trusted_lib/__init__.py", "0" * 64]]
host.written_line = lambda message: real({**message, "files": more})
"""
    file = backend_in(here, patched)
    assert subjects_of("evil:backend") == {"evil.py": digest(file)}


@pytest.mark.parametrize(
    ("before", "says"),
    [
        ("open(__file__, 'a').write('#')\n", "evil.py is not what it was"),
        ("import os; os.remove(__file__)\n", "there is no module evil"),
        ("import os; os.rename(__file__, 'x'); os.mkfifo(__file__)\n", "there is no module evil"),
    ],
    ids=["written", "removed", "pipe"],
)
def test_a_backend_whose_files_change_is_an_error(here: Path, before: str, says: str) -> None:
    backend_in(here, before)
    with pytest.raises(ChangedBackendError, match=f"nothing is certified: .*{says}"):
        certify_backend("evil:backend", quantities=BOUND, cases=4)


def test_a_program_whose_file_changes_ends_with_1_and_no_certificate(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    declared = '{"name": "n", "version": "1", "quantities": []}'
    script = f"read line\necho '#' >> prog.sh\necho '{declared}'\nread line\n"
    (here / "prog.sh").write_text(script, encoding="utf-8")
    asked = ["certify", "command:sh prog.sh", "--quantities", BOUND, "--out", "c.json"]
    assert run(asked) == 1
    said = capsys.readouterr().err
    assert "prog.sh is not what it was" in said
    assert "fault of simplexcert" not in said
    assert not (here / "c.json").exists()


def test_files_added_to_a_package_while_it_is_asked_are_an_error(here: Path) -> None:
    home = here / "package"
    home.mkdir()
    backend_in(home, "import os\nopen(os.path.dirname(__file__) + '/data', 'w').close()\n")
    (home / "__init__.py").touch()
    with pytest.raises(ChangedBackendError, match="package/data is not what it was"):
        certify_backend("package.evil:backend", quantities=BOUND, cases=4)


def test_what_runs_already_is_not_taken_for_files_that_are_new(here: Path) -> None:
    file = backend_in(here)
    with ending_programs():
        load_backend("evil:backend")
        backend_in(here, answer="0.0")
        campaign = certify_backend("evil:backend", quantities=BOUND, cases=4)
    assert campaign.verdict is Verdict.REFUTED
    assert {item.sha256 for item in campaign.loaded.subjects} == {digest(file)}


def test_a_module_is_run_from_the_file_that_was_digested_and_not_from_a_cache(here: Path) -> None:
    file = backend_in(here, answer="0.0")
    py_compile.compile(
        str(file), doraise=True, invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH
    )
    backend_in(here)  # the cache says that it need not be compared with this
    assert subjects_of("evil:backend") == {"evil.py": digest(file)}


def listed_in(folder: Path, content: bytes) -> None:
    (folder / "dist-1.dist-info").mkdir(parents=True)
    (folder / "dist-1.dist-info" / "METADATA").write_text(
        "Name: dist\nVersion: 1\n", encoding="utf-8"
    )
    (folder / "dist-1.dist-info" / "entry_points.txt").write_bytes(content)


@pytest.mark.parametrize("value", [b"other:backend", b"simplexcert.certify.backends.float64:other"])
def test_a_name_that_two_packages_offer_is_nobodys(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: bytes
) -> None:
    listed_in(tmp_path, b"[simplexcert.backends]\nfloat64 = " + value)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(InputError, match="'float64' is offered by several packages"):
        load_backend("float64")


@pytest.mark.parametrize("line", [b"no value", b"\xff = a:b"])
def test_a_list_of_a_package_that_cannot_be_read_is_no_fault_of_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: bytes
) -> None:
    listed_in(tmp_path, b"[simplexcert.backends]\n" + line)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(InputError, match="cannot be looked up"):
        load_backend("mine")
