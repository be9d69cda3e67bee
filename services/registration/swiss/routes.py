"""Routes of rosters: submitted, shown, accepted, rejected."""

from __future__ import annotations

from typing import Any

from msgspec.structs import asdict

from services.registration.handlers import HANDLERS
from services.registration.swiss import views
from services.registration.swiss.commands import AcceptRoster, AcceptRosters, RejectRoster, SubmitRoster
from services.registration.swiss.readers import fields_open, sees_whole
from services.registration.swiss.sealed_lists import keeping, keeping_note, kept, note_kept, secret_for
from services.registration.tournament.state import player_of
from shared.application.command_routes import CommandBlueprint
from shared.application.service import gateway_of
from shared.application.views import Appended, SheetView
from shared.formats.pack import narrowing
from shared.formats.swiss.printed_sheets import Wanted, filled
from shared.formats.swiss.ruleset import ruleset_of
from shared.shapes import made_from
from shared.web.access import caller_or_none
from shared.web.derived import deferred

OF_PLAYER = ("tournament-unknown", "tournament-over", "player-unknown", "other-venue")
ROUTE = "/tournaments/<id:tournament>/players/<id:player>/roster"


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
    command = SubmitRoster(**body, player=player, secret=secret)
    answer = gateway.run(tournament, command, also=keeping(command.roster, secret))
    with gateway.reading(tournament) as loaded:
        entries = loaded.state.entries
        advice = views.advice_view(ruleset_of(entries), command.roster)
        advice += [late for event in answer.events[:1] for late in views.late_view(entries, event.time)]
    return views.RosterTaken(**asdict(answer), advice=advice)


@blueprint.get(ROUTE)
@blueprint.response(200, views.RosterView)
@blueprint.may_refuse("tournament-unknown", "player-unknown", "rosters-hidden")
def show_roster(tournament: str, player: str) -> views.RosterView:
    """Show a roster: all of it to staff and its owner, to others the parts that the ruleset has opened so far.

    Most fields open once the first round has begun. `sealed` names those of which the log still has only digests.
    """
    with gateway.reading(tournament) as loaded, gateway.handler.database.reading() as connection:
        found = player_of(loaded.state.entries, player)
        who = caller_or_none()
        fields = fields_open(tournament, loaded.state, who, found.id)
        is_shown = sees_whole(tournament, loaded.state, who, found.id)
        note = note_kept(connection, tournament, found) if is_shown else ""
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
        fields = fields_open(tournament, state, caller_or_none(), found.id)
        parts = kept(connection, tournament, found.id).shown(found)
        wanted = Wanted(player=found.id, fields=frozenset(fields), parts=parts)
        forms = [form for form in ruleset_of(state.entries).forms if form.holds == "roster"]
        sheets = [made_from(SheetView, sheet) for form in forms for sheet in filled(state, form, wanted)]
        return views.RosterSheets(items=sheets)


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
