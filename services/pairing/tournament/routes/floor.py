"""Routes of the floor in every format whose players meet: tables, a player's own game, calls of judges."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, UnsetType

from services.pairing.formats import FORMATS
from services.pairing.handlers import HANDLERS
from services.pairing.tournament import views_floor as views
from services.pairing.tournament.calls import AnswerCall, CallJudge, TakeCall, WithdrawCall, call_of
from services.pairing.tournament.views_calls import (
    JudgeCallView,
    UnpublishedView,
    call_view,
    calls_shown,
    unpublished_view,
)
from shared.roles import PLAYER, REFEREE_UP, SERVICE, SPARE
from shared.service.command_routes import CommandBlueprint, Made
from shared.service.gateway import by_of
from shared.service.views import Appended
from shared.service.wiring import gateway_in
from shared.shapes import Id
from shared.tournament.guards import need_venue
from shared.web.auth import caller
from shared.web.paging import Paged, begins_after, encoded_here, next_link, page_of
from shared.web.request import not_modified

gateway = gateway_in(FORMATS)
blueprint = CommandBlueprint(
    "floor",
    HANDLERS,
    description="The floor: clocks, calls, tables, a player's own game.",
    may_refuse=("wrong-format",),
)


@blueprint.get("/tournaments/<id:tournament>/tables")
@blueprint.response(200, views.TablesView)
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown")
def list_tables(tournament: str) -> Any:
    """List the tables of every venue, each with the game that is played there, or as free."""
    with gateway.reading(tournament) as loaded:
        return not_modified(gateway.version(loaded)) or views.tables_view(loaded.state)


@blueprint.get("/tournaments/<id:tournament>/players/<id:player>/pairing")
@blueprint.response(200, views.PlayersPairing)
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown", "player-unknown", "no-game")
def show_players_pairing(tournament: str, player: str) -> Any:
    """Show a player's game of the latest round, in a form that suits a phone."""
    with gateway.reading(tournament) as loaded:
        found = views.players_pairing(loaded.state, player)
        return not_modified(gateway.version(loaded)) or found


ROUTE = "/tournaments/<id:tournament>/calls"
ONE = f"{ROUTE}/<id:call>"
CALL = Made((), "call", ONE)
OF_CALL = ("tournament-unknown", "tournament-over", "call-unknown", "call-over")

calls_blueprint = CommandBlueprint(
    "calls", HANDLERS, description="Judges who are called to tables.", may_refuse=("wrong-format",)
)


class CallsQuery(Paged, frozen=True, kw_only=True):
    """Which calls."""

    venue: Annotated[Id | UnsetType, "Of this venue alone."] = UNSET
    game: Annotated[Id | UnsetType, "To the table of this game alone."] = UNSET
    status: Annotated[
        Literal["open", "waiting", "taken", "answered", "withdrawn"] | UnsetType, "`open`: waiting or taken."
    ] = UNSET


@calls_blueprint.get(ROUTE)
@calls_blueprint.allow(*REFEREE_UP, SPARE, PLAYER)
@calls_blueprint.arguments(CallsQuery, location="query")
@calls_blueprint.response(200, page_of(JudgeCallView))
@calls_blueprint.may_refuse("tournament-unknown", "venue-unknown", "invalid-cursor")
def list_calls(query: CallsQuery, tournament: str) -> Any:
    """List calls in the order they came: to staff all of them, to a player their own."""
    after = begins_after(query.after, int)
    with gateway.reading(tournament) as loaded:
        need_venue(loaded.state.entries, query.venue)
        found = calls_shown(loaded.state, by_of(caller()), query.venue or "", query.status or "", query.game or "")
        start = after[0] if after else 0
        rest = [call for call in found if int(call.id[1:]) > start]
        items = [call_view(loaded.state, call) for call in rest[: query.limit]]
    more = encoded_here((int(items[-1].id[1:]),)) if len(rest) > query.limit else None
    page = {"items": items, "next": more, "total": len(found)}
    return page, 200, {"Link": next_link(more)} if more else {}


@calls_blueprint.get("/tournaments/<id:tournament>/unpublished")
@calls_blueprint.allow(*REFEREE_UP, SERVICE)
@calls_blueprint.response(200, UnpublishedView)
@calls_blueprint.may_refuse("tournament-unknown")
def show_unpublished(tournament: str) -> UnpublishedView:
    """Say what is in no log and no feed: drafts and calls. Ask again every few seconds to hear of changes."""
    with gateway.reading(tournament) as loaded:
        return unpublished_view(loaded.state)


@calls_blueprint.get(ONE)
@calls_blueprint.allow(*REFEREE_UP, SPARE, PLAYER)
@calls_blueprint.response(200, JudgeCallView)
@calls_blueprint.may_refuse("tournament-unknown", "call-unknown")
def show_call(tournament: str, call: str) -> JudgeCallView:
    """Show a call to staff, or to whoever called."""
    with gateway.reading(tournament) as loaded:
        return call_view(loaded.state, call_of(loaded.state, call, by_of(caller())))


@calls_blueprint.command(CallJudge, ROUTE, makes=CALL)
@calls_blueprint.may_refuse(
    *("tournament-unknown", "tournament-over", "other-venue", "game-unknown", "round-closed"),
    *("not-your-table", "no-table-to-call-to", "judge-already-called"),
)
def call_judge(command: CallJudge, tournament: str) -> Appended:
    """Call a judge to a table: a player to their own, staff to any. Staff and whoever called see it, nobody else."""
    return gateway.run(tournament, command)


@calls_blueprint.command(TakeCall, f"{ONE}/taking")
@calls_blueprint.versioned
@calls_blueprint.may_refuse(*OF_CALL, "other-venue", "call-taken")
def take_call(command: TakeCall, tournament: str) -> Appended:
    """Take a call: whoever called is told that somebody is on the way."""
    return gateway.run(tournament, command)


@calls_blueprint.command(AnswerCall, f"{ONE}/answer")
@calls_blueprint.versioned
@calls_blueprint.may_refuse(*OF_CALL, "other-venue", "call-taken")
def answer_call(command: AnswerCall, tournament: str) -> Appended:
    """End a call with what was said at the table."""
    return gateway.run(tournament, command)


@calls_blueprint.command(WithdrawCall, f"{ONE}/withdrawal")
@calls_blueprint.versioned
@calls_blueprint.may_refuse(*OF_CALL, "other-venue")
def withdraw_call(command: WithdrawCall, tournament: str) -> Appended:
    """Take a call back before it is answered: whoever called, or staff."""
    return gateway.run(tournament, command)
