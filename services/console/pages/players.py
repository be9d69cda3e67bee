"""Players: adding them, checking them in, their links, letting them go."""

from __future__ import annotations

import segno
from flask import Blueprint, current_app, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from muster_client import Problem
from muster_client.generated.bodies import Entry
from services.console.forms import Form
from services.console.upstream import muster

blueprint = Blueprint("players", __name__)
PAGE = 100


@blueprint.route("/events/<event>/players", methods=["GET", "POST"])
def show(event: str) -> ResponseReturnValue:
    """The list of players, by name on request; posting adds some, one a line."""
    form = Form({"players": "/players"})
    if form.sent:
        entries = [_entry(line, form["venue"]) for line in form["players"].splitlines() if line.strip()]
        if not entries:
            form.wrong("players", "Write a name, or several, each on a line of its own.")
        else:
            try:
                muster().registration.join_players(event, players=entries, idempotency_key=form.key)
            except Problem as problem:
                form.refused(problem)
            else:
                return redirect(url_for("players.show", event=event))
    return _page(event, form), 200 if form.good else 422


@blueprint.post("/events/<event>/players/check-in")
def check_in_all(event: str) -> ResponseReturnValue:
    """Check in everybody who is shown and has not come to the desk yet."""
    form = Form()
    asked = muster().registration
    for player in form.all("player"):
        asked.check_in(event, player, venue=form["venue"], idempotency_key=f"{form.key}-{player}")
    return redirect(url_for("players.show", event=event))


@blueprint.post("/events/<event>/players/<player>")
def change(event: str, player: str) -> ResponseReturnValue:
    """One thing that happens to a player."""
    form, asked = Form(), muster().registration
    does = request.form.get("do", "")
    if does == "check-in":
        asked.check_in(event, player, venue=form["venue"], idempotency_key=form.key)
    elif does == "check-out":
        asked.check_out(event, player, idempotency_key=form.key)
    elif does == "drop":
        asked.drop_player(event, player, idempotency_key=form.key)
    elif does == "link":
        done = asked.issue_player_link(event, player, reason=form["reason"], idempotency_key=form.key)
        return _link(event, player, done.token)
    return redirect(url_for("players.show", event=event, q=form["q"]))


def _link(event: str, player: str, token: str) -> ResponseReturnValue:
    address = current_app.config["SETTINGS"].public_url + url_for("table.come_in", event=event, token=token)
    code = segno.make(address, error="m").svg_data_uri(scale=6, border=2)
    shown = muster().registration.show_player(event, player)
    return render_template("player_link.html", event=_event(event), player=shown, address=address, code=code)


def _page(event: str, form: Form) -> str:
    asked, words = muster().registration, request.args.get("q", "").strip()
    after = request.args.get("after") or None
    listed = asked.list_players(event, limit=PAGE, after=after, q=words or None, sort="name")
    return render_template("players.html", event=_event(event), form=form, players=listed, q=words, place="players")


def _event(event: str) -> object:
    return muster().registration.show_tournament(event)


def _entry(line: str, venue: str) -> Entry:
    """A player as typed: a name, and behind a semicolon the club."""
    name, _, club = line.partition(";")
    entry: Entry = {"name": name.strip()}
    if club.strip():
        entry["club"] = club.strip()
    if venue:
        entry["venue"] = venue
    return entry
