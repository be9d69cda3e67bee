"""Screens on a wall: set up by the organiser; each turns at an address of its own, without a login."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from msgspec import Struct

from muster_client import Problem, answers, bodies, problems
from services.console import wall_turns
from services.console.codes import address_of, code_of
from services.console.forms import Form
from services.console.language import N_, _
from services.console.pages import bracket
from services.console.pages.wall import SECONDS, page_of
from services.console.sittings import published
from services.console.toast import say
from services.console.upstream import here, muster
from services.console.wall_turns import Turn

blueprint = Blueprint("screens", __name__)
POINTERS = {"name": "/name", "venue": "/venue", "seconds": "/seconds", "shows": "/shows"}
WHAT = {
    "pairings_by_name": N_("Pairings by name"),
    "pairings_by_table": N_("Pairings by table"),
    "clock": N_("Clock"),
    "standings": N_("Standings"),
    "bracket": N_("Bracket"),
}
"""What a screen may show -> in words, in the order in which the form asks and the screen shows."""
WHEN = {"before": N_("before a round"), "during": N_("during a round"), "after": N_("after a round")}


class Wall(Struct, frozen=True):
    """An address to open on a screen. venue: its name, empty for all. kind: of what, see WHAT."""

    kind: str
    venue: str
    place: str
    address: str
    code: str


class SetUp(Struct, frozen=True):
    """A screen that is set up, with its address. shows: what and when, in words."""

    screen: answers.ScreenView
    venue: str
    shows: Mapping[str, Sequence[str]]
    place: str
    address: str
    code: str


@blueprint.get("/events/<event>/screen/<screen>")
def show(event: str, screen: str) -> ResponseReturnValue:
    """One page of what a screen shows now; it leads to the next one, as the screen is set up then."""
    shown = muster().registration.show_tournament(event)
    here = url_for("screens.show", event=event, screen=screen)
    try:
        found = muster().registration.show_screen(event, screen)
    except problems.ScreenUnknown:
        # A script takes over no answer but a good one; what it showed until now would stay for ever.
        status = 200 if request.headers.get("HX-Request") else 404
        return page_of(shown, Turn("wall_nothing.html", {}), SECONDS, here, removed=True), status
    now = [number for number, one in enumerate(found.shows) if one.when in ("always", _moment(shown))]
    if not now:
        return page_of(shown, Turn("wall_nothing.html", {}), found.seconds, here, removed=False)
    asked = request.args.get("at", 0, type=int)
    at = next((number for number in now if number >= asked), now[0])
    turn = _turn(shown, found.shows[at].what, found.venue or None, request.args if at == asked else {})
    behind = next((number for number in now if number > at), now[0])
    following = {"at": at, **turn.on} if turn.on else {"at": behind}
    return page_of(shown, turn, found.seconds, url_for("screens.show", event=event, screen=screen, **following))


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
        return Turn("wall_nothing.html", {"removed": False})


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
    """The screens that are set up, a form for one, and the plain walls of each venue."""
    return _walls(event, None)


@blueprint.post("/events/<event>/walls")
def act(event: str) -> ResponseReturnValue:
    """Add a screen, change it, or remove it."""
    form, registration = Form(POINTERS, {"seconds": str(SECONDS)}), muster().registration
    screen, version, name = form["screen"], form.version, form["name"]
    removes = request.form.get("do") == "remove"
    form.sent = not removes  # beside a removal nothing was typed
    try:
        if removes:
            done = registration.remove_screen(event, screen, if_match=version, idempotency_key=form.key)
            say(_("The screen is removed."), done)
            return redirect(url_for("screens.walls", event=event))
        body = _body(form)
        if not form.good:
            return _walls(event, form), 422
        if not screen:
            screen = _id_of(name)
            known = {one.id: one for one in registration.list_screens(event).items}.get(screen)
            if known and not _same(known, body):  # sent twice, it is the same
                form.wrong("name", _("There is such a screen. Change that one, or choose another name."))
                return _walls(event, form), 409
        done = registration.set_screen(event, screen, **body, if_match=version, idempotency_key=form.key)
        say(_("%(screen)s is set up.", screen=name), done)
    except problems.PreconditionFailed:
        form.above.append(_("Somebody was faster. Below are the screens as they are now; nothing of yours was done."))
        return _walls(event, form), 412
    except Problem as problem:
        form.refused(problem)
        return _walls(event, form), problem.status
    return redirect(url_for("screens.walls", event=event))


def _body(form: Form) -> bodies.SetScreenBody:
    seconds = form.whole("seconds")
    shows: list[Any] = []
    for what in WHAT:
        ticked = [when for when in WHEN if when in form.all(what)]
        shows += [{"what": what, "when": when} for when in (["always"] if len(ticked) == len(WHEN) else ticked)]
    if not form["name"]:
        form.wrong("name", _("Give the screen a name."))
    if not shows:
        form.wrong("shows", _("Tick what the screen shows, and when."))
    return {
        "name": form["name"],
        "venue": form["venue"],
        "shows": shows,
        "seconds": SECONDS if seconds is None else seconds,
    }


def _id_of(name: str) -> str:
    """The end of an address that can be typed on a television: `Bühne links` is buhne-links."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:40].strip("-") or "screen"


def _same(screen: answers.ScreenView, body: bodies.SetScreenBody) -> bool:
    shows = [{"what": one.what, "when": one.when} for one in screen.shows]
    is_set_up = (screen.name, screen.venue, shows, screen.seconds)
    return is_set_up == (body["name"], body["venue"], body["shows"], body["seconds"])


def _walls(event: str, form: Form | None) -> str:
    """The page. form: as it was sent; else that of the screen which is named, or an empty one."""
    registration = muster().registration
    shown, screens = registration.show_tournament(event), registration.list_screens(event)
    names = {venue.id: venue.name for venue in shown.venues}
    wanted = (form["screen"] if form else request.args.get("screen", "")) or ""
    changed = next((one for one in screens.items if one.id == wanted), None)
    ticked = {what: _ticked(changed, what) for what in WHAT}
    if form is None:
        form = Form(POINTERS, _as_typed(changed))
    elif form.sent:
        ticked = {what: form.all(what) for what in WHAT}
    return render_template(
        "walls.html",
        event=shown,
        form=form,
        changed=changed,
        ticked=ticked,
        version=screens.meta.etag,
        screens=[_set_up(event, one, names) for one in screens.items],
        walls=_plain_walls(event, names),
        what=WHAT,
        when=WHEN,
        place="prints",
    )


def _as_typed(screen: answers.ScreenView | None) -> dict[str, str]:
    if screen is None:
        return {"seconds": str(SECONDS)}
    return {"name": screen.name, "venue": screen.venue, "seconds": str(screen.seconds), "screen": screen.id}


def _ticked(screen: answers.ScreenView | None, what: str) -> list[str]:
    """When a thing is shown, as boxes are ticked."""
    whens = [one.when for one in screen.shows if one.what == what] if screen else []
    return list(WHEN) if "always" in whens else whens


def _set_up(event: str, screen: answers.ScreenView, names: Mapping[str, str]) -> SetUp:
    place = url_for("screens.show", event=event, screen=screen.id)
    shows: dict[str, list[str]] = {}
    for one in screen.shows:
        shows.setdefault(one.what, []).extend([one.when] if one.when in WHEN else [])
    return SetUp(screen, names.get(screen.venue, ""), shows, place, address_of(place), code_of(place))


def _plain_walls(event: str, names: Mapping[str, str]) -> list[Wall]:
    """A wall for each thing, of all venues and of each; those first of the venue of whoever looks."""
    halls: list[tuple[str | None, str]] = [(None, ""), *(names.items() if len(names) > 1 else ())]
    halls.sort(key=lambda hall: hall[0] != here().venue)
    made = []
    for venue, name in halls:
        for kind, place in (
            ("pairings_by_name", url_for("wall.pairings", event=event, venue=venue)),
            ("pairings_by_table", url_for("wall.pairings", event=event, venue=venue, by="table")),
            ("standings", url_for("wall.standings", event=event, venue=venue)),
            ("clock", url_for("wall.clock", event=event, venue=venue)),
        ):
            made.append(Wall(kind, name, place, address_of(place), code_of(place)))
    if muster().pairing.show_cut(event).bracket != "none":
        place = url_for("bracket.wall", event=event)
        made.append(Wall("bracket", "", place, address_of(place), code_of(place)))
    return made
