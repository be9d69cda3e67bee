"""`python -m deploy.install_locked LOCK …`: install what lock files name, with every hash checked, by uv.

It runs in the virtual environment that it fills, before anything is installed there: nothing but the standard library
is imported. uv itself comes by pip, from a lock of its own. uv reads no configuration of pip, so a mirror that pip was
told of is handed on to it; hashes say that what comes from there is the right thing.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from time import monotonic

UV_LOCK = Path(__file__).parents[1] / "requirements-uv.lock"
PINNED = re.compile(r"^[A-Za-z0-9][^=\s]*==", re.MULTILINE)
HANDED_ON = {"index-url": "UV_DEFAULT_INDEX", "extra-index-url": "UV_INDEX", "find-links": "UV_FIND_LINKS"}
"""What pip is told -> the variable that tells uv the same."""
QUIET = ("--quiet", "--no-input", "--disable-pip-version-check")


def told_pip(listed: str) -> dict[str, str]:
    """Variables for uv that say what `pip config list` printed: lines as `global.index-url='https://…'`."""
    told: dict[str, list[str]] = {}
    for line in listed.splitlines():
        name, _, value = line.partition("=")
        variable = HANDED_ON.get(name.rpartition(".")[2])
        if variable:
            told.setdefault(variable, []).extend(value.strip("'\"").split())
    separators = {"UV_FIND_LINKS": ","}
    return {name: separators.get(name, " ").join(dict.fromkeys(values)) for name, values in told.items()}


def environment(env: Mapping[str, str], listed: str) -> dict[str, str]:
    """The environment of uv. What it was told itself goes before what pip was told."""
    told = {"UV_INDEX_STRATEGY": "unsafe-best-match", **told_pip(listed)}
    if certificates := env.get("PIP_CERT"):
        told["SSL_CERT_FILE"] = certificates
    return {**told, **env}


def pip(*arguments: str) -> list[str]:
    """The command that asks the pip of this environment."""
    return [sys.executable, "-m", "pip", *arguments]


def main(locks: list[str]) -> int:
    """Install; the exit code of what failed, or 0."""
    started = monotonic()
    uv = Path(sys.executable).with_name("uv")
    if not uv.exists():
        print("Installing uv, which installs the rest", flush=True)
        done = subprocess.run(pip("install", *QUIET, "--require-hashes", "-r", str(UV_LOCK)), check=False)
        if done.returncode:
            return done.returncode
    number = len({line for lock in locks for line in PINNED.findall(Path(lock).read_text("utf-8"))})
    print(f"Installing {number} packages from {' and '.join(locks)}", flush=True)
    listed = subprocess.run(pip("config", "list"), capture_output=True, text=True, check=False).stdout
    files = [part for lock in locks for part in ("-r", lock)]
    command = [str(uv), "pip", "install", "--python", sys.executable, "--require-hashes", *files]
    done = subprocess.run([*command, "--quiet"], env=environment(os.environ, listed), check=False)
    if done.returncode == 0:
        print(f"Installed in {monotonic() - started:.0f} s", flush=True)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
