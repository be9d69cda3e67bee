"""A configurable receiver of webhooks: answers, fails, hangs, answers slowly or breaks off.

with Receiver() as receiver:
    receiver.url                     its address
    receiver.does = status(500)      its behaviour for all further messages
    receiver.got                     the accepted messages
"""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

Json = dict[str, Any]


class Message(NamedTuple):
    """A received message. path: of the request."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]

    @property
    def said(self) -> Json:
        found: Json = json.loads(self.body)
        return found

    @property
    def type(self) -> str:
        return str(self.said.get("type", ""))


Does = Callable[[BaseHTTPRequestHandler, Message], bool]
"""A behaviour: answers a message, and returns True if it was accepted."""


def agree(request: BaseHTTPRequestHandler, message: Message) -> bool:
    """Accept the message and return its challenge, if any."""
    challenge = message.said.get("data", {}).get("challenge", "") if message.type == "webhook.verification" else ""
    return answer(200, challenge.encode())(request, message)


def answer(status: int, body: bytes = b"", **headers: str) -> Does:
    """Answer with a status."""

    def does(request: BaseHTTPRequestHandler, message: Message) -> bool:
        request.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            request.send_header(name.replace("_", "-"), value)
        request.end_headers()
        request.wfile.write(body)
        return 200 <= status < 300

    return does


def hang(request: BaseHTTPRequestHandler, message: Message) -> bool:
    """Do not answer until the client gives up."""
    request.connection.settimeout(60)
    request.connection.recv(1)
    return False


def drip(request: BaseHTTPRequestHandler, message: Message) -> bool:
    """Answer byte by byte, for longer than a client should wait."""
    request.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 10000\r\n\r\n")
    for _ in range(10_000):
        request.wfile.write(b".")
        request.wfile.flush()
        time.sleep(0.05)  # noqa: TID251 - a slow receiver
    return True


def slow(seconds: float) -> Does:
    """Accept the message after a delay."""

    def does(request: BaseHTTPRequestHandler, message: Message) -> bool:
        time.sleep(seconds)  # noqa: TID251 - a slow receiver
        return agree(request, message)

    return does


def break_off(request: BaseHTTPRequestHandler, message: Message) -> bool:
    """Announce a longer body than is sent."""
    request.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
    request.wfile.flush()
    request.connection.shutdown(socket.SHUT_RDWR)
    return False


class Receiver:
    """An HTTP server on 127.0.0.1. does: its behaviour. verifies: accept verifications in any case."""

    def __init__(self, port: int = 0) -> None:
        self.does: Does = agree
        self.verifies = True
        self.got: list[Message] = []
        self.came: list[Message] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            # Answer only after recording, so that tests find the message as soon as the client has the answer.
            wbufsize = -1

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                headers = {name.lower(): value for name, value in self.headers.items()}
                outer.take(self, Message(self.path, headers, body))

            def log_message(self, *_: Any) -> None:
                """Do not log requests."""

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 128

            def handle_error(self, *_: Any) -> None:
                """Ignore connections that break off."""

        self._server = Server(("127.0.0.1", port), Handler)
        self.port = self._server.server_port
        self.url = f"http://127.0.0.1:{self.port}/hook"
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)

    def take(self, request: BaseHTTPRequestHandler, message: Message) -> None:
        self.came.append(message)
        verifying = self.verifies and message.type == "webhook.verification"
        if (agree if verifying else self.does)(request, message):
            self.got.append(message)

    @property
    def events(self) -> list[Message]:
        """The accepted messages about events."""
        return [message for message in self.got if not message.type.startswith("webhook.")]

    @property
    def ids(self) -> list[str]:
        return [message.id for message in self.events]

    def __enter__(self) -> Receiver:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
