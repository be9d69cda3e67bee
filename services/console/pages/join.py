"""Signing up: a page for everybody, while the sign-up of an event is open."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from muster_client import Problem
from muster_client.generated.bodies import InvitedGuest
from services.console.forms import Form
from services.console.signed_in import GUEST, person_of, sign_in
from services.console.upstream import muster

blueprint = Blueprint("join", __name__)
POINTERS = {name: f"/{name}" for name in ("name", "club", "venue")}


@blueprint.route("/events/<event>/join", methods=["GET", "POST"])
def show(event: str) -> ResponseReturnValue:
    """Sign up; whoever did is signed in as that player. Sent twice with one key, it signs up once."""
    registration, form = muster(GUEST).registration, Form(POINTERS)
    seen = registration.show_tournament(event)
    if form.sent:
        guest = InvitedGuest(name=form["name"])
        if form["club"]:
            guest["club"] = form["club"]
        if form["venue"]:
            guest["venue"] = form["venue"]
        try:
            joined = registration.sign_up(event, idempotency_key=form.key, **guest)
        except Problem as problem:
            form.refused(problem)
        else:
            if person := person_of(joined.players[0].token):
                sign_in(person)
            return redirect(url_for("table.show", event=event))
    takes = seen.sign_up == "open" and seen.registration_open
    left = None if seen.capacity is None else max(0, seen.capacity - seen.players.get("active", 0))
    page = render_template("join.html", seen=seen, open=takes, left=left, form=form)
    return page, 200 if form.good else 422
