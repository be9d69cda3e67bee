"""Routes of deliveries: what was sent and what came of it; once more; and a test."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from msgspec import UNSET, UnsetType

from services.scoring.webhooks import deliveries
from services.scoring.webhooks.decide import webhook_of
from services.scoring.webhooks.deliveries import (
    AGAIN,
    AT_ONCE,
    DELIVERY,
    EVENT,
    OF_WEBHOOK,
    PING,
    VERIFICATION,
    WAITING,
    Delivery,
    row_of,
)
from services.scoring.webhooks.management import WebhookManagement, loaded_webhooks
from services.scoring.webhooks.refusals import DeliveryUnknown, WebhookDisabled
from services.scoring.webhooks.routes import KNOWN, MANAGE, ONE
from services.scoring.webhooks.views import (
    DeliveryDetails,
    DeliveryView,
    MessageQueued,
    delivery_details,
    delivery_view,
)
from shared.clock import milliseconds_of
from shared.log.database import Connection
from shared.refusals import Fault, expects
from shared.roles import OPERATOR
from shared.service.gateway import by_of
from shared.service.wiring import service, wired
from shared.tournament.webhooks import Webhook
from shared.web.auth import caller
from shared.web.blueprint import Blueprint
from shared.web.idempotency import command_ids, key_of
from shared.web.paging import Paged, begins_after, page, page_of
from shared.web.refusals import IdempotencyKeyReused
from shared.web.request import this_request

ROUTE = f"{ONE}/deliveries"
REFUSED = KNOWN[:3]
"""What is refused about a webhook by whoever only looks."""

management = wired(WebhookManagement)
blueprint = Blueprint("deliveries", description="What webhooks were sent, and what came of it.")


class DeliveriesQuery(Paged, frozen=True, kw_only=True):
    """Which deliveries."""

    state: Annotated[
        Literal["waiting", "delivered", "dead"] | UnsetType, "Only those in this state; dead: the dead letters."
    ] = UNSET


@blueprint.get(ROUTE)
@blueprint.allow(*MANAGE)
@blueprint.arguments(DeliveriesQuery, location="query")
@blueprint.response(200, page_of(DeliveryView))
@blueprint.may_refuse(*REFUSED)
def list_deliveries(query: DeliveriesQuery, tournament: str, webhook: str) -> Any:
    """List the deliveries of a webhook, newest first. The latest 1000 that arrived are kept, and those of 30 days."""
    _managed(tournament, webhook)
    after = begins_after(query.after, int)
    where = f"FROM webhook_deliveries WHERE {OF_WEBHOOK}" + ("" if query.state is UNSET else " AND state = :state")
    values = {**deliveries.of_webhook((tournament, webhook)), "state": query.state}
    following = f"SELECT {DELIVERY} {where}{' AND id < :after' if after else ''} ORDER BY id DESC LIMIT :limit"
    with service.database.reading() as connection:
        rows = connection.rows(following, **values, after=after[0] if after else 0, limit=query.limit + 1)
        total = connection.value(f"SELECT count(*) {where}", **values)
        found = [Delivery(*row) for row in rows[: query.limit]]
        # In their order, so that the last attempt of each is the one that stays.
        attempts = "SELECT delivery, fault FROM webhook_attempts WHERE delivery IN (:ids) ORDER BY id"
        faults = dict(connection.rows(attempts, ids=[delivery.id for delivery in found]))
    last = (found[-1].id,) if len(rows) > len(found) else None
    return page([delivery_view(delivery, faults.get(delivery.id, "")) for delivery in found], last, total)


@blueprint.get(f"{ROUTE}/<number:delivery>")
@blueprint.allow(*MANAGE)
@blueprint.response(200, DeliveryDetails)
@blueprint.may_refuse(*REFUSED, "delivery-unknown")
def show_delivery(tournament: str, webhook: str, delivery: int) -> DeliveryDetails:
    """Show a delivery with its message, and with what came of each attempt."""
    managed = _managed(tournament, webhook)
    tried = """SELECT time, status, milliseconds, fault, response, private FROM webhook_attempts
        WHERE delivery = :id ORDER BY id"""
    where = "SELECT target FROM webhooks WHERE tournament = :tournament AND webhook = :webhook"
    with service.database.reading() as connection:
        found = _delivery(connection, tournament, webhook, delivery)
        attempts = connection.rows(tried, id=found.id)
        target = connection.value(where, tournament=tournament, webhook=webhook)
    message = management.messages.of(managed, found)
    headers = {"webhook-id": found.message, deliveries.WEBHOOK_OF: deliveries.webhook_of((tournament, webhook))}
    if message is not None:
        headers["content-type"] = message.content_type
    origin = "" if target is None else management.origin(tournament, webhook, target)
    in_full = caller().role == OPERATOR
    return delivery_details(found, headers, message.body if message else None, origin, attempts, in_full=in_full)


@blueprint.post(f"{ROUTE}/<number:delivery>/resend")
@blueprint.allow(*MANAGE)
@blueprint.response(202, MessageQueued)
@blueprint.may_refuse(*REFUSED, "delivery-unknown", "webhook-disabled")
def resend_delivery(tournament: str, webhook: str, delivery: int) -> MessageQueued:
    """Send a message once more, whether it arrived or was given up. It waits for no other, and none waits for it."""
    _enabled(_managed(tournament, webhook))
    with service.database.writing() as connection:
        found = _delivery(connection, tournament, webhook, delivery)
        if found.kind in (EVENT, AGAIN) and found.state != WAITING:
            again = """UPDATE webhook_deliveries
                SET state = :state, kind = :kind, attempts = 0, due = :due, finished = 0 WHERE id = :id"""
            connection.run(again, id=found.id, state=WAITING, kind=AGAIN, due=AT_ONCE)
        elif found.state == WAITING:
            connection.run("UPDATE webhook_deliveries SET due = :due WHERE id = :id", id=found.id, due=AT_ONCE)
        else:
            fault = Fault("/delivery", str(delivery), expects("delivery-of-event"))
            raise DeliveryUnknown("A ping is sent anew: POST …/ping.", [fault])
    return MessageQueued(id=found.id)


@blueprint.post(f"{ONE}/ping")
@blueprint.allow(*MANAGE)
@blueprint.response(202, MessageQueued)
@blueprint.may_refuse(*REFUSED, "webhook-disabled")
def ping_webhook(tournament: str, webhook: str) -> MessageQueued:
    """Send a test message now, of the type `webhook.ping`; to a target that is not verified, the verification again.

    Without an Idempotency-Key one that waits is not sent twice; with a key none is sent twice for that key.
    """
    _enabled(_managed(tournament, webhook))
    now, key, ids = milliseconds_of(service.clock()), (tournament, webhook), command_ids(caller())
    asked = {"idempotency_key": key_of(ids[0]) or ""}
    asked["request"] = ids[0] if asked["idempotency_key"] else ""
    with service.database.writing() as connection:
        sql = "SELECT verified FROM webhooks WHERE tournament = :tournament AND webhook = :webhook"
        rows = connection.locked(sql, tournament=tournament, webhook=webhook)
        if (earlier := _asked_before(connection, tournament, ids)) is not None:
            return MessageQueued(id=earlier)
        kind = PING if rows and rows[0][0] else VERIFICATION
        waiting = f"""{OF_WEBHOOK} AND state = 'waiting' AND kind = :kind AND idempotency_key = :idempotency_key
            AND request = :request"""
        values = {**deliveries.of_webhook(key), "kind": kind, **asked}
        if not connection.run(f"UPDATE webhook_deliveries SET due = :due WHERE {waiting}", **values, due=AT_ONCE):
            deliveries.insert(connection, [row_of(key, kind, now, due=AT_ONCE, **asked)])
        id = connection.value(f"SELECT max(id) FROM webhook_deliveries WHERE {waiting}", **values)
    return MessageQueued(id=id)


def _asked_before(connection: Connection, tournament: str, ids: Sequence[str]) -> int | None:
    """The delivery that the same request asked for, if it came with a key and before. Raises IdempotencyKeyReused."""
    if (key := key_of(ids[0])) is None:
        return None
    sql = "SELECT request, id FROM webhook_deliveries WHERE subscriber = :tournament AND idempotency_key = :key"
    found = dict(connection.rows(sql, tournament=tournament, key=key))
    earlier = next((found[id] for id in ids if id in found), None)
    if found and earlier is None:
        raise IdempotencyKeyReused("This Idempotency-Key was used before, with another request.", key=key)
    this_request().edge.replayed = earlier is not None
    return earlier


def _managed(tournament: str, webhook: str) -> Webhook:
    """A webhook of the caller's. Raises as `loaded_webhooks` and `webhook_of`."""
    with loaded_webhooks(tournament) as state:
        return webhook_of(state, webhook, by_of(caller()))


def _enabled(webhook: Webhook) -> None:
    if not webhook.enabled:
        raise WebhookDisabled("The webhook is disabled; enable it first: POST …/enable.", cause=webhook.cause)


def _delivery(connection: Connection, tournament: str, webhook: str, delivery: int) -> Delivery:
    sql = f"SELECT {DELIVERY} FROM webhook_deliveries WHERE {OF_WEBHOOK} AND id = :id"
    row = connection.one(sql, **deliveries.of_webhook((tournament, webhook)), id=delivery)
    if row is None:
        fault = Fault("/delivery", str(delivery), expects("kept-delivery"))
        raise DeliveryUnknown(f"No delivery {delivery} is kept.", [fault])
    return Delivery(*row)
