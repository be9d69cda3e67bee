"""What scoring can be asked to do about webhooks, with the shape of each member."""

from __future__ import annotations

from typing import Annotated, Literal

from services.scoring.webhooks.forms import Form
from services.scoring.webhooks.signing import expected_secret
from services.scoring.webhooks.targets import LONGEST_URL
from shared.formats.fold import CATALOGUE
from shared.refusals import Expected, expects
from shared.shapes import Check, Command, Id, Name, OptionalReason, Personal, Shape, Size, Whole

Audience = Literal["everybody", "staff"]
MOST_TYPES = 100


def _known(name: str) -> Expected | None:
    return None if name in CATALOGUE else expects("type-of-event")


def _id_or_empty(said: str) -> Expected | None:
    fits = all(character.isalnum() or character in "-_" for character in said) and said.isascii() and len(said) <= 64
    return None if fits else expects("id")


WHERE = "Where messages are posted: https:// and a host with public addresses. It is kept sealed and not shown again."
Secret = Annotated[
    str | None,
    Check(expected_secret),
    Personal(),
    "One of your own: whsec_ and 24 to 64 bytes in base64. null: one is made, and stands in the answer.",
]
OneOfThem = Annotated[str, Check(_id_or_empty)]


class Filter(Shape, frozen=True, kw_only=True):
    """Of all that a webhook may see, what it is told of; left out: all of it."""

    types: Annotated[list[Annotated[str, Check(_known)]], Size(MOST_TYPES), "Of events."] = []
    tournament: Annotated[OneOfThem, "One tournament; for a webhook of the installation."] = ""
    venue: Annotated[OneOfThem, "Events about this venue of the tournament, and those about none."] = ""
    season: Annotated[
        OneOfThem, "A season, and the tournaments that it counts at the time; for a webhook of the installation."
    ] = ""


class SubscribeWebhook(Command, frozen=True, kw_only=True):
    """Post what happens to an address. form: the events themselves, the games that they are about as the feed has them
    with `view=results`, or a line for people in the form of a chat.

    audience: it sees what `everybody` may see, or what `staff` see earlier, as far as the caller does.
    """

    name: Annotated[str, Name()]
    url: Annotated[str, Size(LONGEST_URL, 1), Personal(), WHERE]
    secret: Secret = None
    form: Form = "events"
    audience: Audience = "everybody"
    filter: Filter = Filter()


class ChangeWebhook(Command, frozen=True, kw_only=True):
    """What is left out stays as it is. With another address, that has to say again that it wants this."""

    webhook: Id
    name: Annotated[str, Name()] | None = None
    url: Annotated[str | None, Size(LONGEST_URL, 1), Personal(), WHERE] = None
    audience: Audience | None = None
    filter: Filter | None = None


class RotateWebhookSecret(Command, frozen=True, kw_only=True):
    """A new secret. Until the overlap is over, the one before signs too: each message carries two signatures."""

    webhook: Id
    secret: Secret = None
    overlap_hours: Annotated[int, Whole(0, 168)] = 24


class EnableWebhook(Command, frozen=True, kw_only=True):
    """Go on from where it stopped, from now on by the caller's own right to see."""

    webhook: Id


class DisableWebhook(Command, frozen=True, kw_only=True):
    """Post nothing more until it is enabled."""

    webhook: Id
    reason: OptionalReason = ""


class ReplayWebhook(Command, frozen=True, kw_only=True):
    """Post everything once more from a place of the feed on. after: a cursor; empty: the beginning."""

    webhook: Id
    after: Annotated[str, Size(60), "`feedcursor` of an event that it was sent; empty: the beginning."] = ""


class DeleteWebhook(Command, frozen=True, kw_only=True):
    """It is no more; where it led and its secrets are destroyed."""

    webhook: Id


class SuspendWebhook(Command, frozen=True, kw_only=True):
    """A rule disables it. cause: as of WebhookDisabled."""

    webhook: Id
    cause: Literal["failing", "gone", "unverified", "no_authority"]
