"""Somebody changes what was recorded, on its way or at rest: refused, put aside with the reason, shown."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

import httpx
import msgspec
import pytest
from sqlalchemy.exc import DBAPIError

from deploy.stack import Stack, operator
from shared.log.cloudevents import CONTENT_TYPE, from_wire, routing_key
from shared.log.database import Connection, Database
from shared.log.event import Recorded, compute_hash, event_id
from shared.log.log import verify
from shared.messaging.envelope import log_line
from shared.messaging.publisher import Outgoing, Publisher
from shared.messaging.vouching import Signer
from tests.acting import actor_of
from tests.faults.auditor import Auditor
from tests.faults.holds import agree, broker_of, check, eventually
from tests.faults.load import Load, one_round

LISTENERS = ("registration", "pairing")
"""Who copies scoring's log."""
QUARANTINED = ("muster_quarantined_events_total", ("source", "scoring"))


def publish(stack: Stack, event: Recorded) -> bytes:
    """Put an event on the exchange, as its owner's relay would, and with its signature; returns its bytes."""
    signer = Signer(event.source, stack.settings(event.source).signing_keys)
    broker, body = broker_of(stack), log_line(event, signer.log(event))
    publisher = Publisher(broker)
    publisher.publish([Outgoing(broker.topology.exchange, routing_key(event), body, event.id, CONTENT_TYPE)])
    publisher.close()
    return body


def next_one(last: Recorded, **changed: str) -> Recorded:
    """An event that follows another one, made up."""
    position = last.position + 1
    return msgspec.structs.replace(
        last,
        position=position,
        id=event_id(last.source, last.tournament, position),
        prev_hash=last.hash,
        **{"command_id": "made-up", **changed},
    )


def cases(auditor: Auditor, service: str) -> list[dict[str, object]]:
    """What /readyz shows as put aside; a service that shows something goes on working."""
    ready = auditor.ready(service)
    shown: list[dict[str, object]] = ready["checks"]["quarantine"]["detail"]["events"]
    assert not shown or ready["status"] == "degraded"
    return shown


def dead_letters(stack: Stack, service: str) -> dict[bytes, str]:
    """What the consumer of a service has refused, with the reason; taken out of its queue."""
    broker, found = broker_of(stack), {}
    with broker.connect() as connection:
        queue = broker.topology.dead_queue(service)(connection.channel())
        while (message := queue.get(no_ack=True)) is not None:
            body = message.body
            found[body.encode() if isinstance(body, str) else bytes(body)] = message.headers["muster-reason"]
    return found


def test_an_event_is_changed_on_its_way(stack: Stack) -> None:
    auditor = Auditor(stack)
    with Load(stack) as load:
        director = one_round(load)
        agree(auditor, [director])
        last = auditor.logs(director.id)["scoring"][-1]
        counted = {name: auditor.metric(name, *QUARANTINED) for name in LISTENERS}
        changed = next_one(last, data=last.data.replace('"side":', '"round":9,"side":'))
        body = publish(stack, changed)
        for name in LISTENERS:
            (case,) = eventually(partial(cases, auditor, name), f"{name} shows what it refused")
            assert (case["source"], case["tournament"]) == ("scoring", director.id)
            assert (case["position"], str(case["reason"])[:17]) == (changed.position, "its content hashe")
            assert auditor.metric(name, *QUARANTINED) == counted[name] + 1
            assert dead_letters(stack, name)[body].startswith("tampered: its content hashes to")
        load.more(10)
        assert auditor.heads(director.id)[1]["scoring"]["position"] == last.position
        director.close(1)  # what truly comes next
        for name in LISTENERS:
            eventually(partial(auditor.well, name), "the true event has taken its place")
    check(stack, load)


def test_a_known_event_comes_again_and_is_another(stack: Stack) -> None:
    auditor = Auditor(stack)
    with Load(stack) as load:
        director = one_round(load)
        agree(auditor, [director])
        known = auditor.logs(director.id)["scoring"][1]
        other = msgspec.structs.replace(known, actor=actor_of("somebody else"))
        other = msgspec.structs.replace(
            other, hash=compute_hash(other)
        )  # it hashes right, and is not what is held here
        body = publish(stack, other)
        for name in LISTENERS:
            reason = eventually(lambda name=name: dead_letters(stack, name).get(body), f"{name} puts it aside")
            assert reason.startswith("tampered: this position holds")
        director.close(1)
    check(stack, load)


@contextmanager
def unguarded(database: Database) -> Iterator[Connection]:
    """A connection as somebody has who may do everything to a database: the triggers are away meanwhile."""
    with database.writing() as connection:
        if database.name == "postgresql":
            connection.run("ALTER TABLE events DISABLE TRIGGER ALL")
            yield connection
            connection.run("ALTER TABLE events ENABLE TRIGGER ALL")
            return
        triggers = connection.rows("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
        for name, _ in triggers:
            connection.run(f"DROP TRIGGER {name}")
        yield connection
        for _, sql in triggers:
            connection.run(sql)


CHANGE = "UPDATE events SET data = :data WHERE source = 'scoring' AND tournament = :id AND position = :position"


def test_a_byte_of_a_copy_is_changed_at_rest(stack: Stack) -> None:
    auditor = Auditor(stack)
    with Load(stack, directors=0) as load, auditor.database("pairing") as database:
        director = one_round(load)
        agree(auditor, [director])
        event = auditor.logs(director.id)["scoring"][2]
        place = {"id": director.id, "position": event.position}
        with pytest.raises(DBAPIError), database.writing() as connection:
            connection.run(CHANGE, **place, data="{}")
        stack.stop()
        with unguarded(database) as connection:
            connection.run(CHANGE, **place, data=event.data.replace('"round":1', '"round":2'))
        stack.start()

        def copy_of(service: str) -> list[Recorded]:
            lines = auditor.get(service, f"/tournaments/{director.id}/log", source="scoring").text
            return [from_wire(line) for line in lines.splitlines()]

        with pytest.raises(httpx.HTTPStatusError) as refused:
            copy_of("pairing")
        assert refused.value.response.status_code == 503  # what is damaged is not served as true
        assert refused.value.response.json()["code"] == "log-unreadable"
        verify(copy_of("scoring"))
        verify(copy_of("registration"))
        stack.stop()
        with unguarded(database) as connection:
            connection.run(CHANGE, **place, data=event.data)
        stack.start()
        verify(copy_of("pairing"))
        director.close(1)
        agree(auditor, [director])
    check(stack, load)


def test_a_fork_is_found_out_by_the_next_true_event_and_healed_by_a_recopy(stack: Stack) -> None:
    """An owner that says two things, as one does that was put back in time, or whose key somebody has."""
    auditor = Auditor(stack)
    with Load(stack) as load:
        director = one_round(load)
        agree(auditor, [director])
        last = auditor.logs(director.id)["scoring"][-1]
        forged = next_one(last, actor=actor_of("nobody"))
        forged = msgspec.structs.replace(forged, hash=compute_hash(forged))
        publish(stack, forged)
        ends = {"position": forged.position, "hash": forged.hash}
        for number, name in enumerate(LISTENERS):
            holds = partial(lambda number: auditor.heads(director.id)[number]["scoring"] == ends, number)
            eventually(holds, f"{name} holds the forged event")
        director.close(1)
        host = operator(stack.urls, stack.issuer)
        for name in LISTENERS:
            shown = eventually(partial(cases, auditor, name), f"{name} shows the fork")
            assert {case["tournament"] for case in shown} == {director.id}
            assert shown[0]["advice"] == f"muster recopy scoring {director.id} --service {name}"
        load.more(10)  # other tournaments go on
        for name in LISTENERS:
            body = {"source": "scoring", "tournament": director.id, "reason": "a test"}
            done = host.plain.post(name, "/recopy", body)
            assert (done["kept"], done["replaced"], done["refused"]) == (last.position, 1, "")
            assert done["new"]["position"] > last.position
            eventually(partial(auditor.well, name), f"{name} is well again")
        director.pair()
    check(stack, load)
