"""Management of webhooks: the views of their routes, target checks, secrets."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Annotated, Any, Literal

import msgspec
import orjson
from msgspec import UNSET, UnsetType

from services.scoring.feed.places import feed_position, place_at
from services.scoring.feed.readers import Cursor, encode_cursor
from services.scoring.webhooks import deliveries
from services.scoring.webhooks.deliveries import DEAD, TARGET, WAITING, Delivery, DeliveryState, Messages, WebhookVault
from services.scoring.webhooks.protocol import FAULTS, format_secret
from services.scoring.webhooks.resolving import look_up
from services.scoring.webhooks.subscriptions import decode_caller, webhook_reader
from services.scoring.webhooks.targets import Address, Target, TargetFault, TargetRules
from shared.clock import format_utc, to_milliseconds
from shared.formats.fold import current_data
from shared.keys import CannotOpen
from shared.log.database import Connection
from shared.log.reading import events_of_type
from shared.refusals import Fault, Refusal
from shared.service.views import Appended
from shared.service.visibility import require_own_tournament
from shared.service.wiring import gateway, service
from shared.shapes import View
from shared.tournament.registration import INSTALLATION
from shared.tournament.state import Tournament
from shared.tournament.webhooks import EventFilter, Webhook
from shared.web.auth import require_caller
from shared.web.schema import convert

Status = Literal["unverified", "enabled", "failing", "disabled", "target_lost"]


class FilterView(EventFilter, View, frozen=True, kw_only=True, forbid_unknown_fields=False, omit_defaults=False):
    """The filter of a webhook, with all its conditions."""


class WebhookView(View, frozen=True, kw_only=True):
    """A webhook."""

    id: str
    name: str
    form: str
    audience: str
    filter: FilterView
    owner: Annotated[str, "The id of the caller who created the webhook."]
    origin: Annotated[
        str, "Scheme, host and port of the address. The rest is never returned. Empty: the address is lost."
    ]
    status: Annotated[
        Status,
        "`unverified`: the address has not yet answered the verification. `failing`: every delivery has failed since "
        "`failing_since`. `target_lost`: the database of scoring was lost; set the address again.",
    ]
    cause: Annotated[
        str,
        "Why the webhook is disabled: `asked`, `failing`, `gone`, `unverified`, `no_authority`. Empty: it is enabled.",
    ]
    reason: Annotated[str, "The reason given by the caller who disabled it."]
    since: Annotated[str, "When the webhook was last enabled or disabled."]
    failing_since: str | None
    secret: Annotated[int, "The number of the newest secret."]
    signing: Annotated[int, "The number of secrets that currently sign: 2 during an overlap."]
    cursor: Annotated[str, "The position in the feed up to which events are queued for delivery."]
    waiting: Annotated[int, "The number of waiting deliveries."]
    dead: Annotated[int, "The number of dead deliveries, which are not retried automatically."]


class Subscribed(Appended, frozen=True, kw_only=True):
    """The events of a command, and the secret that it set."""

    secret: Annotated[
        str | UnsetType, "The secret. It is returned only once. Absent: it was replaced in the meantime."
    ] = UNSET


class AttemptView(View, frozen=True, kw_only=True):
    """An attempt to deliver a message."""

    time: str
    status: Annotated[int, "The HTTP status. 0: no response."]
    milliseconds: int
    fault: Annotated[str, "The code of the failure. Empty: success."]
    explanation: Annotated[str, "The failure in words."]
    response: Annotated[
        str | None,
        "The first 1024 bytes of the response. null: it comes from a private network, and only the operator sees it.",
    ]


class DeliveryView(View, frozen=True, kw_only=True):
    """A delivery. Every attempt sends the same message, except for the time and the signatures."""

    id: int
    kind: Annotated[str, "`event`, `again` (resent on request), `verification` or `ping`."]
    message: Annotated[str, "The `webhook-id` of the message."]
    type: Annotated[str, "The event type. Empty for pings and verifications."]
    tournament: str
    state: Annotated[DeliveryState, "`dead`: all attempts failed. It can be resent."]
    failed: Annotated[int, "The number of failed attempts."]
    fault: Annotated[str | UnsetType, "Why the last attempt failed. Absent: it succeeded, or there was none."] = UNSET
    due: Annotated[str | None, "When the next attempt is due, if no earlier delivery has to be sent first."]
    created: str
    finished: str | None


class RequestView(View, frozen=True, kw_only=True):
    """The message as it would be posted now, without the signature."""

    method: str
    origin: str
    headers: dict[str, str]
    body: Annotated[Any, "The body as JSON. null: the event no longer exists."]


class DeliveryDetails(DeliveryView, frozen=True, kw_only=True):
    """A delivery with its message and all attempts."""

    request: RequestView
    attempts: list[AttemptView]


class MessageQueued(View, frozen=True, kw_only=True):
    """A message that is sent soon."""

    id: Annotated[int, "The id of the delivery. See GET …/deliveries/{id} for the outcome."]


def webhook_view(
    webhook: Webhook,
    status: Status,
    origin: str,
    failing: int,
    *,
    signing: int,
    cursor: str,
    waiting: int,
    dead: int,
) -> WebhookView:
    """Return the view of a webhook. failing: since when (Unix ms); 0: it is not."""
    return WebhookView(
        id=webhook.id,
        name=webhook.name,
        form=webhook.form,
        audience=webhook.audience,
        filter=convert(msgspec.structs.asdict(webhook.filter), FilterView),
        owner=webhook.owner,
        origin=origin,
        status=status,
        cause=webhook.cause,
        reason=webhook.reason,
        since=webhook.since,
        failing_since=_optional_time(failing),
        secret=webhook.secret,
        signing=signing,
        cursor=cursor,
        waiting=waiting,
        dead=dead,
    )


def delivery_view(delivery: Delivery, fault: str) -> DeliveryView:
    """Return the view of a delivery. fault: fault of its last attempt."""
    return DeliveryView(
        id=delivery.id,
        kind=delivery.kind,
        message=delivery.message,
        type=delivery.type,
        tournament=delivery.tournament,
        state=delivery.state,
        failed=delivery.attempts,
        fault=fault or UNSET,
        due=_optional_time(delivery.due) if delivery.state == "waiting" else None,
        created=format_utc(delivery.created),
        finished=_optional_time(delivery.finished),
    )


def delivery_details(
    delivery: Delivery,
    headers: dict[str, str],
    body: bytes | None,
    origin: str,
    attempts: list[tuple[Any, ...]],
    *,
    in_full: bool,
) -> DeliveryDetails:
    """Return the view of a delivery with its message and attempts.

    attempts: rows of time, status, milliseconds, fault, response, private. in_full: include responses from private
    networks.
    """
    request = RequestView(
        method="POST", origin=origin, headers=headers, body=None if body is None else orjson.loads(body)
    )
    views = [
        AttemptView(
            time=format_utc(time),
            status=status,
            milliseconds=milliseconds,
            fault=fault,
            explanation=FAULTS.get(fault, ""),
            response=response if in_full or not private else None,
        )
        for time, status, milliseconds, fault, response, private in attempts
    ]
    summary = delivery_view(delivery, views[-1].fault if views else "")
    return DeliveryDetails(
        id=summary.id,
        kind=summary.kind,
        message=summary.message,
        type=summary.type,
        tournament=summary.tournament,
        state=summary.state,
        failed=summary.failed,
        fault=summary.fault,
        due=summary.due,
        created=summary.created,
        finished=summary.finished,
        request=request,
        attempts=views,
    )


def _optional_time(milliseconds: int) -> str | None:
    return format_utc(milliseconds) if milliseconds else None


_SECRET_BYTES = 32
_LOOKUP_SECONDS = 2.0
"""Timeout of a name lookup during a request. The addresses are checked again before each use."""

LookUp = Callable[[str, int], Sequence[Address]]
"""Resolves a host and a port to addresses. Raises OSError."""


class WebhookManagement:
    """The shared parts of the webhook routes."""

    def __init__(self, rules: TargetRules, vault: WebhookVault, messages: Messages, look_up: LookUp = look_up) -> None:
        self.rules = rules
        self.vault = vault
        self.messages = messages
        self._look_up = look_up
        self._threads = ThreadPoolExecutor(4, thread_name_prefix="webhook-names")

    def check_target(self, url: str) -> Target:
        """Return the target of a URL. Raises WebhookTargetRefused with the offending part.

        A name that cannot be resolved now is accepted: it may be set up later, and each connection resolves it again.
        """
        try:
            target = self.rules.parse(url)
            if (addresses := self._look_up_target(target)) is not None:
                self.rules.check_addresses(addresses, target.host)
        except TargetFault as fault:
            raise WebhookTargetRefused(
                "Webhooks do not lead there.", [Fault("/url", fault.value, fault.expected)]
            ) from fault
        return target

    def new_secret(self) -> str:
        """Return a random secret."""
        return format_secret(secrets.token_bytes(_SECRET_BYTES))

    def origin(self, tournament: str, webhook: str, sealed: bytes) -> str:
        """Return scheme, host and port of a target; empty if it cannot be decrypted or is no longer allowed."""
        try:
            return self.rules.parse(self.vault.open(tournament, webhook, TARGET, sealed)).origin
        except (CannotOpen, TargetFault):
            return ""

    def view(self, connection: Connection, tournament: str, webhook: Webhook) -> WebhookView:
        """Return the view of a webhook with its current status."""
        sql = """SELECT target, authority, feed, opened, verified, failing FROM webhooks
            WHERE tournament = :tournament AND webhook = :webhook"""
        row = connection.first(sql, tournament=tournament, webhook=webhook.id)
        values = deliveries.key_values((tournament, webhook.id))
        count = f"SELECT count(*) FROM webhook_deliveries WHERE {deliveries.BY_WEBHOOK} AND state = :state"
        waiting, dead = (connection.value(count, **values, state=state) for state in (WAITING, DEAD))
        if row is None:
            return webhook_view(webhook, "target_lost", "", 0, signing=0, cursor="", waiting=waiting, dead=dead)
        sealed, authority, feed, opened, verified, failing = row
        try:
            now = to_milliseconds(service.clock())
            signing = len(self.vault.secrets(connection, tournament, webhook.id, now))
        except CannotOpen:
            signing = 0
        position = Cursor(place_at(connection, feed), opened)
        cursor = encode_cursor(position, webhook_reader(tournament, webhook, decode_caller(authority)))
        status: Status = "enabled"
        if not webhook.enabled:
            status = "disabled"
        elif not verified:
            status = "unverified"
        elif failing:
            status = "failing"
        origin = self.origin(tournament, webhook.id, sealed)
        return webhook_view(
            webhook, status, origin, failing, signing=signing, cursor=cursor, waiting=waiting, dead=dead
        )

    def subscribed_at(self, connection: Connection, tournament: str, webhook: str) -> int:
        """Return the position in the feed of the WebhookSubscribed of a webhook, or 0 if it has no place yet."""
        for event in events_of_type(connection, "scoring", tournament, "WebhookSubscribed"):
            if current_data(event)["webhook"] == webhook:
                return feed_position(connection, "scoring", tournament, event.position) or 0
        return 0

    def _look_up_target(self, target: Target) -> Sequence[Address] | None:
        """Return the addresses of a target, or None if the lookup fails or takes too long."""
        try:
            return self._threads.submit(self._look_up, target.host, target.port).result(_LOOKUP_SECONDS)
        except (OSError, UnicodeError, TimeoutError):
            return None


@contextmanager
def reading_webhooks(tournament: str) -> Iterator[Tournament]:
    """Yield the state of a tournament or of the installation. Raises the exceptions of `gateway.reading`."""
    if tournament == INSTALLATION:  # authentication has admitted only tokens for all tournaments
        with gateway.repository.now(tournament) as loaded:
            require_own_tournament(loaded.state, require_caller())
            yield loaded.state
    else:
        with gateway.reading(tournament) as loaded:
            yield loaded.state


class WebhookTargetRefused(Refusal):
    """The address of the webhook is not allowed; the fault names the offending part."""

    code = "webhook-target-refused"
