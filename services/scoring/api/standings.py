"""Routes of rounds' closing, standings, awards and the end."""

from __future__ import annotations

from typing import Any

import msgspec

from services.scoring import answers, queries, schemas
from services.scoring.domain import commands as ask
from services.scoring.league_shown import league_shown, rank_in_league_explained
from shared.handling.front import Front, shown
from shared.handling.schemas import ReceiptShown
from shared.http import asked
from shared.http.blueprint import Blueprint
from shared.http.roles import HEAD_REFEREE, OPERATOR, ORGANISER

LEADING = (OPERATOR, ORGANISER)
HEADS = (OPERATOR, ORGANISER, HEAD_REFEREE)
OVER = ("tournament-unknown", "tournament-over")
ENDING_A_SEASON = ("wrong-format", "tournaments-open", "season-without-results", "tie-undecided", "player-unknown")


def standings_blueprint(front: Front) -> Blueprint:
    """Where everybody stands, and how it ends."""
    blueprint = Blueprint("standings", description="Standings per round and final, awards, the end.")

    swiss, played = front.of("swiss"), front.of("swiss", "campaign")

    def run(tournament: str, command: Any, *, fresh: bool = False) -> dict[str, Any]:
        return shown(front.command(tournament, command, fresh=fresh), tournament)

    def run_swiss(tournament: str, command: Any) -> dict[str, Any]:
        return shown(swiss.command(tournament, command, fresh=True), tournament)

    @blueprint.post("/tournaments/<id:tournament>/rounds/<number:round>/close")
    @blueprint.allow(*HEADS)
    @blueprint.response(201, ReceiptShown)
    @blueprint.may_refuse(
        *OVER, "round-unknown", "round-not-begun", "games-open", "groups-waiting", "other-venue", "wrong-format"
    )
    def close_round(tournament: str, round: int) -> dict[str, Any]:
        """Close a round when every game binds; the standings and their draws are recorded.

        A campaign's round closes by itself with the last step of the last group; after a withdrawal it is closed here.
        """
        return shown(played.command(tournament, ask.CloseRound(round=round), fresh=True), tournament)

    @blueprint.post("/tournaments/<id:tournament>/rounds/<number:round>/reopening")
    @blueprint.allow(*HEADS)
    @blueprint.arguments(schemas.Reason)
    @blueprint.response(201, ReceiptShown)
    @blueprint.may_refuse(
        *OVER, "round-unknown", "round-not-closed", "later-round-paired", "other-venue", "wrong-format"
    )
    def reopen_round(body: dict[str, Any], tournament: str, round: int) -> dict[str, Any]:
        """Open the last closed round again, while nothing was paired from it."""
        return run_swiss(tournament, ask.ReopenRound(round=round, **body))

    @blueprint.post("/tournaments/<id:tournament>/rounds/<number:round>/coin")
    @blueprint.allow(*HEADS)
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
    def enter_coin(body: dict[str, Any], tournament: str, round: int) -> dict[str, Any]:
        """Enter the order that a coin gave to tied players, in place of the draw; the standings are recorded anew."""
        return run_swiss(tournament, ask.EnterCoin(round=round, **body))

    @blueprint.get("/tournaments/<id:tournament>/standings")
    @blueprint.arguments(schemas.StandingsQuery, location="query")
    @blueprint.response(200, answers.StandingsShown)
    @blueprint.versioned()
    @blueprint.may_refuse("tournament-unknown", "round-unknown", "round-not-closed", "wrong-format")
    def show_standings(query: dict[str, Any], tournament: str) -> Any:
        """Show standings: the present ones, or those recorded after a round."""
        with played.reading(tournament) as folded:
            same = asked.not_modified(front.version(folded))
            if folded.state.entries.format == "campaign":
                return same or league_shown(folded.state, tournament, query.get("round"))
            return same or queries.standings_shown(folded, tournament, query.get("round"))

    @blueprint.get("/tournaments/<id:tournament>/standings/<id:player>")
    @blueprint.response(200, answers.ExplainedShown)
    @blueprint.may_refuse("tournament-unknown", "player-unknown", "wrong-format")
    def explain_rank(tournament: str, player: str) -> dict[str, Any]:
        """Explain a player's values: the games that each comes from, and the clause."""
        with played.reading(tournament) as folded:
            if folded.state.entries.format != "campaign":
                return queries.rank_explained(folded, player)
            events = front.events_about(tournament, lambda data: data.get("group") == player)
            return rank_in_league_explained(folded.state, player, events)

    @blueprint.get("/tournaments/<id:tournament>/awards")
    @blueprint.response(200, answers.AwardsShown)
    @blueprint.may_refuse("tournament-unknown")
    def list_awards(tournament: str) -> dict[str, Any]:
        """List awards; they never move a rank."""
        with front.reading(tournament) as folded:
            return {"awards": [msgspec.to_builtins(award) for award in folded.state.results.awards.values()]}

    @blueprint.post("/tournaments/<id:tournament>/awards")
    @blueprint.allow(*LEADING)
    @blueprint.arguments(schemas.GiveAward)
    @blueprint.response(201, ReceiptShown)
    @blueprint.may_refuse(*OVER, "player-unknown")
    def give_award(body: dict[str, Any], tournament: str) -> dict[str, Any]:
        """Give an award beside the standings."""
        return run(tournament, ask.GiveAward(**body))

    @blueprint.post("/tournaments/<id:tournament>/awards/<id:award>/withdrawal")
    @blueprint.allow(*LEADING)
    @blueprint.arguments(schemas.Reason)
    @blueprint.response(201, ReceiptShown)
    @blueprint.may_refuse(*OVER, "award-unknown")
    def withdraw_award(body: dict[str, Any], tournament: str, award: str) -> dict[str, Any]:
        """Take an award back."""
        return run(tournament, ask.WithdrawAward(award=award, **body))

    @blueprint.post("/tournaments/<id:tournament>/conclusion")
    @blueprint.allow(*LEADING)
    @blueprint.arguments(schemas.Conclude)
    @blueprint.response(201, ReceiptShown)
    @blueprint.may_refuse(*OVER, "round-not-closed", "rounds-remain", "sessions-open", *ENDING_A_SEASON)
    def conclude_tournament(body: dict[str, Any], tournament: str) -> dict[str, Any]:
        """Conclude: the final standings stand, and the first of them has won."""
        of_format = front.of("season") if body["named"] else front
        return shown(of_format.command(tournament, ask.Conclude(**body), fresh=True), tournament)

    return blueprint
