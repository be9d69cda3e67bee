"""What pip was told of mirrors, uv is told, too; and what cannot be installed ends in a line for a person."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from deploy.install_locked import environment, told_pip
from tests.programs import run_program

ROOT = Path(__file__).parents[2]

LISTED = """:env:.find-links='/opt/wheels'
global.cert='/etc/ssl/certs/ca-certificates.crt'
global.extra-index-url='https://one.example/simple https://two.example/simple'
install.extra-index-url='https://two.example/simple'
global.index-url='https://mirror.example/simple'
global.timeout='180'
"""


def test_mirrors_and_folders_are_handed_on() -> None:
    assert told_pip(LISTED) == {
        "UV_FIND_LINKS": "/opt/wheels",
        "UV_INDEX": "https://one.example/simple https://two.example/simple",
        "UV_DEFAULT_INDEX": "https://mirror.example/simple",
    }
    assert told_pip("") == {}


def test_what_uv_was_told_itself_goes_before() -> None:
    env = environment({"UV_DEFAULT_INDEX": "https://own.example", "PIP_CERT": "/ca.crt", "HOME": "/h"}, LISTED)
    assert (env["UV_DEFAULT_INDEX"], env["SSL_CERT_FILE"], env["HOME"]) == ("https://own.example", "/ca.crt", "/h")
    assert env["UV_INDEX_STRATEGY"] == "unsafe-best-match"


NOWHERE = {
    "PIP_CONFIG_FILE": os.devnull,
    "PIP_INDEX_URL": "http://127.0.0.1:9/simple",
    "UV_DEFAULT_INDEX": "http://127.0.0.1:9/simple",
    "PIP_RETRIES": "0",
    "UV_HTTP_RETRIES": "0",
    "PIP_NO_CACHE_DIR": "1",
}
"""A machine without a network, as far as pip and uv can tell."""
FAR = "mdurl==0.1.2 --hash=sha256:84008a41e51615a49fc9966191ff91509e3c40b939176e643fd50a5c2196b8f8\n"


def install(folder: Path, lock: str, *, uv: bool = True) -> subprocess.CompletedProcess[str]:
    """Install a lock of this text into an environment of its own, where nothing can be fetched."""
    (folder / "some.lock").write_text(lock)
    run_program([sys.executable, "-m", "venv", *(["--without-pip"] if uv else []), str(folder / "venv")], check=True)
    if uv:
        (folder / "venv/bin/uv").symlink_to(Path(sys.executable).with_name("uv"))
    around = {name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "UV_"))}
    env = {**around, **NOWHERE, "UV_CACHE_DIR": str(folder / "cache"), "PYTHONPATH": str(ROOT)}
    command = [str(folder / "venv/bin/python"), "-m", "deploy.install_locked", "some.lock"]
    return run_program(command, cwd=folder, env=env, capture_output=True, text=True)


@pytest.mark.parametrize(
    ("lock", "said"),
    [
        (FAR, "some.lock could not be installed: is there a network? PIP_INDEX_URL names a mirror ("),
        (FAR + "this is <<< none", "some.lock could not be installed: some.lock is broken; `git checkout some.lock`"),
        ("# nothing\n", "some.lock names no package; `git checkout some.lock` puts it back"),
    ],
    ids=["no network", "broken lock", "empty lock"],
)
def test_what_cannot_be_installed_is_one_line_that_says_what_to_do(tmp_path: Path, lock: str, said: str) -> None:
    done = install(tmp_path, lock)
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert line.startswith(said)


def test_another_file_than_the_lock_names_is_told_as_that(tmp_path: Path) -> None:
    wheel = tmp_path / "wheels"
    wheel.mkdir()
    with zipfile.ZipFile(wheel / "mdurl-0.1.2-py3-none-any.whl", "w") as forged:
        forged.writestr("mdurl-0.1.2.dist-info/METADATA", "Metadata-Version: 2.1\nName: mdurl\nVersion: 0.1.2\n")
        forged.writestr("mdurl-0.1.2.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        forged.writestr("mdurl-0.1.2.dist-info/RECORD", "")
    done = install(tmp_path, f"--no-index\n--find-links {wheel}\n{FAR}")
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert line.startswith("some.lock could not be installed: what came is not what some.lock names")


def test_without_a_network_uv_itself_is_missed_in_one_line(tmp_path: Path) -> None:
    done = install(tmp_path, FAR, uv=False)
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert line.startswith("requirements-uv.lock could not be installed: is there a network?")
