"""Walls and overlays: pages for projectors and streams that turn by themselves, without a login.

Programs such as OBS open the overlay as a browser source: no clicks and no cookies. It asks as a guest, so it never
shows more than everyone may see. It gets change notices like other pages, even while it is hidden.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from flask import Blueprint, render_template, request, url_for
from flask.typing import ResponseReturnValue
from msgspec import Struct, field

from muster_client import Problem, answers
from services.console.forms import Form
from services.console.hall_time import use_zone_of
from services.console.language import N_, _
from services.console.pages.bracket import rounds_of, wall_pages, winner_name
from services.console.pages.prints import public_address, qr_code
from services.console.pages.public import Sitting, is_begun, published, sittings
from services.console.pages.results import is_settled
from services.console.signed_in import GUEST, current_person, muster
from services.console.venue_rounds import latest_at, rounds_apart
from services.console.words import LONG_NAME
from shared.names import name_sort_key

NAMES, NAMES_OF_MANY = 16, 42
"""Names on one page: two columns of eight; in a large field three columns of fourteen."""
ROWS, ROWS_OF_MANY = 10, 42
"""Rows of the standings on one page; in a large field three columns of fourteen, with the first value only."""
MANY = 40
"""Lines above which a wall is dense."""
TURN_SECONDS = 90
"""The longest time until a line of a wall comes round again, unless pages would turn faster than SHORTEST."""
SCREENS = 3
"""Screens that can share the alphabet of a large field."""
NEXT_CALLS = 2
"""Upcoming time calls shown with the clock."""


class Turn(Struct, frozen=True):
    """One page of a wall. shown: values of its template. on: query of the next page; empty at the end."""

    template: str
    shown: Mapping[str, Any]
    on: Mapping[str, Any] = field(default_factory=dict)


def pairings_turn(
    event: answers.TournamentView, venue: str | None, by_table: bool, page: int, part: int = 1, parts: int = 1
) -> Turn:
    """Return a page of the pairings by name or by table. page: from 1; past the last one it starts again.

    part, parts: the share of the lines for one of several screens, from 1.
    """
    rounds = published(muster().pairing.list_rounds(event.id).items)
    halls = {one.id: number for number, one in enumerate(event.venues)}
    latest, of_venue = latest_at(rounds, venue or ""), {} if venue else rounds_apart(event, rounds, drafts=False)
    if len(set(of_venue.values())) < 2:
        of_venue = {}
    games = []
    for number in sorted(set(of_venue.values())) or ([latest.round] if latest else []):
        listed = next(one for one in rounds if one.round == number)
        drafts = {one.venue for one in listed.parts or () if one.status == "draft"}
        games += [
            game
            for game in muster().pairing.show_round(event.id, number, venue=venue).pairings
            if game.venue not in drafts and of_venue.get(game.venue, number) == number
        ]

    def order(line: Sitting) -> tuple[int, int, tuple[str, str]]:
        """Return the sort key: venue and table, those without a table last; or the name."""
        place = (halls.get(line.place, 0), line.table or sys.maxsize) if by_table else (0, 0)
        return *place, name_sort_key(line.name)

    lines = sorted(sittings(games), key=order)
    share = -(-len(lines) // parts)
    lines = lines[(part - 1) * share : part * share]
    names = NAMES_OF_MANY if len(lines) > MANY else NAMES
    pages = max(1, -(-len(lines) // names))
    page = (page - 1) % pages
    lines = lines[page * names : (page + 1) * names]
    shown = {
        "round": latest,
        "of_venue": of_venue,
        "lines": lines,
        "dense": names == NAMES_OF_MANY,
        "letters": (lines[0].name[:3], lines[-1].name[:3]) if lines and pages * parts > 1 and not by_table else None,
        "halls": halls,
        "page": page + 1,
        "pages": pages,
        "venue_shown": venue,
        "by": "table" if by_table else None,
    }
    return Turn("wall_pairings.html", shown, {"page": page + 2} if page + 1 < pages else {})


def standings_turn(
    event: answers.TournamentView, venue: str | None, first: int, after: str | None = None, names: str | None = None
) -> Turn:
    """Return a page of the standings. first: number of its first row. after: cursor of the page before it.

    One request is enough: a large field comes in pages of the service, a small one whole. Before a result counts, the
    players are listed by name; names: cursor of the page before it in that list.
    """
    page = muster().scoring.show_standings(event.id, limit=ROWS_OF_MANY, after=after, venue=venue)
    if not is_begun(muster(), event.id, page):
        return _entrants_turn(event, venue, first, names)
    dense = page.total > MANY
    count = ROWS_OF_MANY if dense else ROWS
    first = first if after or (not dense and first <= page.total) else 1
    start = 0 if after or dense else first - 1
    rows = page.items[start : start + count]
    shown = {
        "standings": page,
        "rows": rows,
        "first": first,
        "dense": dense,
        "page": (first - 1) // count + 1,
        "pages": max(1, -(-page.total // count)),
        "long_name": LONG_NAME,
    }
    on: dict[str, Any] = {}
    if first + len(rows) <= page.total:
        on = {"first": first + len(rows)} | ({"after": page.next} if dense else {})
    return Turn("wall_standings.html", shown, on)


def _entrants_turn(event: answers.TournamentView, venue: str | None, first: int, after: str | None) -> Turn:
    """Return a page of the players by name, for a wall of standings before a result counts. first, after: as there."""
    page = muster().registration.list_players(
        event.id, status="active", sort="name", venue=venue, limit=NAMES_OF_MANY, after=after
    )
    dense = page.total > MANY
    count = NAMES_OF_MANY if dense else NAMES
    first = first if after or (not dense and first <= page.total) else 1
    start = 0 if dense else first - 1
    entrants = page.items[start : start + count]
    shown = {
        "entrants": entrants,
        "dense": dense,
        "total": page.total,
        "page": (first - 1) // count + 1,
        "pages": max(1, -(-page.total // count)),
        "long_name": LONG_NAME,
    }
    on: dict[str, Any] = {}
    if first + len(entrants) <= page.total:
        on = {"first": first + len(entrants)} | ({"names": page.next} if dense else {})
    return Turn("wall_entrants.html", shown, on)


def clock_turn(event: answers.TournamentView, venue: str | None) -> Turn:
    """Return the remaining time of the round, by the service's clock, and the next time calls."""
    now = muster().pairing.show_clock(event.id, venue=venue)
    running, apart = now.running and now.round is not None, clocks_apart(now.parts or [])
    settled, games = count_settled(event.id, now.round, venue) if running and now.round and not apart else (0, 0)
    calls = [call for call in now.calls or [] if call.due_at and not call.made and _to_come(call.due_at, now.now)]
    shown = {
        "clock": now if running else None,
        "now": now.now,
        "games": games,
        "settled": settled,
        "calls": calls[:NEXT_CALLS],
        "apart": apart,
        "counts": [count_settled(event.id, part.round, part.venue) for part in apart],
        "venue_shown": venue,
    }
    return Turn("wall_clock.html", shown)


def count_settled(event: str, round: int, venue: str | None) -> tuple[int, int]:
    """Return the number of settled games of a round, and of all its games. venue: None for all."""
    games = muster().pairing.show_round(event, round, venue=venue).pairings
    played = [game for game in games if game.status != "bye"]
    return sum(map(is_settled, played)), len(played)


def clocks_apart(parts: Sequence[answers.PartClock]) -> list[answers.PartClock]:
    """Return the clocks of the venues if they differ; an empty list if one clock counts for all."""
    return [*parts] if len({(part.round, part.ends_at) for part in parts}) > 1 else []


def _to_come(due: str, now: str) -> bool:
    return datetime.fromisoformat(due) > datetime.fromisoformat(now)


blueprint = Blueprint("wall", __name__)
SECONDS = 12
"""Default seconds per page."""
CLOCK_SECONDS, CLOCK_LIVE_SECONDS = 5, 30
"""Seconds between two readings of the clock, without a script and with one."""


@blueprint.get("/events/<event>/wall/pairings")
def pairings(event: str) -> ResponseReturnValue:
    """Show the pairings by name or by table, at one venue or at all."""
    tournament, venue = muster().registration.show_tournament(event), _venue()
    by = "table" if request.args.get("by") == "table" else None
    parts = min(SCREENS, max(1, request.args.get("parts", 1, type=int)))
    part = min(parts, max(1, request.args.get("part", 1, type=int)))
    page = max(1, request.args.get("page", 1, type=int))
    turn = pairings_turn(tournament, venue, by is not None, page, part, parts)
    share: dict[str, Any] = {"part": part, "parts": parts} if parts > 1 else {}
    following = url_for("wall.pairings", event=event, **(turn.on or {"page": 1}), **share, venue=venue, by=by)
    return render_turn(tournament, turn, seconds_per_page(turn), following)


def seconds_per_page(turn: Turn) -> int:
    """Return the seconds of one page of a wall: SECONDS, or less so that every line is back after TURN_SECONDS."""
    pages: int = turn.shown.get("pages", 1)
    return min(SECONDS, max(SHORTEST, TURN_SECONDS // pages))


@blueprint.get("/events/<event>/wall/standings")
def standings(event: str) -> ResponseReturnValue:
    """Show the standings, page by page."""
    tournament, venue = muster().registration.show_tournament(event), _venue()
    turn = standings_turn(tournament, venue, **_place_in_standings(request.args))
    following = url_for("wall.standings", event=event, **turn.on, venue=venue)
    return render_turn(tournament, turn, seconds_per_page(turn), following)


@blueprint.get("/events/<event>/wall/clock")
def clock(event: str) -> ResponseReturnValue:
    """Show the remaining time of the round and the next time calls."""
    tournament, venue = muster().registration.show_tournament(event), _venue()
    following = url_for("wall.clock", event=event, venue=venue)
    return render_turn(tournament, clock_turn(tournament, venue), CLOCK_SECONDS, following, turning=CLOCK_LIVE_SECONDS)


@blueprint.get("/events/<event>/wall/bracket")
def bracket(event: str) -> ResponseReturnValue:
    """Show a page of the undecided rounds of the bracket, or of the last ones if all are decided."""
    tournament = muster().registration.show_tournament(event)
    turn = bracket_turn(event, max(1, request.args.get("page", 1, type=int)))
    return render_turn(tournament, turn, SECONDS, url_for("wall.bracket", event=event, **(turn.on or {"page": 1})))


def bracket_turn(event: str, page: int) -> Turn:
    """Return a page of the bracket. page: from 1; past the last one it starts again."""
    found = muster().pairing.show_bracket(event)
    draft = muster().pairing.show_cut(event).draft  # a wall never shows drafts, even to staff
    pages = [] if draft else wall_pages(rounds_of(found, {}))
    number = (page - 1) % max(1, len(pages))
    shown = {
        "picture": pages[number] if pages else None,
        "winner": winner_name(found),
        "page": number + 1,
        "pages": len(pages),
    }
    return Turn("wall_bracket.html", shown, {"page": number + 2} if number + 1 < len(pages) else {})


def render_turn(event: answers.TournamentView, turn: Turn, seconds: int, following: str, **more: Any) -> str:
    """Render a page of a wall. seconds: until the page at the address `following`."""
    shown: Mapping[str, Any] = {**turn.shown, **more}
    use_zone_of(event, turn.shown.get("venue_shown"))
    return render_template(turn.template, event=event, seconds=seconds, following=following, **shown)


def _venue() -> str | None:
    return request.args.get("venue") or None


TOP, MOST = 6, 12
OVERLAY_SECONDS = 5
"""Seconds between two reloads without scripts."""


@blueprint.get("/events/<event>/overlay")
def overlay(event: str) -> ResponseReturnValue:
    """Show the overlay. venue, table, top: as the service takes them."""
    top = min(MOST, max(1, request.args.get("top", TOP, type=int)))
    shown = muster(GUEST).scoring.show_overlay(
        event, venue=request.args.get("venue") or None, table=request.args.get("table", type=int), top=top
    )
    scores = {table.game: _score(table) for table in shown.tables}
    return render_template("overlay.html", shown=shown, scores=scores, seconds=OVERLAY_SECONDS)


def _score(table: object) -> str:
    """Return the score of a game that counts; empty otherwise."""
    score = getattr(table, "score", None)
    if not score or not getattr(table, "binds", False):
        return ""
    one, two = next(iter(score.values_1.values()), ""), next(iter(score.values_2.values()), "")
    return f"{one} : {two}"


DISPLAYS = {
    "pairings_by_name": N_("Pairings by name"),
    "pairings_by_table": N_("Pairings by table"),
    "clock": N_("Clock"),
    "standings": N_("Standings"),
    "bracket": N_("Bracket"),
}
"""Display of a screen -> words, in the order in which the screen shows them."""
MOMENTS = {"before": N_("before a round"), "during": N_("during a round"), "after": N_("after a round")}
SHORTEST, LONGEST = 5, 300
"""Shortest and longest seconds per page of a screen."""


class Preset(Struct, frozen=True):
    """A screen that many events need. name, about: what the page says of it. plan: display -> moments."""

    name: str
    about: str
    plan: Mapping[str, Sequence[str]]


PRESETS = {
    "hall": Preset(
        N_("Hall screen"),
        N_("Pairings by name before a round, the clock while it is played, standings after it."),
        {"pairings_by_name": ["before"], "clock": ["during"], "standings": ["after"]},
    ),
    "entrance": Preset(
        N_("Entrance"),
        N_("Pairings by name until the round is over, then standings."),
        {"pairings_by_name": ["before", "during"], "standings": ["after"]},
    ),
    "stage": Preset(
        N_("Stage"),
        N_("Pairings by table before a round, clock and standings while it is played, standings after it."),
        {"pairings_by_table": ["before"], "clock": ["during"], "standings": ["during", "after"]},
    ),
}
OWN = "own"
"""The choice of displays and moments by hand, in place of a preset."""


class Wall(Struct, frozen=True):
    """The address of a screen. venue: its name, empty for all. kind: a key of DISPLAYS. part: of SCREENS; 0: all."""

    kind: str
    venue: str
    place: str
    address: str
    code: str
    part: int = 0


@blueprint.get("/events/<event>/screen")
def screen(event: str) -> ResponseReturnValue:
    """Show a page of a screen, which leads to the next one. Its query is made by `walls()`."""
    tournament, plan = muster().registration.show_tournament(event), _plan()
    venue = _known_venue(tournament)
    seconds = min(max(request.args.get("seconds", SECONDS, type=int), SHORTEST), LONGEST)
    query = _screen_query(plan, venue, seconds)
    moment = _moment(tournament)
    now = [number for number, what in enumerate(DISPLAYS) if moment in plan.get(what, ())]
    if not now:
        turn = Turn("wall_nothing.html", {})
        return render_turn(tournament, turn, seconds, url_for("wall.screen", event=event, **query))
    asked = request.args.get("at", 0, type=int)
    at = next((number for number in now if number >= asked), now[0])
    turn = _screen_turn(tournament, list(DISPLAYS)[at], venue, request.args if at == asked else {})
    next_one = next((number for number in now if number > at), now[0])
    following = {"at": at, **turn.on} if turn.on else {"at": next_one}
    return render_turn(tournament, turn, seconds, url_for("wall.screen", event=event, **query, **following))


def _plan() -> dict[str, list[str]]:
    """Return what the query of this request names: thing -> when it is shown."""
    found = {what: [when for when in MOMENTS if when in request.args.getlist(what)] for what in DISPLAYS}
    return {what: whens for what, whens in found.items() if whens}


def _screen_query(plan: Mapping[str, list[str]], venue: str | None, seconds: int) -> dict[str, Any]:
    """Return the query of a screen. It is made of what was understood: an address of any length fits no code."""
    return {**plan, "venue": venue, "seconds": seconds}


def _known_venue(event: answers.TournamentView) -> str | None:
    """Return the venue that this request names, if the event has it."""
    return next((venue.id for venue in event.venues if venue.id == request.args.get("venue")), None)


def _screen_turn(event: answers.TournamentView, what: str, venue: str | None, query: Mapping[str, Any]) -> Turn:
    """Return a page of one display. A display that a service refuses, such as a clock without a round, is empty."""
    try:
        if what == "standings":
            return standings_turn(event, venue, **_place_in_standings(query))
        if what == "clock":
            return clock_turn(event, venue)
        if what == "bracket":
            return bracket_turn(event.id, _whole(query.get("page")))
        return pairings_turn(event, venue, what == "pairings_by_table", _whole(query.get("page")))
    except Problem:
        return Turn("wall_nothing.html", {})


def _place_in_standings(query: Mapping[str, str]) -> dict[str, Any]:
    """Return which page of the standings an address asks for, as `standings_turn` takes it."""
    return {
        "first": _whole(query.get("first")),
        "after": query.get("after") or None,
        "names": query.get("names") or None,
    }


def _whole(text: str | None) -> int:
    return max(1, int(text)) if text and text.isdecimal() and len(text) < 7 else 1


def _moment(event: answers.TournamentView) -> str:
    """Return `before`, `during` or `after` a round. A round without a start is played once it is paired."""
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
    """List the walls of each venue, with a form that makes the address of a rotating screen."""
    tournament, preset = muster().registration.show_tournament(event), PRESETS.get(request.args.get("preset", ""))
    plan = {what: [*whens] for what, whens in preset.plan.items()} if preset else _plan()
    names = {venue.id: venue.name for venue in tournament.venues}
    chosen = OWN if request.args else next(iter(PRESETS))
    form = Form({}, {"seconds": str(SECONDS), "venue": "", "preset": chosen, **request.args.to_dict()})
    made = None
    if "seconds" in request.args:
        seconds = request.args.get("seconds", 0, type=int)
        if not SHORTEST <= seconds <= LONGEST:
            form.add_fault("seconds", _("Between %(least)s and %(most)s seconds.", least=SHORTEST, most=LONGEST))
        if not plan:
            form.add_fault("shows", _("Choose what the screen shows, and when."))
        if form.is_valid:
            venue = _known_venue(tournament)
            place = url_for("wall.screen", event=event, **_screen_query(plan, venue, seconds))
            made = _wall("screen", names.get(venue or "", ""), place)
    page = render_template(
        "walls.html",
        event=tournament,
        form=form,
        ticked={} if preset else plan,
        presets=PRESETS,
        own=OWN,
        made=made,
        halls=_plain_walls(event, names),
        what=DISPLAYS,
        when=MOMENTS,
        screens=SCREENS,
        place="walls",
    )
    return page, 200 if form.is_valid else 422


def _wall(kind: str, venue: str, place: str, part: int = 0) -> Wall:
    return Wall(kind, venue, place, public_address(place), qr_code(place), part)


def _plain_walls(event: str, names: Mapping[str, str]) -> dict[str, list[Wall]]:
    """Return name of a venue -> a wall for each display; "" for all venues. The caller's own venue comes first."""
    halls: list[tuple[str | None, str]] = [(None, ""), *(names.items() if len(names) > 1 else ())]
    halls.sort(key=lambda hall: hall[0] != current_person().venue)
    found = {
        name: [
            _wall(kind, name, place)
            for kind, place in (
                ("pairings_by_name", url_for("wall.pairings", event=event, venue=venue)),
                ("pairings_by_table", url_for("wall.pairings", event=event, venue=venue, by="table")),
                ("clock", url_for("wall.clock", event=event, venue=venue)),
                ("standings", url_for("wall.standings", event=event, venue=venue)),
            )
        ]
        for venue, name in halls
    }
    if muster().registration.list_players(event, status="active", limit=1).total > MANY * SCREENS:
        for part in range(1, SCREENS + 1):
            place = url_for("wall.pairings", event=event, part=part, parts=SCREENS)
            found[""].append(_wall("pairings_by_name", "", place, part))
    if muster().pairing.show_cut(event).bracket != "none":
        found[""].append(_wall("bracket", "", url_for("wall.bracket", event=event)))
    return found
