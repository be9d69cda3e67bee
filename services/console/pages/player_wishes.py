"""What single players ask for: not to meet in round 1, a reserved table, the erasure of their personal data."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, abort, redirect, render_template, url_for
from flask.typing import ResponseReturnValue
from msgspec import Struct

from muster_client import Problem
from services.console.forms import LONGEST, Form
from services.console.language import _
from services.console.pages.public import SWISS
from services.console.problem_words import problem_text
from services.console.quick_entry import tables_named
from services.console.signed_in import current_person, muster, only_for
from services.console.undo import Undo, flash
from shared.names import normalize_name

blueprint = Blueprint("player_wishes", __name__)
MOST = 100
"""Players of one group."""
LOOKED_AT = 20
"""Matches of a name that are compared."""


class Group(Struct, frozen=True):
    """Players who should not meet in round 1. value: their ids, as the form sends them."""

    value: str
    names: list[str]


@blueprint.route("/events/<event>/apart", methods=["GET", "POST"])
@only_for(lambda person: person.heads)
def apart(event: str) -> ResponseReturnValue:
    """Show the groups of players who are kept apart in round 1; an organiser's post adds a group or removes one."""
    form, registration = Form({"players": "/groups"}), muster().registration
    if form.sent and not current_person().organises:
        abort(403)
    tournament = registration.show_tournament(event)
    if tournament.format != SWISS:
        abort(404)
    before, status = tournament.kept_apart, 200
    if form.sent:
        after = _without(before, form["group"]) if form["do"] == "remove" else _with(event, before, form)
        if after is not None and form.is_valid:
            try:
                done = registration.keep_apart(event, groups=after, idempotency_key=form.key)
            except Problem as problem:
                form.add_problem(problem)
                status = problem.status
            else:
                said = _("The players are no longer kept apart.") if form["do"] == "remove" else _("Kept apart.")
                flash(said, done, Undo("registration", "/kept-apart", {"groups": before}))
                return redirect(url_for("player_wishes.apart", event=event))
        status = status if status != 200 else 422
    page = render_template(
        "apart.html",
        event=tournament,
        form=form,
        groups=[Group(" ".join(group), [_name(event, player) for player in group]) for group in before],
        place="players",
    )
    return page, status


def _without(groups: list[list[str]], value: str) -> list[list[str]]:
    return [group for group in groups if " ".join(group) != value]


def _with(event: str, groups: list[list[str]], form: Form) -> list[list[str]] | None:
    """Return the groups and the typed one; add a fault for each line that is not one player. None without two."""
    lines = [line.strip() for line in form["players"].splitlines() if line.strip()]
    found = [player for line in lines[:MOST] if (player := _player(event, line, form))]
    if form.is_valid and len(set(found)) < 2:
        form.add_fault("players", _("Enter two or more players, one per line."))
    return [*groups, list(dict.fromkeys(found))] if form.is_valid else None


def _player(event: str, line: str, form: Form) -> str:
    """Return the id of the player that a line names: by the whole name, or by a part of it that fits one player."""
    try:
        found = muster().registration.list_players(event, q=line[:LONGEST], limit=LOOKED_AT).items
    except Problem as problem:
        if problem.status != 422:  # no name: a control character, say
            raise
        found = []
    playing = [one for one in found if one.status in ("active", "waiting")]
    exact = [one for one in playing if normalize_name(one.name) == normalize_name(line)]
    fitting = exact or playing
    if len(fitting) == 1:
        return fitting[0].id
    if fitting:
        names = ", ".join(one.name for one in fitting)
        form.add_fault("players", _("%(name)s fits several players: %(names)s.", name=line[:LONGEST], names=names))
    else:
        form.add_fault("players", _("No player is named %(name)s.", name=line[:LONGEST]))
    return ""


def _name(event: str, player: str) -> str:
    try:
        return muster().registration.show_player(event, player).name
    except Problem as problem:
        if problem.status != 404:
            raise
        return player


@blueprint.route("/events/<event>/player/<player>/table", methods=["GET", "POST"])
@only_for(lambda person: person.staff)
def table(event: str, player: str) -> ResponseReturnValue:
    """Reserve a table for a player, or free it."""
    form, registration = Form({"venue": "/venue", "table": "/table", "reason": "/reason"}), muster().registration
    tournament, shown = registration.show_tournament(event), registration.show_player(event, player)
    if tournament.format != SWISS:
        abort(404)
    if not current_person().acts_at(shown.venue):
        abort(403)
    status, pinned = 200, shown.pinned
    if form.sent:
        try:
            if form["do"] == "free":
                done: Any = registration.unpin_player(event, player, idempotency_key=form.key)
                earlier = {"venue": pinned.venue, "table": pinned.table} if pinned else None
                undo = Undo("registration", f"/players/{player}/table", earlier) if earlier and done.events else None
                flash(_("%(player)s no longer has a reserved table.", player=shown.name), done, undo)
                return redirect(url_for("players.one", event=event, player=player))
            places = tables_named(tournament, form["table"], form["venue"])
            if not places:
                form.add_fault("table", _("Enter a table."))
            else:
                number = places[0][1]
                done = registration.pin_player(
                    event, player, venue=form["venue"], table=number, reason=form["reason"], idempotency_key=form.key
                )
                again = {"venue": pinned.venue, "table": pinned.table} if pinned else None
                undo = Undo("registration", f"/players/{player}/table", again) if again and done.events else None
                said = _("Table %(number)s is reserved for %(player)s.", number=form["table"], player=shown.name)
                flash(said, done, undo)
                return redirect(url_for("players.one", event=event, player=player))
        except Problem as problem:
            form.add_problem(problem)
            status = problem.status
        status = status if status != 200 else 422
    venues = [venue for venue in tournament.venues if venue.open and current_person().acts_at(venue.id)]
    page = render_template(
        "reserved_table.html", event=tournament, form=form, player=shown, venues=venues, place="players"
    )
    return page, status


@blueprint.route("/events/<event>/player/<player>/erasure", methods=["GET", "POST"])
@only_for(lambda person: person.organises or bool(person.player))
def erase(event: str, player: str) -> ResponseReturnValue:
    """Say what is erased and what stays; a post erases the personal data of a player."""
    if not current_person().organises and current_person().player != player:
        abort(403)
    form, registration = Form(), muster().registration
    back = url_for("players.one", event=event, player=player)
    if not current_person().organises:
        back = url_for("table.show", event=event)
    status, refused = 200, ""
    if form.sent and form["sure"] != "yes":
        form.add_fault("sure", _("Tick this first: it cannot be undone."))
        status = 422
    elif form.sent:
        try:
            registration.erase_personal_data(event, player, idempotency_key=form.key)
        except Problem as problem:
            form.add_problem(problem)
            status = problem.status
        else:
            flash(_("The personal data are erased."))
            return redirect(back)
    stored = False
    try:
        stored = bool(registration.erase_personal_data(event, player, preview=True).events)
    except Problem as problem:
        if problem.status in (401, 403, 404):
            raise
        refused = problem_text(problem)
    page = render_template(
        "erasure.html",
        event=registration.show_tournament(event),
        form=form,
        player=registration.show_player(event, player),
        stored=stored,
        refused=refused,
        back=back,
        place="players",
    )
    return page, status
