"""What is shown of webhooks: of where one leads the origin alone, and its secret once, when it is new."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import orjson
from msgspec import UNSET, UnsetType

from services.scoring.webhooks.deliveries import Delivery, DeliveryState
from services.scoring.webhooks.outcomes import FAULTS
from shared.clock import utc_at
from shared.service.views import Appended
from shared.shapes import View
from shared.tournament.webhooks import Webhook

Status = Literal["unverified", "enabled", "failing", "disabled", "target_lost"]


class FilterView(View, frozen=True, kw_only=True):
    """What it is told of all that it may see; empty: everything."""

    types: list[str]
    tournament: str
    venue: str
    season: str


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
    filter = webhook.filter
    return WebhookView(
        id=webhook.id,
        name=webhook.name,
        form=webhook.form,
        audience=webhook.audience,
        filter=FilterView(types=filter.types, tournament=filter.tournament, venue=filter.venue, season=filter.season),
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
