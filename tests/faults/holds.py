"""What must hold after whatever happened: asked of the services as anybody may ask, and of what callers were told.

- the heads of all three logs agree on all three services, and so does every byte of them
- every log verifies, from its first event to its head
- every command that was acknowledged stands in its owner's log once, as its caller was told; nothing else stands there
- one ResultReported and one ResultConfirmed a game; one RoundPaired, RoundStarted, RoundClosed a round, and one of
  RoundPaired, RoundStarted, PartClosed for each venue that goes on by itself
- the feed of each service has no gap and no event twice; peers have read all of it, the broker has confirmed all of it
- the same command sent again is answered the same and changes nothing
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

import httpx
import msgspec

from deploy.stack import Stack
from muster.simulator.director import Director
from shared.log.cloudevents import CONTENT_TYPE
from shared.log.event import Recorded
from shared.messaging.broker import Broker
from shared.messaging.errors import MessagingError
from shared.messaging.publisher import Outgoing, Publisher
from shared.service.views import event_view
from shared.settings import SERVICES
from shared.tournament.draws import ABOUT_SECRETS
from shared.web.idempotency import key_of
from tests import http, outcomes
from tests.faults.auditor import Auditor
from tests.faults.load import Load
from tests.waiting import until

AGAIN = 25
"""So many commands are sent once more."""
ONCE_A_GAME = ("ResultReported", "ResultConfirmed")
ONCE_A_ROUND = ("RoundPaired", "RoundStarted", "PartClosed", "RoundClosed")
"""Once for each venue, if its part is by itself."""
POISON = ("muster_consumer_outcomes_total", ("outcome", "poison"), ("source", "unknown"))

Logs = Mapping[str, list[Recorded]]
"""Source -> its log of one tournament."""


def check(stack: Stack, load: Load) -> None:
    """Everything at the head of this file, for the tournaments of a load, once all has come to rest."""
    row = outcomes.current()
    assert load.ledger.unexpected() == {}
    auditor = Auditor(stack)
    settle(auditor, load.tournaments)
    logs = {director.id: auditor.logs(director.id) for director in load.tournaments}
    told_of = as_told(logs)
    promised = {key: done.events for key, done in load.ledger.done.items() if done.events}
    lost = {key for key, events in promised.items() if not all(event in told_of[key] for event in events)}
    doubled = {key for key, events in promised.items() if len(told_of[key]) > len(events)} | twice(logs)
    unknown = told_of.keys() - promised.keys()
    row.count(lost=len(lost), doubled=len(doubled), unexpected=len(unknown))
    assert (lost, doubled, unknown) == (set(), set(), set())
    assert told_of == promised
    for own in logs.values():
        confirmed_once(own)
    for name in SERVICES:
        feed_whole(auditor.feed(name), {id: own[name] for id, own in logs.items()})
    again_the_same(load)
    assert {id: auditor.heads(id) for id in logs} == {id: [_heads(own)] * len(SERVICES) for id, own in logs.items()}
    assert "a part of the worker died" not in stack.log.read_text(errors="replace")


def eventually(holds: Callable[[], Any], what: Callable[[], Any] | str, pause: float = 0.05) -> Any:
    """Wait until `holds` gives something true, and return that; a service that is away gives nothing.

    pause: seconds between two looks; longer where looking takes the processor from what is waited for.
    """

    def answered() -> Any:
        with suppress(httpx.TransportError, httpx.HTTPStatusError, MessagingError):
            return holds()

    return until(answered, what, pause=pause)


def broker_of(stack: Stack) -> Broker:
    """The broker of a stack, as its services reach it."""
    settings = stack.settings("scoring")
    return Broker(settings.broker_url, settings.exchange, folder=settings.broker_folder)


def hears(auditor: Auditor, service: str) -> None:
    """Wait until a message reaches the consumer of a service: one that is no event, so that no feed brings it too."""
    source = next(name for name in SERVICES if name != service)
    before = auditor.metric(service, *POISON)

    def heard() -> bool:
        publish_nothing(auditor.stack, source)
        return auditor.metric(service, *POISON) > before

    eventually(heard, f"a message reaches {service}", pause=0.2)


def publish_nothing(stack: Stack, source: str) -> None:
    """Publish a message that is no event, as if a service had."""
    broker = broker_of(stack)
    publisher = Publisher(broker)
    publisher.publish([Outgoing(broker.topology.exchange, f"{source}.Nothing.here", b"{}", "none", CONTENT_TYPE)])
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


def twice(logs: Mapping[str, Logs]) -> set[str]:
    """What stands in the logs more than once, and must not: of games, of rounds, as `tournament type what`."""
    happened: Counter[str] = Counter()
    for tournament, own in logs.items():
        for event in (event for log in own.values() for event in log):
            thing = "game" if event.type in ONCE_A_GAME else "round" if event.type in ONCE_A_ROUND else None
            if thing is not None:
                data = msgspec.json.decode(event.data)
                happened[f"{tournament} {event.type} {data[thing]} {data.get('venue', '')}"] += 1
    return {what for what, times in happened.items() if times > 1}


def confirmed_once(logs: Logs) -> None:
    """Every result that was reported is confirmed, and no other."""
    reported, confirmed = (
        {msgspec.json.decode(event.data)["game"] for log in logs.values() for event in log if event.type == wanted}
        for wanted in ONCE_A_GAME
    )
    assert reported == confirmed


def as_told(logs: Mapping[str, Logs]) -> dict[str, list[dict[str, Any]]]:
    """Key of a command -> its events in the logs, as its caller was told of them; without those of rules.

    Answers leave out events about secrets, which follow a command.
    """
    found: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for log in (log for own in logs.values() for log in own.values()):
        of_callers = (event for event in log if not event.command_id.endswith("~muster"))
        for event in (event for event in of_callers if event.type not in ABOUT_SECRETS):
            found[key_of(event.command_id) or event.command_id].append(msgspec.to_builtins(event_view(event)))
    return found


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
    with http.Client() as client:
        for command in done[:: max(1, len(done) // AGAIN)]:
            # After its connections were cut a process may say 503 once, and callers repeat what is answered so.
            answer = eventually(partial(_told, client, command.request), "it is answered again")
            assert (answer.status_code, answer.json()) == (201, command.answer)


def _told(client: http.Client, request: httpx.Request) -> httpx.Response | None:
    answer = client.send(request)
    return None if answer.status_code == 503 else answer


def _heads(logs: Logs) -> dict[str, dict[str, Any]]:
    return {source: {"position": log[-1].position, "hash": log[-1].hash} for source, log in sorted(logs.items())}
