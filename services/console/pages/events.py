"""A new event, and where an event begins."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from muster_client import Problem
from services.console.forms import Form
from services.console.signed_in import person_of, sign_in
from services.console.upstream import here, muster

blueprint = Blueprint("events", __name__)
VENUES = 4
"""Venues that the form has lines for; more are opened on the event's own page."""
POINTERS = {
    "name": "/name",
    "ruleset": "/ruleset",
    "tier": "/tier",
    "starts_on": "/starts_on",
    "rounds": "/rounds",
    "capacity": "/capacity",
}


@blueprint.route("/events/new", methods=["GET", "POST"])
def new() -> ResponseReturnValue:
    """Announce an event and open its venues, from one page."""
    form = Form(POINTERS, defaults={"check_in": "yes"})
    rulesets = [one for one in muster().registration.list_rulesets().items if one.format == "swiss"]
    if form.sent:
        announcement, venues = _announcement(form), _venues(form)
        if form.good:
            try:
                event = _announce(form, announcement, venues)
            except Problem as problem:
                form.refused(problem)
            else:
                return redirect(url_for("players.show", event=event))
    return render_template("new_event.html", form=form, rulesets=rulesets, lines=range(1, VENUES + 1)), (
        200 if form.good else 422
    )


@blueprint.get("/events/<event>/")
def show(event: str) -> ResponseReturnValue:
    """The page that matters now: the round if there is one, else the players."""
    rounds = muster().pairing.list_rounds(event).items
    page = "rounds.show" if rounds else "players.show"
    return redirect(url_for(page, event=event))


@blueprint.post("/events/<event>/conclusion")
def conclude(event: str) -> ResponseReturnValue:
    """End an event; its standings are final then."""
    form = Form()
    muster().scoring.conclude_tournament(event, reason=request.form.get("reason", ""), idempotency_key=form.key)
    return redirect(url_for("standings.show", event=event))


def _announcement(form: Form) -> dict[str, Any]:
    if not form["name"]:
        form.wrong("name", "Give it a name. Players see it on their phones and on the wall.")
    if not form["ruleset"]:
        form.wrong("ruleset", "Choose what is played.")
    said: dict[str, Any] = {"name": form["name"], "ruleset": form["ruleset"], "check_in": form["check_in"] == "yes"}
    if form["on_purpose"] == "yes":
        said["on_purpose"] = ["rounds"]
    if form["starts_on"]:
        said["starts_on"] = form["starts_on"]
    said |= {name: number for name in ("rounds", "capacity") if (number := form.whole(name)) is not None}
    return said


def _venues(form: Form) -> list[tuple[str, int]]:
    found = []
    for line in range(1, VENUES + 1):
        name, tables = form[f"venue_{line}"], form.whole(f"tables_{line}")
        if name and tables is None and f"tables_{line}" not in form.faults:
            form.wrong(f"tables_{line}", "How many tables does it have?")
        if tables is not None and not name:
            form.wrong(f"venue_{line}", "What is it called?")
        found.append((name, tables or 0))
    return [venue for venue in found if venue[0]]


def _announce(form: Form, announcement: dict[str, Any], venues: list[tuple[str, int]]) -> str:
    """Announce it and open its venues; sent a second time with the same key it is the same event."""
    asked = muster()
    done = asked.registration.announce_tournament(**announcement, idempotency_key=form.key)
    event = str(done.id)
    for number, (name, tables) in enumerate(venues, 1):
        key = f"{form.key}-venue-{number}"
        asked.acting_as(done.token).registration.open_venue(event, name=name, tables=tables, idempotency_key=key)
    person = person_of(done.token)
    if person is not None and not here().organises:
        sign_in(person)
    return event
