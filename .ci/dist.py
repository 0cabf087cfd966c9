"""Build what is released, into dist/: the same bytes from the same commit, wherever it lies.

The sources are those of the commit, not what else lies in the folder; times are the commit's; modes
and owners are no one's. setuptools keeps the order of files, and reads the time for a wheel from
SOURCE_DATE_EPOCH; the archive of the sources is packed again here, which it does not do. Compressed
bytes are those of one zlib: the same Python gives the same file.
"""

from __future__ import annotations

import gzip
import io
import os
import subprocess
import sys
import tarfile
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[1]
DIST = ROOT / "dist"


def main() -> None:
    """Build the wheel and the sources' archive of the commit, and say what the core takes."""
    time = said("git", "log", "-1", "--format=%ct")
    os.environ["SOURCE_DATE_EPOCH"] = time
    os.umask(0o022)
    with TemporaryDirectory() as folder:
        source, built = Path(folder, "source"), Path(folder, "built")
        packed = run("git", "archive", "--format=tar", "HEAD")
        with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
            # Python 3.11 knows filters from 3.11.4 on; it is our own commit that is unpacked.
            archive.extraction_filter = getattr(tarfile, "data_filter", None)
            archive.extractall(source)  # noqa: S202
        run(sys.executable, "-m", "build", "--no-isolation", "--outdir", built, source)
        (wheel,), (sources,) = built.glob("*.whl"), built.glob("*.tar.gz")
        DIST.mkdir(exist_ok=True)
        (DIST / wheel.name).write_bytes(wheel.read_bytes())
        (DIST / sources.name).write_bytes(packed_again(sources, int(time)))
    bill = DIST / sources.name.replace(".tar.gz", ".cdx.json")
    bill.unlink(missing_ok=True)
    project = ("--pyproject", ROOT / "pyproject.toml", "--mc-type", "library")
    made = ("--output-reproducible", "--output-file", bill)
    run("cyclonedx-py", "requirements", ROOT / ".ci" / "core.txt", *project, *made)
    for path in (wheel.name, sources.name, bill.name):
        print(f"dist/{path}")


def packed_again(archive: Path, time: int) -> bytes:
    """Return an archive with its members in order, of one time, owned by no one."""
    packed = io.BytesIO()
    with tarfile.open(archive) as read, tarfile.open(fileobj=packed, mode="w") as written:
        for member in sorted(read.getmembers(), key=lambda one: one.name):
            member.mtime, member.mode = time, 0o755 if member.isdir() else 0o644
            member.uid = member.gid = 0
            member.uname = member.gname = ""
            member.pax_headers = {}
            written.addfile(member, read.extractfile(member) if member.isfile() else None)
    return gzip.compress(packed.getvalue(), mtime=time)


def said(*command: str) -> str:
    """Return what a command says in its one line."""
    return run(*command).decode().strip()


def run(*command: str | Path) -> bytes:
    """Run a command, its own or one of this environment, which has to succeed."""
    folders = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    words = [str(word) for word in command]
    environment = {**os.environ, "PATH": folders}
    done = subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, check=False)
    if done.returncode:
        sys.exit(done.stderr.decode(errors="replace") + done.stdout.decode(errors="replace"))
    return done.stdout


if __name__ == "__main__":
    main()
