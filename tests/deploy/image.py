"""The image, built by `deploy/image.sh` with buildah where no engine runs, and its processes started from it.

No registry is asked: the base is TEST_IMAGE_BASE, or Debian as its own installer makes it. Nothing is left afterwards.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from tests.programs import run_program

ROOT = Path(__file__).parents[2]
USER = 10001
DEBIAN = ("--variant=minbase", "--include=python3,python3-venv,ca-certificates", "bookworm")
PIP_CONFIGURATION = Path("/etc/pip.conf")
STOP_SECONDS = 30


@dataclass(frozen=True)
class Image:
    """env: with which buildah finds it. container: made from it. folder: for what processes write. root: its files."""

    env: Mapping[str, str]
    container: str
    folder: Path
    root: Path

    def command(self, name: str, command: Sequence[str], env: Mapping[str, str], secrets: Path) -> list[str]:
        """How a process called so is run in it, with a /tmp and a data folder of its own."""
        mounts = [f"{secrets}:/run/secrets:ro"]
        for number, inside in enumerate(("/tmp", "/var/lib/muster")):
            place = self.folder / f"{name}-{number}"
            place.mkdir(exist_ok=True)
            os.chown(place, USER, USER)
            mounts.append(f"{place}:{inside}")
        options = [f"--volume={mount}" for mount in mounts] + [f"--env={key}={value}" for key, value in env.items()]
        user = f"--user={USER}:{USER}"
        return ["buildah", "run", "--isolation=chroot", user, *options, self.container, "--", *command]

    def run(self, name: str, command: Sequence[str], env: Mapping[str, str], secrets: Path) -> str:
        """What it prints. Raises AssertionError where it fails."""
        line = self.command(name, command, env, secrets)
        done = run_program(line, env=self.env, capture_output=True, text=True)
        assert done.returncode == 0, f"{name}: {done.stdout}{done.stderr}"
        return done.stdout

    @contextmanager
    def running(self, name: str, command: Sequence[str], env: Mapping[str, str], secrets: Path) -> Iterator[Path]:
        """Run it meanwhile; gives the file of what it writes."""
        log = self.folder / f"{name}.log"
        with log.open("wb") as out:
            line = self.command(name, command, env, secrets)
            process = subprocess.Popen(
                line, env=self.env, stdin=subprocess.DEVNULL, stdout=out, stderr=out, start_new_session=True
            )
        try:
            yield log
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
            try:
                process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


@contextmanager
def built(folder: Path) -> Iterator[Image]:
    """Build it. Raises AssertionError with what was said where that fails."""
    (folder / "storage.conf").write_text(
        f'[storage]\ndriver = "vfs"\ngraphroot = "{folder}/storage"\nrunroot = "{folder}/run"\n'
    )
    env = {
        **os.environ,
        "CONTAINERS_STORAGE_CONF": str(folder / "storage.conf"),
        "BUILDAH_ISOLATION": "chroot",
        # A docker without its engine, and podman, are passed by.
        "IMAGE": "localhost/muster-test",
    }
    base = os.environ.get("TEST_IMAGE_BASE") or _debian(folder, env)
    options = [f"--volume={place}:{place}:ro" for place in _of_pip()]
    _said([str(ROOT / "deploy/image.sh"), "--build-arg", f"BASE={base}", *options], env)
    container = _said(["buildah", "from", "localhost/muster-test:local"], env).strip()
    root = Path(_said(["buildah", "mount", container], env).strip())
    (folder / "processes").mkdir()
    try:
        yield Image(env, container, folder / "processes", root)
    finally:
        _said(["buildah", "umount", container], env)
        shutil.rmtree(folder, ignore_errors=True)


def _debian(folder: Path, env: Mapping[str, str]) -> str:
    """A base image from Debian's own packages."""
    _said(["debootstrap", *DEBIAN, str(folder / "debian"), "http://deb.debian.org/debian"], env)
    scratch = _said(["buildah", "from", "scratch"], env).strip()
    _said(["buildah", "add", "--quiet", scratch, str(folder / "debian"), "/"], env)
    _said(["buildah", "commit", "--quiet", "--rm", scratch, "localhost/muster-test-base"], env)
    shutil.rmtree(folder / "debian")
    return "localhost/muster-test-base"


def _of_pip() -> list[str]:
    """What this machine's pip is told, and the folders that it is told of, so that it asks the same inside."""
    if not PIP_CONFIGURATION.exists():
        return []
    named = re.findall(r"(?:file://)?(/[^\s]+)", PIP_CONFIGURATION.read_text())
    folders = {str(Path(place).parent if Path(place).is_file() else Path(place)) for place in named}
    return [str(PIP_CONFIGURATION), *sorted(place for place in folders if Path(place).exists())]


def _said(command: Sequence[str], env: Mapping[str, str]) -> str:
    done = run_program(command, env=env, capture_output=True, text=True)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout[-4000:]}{done.stderr[-4000:]}"
    return done.stdout
