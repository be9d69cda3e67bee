"""A gunicorn worker that gives a thread only to a request that is whole, and takes the answer back to send it.

One loop accepts, reads and sends for every connection of the process; gunicorn's own threads answer. So a client that
sends or reads slowly costs memory and no thread. Parser, environment, access log, heartbeat and signals are gunicorn's.
"""

from __future__ import annotations

import errno
import selectors
import socket
from functools import partial
from time import monotonic
from typing import Any

from gunicorn.workers.gthread import STOP_KEEPALIVE_LINGER, ThreadWorker  # type: ignore[import-untyped]

from deploy.server.connection import Connection, State
from deploy.server.limits import LINGER_SECONDS, READ_BYTES, SEND_BUFFER_BYTES, Limits, within_open_files
from deploy.server.outgoing import quietly_shut
from deploy.server.refusals import RequestRefused, answer_of
from deploy.server.streams import StreamLoop, taken_out
from deploy.server.tls import context_of, moved_to, wrapped
from shared.web.streams import Stream

READ, WRITE = selectors.EVENT_READ, selectors.EVENT_WRITE
LOOK_SECONDS = 1.0
"""Between two looks at deadlines, at the heartbeat and at the parent process."""
ACCEPTED_AT_ONCE = 64
STOP_SECONDS = 5.0
"""For requests and answers that are under way when the worker is told to stop."""
TOO_SLOW = "The request was not whole after {:g} seconds."
NO_ROOM = "Too many connections wait here; this one was the oldest whose request was not whole."


class Worker(ThreadWorker):  # type: ignore[misc]
    """gunicorn's threaded worker with a loop of its own.

    Set by a subclass, for gunicorn makes the instance: limits; address, with TLS, to which clients are led that speak
    without it.
    """

    limits = Limits()
    address = ""
    alive: bool

    def init_process(self) -> None:
        """Called by gunicorn in the new process; returns when the worker has stopped."""
        self.limits = within_open_files(self.limits)
        self.connections: set[Connection] = set()
        self.streams = StreamLoop(self.limits)
        self.tls = context_of(self.cfg)
        self.moved = moved_to(self.address) if self.address else b""
        # It would have a thread wait for the client; what is sent has to pass through `Outgoing`.
        self.cfg.set("sendfile", False)
        for listener in self.sockets:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)  # inherited when accepting
        super().init_process()

    def load_wsgi(self) -> None:
        """Called by gunicorn; streams are taken out of what the application answers."""
        super().load_wsgi()
        self.wsgi: Any = taken_out(self.app.wsgi(), self.streams)

    def run(self) -> None:
        """Serve until told to stop; then finish what is under way."""
        self.poller.register(self.method_queue.fileno(), READ, self.method_queue.run_callbacks)
        self.set_accept_enabled(True)
        looked = 0.0
        while self.alive:
            self.wait_for_and_dispatch_events(LOOK_SECONDS)
            if monotonic() - looked >= LOOK_SECONDS:
                looked = monotonic()
                self.notify()
                if not self.is_parent_alive():
                    self.alive = False  # so that connections which peers keep using are closed after an answer
                    break
                self.end_overdue()
                self.set_accept_enabled(True)
        self.finish()

    @property
    def idle_seconds(self) -> float:
        """How long a client that was promised `keep-alive` may use it; who is told to stop keeps that promise, too."""
        return self.limits.idle_seconds if self.alive else STOP_KEEPALIVE_LINGER

    def finish(self) -> None:
        """Take no new connections, let those under way end, and close."""
        self.set_accept_enabled(False)
        for listener in self.sockets:  # the master has them, too; if it is dead, the next one needs the port now
            listener.close()
        self.streams.stop()
        now = monotonic()
        last = now + self.cfg.graceful_timeout
        for connection in self.connections:
            seconds = STOP_KEEPALIVE_LINGER if not connection.incoming.begun else STOP_SECONDS
            connection.deadline = min(connection.deadline, now + seconds)
        while self.connections and monotonic() < last:
            self.notify()
            self.wait_for_and_dispatch_events(0.1)
            self.end_overdue()
        self.tpool.shutdown(wait=False)
        for connection in self.connections:
            connection.close()
        self.poller.close()
        self.method_queue.close()

    def accept(self, listener: socket.socket) -> None:
        """Take new connections; with too many, those go that have been without a whole request for longest."""
        for _ in range(ACCEPTED_AT_ONCE):
            try:
                accepted, client = listener.accept()
            except OSError as error:
                if error.errno in (errno.EMFILE, errno.ENFILE) and not self.close_oldest():
                    self.set_accept_enabled(False)  # until the next look
                elif error.errno not in (errno.EAGAIN, errno.ECONNABORTED, errno.EMFILE, errno.ENFILE):
                    raise
                return
            if len(self.connections) >= self.limits.connections and not self.close_oldest():
                accepted.close()
                continue
            if self.tls is not None:
                try:
                    accepted = wrapped(accepted, self.tls, self.moved)
                except OSError:  # gone already
                    accepted.close()
                    continue
            connection = Connection(self.cfg, accepted, client, listener.getsockname(), self.limits)
            self.connections.add(connection)
            self.watch(connection, READ)
            self.ready(connection)

    def ready(self, connection: Connection, _: Any = None) -> None:
        """A socket can be read from, or written to."""
        if connection.state is State.SENDING:
            if connection.sock.push():
                self.sent(connection)
            return
        try:
            data = connection.socket.recv(READ_BYTES)
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            data = b""
            connection.sock.broken = True
        if connection.state is State.LINGERING:
            if not data:
                self.drop(connection)
            return
        with connection.lock:
            if data:
                connection.incoming.buffer += data
            else:
                connection.ended = True
            if connection.state is State.ANSWERED:
                if connection.ended or len(connection.incoming.buffer) > READ_BYTES:
                    self.watch(connection, 0)
                return
        self.advance(connection)

    def advance(self, connection: Connection) -> None:
        """Hand a whole request to a thread, refuse what cannot become one, wait for the rest of any other."""
        incoming = connection.incoming
        if connection.sock.broken or (connection.ended and not incoming.begun):
            self.drop(connection)
            return
        was_in_body = incoming.in_body
        try:
            request = incoming.take()
            if request is None and connection.ended:
                raise incoming.cut_short()
        except RequestRefused as refusal:
            self.refuse(connection, refusal)
            return
        if request is not None:
            connection.request = request
            connection.state = State.ANSWERED
            self.tpool.submit(self.answer, connection)
            return
        if incoming.in_body and not was_in_body:
            connection.become(State.BODY, self.limits.body_seconds)
        elif connection.state is State.IDLE and incoming.begun:
            connection.become(State.HEAD, self.limits.head_seconds)
        if incoming.expects_continue():
            connection.sock.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
            connection.sock.push()
        if incoming.held > READ_BYTES:
            self.make_room()

    def answer(self, connection: Connection) -> None:
        """In a thread: answer the request at hand, and send as much of the answer as the client takes now."""
        try:
            keep = bool(self.handle_request(connection.request, connection))
        except Exception as error:
            keep = False
            self.failed(connection, error)
        all_sent = connection.sock.push()
        with connection.lock:
            connection.request = None
            connection.keep = keep
            if keep and all_sent and not connection.ended and not connection.incoming.begun:
                connection.become(State.IDLE, self.idle_seconds)
                return
        self.method_queue.defer(self.answered, connection)

    def failed(self, connection: Connection, error: Exception) -> None:
        """The application or gunicorn raised: say so where nothing of an answer has left yet."""
        outgoing = connection.sock
        if outgoing.stream is not None:  # its head left: it is closed where it is held
            outgoing.broken = True
            return
        if isinstance(error, (OSError, StopIteration)) or outgoing.left:
            outgoing.broken = True
            outgoing.discard()
            return
        self.log.exception("Error handling request %s %s", connection.request.method, connection.request.path)
        outgoing.discard()
        head = connection.request.method.encode() + b" "
        outgoing.sendall(answer_of(RequestRefused("internal-error", "The request could not be finished."), head))

    def answered(self, connection: Connection) -> None:
        """A thread has finished, and something is left to do: to send, to read on, to close, or to hold a stream."""
        if connection.sock.stream is not None:
            self.hold(connection, connection.sock.stream)
            return
        if not connection.sock.held:
            self.sent(connection)
            return
        connection.become(State.SENDING, self.limits.send_seconds)
        self.watch(connection, WRITE)
        self.make_room()

    def hold(self, connection: Connection, stream: Stream) -> None:
        """Give a connection to the loop of the streams."""
        self.watch(connection, 0)
        self.connections.discard(connection)
        self.streams.hold(connection.socket, connection.sock, stream, leaving=connection.ended)

    def sent(self, connection: Connection) -> None:
        """An answer has left."""
        if connection.sock.broken:
            self.drop(connection)
        elif connection.keep:
            connection.become(State.IDLE, self.idle_seconds)
            self.watch(connection, READ)
            self.advance(connection)
        elif connection.ended:
            self.drop(connection)
        else:
            self.linger(connection)

    def refuse(self, connection: Connection, refusal: RequestRefused) -> None:
        """Answer what cannot be handed to the application, and close."""
        connection.keep = False
        connection.sock.sendall(answer_of(refusal, connection.incoming.head))
        connection.incoming.clear()
        if connection.sock.push():
            self.sent(connection)
        else:
            connection.become(State.SENDING, self.limits.send_seconds)
            self.watch(connection, WRITE)

    def linger(self, connection: Connection) -> None:
        """Let the client read the end of its answer before what it still sends makes the system reset everything."""
        quietly_shut(connection.socket)
        connection.become(State.LINGERING, LINGER_SECONDS)
        self.watch(connection, READ)

    def end_overdue(self) -> None:
        """End what has taken too long."""
        now = monotonic()
        for connection in [c for c in self.connections if c.state is not State.ANSWERED and c.deadline <= now]:
            if connection.state is State.IDLE:
                self.ready(connection)  # for a request that came at the last moment
                if connection.state is not State.IDLE:
                    continue
            if connection.state in (State.HEAD, State.BODY) and connection.incoming.begun:
                seconds = now - connection.since
                self.refuse(connection, RequestRefused("request-timeout", TOO_SLOW.format(round(seconds))))
            else:
                self.drop(connection)

    def close_oldest(self) -> bool:
        """Close the connection that has been without a whole request, or has not read its answer, for longest."""
        waiting = [c for c in self.connections if c.state is not State.ANSWERED]
        if not waiting:
            return False
        oldest = min(waiting, key=lambda connection: connection.since)
        if oldest.incoming.begun and oldest.state in (State.HEAD, State.BODY):
            oldest.sock.sendall(answer_of(RequestRefused("unavailable", NO_ROOM, retry_after=1), oldest.incoming.head))
            oldest.sock.push()
        self.drop(oldest)
        return True

    def make_room(self) -> None:
        """Close the oldest unfinished connections until the process keeps no more bytes than it may."""
        while sum(connection.held for connection in self.connections) > self.limits.held_bytes:
            waiting = [c for c in self.connections if c.held and c.state is not State.ANSWERED]
            if not waiting:
                return
            self.drop(min(waiting, key=lambda connection: connection.since))

    def watch(self, connection: Connection, events: int) -> None:
        """Be told when the socket can be read from, or written to; 0: not at all."""
        if connection.watched == events:
            return
        if not events:
            self.poller.unregister(connection.socket)
        elif connection.watched:
            self.poller.modify(connection.socket, events, partial(self.ready, connection))
        else:
            self.poller.register(connection.socket, events, partial(self.ready, connection))
        connection.watched = events

    def drop(self, connection: Connection) -> None:
        """Close a connection."""
        if connection in self.connections:
            self.watch(connection, 0)
            self.connections.discard(connection)
            connection.close()
