"""A service behind the server that it is shipped with, alone on a port, and clients that speak to it byte by byte."""

from __future__ import annotations

import contextlib
import io
import json
import os
import socket
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from http.client import HTTPResponse
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from deploy.process_manager import HERE, web
from deploy.ready import wait_until_ready
from deploy.stack import FOREIGN, free_ports, give_back
from shared.log.migrate import upgrade_database
from shared.log.schema import open_database
from shared.settings import PORT_OFFSETS, Settings, load
from tests.issuing import token_of
from tests.waiting import PATIENCE

HALF_A_HEAD = b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-a: "


class Service:
    """One service with its web processes and without a worker, for as long as a `with` block lasts.

    database: the URL of an empty database; a SQLite file where it is not given. env: variables on top.
    """

    def __init__(self, folder: Path, name: str = "registration", database: str = "", **env: str) -> None:
        around = {key: value for key, value in os.environ.items() if not FOREIGN.fullmatch(key)}
        self.name = name
        self.folder = folder
        self._base = free_ports()
        self.env = {
            **around,
            "MUSTER_SERVICE": name,
            "MUSTER_DATA": str(folder),
            "MUSTER_PORT_BASE": str(self._base),
            "MUSTER_LOG_LEVEL": "warning",
            **({f"{name.upper()}_DATABASE_URL": database} if database else {}),
            **env,
        }
        self.port = int(self.env["MUSTER_PORT_BASE"]) + PORT_OFFSETS[name]
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = folder / "server.log"
        self.process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self.folder.mkdir(parents=True, exist_ok=True)
        database = open_database(self.settings.database_url)
        upgrade_database(database, self.name)
        database.close()
        with self.log.open("ab") as log:
            process = subprocess.Popen(
                web(self.name), cwd=HERE.parent, env=self.env, stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )
        self.process = process
        try:
            wait_until_ready({self.name: self.url}, PATIENCE, lambda: process.poll() is None)
        except BaseException as error:
            self.__exit__(None, None, None)
            raise AssertionError(self.log.read_text()) from error
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self.process is not None
        self.process.terminate()
        try:
            self.process.wait(PATIENCE)
        finally:
            self.process.kill()
            give_back(self._base)

    @property
    def settings(self) -> Settings:
        return load(self.name, self.env)

    def bearer(self, role: str = "operator") -> str:
        return f"Authorization: Bearer {token_of(self.env, role)}"

    def client(self, *, receive_bytes: int = 0) -> Client:
        return Client(self.port, receive_bytes)

    def ask(self, *pieces: bytes | str) -> Answer:
        """Send these bytes on a new connection; the answer to them."""
        with self.client() as client:
            client.send(*pieces)
            return client.answer()


@dataclass(frozen=True)
class Answer:
    """status 0: the connection was closed without one."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


NOTHING = Answer(0, {}, b"")


class _Kept(io.BufferedReader):
    """What comes on a connection: an answer that has been read does not close it, nor take what follows it along."""

    def makefile(self, mode: str) -> Self:
        return self

    def close(self) -> None:
        pass


class Client:
    """One connection. receive_bytes: as small as the system lets the receiving side be."""

    def __init__(self, port: int, receive_bytes: int = 0) -> None:
        self.socket = socket.socket()
        if receive_bytes:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
        self.socket.settimeout(PATIENCE)
        self.socket.connect(("127.0.0.1", port))
        self._file = _Kept(socket.SocketIO(self.socket, "r"))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def send(self, *pieces: bytes | str) -> None:
        self.socket.sendall(b"".join(piece.encode() if isinstance(piece, str) else piece for piece in pieces))

    def end(self) -> None:
        """Say that nothing more comes, and go on listening."""
        self.socket.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        self.socket.close()

    def answer(self, method: str = "GET") -> Answer:
        """The next answer; NOTHING where the server has closed the connection."""
        response = HTTPResponse(self._file, method=method)  # type: ignore[arg-type]
        try:
            response.begin()
        except ConnectionError:
            return NOTHING
        return Answer(response.status, dict(response.headers.items()), response.read())

    def rest(self) -> bytes:
        """Everything until the server closes the connection."""
        found = b""
        with contextlib.suppress(ConnectionResetError):
            while data := self._file.read1(65_536):
                found += data
        return found


def post(
    path: str, body: bytes | str, *headers: str, length: int | None = None, kind: str = "application/json"
) -> bytes:
    """A POST as bytes. length: another Content-Length than the body's own."""
    content = body.encode() if isinstance(body, str) else body
    size = len(content) if length is None else length
    lines = [f"POST {path} HTTP/1.1", "Host: x", f"Content-Type: {kind}", f"Content-Length: {size}", *headers]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + content


def get(path: str, *headers: str, method: str = "GET") -> bytes:
    """A request without a body as bytes."""
    return "\r\n".join([f"{method} {path} HTTP/1.1", "Host: x", *headers]).encode() + b"\r\n\r\n"


def told(answer: Answer, status: int, code: str) -> Any:
    """The members of a problem, which has to be this one."""
    assert answer.status == status, answer
    assert answer.headers["Content-Type"] == "application/problem+json"
    body = answer.json
    assert {"type", "title", "status", "detail", "code", "request_id"} <= body.keys()
    assert (body["type"], body["status"], body["code"]) == (f"/problems/{code}", status, code)
    assert body["request_id"] == answer.headers["X-Request-Id"]
    return body
