"""Players: the list, one player, check-in, the waiting list, and import from a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Literal
from urllib.parse import parse_qs, urlsplit

from flask import Blueprint, Response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from muster_client import Problem, answers, problems
from muster_client.generated.bodies import AmendPlayerBody, Entry
from services.console.forms import LONGEST, Form, search_query
from services.console.language import N_, _, ngettext
from services.console.pages.prints import public_address, qr_code_of_key
from services.console.player_files import CheckedFile, check_file, venue_ids
from services.console.problem_words import problem_text
from services.console.responses import leave_plain
from services.console.selection import PART, Selection, act_on_each, selection
from services.console.signed_in import ALL, current_person, may_decide, muster, person_of, venue_shown
from services.console.undo import Undo, flash
from shared.csv_cells import NotUtf8, decode_spreadsheet

DONE = {
    "check-in": N_("%(player)s is checked in."),
    "check-out": N_("%(player)s is no longer checked in."),
    "move": N_("%(player)s changes venue from the next round."),
    "withdraw": N_("%(player)s has withdrawn."),
    "drop": N_("%(player)s has dropped out."),
    "reinstate": N_("%(player)s is reinstated."),
    "disqualify": N_("%(player)s is disqualified."),
    "revoke": N_("The disqualification of %(player)s is revoked."),
    "amend": N_("The details of %(player)s are saved."),
}
"""Action of a form -> message on the next page."""
NEED_REASON = ("drop", "disqualify", "revoke")


def change_player(action: str, event: str, player: str, form: Form) -> Any:
    """Send the command of an action, one of `DONE`. Raises Problem."""
    registration, reason, key = muster().registration, form["reason"], form.key
    if action == "check-in":
        return registration.check_in(event, player, venue=form["venue"], idempotency_key=key)
    if action == "check-out":
        return registration.check_out(event, player, idempotency_key=key)
    if action == "move":
        return registration.move_player(event, player, venue=form["venue"], reason=reason, idempotency_key=key)
    if action == "withdraw":
        return registration.withdraw_player(event, player, reason=reason, idempotency_key=key)
    if action == "drop":
        return registration.drop_player(event, player, reason=reason, idempotency_key=key)
    if action == "reinstate":
        return registration.reinstate_player(event, player, idempotency_key=key)
    if action == "disqualify":
        return registration.disqualify_player(event, player, reason=reason, idempotency_key=key)
    if action == "revoke":
        return registration.revoke_disqualification(event, player, reason=reason, idempotency_key=key)
    before = registration.show_player(event, player)
    changed: AmendPlayerBody = {}
    if form["name"] and form["name"] != before.name:
        changed["name"] = form["name"]
    if form["club"] and form["club"] != before.club:
        changed["club"] = form["club"]
    if form["faction"] and form["faction"] != before.faction:
        changed["faction"] = form["faction"]
    return registration.amend_player(event, player, idempotency_key=key, **changed)


blueprint = Blueprint("players", __name__)
PAGE = 100
IN_ROW = ("check-in", "check-out")
"""Actions of a player's row. Dropping a player is on the player's own page."""


@blueprint.route("/events/<event>/players", methods=["GET", "POST"])
def show(event: str) -> ResponseReturnValue:
    """List or search players; a post adds players, one per line."""
    form = Form({"players": "/players"})
    if form.sent:
        venues = venue_ids(_event(event).venues)
        entries = [_entry(line, form, venues) for line in form["players"].splitlines() if line.strip()]
        if not entries:
            form.add_fault("players", _("Enter one or more names, one per line."))
        if form.is_valid:
            try:
                done = muster().registration.join_players(event, players=entries, idempotency_key=form.key)
            except Problem as problem:
                form.add_problem(problem)
            else:
                flash(ngettext("%(num)s player added.", "%(num)s players added.", len(done.players)), done)
                return redirect(url_for("players.show", event=event))
    return _page(event, form), 200 if form.is_valid else 422


@blueprint.post("/events/<event>/players/check-in")
def check_in_all(event: str) -> ResponseReturnValue:
    """Check in all players listed who have not checked in: all of them, or none with every fault."""
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
    flash(ngettext("%(num)s player checked in.", "%(num)s players checked in.", come), done)
    return redirect(url_for("players.show", event=event, q=form["q"] or None))


SEVERAL_POINTERS = {"reason": "/reason"}
SEVERAL: Mapping[str, tuple[Callable[..., Any], Callable[[int], str]]] = {
    "check-in": (
        lambda event, player, form, key: muster().registration.check_in_players(
            event, players=[player], venue=form["to"], idempotency_key=key
        ),
        lambda count: ngettext("%(num)s player checked in.", "%(num)s players checked in.", count),
    ),
    "check-out": (
        lambda event, player, form, key: muster().registration.check_out(event, player, idempotency_key=key),
        lambda count: ngettext("%(num)s check-in undone.", "%(num)s check-ins undone.", count),
    ),
    "move": (
        lambda event, player, form, key: muster().registration.move_player(
            event, player, venue=form["to"], reason=form["reason"], idempotency_key=key
        ),
        lambda count: ngettext(
            "%(num)s player changes venue from the next round.",
            "%(num)s players change venue from the next round.",
            count,
        ),
    ),
    "accept": (
        lambda event, player, form, key: muster().registration.accept_roster(
            event, player, note=form["reason"], idempotency_key=key
        ),
        lambda count: ngettext("%(num)s list accepted.", "%(num)s lists accepted.", count),
    ),
    "drop": (
        lambda event, player, form, key: muster().registration.drop_player(
            event, player, reason=form["reason"], idempotency_key=key
        ),
        lambda count: ngettext("%(num)s player dropped out.", "%(num)s players dropped out.", count),
    ),
}
"""Action of the selected players -> the request for one of them, and what to say of those that were done."""


@blueprint.post("/events/<event>/players/several")
def several(event: str) -> ResponseReturnValue:
    """Check in, move, drop or accept the lists of the selected players, each on their own."""
    chosen, action = selection(SEVERAL_POINTERS, "player"), request.form.get("do", "")
    form = chosen.form
    if action not in SEVERAL:
        form.add_fault(PART, _("Choose what to do with the selected rows."))
    if action == "move" and not form["to"]:
        form.add_fault("to", _("Choose the venue."))
    if action == "drop" and not form["reason"]:
        form.add_fault("reason", _("Enter a reason; it goes into the public log."))
    if form.is_valid:
        act, say = SEVERAL[action]
        if act_on_each(chosen, action, lambda id, key: act(event, id, form, key), partial(_name, event), say):
            return redirect(url_for("players.show", event=event, **_place()))
    return _page(event, Form(), chosen), 422


def _name(event: str, player: str) -> str:
    """Return the name of a player; the id itself for an unknown one."""
    try:
        return muster().registration.show_player(event, player).name
    except Problem:
        return player


def _place() -> dict[str, Any]:
    """Return the part of the list that the page shows: the query values of its address."""
    return {name: value for name in ("q", "venue", "after") if (value := request.args.get(name, ""))}


@blueprint.post("/events/<event>/players/<player>")
def change(event: str, player: str) -> ResponseReturnValue:
    """Check a player in or out from their row, or make a code for them."""
    form, registration = Form({"venue": "/venue"}), muster().registration
    action = request.form.get("do", "")
    try:
        if action == "link":
            made = registration.issue_player_link(event, player, reason=form["reason"], idempotency_key=form.key)
            return _link(event, player, made.token)
        if action in IN_ROW:
            name = registration.show_player(event, player).name
            flash(_(DONE[action], player=name), change_player(action, event, player, form))
        else:
            flash(_("Nothing was changed."))
    except Problem as problem:
        form.add_problem(problem)
        return _page(event, form), problem.status
    return redirect(url_for("players.show", event=event, q=form["q"] or None))


def _link(event: str, player: str, token: str) -> ResponseReturnValue:
    place = url_for("sign_ins.by_link", event=event, token=token)
    shown = muster().registration.show_player(event, player)
    leave_plain()
    return render_template(
        "player_link.html", event=_event(event), player=shown, address=public_address(place), code=qr_code_of_key(place)
    )


STATUSES: Sequence[Literal["active", "waiting", "dropped", "disqualified", "withdrawn"]] = (
    "active",
    "waiting",
    "dropped",
    "disqualified",
    "withdrawn",
)


def _page(event: str, form: Form, chosen: Selection | None = None) -> str:
    registration, query = muster().registration, search_query()
    after = request.args.get("after") or None
    shown = _event(event)
    venue = venue_shown(shown)
    listed = registration.list_players(
        event, limit=PAGE, after=after, q=query or None, venue=venue or None, sort="name"
    )
    counts = shown.players
    if venue:
        counts = {
            status: registration.list_players(event, limit=1, status=status, venue=venue).total
            for status in STATUSES
            if counts.get(status)
        }
    return render_template(
        "players.html",
        event=shown,
        counts=counts,
        form=form,
        players=listed,
        q=query,
        chosen=chosen or Selection(Form(part=PART)),
        select_all=url_for("players.show", event=event, **_place(), select="all"),
        act_on=url_for("players.several", event=event, **_place()),
        venue=venue,
        all_venues=ALL,
        to_come=[
            one
            for one in listed.items
            if one.status == "active" and not one.checked_in and current_person().acts_at(one.venue)
        ],
        place="players",
    )


def _event(event: str) -> answers.TournamentView:
    return muster().registration.show_tournament(event)


def _entry(line: str, form: Form, venues: Mapping[str, str]) -> Entry:
    """Return a player from a line: a name and, after semicolons, club and venue. Add a fault if that is unknown.

    venues: as `venue_ids` returns them.
    """
    name, club, named = [*(part.strip() for part in line.split(";", 2)), "", ""][:3]
    entry: Entry = {"name": name}
    if club:
        entry["club"] = club
    venue = venues.get(named.casefold(), "") if named else form["venue"]
    if venue:
        entry["venue"] = venue
    elif named:
        form.add_fault("players", _("%(player)s: there is no open venue “%(venue)s”.", player=name, venue=named))
    return entry


@blueprint.route("/events/<event>/player/<player>", methods=["GET", "POST"])
def one(event: str, player: str) -> ResponseReturnValue:
    """Show a player; a post runs one action and offers to undo it."""
    form = Form({"reason": "/reason", "venue": "/venue", "name": "/name", "club": "/club", "faction": "/faction"})
    registration = muster().registration
    action = request.form.get("do", "")
    if form.sent and action in NEED_REASON and not form["reason"]:
        form.add_fault("reason", _("Enter a reason; it goes into the public log."))
    if action in DONE and form.is_valid:
        try:
            before = registration.show_player(event, player)
            done = change_player(action, event, player, form)
            flash(_(DONE[action], player=before.name), done, _amend_back(before, form) if action == "amend" else None)
            return redirect(url_for("players.one", event=event, player=player))
        except Problem as problem:
            form.add_problem(problem)
    tournament = registration.show_tournament(event)
    page = render_template(
        "player.html",
        event=tournament,
        may={question: may_decide(tournament, question) for question in ("disqualification", "reinstatement")},
        player=registration.show_player(event, player),
        warnings=registration.list_warnings(event, player).items,
        staff={member.id: member.name for member in tournament.staff},
        venues={venue.id: venue.name for venue in tournament.venues},
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


FOUND = 20
"""Players that a search shows."""
SEATS = 2
"""Players at a table."""
COUNTED_AT_ONCE = 500
"""Players per request of the count."""


@blueprint.route("/events/<event>/check-in", methods=["GET", "POST"])
def check_in(event: str) -> ResponseReturnValue:
    """Check players in and out. The search is posted, so that a scanned link never appears in an address."""
    if not current_person().staff:
        return redirect(url_for("home.enter"))
    form, registration = Form(), muster().registration
    action, player = request.form.get("do", ""), form["player"]
    if form.sent and action in ("check-in", "check-out"):
        try:
            name = registration.show_player(event, player).name
            flash(_(DONE[action], player=name), change_player(action, event, player, form))
            return redirect(url_for("players.check_in", event=event))
        except Problem as problem:
            form.add_problem(problem)
    tournament = registration.show_tournament(event)
    found = _found(event, form["q"])
    counts = {} if request.headers.get("HX-Request") else _counts(tournament)  # a script only takes the matches
    page = render_template(
        "check_in.html",
        event=tournament,
        form=form,
        found=sorted(found, key=lambda one: not current_person().acts_at(one.venue)),
        counts=counts,
        full=_too_full(tournament, counts),
        venue=venue_shown(tournament),
        all_venues=ALL,
        names={venue.id: venue.name for venue in tournament.venues},
        place="players",
    )
    return page, 200 if form.is_valid else 422


def player_of(event: str, text: str) -> str:
    """Return the player that a code or link of this event names; empty if it is not one.

    The console does not need to verify the token: it only finds the player, and staff check them in.
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
    registration = muster().registration
    named = player_of(event, text)
    if not named and len(text) > LONGEST:
        return []
    named = named or (text if text.isascii() and text.isalnum() else "")
    if named:
        try:
            return [registration.show_player(event, named)]
        except Problem as problem:
            if problem.status != 404:
                raise
    try:
        return registration.list_players(event, q=text, sort="name", status="active", limit=FOUND).items
    except Problem as problem:
        if problem.status != 422:  # no name: a control character, say
            raise
        return []


def _counts(event: answers.TournamentView) -> dict[str, tuple[int, int]]:
    """Return venue -> players checked in, and all its players; the empty venue: no venue yet.

    All players of an event with one venue count there.
    """
    only = event.venues[0].id if len(event.venues) == 1 else ""
    counts: dict[str, tuple[int, int]] = {}
    after = None
    while True:
        listed = muster().registration.list_players(event.id, status="active", limit=COUNTED_AT_ONCE, after=after)
        for one in listed.items:
            venue = one.venue or only
            present, all_of_them = counts.get(venue, (0, 0))
            counts[venue] = (present + one.checked_in, all_of_them + 1)
        after = listed.next
        if not after:
            return counts


def _too_full(event: answers.TournamentView, counts: dict[str, tuple[int, int]]) -> dict[str, str]:
    """Return venue -> a warning, for each open venue that has more players than seats."""
    found: dict[str, str] = {}
    for venue in event.venues:
        players, seats = counts.get(venue.id, (0, 0))[1], SEATS * len(venue.tables)
        if venue.open and venue.tables and players > seats:
            found[venue.id] = _("%(players)s players, %(seats)s seats", players=players, seats=seats)
    return found


CHOSEN = "give"
"""The field and query parameter of the player who is given a seat."""


@blueprint.route("/events/<event>/waiting", methods=["GET", "POST"])
def waiting_list(event: str) -> ResponseReturnValue:
    """Show the waiting list in order. A post adds a seat or gives one to a chosen player.

    `?give=p4` previews giving a seat to a player.
    """
    form, registration = Form({"seats": "/capacity", "reason": "/reason"}), muster().registration
    tournament, status = registration.show_tournament(event), 200
    change = _change(form, tournament) if form.sent and current_person().organises else None
    if change is not None and form.is_valid:
        try:
            flash(*change())
            return redirect(url_for("players.waiting_list", event=event))
        except problems.PreconditionFailed:
            form.above.append(_("Someone else changed this first. Nothing was saved; this is the current state."))
            status = 412
        except Problem as problem:
            form.add_problem(problem)
            status = problem.status
        tournament = registration.show_tournament(event)
    listed = registration.list_players(event, status="waiting", limit=PAGE, after=request.args.get("after") or None)
    page = render_template(
        "waiting_list.html", event=tournament, form=form, players=listed, chosen=_chosen(event, form), place="players"
    )
    return page, status if form.is_valid or status != 200 else 422


def _change(form: Form, event: answers.TournamentView) -> Callable[[], tuple[str, Any]] | None:
    """Return a function that makes the change and returns a message and the answer; None for no change."""
    registration, player = muster().registration, form[CHOSEN]
    if player:
        if not form["reason"]:
            form.add_fault("reason", _("Enter a reason; players who are passed over can read it in the log."))

        def give() -> tuple[str, Any]:
            more = form["more"] == "yes"
            done = registration.give_seat(event.id, player, reason=form["reason"], more=more, idempotency_key=form.key)
            return _("%(player)s has a seat.", player=registration.show_player(event.id, player).name), done

        return give
    seats = form.whole("seats")
    if seats is None:
        return None

    def add() -> tuple[str, Any]:
        done = registration.amend_tournament(event.id, capacity=seats, if_match=form.version, idempotency_key=form.key)
        return _("There are %(seats)s seats now.", seats=seats), done

    return add


def _chosen(event: str, form: Form) -> answers.PlayerView | None:
    """Return the player to be given a seat; None if no waiting player is named."""
    named = form[CHOSEN] or request.args.get(CHOSEN, "")
    if not named or not current_person().organises:
        return None
    try:
        player = muster().registration.show_player(event, named)
    except problems.PlayerUnknown:
        return None
    return player if player.status == "waiting" else None


SHOWN = 100
"""Players of a file that the preview lists; the rest are counted."""
ENCODING_NOTES = {
    "cp1252": N_("Read as Windows-1252, as older versions of Excel save it. Check letters such as ä, é or ß."),
    "utf-16": N_("Read as UTF-16, as Excel saves “Unicode Text”."),
}
"""Encoding of a file -> note in the preview; none for UTF-8."""
WORKBOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
"""First bytes of .xlsx and .ods, and of .xls."""


@blueprint.route("/events/<event>/players/import", methods=["GET", "POST"])
def import_players(event: str) -> ResponseReturnValue:
    """Preview a file or pasted rows; then add the players of exactly the previewed rows."""
    form, checked = Form(), CheckedFile("", [], None)
    content, encoding = _content(form)
    tournament = _event(event)
    if form.sent and form.is_valid:
        sends = request.form.get("do") == "send"
        try:
            checked = check_file(tournament, content)
            if sends and checked.content and form["looked"] == checked.digest:
                return _add_rows(event, checked, form)
        except Problem as problem:
            form.above.append(problem_text(problem))
        if sends and checked.content:
            form.above.append(
                _("The rows have changed since the preview. Check the new preview, then add the players.")
            )
        elif checked.faults:
            form.above.append(
                _("Correct these rows and import the file again, or add the good rows now.")
                if checked.joining
                else _("Correct these rows and import the file again.")
            )
    joining = checked.joining
    page = render_template(
        "import_players.html",
        event=tournament,
        form=form,
        content=content,
        encoding_note=_(ENCODING_NOTES[encoding]) if encoding in ENCODING_NOTES else "",
        checked=checked,
        joining=joining[:SHOWN],
        more=max(0, len(joining) - SHOWN),
        count=len(joining),
        waiting=sum(one.type == "PlayerWaitlisted" for one in joining),
        place="players",
    )
    return page, 200 if form.is_valid else 422


def _add_rows(event: str, checked: CheckedFile, form: Form) -> ResponseReturnValue:
    """Add the good rows of a file, and say how many were left out."""
    done = muster().registration.join_players_csv(event, checked.content, idempotency_key=form.key)
    text = ngettext("%(num)s player added.", "%(num)s players added.", len(done.players))
    if checked.faults:
        bad = checked.bad_rows
        text += " " + ngettext("%(num)s row with errors was left out.", "%(num)s rows with errors were left out.", bad)
    flash(text, done)
    return redirect(url_for("players.show", event=event))


@blueprint.get("/events/<event>/players.csv")
def export(event: str) -> ResponseReturnValue:
    """Return all players as a file that can be imported again."""
    text = muster().registration.export_players(event)
    named = {"Content-Disposition": f'attachment; filename="{event}-players.csv"'}
    return Response(text, content_type="text/csv; charset=utf-8", headers=named)


def _content(form: Form) -> tuple[str, str]:
    """Return the chosen file, or else the pasted text, and the encoding of the file."""
    given = request.files.get("file") if form.sent else None
    text, encoding = request.form.get("text", "") if form.sent else "", ""
    if given is not None and given.filename:
        data = given.read()
        try:
            text, encoding = decode_spreadsheet(data)
        except NotUtf8 as error:
            form.add_fault("file", _unreadable(data, error.row))
            return "", ""
    if form.sent and not text.strip():
        form.add_fault("text", _("Choose a file or paste its rows."))
    return text.replace("\r\n", "\n").replace("\r", "\n"), encoding


def _unreadable(data: bytes, row: int) -> str:
    if data.startswith(WORKBOOKS):
        return _("This is a workbook. In the spreadsheet, save it as CSV, then choose that file.")
    return _("Row %(row)s cannot be read as text. Save the file as “CSV UTF-8”.", row=row)
