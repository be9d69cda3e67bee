"""Management of webhooks: views, targets checked, secrets and messages for routes."""

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
from services.scoring.feed.readers import Read, cursor_of
from services.scoring.webhooks import deliveries
from services.scoring.webhooks.deliveries import DEAD, TARGET, WAITING, Delivery, DeliveryState, Messages, WebhookVault
from services.scoring.webhooks.protocol import FAULTS, secret_of
from services.scoring.webhooks.resolving import looked_up
from services.scoring.webhooks.subscriptions import caller_of, reader_for
from services.scoring.webhooks.targets import Address, Target, TargetFault, TargetRules
from shared.clock import milliseconds_of, utc_at
from shared.formats.fold import current_data
from shared.keys import Sealed
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
from shared.web.auth import caller

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
    owner: Annotated[str, "The id of whoever subscribed."]
    origin: Annotated[str, "Scheme, host and port of where it leads; the rest is not shown. Empty: it is lost."]
    status: Annotated[
        Status,
        "unverified: its target has not said yet that it wants this; failing: nothing has arrived since `failing_since`"
        "; target_lost: scoring lost its database, and the address has to be given again.",
    ]
    cause: Annotated[str, "Why it is disabled: asked, failing, gone, unverified, no_authority; else empty."]
    reason: Annotated[str, "What somebody said when they disabled it."]
    since: Annotated[str, "When it was enabled or disabled last."]
    failing_since: str | None
    secret: Annotated[int, "The number of its newest secret."]
    signing: Annotated[int, "How many secrets sign now: 2 while an overlap lasts."]
    cursor: Annotated[str, "The place in the feed up to which its deliveries are queued."]
    waiting: Annotated[int, "Deliveries that wait."]
    dead: Annotated[int, "Deliveries that were given up: dead letters."]


class Subscribed(Appended, frozen=True, kw_only=True):
    """What a command did, and the secret that it made or took."""

    secret: Annotated[str | UnsetType, "Shown once. Left out: it is replaced by now."] = UNSET


class AttemptView(View, frozen=True, kw_only=True):
    """An attempt."""

    time: str
    status: Annotated[int, "Of HTTP; 0: no answer."]
    milliseconds: int
    fault: Annotated[str, "Why it failed; empty: it did not."]
    explanation: Annotated[str, "The same in words."]
    response: Annotated[
        str | None,
        "What was answered, the first 1024 bytes. null: it comes from a network of the operator's own; they see it.",
    ]


class DeliveryView(View, frozen=True, kw_only=True):
    """A delivery. The message is the same at each attempt, but for the time and the signatures."""

    id: int
    kind: Annotated[str, "event, again (sent once more by somebody), verification, or ping."]
    message: Annotated[str, "The `webhook-id` of its message."]
    type: Annotated[str, "Of the event; empty for a ping and a verification."]
    tournament: str
    state: Annotated[DeliveryState, "dead: it was given up, and may be sent again."]
    failed: Annotated[int, "Attempts that failed."]
    fault: Annotated[str | UnsetType, "Why its last attempt failed; left out: it did not, or there was none."] = UNSET
    due: Annotated[str | None, "When it is tried next, if nothing stands before it."]
    created: str
    finished: str | None


class RequestView(View, frozen=True, kw_only=True):
    """What is posted, as it is now; the signature is left out."""

    method: str
    origin: str
    headers: dict[str, str]
    body: Annotated[Any, "As JSON; null: the event is not there any more."]


class DeliveryDetails(DeliveryView, frozen=True, kw_only=True):
    """A delivery with its message, and what came of each attempt."""

    request: RequestView
    attempts: list[AttemptView]


class MessageQueued(View, frozen=True, kw_only=True):
    """A message that is sent soon. id: of its delivery."""

    id: Annotated[int, "GET …/deliveries/{id} shows what came of it."]


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
    """A webhook as it is shown."""
    return WebhookView(
        id=webhook.id,
        name=webhook.name,
        form=webhook.form,
        audience=webhook.audience,
        filter=FilterView(**msgspec.structs.asdict(webhook.filter)),
        owner=webhook.owner,
        origin=origin,
        status=status,
        cause=webhook.cause,
        reason=webhook.reason,
        since=webhook.since,
        failing_since=_moment(failing),
        secret=webhook.secret,
        signing=signing,
        cursor=cursor,
        waiting=waiting,
        dead=dead,
    )


def delivery_view(delivery: Delivery, fault: str) -> DeliveryView:
    """A delivery as lists show it. fault: of its last attempt."""
    return DeliveryView(
        id=delivery.id,
        kind=delivery.kind,
        message=delivery.message,
        type=delivery.type,
        tournament=delivery.tournament,
        state=delivery.state,
        failed=delivery.attempts,
        fault=fault or UNSET,
        due=_moment(delivery.due) if delivery.state == "waiting" else None,
        created=utc_at(delivery.created),
        finished=_moment(delivery.finished),
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
    """A delivery with its message and attempts.

    attempts: rows of time, status, milliseconds, fault, response, private. in_full: with what answers from networks of
    the operator's own say.
    """
    request = RequestView(
        method="POST", origin=origin, headers=headers, body=None if body is None else orjson.loads(body)
    )
    views = [
        AttemptView(
            time=utc_at(time),
            status=status,
            milliseconds=milliseconds,
            fault=fault,
            explanation=FAULTS.get(fault, ""),
            response=response if in_full or not private else None,
        )
        for time, status, milliseconds, fault, response, private in attempts
    ]
    shown = delivery_view(delivery, views[-1].fault if views else "")
    return DeliveryDetails(
        id=shown.id,
        kind=shown.kind,
        message=shown.message,
        type=shown.type,
        tournament=shown.tournament,
        state=shown.state,
        failed=shown.failed,
        fault=shown.fault,
        due=shown.due,
        created=shown.created,
        finished=shown.finished,
        request=request,
        attempts=views,
    )


def _moment(milliseconds: int) -> str | None:
    return utc_at(milliseconds) if milliseconds else None


SECRET_BYTES = 32
LOOK_UP_SECONDS = 2.0
"""For the look-up of a name while somebody waits; whether its addresses are good is looked at again before each use."""

LookUp = Callable[[str, int], Sequence[Address]]


class WebhookManagement:
    """look_up: the addresses that a host stands for. Raises OSError."""

    def __init__(
        self, rules: TargetRules, vault: WebhookVault, messages: Messages, look_up: LookUp = looked_up
    ) -> None:
        self.rules = rules
        self.vault = vault
        self.messages = messages
        self._look_up = look_up
        self._threads = ThreadPoolExecutor(4, thread_name_prefix="webhook-names")

    def target(self, url: str) -> Target:
        """Where a URL leads. Raises WebhookTargetRefused, with the part of it that is wrong.

        A name that stands for nothing now is taken: it may be set up later, and is looked up at each connection.
        """
        try:
            target = self.rules.read(url)
            if (addresses := self._addresses(target)) is not None:
                self.rules.need_good(addresses, target.host)
        except TargetFault as fault:
            raise WebhookTargetRefused(
                "Webhooks do not lead there.", [Fault("/url", fault.said, fault.expected)]
            ) from fault
        return target

    def new_secret(self) -> str:
        """A secret that nobody knows."""
        return secret_of(secrets.token_bytes(SECRET_BYTES))

    def origin(self, tournament: str, webhook: str, sealed: bytes) -> str:
        """Scheme, host and port of where a webhook leads; empty where that cannot be opened any more."""
        try:
            return self.rules.read(self.vault.open(tournament, webhook, TARGET, sealed)).origin
        except (Sealed, TargetFault):
            return ""

    def view(self, connection: Connection, tournament: str, webhook: Webhook) -> WebhookView:
        """How a webhook stands."""
        sql = """SELECT target, authority, feed, opened, verified, failing FROM webhooks
            WHERE tournament = :tournament AND webhook = :webhook"""
        row = connection.one(sql, tournament=tournament, webhook=webhook.id)
        of = deliveries.of_webhook((tournament, webhook.id))
        number = f"SELECT count(*) FROM webhook_deliveries WHERE {deliveries.OF_WEBHOOK} AND state = :state"
        waiting, dead = (connection.value(number, **of, state=state) for state in (WAITING, DEAD))
        if row is None:
            return webhook_view(webhook, "target_lost", "", 0, signing=0, cursor="", waiting=waiting, dead=dead)
        sealed, authority, feed, opened, verified, failing = row
        try:
            now = milliseconds_of(service.clock())
            signing = len(self.vault.secrets(connection, tournament, webhook.id, now))
        except Sealed:
            signing = 0
        read = Read(place_at(connection, feed), opened)
        cursor = cursor_of(read, reader_for(tournament, webhook, caller_of(authority)))
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

    def begun_at(self, connection: Connection, tournament: str, webhook: str) -> int:
        """The place in the feed of the event with which a webhook began; 0 where it has none yet."""
        for event in events_of_type(connection, "scoring", tournament, "WebhookSubscribed"):
            if current_data(event)["webhook"] == webhook:
                return feed_position(connection, "scoring", tournament, event.position) or 0
        return 0

    def _addresses(self, target: Target) -> Sequence[Address] | None:
        """None where nobody says in time what the name stands for."""
        try:
            return self._threads.submit(self._look_up, target.host, target.port).result(LOOK_UP_SECONDS)
        except (OSError, UnicodeError, TimeoutError):
            return None


@contextmanager
def loaded_webhooks(tournament: str) -> Iterator[Tournament]:
    """The state whose webhooks are asked for: of a tournament, or of the installation. Raises as `gateway.reading`."""
    if tournament == INSTALLATION:  # the door has let in tokens for every tournament alone
        with gateway.repository.now(tournament) as loaded:
            require_own_tournament(loaded.state, caller())
            yield loaded.state
    else:
        with gateway.reading(tournament) as loaded:
            yield loaded.state


class WebhookTargetRefused(Refusal):
    """Webhooks do not lead there; faults say which part of the address is why."""

    code = "webhook-target-refused"
