"""Routes of rounds' closing, standings, awards and the end."""

from __future__ import annotations

from functools import partial
from typing import Any

import msgspec

from services.scoring.formats import ENDINGS, FORMATS
from services.scoring.handlers import HANDLERS
from services.scoring.tournament import schemas
from services.scoring.tournament.commands import CloseRound, Conclude, EnterCoin, GiveAward, ReopenRound, WithdrawAward
from services.scoring.views import VIEWS
from shared.application.gateway import shown
from shared.application.schemas import ReceiptShown
from shared.application.service import gateway, gateway_in
from shared.application.views import Appended
from shared.web.blueprint import Blueprint
from shared.web.request import not_modified

OVER = ("tournament-unknown", "tournament-over")
ENDING_A_SEASON = ("wrong-format", "tournaments-open", "season-without-results", "tie-undecided", "player-unknown")


blueprint = Blueprint("standings", description="Standings per round and final, awards, the end.")

played = gateway_in(FORMATS)


@blueprint.post("/tournaments/<id:tournament>/rounds/<number:round>/close")
@blueprint.allow(*HANDLERS[CloseRound].roles)
@blueprint.response(201, ReceiptShown)
@blueprint.may_refuse(
    *OVER, "round-unknown", "round-not-begun", "games-open", "groups-waiting", "other-venue", "wrong-format"
)
def close_round(tournament: str, round: int) -> Appended:
    """Close a round when every game binds; the standings and their draws are recorded.

    A campaign's round closes by itself with the last step of the last group; after a withdrawal it is closed here.
    """
    return gateway.run(tournament, CloseRound(round=round))


@blueprint.post("/tournaments/<id:tournament>/rounds/<number:round>/reopening")
@blueprint.allow(*HANDLERS[ReopenRound].roles)
@blueprint.arguments(schemas.Reason)
@blueprint.response(201, ReceiptShown)
@blueprint.may_refuse(*OVER, "round-unknown", "round-not-closed", "later-round-paired", "other-venue", "wrong-format")
def reopen_round(body: dict[str, Any], tournament: str, round: int) -> Appended:
    """Open the last closed round again, while nothing was paired from it."""
    return gateway.run(tournament, ReopenRound(round=round, **body))


@blueprint.post("/tournaments/<id:tournament>/rounds/<number:round>/coin")
@blueprint.allow(*HANDLERS[EnterCoin].roles)
@blueprint.arguments(schemas.EnterCoin)
@blueprint.response(201, ReceiptShown)
@blueprint.may_refuse(
    *OVER,
    "round-unknown",
    "round-not-closed",
    "later-round-paired",
    "coin-not-offered",
    "not-tied",
    "other-venue",
    "wrong-format",
)
def enter_coin(body: dict[str, Any], tournament: str, round: int) -> Appended:
    """Enter the order that a coin gave to tied players, in place of the draw; the standings are recorded anew."""
    return gateway.run(tournament, EnterCoin(round=round, **body))


@blueprint.get("/tournaments/<id:tournament>/standings")
@blueprint.arguments(schemas.StandingsQuery, location="query")
@blueprint.response(200, schemas.StandingsShown)
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown", "round-unknown", "round-not-closed", "wrong-format")
def show_standings(query: dict[str, Any], tournament: str) -> Any:
    """Show standings: the present ones, or those recorded after a round."""
    with played.reading(tournament) as folded:
        same = not_modified(gateway.version(folded))
        return same or VIEWS[folded.state.entries.format].standings(folded, tournament, query.get("round"))


@blueprint.get("/tournaments/<id:tournament>/standings/<id:player>")
@blueprint.response(200, schemas.ExplainedShown)
@blueprint.may_refuse("tournament-unknown", "player-unknown", "wrong-format")
def explain_rank(tournament: str, player: str) -> dict[str, Any]:
    """Explain a player's values: the games that each comes from, and the clause."""
    with played.reading(tournament) as folded:
        about = partial(gateway.events_about, tournament)
        return VIEWS[folded.state.entries.format].explained(folded, player, about)


@blueprint.get("/tournaments/<id:tournament>/awards")
@blueprint.response(200, schemas.AwardsShown)
@blueprint.may_refuse("tournament-unknown")
def list_awards(tournament: str) -> dict[str, Any]:
    """List awards; they never move a rank."""
    with gateway.reading(tournament) as folded:
        return {"awards": [msgspec.to_builtins(award) for award in folded.state.results.awards.values()]}


@blueprint.post("/tournaments/<id:tournament>/awards")
@blueprint.allow(*HANDLERS[GiveAward].roles)
@blueprint.arguments(schemas.GiveAward)
@blueprint.response(201, ReceiptShown)
@blueprint.may_refuse(*OVER, "player-unknown")
def give_award(body: dict[str, Any], tournament: str) -> Appended:
    """Give an award beside the standings."""
    return gateway.run(tournament, GiveAward(**body))


@blueprint.post("/tournaments/<id:tournament>/awards/<id:award>/withdrawal")
@blueprint.allow(*HANDLERS[WithdrawAward].roles)
@blueprint.arguments(schemas.Reason)
@blueprint.response(201, ReceiptShown)
@blueprint.may_refuse(*OVER, "award-unknown")
def withdraw_award(body: dict[str, Any], tournament: str, award: str) -> Appended:
    """Take an award back."""
    return gateway.run(tournament, WithdrawAward(award=award, **body))


@blueprint.post("/tournaments/<id:tournament>/conclusion")
@blueprint.allow(*HANDLERS[Conclude].roles)
@blueprint.arguments(schemas.Conclude)
@blueprint.response(201, ReceiptShown)
@blueprint.may_refuse(*OVER, "round-not-closed", "rounds-remain", "sessions-open", *ENDING_A_SEASON)
def conclude_tournament(body: dict[str, Any], tournament: str) -> dict[str, Any]:
    """Conclude: the final standings stand, and the first of them has won."""
    naming = [format for format, ending in ENDINGS.items() if ending.names_players]
    of_format = gateway.of(*naming) if body["named"] else gateway
    return shown(of_format.command(tournament, Conclude(**body)), tournament)
