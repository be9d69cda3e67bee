"""The operator's pages of webhooks: their status and deliveries, and sending again."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from flask import Blueprint, abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from msgspec import Struct

from muster_client import MusterError, Problem, answers
from services.console.forms import Form
from services.console.language import N_, _
from services.console.pages.operator import DELIVERY, FAULTS, INSTALLATION, KINDS, WEBHOOK, advice, for_operators
from services.console.signed_in import muster
from services.console.undo import flash

blueprint = Blueprint("operator_webhooks", __name__)
EVENTS = 100
"""The newest events, to choose from."""
DELIVERIES = 50
"""Deliveries on one page."""
DONE = {
    "enable": N_("The webhook is enabled."),
    "disable": N_("The webhook is disabled."),
    "replay": N_("All messages are being sent again."),
    "ping": N_("A test message is on its way."),
    "resend": N_("The message is being sent again."),
}


class SentDelivery(Struct, frozen=True):
    """A delivery. seconds: from queueing until it arrived or was given up."""

    delivery: answers.DeliveryView
    seconds: float | None


@blueprint.get("/operator/webhooks")
@for_operators
def webhooks() -> ResponseReturnValue:
    """List the webhooks of the installation or of an event."""
    of = request.args.get("of", "").strip() or INSTALLATION
    form, items = Form(), []
    try:
        items = muster().scoring.list_webhooks(of).items
    except Problem as problem:
        form.add_problem(problem)
    page = render_template(
        "operator_webhooks.html",
        form=form,
        of=of,
        all=INSTALLATION,
        items=items,
        events=_events(),
        words=WEBHOOK,
        here="webhooks",
    )
    return page, 200 if form.is_valid else 404


@blueprint.route("/operator/webhooks/<of>/<webhook>", methods=["GET", "POST"])
@for_operators
def deliveries(of: str, webhook: str) -> ResponseReturnValue:
    """Show the deliveries of a webhook; a post resends, replays, pings, enables or disables."""
    form, scoring, action = Form(), muster().scoring, request.form.get("do", "")
    status = 200
    if form.sent:
        try:
            done = _manage(of, webhook, action, form)
            flash(_(DONE[action]), done)
            return redirect(
                url_for("operator_webhooks.deliveries", of=of, webhook=webhook, state=request.args.get("state"))
            )
        except Problem as problem:
            form.add_problem(problem)
            status = problem.status
    wanted: Any = request.args.get("state")
    wanted = wanted if wanted in DELIVERY else None
    listed = scoring.list_deliveries(
        of,
        webhook,
        limit=DELIVERIES,
        after=request.args.get("after") or None,
        state=wanted,
    )
    page = render_template(
        "operator_deliveries.html",
        form=form,
        of=of,
        all=INSTALLATION,
        hook=scoring.show_webhook(of, webhook),
        sent=[SentDelivery(one, _seconds(one)) for one in listed.items],
        listed=listed,
        state=wanted or "",
        words=WEBHOOK,
        states=DELIVERY,
        advice=advice,
        kinds=KINDS,
        faults=FAULTS,
        here="webhooks",
    )
    return page, status


def _events() -> list[answers.TournamentListed]:
    """Return the events to choose from; none while registration is away."""
    try:
        return muster().registration.list_tournaments(limit=EVENTS).items
    except MusterError:
        return []


def _manage(of: str, webhook: str, action: str, form: Form) -> Any:
    scoring, key = muster().scoring, form.key
    if action == "resend":
        return scoring.resend_delivery(of, webhook, form.whole("delivery") or 0, idempotency_key=key)
    if action == "enable":
        return scoring.enable_webhook(of, webhook, idempotency_key=key)
    if action == "disable":
        return scoring.disable_webhook(of, webhook, reason="", idempotency_key=key)
    if action == "replay":
        return scoring.replay_webhook(of, webhook, idempotency_key=key)
    if action == "ping":
        return scoring.ping_webhook(of, webhook, idempotency_key=key)
    return abort(404)


def _seconds(delivery: answers.DeliveryView) -> float | None:
    if not delivery.finished:
        return None
    begun, ended = (datetime.fromisoformat(one) for one in (delivery.created, delivery.finished))
    return round((ended - begun).total_seconds(), 1)
