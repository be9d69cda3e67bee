"""Routes of judges who are called to tables."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, UnsetType

from services.pairing.formats import FORMATS
from services.pairing.handlers import HANDLERS
from services.pairing.tournament.call_commands import AnswerCall, CallJudge, TakeCall, WithdrawCall
from services.pairing.tournament.calls import call_of
from services.pairing.tournament.views_calls import JudgeCallView, call_view, calls_shown
from shared.application.command_routes import CommandBlueprint
from shared.application.gateway import by_of
from shared.application.made import Made
from shared.application.service import gateway_in
from shared.application.views import Appended
from shared.roles import PLAYER, REFEREE_UP, SPARE
from shared.shapes import Id
from shared.tournament.events.calls import JudgeCalled
from shared.web.access import caller
from shared.web.paging import Paged, begins_after, encoded_here, next_link, page_of

ROUTE = "/tournaments/<id:tournament>/calls"
ONE = f"{ROUTE}/<id:call>"
CALL = Made((JudgeCalled,), "call", ONE)
OF_CALL = ("tournament-unknown", "tournament-over", "call-unknown", "call-over")

gateway = gateway_in(FORMATS)
blueprint = CommandBlueprint(
    "calls", HANDLERS, description="Judges who are called to tables.", may_refuse=("wrong-format",)
)


class CallsQuery(Paged, frozen=True, kw_only=True):
    """Which calls."""

    venue: Annotated[Id | UnsetType, "Of this venue alone."] = UNSET
    game: Annotated[Id | UnsetType, "To the table of this game alone."] = UNSET
    status: Annotated[
        Literal["open", "waiting", "taken", "answered", "withdrawn"] | UnsetType, "`open`: waiting or taken."
    ] = UNSET


@blueprint.get(ROUTE)
@blueprint.allow(*REFEREE_UP, SPARE, PLAYER)
@blueprint.arguments(CallsQuery, location="query")
@blueprint.response(200, page_of(JudgeCallView))
@blueprint.may_refuse("tournament-unknown", "invalid-cursor")
def list_calls(query: CallsQuery, tournament: str) -> Any:
    """List calls in the order they came: to staff all of them, to a player their own."""
    after = begins_after(query.after, int)
    with gateway.reading(tournament) as loaded:
        found = calls_shown(loaded.state, by_of(caller()), query.venue or "", query.status or "", query.game or "")
        start = after[0] if after else 0
        rest = [call for call in found if int(call.id[1:]) > start]
        items = [call_view(loaded.state, call) for call in rest[: query.limit]]
    more = encoded_here((int(items[-1].id[1:]),)) if len(rest) > query.limit else None
    page = {"items": items, "next": more, "total": len(found)}
    return page, 200, {"Link": next_link(more)} if more else {}


@blueprint.get(ONE)
@blueprint.allow(*REFEREE_UP, SPARE, PLAYER)
@blueprint.response(200, JudgeCallView)
@blueprint.may_refuse("tournament-unknown", "call-unknown")
def show_call(tournament: str, call: str) -> JudgeCallView:
    """Show a call to staff, or to whoever called."""
    with gateway.reading(tournament) as loaded:
        return call_view(loaded.state, call_of(loaded.state, call, by_of(caller())))


@blueprint.command(CallJudge, ROUTE, makes=CALL)
@blueprint.may_refuse(
    *("tournament-unknown", "tournament-over", "other-venue", "game-unknown", "round-closed"),
    *("not-your-table", "no-table-to-call-to", "judge-already-called"),
)
def call_judge(command: CallJudge, tournament: str) -> Appended:
    """Call a judge to a table: a player to their own, staff to any. Staff and whoever called see it, nobody else."""
    return gateway.run(tournament, command)


@blueprint.command(TakeCall, f"{ONE}/taking")
@blueprint.versioned
@blueprint.may_refuse(*OF_CALL, "other-venue", "call-taken")
def take_call(command: TakeCall, tournament: str) -> Appended:
    """Take a call: whoever called is told that somebody is on the way."""
    return gateway.run(tournament, command)


@blueprint.command(AnswerCall, f"{ONE}/answer")
@blueprint.versioned
@blueprint.may_refuse(*OF_CALL, "other-venue", "call-taken")
def answer_call(command: AnswerCall, tournament: str) -> Appended:
    """End a call with what was said at the table."""
    return gateway.run(tournament, command)


@blueprint.command(WithdrawCall, f"{ONE}/withdrawal")
@blueprint.versioned
@blueprint.may_refuse(*OF_CALL, "other-venue")
def withdraw_call(command: WithdrawCall, tournament: str) -> Appended:
    """Take a call back before it is answered: whoever called, or staff."""
    return gateway.run(tournament, command)
