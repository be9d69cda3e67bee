"""Routes of webhooks and of their deliveries.

`installation` in place of a tournament's id means all tournaments, for tokens that are valid for all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from services.scoring.feed.places import ALL, end_of, give_places
from services.scoring.feed.readers import check_filter, read_cursor
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
    webhook_of,
)
from services.scoring.webhooks.deliveries import (
    AGAIN,
    AT_ONCE,
    DELIVERY,
    EVENT,
    OF_WEBHOOK,
    PING,
    TARGET,
    VERIFICATION,
    WAITING,
    Delivery,
    destroy,
    forget_deliveries,
    row_of,
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
    loaded_webhooks,
)
from services.scoring.webhooks.protocol import HOUR
from services.scoring.webhooks.subscriptions import caller_of, kept, reader_for
from shared.clock import milliseconds_of
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
from shared.web.auth import caller
from shared.web.blueprint import Blueprint
from shared.web.idempotency import command_ids, key_of
from shared.web.paging import Paged, page, page_of, parse_after, single_page
from shared.web.refusals import IdempotencyKeyReused, InvalidRequest
from shared.web.request import this_request
from shared.web.tokens import Caller

ROUTE = "/tournaments/<id:tournament>/webhooks"
ONE = f"{ROUTE}/<id:webhook>"
KNOWN = ("tournament-unknown", "webhook-unknown", "not-your-webhook", "other-venue")
MANAGE = (*ORGANISER_UP, INTEGRATION)

management = current_part(WebhookManagement)
blueprint = CommandBlueprint("webhooks", HANDLERS, description="Who is told over HTTP of what happens.")

# authority: the caller by whose right the webhook sees what it sees, as JSON. feed, opened: how far it has read, as of
# `feed/readers.py`. verified: when its target said that it wants this; 0: not yet. failing: since when nothing has
# arrived; 0: it does. Both are Unix ms.
_PUT = """INSERT INTO webhooks (tournament, webhook, target, authority, feed, opened, verified, failing)
    VALUES (:tournament, :webhook, :target, :authority, :feed, :opened, 0, 0)
    ON CONFLICT (tournament, webhook) DO UPDATE SET target = excluded.target, authority = excluded.authority,
        feed = excluded.feed, opened = excluded.opened, verified = 0, failing = 0"""
_OF = "WHERE tournament = :tournament AND webhook = :webhook"

Rows = Callable[[Connection, Sequence[Recorded]], None]


@blueprint.command(SubscribeWebhook, ROUTE, answer=Subscribed, makes=Made((WebhookSubscribed,), "webhook", ONE))
@blueprint.may_refuse(
    *("tournament-unknown", "webhook-target-refused", "venue-unknown", "wrong-tournament"),
    absent=("tournament-unknown",),
)
def subscribe_webhook(command: SubscribeWebhook, tournament: str) -> Subscribed:
    """Have what happens posted to an address, signed by the Standard Webhooks specification.

    The address is first sent a message that it has to answer with the challenge in it. Then it is told of everything
    from now on, tournament by tournament in order, at least once. `installation` in place of a tournament's id: of
    all tournaments. It sees what you may see, for as long as your token is good; see the page on webhooks.
    """
    target = management.target(command.url)
    who = caller()
    _check_filter(tournament, command.filter, who)
    give_places(service.database, service.sources)  # so that it begins behind all that there is

    def keep(connection: Connection, recorded: Sequence[Recorded]) -> None:
        webhook = current_data(recorded[0])["webhook"]
        connection.run(
            _PUT,
            tournament=tournament,
            webhook=webhook,
            target=management.vault.seal(tournament, webhook, TARGET, target.url),
            authority=kept(who),
            feed=end_of(connection).feed,
            opened=ALL,
        )
        management.vault.put_secret(connection, tournament, webhook, 1, command.secret or management.new_secret(), 0)

    result = _run(tournament, command, keep)
    return _with_secret(tournament, result, 1)


@blueprint.command(ChangeWebhook, ONE, method="PATCH", status=200)
@blueprint.versioned
@blueprint.may_refuse(
    *KNOWN, "webhook-target-refused", "venue-unknown", "wrong-tournament", sent=("tournament-unknown",)
)
def change_webhook(command: ChangeWebhook, tournament: str) -> Appended:
    """Change what a webhook is called, where it leads, or what it is told of.

    A new address is sent a verification of its own before it is told anything; what waits for delivery goes there.
    """
    target = None if command.url is None else management.target(command.url)
    if command.filter is not None:
        _check_filter(tournament, command.filter, caller())

    def keep(connection: Connection, recorded: Sequence[Recorded]) -> None:
        if target is None:
            return
        of = {"tournament": tournament, "webhook": command.webhook}
        sealed = management.vault.seal(tournament, command.webhook, TARGET, target.url)
        _forget_waiting(connection, tournament, command.webhook, deliveries.VERIFICATION)
        if connection.run(
            f"UPDATE webhooks SET target = :target, verified = 0, failing = 0 {_OF}", **of, target=sealed
        ):
            return
        # The database was lost with the row: from where it began, everything comes once more.
        begun = management.begun_at(connection, tournament, command.webhook)
        connection.run(_PUT, **of, target=sealed, authority=kept(caller()), feed=begun, opened=ALL)
        _new_secret(connection, tournament, command.webhook)

    return appended_view(_run(tournament, command, keep), tournament)


@blueprint.command(RotateWebhookSecret, f"{ONE}/rotate", answer=Subscribed, required=False)
@blueprint.versioned
@blueprint.may_refuse(*KNOWN)
def rotate_webhook_secret(command: RotateWebhookSecret, tournament: str) -> Subscribed:
    """Give a webhook a new secret. Until the overlap is over, every message has a signature of the old one, too."""

    def keep(connection: Connection, recorded: Sequence[Recorded]) -> None:
        number = current_data(recorded[0])["secret"]
        until = milliseconds_of(recorded[0].time) + command.overlap_hours * HOUR
        secret = command.secret or management.new_secret()
        management.vault.put_secret(connection, tournament, command.webhook, number, secret, until)

    result = _run(tournament, command, keep)
    number = current_data(result.events[0])["secret"] if result.events else 0
    return _with_secret(tournament, result, number)


@blueprint.command(EnableWebhook, f"{ONE}/enable")
@blueprint.versioned
@blueprint.may_refuse(*KNOWN, "webhook-target-lost")
def enable_webhook(command: EnableWebhook, tournament: str) -> Appended:
    """Enable a webhook that was disabled; it goes on where it stopped, and sees what you may see from now on."""
    who = caller()

    def keep(connection: Connection, recorded: Sequence[Recorded]) -> None:
        enable = f"UPDATE webhooks SET authority = :authority, failing = 0 {_OF}"
        if not connection.run(enable, tournament=tournament, webhook=command.webhook, authority=kept(who)):
            raise WebhookTargetLost("Where this webhook leads is lost; change it first: PATCH with `url`.")
        retry = f"""UPDATE webhook_deliveries SET due = :due, attempts = 0
            WHERE {deliveries.OF_WEBHOOK} AND state = 'waiting'"""
        connection.run(retry, **deliveries.of_webhook((tournament, command.webhook)), due=deliveries.AT_ONCE)

    return appended_view(_run(tournament, command, keep), tournament)


@blueprint.command(DisableWebhook, f"{ONE}/disable", required=False)
@blueprint.versioned
@blueprint.may_refuse(*KNOWN)
def disable_webhook(command: DisableWebhook, tournament: str) -> Appended:
    """Disable a webhook; it keeps its place, and goes on from there when it is enabled."""
    return appended_view(_run(tournament, command), tournament)


@blueprint.command(ReplayWebhook, f"{ONE}/replay", required=False)
@blueprint.versioned
@blueprint.may_refuse(*KNOWN, "webhook-target-lost", "invalid-cursor", "feed-cursor-unknown", "feed-cursor-of-another")
def replay_webhook(command: ReplayWebhook, tournament: str) -> Appended:
    """Send everything once more from a place of the feed on: behind the `feedcursor` of an event that was sent, or from
    the beginning. What waits for delivery is taken up into it.
    """
    with loaded_webhooks(tournament) as state, service.database.reading() as connection:
        webhook = webhook_of(state, command.webhook, actor_of(caller()))
        sql = f"SELECT authority FROM webhooks {_OF}"
        authority = connection.value(sql, tournament=tournament, webhook=command.webhook)
        if authority is None:
            raise WebhookTargetLost("Where this webhook leads is lost; change it first: PATCH with `url`.")
        reader = reader_for(tournament, webhook, caller_of(authority))
        read = read_cursor(connection, command.after, reader)

    def keep(connection: Connection, recorded: Sequence[Recorded]) -> None:
        move = f"UPDATE webhooks SET feed = :feed, opened = :opened {_OF}"
        of = {"tournament": tournament, "webhook": command.webhook}
        connection.run(move, **of, feed=read.place.feed, opened=read.opened)
        _forget_waiting(connection, tournament, command.webhook, deliveries.EVENT)

    return appended_view(_run(tournament, command, keep), tournament)


@blueprint.command(DeleteWebhook, ONE, method="DELETE", status=200)
@blueprint.versioned
@blueprint.may_refuse(*KNOWN)
def delete_webhook(command: DeleteWebhook, tournament: str) -> Appended:
    """Delete a webhook. Where it led, its secrets and its list of deliveries are destroyed; its events stay."""

    def keep(connection: Connection, recorded: Sequence[Recorded]) -> None:
        destroy(connection, tournament, command.webhook)

    answer = appended_view(_run(tournament, command, keep), tournament)
    service.database.forget_removed()
    return answer


@blueprint.get(ROUTE)
@blueprint.allow(*MANAGE)
@blueprint.response(200, page_of(WebhookView))
@blueprint.may_refuse("tournament-unknown")
def list_webhooks(tournament: str) -> dict[str, Any]:
    """List webhooks, oldest first; an integration is shown its own."""
    who = caller()
    with loaded_webhooks(tournament) as state, service.database.reading() as connection:
        mine = [
            webhook
            for webhook in state.webhooks.by_id.values()
            if who.role != INTEGRATION or webhook.owner == who.actor
        ]
        return single_page([management.view(connection, tournament, webhook) for webhook in mine])


@blueprint.get(ONE)
@blueprint.allow(*MANAGE)
@blueprint.response(200, WebhookView)
@blueprint.may_refuse(*KNOWN[:3])
def show_webhook(tournament: str, webhook: str) -> WebhookView:
    """Show a webhook: how it is, since when, and how much waits."""
    with loaded_webhooks(tournament) as state, service.database.reading() as connection:
        return management.view(connection, tournament, webhook_of(state, webhook, actor_of(caller())))


def _run(tournament: str, command: Any, also: Rows | None = None) -> CommandResult:
    return gateway.command(tournament, command, inline_write=also, creates_tournament=tournament == INSTALLATION)


def _with_secret(tournament: str, result: CommandResult, number: int) -> Subscribed:
    """The answer with the secret that the command made or took, as long as it is there."""
    answer, secret = appended_view(result, tournament), None
    if result.events:
        webhook = current_data(result.events[0])["webhook"]
        with service.database.reading() as connection:
            secret = management.vault.secret(connection, tournament, webhook, number)
    return Subscribed(id=answer.id, events=answer.events, secret=UNSET if secret is None else secret)


def _forget_waiting(connection: Connection, tournament: str, webhook: str, kind: str) -> None:
    """Remove the deliveries of one kind that have not arrived."""
    condition = f"{deliveries.OF_WEBHOOK} AND state = 'waiting' AND kind = :kind"
    forget_deliveries(connection, condition, **deliveries.of_webhook((tournament, webhook)), kind=kind)


def _new_secret(connection: Connection, tournament: str, webhook: str) -> None:
    """A secret for what has lost its own; nobody knows it before the next rotation."""
    management.vault.put_secret(connection, tournament, webhook, 0, management.new_secret(), 0)


def _check_filter(tournament: str, filter: Filter, who: Caller) -> None:
    """Raise as `check_filter`, and InvalidRequest if a webhook of one tournament selects others."""
    if tournament != INSTALLATION:
        faults = [
            Fault(f"/filter/{name}", said, expects("no-filter-of-tournament"))
            for name in ("tournament", "season")
            if (said := getattr(filter, name))
        ]
        if faults:
            raise InvalidRequest("A webhook of one tournament has no such filter.", faults)
        filter = msgspec.structs.replace(filter, tournament=tournament)
    check_filter(filter, who)


DELIVERIES_ROUTE = f"{ONE}/deliveries"
REFUSED = KNOWN[:3]
"""What is refused about a webhook by whoever only looks."""

deliveries_blueprint = Blueprint("deliveries", description="What webhooks were sent, and what came of it.")


class DeliveriesQuery(Paged, frozen=True, kw_only=True):
    """Which deliveries."""

    state: Annotated[
        Literal["waiting", "delivered", "dead"] | UnsetType, "Only those in this state; dead: the dead letters."
    ] = UNSET


@deliveries_blueprint.get(DELIVERIES_ROUTE)
@deliveries_blueprint.allow(*MANAGE)
@deliveries_blueprint.arguments(DeliveriesQuery, location="query")
@deliveries_blueprint.response(200, page_of(DeliveryView))
@deliveries_blueprint.may_refuse(*REFUSED)
def list_deliveries(query: DeliveriesQuery, tournament: str, webhook: str) -> Any:
    """List the deliveries of a webhook, newest first. The latest 1000 that arrived are kept, and those of 30 days."""
    _managed(tournament, webhook)
    after = parse_after(query.after, int)
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


@deliveries_blueprint.get(f"{DELIVERIES_ROUTE}/<number:delivery>")
@deliveries_blueprint.allow(*MANAGE)
@deliveries_blueprint.response(200, DeliveryDetails)
@deliveries_blueprint.may_refuse(*REFUSED, "delivery-unknown")
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


@deliveries_blueprint.post(f"{DELIVERIES_ROUTE}/<number:delivery>/resend")
@deliveries_blueprint.allow(*MANAGE)
@deliveries_blueprint.response(202, MessageQueued)
@deliveries_blueprint.may_refuse(*REFUSED, "delivery-unknown", "webhook-disabled")
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


@deliveries_blueprint.post(f"{ONE}/ping")
@deliveries_blueprint.allow(*MANAGE)
@deliveries_blueprint.response(202, MessageQueued)
@deliveries_blueprint.may_refuse(*REFUSED, "webhook-disabled")
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
        return webhook_of(state, webhook, actor_of(caller()))


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


class DeliveryUnknown(Refusal):
    """The webhook has no such delivery, or it was so long ago that nothing is kept of it."""

    code = "delivery-unknown"


class WebhookDisabled(Refusal):
    """It is disabled, and so it is sent nothing; data: `cause`."""

    code = "webhook-disabled"


class WebhookTargetLost(Refusal):
    """Where it leads is not known any more: scoring's database was lost with it. It has to be given again."""

    code = "webhook-target-lost"
