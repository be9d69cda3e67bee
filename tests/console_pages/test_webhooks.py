"""Webhooks of an event on its own pages: subscribing, and everything that is done with a subscription."""

from __future__ import annotations

import re

import pytest

from tests.console_pages.conftest import Browser
from tests.console_pages.small_event import SmallEvent

HOOK = "https://93.184.216.34/hook"


@pytest.fixture
def small(services, app) -> SmallEvent:
    return SmallEvent(services, app)


def subscribed(small: SmallEvent) -> tuple[Browser, str]:
    """An organiser, and the page of a webhook."""
    made = small.asked.scoring.subscribe_webhook(small.id, name="Club <b>site</b>", url=HOOK)
    return small.browser("organiser"), f"{small.page}/webhooks/{made.id}"


def kinds(small: SmallEvent) -> list[str]:
    return [event["type"] for event in small.recorded("scoring") if event["type"].startswith("Webhook")]


def test_a_subscription_shows_its_secret_once(small):
    organiser = small.browser("organiser")
    organiser.open(f"{small.page}/settings")
    assert organiser.shows("Webhooks: tell programs and chats")
    organiser.open(f"{small.page}/webhooks")
    fields = {"name": "Club <b>site</b>", "url": HOOK, "form": "events", "audience": "everybody"}
    assert organiser.send(**fields, types="RoundPaired, RoundClosed").status_code == 200
    secret = re.search(r'id="secret" readonly value="(whsec_[^"]+)"', organiser.page)[1]
    assert organiser.shows("Secret of Club &lt;b&gt;site", "shown only once")
    organiser.open(f"{small.page}/webhooks")
    assert organiser.shows("Club &lt;b&gt;site", "https://93.184.216.34")
    organiser.open(f"{small.page}/webhooks/w1")
    assert organiser.shows("Log entries", "RoundPaired, RoundClosed")
    assert secret not in organiser.page
    assert "/hook" not in organiser.page
    assert kinds(small) == ["WebhookSubscribed"]


@pytest.mark.parametrize(
    ("fields", "faulty"),
    [
        ({"name": "", "url": HOOK}, "name"),
        ({"name": "Site", "url": ""}, "url"),
        ({"name": "Site", "url": "http://93.184.216.34/hook"}, "url"),
        ({"name": "Site", "url": "https://10.0.0.1/hook"}, "url"),
        ({"name": "Site", "url": "https://user:pass@93.184.216.34/"}, "url"),
        ({"name": "Site", "url": HOOK, "types": "RoundPaired, Nonsense"}, "types"),
        ({"name": "Site", "url": HOOK, "form": "fax"}, "form"),
        ({"name": "x" * 101, "url": HOOK}, "name"),
    ],
)
def test_a_bad_subscription_keeps_what_was_typed(small, fields, faulty):
    organiser = small.browser("organiser")
    organiser.open(f"{small.page}/webhooks")
    assert organiser.send(**{"form": "results", "audience": "everybody"} | fields).status_code == 422
    assert organiser.shows("Nothing was saved. Please check:", f'<a href="#{faulty}">')
    if fields["name"]:
        assert organiser.shows(f'value="{fields["name"]}"')
    assert kinds(small) == []


DONE = {
    "ping": ({}, "A test message is on its way.", ""),
    "replay": ({}, "All messages are being sent again.", "WebhookReplayed"),
    "disable": ({"reason": "the site moves"}, "The webhook is disabled.", "WebhookDisabled"),
    "change": ({"name": "New site", "url": HOOK + "/new"}, "The webhook is changed.", "WebhookChanged"),
    "delete": ({}, "The webhook is deleted.", "WebhookDeleted"),
    "rotate": ({"hours": "0"}, "shown only once", "WebhookSecretRotated"),
}
"""Action -> its fields, what the page says then, and the event."""


@pytest.mark.parametrize("action", DONE)
def test_an_organiser_manages_a_webhook(small, action):
    organiser, page = subscribed(small)
    fields, says, event = DONE[action]
    organiser.open(page)
    assert organiser.shows("Club &lt;b&gt;site")
    assert organiser.send(page, do=action, **fields).status_code == 200
    assert organiser.shows(says)
    assert kinds(small) == ["WebhookSubscribed", *([event] if event else [])]
    assert ('name="undo"' in organiser.page) == (action == "disable")
    if action == "disable":
        undo = re.search(r'name="undo" value="([^"]+)"', organiser.page)[1]
        organiser.send(f"{small.page}/undo", undo=undo, back=page)
        assert organiser.shows("Send a test message", "Undone.")


@pytest.mark.parametrize("action", [*DONE, "enable", "subscribe"])
@pytest.mark.parametrize("role", ["head_referee", "player", "guest"])
def test_webhooks_are_for_organisers(small, app, action, role):
    _organiser, page = subscribed(small)
    other = Browser(app) if role == "guest" else small.browser(role, **({"player": "p1"} if role == "player" else {}))
    page = f"{small.page}/webhooks" if action == "subscribe" else page
    other.open(page)
    assert not other.shows("Club &lt;b&gt;site")
    other.open("/sign-in")
    assert other.send(page, do=action, name="Site", url=HOOK).status_code == 403
    assert kinds(small) == ["WebhookSubscribed"]


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"do": "rotate", "hours": "many"}, 422),
        ({"do": "rotate", "hours": ""}, 422),
        ({"do": "rotate", "hours": "169"}, 422),
        ({"do": "change", "url": "ftp://club.example"}, 422),
        ({"do": "disable", "reason": "x" * 501}, 422),
        ({"do": "resend", "delivery": "999"}, 404),
        ({"do": "nonsense"}, 404),
    ],
)
def test_a_bad_action_changes_nothing(small, fields, status):
    organiser, page = subscribed(small)
    organiser.open(page)
    assert organiser.send(page, **fields).status_code == status
    assert kinds(small) == ["WebhookSubscribed"]


def test_a_webhook_of_another_event_is_not_there(small, services, app):
    _organiser, page = subscribed(small)
    other = SmallEvent(services, app)
    assert other.browser("organiser").open(f"{other.page}/webhooks/{page.rpartition('/')[2]}").status_code == 404
