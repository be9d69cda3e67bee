"""Check-in at the door: find somebody by name, id or code, and one press says that they are here, or not after all."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from muster_client import Problem, answers
from services.console.forms import LONGEST, Form
from services.console.language import _
from services.console.pages.players import DONE, change_player
from services.console.signed_in import ALL, here, muster, person_of, venue_shown
from services.console.undo import say

blueprint = Blueprint("check_in", __name__)
FOUND = 20
PAGE = 500


@blueprint.route("/events/<event>/check-in", methods=["GET", "POST"])
def show(event: str) -> ResponseReturnValue:
    """Who is here. What is looked for is posted, so that a scanned link never stands in an address."""
    if not here().staff:
        return redirect(url_for("home.enter"))
    form, asked = Form(), muster().registration
    does, player = request.form.get("do", ""), form["player"]
    if form.sent and does in ("check-in", "check-out"):
        try:
            name = asked.show_player(event, player).name
            say(_(DONE[does], player=name), change_player(does, event, player, form))
            return redirect(url_for("check_in.show", event=event))
        except Problem as problem:
            form.add_problem(problem)
    shown = asked.show_tournament(event)
    found = _found(event, form["q"])
    counts = {} if request.headers.get("HX-Request") else _counts(event)  # a script takes what was found alone
    page = render_template(
        "check_in.html",
        event=shown,
        form=form,
        found=sorted(found, key=lambda one: not here().acts_at(one.venue)),
        counts=counts,
        venue=venue_shown(shown),
        all_venues=ALL,
        names={venue.id: venue.name for venue in shown.venues},
        place="players",
    )
    return page, 200 if form.is_valid else 422


def player_of(event: str, text: str) -> str:
    """The player whom a code or a link of this event names; empty where the text is none.

    The console cannot check the token and need not: it only finds the player, whom staff then check in themselves.
    """
    try:
        token = parse_qs(urlsplit(text).query).get("token", [text])[0]
    except ValueError:
        return ""
    person = person_of(token)
    return person.player if person is not None and person.tournament == event else ""


def _found(event: str, text: str) -> list[answers.PlayerView]:
    if not text:
        return []
    asked = muster().registration
    named = player_of(event, text)
    if not named and len(text) > LONGEST:
        return []
    named = named or (text if text.isascii() and text.isalnum() else "")
    if named:
        try:
            return [asked.show_player(event, named)]
        except Problem as problem:
            if problem.status != 404:
                raise
    try:
        return asked.list_players(event, q=text, sort="name", status="active", limit=FOUND).items
    except Problem as problem:
        if problem.status != 422:  # no name: a control character, say
            raise
        return []


def _counts(event: str) -> dict[str, tuple[int, int]]:
    """Venue -> how many of its players are here, and how many there are; the empty venue: none yet."""
    counts: dict[str, tuple[int, int]] = {}
    after = None
    while True:
        listed = muster().registration.list_players(event, status="active", limit=PAGE, after=after)
        for one in listed.items:
            present, all_of_them = counts.get(one.venue, (0, 0))
            counts[one.venue] = (present + one.checked_in, all_of_them + 1)
        after = listed.next
        if not after:
            return counts
