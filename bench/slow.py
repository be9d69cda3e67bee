"""Over HTTP: results posted to scoring while slow clients hold connections, kind by kind, and while nobody does."""

from __future__ import annotations

import gc
import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from time import sleep

from msgspec import Struct, field

from bench.crew import Crew
from bench.disk import Disk
from bench.findings import Table
from bench.floor import Floor
from bench.load import client, per_second, shares
from bench.plan import LABELS, Plan
from bench.samples import in_turns, ratio_of, row_of
from bench.servers import SCORING, Server
from bench.story import Shape
from shared.eventlog.engines import open_database
from shared.eventlog.migrate import upgrade_database

MANY = 200
CLIENTS = 4
PLAYERS, CLOSED, TOURNAMENTS = 48, 4, 10
DRIP_SECONDS = 0.5
LOOK_SECONDS, SETTLED_MS = 0.3, 30.0
"""Less processor time than that between two looks means that nothing but drips is left to do."""
ENDLESS = {"MUSTER_HEAD_SECONDS": "3600", "MUSTER_BODY_SECONDS": "3600", "MUSTER_SEND_SECONDS": "3600"}

HALF_A_HEAD = b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-a: "
A_BYTE_OF_A_BODY = b"POST /tournaments/x/results HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\n\r\n{"
LARGE_ANSWERS = b"GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: x\r\n\r\n" * 3


class Kind(Struct, frozen=True):
    """sent: on each connection, to begin with. drips: a byte follows now and then."""

    name: str
    many: int = MANY
    sent: bytes = b""
    drips: bool = False


NONE = Kind("nobody", many=0)
KINDS = (
    NONE,
    Kind("idle"),
    Kind("half a head", sent=HALF_A_HEAD),
    Kind("a byte of a body", sent=A_BYTE_OF_A_BODY),
    Kind("half a head, dripping", sent=HALF_A_HEAD, drips=True),
    Kind("not reading", sent=LARGE_ANSWERS),
)


class _Taken(Struct):
    kind: Kind
    rates: list[float] = field(default_factory=list)
    ms: list[float] = field(default_factory=list)
    processor_ms: list[float] = field(default_factory=list)


def run(plan: Plan) -> list[Table]:
    """Each database behind the server as it is deployed, with deadlines that end nothing meanwhile."""
    return [_beside(plan, engine) for engine in plan.engines]


def _beside(plan: Plan, engine: str) -> Table:
    plan.say(f"slow: {LABELS[engine]}")
    url = plan.places.database(engine)
    database = open_database(url)
    upgrade_database(database, "scoring")
    with Server(SCORING, url, plan.places.empty_folder("slow"), ENDLESS) as server:
        floor = Floor(database, server.tickets, Shape(PLAYERS, CLOSED, open=True), TOURNAMENTS)
        taken = [_Taken(kind) for kind in KINDS]
        with Crew(CLIENTS, client, server.port) as crew:
            _sample(server, crew, floor, _Taken(NONE))
            probe = plan.probe()
            for one in in_turns(taken, plan.size(15, 2), probe):
                gc.collect()
                _sample(server, crew, floor, one)
    database.close()
    return _table(engine, taken, probe.seen())


def _sample(server: Server, crew: Crew, floor: Floor, taken: _Taken) -> None:
    with _slow(server.port, taken.kind):
        _settled(server)
        before = server.processor_ms()
        answers = crew.do(*shares(floor.reports(), len(crew)))
        spent = server.processor_ms() - before
    ms = [one for answered in answers for one in answered.ms]
    taken.rates.append(per_second(answers))
    taken.ms += ms
    taken.processor_ms.append(spent / len(ms))
    floor.clear()


def _settled(server: Server) -> None:
    """Wait until the server has done what the slow connections asked for, so that their being there is what costs."""
    last = -SETTLED_MS
    while (now := server.processor_ms()) - last >= SETTLED_MS:
        last = now
        sleep(LOOK_SECONDS)


@contextmanager
def _slow(port: int, kind: Kind) -> Iterator[None]:
    stop = threading.Event()
    with ExitStack() as stack:
        connections = [stack.enter_context(_connected(port, kind.sent)) for _ in range(kind.many)]
        drips = connections if kind.drips else []
        dripping = threading.Thread(target=_drip, args=(drips, stop))
        dripping.start()
        try:
            yield
        finally:
            stop.set()
            dripping.join()


def _connected(port: int, sent: bytes) -> socket.socket:
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    connection.connect(("127.0.0.1", port))
    connection.sendall(sent)
    return connection


def _drip(connections: Sequence[socket.socket], stop: threading.Event) -> None:
    while not stop.wait(DRIP_SECONDS):
        for connection in connections:
            connection.sendall(b"a")


def _table(engine: str, taken: Sequence[_Taken], disk: Disk) -> Table:
    alone = taken[0]
    rows = [row_of(f"beside {one.kind.name}", "posts/s", one.rates) for one in taken]
    rows += [
        ratio_of(f"beside {one.kind.name} / beside nobody, round by round", one.rates, alone.rates) for one in taken[1:]
    ]
    rows += [row_of(f"beside {one.kind.name}: POST to answer", "ms", one.ms, tail=True) for one in taken]
    rows += [row_of(f"beside {one.kind.name}: processor time a post", "ms", one.processor_ms) for one in taken]
    notes = [
        f"{MANY} connections of one kind at a time; {CLIENTS} clients post in a closed loop on kept connections.",
        f"Dripping: a byte every {DRIP_SECONDS:g} s on each. Not reading: three answers of 1.7 MB were asked for",
        "on each; the server keeps 64 MB of such answers and closes the oldest connections beyond that.",
        "Processor time is that of the web processes, slow connections included, without the database server's.",
    ]
    return Table(f"{LABELS[engine]}: results posted beside slow connections", rows, [], notes, disk)
