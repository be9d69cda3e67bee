"""gunicorn with the product's own configuration, in front of scoring or of something to compare it with."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from bench.processes import children_of, processor_ms, resident_mb
from deploy.operator import issuer_of
from deploy.ports import free_ports
from deploy.programs import HERE, web
from deploy.ready import wait_until_ready
from deploy.server.own_ports import own_ports
from deploy.stack import FOREIGN
from shared.secret_keys import TICKETS
from shared.settings import MOST_BY_ITSELF, PORT_OFFSETS, PORT_STEP, Settings, load
from shared.web.tokens import Issuer

READY_SECONDS = 120.0
STOP_SECONDS = 20.0
STEP = len(PORT_OFFSETS)
"""Between the port of a service and those of its processes, as an edge reaches them."""
BARE = (
    *(sys.executable, "-m", "gunicorn", "--config", str(HERE / "gunicorn.conf.py")),
    "bench.bare_app:build()",
)
SCORING = web("scoring")


class Server:
    """One gunicorn, from entering a `with` block to leaving it.

    folder: for its data and its output. env: variables on top of the defaults.
    """

    def __init__(self, command: Sequence[str], url: str, folder: Path, env: Mapping[str, str] | None = None) -> None:
        around = {name: value for name, value in os.environ.items() if not FOREIGN.fullmatch(name)}
        base = free_ports(STEP * (1 + MOST_BY_ITSELF))
        self._env = {
            **around,
            "MUSTER_SERVICE": "scoring",
            "MUSTER_DATA": str(folder),
            "MUSTER_PORT_BASE": str(base),
            PORT_STEP: str(STEP),
            "MUSTER_LOG_FORMAT": "json",
            "SCORING_DATABASE_URL": url,
            **(env or {}),
        }
        self._command = command
        self._output = folder / "server.log"
        self._process: subprocess.Popen[bytes] | None = None
        self.port = base + PORT_OFFSETS["scoring"]

    def __enter__(self) -> Self:
        with self._output.open("ab") as output:
            process = subprocess.Popen(
                self._command, cwd=HERE.parent, env=self._env, stdout=output, stderr=output, stdin=subprocess.DEVNULL
            )
        self._process = process
        try:
            url = f"http://127.0.0.1:{self.port}"
            wait_until_ready({"server": url}, READY_SECONDS, lambda: process.poll() is None)
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._process is not None
        self._process.terminate()
        try:
            self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()

    def processor_ms(self) -> float:
        """Milliseconds of processor time that the web processes have taken so far."""
        return processor_ms(self._children())

    def resident_mb(self) -> float:
        """Megabytes that the web processes have in memory, what they share counted for each."""
        return resident_mb(self._children())

    def _children(self) -> list[str]:
        assert self._process is not None
        return children_of(self._process.pid)

    @property
    def homes(self) -> list[int]:
        """The port of each web process, to which an edge sends the commands of the tournaments that have it as home."""
        return own_ports(self.settings)

    @property
    def issuer(self) -> Issuer:
        """Who signs for whoever runs it."""
        return issuer_of(self._env)

    @property
    def tickets(self) -> Issuer:
        """Who signs for players, as registration does."""
        return tickets_of(self._env)

    @property
    def settings(self) -> Settings:
        """What it runs with."""
        return load("scoring", self._env)


def tickets_of(env: Mapping[str, str]) -> Issuer:
    """Who signs the links of players in the installation that an environment describes: registration, by its key."""
    return Issuer(TICKETS, load("registration", env).ticket_keys[0])
