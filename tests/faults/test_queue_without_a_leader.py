"""A quorum queue that was declared in the moment before RabbitMQ was killed comes back without a leader, for good.

It takes nothing, gives nothing and says nothing, while the broker that holds it is well. So it is with RabbitMQ 3.10;
where a newer one finds a leader after all, what is asked for here holds as well.
"""

from __future__ import annotations

import pytest

from shared.log.cloudevents import CONTENT_TYPE
from shared.messaging import broker as broker_module
from shared.messaging.broker import Broker
from shared.messaging.consumer import Consumer
from shared.messaging.publisher import Outgoing, Publisher
from tests.faults.rabbitmq_node import RabbitNode
from tests.messaging.conftest import new_stage, stage  # noqa: F401
from tests.messaging.stage import COPIER, OWNER, Stage, running
from tests.waiting import until

pytestmark = pytest.mark.engine("rabbitmq-server")

SECONDS = 90


@pytest.fixture
def broker(rabbitmq_node: RabbitNode, monkeypatch: pytest.MonkeyPatch) -> Broker:
    """A broker with names of its own, whose answers are not waited for as long as usual."""
    monkeypatch.setattr(broker_module, "ANSWER_SECONDS", 3.0)
    return Broker(rabbitmq_node.url, "crash.events", confirm_ms=500)


def published(stage: Stage) -> int:  # noqa: F811
    with stage.owner.reading() as connection:
        return int(connection.value("SELECT published FROM relay"))


def dead_letter(broker: Broker) -> bool:
    """Whether there was one; it is taken out of its queue."""
    with broker.connect() as connection:
        return broker.topology.dead_queue(COPIER)(connection.channel()).get(no_ack=True) is not None


def test_a_service_declares_its_queues_anew(stage: Stage, broker: Broker, rabbitmq_node: RabbitNode) -> None:  # noqa: F811
    with broker.connect() as connection:
        broker.topology.declare(connection.channel(), COPIER, [OWNER])
    rabbitmq_node.kill()
    rabbitmq_node.start()
    stage.append("cup", *"abc")
    consumer = Consumer(COPIER, broker, stage.inbox(), idle_seconds=0.2)
    with running(stage.relay(broker), consumer):
        until(lambda: consumer.connected, SECONDS)
        until(lambda: published(stage) == 3, SECONDS)  # nothing gets past such a queue, and all of it afterwards
        stage.append("cup", "d")  # what the queue has lost is fetched from the owner
        until(stage.same, SECONDS)
        publisher = Publisher(broker)
        publisher.publish([Outgoing(broker.topology.exchange, f"{OWNER}.Nothing.here", b"{}", "none", CONTENT_TYPE)])
        publisher.close()
        until(lambda: dead_letter(broker), SECONDS)
    stage.assert_equal()
