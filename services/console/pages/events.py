"""A new event, a copy of one, where an event begins, and taking back what was just done."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from muster_client import Problem
from services.console import new_event
from services.console.fault_words import problem_text
from services.console.forms import Form, inside
from services.console.language import _
from services.console.pages.public import SWISS, home_of
from services.console.signed_in import person_of, sign_in
from services.console.toast import say
from services.console.undo import read_undo
from services.console.upstream import here, muster

blueprint = Blueprint("events", __name__)
POINTERS = {name: f"/{name}" for name in ("name", "ruleset", "tier", "starts_on", "ends_on", "rounds", "capacity")}
POINTERS["sign_up"] = "/sign_up"
DEFAULTS = {"check_in": "yes", "sign_up": "invite_only", "lines": "2"}
FRAGMENTS = {"frag-summary": "new_event_summary.html", "frag-rules": "new_event_rules.html"}
"""What a script may ask for alone -> its template."""


@blueprint.route("/events/new", methods=["GET", "POST"])
def new() -> ResponseReturnValue:
    """Announce an event and open its venues, from one page. `copy=t-…` fills the form from a past event."""
    rulesets = [one for one in muster().registration.list_rulesets().items if one.format == "swiss"]
    form = Form(POINTERS, defaults=_defaults([one.id for one in rulesets]))
    pack = _pack(form["ruleset"], [one.id for one in rulesets])
    options = new_event.option_fields(pack) if pack else []
    form.pointers = {**POINTERS, **{option.name: f"/options/{option.key}" for option in options}}
    if form.sent and not form["do"]:
        event = _announced(form, pack)
        if event:
            return redirect(url_for("players.show", event=event))
    fragment = FRAGMENTS.get(request.headers.get("HX-Target", ""), "new_event.html")
    shown = render_template(
        fragment if form["do"] else "new_event.html",
        form=form,
        rulesets=rulesets,
        rules_hint=new_event.rules_hint,
        pack=pack,
        options=options,
        tiers=new_event.TIERS,
        has_cut=new_event.has_cut,
        lines=range(1, new_event.venue_lines(form) + 1),
        summary=new_event.summary(form, pack),
        copied=request.args.get("copy", ""),
    )
    return shown, 200 if form.is_valid else 422


@blueprint.get("/events/<event>/")
def show(event: str) -> ResponseReturnValue:
    """The page that matters now: for staff of a Swiss the round if there is one, else the players; for a player their
    table; for everybody else what is public."""
    if here().staff and muster().registration.show_tournament(event).format == SWISS:
        page = "rounds.show" if muster().pairing.list_rounds(event).items else "players.show"
        return redirect(url_for(page, event=event))
    if here().player and not here().staff:
        return redirect(url_for("table.show", event=event))
    return redirect(home_of(event))


def _defaults(shipped: list[str]) -> dict[str, str]:
    """What the empty form holds: sensible values, or those of the event that is copied."""
    event = request.args.get("copy", "")
    if not event:
        return DEFAULTS
    asked = muster().registration
    return new_event.filled_from(asked.show_tournament(event), asked.show_tournaments_ruleset(event).ruleset, shipped)


def _pack(ruleset: str, shipped: list[str]) -> Mapping[str, Any] | None:
    return muster().registration.show_ruleset(ruleset).ruleset if ruleset in shipped else None


def _announced(form: Form, pack: Mapping[str, Any] | None) -> str:
    """The event that was announced; empty where something is wrong, with everything that is."""
    said, venues = new_event.announcement(form, pack), new_event.venues(form)
    if form.is_valid:
        try:
            return _announce(form, said, venues)
        except Problem as problem:
            form.add_problem(problem)
    rules = {"name": "Event"} | {member: said[member] for member in ("ruleset", "tier", "options") if member in said}
    for part in (said, rules):  # what is wrong with options is found only where the rest of a request is in order
        _note_refusals(form, part)
    return ""


def _note_refusals(form: Form, announcement: dict[str, Any]) -> None:
    """Note what the service would refuse, where nothing is noted yet."""
    try:
        muster().registration.announce_tournament(**announcement, preview=True)
    except Problem as problem:
        known, above = {name: list(texts) for name, texts in form.faults.items()}, list(form.above)
        form.add_problem(problem)
        form.faults |= known
        form.above = list(dict.fromkeys([*above, *form.above]))


def _announce(form: Form, announcement: dict[str, Any], venues: list[tuple[str, Any]]) -> str:
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
    say(_("%(event)s is announced. Now add players.", event=announcement["name"]))
    return event


@blueprint.post("/events/<event>/undo")
def take_back(event: str) -> ResponseReturnValue:
    """Send the request that takes something back; then show the page where the button was."""
    form, undo = Form(), read_undo(request.form.get("undo", ""), event)
    back = inside(request.form.get("back", "")) or url_for("events.show", event=event)
    if undo is None:
        say(_("That cannot be taken back any more."))
        return redirect(back)
    try:
        muster().send(
            undo.method, undo.service, f"/tournaments/{event}{undo.path}", undo.body, idempotency_key=form.key
        )
    except Problem as problem:
        say(problem_text(problem))
    else:
        say(_("Taken back."))
    return redirect(back)
