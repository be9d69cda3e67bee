"""Prints: pairings, result slips, table signs, players' codes, forms, standings, certificates; QR codes of pages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import segno
from flask import Blueprint, abort, current_app, render_template, request, url_for
from flask.typing import ResponseReturnValue
from msgspec import Struct
from msgspec.structs import replace

from muster_client import answers, problems
from services.console.forms import Form
from services.console.language import _
from services.console.pages.public import all_players, sittings
from services.console.result_form import ResultForm, bare_form, result_form
from services.console.signed_in import muster
from services.console.venue_rounds import latest_at
from shared.names import name_sort_key

KEPT = 512
"""Cached codes. Those of walls, tables and slips are the same for everyone and take 8 ms each to draw."""


def public_address(place: str) -> str:
    """Return the public address of a path of this console."""
    return str(current_app.config["SETTINGS"].public_url) + place


def is_local(address: str) -> bool:
    """Return True for an address that works on this computer only."""
    host = urlsplit(address).hostname or ""
    return host in ("localhost", "::1") or host.startswith("127.")


def qr_code(place: str) -> str:
    """Return a QR code of a path as a data URI: dark on light, as phones read it.

    For paths that anyone may open; it is cached.
    """
    return _kept(public_address(place))


def qr_code_of_key(place: str) -> str:
    """Return a QR code of a path that contains a key; it is not cached."""
    return _drawn(public_address(place))


def _drawn(address: str) -> str:
    return str(segno.make(address, error="m").svg_data_uri(scale=6, border=4, light="#fff"))


_kept = lru_cache(maxsize=KEPT)(_drawn)


blueprint = Blueprint("prints", __name__)
PAPERS = {"a4": "A4", "letter": "Letter"}
"""Paper sizes of prints that fill whole sheets; everything else follows the printer."""
A_SHEET = 4
"""Result slips on a sheet."""
BOXES = ("winner", "second_player", "end")
"""Facts that a slip has boxes for."""
SHEETS, SIGNS = 40, 100
"""Sheets of slips, and signs, in one portion."""
PODIUM = 3
MOST_CERTIFICATES = 100
PAGE_OF_SHEETS = 200
"""Sheets of a form in one portion."""
CODES_A_SHEET, SHEETS_OF_CODES = 12, 2
"""Players' codes on a sheet, and sheets of them in one portion: each code is a command of its own."""


class Slip(Struct, frozen=True):
    """A result slip. asks: the form of the result."""

    game: answers.PairingView
    asks: ResultForm


class Sign(Struct, frozen=True):
    """A sign for a table."""

    venue: str
    table: int
    table_label: str | None = None


class Portion(Struct, frozen=True):
    """A part of a long print. first: number of its first item, from 1. page, last: its number and that of the last one.
    before, following: addresses of the neighbouring portions, empty if there is none or a form leads to it.
    """

    items: Sequence[Any]
    first: int
    total: int
    page: int
    last: int
    before: str = ""
    following: str = ""


class PlayerCode(Struct, frozen=True):
    """The code that opens a player's own page."""

    name: str
    club: str
    venue: str
    code: str


class Certificate(Struct, frozen=True):
    """A certificate. rank: 0 for an award."""

    name: str
    rank: int
    award: str = ""


@blueprint.get("/events/<event>/prints")
def menu(event: str) -> ResponseReturnValue:
    """Show everything that can be printed now."""
    services = muster()
    tournament = services.registration.show_tournament(event)
    rounds = services.pairing.list_rounds(event).items
    try:
        forms = services.scoring.list_forms(event).items
    except problems.WrongFormat:
        forms = []
    return render_template(
        "print_menu.html", event=tournament, rounds=rounds, forms=forms, papers=PAPERS, key=uuid4(), place="prints"
    )


@blueprint.get("/events/<event>/prints/pairings")
def pairings(event: str) -> ResponseReturnValue:
    """Print the pairings of a round, by table or by name."""
    tournament, board = muster().registration.show_tournament(event), _round(event)
    by = "name" if request.args.get("by") == "name" else "table"
    games = sorted(board.pairings, key=lambda game: (game.status == "bye", game.venue_name, game.table))
    lines = sorted(sittings(games), key=lambda one: name_sort_key(one.name))
    return render_template("print_pairings.html", event=tournament, board=board, by=by, games=games, sittings=lines)


@blueprint.get("/events/<event>/prints/slips")
def slips(event: str) -> ResponseReturnValue:
    """Print a result slip for each game of a round, four to a sheet."""
    tournament, board = muster().registration.show_tournament(event), _round(event)
    games = sorted(
        (game for game in board.pairings if game.status != "bye"), key=lambda game: (game.venue_name, game.table)
    )
    portion = _portion([games[at : at + A_SHEET] for at in range(0, len(games), A_SHEET)], SHEETS)
    asks = _asking(event, games[0]) if games else bare_form
    sheets = [[Slip(game, asks(game.name_1, game.name_2)) for game in sheet] for sheet in portion.items]
    code = qr_code(url_for("table.show", event=event))
    return render_template(
        "print_slips.html",
        event=tournament,
        board=board,
        sheets=sheets,
        portion=portion,
        count=len(games),
        code=code,
        paper=_paper(),
    )


@blueprint.get("/events/<event>/prints/signs")
def signs(event: str) -> ResponseReturnValue:
    """Print a sign for each table with the code to report a result."""
    tournament = muster().registration.show_tournament(event)
    venue = request.args.get("venue", "")
    made = [
        Sign(one.name, table.table, table.label)
        for one in tournament.venues
        if one.open and venue in ("", one.id)
        for table in one.tables
    ]
    code = qr_code(url_for("table.show", event=event))
    portion = _portion(made, SIGNS)
    return render_template("print_signs.html", event=tournament, portion=portion, code=code, paper=_paper())


@blueprint.post("/events/<event>/prints/codes")
def codes(event: str) -> ResponseReturnValue:
    """Make a new code for each player, twelve to a sheet. Sending the same form again makes the same codes."""
    registration, form = muster().registration, Form()
    tournament, venue = registration.show_tournament(event), form["venue"] or None
    venues = {one.id: one.name for one in tournament.venues}
    players = list(all_players(event, status="active", venue=venue))
    portion = _portion(players, CODES_A_SHEET * SHEETS_OF_CODES, form.whole("page") or 1)
    made = []
    for one in portion.items:
        link = registration.issue_player_link(event, one.id, idempotency_key=f"{form.key}-{one.id}")
        place = url_for("sign_ins.by_link", event=event, token=link.token)
        made.append(PlayerCode(one.name, one.club or "", venues.get(one.venue or "", ""), qr_code_of_key(place)))
    return render_template(
        "print_codes.html",
        event=tournament,
        key=uuid4(),
        venue=venue or "",
        portion=portion,
        pages={_("Back"): portion.page - 1, _("Next"): portion.page + 1},
        last=portion.last,
        sheets=[made[at : at + CODES_A_SHEET] for at in range(0, len(made), CODES_A_SHEET)],
        paper=_paper(form["paper"]),
    )


@blueprint.get("/events/<event>/prints/forms/<form>")
def sheets(event: str, form: str) -> ResponseReturnValue:
    """Print the sheets of one of the ruleset's forms, filled in as far as known."""
    services = muster()
    tournament = services.registration.show_tournament(event)
    known = next((one for one in services.scoring.list_forms(event).items if one.id == form), None)
    if known is None:
        abort(404)
    page = _sheets(event, known)
    further: dict[str, Any] = {name: request.args.get(name) or None for name in ("round", "player", "venue")}
    following = url_for("prints.sheets", event=event, form=form, after=page.next, **further) if page.next else ""
    return render_template("print_forms.html", event=tournament, form=known, page=page, following=following)


@blueprint.get("/events/<event>/prints/standings")
def standings(event: str) -> ResponseReturnValue:
    """Print the full standings with every column."""
    tournament = muster().registration.show_tournament(event)
    number = request.args.get("round", type=int)
    table = muster().scoring.show_standings(event, round=number)
    return render_template("print_standings.html", event=tournament, standings=table)


@blueprint.get("/events/<event>/prints/certificates")
def certificates(event: str) -> ResponseReturnValue:
    """Print a certificate for each of the top players and for each award."""
    services = muster()
    tournament = services.registration.show_tournament(event)
    first = min(max(0, request.args.get("first", PODIUM, type=int)), MOST_CERTIFICATES)
    table = services.scoring.show_standings(event)
    names = {row.player: row.name for row in table.items}
    made = [Certificate(row.name, row.rank) for row in table.items if row.rank <= first]
    made += [
        Certificate(names.get(award.player, award.player), 0, award.name)
        for award in services.scoring.list_awards(event).items
        if award.player
    ]
    return render_template("print_certificates.html", event=tournament, standings=table, made=made, paper=_paper())


def _asking(event: str, game: answers.PairingView) -> Callable[[str, str], ResultForm]:
    """Return a function from two names to their result form, as far as slips show it."""
    try:
        services = muster().scoring.show_result_form(event, game.id)
    except problems.WrongFormat:
        return bare_form
    return partial(result_form, replace(services, facts=[fact for fact in services.facts if fact.name in BOXES]))


def _round(event: str) -> answers.RoundView:
    """Return the requested round, or else the latest. Aborts with 404 if none is paired."""
    wanted = request.args.get("round", type=int)
    if wanted is None:
        listed = muster().pairing.list_rounds(event).items
        if not listed:
            abort(404)
        latest = latest_at(listed, request.args.get("venue", ""))
        wanted = latest.round if latest else 1
    return muster().pairing.show_round(event, wanted, venue=request.args.get("venue") or None)


def _sheets(event: str, form: answers.FormView) -> answers.SheetsPage:
    """Return the sheets of a form in one portion. Lists come from registration, which has them before they open."""
    after, player, venue = (request.args.get(name) or None for name in ("after", "player", "venue"))
    if form.holds == "roster":
        return muster().registration.print_rosters(
            event, form=form.id, after=after, limit=PAGE_OF_SHEETS, player=player, venue=venue
        )
    number = request.args.get("round", type=int)
    return muster().scoring.show_sheets(
        event, form.id, after=after, limit=PAGE_OF_SHEETS, round=number, player=player, venue=venue
    )


def _portion(items: Sequence[Any], most: int, page: int | None = None) -> Portion:
    """Return a portion; the last one if the number is too high.

    page: its number; by default that of the request, with the addresses of its neighbours.
    """
    last, by_address = max(1, -(-len(items) // most)), page is None
    page = min(max(1, request.args.get("page", 1, type=int) if page is None else page), last)

    def address(number: int) -> str:
        kept: dict[str, Any] = {name: request.args.get(name) or None for name in ("round", "venue", "paper")}
        place = request.endpoint or ""
        exists = by_address and 1 <= number <= last
        return url_for(place, **(request.view_args or {}), **kept, page=number) if exists else ""

    first = (page - 1) * most
    shown = items[first : first + most]
    return Portion(shown, first + 1, len(items), page, last, address(page - 1), address(page + 1))


def _paper(asked: str = "") -> str:
    """Return the requested paper size of full sheets."""
    wanted = asked or request.args.get("paper", "")
    return wanted if wanted in PAPERS else "a4"
