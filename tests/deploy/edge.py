"""nginx as the edge, started by the container's own script in front of services, with a certificate made here."""

from __future__ import annotations

import os
import shutil
import socket
import ssl
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from deploy.stack import free_ports
from tests.programs import run_program
from tests.waiting import until

SCRIPT = Path(__file__).parents[2] / "deploy/edge/start.sh"
NOBODY = 65534


def program() -> str | None:
    """nginx, also where only root's PATH leads to it."""
    return shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")


@dataclass(frozen=True)
class RunningEdge:
    """url: as people write it. plain: port without TLS. certificate: to be believed. log: what nginx wrote."""

    url: str
    plain: int
    certificate: Path
    log: Path

    @property
    def tls(self) -> ssl.SSLContext:
        return ssl.create_default_context(cafile=str(self.certificate))


def make_certificate(folder: Path) -> tuple[Path, Path]:
    """A certificate for this machine and its key, by the command that docs/how-to/install.md gives."""
    page = (SCRIPT.parents[2] / "docs/how-to/install.md").read_text()
    command = page.partition("openssl req")[2].partition("\n```")[0]
    command = f"openssl req{command}".replace("muster.example", "localhost").replace("secrets/", f"{folder}/")
    run_program(["sh", "-euc", command], check=True, capture_output=True)
    return folder / "edge_certificate", folder / "edge_certificate_key"


@contextmanager
def edge_of(ports: Mapping[str, int | Sequence[int]], address: int) -> Iterator[RunningEdge]:
    """Run the edge as somebody without rights.

    ports: of each service, or of each of its processes. address: the first of two free ports.
    """
    folder = Path(tempfile.mkdtemp(prefix="muster-edge-"))
    log = folder / "log"
    certificate, key = make_certificate(folder)
    log.touch()
    url = f"https://localhost:{address}"
    env = {
        "PATH": f"{os.environ['PATH']}:/usr/sbin",
        "MUSTER_PUBLIC_URL": url,
        "EDGE_FOLDER": str(folder / "run"),
        "EDGE_CERTIFICATE": str(certificate),
        "EDGE_CERTIFICATE_KEY": str(key),
        "EDGE_HTTPS_PORT": str(address),
        "EDGE_HTTP_PORT": str(address + 1),
        **{f"EDGE_{name.upper()}": _addresses(found) for name, found in ports.items()},
    }
    user: dict[str, int] = {}
    if os.geteuid() == 0:
        user = {"user": NOBODY, "group": NOBODY}
        for path in (folder, *folder.iterdir()):
            os.chown(path, NOBODY, NOBODY)
    with log.open("ab") as out:
        process = subprocess.Popen(
            ["sh", str(SCRIPT)], env=env, stdin=subprocess.DEVNULL, stdout=out, stderr=out, **user
        )
    try:
        until(lambda: _listens(address) or process.poll() is not None, log.read_text)
        assert process.poll() is None, log.read_text()
        yield RunningEdge(url, address + 1, certificate, log)
    finally:
        process.terminate()
        process.wait()
        shutil.rmtree(folder)


def _addresses(ports: int | Sequence[int]) -> str:
    every = [ports] if isinstance(ports, int) else ports
    return " ".join(f"127.0.0.1:{port}" for port in every)


def two_ports() -> int:
    """The first of two free ports in a row."""
    return free_ports(2)


def _listens(port: int) -> bool:
    with socket.socket() as tried:
        return tried.connect_ex(("127.0.0.1", port)) == 0
