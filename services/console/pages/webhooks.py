"""Webhooks of an event, for its organisers, and of the installation, for operators.

Subscribing, testing, a new secret, sending again, disabling and deleting; deliveries with the reasons of failures.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Literal, cast

from flask import Blueprint, abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from msgspec import Struct

from muster_client import MusterError, Problem, answers
from muster_client.generated.bodies import ChangeWebhookBody, Filter
from services.console.forms import Form
from services.console.language import N_, _
from services.console.pages.operator import DELIVERY, FAULTS, INSTALLATION, KINDS, WEBHOOK, advice, for_operators
from services.console.responses import leave_plain
from services.console.signed_in import muster, only_for
from services.console.undo import flash

blueprint = Blueprint("webhooks", __name__)
EVENTS = 100
"""The newest events, to choose from."""
DELIVERIES = 50
"""Deliveries on one page."""
FORMS = {
    "events": (N_("Log entries"), N_("Every entry of the log as a CloudEvent.")),
    "results": (N_("Results"), N_("Each game whenever its result changes.")),
    "discord": (N_("Discord"), N_("A message when a round is published, begins or closes.")),
    "slack": (N_("Slack"), N_("A message when a round is published, begins or closes.")),
}
"""What is posted -> its name, and what it means."""
AUDIENCES = {"everybody": N_("What everyone may see"), "staff": N_("What staff may see, too")}
POINTERS = {"name": "/name", "url": "/url", "form": "/form", "audience": "/audience"}
POINTERS |= {"types": "/filter/types", "venue": "/filter/venue", "hours": "/overlap_hours", "reason": "/reason"}
DEFAULTS = {"form": "results", "audience": "everybody", "hours": "24"}
DONE = {
    "enable": N_("The webhook is enabled."),
    "disable": N_("The webhook is disabled."),
    "replay": N_("All messages are being sent again."),
    "ping": N_("A test message is on its way."),
    "resend": N_("The message is being sent again."),
    "change": N_("The webhook is changed."),
    "delete": N_("The webhook is deleted."),
}
SECRETS = ("subscribe", "rotate")
"""Actions whose answer shows a secret, once."""


class SentDelivery(Struct, frozen=True):
    """A delivery. seconds: from queueing until it arrived or was given up."""

    delivery: answers.DeliveryView
    seconds: float | None


class Place(Struct, frozen=True):
    """Where the pages are. of: an event, or the installation. values: what all of its pages need.

    list_address, address: return the address of the list, and of one webhook.
    """

    of: str
    values: Mapping[str, Any]
    list_address: Callable[[], str]
    address: Callable[..., str]


def _of_event(event: str) -> Place:
    shown = muster().registration.show_tournament(event)
    return Place(
        event,
        {"event": shown, "place": "settings", "venues": [one for one in shown.venues if one.open], "operating": False},
        lambda: url_for("webhooks.of_event", event=event),
        lambda webhook, **more: url_for("webhooks.one_of_event", event=event, webhook=webhook, **more),
    )


def _of_installation(of: str) -> Place:
    return Place(
        of,
        {"here": "webhooks", "operating": True, "venues": []},
        lambda: url_for("webhooks.of_installation", of=of),
        lambda webhook, **more: url_for("webhooks.one_of_installation", of=of, webhook=webhook, **more),
    )


@blueprint.route("/events/<event>/webhooks", methods=["GET", "POST"])
@only_for(lambda person: person.organises)
def of_event(event: str) -> ResponseReturnValue:
    """List the webhooks of an event; a post subscribes an address."""
    return _list(_of_event(event))


@blueprint.route("/events/<event>/webhooks/<webhook>", methods=["GET", "POST"])
@only_for(lambda person: person.organises)
def one_of_event(event: str, webhook: str) -> ResponseReturnValue:
    """Show a webhook of an event with its deliveries; a post runs one action."""
    return _one(_of_event(event), webhook)


@blueprint.route("/operator/webhooks", methods=["GET", "POST"])
@for_operators
def of_installation() -> ResponseReturnValue:
    """List the webhooks of the installation, or with `?of=t-…` of an event; a post subscribes an address."""
    return _list(_of_installation(request.args.get("of", "").strip() or INSTALLATION))


@blueprint.route("/operator/webhooks/<of>/<webhook>", methods=["GET", "POST"])
@for_operators
def one_of_installation(of: str, webhook: str) -> ResponseReturnValue:
    """Show a webhook with its deliveries; a post runs one action."""
    return _one(_of_installation(of), webhook)


def _list(at: Place) -> ResponseReturnValue:
    form, items, status = Form(POINTERS, DEFAULTS), [], 200
    try:
        if form.sent:
            made = _subscribe(at.of, form)
            if made is not None:
                return _secret(at, made.id or "", made, form["name"])
            status = 422
    except Problem as problem:
        form.add_problem(problem)
        status = problem.status
    try:
        items = muster().scoring.list_webhooks(at.of).items
    except Problem as problem:
        form.add_problem(problem)
        status = 404
    page = render_template(
        "webhooks.html",
        form=form,
        at=at,
        items=items,
        events=_events() if at.values["operating"] else [],
        installation=INSTALLATION,
        words=WEBHOOK,
        forms=FORMS,
        audiences=AUDIENCES,
        **at.values,
    )
    return page, status


def _subscribe(of: str, form: Form) -> answers.Subscribed | None:
    """Subscribe an address. Return None, with faults added, if the form is not complete. Raises Problem."""
    if not form["name"]:
        form.add_fault("name", _("Enter a name."))
    if not form["url"]:
        form.add_fault("url", _("Enter an address that begins with https://."))
    for field, known in (("form", FORMS), ("audience", AUDIENCES)):
        if form[field] not in known:
            form.add_fault(field, _("Choose one of these."))
    if not form.is_valid:
        return None
    chosen = Filter()
    if types := [part.strip() for part in form["types"].split(",") if part.strip()]:
        chosen["types"] = types
    if form["venue"]:
        chosen["venue"] = form["venue"]
    what = cast(Literal["events", "results", "discord", "slack"], form["form"])
    audience = cast(Literal["everybody", "staff"], form["audience"])
    return muster().scoring.subscribe_webhook(
        of, name=form["name"], url=form["url"], form=what, audience=audience, filter=chosen, idempotency_key=form.key
    )


def _secret(at: Place, webhook: str, made: answers.Subscribed, name: str) -> str:
    """Return the page with a new secret, which is shown once."""
    leave_plain()
    return render_template("webhook_secret.html", at=at, webhook=webhook, secret=made.secret, name=name, **at.values)


def _one(at: Place, webhook: str) -> ResponseReturnValue:
    form, scoring, action = Form(POINTERS, DEFAULTS), muster().scoring, request.form.get("do", "")
    status = 200
    if form.sent:
        try:
            done = _manage(at.of, webhook, action, form)
            if action == "rotate" and done is not None:
                return _secret(at, webhook, done, scoring.show_webhook(at.of, webhook).name)
            if form.is_valid:
                flash(_(DONE[action]), done)
                back = at.list_address() if action == "delete" else at.address(webhook, state=request.args.get("state"))
                return redirect(back)
            status = 422
        except Problem as problem:
            form.add_problem(problem)
            status = problem.status
    wanted: Any = request.args.get("state")
    wanted = wanted if wanted in DELIVERY else None
    listed = scoring.list_deliveries(
        at.of, webhook, limit=DELIVERIES, after=request.args.get("after") or None, state=wanted
    )
    page = render_template(
        "webhook.html",
        form=form,
        at=at,
        hook=scoring.show_webhook(at.of, webhook),
        sent=[SentDelivery(one, _seconds(one)) for one in listed.items],
        listed=listed,
        state=wanted or "",
        words=WEBHOOK,
        forms=FORMS,
        audiences=AUDIENCES,
        states=DELIVERY,
        advice=advice,
        kinds=KINDS,
        faults=FAULTS,
        action=action,
        **at.values,
    )
    return page, status


def _events() -> list[answers.TournamentListed]:
    """Return the events to choose from; none while registration is away."""
    try:
        return muster().registration.list_tournaments(limit=EVENTS).items
    except MusterError:
        return []


def _manage(of: str, webhook: str, action: str, form: Form) -> Any:
    """Run an action; return None, with faults added, if a field is wrong. Raises Problem."""
    scoring, key = muster().scoring, form.key
    if action == "resend":
        return scoring.resend_delivery(of, webhook, form.whole("delivery") or 0, idempotency_key=key)
    if action == "enable":
        return scoring.enable_webhook(of, webhook, idempotency_key=key)
    if action == "disable":
        return scoring.disable_webhook(of, webhook, reason=form["reason"], idempotency_key=key)
    if action == "replay":
        return scoring.replay_webhook(of, webhook, idempotency_key=key)
    if action == "ping":
        return scoring.ping_webhook(of, webhook, idempotency_key=key)
    if action == "delete":
        return scoring.delete_webhook(of, webhook, idempotency_key=key)
    if action == "rotate":
        hours = form.whole("hours")
        if hours is None and form.is_valid:
            form.add_fault("hours", _("Enter a whole number."))
        if not form.is_valid:
            return None
        return scoring.rotate_webhook_secret(of, webhook, overlap_hours=hours or 0, idempotency_key=key)
    if action == "change":
        changed = ChangeWebhookBody()
        if form["name"]:
            changed["name"] = form["name"]
        if form["url"]:
            changed["url"] = form["url"]
        return scoring.change_webhook(of, webhook, idempotency_key=key, **changed)
    return abort(404)


def _seconds(delivery: answers.DeliveryView) -> float | None:
    if not delivery.finished:
        return None
    begun, ended = (datetime.fromisoformat(one) for one in (delivery.created, delivery.finished))
    return round((ended - begun).total_seconds(), 1)
