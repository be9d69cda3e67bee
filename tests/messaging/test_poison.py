"""No bytes end a worker: whatever lies in a queue, on both brokers, it is counted and set aside, what is true comes.

Every test feeds something to a running consumer the whole way, and asks for the next true event after it.
"""

from __future__ import annotations

import base64
import json
import random
import zlib
from pathlib import Path
from struct import pack

import amqp
import kombu
import orjson
import pytest
from kombu.utils.json import dumps

from shared import metrics
from shared.log.cloudevents import CONTENT_TYPE, NotAnEvent
from shared.messaging import inbox as heard_module
from shared.messaging.broker import Broker
from shared.messaging.catch_up import CatchUp
from shared.messaging.consumer import Consumer
from shared.messaging.envelope import LARGEST_MESSAGE, parse_line
from shared.messaging.publisher import Outgoing, Publisher
from tests.acting import actor_of
from tests.conftest import BROKER_URL
from tests.eventlog.stories import changed
from tests.messaging.conftest import RABBITMQ
from tests.messaging.stage import COPIER, OWNER, message, running
from tests.waiting import until

ADDRESS = f"{OWNER}.TournamentAnnounced.cup"
REFUSED = [("unknown", "poison"), (OWNER, "tampered")]


class Way:
    """A consumer that runs, and whoever puts things into its queue."""

    def __init__(self, stage, broker: Broker, folder: Path) -> None:
        self.stage, self.broker, self.folder = stage, broker, folder / "broker"
        self.publisher = Publisher(broker)
        self.consumer = Consumer(COPIER, broker, stage.inbox(), idle_seconds=0.1)
        with broker.connect() as connection, broker.declaring():
            broker.topology.declare(connection.channel(), COPIER, [OWNER])

    def send(self, body: bytes, address: str = ADDRESS) -> None:
        self.publisher.publish([Outgoing(self.broker.topology.exchange, address, body, "x", CONTENT_TYPE)])

    def refused(self) -> int:
        """Return the number of refused messages."""
        return int(sum(metrics.CONSUMER_OUTCOMES.labels(*names)._value.get() for names in REFUSED))

    def aside(self) -> int:
        """Return the number of dead letters."""
        with self.broker.connect() as connection:
            name = self.broker.topology.dead_queue_name(COPIER)
            letters: int = connection.channel().queue_declare(name, passive=True).message_count
        return letters

    def goes_on(self) -> None:
        """Check that the next valid event arrives by its message."""
        self.stage.append("cup", "somebody")
        true = self.stage.arrivals()[-1]
        self.send(true.body, true.address)
        until(self.stage.same)
        assert self.consumer.connected


@pytest.fixture
def way(stage, broker, tmp_path):
    stage.append("cup", "anna")
    way = Way(stage, broker, tmp_path)
    with running(way.consumer):
        until(lambda: way.consumer.connected)
        way.goes_on()
        yield way
    way.publisher.close()


def true_body(stage) -> bytes:
    return stage.arrivals()[0].body


def nested(depth: int) -> bytes:
    return b'{"specversion":' + b"[" * depth + b"]" * depth + b"}"


BODIES = {
    "nothing": b"",
    "no utf-8 in a text": b'{"id":"\xff"}',
    "no utf-8": b"\xff\xfe\xff",
    "nested arrays": nested(100_000),
    "null": b"null",
    "a huge number": b'{"feedposition":' + b"9" * 5000 + b"}",
    "larger than any event": b'{"id":"' + b"x" * LARGEST_MESSAGE + b'"}',
    "much larger": b" " * 5_000_000,
}


@pytest.mark.attack("bytes that are no event")
@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_any_body_is_survived(way, body):
    before, aside = way.refused(), way.aside()
    way.send(body)
    way.goes_on()
    until(lambda: way.refused() == before + 1)
    until(lambda: way.aside() == aside + 1)


def data_of(body: bytes, data: bytes) -> bytes:
    return body[: body.index(b'"data":') + 7] + data + b"}"


def actor_is(body: bytes, actor: str) -> bytes:
    start = body.index(b'"actor":')
    return body[:start] + b'"actor":' + orjson.dumps(actor) + body[body.index(b',"commandid"') :]


CHANGES = {
    "data that is no utf-8": lambda body: data_of(body, b'{"player":"\xff"}'),
    "data nested": lambda body: data_of(body, b"[" * 5000 + b"]" * 5000),
    "data with half a character": lambda body: data_of(body, rb'{"player":"\ud800!"}'),
    "a feed position below all": lambda body: body.replace(b'"feedposition":1,', b'"feedposition":-7,'),
    "a feed position beyond all": lambda body: body.replace(b'"feedposition":1,', b'"feedposition":%d,' % 10**30),
    "a version beyond all": lambda body: body.replace(b'"schemaversion":2', b'"schemaversion":%d' % 10**19),
    "an id of four bytes a character": lambda body: body.replace(b'"id":"cup', b'"id":"' + "\U0001f3b2".encode() * 190),
    "a name that a terminal obeys": lambda body: body.replace(b"organiser-1", rb"\u001b[2J\u001b]0;x\u0007"),
    "an actor that is no object": lambda body: actor_is(body, '"organiser"'),
    "an actor without a role": lambda body: actor_is(body, '{"actor":"organiser-1"}'),
    "an actor of a role that nobody has": lambda body: actor_is(body, '{"actor":"x","role":"emperor"}'),
    "an actor with a member more": lambda body: actor_is(body, '{"actor":"x","role":"rule","token":"t"}'),
    "an actor whose keys are not sorted": lambda body: actor_is(body, '{"role":"rule","actor":"x"}'),
    "an actor with a member at its default": lambda body: actor_is(body, '{"actor":"x","role":"rule","venue":""}'),
    "an actor nested": lambda body: actor_is(body, '{"actor":' + "[" * 5000),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_any_changed_event_is_survived(way, change):
    before, aside = way.refused(), way.aside()
    body = change(true_body(way.stage))
    assert body != true_body(way.stage)
    way.send(body)
    way.goes_on()
    until(lambda: way.refused() == before + 1)
    until(lambda: way.aside() == aside + 1)


def mutant(body: bytes, chance: random.Random) -> bytes:
    """Generate random bytes, or an event with bytes changed, repeated, dropped or moved."""
    if chance.random() < 0.2:
        return chance.randbytes(chance.choice([1, 7, 300, 70_000]))
    bytes_ = bytearray(body)
    for _ in range(chance.choice([1, 1, 2, 5, 40])):
        at = chance.randrange(len(bytes_) + 1)
        match chance.randrange(5):
            case 0:
                bytes_[at : at + 1] = chance.randbytes(1)
            case 1:
                del bytes_[at : at + chance.randrange(1, 40)]
            case 2:
                bytes_[at:at] = bytes_[: chance.randrange(200)]
            case 3:
                bytes_[at:at] = chance.choice(
                    [b"\xff", b"\0", b"[", b'"', b"\xed\xa0\x80", rb"\ud800", b"1e999", b"{}"]
                )
            case _:
                bytes_ = bytes_[:at]
    return bytes(bytes_)


@pytest.mark.attack("mutants of true events")
@pytest.mark.parametrize("seed", range(4))
def test_any_mutant_of_an_event_is_survived(way, seed):
    chance = random.Random(seed)
    body = true_body(way.stage)
    for _ in range(40):
        refused, aside = way.refused(), way.aside()
        sent = mutant(body, chance)
        way.send(sent)
        way.goes_on()
        more = 0 if still_true(sent, body) else 1  # what was changed may be something that nobody reads
        until(lambda refused=refused + more: way.refused() == refused)
        until(lambda aside=aside + more: way.aside() == aside)


def still_true(sent: bytes, body: bytes) -> bool:
    try:
        return parse_line(sent) == parse_line(body)
    except NotAnEvent:
        return False


def test_an_event_that_the_database_refuses_does_not_affect_its_batch(stage, broker, tmp_path, monkeypatch):
    """The fault appears only while copying; the rest of the batch is copied."""
    genuine = heard_module.accept_runs

    def accept_runs(database, runs, *also):
        if any(event.actor == actor_of("mallory") for run in runs for event in run):
            raise ZeroDivisionError("a fault of ours")
        return genuine(database, runs, *also)

    monkeypatch.setattr(heard_module, "accept_runs", accept_runs)
    stage.append("cup", *"abc")
    way = Way(stage, broker, tmp_path)
    first = way.stage.arrivals()[0]
    bad = message(changed(stage.append("bad", "x")[0], actor=actor_of("mallory")), 4)
    for arrival in (bad, first, *way.stage.arrivals()[1:3]):
        way.send(arrival.body, arrival.address)
    with running(way.consumer):
        until(lambda: stage.copied() == 3)
        until(lambda: way.aside() == 1)


class Spoken(amqp.Message):
    """A message with properties as bytes."""

    spoken = b"\0\0"

    def _serialize_properties(self):
        return self.spoken


def short(flag, text):
    return pack(">H", flag) + bytes([len(text)]) + text


def table(name, item):
    entry = bytes([len(name)]) + name + item
    return pack(">HI", 0x2000, len(entry)) + entry


def arrays(depth):
    item = b""
    for _ in range(depth):
        item = b"A" + pack(">I", len(item)) + item
    return item


PROPERTIES = {
    "a content type that is no text": short(0x8000, b"\xff"),
    "an encoding that takes for ever": short(0x4000, b"punycode"),
    "an encoding that gives half characters": short(0x4000, b"unicode_escape"),
    "a message id that is no text": short(0x80, b"\xff\xfe"),
    "a header that is no text": table(b"a", b"S" + pack(">I", 1) + b"\xff"),
    "a header whose name is no text": table(b"\xff", b"V"),
    "a header that is a number": table(b"a", b"I" + pack(">i", 5)),
    "a header beyond the calendar": table(b"a", b"T" + pack(">Q", 2**63)),
    "headers nested": table(b"a", arrays(3000)),
    "a compression": table(b"compression", b"S" + pack(">I", 18) + b"application/x-gzip"),
    "a time beyond the calendar": pack(">HQ", 0x40, 2**64 - 1),
}


@pytest.fixture
def channel():
    with kombu.Connection(BROKER_URL) as connection:
        yield connection.channel()


@pytest.mark.parametrize("broker", RABBITMQ, indirect=True)
@pytest.mark.parametrize("properties", PROPERTIES.values(), ids=PROPERTIES)
def test_any_message_properties_are_ignored(way, channel, properties):
    """Properties have no meaning: valid events are copied, and junk becomes dead letters."""
    before, aside = way.refused(), way.aside()
    way.stage.append("cup", "ben")
    true = way.stage.arrivals()[-1]
    for body in (zlib.compress(b"x" * 1_000_000), true.body):
        spoken = Spoken(body)
        spoken.spoken = properties
        channel.basic_publish(spoken, way.broker.topology.exchange, true.address)
    until(way.stage.same)
    way.goes_on()
    until(lambda: way.refused() == before + 1)
    until(lambda: way.aside() == aside + 1)


@pytest.mark.parametrize("broker", RABBITMQ, indirect=True)
@pytest.mark.parametrize("key", [b"registration.\xff", b"registration.\xed\xa0\x80", b"registration." + b"\xff" * 240])
def test_a_routing_key_that_is_not_utf8_is_survived(way, channel, key):
    class Raw(str):
        def encode(self, *_):
            return key

    aside = way.aside()
    for _ in range(2):
        channel.basic_publish(amqp.Message(true_body(way.stage)), way.broker.topology.exchange, Raw("x"))
        way.goes_on()
    until(lambda: way.aside() == aside + 2)


def envelope(**changed: object) -> dict[str, object]:
    info = {"exchange": "muster.events", "routing_key": ADDRESS}
    properties = {"body_encoding": "base64", "delivery_info": info, "delivery_tag": "t", "delivery_mode": 2}
    return {
        "body": base64.b64encode(b"hello").decode(),
        "content-type": CONTENT_TYPE,
        "headers": {},
        "properties": properties,
    } | changed


def properties(**changed: object) -> dict[str, object]:
    return envelope(properties={**envelope()["properties"], **changed})  # type: ignore[dict-item]


FILES = {
    "no text": b"\xff\xfe\xff",
    "half a message": b'{"half a mess',
    "nothing": b"",
    "a list": b"[1, 2]",
    "nested": b"[" * 200_000,
    "no properties": dumps({"body": "x"}).encode(),
    "properties of null": dumps(envelope(properties=None)).encode(),
    "no delivery info": dumps(properties(delivery_info=None)).encode(),
    "a routing key of a number": dumps(properties(delivery_info={"exchange": "x", "routing_key": 7})).encode(),
    "half a character for a routing key": dumps(
        properties(delivery_info={"exchange": "muster.events", "routing_key": "\ud800"})
    ).encode(),
    "wrong base64": dumps(envelope(body="%%%")).encode(),
    "another encoding": dumps(properties(body_encoding="rot13")).encode(),
    "a body that is a number": dumps(envelope(body=7)).encode(),
    "headers that are a list": dumps(envelope(headers=[1])).encode(),
    "a date that is none": dumps(envelope(headers={"a": {"__type__": "datetime", "__value__": "never"}})).encode(),
    "much too large": b"{" + b" " * 3_000_000 + b"}",
    "junk in a good envelope": dumps(envelope()).encode(),
    "junk said to be compressed": dumps(envelope(headers={"compression": "zlib", "a": 1, "b": None})).encode(),
    "no delivery tag": dumps(properties(delivery_tag=None)).encode(),
}
in_folder = pytest.mark.parametrize("broker", ["folder"], indirect=True)


@in_folder
@pytest.mark.parametrize("text", FILES.values(), ids=FILES)
def test_any_file_in_a_queue_folder_is_survived(way, text):
    before = way.refused()
    part = way.folder / "part"
    part.write_bytes(text)
    part.rename(way.folder / "queues" / "0_x.muster.pairing.msg")
    way.goes_on()
    until(lambda: way.refused() == before + 1)


def _content(path):
    """Return the content of a file; None while it is being replaced."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


RUBBISH = [
    b"\xff\xfe",
    b"7",
    b"[7]",
    b'[["a"]]',
    b'[["registration.#", "(", 7]]',
    b"[" * 100_000,
    b" " * 5_000_000,
]


@in_folder
@pytest.mark.parametrize("rubbish", RUBBISH, ids=range(len(RUBBISH)))
def test_invalid_binding_files_are_rewritten(way, rubbish, monkeypatch):
    """The next declaration rewrites a damaged file."""
    monkeypatch.setattr("shared.messaging.consumer.HEARTBEAT", 0.4)
    control = way.folder / "control" / "muster.events.exchange"
    written = control.read_bytes()
    assert [queue for _, _, queue in json.loads(written)] == ["muster.pairing"]
    control.write_bytes(rubbish)
    way.stage.append("cup", "lost")
    catch_up = CatchUp(way.consumer._inbox, way.stage.upstream(), every=0.1)
    with running(catch_up):
        until(way.stage.same)
        until(lambda: _content(control) == written)
    way.goes_on()
