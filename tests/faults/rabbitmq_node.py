"""A RabbitMQ server of one's own, to be stopped, killed, frozen and emptied without disturbing anybody.

    with RabbitNode(folder, binary) as node:
        kombu.Connection(node.url)
        node.kill()
        node.start()           # the same node on the same data

Ports, cookie, data, port mapper (epmd) and logs are its own; it listens on 127.0.0.1 alone.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

import kombu
from kombu.exceptions import KombuError

from deploy.stack import free_ports
from tests.waiting import until

STOP_SECONDS = 30.0
# What the surroundings say about another RabbitMQ says nothing about this one.
FOREIGN = ("RABBITMQ_", "ERL_", "RELEASE_")


class NodeFailed(Exception):
    """The node did not start or stop; the text ends with its last output."""


class RabbitNode:
    """One node, started on entering, gone on leaving. folder: an existing one. binary: rabbitmq-server itself.

    address: where it listens. inside: what to put before its commands, to run it on another host (network.py).
    settings: lines of its rabbitmq.conf. user: name and password of somebody whom it lets in.
    """

    def __init__(
        self,
        folder: Path,
        binary: str,
        *,
        address: str = "127.0.0.1",
        inside: Sequence[str] = (),
        settings: str = "",
        user: str = "guest:guest",
    ) -> None:
        self._inside = tuple(inside)
        self._binary = binary
        self._log = folder / "output"
        self._data = folder / "data"
        self.port = port = free_ports(3)
        self._mapper_port = port + 2
        self.url = f"amqp://{user}@{address}:{port}//"
        around = {name: value for name, value in os.environ.items() if not name.startswith(FOREIGN)}
        (folder / "rabbitmq.conf").write_text("loopback_users = none\n" + settings)
        (folder / "rabbitmq-env.conf").write_text("")
        (folder / "plugins").write_text("[].\n")
        cookie = folder / ".erlang.cookie"
        cookie.write_text(secrets.token_hex(16))
        cookie.chmod(0o400)
        self._env = {
            **around,
            "HOME": str(folder),
            "ERL_EPMD_ADDRESS": "127.0.0.1",
            "ERL_EPMD_PORT": str(self._mapper_port),
            "RABBITMQ_NODENAME": f"muster-{secrets.token_hex(4)}@localhost",
            "RABBITMQ_NODE_IP_ADDRESS": address,
            "RABBITMQ_NODE_PORT": str(port),
            "RABBITMQ_DIST_PORT": str(port + 1),
            "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS": "-kernel inet_dist_use_interface {127,0,0,1}",
            "RABBITMQ_CONFIG_FILE": str(folder / "rabbitmq.conf"),
            "RABBITMQ_CONF_ENV_FILE": str(folder / "rabbitmq-env.conf"),
            "RABBITMQ_ENABLED_PLUGINS_FILE": str(folder / "plugins"),
            "RABBITMQ_MNESIA_BASE": str(self._data),
            "RABBITMQ_LOG_BASE": str(folder / "logs"),
            "RABBITMQ_PID_FILE": str(folder / "pid"),
        }
        self._mapper: subprocess.Popen[bytes] | None = None
        self._server: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        try:
            self.start()
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.kill()
        if self._mapper is not None:
            self._end(self._mapper)

    def start(self) -> None:
        """Start the node, with what it had on disk, and wait until it takes connections."""
        if self._mapper is None:
            epmd = shutil.which("epmd")
            if epmd is None:
                raise NodeFailed("no epmd on PATH; it comes with Erlang")
            self._mapper = self._run(epmd, "-port", str(self._mapper_port), "-address", "127.0.0.1")
        self._server = self._run(self._binary)
        server = self._server
        until(lambda: self._answers() or server.poll() is not None, lambda: self._failed("the node did not start"))
        if server.poll() is not None:
            raise self._failed("the node did not start")

    def stop(self) -> None:
        """Stop the node in order; its data stay."""
        server, self._server = self._server, None
        if server is None:
            return
        server.terminate()
        try:
            server.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            raise self._failed("the node did not stop") from None
        finally:
            self._end(server)

    def kill(self) -> None:
        """SIGKILL, as when its machine goes; its data stay as they are on disk."""
        server, self._server = self._server, None
        if server is not None:
            self._end(server)

    def wipe(self) -> None:
        """Remove everything that a node which does not run has on disk: queues, exchanges, messages."""
        assert self._server is None, "the node runs"
        shutil.rmtree(self._data)

    def freeze(self) -> None:
        """SIGSTOP: connections stay open and nothing answers any more."""
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """SIGCONT after `freeze`."""
        self._signal(signal.SIGCONT)

    def _signal(self, number: int) -> None:
        assert self._server is not None, "the node does not run"
        os.killpg(self._server.pid, number)

    def _run(self, *command: str) -> subprocess.Popen[bytes]:
        with self._log.open("ab") as log:
            return subprocess.Popen(
                (*self._inside, *command),
                env=self._env,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def _end(self, process: subprocess.Popen[bytes]) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def _answers(self) -> bool:
        with (
            contextlib.suppress(OSError, KombuError),
            kombu.Connection(self.url, connect_timeout=2) as connection,
        ):
            connection.ensure_connection(max_retries=1, interval_start=0)  # its own pause would be two seconds
            return True
        return False

    def _failed(self, what: str) -> NodeFailed:
        return NodeFailed(f"{what}\n{self._log.read_text(errors='replace')[-3000:]}")
