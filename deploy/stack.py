"""A complete Muster on free ports for the length of a `with` block: for the demo, tests and benchmarks."""

from __future__ import annotations

import contextlib
import fcntl
import os
import random
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Self

from deploy.checks import port_faults
from deploy.process_manager import PARENT, PROGRAMS
from deploy.ready import NotReady, wait_until_ready
from muster_client import Muster
from shared import roles
from shared.environment import make_private_folder
from shared.keys import INSTALLATION
from shared.settings import PORT_OFFSETS, SERVICES, Settings, installation_keys, load
from shared.web import tokens
from shared.web.tokens import Issuer

PORTS = range(61_000, 65_000, 10)
"""Bases to choose from: above the ports that Linux gives to outgoing connections, where hardly any program listens;
below the highest MUSTER_PORT_BASE."""
TRIES = 500

_reserved: dict[int, int] = {}
"""Base -> number of ports that this process has reserved; record locks keep only other processes out."""


class NoFreePorts(Exception):
    """Every port that was tried is in use."""


def free_ports(count: int = len(PORT_OFFSETS)) -> int:
    """Return the first of `count` free ports in a row. They stay reserved until `give_back` or the end of the process.

    A reservation is a lock on the bytes of one file with the same numbers as the ports.
    """
    for _ in range(TRIES):
        base = random.choice(PORTS)
        if base + count > PORTS.stop or any(base < b + n and b < base + count for b, n in _reserved.items()):
            continue
        try:
            fcntl.lockf(_lock_file(), fcntl.LOCK_EX | fcntl.LOCK_NB, count, base)
        except OSError:
            continue
        if _are_free(base, count):
            _reserved[base] = count
            return base
        fcntl.lockf(_lock_file(), fcntl.LOCK_UN, count, base)
    raise NoFreePorts(f"no {count} free ports in a row found between {PORTS.start} and {PORTS.stop}")


def give_back(base: int) -> None:
    """End the reservation of the ports from this base on; do nothing if they are not reserved."""
    if count := _reserved.pop(base, 0):
        fcntl.lockf(_lock_file(), fcntl.LOCK_UN, count, base)


@cache
def _lock_file() -> int:
    """Return the descriptor of the lock file. It stays open: closing it would end every reservation."""
    path = Path(tempfile.gettempdir(), f"muster-ports-{os.getuid()}")
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)


def _are_free(base: int, count: int) -> bool:
    with contextlib.ExitStack() as held:
        for port in range(base, base + count):
            try:
                held.enter_context(socket.socket()).bind(("127.0.0.1", port))
            except OSError:
                return False
    return True


PATIENCE = 60.0
"""Seconds; services are killed here on purpose, and come back."""


def issuer_of(env: Mapping[str, str]) -> Issuer:
    """Return the issuer that signs for the installation of an environment. Raises BadSettings."""
    return Issuer(INSTALLATION, installation_keys(env)[0])


def operator(urls: Mapping[str, str], issuer: Issuer, seconds: int = 86_400) -> Muster:
    """Return a client with an operator's token, valid for `seconds`. issuer: the installation's token issuer."""
    now = int(time.time())
    token = tokens.mint(
        issuer,
        actor="operator",
        role=roles.OPERATOR,
        tournament=roles.EVERY_TOURNAMENT,
        jti=f"operator-{secrets.token_hex(8)}",
        iat=now,
        exp=now + seconds,
    )
    return Muster(urls, token, patience=PATIENCE, known=SERVICES)


RUN = (sys.executable, "-m", "deploy.run")
ROOT = Path(__file__).parents[1]
PROGRAM = re.compile(r"services\.(\w+)\.wsgi|\[muster-(\w+)\]")
"""The name of a program in its command, and in what gunicorn calls itself later."""
READY_SECONDS = 180.0
RESTART_SECONDS = 120.0
STOP_SECONDS = 30.0
# What the surroundings say about another Muster says nothing about this one.
FOREIGN = re.compile(
    r"MUSTER_.*|DEMO|PROMETHEUS_.*|(BROKER_(URL|PASSWORD)|.*_DATABASE_(URL|PASSWORD))(_FILE)?"
    r"|(REGISTRATION|PAIRING|SCORING)_(URL|SIGNING_KEY)(_FILE)?"
)


class StackFailed(Exception):
    """The stack did not start, restart or stop; the text ends with its last output."""


class Stack:
    """Every service and worker of Muster, started on entering, stopped on leaving.

    data_dir: folder for data and `stack.log`, which is kept; by default a temporary folder, which is removed.
    port_base: as MUSTER_PORT_BASE; by default free ports are used.
    env: variables such as PAIRING_DATABASE_URL or BROKER_URL; MUSTER_CONSOLE=1 also starts the web console. They are
    added to the current environment without its own variables of Muster.
    """

    def __init__(
        self,
        data_dir: Path | None = None,
        port_base: int | None = None,
        env: Mapping[str, str] | None = None,
        *,
        command: Sequence[str] = RUN,
    ) -> None:
        self._own_folder = data_dir is None
        self.data = Path(tempfile.mkdtemp(prefix="muster-")) if data_dir is None else data_dir.absolute()
        self.port_base = port_base or free_ports()
        around = {name: value for name, value in os.environ.items() if not FOREIGN.fullmatch(name)}
        self.env: dict[str, str] = {
            **around,
            "DEMO": "0",
            "MUSTER_CONSOLE": "0",
            **(env or {}),
            "MUSTER_DATA": str(self.data),
            "MUSTER_PORT_BASE": str(self.port_base),
            PARENT: str(os.getpid()),
        }
        self.urls = {name: f"http://127.0.0.1:{self.port_base + PORT_OFFSETS[name]}" for name in SERVICES}
        self.log = self.data / "stack.log"
        self._command = tuple(command)
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        try:
            self.start()
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
        give_back(self.port_base)
        if self._own_folder:
            shutil.rmtree(self.data, ignore_errors=True)

    @property
    def issuer(self) -> Issuer:
        """Return the issuer that signs with the installation's key."""
        return issuer_of(self.env)

    def start(self, unready: Collection[str] = ()) -> None:
        """Start everything and wait until it is ready. After `stop` or `kill_all`, the data are the same.

        unready: services that need not become ready; any answer from them is enough.
        """
        if self._process is not None:
            raise StackFailed("the stack runs already")
        make_private_folder(self.data)
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                self._command, cwd=ROOT, env=self.env, stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )
        process = self._process
        try:
            wait_until_ready(self.urls, READY_SECONDS, lambda: process.poll() is None, unready)
        except NotReady as error:
            raise self._failed(f"not ready: {error}") from error
        # The first web process may answer before the last worker has begun.
        self._wait(lambda: PROGRAMS.keys() <= self.pids().keys(), RESTART_SECONDS, "not everything was started")

    def stop(self) -> None:
        """Stop everything in order; do nothing if nothing runs."""
        process, self._process = self._process, None
        if process is None:
            return
        process.terminate()
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            raise self._failed(f"did not stop within {STOP_SECONDS:g} seconds") from None

    def kill_all(self) -> None:
        """Kill every process at the same moment, as in a power failure. `start` restarts them."""
        groups = [pid for name, pid in self.pids().items() if name != "supervisor"]
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        for group in groups:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(group, signal.SIGKILL)
        process.wait()
        self._wait(lambda: not port_faults(self.port_base, "127.0.0.1"), STOP_SECONDS, "the ports are not free")

    def kill(self, name: str, number: int = signal.SIGKILL, *, wait: bool = True) -> None:
        """Send a signal to one process. By default, wait until a new process has replaced it and is ready.

        name: one of deploy.process_manager.PROGRAMS, such as "scoring".
        A SIGKILL goes to the whole process group, so gunicorn's workers die as well.
        Raises KeyError if no such process runs, StackFailed if it is not replaced.
        """
        before = self.pids()[name]
        if number == signal.SIGKILL:
            os.killpg(before, number)
        else:
            os.kill(before, number)
        if wait:
            self.wait_for_restart(name, before)

    def wait_for_restart(self, name: str, before: int) -> None:
        """Wait until a process other than `before` runs under this name and is ready.

        Raises StackFailed if that takes too long.
        """
        self._wait(lambda: self.pids().get(name, before) != before, RESTART_SECONDS, f"{name} did not come back")
        if name in self.urls:
            try:
                wait_until_ready({name: self.urls[name]}, RESTART_SECONDS)
            except NotReady as error:
                raise self._failed(f"{name} did not become ready again: {error}") from error

    def pids(self) -> dict[str, int]:
        """Return the process id of the process manager (`supervisor`) and of every running program, by name."""
        if self._process is None:
            return {}
        found = {"supervisor": self._process.pid}
        listed = subprocess.run(("ps", "-Aww", "-o", "pid=,ppid=,args="), capture_output=True, text=True, check=True)
        for line in listed.stdout.splitlines():
            pid, parent, args = line.split(None, 2)
            if int(parent) == self._process.pid and (name := PROGRAM.search(args)):
                found[name[1] or name[2]] = int(pid)
        return found

    def settings(self, service: str) -> Settings:
        """Return the settings of a service of this stack: its database, token keys, peers."""
        return load(service, self.env)

    def output(self, lines: int = 40) -> str:
        """Return the last lines of the stack's output."""
        text = self.log.read_text(errors="replace") if self.log.exists() else ""
        return "\n".join(text.splitlines()[-lines:])

    def _wait(self, done: Callable[[], bool], seconds: float, otherwise: str) -> None:
        deadline, pause = time.monotonic() + seconds, 0.02
        while not done():
            if time.monotonic() > deadline:
                raise self._failed(f"{otherwise} within {seconds:g} seconds")
            time.sleep(pause)
            # `ps` takes the processor from the programs that are starting.
            pause = min(pause * 1.5, 0.25)

    def _failed(self, what: str) -> StackFailed:
        return StackFailed(f"{what}\n--- the end of {self.log}:\n{self.output()}")
