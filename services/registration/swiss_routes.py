"""Routes of rosters: submitted, shown, accepted, rejected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec.structs import replace

from services.registration.handlers import HANDLERS
from services.registration.swiss import views
from services.registration.swiss.commands import AcceptRoster, AcceptRosters, RejectRoster, SubmitRoster
from services.registration.swiss.readers import reader_of
from services.registration.swiss.sealed_lists import (
    NOTHING,
    Kept,
    all_kept,
    keeping,
    keeping_note,
    kept,
    note_kept,
    secret_for,
)
from services.registration.tournament.refusals import FormUnknown, RostersHidden
from services.registration.tournament.state import player_of
from shared.formats.packs import narrowing
from shared.refusals import Fault, expects
from shared.rules.parts import Form
from shared.service.command_routes import CommandBlueprint
from shared.service.game_lists import SheetsPage, SheetView, sheet_view
from shared.service.views import Appended
from shared.service.wiring import gateway_of
from shared.shapes import Id
from shared.swiss.games import ruleset_of
from shared.swiss.printed_sheets import ListParts, Wanted, filled, selected_players
from shared.tournament.guards import need_venue
from shared.tournament.state import Tournament
from shared.web.auth import caller_or_none
from shared.web.paging import Paged, begins_after, next_page
from shared.web.schema import deferred

OF_PLAYER = ("tournament-unknown", "tournament-over", "player-unknown", "other-venue")
ROUTE = "/tournaments/<id:tournament>/players/<id:player>/roster"


class RosterSheetsQuery(Paged, frozen=True, kw_only=True):
    """Which sheets of rosters."""

    form: Annotated[Id, "Only sheets of this form; empty: of each form that holds lists, form by form."] = ""
    player: Annotated[Id, "Only sheets of this player."] = ""
    venue: Annotated[Id, "Only sheets of this venue."] = ""


gateway = gateway_of("swiss")
blueprint = CommandBlueprint(
    "rosters", HANDLERS, description="Rosters: submitted, shown, accepted, rejected.", may_refuse=("wrong-format",)
)


@blueprint.post(ROUTE)
@blueprint.allow(*HANDLERS[SubmitRoster].roles)
@blueprint.previewed
@blueprint.arguments(deferred(SubmitRoster, without=("player", "secret", "sealed")))
@blueprint.response(201, views.RosterTaken)
@blueprint.may_refuse(
    *OF_PLAYER,
    "player-not-active",
    "not-yours",
    "roster-illegal",
    "roster-locked",
    "roster-too-large",
    "not-your-decision",
)
def submit_roster(body: dict[str, Any], tournament: str, player: str) -> views.RosterTaken:
    """Submit a roster: an illegal one is refused with every clause, a legal one is accepted at once or by staff.

    If the ruleset has staff accept lists, a player's list waits for them (`submitted`); one that staff enter does not.
    What the rules only advise against comes back as `advice`. Fields that the ruleset has not opened yet enter the log
    only as salted digests.
    """
    with gateway.reading(tournament) as loaded:
        rules = ruleset_of(loaded.state.entries).roster
    with gateway.handler.database.reading() as connection:
        secret = secret_for(rules, body["roster"], kept(connection, tournament, player))
    command = SubmitRoster(player=player, roster=body["roster"], override=body.get("override", ""), secret=secret)
    answer = gateway.run(tournament, command, also=keeping(command.roster, secret))
    with gateway.reading(tournament) as loaded:
        entries = loaded.state.entries
        advice = views.advice_view(ruleset_of(entries), command.roster)
        advice += [late for event in answer.events[:1] for late in views.late_view(entries, event.time)]
    return views.RosterTaken(id=answer.id, events=answer.events, advice=advice)


@blueprint.get(ROUTE)
@blueprint.response(200, views.RosterView)
@blueprint.may_refuse("tournament-unknown", "player-unknown", "rosters-hidden")
def show_roster(tournament: str, player: str) -> views.RosterView:
    """Show a roster: all of it to staff and its owner, to others the parts that the ruleset has opened so far.

    Most fields open once the first round has begun. `sealed` names those of which the log still has only digests.
    """
    with gateway.reading(tournament) as loaded, gateway.handler.database.reading() as connection:
        found = player_of(loaded.state.entries, player)
        reader = reader_of(tournament, loaded.state, caller_or_none())
        fields = reader.fields_open(found.id)
        note = note_kept(connection, tournament, found) if reader.sees_whole(found.id) else ""
        keeps = kept(connection, tournament, found.id)
        return views.roster_view(found, ruleset_of(loaded.state.entries), fields, keeps, note)


@blueprint.get(f"{ROUTE}/sheets")
@blueprint.response(200, views.RosterSheets)
@blueprint.may_refuse("tournament-unknown", "player-unknown", "rosters-hidden")
def print_roster(tournament: str, player: str) -> views.RosterSheets:
    """Show a roster on the ruleset's forms, with the parts that you may see.

    Fields that are not open yet are only on these sheets, not on those of scoring.
    """
    with gateway.reading(tournament) as loaded, gateway.handler.database.reading() as connection:
        state = loaded.state
        found = player_of(state.entries, player)
        rows = {found.id: kept(connection, tournament, found.id)}
        sheets = _sheets(tournament, state, _forms(state), Wanted(player=found.id), rows)
        return views.RosterSheets(items=sheets)


@blueprint.get("/tournaments/<id:tournament>/rosters/sheets")
@blueprint.arguments(RosterSheetsQuery, location="query")
@blueprint.response(200, SheetsPage)
@blueprint.may_refuse(
    *("tournament-unknown", "form-unknown", "player-unknown", "venue-unknown", "invalid-cursor", "rosters-hidden")
)
def print_rosters(query: RosterSheetsQuery, tournament: str) -> Any:
    """Show the rosters of all players on the ruleset's forms, with the parts that you may see.

    Rosters of which you may see nothing are left out; if no sheet is left, the answer is `rosters-hidden`.
    """
    (after,) = begins_after(query.after, int) or (0,)
    with gateway.reading(tournament) as loaded, gateway.handler.database.reading() as connection:
        state = loaded.state
        forms = _forms(state, query.form)
        need_venue(state.entries, query.venue)
        if query.player:
            player_of(state.entries, query.player)
        wanted = Wanted(player=query.player, venue=query.venue)
        sheets = _sheets(tournament, state, forms, wanted, all_kept(connection, tournament))
        words = [ruleset_of(state.entries).printed(form) for form in forms]
    items = sheets[after : after + query.limit]
    last = (after + len(items),) if len(sheets) > after + len(items) else None
    cursor, headers = next_page(last)
    shown = SheetsPage(
        items=items,
        next=cursor,
        total=len(sheets),
        round=None,
        titles={word: title for one in words for word, title in one.titles.items()},
        instructions=[line for one in words for line in one.instructions],
    )
    return shown, 200, headers


@blueprint.command(AcceptRoster, f"{ROUTE}/acceptance")
@blueprint.may_refuse(*OF_PLAYER, "roster-missing", "not-your-decision")
@blueprint.narrowed(narrowing("lists"))
def accept_roster(command: AcceptRoster, tournament: str) -> Appended:
    """Accept the roster submitted last. Before play has begun, only the player and staff read the note."""
    return gateway.run(tournament, command, also=keeping_note(command.note))


@blueprint.command(AcceptRosters, "/tournaments/<id:tournament>/rosters/acceptance")
@blueprint.may_refuse(*OF_PLAYER, "roster-missing", "not-your-decision")
@blueprint.narrowed(narrowing("lists"))
def accept_rosters(command: AcceptRosters, tournament: str) -> Appended:
    """Accept the rosters that several players submitted last: all of them, or none and every fault."""
    return gateway.run(tournament, command, also=keeping_note(command.note))


@blueprint.command(RejectRoster, f"{ROUTE}/rejection")
@blueprint.may_refuse(*OF_PLAYER, "roster-missing", "not-your-decision")
@blueprint.narrowed(narrowing("lists"))
def reject_roster(command: RejectRoster, tournament: str) -> Appended:
    """Reject the roster submitted last, and say why. Before play has begun, only the player and staff read the note."""
    return gateway.run(tournament, command, also=keeping_note(command.note))


def _forms(state: Tournament, id: str = "") -> list[Form]:
    """Return the forms that hold rosters, or the one with this id. Raises FormUnknown."""
    ruleset = ruleset_of(state.entries)
    forms = [form for form in ruleset.forms if form.holds == "roster" and id in ("", form.id)]
    if id and not forms:
        fault = Fault("/form", id, expects("form-of-lists"))
        raise FormUnknown(f"{ruleset.name} has no form {id} that holds lists.", [fault])
    return forms


def _sheets(
    tournament: str, state: Tournament, forms: Sequence[Form], wanted: Wanted, rows: Mapping[str, Kept]
) -> list[SheetView]:
    """Return the sheets of rosters, with what the caller may read; a roster without any such field is left out.

    rows: of the rosters, by player. Raises RostersHidden if there is no sheet and some roster is hidden.
    """
    reader = reader_of(tournament, state, caller_or_none())
    parts: dict[str, ListParts] = {}
    hidden: RostersHidden | None = None
    for player in selected_players(state, wanted):
        try:
            fields = frozenset(reader.fields_open(player.id))
        except RostersHidden as refusal:
            hidden = refusal
        else:
            parts[player.id] = ListParts(fields, rows.get(player.id, NOTHING).shown(player))
    wanted = replace(wanted, list_parts=lambda player: parts.get(player.id))
    sheets = [sheet_view(sheet) for form in forms for sheet in filled(state, form, wanted)]
    if hidden is not None and not sheets:
        raise hidden
    return sheets
