"""Routes of webhooks and their deliveries.

The id `installation` instead of a tournament means all tournaments. It requires a token for all tournaments.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from services.scoring.feed.places import ALL_GAMES, give_places, last_place
from services.scoring.feed.readers import check_filter, decode_cursor
from services.scoring.handlers import HANDLERS
from services.scoring.webhooks import deliveries
from services.scoring.webhooks.commands import (
    ChangeWebhook,
    DeleteWebhook,
    DisableWebhook,
    EnableWebhook,
    Filter,
    ReplayWebhook,
    RotateWebhookSecret,
    SubscribeWebhook,
    find_webhook,
)
from services.scoring.webhooks.deliveries import (
    AGAIN,
    AT_ONCE,
    BY_WEBHOOK,
    DELIVERY_COLUMNS,
    EVENT,
    PING,
    TARGET,
    VERIFICATION,
    WAITING,
    Delivery,
    delete_deliveries,
    destroy_webhook,
    new_row,
)
from services.scoring.webhooks.management import (
    DeliveryDetails,
    DeliveryView,
    MessageQueued,
    Subscribed,
    WebhookManagement,
    WebhookView,
    delivery_details,
    delivery_view,
    reading_webhooks,
)
from services.scoring.webhooks.protocol import HOUR
from services.scoring.webhooks.subscriptions import decode_caller, encode_caller, webhook_reader
from shared.clock import to_milliseconds
from shared.formats.fold import current_data
from shared.log.database import Connection
from shared.log.event import Recorded
from shared.refusals import Fault, Refusal, expects
from shared.roles import INTEGRATION, OPERATOR, ORGANISER_UP
from shared.service.commands import CommandResult
from shared.service.routes import CommandBlueprint, Made, actor_of, appended_view
from shared.service.views import Appended
from shared.service.wiring import current_part, gateway, service
from shared.tournament.registration import INSTALLATION
from shared.tournament.webhooks import Webhook, WebhookSubscribed
from shared.web.auth import require_caller
from shared.web.blueprint import Blueprint
from shared.web.idempotency import command_ids, key_of
from shared.web.paging import Paged, page, page_of, parse_after, single_page
from shared.web.refusals import IdempotencyKeyReused, InvalidRequest
from shared.web.request import this_request
from shared.web.tokens import Caller

ROUTE = "/tournaments/<id:tournament>/webhooks"
_WEBHOOK = f"{ROUTE}/<id:webhook>"
_KNOWN = ("tournament-unknown", "webhook-unknown", "not-your-webhook", "other-venue")
_MANAGERS = (*ORGANISER_UP, INTEGRATION)

management = current_part(WebhookManagement)
blueprint = CommandBlueprint("webhooks", HANDLERS, description="Webhooks: events posted to an address.")

# authority: the caller on whose authority the webhook sees events, as JSON. feed, opened: its cursor
# (`feed/readers.py`). verified: when the target was verified; 0: not yet. failing: since when every delivery has
# failed; 0: it is not failing. Both are Unix ms.
_UPSERT = """INSERT INTO webhooks (tournament, webhook, target, authority, feed, opened, verified, failing)
    VALUES (:tournament, :webhook, :target, :authority, :feed, :opened, 0, 0)
    ON CONFLICT (tournament, webhook) DO UPDATE SET target = excluded.target, authority = excluded.authority,
        feed = excluded.feed, opened = excluded.opened, verified = 0, failing = 0"""
_BY_KEY = "WHERE tournament = :tournament AND webhook = :webhook"

RowsWriter = Callable[[Connection, Sequence[Recorded]], None]


@blueprint.command(SubscribeWebhook, ROUTE, answer=Subscribed, makes=Made((WebhookSubscribed,), "webhook", _WEBHOOK))
@blueprint.may_refuse(
    *("tournament-unknown", "webhook-target-refused", "venue-unknown", "wrong-tournament"),
    absent=("tournament-unknown",),
)
def subscribe_webhook(command: SubscribeWebhook, tournament: str) -> Subscribed:
    """Subscribe an address to events. Messages are signed as the Standard Webhooks specification says.

    The address first receives a verification and has to answer with the challenge in it. It then receives all events
    from now on at least once, in order within each tournament. Use `installation` instead of a tournament's id for all
    tournaments. A webhook receives what you may see, as long as your token is valid. See the guide to webhooks.
    """
    target = management.check_target(command.url)
    owner = require_caller()
    _check_filter(tournament, command.filter, owner)
    give_places(service.database, service.sources)  # the webhook starts after all present events

    def keep(connection: Connection, recorded: Sequence[Recorded]) -> None:
        webhook = current_data(recorded[0])["webhook"]
        connection.run(
            _UPSERT,
            tournament=tournament,
            webhook=webhook,
            target=management.vault.seal(tournament, webhook, TARGET, target.url),
            authority=encode_caller(owner),
            feed=last_place(connection).feed,
            opened=ALL_GAMES,
        )
        management.vault.put_secret(connection, tournament, webhook, 1, command.secret or management.new_secret(), 0)

    result = _run(tournament, command, keep)
    return _with_secret(tournament, result, 1)


@blueprint.command(ChangeWebhook, _WEBHOOK, method="PATCH", status=200)
@blueprint.versioned
@blueprint.may_refuse(
    *_KNOWN, "webhook-target-refused", "venue-unknown", "wrong-tournament", sent=("tournament-unknown",)
)
def change_webhook(command: ChangeWebhook, tournament: str) -> Appended:
    """Change the name, address, audience or filter of a webhook.

    A new address is verified before it receives events. Waiting deliveries are sent there.
    """
    target = None if command.url is None else management.check_target(command.url)
    if command.filter is not None:
        _check_filter(tournament, command.filter, require_caller())

    def keep(connection: Connection, recorded: Sequence[Recorded]) -> None:
        if target is None:
            return
        of = {"tournament": tournament, "webhook": command.webhook}
        sealed = management.vault.seal(tournament, command.webhook, TARGET, target.url)
        _delete_waiting(connection, tournament, command.webhook, deliveries.VERIFICATION)
        if connection.run(
            f"UPDATE webhooks SET target = :target, verified = 0, failing = 0 {_BY_KEY}", **of, target=sealed
        ):
            return
        # The database was lost with the row, so the webhook starts again where it was subscribed.
        start = management.subscribed_at(connection, tournament, command.webhook)
        connection.run(
            _UPSERT, **of, target=sealed, authority=encode_caller(require_caller()), feed=start, opened=ALL_GAMES
        )
        _new_secret(connection, tournament, command.webhook)

    return appended_view(_run(tournament, command, keep))


@blueprint.command(RotateWebhookSecret, f"{_WEBHOOK}/rotate", answer=Subscribed, required=False)
@blueprint.versioned
@blueprint.may_refuse(*_KNOWN)
def rotate_webhook_secret(command: RotateWebhookSecret, tournament: str) -> Subscribed:
    """Rotate the secret of a webhook. During the overlap, messages also carry a signature of the previous secret."""

    def keep(connection: Connection, recorded: Sequence[Recorded]) -> None:
        number = current_data(recorded[0])["secret"]
        until = to_milliseconds(recorded[0].time) + command.overlap_hours * HOUR
        secret = command.secret or management.new_secret()
        management.vault.put_secret(connection, tournament, command.webhook, number, secret, until)

    result = _run(tournament, command, keep)
    number = current_data(result.events[0])["secret"] if result.events else 0
    return _with_secret(tournament, result, number)


@blueprint.command(EnableWebhook, f"{_WEBHOOK}/enable")
@blueprint.versioned
@blueprint.may_refuse(*_KNOWN, "webhook-target-lost")
def enable_webhook(command: EnableWebhook, tournament: str) -> Appended:
    """Enable a disabled webhook. It continues where it stopped and receives what you may see."""
    owner = require_caller()

    def keep(connection: Connection, recorded: Sequence[Recorded]) -> None:
        enable = f"UPDATE webhooks SET authority = :authority, failing = 0 {_BY_KEY}"
        if not connection.run(enable, tournament=tournament, webhook=command.webhook, authority=encode_caller(owner)):
            raise WebhookTargetLost("Where this webhook leads is lost; change it first: PATCH with `url`.")
        retry = f"""UPDATE webhook_deliveries SET due = :due, attempts = 0
            WHERE {deliveries.BY_WEBHOOK} AND state = 'waiting'"""
        connection.run(retry, **deliveries.key_values((tournament, command.webhook)), due=deliveries.AT_ONCE)

    return appended_view(_run(tournament, command, keep))


@blueprint.command(DisableWebhook, f"{_WEBHOOK}/disable", required=False)
@blueprint.versioned
@blueprint.may_refuse(*_KNOWN)
def disable_webhook(command: DisableWebhook, tournament: str) -> Appended:
    """Disable a webhook. It keeps its position in the feed and continues there when it is enabled."""
    return appended_view(_run(tournament, command))


@blueprint.command(ReplayWebhook, f"{_WEBHOOK}/replay", required=False)
@blueprint.versioned
@blueprint.may_refuse(*_KNOWN, "webhook-target-lost", "invalid-cursor", "feed-cursor-unknown", "feed-cursor-of-another")
def replay_webhook(command: ReplayWebhook, tournament: str) -> Appended:
    """Send all events after a cursor again.

    Give the `feedcursor` of an event that the webhook received, or nothing to start at the beginning. Waiting
    deliveries are included in the replay.
    """
    with reading_webhooks(tournament) as state, service.database.reading() as connection:
        webhook = find_webhook(state, command.webhook, actor_of(require_caller()))
        sql = f"SELECT authority FROM webhooks {_BY_KEY}"
        authority = connection.value(sql, tournament=tournament, webhook=command.webhook)
        if authority is None:
            raise WebhookTargetLost("Where this webhook leads is lost; change it first: PATCH with `url`.")
        reader = webhook_reader(tournament, webhook, decode_caller(authority))
        cursor = decode_cursor(connection, command.after, reader)

    def keep(connection: Connection, recorded: Sequence[Recorded]) -> None:
        move = f"UPDATE webhooks SET feed = :feed, opened = :opened {_BY_KEY}"
        of = {"tournament": tournament, "webhook": command.webhook}
        connection.run(move, **of, feed=cursor.place.feed, opened=cursor.last_game)
        _delete_waiting(connection, tournament, command.webhook, deliveries.EVENT)

    return appended_view(_run(tournament, command, keep))


@blueprint.command(DeleteWebhook, _WEBHOOK, method="DELETE", status=200)
@blueprint.versioned
@blueprint.may_refuse(*_KNOWN)
def delete_webhook(command: DeleteWebhook, tournament: str) -> Appended:
    """Delete a webhook. Its address, secrets and deliveries are destroyed. Its events in the log stay."""

    def keep(connection: Connection, recorded: Sequence[Recorded]) -> None:
        destroy_webhook(connection, tournament, command.webhook)

    answer = appended_view(_run(tournament, command, keep))
    service.database.truncate_journal()
    return answer


@blueprint.get(ROUTE)
@blueprint.allow(*_MANAGERS)
@blueprint.response(200, page_of(WebhookView))
@blueprint.may_refuse("tournament-unknown")
def list_webhooks(tournament: str) -> dict[str, Any]:
    """List webhooks, oldest first. An integration sees only its own."""
    viewer = require_caller()
    with reading_webhooks(tournament) as state, service.database.reading() as connection:
        visible = [
            webhook
            for webhook in state.webhooks.by_id.values()
            if viewer.role != INTEGRATION or webhook.owner == viewer.actor
        ]
        return single_page([management.view(connection, tournament, webhook) for webhook in visible])


@blueprint.get(_WEBHOOK)
@blueprint.allow(*_MANAGERS)
@blueprint.response(200, WebhookView)
@blueprint.may_refuse(*_KNOWN[:3])
def show_webhook(tournament: str, webhook: str) -> WebhookView:
    """Show a webhook with its status and its numbers of waiting and dead deliveries."""
    with reading_webhooks(tournament) as state, service.database.reading() as connection:
        return management.view(connection, tournament, find_webhook(state, webhook, actor_of(require_caller())))


def _run(tournament: str, command: Any, write: RowsWriter | None = None) -> CommandResult:
    return gateway.command(tournament, command, inline_write=write, creates_tournament=tournament == INSTALLATION)


def _with_secret(tournament: str, result: CommandResult, number: int) -> Subscribed:
    """Return the answer with the secret of a number, if that still exists."""
    answer, secret = appended_view(result), None
    if result.events:
        webhook = current_data(result.events[0])["webhook"]
        with service.database.reading() as connection:
            secret = management.vault.secret(connection, tournament, webhook, number)
    return Subscribed(id=answer.id, events=answer.events, secret=UNSET if secret is None else secret)


def _delete_waiting(connection: Connection, tournament: str, webhook: str, kind: str) -> None:
    """Delete the waiting deliveries of one kind."""
    condition = f"{deliveries.BY_WEBHOOK} AND state = 'waiting' AND kind = :kind"
    delete_deliveries(connection, condition, **deliveries.key_values((tournament, webhook)), kind=kind)


def _new_secret(connection: Connection, tournament: str, webhook: str) -> None:
    """Store a random secret for a webhook that lost its own. Only a rotation reveals a secret to the owner."""
    management.vault.put_secret(connection, tournament, webhook, 0, management.new_secret(), 0)


def _check_filter(tournament: str, filter: Filter, owner: Caller) -> None:
    """Check a filter as `check_filter` does. A webhook of one tournament cannot filter by tournament or season."""
    if tournament != INSTALLATION:
        faults = [
            Fault(f"/filter/{name}", value, expects("no-filter-of-tournament"))
            for name in ("tournament", "season")
            if (value := getattr(filter, name))
        ]
        if faults:
            raise InvalidRequest("A webhook of one tournament has no such filter.", faults)
        filter = msgspec.structs.replace(filter, tournament=tournament)
    check_filter(filter, owner)


DELIVERIES_ROUTE = f"{_WEBHOOK}/deliveries"
REFUSED = _KNOWN[:3]
"""Refusals of the routes that only read."""

deliveries_blueprint = Blueprint("deliveries", description="Deliveries of webhooks and their attempts.")


class DeliveriesQuery(Paged, frozen=True, kw_only=True):
    """Query of deliveries."""

    state: Annotated[
        Literal["waiting", "delivered", "dead"] | UnsetType,
        "Include only deliveries in this state. `dead`: all attempts failed.",
    ] = UNSET


@deliveries_blueprint.get(DELIVERIES_ROUTE)
@deliveries_blueprint.allow(*_MANAGERS)
@deliveries_blueprint.arguments(DeliveriesQuery, location="query")
@deliveries_blueprint.response(200, page_of(DeliveryView))
@deliveries_blueprint.may_refuse(*REFUSED)
def list_deliveries(query: DeliveriesQuery, tournament: str, webhook: str) -> Any:
    """List the deliveries of a webhook, newest first.

    The latest 1000 delivered and the latest 1000 dead ones are kept, for up to 30 days.
    """
    _managed_webhook(tournament, webhook)
    after = parse_after(query.after, int)
    where = f"FROM webhook_deliveries WHERE {BY_WEBHOOK}" + ("" if query.state is UNSET else " AND state = :state")
    values = {**deliveries.key_values((tournament, webhook)), "state": query.state}
    select = f"SELECT {DELIVERY_COLUMNS} {where}{' AND id < :after' if after else ''} ORDER BY id DESC LIMIT :limit"
    with service.database.reading() as connection:
        rows = connection.rows(select, **values, after=after[0] if after else 0, limit=query.limit + 1)
        total = connection.value(f"SELECT count(*) {where}", **values)
        listed = [Delivery(*row) for row in rows[: query.limit]]
        # In this order, dict() keeps the last attempt of each delivery.
        attempts = "SELECT delivery, fault FROM webhook_attempts WHERE delivery IN (:ids) ORDER BY id"
        faults = dict(connection.rows(attempts, ids=[delivery.id for delivery in listed]))
    last = (listed[-1].id,) if len(rows) > len(listed) else None
    return page([delivery_view(delivery, faults.get(delivery.id, "")) for delivery in listed], last, total)


@deliveries_blueprint.get(f"{DELIVERIES_ROUTE}/<number:delivery>")
@deliveries_blueprint.allow(*_MANAGERS)
@deliveries_blueprint.response(200, DeliveryDetails)
@deliveries_blueprint.may_refuse(*REFUSED, "delivery-unknown")
def show_delivery(tournament: str, webhook: str, delivery: int) -> DeliveryDetails:
    """Show a delivery with its message and all attempts."""
    managed = _managed_webhook(tournament, webhook)
    select_attempts = """SELECT time, status, milliseconds, fault, response, private FROM webhook_attempts
        WHERE delivery = :id ORDER BY id"""
    where = "SELECT target FROM webhooks WHERE tournament = :tournament AND webhook = :webhook"
    with service.database.reading() as connection:
        row = _find_delivery(connection, tournament, webhook, delivery)
        attempts = connection.rows(select_attempts, id=row.id)
        target = connection.value(where, tournament=tournament, webhook=webhook)
    message = management.messages.build(managed, row)
    headers = {"webhook-id": row.message, deliveries.LABEL_HEADER: deliveries.webhook_label((tournament, webhook))}
    if message is not None:
        headers["content-type"] = message.content_type
    origin = "" if target is None else management.origin(tournament, webhook, target)
    in_full = require_caller().role == OPERATOR
    return delivery_details(row, headers, message.body if message else None, origin, attempts, in_full=in_full)


@deliveries_blueprint.post(f"{DELIVERIES_ROUTE}/<number:delivery>/resend")
@deliveries_blueprint.allow(*_MANAGERS)
@deliveries_blueprint.response(202, MessageQueued)
@deliveries_blueprint.may_refuse(*REFUSED, "delivery-unknown", "webhook-disabled")
def resend_delivery(tournament: str, webhook: str, delivery: int) -> MessageQueued:
    """Resend a message that was delivered or is dead. It is sent independently of all other deliveries."""
    _require_enabled(_managed_webhook(tournament, webhook))
    with service.database.writing() as connection:
        row = _find_delivery(connection, tournament, webhook, delivery)
        if row.kind in (EVENT, AGAIN) and row.state != WAITING:
            again = """UPDATE webhook_deliveries
                SET state = :state, kind = :kind, attempts = 0, due = :due, finished = 0 WHERE id = :id"""
            connection.run(again, id=row.id, state=WAITING, kind=AGAIN, due=AT_ONCE)
        elif row.state == WAITING:
            connection.run("UPDATE webhook_deliveries SET due = :due WHERE id = :id", id=row.id, due=AT_ONCE)
        else:
            fault = Fault("/delivery", str(delivery), expects("delivery-of-event"))
            raise DeliveryUnknown("A ping is sent anew: POST …/ping.", [fault])
    return MessageQueued(id=row.id)


@deliveries_blueprint.post(f"{_WEBHOOK}/ping")
@deliveries_blueprint.allow(*_MANAGERS)
@deliveries_blueprint.response(202, MessageQueued)
@deliveries_blueprint.may_refuse(*REFUSED, "webhook-disabled")
def ping_webhook(tournament: str, webhook: str) -> MessageQueued:
    """Send a test message of the type `webhook.ping`. An unverified address receives the verification again.

    Without an Idempotency-Key, a ping that is still waiting is sent once. With a key, one ping is sent for each key.
    """
    _require_enabled(_managed_webhook(tournament, webhook))
    now, key, ids = to_milliseconds(service.clock()), (tournament, webhook), command_ids(require_caller())
    request_id = {"idempotency_key": key_of(ids[0]) or ""}
    request_id["request"] = ids[0] if request_id["idempotency_key"] else ""
    with service.database.writing() as connection:
        sql = "SELECT verified FROM webhooks WHERE tournament = :tournament AND webhook = :webhook"
        rows = connection.lock_rows(sql, tournament=tournament, webhook=webhook)
        if (earlier := _earlier_ping(connection, tournament, ids)) is not None:
            return MessageQueued(id=earlier)
        kind = PING if rows and rows[0][0] else VERIFICATION
        waiting = f"""{BY_WEBHOOK} AND state = 'waiting' AND kind = :kind AND idempotency_key = :idempotency_key
            AND request = :request"""
        values = {**deliveries.key_values(key), "kind": kind, **request_id}
        if not connection.run(f"UPDATE webhook_deliveries SET due = :due WHERE {waiting}", **values, due=AT_ONCE):
            deliveries.insert_deliveries(connection, [new_row(key, kind, now, due=AT_ONCE, **request_id)])
        id = connection.value(f"SELECT max(id) FROM webhook_deliveries WHERE {waiting}", **values)
    return MessageQueued(id=id)


def _earlier_ping(connection: Connection, tournament: str, ids: Sequence[str]) -> int | None:
    """Return the delivery of an earlier request with the same key, if any. Raises IdempotencyKeyReused."""
    if (key := key_of(ids[0])) is None:
        return None
    sql = "SELECT request, id FROM webhook_deliveries WHERE subscriber = :tournament AND idempotency_key = :key"
    deliveries_by_request = dict(connection.rows(sql, tournament=tournament, key=key))
    earlier = next((deliveries_by_request[id] for id in ids if id in deliveries_by_request), None)
    if deliveries_by_request and earlier is None:
        raise IdempotencyKeyReused("This Idempotency-Key was used before, with another request.", key=key)
    this_request().edge.replayed = earlier is not None
    return earlier


def _managed_webhook(tournament: str, webhook: str) -> Webhook:
    """Return a webhook that the caller may manage. Raises the exceptions of `reading_webhooks` and `find_webhook`."""
    with reading_webhooks(tournament) as state:
        return find_webhook(state, webhook, actor_of(require_caller()))


def _require_enabled(webhook: Webhook) -> None:
    if not webhook.enabled:
        raise WebhookDisabled("The webhook is disabled; enable it first: POST …/enable.", cause=webhook.cause)


def _find_delivery(connection: Connection, tournament: str, webhook: str, delivery: int) -> Delivery:
    sql = f"SELECT {DELIVERY_COLUMNS} FROM webhook_deliveries WHERE {BY_WEBHOOK} AND id = :id"
    row = connection.first(sql, **deliveries.key_values((tournament, webhook)), id=delivery)
    if row is None:
        fault = Fault("/delivery", str(delivery), expects("kept-delivery"))
        raise DeliveryUnknown(f"No delivery {delivery} is kept.", [fault])
    return Delivery(*row)


class DeliveryUnknown(Refusal):
    """The webhook has no such delivery, or the delivery is no longer kept."""

    code = "delivery-unknown"


class WebhookDisabled(Refusal):
    """The webhook is disabled; data: `cause`."""

    code = "webhook-disabled"


class WebhookTargetLost(Refusal):
    """The address was lost with the database of scoring. It has to be set again."""

    code = "webhook-target-lost"
