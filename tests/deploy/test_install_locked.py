"""uv uses the mirrors and certificates of pip, and a failed installation ends in one line for a person."""

from __future__ import annotations

import hashlib
import http.server
import os
import ssl
import subprocess
import sys
import threading
import zipfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pip
import pytest

from deploy.install_locked import REQUESTS, environment, environment_of_pip, has_system_certificates, variables_for_uv
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
    assert variables_for_uv(LISTED) == {
        "UV_FIND_LINKS": "/opt/wheels",
        "UV_INDEX": "https://one.example/simple https://two.example/simple",
        "UV_DEFAULT_INDEX": "https://mirror.example/simple",
    }
    assert variables_for_uv("") == {}


def test_what_uv_was_told_itself_goes_before() -> None:
    env = environment({"UV_DEFAULT_INDEX": "https://own.example", "PIP_CERT": "/ca.crt", "HOME": "/h"}, LISTED)
    assert (env["UV_DEFAULT_INDEX"], env["SSL_CERT_FILE"], env["HOME"]) == ("https://own.example", "/ca.crt", "/h")
    assert env["UV_INDEX_STRATEGY"] == "unsafe-best-match"


@pytest.mark.parametrize(
    ("env", "listed", "handed_on"),
    [
        ({}, "global.cert='/pip.crt'", {"SSL_CERT_FILE": "/pip.crt"}),
        ({"PIP_CERT": "/own.crt"}, "global.cert='/pip.crt'", {"SSL_CERT_FILE": "/own.crt"}),
        ({"REQUESTS_CA_BUNDLE": "/requests.crt"}, "", {"SSL_CERT_FILE": "/requests.crt"}),
        ({"CURL_CA_BUNDLE": "/etc"}, "", {"SSL_CERT_DIR": "/etc"}),
        ({"SSL_CERT_FILE": "/uv.crt"}, "global.cert='/pip.crt'", {"SSL_CERT_FILE": "/uv.crt"}),
        ({}, "global.client-cert='/me.crt'", {"UV_SYSTEM_CERTS": "true"} if has_system_certificates() else {}),
    ],
)
def test_uv_trusts_the_certificates_that_pip_trusts(
    env: dict[str, str], listed: str, handed_on: dict[str, str]
) -> None:
    made = environment(env, listed)
    names = ("SSL_CERT_FILE", "SSL_CERT_DIR", "UV_SYSTEM_CERTS")
    assert {name: made[name] for name in names if name in made} == handed_on


def test_pip_gets_the_certificates_of_uv_only_if_it_has_none() -> None:
    assert environment_of_pip({"SSL_CERT_FILE": "/uv.crt"}, "")["PIP_CERT"] == "/uv.crt"
    assert "PIP_CERT" not in environment_of_pip({"SSL_CERT_FILE": "/uv.crt"}, "global.cert='/pip.crt'")
    assert environment_of_pip({"HOME": "/h"}, "") == {"HOME": "/h"}


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


def install(folder: Path, lock: str, *, uv: bool = True, **more: str) -> subprocess.CompletedProcess[str]:
    """Install a lock of this text into an environment of its own, where nothing can be fetched.

    more: variables of its environment.
    """
    (folder / "some.lock").write_text(lock)
    run_program([sys.executable, "-m", "venv", *(["--without-pip"] if uv else []), str(folder / "venv")], check=True)
    if uv:
        (folder / "venv/bin/uv").symlink_to(Path(sys.executable).with_name("uv"))
    around = {name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "UV_"))}
    env = {**around, **NOWHERE, "UV_CACHE_DIR": str(folder / "cache"), "PYTHONPATH": str(ROOT), **more}
    command = [str(folder / "venv/bin/python"), "-m", "deploy.install_locked", "some.lock"]
    return run_program(command, cwd=folder, env=env, capture_output=True, text=True)


def wheel_of_nothing(folder: Path) -> Path:
    """Write a wheel called mdurl that holds no module."""
    folder.mkdir(parents=True)
    wheel = folder / "mdurl-0.1.2-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as forged:
        forged.writestr("mdurl-0.1.2.dist-info/METADATA", "Metadata-Version: 2.1\nName: mdurl\nVersion: 0.1.2\n")
        forged.writestr("mdurl-0.1.2.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        forged.writestr("mdurl-0.1.2.dist-info/RECORD", "")
    return wheel


@pytest.fixture
def private_mirror(tmp_path: Path) -> Iterator[tuple[str, Path, str]]:
    """Serve a package index by HTTPS; yield its address, the certificate of its authority and a lock of its package."""
    new_key = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2"
    made = (
        f"{new_key} -subj /CN=authority -keyout ca.key -out ca.crt",
        f"{new_key} -subj /CN=localhost -addext subjectAltName=DNS:localhost -addext basicConstraints=CA:FALSE "
        "-CA ca.crt -CAkey ca.key -keyout mirror.key -out mirror.crt",
    )
    for command in made:
        run_program(command.split(), cwd=tmp_path, check=True, capture_output=True)
    wheel = wheel_of_nothing(tmp_path / "mirror/simple/mdurl")
    (wheel.parent / "index.html").write_text(f'<a href="{wheel.name}">{wheel.name}</a>')
    handler = partial(http.server.SimpleHTTPRequestHandler, directory=str(tmp_path / "mirror"))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "mirror.crt", tmp_path / "mirror.key")
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.socket = context.wrap_socket(server.socket, server_side=True)
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
        lock = f"mdurl==0.1.2 --hash=sha256:{digest}\n"
        yield f"https://localhost:{server.server_port}/simple", tmp_path / "ca.crt", lock
        server.shutdown()
        thread.join()


@pytest.mark.parametrize("known", [True, False])
def test_a_mirror_whose_certificate_pip_knows_from_its_configuration(
    private_mirror: tuple[str, Path, str], tmp_path: Path, known: bool
) -> None:
    address, authority, lock = private_mirror
    (tmp_path / "pip.conf").write_text(f"[global]\nindex-url = {address}\n" + f"cert = {authority}\n" * known)
    (tmp_path / "with-pip").mkdir()
    (tmp_path / "with-pip/pip").symlink_to(Path(pip.__file__).parent)
    # What this machine itself knows of mirrors and certificates does not count here.
    unset = dict.fromkeys(("PIP_INDEX_URL", "UV_DEFAULT_INDEX", "SSL_CERT_FILE", "SSL_CERT_DIR", *REQUESTS), "")
    given = {"PIP_CONFIG_FILE": str(tmp_path / "pip.conf"), "PYTHONPATH": f"{ROOT}:{tmp_path}/with-pip"}
    done = install(tmp_path, lock, **unset, **given)
    if known:
        assert done.returncode == 0, done.stderr
    else:
        assert done.returncode == 2
        assert "set PIP_CERT to the file of its authority" in done.stderr


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
    wheel = wheel_of_nothing(tmp_path / "wheels").parent
    done = install(tmp_path, f"--no-index\n--find-links {wheel}\n{FAR}")
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert line.startswith("some.lock could not be installed: what came is not what some.lock names")


def test_without_a_network_uv_itself_is_missed_in_one_line(tmp_path: Path) -> None:
    done = install(tmp_path, FAR, uv=False)
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert line.startswith("requirements-uv.lock could not be installed: is there a network?")
