"""Routes of rounds' closing, standings, awards and the end."""

from __future__ import annotations

from functools import partial
from typing import Any

from msgspec import UNSET, structs

from services.scoring.formats import ENDINGS, FORMATS
from services.scoring.handlers import HANDLERS
from services.scoring.tournament.commands import CloseRound, Conclude, EnterCoin, GiveAward, ReopenRound, WithdrawAward
from services.scoring.tournament.routes.queries import StandingsQuery
from services.scoring.tournament.views_order import not_in_standings, rows_wanted, standings_file, standings_shown
from services.scoring.tournament.views_standings import AwardsView, AwardView, ExplainedView, StandingsView
from services.scoring.views import VIEWS, TakenFirst
from shared.application.command_routes import CommandBlueprint
from shared.application.made import Made
from shared.application.service import gateway, gateway_in, wired
from shared.application.views import Appended
from shared.tournament.events.scoring import AwardGiven
from shared.web.csv_answers import wants_csv
from shared.web.ordered import cut
from shared.web.request import not_modified, only_shown

OVER = ("tournament-unknown", "tournament-over")
ENDING_A_SEASON = ("wrong-format", "tournaments-open", "season-without-results", "tie-undecided", "player-unknown")


blueprint = CommandBlueprint("standings", HANDLERS, description="Standings per round and final, awards, the end.")

played = gateway_in(FORMATS)
first = wired(TakenFirst)


@blueprint.command(CloseRound, "/tournaments/<id:tournament>/rounds/<number:round>/close")
@blueprint.may_refuse(
    *OVER, "round-unknown", "round-not-begun", "games-open", "groups-waiting", "other-venue", "wrong-format"
)
def close_round(command: CloseRound, tournament: str) -> Appended:
    """Close a round once every game has a result that counts; the standings and their draws are recorded.

    A campaign's round closes by itself with the last step of the last group; after a withdrawal, close it here.
    """
    return gateway.run(tournament, command)


@blueprint.command(ReopenRound, "/tournaments/<id:tournament>/rounds/<number:round>/reopening")
@blueprint.may_refuse(*OVER, "round-unknown", "round-not-closed", "later-round-paired", "other-venue", "wrong-format")
def reopen_round(command: ReopenRound, tournament: str) -> Appended:
    """Reopen the last closed round, as long as no round was paired from its standings."""
    return gateway.run(tournament, command)


@blueprint.command(EnterCoin, "/tournaments/<id:tournament>/rounds/<number:round>/coin")
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
def enter_coin(command: EnterCoin, tournament: str) -> Appended:
    """Enter the order that a coin toss gave to tied players, in place of the draw; the standings are recorded again."""
    return gateway.run(tournament, command)


@blueprint.get("/tournaments/<id:tournament>/standings")
@blueprint.arguments(StandingsQuery, location="query")
@blueprint.response(200, StandingsView)
@blueprint.csv_too
@blueprint.versioned
@blueprint.may_refuse(
    "tournament-unknown", "round-unknown", "round-not-closed", "wrong-format", "player-unknown", "invalid-cursor"
)
def show_standings(query: StandingsQuery, tournament: str) -> Any:
    """Show the current standings, or those recorded after a round, whole or in pages."""
    round = None if query.round is UNSET else query.round
    with played.reading(tournament) as folded:
        if same := not_modified(gateway.version(folded)):
            return same
        order = VIEWS[folded.state.entries.format].standings(folded, tournament, round)
        found = cut(rows_wanted(order, folded.state, query), query, lambda row: row.player, not_in_standings)
        shown = standings_shown(order, found)
    return standings_file(shown, found.headers) if wants_csv() else (shown, 200, found.headers)


@blueprint.get("/tournaments/<id:tournament>/standings/<id:player>")
@blueprint.response(200, ExplainedView)
@blueprint.may_refuse("tournament-unknown", "player-unknown", "wrong-format")
def explain_rank(tournament: str, player: str) -> ExplainedView:
    """Explain a player's values: the games that each value comes from, and its clause."""
    with played.reading(tournament) as folded:
        about = partial(gateway.events_about, tournament)
        return VIEWS[folded.state.entries.format].explained(folded, player, about)


@blueprint.get("/tournaments/<id:tournament>/awards")
@blueprint.response(200, AwardsView)
@blueprint.may_refuse("tournament-unknown")
def list_awards(tournament: str) -> AwardsView:
    """List awards; they never move a rank."""
    with gateway.reading(tournament) as folded:
        awards = folded.state.results.awards.values()
        return AwardsView(items=[AwardView(**structs.asdict(award)) for award in awards])


@blueprint.command(GiveAward, "/tournaments/<id:tournament>/awards", makes=Made((AwardGiven,), "award"))
@blueprint.may_refuse(*OVER, "player-unknown")
def give_award(command: GiveAward, tournament: str) -> Appended:
    """Give an award; it does not change the standings."""
    return gateway.run(tournament, command)


@blueprint.command(WithdrawAward, "/tournaments/<id:tournament>/awards/<id:award>/withdrawal")
@blueprint.may_refuse(*OVER, "award-unknown")
def withdraw_award(command: WithdrawAward, tournament: str) -> Appended:
    """Take an award back."""
    return gateway.run(tournament, command)


@blueprint.command(Conclude, "/tournaments/<id:tournament>/conclusion")
@blueprint.may_refuse(*OVER, "round-not-closed", "rounds-remain", "sessions-open", *ENDING_A_SEASON)
def conclude_tournament(command: Conclude, tournament: str) -> Appended:
    """Conclude the tournament: the standings are final, and the player on top of them has won."""
    naming = [format for format, ending in ENDINGS.items() if ending.names_players]
    ending = gateway.of(*naming) if command.named else gateway
    with ending.reading(tournament):
        pass
    if only_shown():
        return ending.run(tournament, command, first=first.foreseen(tournament))
    first.take(tournament)
    return ending.run(tournament, command)
