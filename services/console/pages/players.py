"""What staff may do with a player, wherever the button stands: the command, and what is said when it is done."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from muster_client import Problem, answers
from muster_client.generated.bodies import AmendPlayerBody, Entry
from services.console.forms import Form, searched_for
from services.console.language import N_, _, ngettext
from services.console.pages.prints import address_of, code_of_key
from services.console.responses import leave_plain
from services.console.signed_in import ALL, here, muster, settles, venue_shown
from services.console.undo import Undo, say

DONE = {
    "check-in": N_("%(player)s is here."),
    "check-out": N_("%(player)s is no longer here."),
    "move": N_("%(player)s plays elsewhere from the next pairing on."),
    "withdraw": N_("%(player)s has given up the seat."),
    "drop": N_("%(player)s has dropped out."),
    "reinstate": N_("%(player)s is back."),
    "disqualify": N_("%(player)s is disqualified."),
    "revoke": N_("The disqualification of %(player)s is revoked."),
    "amend": N_("%(player)s is amended."),
}
"""What a form does -> what is said when it is done."""
NEED_REASON = ("disqualify", "revoke")


def change_player(does: str, event: str, player: str, form: Form) -> Any:
    """Send the command that a form names, one of `DONE`. Raises Problem."""
    asked, reason, key = muster().registration, form["reason"], form.key
    if does == "check-in":
        return asked.check_in(event, player, venue=form["venue"], idempotency_key=key)
    if does == "check-out":
        return asked.check_out(event, player, idempotency_key=key)
    if does == "move":
        return asked.move_player(event, player, venue=form["venue"], reason=reason, idempotency_key=key)
    if does == "withdraw":
        return asked.withdraw_player(event, player, reason=reason, idempotency_key=key)
    if does == "drop":
        return asked.drop_player(event, player, reason=reason, idempotency_key=key)
    if does == "reinstate":
        return asked.reinstate_player(event, player, idempotency_key=key)
    if does == "disqualify":
        return asked.disqualify_player(event, player, reason=reason, idempotency_key=key)
    if does == "revoke":
        return asked.revoke_disqualification(event, player, reason=reason, idempotency_key=key)
    before = asked.show_player(event, player)
    changed: AmendPlayerBody = {}
    if form["name"] and form["name"] != before.name:
        changed["name"] = form["name"]
    if form["club"] and form["club"] != before.club:
        changed["club"] = form["club"]
    if form["faction"] and form["faction"] != before.faction:
        changed["faction"] = form["faction"]
    return asked.amend_player(event, player, idempotency_key=key, **changed)


blueprint = Blueprint("players", __name__)
PAGE = 100
IN_ROW = ("check-in", "check-out")
"""What the row of a player does at once. Letting somebody drop out asks first, on the player's own page."""


@blueprint.route("/events/<event>/players", methods=["GET", "POST"])
def show(event: str) -> ResponseReturnValue:
    """The list of players, by name on request; posting adds some, one a line."""
    form = Form({"players": "/players"})
    if form.sent:
        entries = [_entry(line, form["venue"]) for line in form["players"].splitlines() if line.strip()]
        if not entries:
            form.add_fault("players", _("Write a name, or several, each on a line of its own."))
        else:
            try:
                done = muster().registration.join_players(event, players=entries, idempotency_key=form.key)
            except Problem as problem:
                form.add_problem(problem)
            else:
                say(ngettext("One player is entered.", "%(num)s players are entered.", len(done.players)), done)
                return redirect(url_for("players.show", event=event))
    return _page(event, form), 200 if form.is_valid else 422


@blueprint.post("/events/<event>/players/check-in")
def check_in_all(event: str) -> ResponseReturnValue:
    """Check in everybody who was shown and had not come to the desk yet: all of them, or nobody and why."""
    form = Form({"venue": "/venue"})
    players = list(dict.fromkeys(form.all("player")))
    try:
        done = muster().registration.check_in_players(
            event, players=players, venue=form["venue"], idempotency_key=form.key
        )
    except Problem as problem:
        form.add_problem(problem)
        return _page(event, form), problem.status
    come = sum(one.type == "PlayerCheckedIn" for one in done.events)
    say(ngettext("One player is here.", "%(num)s players are here.", come), done)
    return redirect(url_for("players.show", event=event, q=form["q"] or None))


@blueprint.post("/events/<event>/players/<player>")
def change(event: str, player: str) -> ResponseReturnValue:
    """Check a player in or out from their row, or make a code for them."""
    form, asked = Form({"venue": "/venue"}), muster().registration
    does = request.form.get("do", "")
    try:
        if does == "link":
            made = asked.issue_player_link(event, player, reason=form["reason"], idempotency_key=form.key)
            return _link(event, player, made.token)
        if does in IN_ROW:
            name = asked.show_player(event, player).name
            say(_(DONE[does], player=name), change_player(does, event, player, form))
        else:
            say(_("Nothing was changed."))
    except Problem as problem:
        form.add_problem(problem)
        return _page(event, form), problem.status
    return redirect(url_for("players.show", event=event, q=form["q"] or None))


def _link(event: str, player: str, token: str) -> ResponseReturnValue:
    place = url_for("sign_ins.by_link", event=event, token=token)
    shown = muster().registration.show_player(event, player)
    leave_plain()
    return render_template(
        "player_link.html", event=_event(event), player=shown, address=address_of(place), code=code_of_key(place)
    )


def _page(event: str, form: Form) -> str:
    asked, words = muster().registration, searched_for()
    after = request.args.get("after") or None
    shown = _event(event)
    venue = venue_shown(shown)
    listed = asked.list_players(event, limit=PAGE, after=after, q=words or None, venue=venue or None, sort="name")
    return render_template(
        "players.html",
        event=shown,
        form=form,
        players=listed,
        q=words,
        venue=venue,
        all_venues=ALL,
        to_come=[
            one for one in listed.items if one.status == "active" and not one.checked_in and here().acts_at(one.venue)
        ],
        place="players",
    )


def _event(event: str) -> answers.TournamentView:
    return muster().registration.show_tournament(event)


def _entry(line: str, venue: str) -> Entry:
    """A player as typed: a name, and behind a semicolon the club."""
    name, _semicolon, club = line.partition(";")
    entry: Entry = {"name": name.strip()}
    if club.strip():
        entry["club"] = club.strip()
    if venue:
        entry["venue"] = venue
    return entry


@blueprint.route("/events/<event>/player/<player>", methods=["GET", "POST"])
def one(event: str, player: str) -> ResponseReturnValue:
    """One player; posting does one thing, and the next page offers to take it back."""
    form = Form({"reason": "/reason", "venue": "/venue", "name": "/name", "club": "/club", "faction": "/faction"})
    asked = muster().registration
    does = request.form.get("do", "")
    if form.sent and does in NEED_REASON and not form["reason"]:
        form.add_fault("reason", _("Say why; it stands in the public log."))
    if does in DONE and form.is_valid:
        try:
            before = asked.show_player(event, player)
            done = change_player(does, event, player, form)
            say(_(DONE[does], player=before.name), done, _amend_back(before, form) if does == "amend" else None)
            return redirect(url_for("players.one", event=event, player=player))
        except Problem as problem:
            form.add_problem(problem)
    shown = asked.show_tournament(event)
    page = render_template(
        "player.html",
        event=shown,
        may={question: settles(shown, question) for question in ("disqualification", "reinstatement")},
        player=asked.show_player(event, player),
        warnings=asked.list_warnings(event, player).items,
        staff={member.id: member.name for member in shown.staff},
        venues={venue.id: venue.name for venue in shown.venues},
        form=form,
        place="players",
    )
    return page, 200 if form.is_valid else 422


def _amend_back(before: answers.PlayerView, form: Form) -> Undo | None:
    """Return the request that restores what a form overwrites; None if a value did not exist and cannot be emptied."""
    earlier = {
        name: getattr(before, name) for name in ("name", "club", "faction") if form[name] != getattr(before, name)
    }
    return Undo("registration", f"/players/{before.id}/amendments", earlier) if all(earlier.values()) else None
