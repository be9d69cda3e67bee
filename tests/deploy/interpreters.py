"""The Pythons of this machine, by their version."""

from __future__ import annotations

import os
import shutil
from functools import cache
from pathlib import Path

from tests.programs import run_program

RIGHT = "import sys, venv; sys.exit('%d.%d' % sys.version_info[:2] != '{}')"


@cache
def found(version: str) -> str | None:
    """The program of a version such as `3.12`, on PATH or among those of pyenv; None where there is none."""
    name = f"python{version}"
    folders = [*os.get_exec_path(), *(str(folder) for folder in Path.home().glob(f".pyenv/versions/{version}*/bin"))]
    programs = filter(None, (shutil.which(name, path=folder) for folder in folders))
    # Runs it: a name on PATH can be a shim without an interpreter behind it.
    return next((program for program in programs if _is(program, version)), None)


def _is(program: str, version: str) -> bool:
    return run_program([program, "-c", RIGHT.format(version)], capture_output=True).returncode == 0
