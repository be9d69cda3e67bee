"""Screens on a wall. What a screen shows, and when, is in its address; nobody signs in there and nothing is stored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, render_template, request, url_for
from flask.typing import ResponseReturnValue
from msgspec import Struct

from muster_client import Problem, answers
from services.console import wall_turns
from services.console.forms import Form
from services.console.language import N_, _
from services.console.pages import bracket
from services.console.pages.prints import address_of, code_of
from services.console.pages.wall import SECONDS, page_of
from services.console.signed_in import here, muster
from services.console.sittings import published
from services.console.wall_turns import Turn

blueprint = Blueprint("screens", __name__)
WHAT = {
    "pairings_by_name": N_("Pairings by name"),
    "pairings_by_table": N_("Pairings by table"),
    "clock": N_("Clock"),
    "standings": N_("Standings"),
    "bracket": N_("Bracket"),
}
"""What a screen may show -> in words, in the order in which it does."""
WHEN = {"before": N_("before a round"), "during": N_("during a round"), "after": N_("after a round")}
SHORTEST, LONGEST = 5, 300
"""Seconds for which a page of a screen may stay."""


class Wall(Struct, frozen=True):
    """An address to open on a screen. venue: its name, empty for all. kind: of what, see WHAT."""

    kind: str
    venue: str
    place: str
    address: str
    code: str


@blueprint.get("/events/<event>/screen")
def show(event: str) -> ResponseReturnValue:
    """One page of what a screen shows now; it leads to the next one. Its query is that of `walls`."""
    shown, plan = muster().registration.show_tournament(event), _plan()
    venue = _venue(shown)
    seconds = min(max(request.args.get("seconds", SECONDS, type=int), SHORTEST), LONGEST)
    query = _query(plan, venue, seconds)
    moment = _moment(shown)
    now = [number for number, what in enumerate(WHAT) if moment in plan.get(what, ())]
    if not now:
        turn = Turn("wall_nothing.html", {})
        return page_of(shown, turn, seconds, url_for("screens.show", event=event, **query))
    asked = request.args.get("at", 0, type=int)
    at = next((number for number in now if number >= asked), now[0])
    turn = _turn(shown, list(WHAT)[at], venue, request.args if at == asked else {})
    next_one = next((number for number in now if number > at), now[0])
    following = {"at": at, **turn.on} if turn.on else {"at": next_one}
    return page_of(shown, turn, seconds, url_for("screens.show", event=event, **query, **following))


def _plan() -> dict[str, list[str]]:
    """Return what the query of this request names: thing -> when it is shown."""
    found = {what: [when for when in WHEN if when in request.args.getlist(what)] for what in WHAT}
    return {what: whens for what, whens in found.items() if whens}


def _query(plan: Mapping[str, list[str]], venue: str | None, seconds: int) -> dict[str, Any]:
    """Return the query of a screen. It is made of what was understood: an address of any length fits no code."""
    return {**plan, "venue": venue, "seconds": seconds}


def _venue(event: answers.TournamentView) -> str | None:
    """Return the venue that this request names, if the event has it."""
    return next((venue.id for venue in event.venues if venue.id == request.args.get("venue")), None)


def _turn(event: answers.TournamentView, what: str, venue: str | None, query: Mapping[str, Any]) -> Turn:
    """A page of one thing. What a service refuses, such as the clock of an event without one, is passed over."""
    try:
        if what == "standings":
            return wall_turns.standings(event, venue, query.get("after") or None, _whole(query.get("first")))
        if what == "clock":
            return wall_turns.clock(event, venue)
        if what == "bracket":
            return bracket.turn_of(event.id, _whole(query.get("page")))
        return wall_turns.pairings(event, venue, what == "pairings_by_table", _whole(query.get("page")))
    except Problem:
        return Turn("wall_nothing.html", {})


def _whole(text: str | None) -> int:
    return max(1, int(text)) if text and text.isdecimal() and len(text) < 7 else 1


def _moment(event: answers.TournamentView) -> str:
    """Where the event stands: before, during or after a round. A round without a start is played once it is paired."""
    try:
        rounds = published(muster().pairing.list_rounds(event.id).items)
    except Problem:
        return "before"
    last = rounds[-1].status if rounds else "none"
    if last == "closed":
        return "after"
    return "during" if last == "started" or (last == "paired" and event.format != "swiss") else "before"


@blueprint.get("/events/<event>/walls")
def walls(event: str) -> ResponseReturnValue:
    """The walls of one thing for each venue, and a form that makes the address of a screen that turns."""
    shown, plan = muster().registration.show_tournament(event), _plan()
    names = {venue.id: venue.name for venue in shown.venues}
    form = Form({}, {"seconds": str(SECONDS), "venue": "", **request.args.to_dict()})
    made = None
    if "seconds" in request.args:
        seconds = request.args.get("seconds", 0, type=int)
        if not SHORTEST <= seconds <= LONGEST:
            form.add_fault("seconds", _("Between %(least)s and %(most)s seconds.", least=SHORTEST, most=LONGEST))
        if not plan:
            form.add_fault("shows", _("Tick what the screen shows, and when."))
        if form.is_valid:
            venue = _venue(shown)
            place = url_for("screens.show", event=event, **_query(plan, venue, seconds))
            made = _wall("screen", names.get(venue or "", ""), place)
    page = render_template(
        "walls.html",
        event=shown,
        form=form,
        ticked=plan,
        made=made,
        walls=_plain_walls(event, names),
        what=WHAT,
        when=WHEN,
        place="prints",
    )
    return page, 200 if form.is_valid else 422


def _wall(kind: str, venue: str, place: str) -> Wall:
    return Wall(kind, venue, place, address_of(place), code_of(place))


def _plain_walls(event: str, names: Mapping[str, str]) -> list[Wall]:
    """A wall for each thing, of all venues and of each; those first of the venue of whoever looks."""
    halls: list[tuple[str | None, str]] = [(None, ""), *(names.items() if len(names) > 1 else ())]
    halls.sort(key=lambda hall: hall[0] != here().venue)
    found = [
        _wall(kind, name, place)
        for venue, name in halls
        for kind, place in (
            ("pairings_by_name", url_for("wall.pairings", event=event, venue=venue)),
            ("pairings_by_table", url_for("wall.pairings", event=event, venue=venue, by="table")),
            ("standings", url_for("wall.standings", event=event, venue=venue)),
            ("clock", url_for("wall.clock", event=event, venue=venue)),
        )
    ]
    if muster().pairing.show_cut(event).bracket != "none":
        found.append(_wall("bracket", "", url_for("bracket.wall", event=event)))
    return found
