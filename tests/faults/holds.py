"""What must hold after whatever happened: asked of the services as anybody may ask, and of what callers were told.

- the heads of all three logs agree on all three services, and so does every byte of them
- every log verifies, from its first event to its head
- every command that was acknowledged stands in its owner's log once, as its caller was told; nothing else stands there
- one ResultReported and one ResultConfirmed a game; one RoundPaired, RoundStarted, RoundClosed a round
- the feed of each service has no gap and no event twice; peers have read all of it, the broker has confirmed all of it
- the same command sent again is answered the same and changes nothing
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any

import httpx
import msgspec
from sqlalchemy import text

from deploy.stack import Stack
from services.console.director import Director
from shared.events.cloudevents import from_wire
from shared.events.recorded import Recorded
from shared.handling.desk import told
from shared.http import tokens
from shared.http.idempotency import key_of
from shared.log.database import Database
from shared.log.verify import verify
from shared.messaging.broker import Broker
from shared.messaging.errors import MessagingError
from shared.messaging.publisher import Outgoing, Publisher
from shared.messaging.wire import CONTENT_TYPE, read_line
from shared.settings import SERVICES
from tests.faults.load import PATIENCE, Load

AGAIN = 25
"""So many commands are sent once more."""
ONCE_A_GAME = ("ResultReported", "ResultConfirmed")
ONCE_A_ROUND = ("RoundPaired", "RoundStarted", "RoundClosed")
PAGE = 5000
POISON = ("muster_consumer_outcomes_total", ("outcome", "poison"), ("source", "unknown"))

Logs = Mapping[str, list[Recorded]]
"""Source -> its log of one tournament."""


def check(stack: Stack, load: Load) -> None:
    """Everything at the head of this file, for the tournaments of a load, once all has come to rest."""
    assert load.ledger.statuses.keys() <= {200, 201, 503}, load.ledger.statuses
    auditor = Auditor(stack)
    settle(auditor, load.tournaments)
    logs = {director.id: auditor.logs(director.id) for director in load.tournaments}
    for own in logs.values():
        nothing_doubled(own)
    as_acknowledged(logs, load)
    for name in SERVICES:
        feed_whole(auditor.feed(name), {id: own[name] for id, own in logs.items()})
    again_the_same(load)
    assert {id: auditor.heads(id) for id in logs} == {id: [_heads(own)] * len(SERVICES) for id, own in logs.items()}
    assert "a part of the worker died" not in stack.log.read_text(errors="replace")


def eventually(holds: Callable[[], Any], what: Callable[[], Any] | str, seconds: float = PATIENCE) -> Any:
    """Wait until `holds` gives something true, and return that; a service that is away gives nothing."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            if found := holds():
                return found
        except (httpx.TransportError, httpx.HTTPStatusError, MessagingError):
            pass
        assert time.monotonic() < deadline, f"not within {seconds:g} s: {what() if callable(what) else what}"
        time.sleep(0.05)


class Auditor:
    """Reads whatever there is to read. It has seen nothing before, so that no answer is hurried on its behalf."""

    def __init__(self, stack: Stack) -> None:
        self.stack = stack
        now = int(time.time())
        settings = {name: stack.settings(name) for name in SERVICES}
        token = tokens.mint(
            settings["registration"].token_keys,
            actor="auditor",
            role=tokens.OPERATOR,
            tournament=tokens.EVERY_TOURNAMENT,
            jti=f"auditor-{now}",
            iat=now,
            exp=now + 3600,
        )
        self._http = httpx.Client(timeout=30, headers={"Authorization": f"Bearer {token}"})
        self._urls = {name: settings[name].database_url for name in SERVICES}

    def get(self, service: str, path: str, **query: Any) -> httpx.Response:
        """What GET answers. Raises httpx.HTTPStatusError for a problem."""
        return self._http.get(self.stack.urls[service] + path, params=query).raise_for_status()

    def heads(self, tournament: str) -> list[dict[str, Any]]:
        """Where the logs of a tournament end, as each service has it."""
        return [self.get(name, f"/tournaments/{tournament}/heads").json()["heads"] for name in SERVICES]

    def agreed(self, tournament: str) -> bool:
        """Whether every service has every log to the same end."""
        first, *others = self.heads(tournament)
        return len(first) == len(SERVICES) and all(other == first for other in others)

    def logs(self, tournament: str) -> dict[str, list[Recorded]]:
        """Every log of a tournament, the same byte for byte from all three services, and verified."""
        logs = {}
        for source in SERVICES:
            texts = [
                self.get(name, f"/tournaments/{tournament}/log", source=source, limit=PAGE).text for name in SERVICES
            ]
            assert texts[0] == texts[1] == texts[2], f"{source}'s log of {tournament} differs between services"
            logs[source] = [from_wire(line) for line in texts[0].splitlines()]
            verify(logs[source])
        return logs

    def feed(self, service: str) -> list[tuple[int, Recorded]]:
        """The whole feed of a service: feed position and event."""
        found: list[tuple[int, Recorded]] = []
        while True:
            page = self.get(service, "/feed", after=len(found), limit=PAGE)
            for line in page.text.splitlines():
                event, position = read_line(line)
                found.append((position or 0, event))
            if len(found) >= int(page.headers["Muster-Feed-End"]):
                return found

    def end(self, service: str) -> int:
        """The last position of the feed of a service."""
        return int(self.get(service, "/feed", limit=1).headers["Muster-Feed-End"])

    def ready(self, service: str) -> dict[str, Any]:
        """What /readyz says, whether it is well or not."""
        answer: dict[str, Any] = self._http.get(f"{self.stack.urls[service]}/readyz").json()
        return answer

    def well(self, service: str) -> bool:
        """Whether a service is ready with nothing amiss."""
        return bool(self.ready(service)["status"] == "ok")

    def metric(self, service: str, name: str, *labels: tuple[str, str]) -> float:
        """A value of /metrics; 0 where it was never set."""
        pairs = ",".join(f'{label}="{value}"' for label, value in labels)
        for line in self.get(service, "/metrics").text.splitlines():
            if line.startswith(f"{name}{{{pairs}}} "):
                return float(line.rpartition(" ")[2])
        return 0.0

    @contextmanager
    def database(self, service: str) -> Iterator[Database]:
        """A service's own database; closed afterwards, since a server has only so many connections."""
        database = Database(self._urls[service])
        try:
            yield database
        finally:
            database.close()

    def rows(self, service: str, sql: str, **values: Any) -> list[Any]:
        """What a query of a service's own database gives."""
        with self.database(service) as database, database.reading() as connection:
            return list(connection.execute(text(sql), values))

    def unread(self) -> dict[tuple[str, str], int]:
        """(reader, source) -> events of the source's feed that the reader has not copied."""
        ends = {name: self.end(name) for name in SERVICES}
        behind = {}
        for reader in SERVICES:
            cursors = dict(tuple(row) for row in self.rows(reader, "SELECT source, feed FROM cursors"))
            for source in SERVICES:
                if source != reader and cursors.get(source, 0) != ends[source]:
                    behind[reader, source] = ends[source] - cursors.get(source, 0)
        return behind

    def unpublished(self) -> dict[str, int]:
        """Service -> events that its broker has not confirmed, where there are any."""
        depths = {name: self.ready(name)["checks"]["outbox"]["detail"].get("unpublished", -1) for name in SERVICES}
        return {name: depth for name, depth in depths.items() if depth}


def broker_of(stack: Stack) -> Broker:
    """The broker of a stack, as its services reach it."""
    settings = stack.settings("scoring")
    return Broker(settings.broker_url, settings.exchange, folder=settings.broker_folder)


def hears(auditor: Auditor, service: str) -> None:
    """Wait until a message reaches the consumer of a service: one that is no event, so that no feed brings it too."""
    source = next(name for name in SERVICES if name != service)
    before = auditor.metric(service, *POISON)
    broker = broker_of(auditor.stack)
    publisher = Publisher(broker)

    def heard() -> bool:
        publisher.publish([Outgoing(broker.topology.exchange, f"{source}.Nothing.here", b"{}", "none", CONTENT_TYPE)])
        time.sleep(0.2)
        return auditor.metric(service, *POISON) > before

    eventually(heard, f"a message reaches {service}")
    publisher.close()


def settle(auditor: Auditor, tournaments: Iterable[Director]) -> None:
    """Wait until every log is the same everywhere, every feed is read, and the broker has confirmed everything."""
    agree(auditor, tournaments)
    eventually(lambda: not auditor.unread(), lambda: f"every feed is read to its end: {auditor.unread()}")
    eventually(lambda: not auditor.unpublished(), lambda: f"the broker has everything: {auditor.unpublished()}")
    for name in SERVICES:
        eventually(partial(auditor.well, name), partial(auditor.ready, name))


def agree(auditor: Auditor, tournaments: Iterable[Director]) -> None:
    """Wait until every log of these tournaments ends alike on all three services."""
    for director in tournaments:
        eventually(partial(auditor.agreed, director.id), partial(auditor.heads, director.id))


def nothing_doubled(logs: Logs) -> None:
    """Each game has one result, reported and confirmed once; each round is paired, started, closed once."""
    happened: Counter[tuple[str, Any]] = Counter()
    for event in (event for log in logs.values() for event in log):
        data = msgspec.json.decode(event.data)
        if event.type in ONCE_A_GAME:
            happened[event.type, data["game"]] += 1
        elif event.type in ONCE_A_ROUND:
            happened[event.type, data["round"]] += 1
    assert {what: times for what, times in happened.items() if times != 1} == {}
    reported, confirmed = ({game for kind, game in happened if kind == wanted} for wanted in ONCE_A_GAME)
    assert reported == confirmed


def as_acknowledged(logs: Mapping[str, Logs], load: Load) -> None:
    """The logs hold what callers were told, under the keys that they sent: all of it, once, and nothing besides."""
    found: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for log in (log for own in logs.values() for log in own.values()):
        for event in log:
            found[key_of(event.command_id) or event.command_id].append(told(event))
    promised = {key: done.events for key, done in load.ledger.done.items() if done.events}
    assert found.keys() == promised.keys()
    for key, events in promised.items():
        assert found[key] == events


def feed_whole(feed: list[tuple[int, Recorded]], own: Mapping[str, list[Recorded]]) -> None:
    """Feed positions are 1, 2, 3 …; each event stands there once, and each log in its order."""
    assert [position for position, _ in feed] == list(range(1, len(feed) + 1))
    by_tournament = defaultdict(list)
    for _, event in feed:
        by_tournament[event.tournament].append(event)
    for log in by_tournament.values():
        assert [event.position for event in log] == list(range(1, len(log) + 1))
    for tournament, log in own.items():
        assert by_tournament[tournament] == log


def again_the_same(load: Load) -> None:
    """Commands from the whole course of the load, sent once more with their keys, are answered as they were."""
    done = list(load.ledger.done.values())
    with httpx.Client(timeout=30) as client:
        for command in done[:: max(1, len(done) // AGAIN)]:
            answer = client.send(command.request)
            assert (answer.status_code, answer.json()) == (201, command.answer)


def _heads(logs: Logs) -> dict[str, dict[str, Any]]:
    return {source: {"position": log[-1].position, "hash": log[-1].hash} for source, log in sorted(logs.items())}
