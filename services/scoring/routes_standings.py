"""Routes of rounds' closing, standings, awards and the end."""

from __future__ import annotations

from functools import partial
from typing import Any

from msgspec import UNSET, structs

from services.scoring.formats import FORMATS
from services.scoring.handlers import HANDLERS
from services.scoring.tournament.commands import (
    CancelStandingsPublication,
    CloseRound,
    Conclude,
    EnterCoin,
    GiveAward,
    PublishStandings,
    ReopenRound,
    WithdrawAward,
)
from services.scoring.tournament.routes.queries import StandingsQuery
from services.scoring.tournament.views_order import (
    not_in_standings,
    noted,
    rows_wanted,
    standings_file,
    standings_shown,
    standings_since,
)
from services.scoring.tournament.views_overlay import OverlayQuery, OverlayView, overlay_view
from services.scoring.tournament.views_standings import AwardsView, AwardView, ExplainedView, StandingsView
from services.scoring.views import VIEWS, TakenFirst
from shared.service.command_routes import CommandBlueprint, Made
from shared.service.views import Appended
from shared.service.wiring import gateway, gateway_in, wired
from shared.tournament.guards import need_venue
from shared.tournament.results import AwardGiven
from shared.web.auth import caller_or_none
from shared.web.paging import cut, need_json_for, version_here, wants_csv
from shared.web.request import cached_a_moment, not_modified, only_shown

OVER = ("tournament-unknown", "tournament-over")
KEPT_BACK = (*OVER, "round-not-closed", "standings-already-published", "other-venue", "wrong-format")
ENDING_A_SEASON = ("wrong-format", "tournaments-open", "season-without-results", "tie-undecided", "player-unknown")


blueprint = CommandBlueprint("standings", HANDLERS, description="Standings per round and final, awards, the end.")

played = gateway_in(FORMATS)
first = wired(TakenFirst)


@blueprint.command(CloseRound, "/tournaments/<id:tournament>/rounds/<number:round>/close")
@blueprint.may_refuse(
    *OVER,
    "round-unknown",
    "round-not-begun",
    "games-open",
    "groups-waiting",
    "bracket-moved-on",
    "other-venue",
    "wrong-format",
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


@blueprint.command(PublishStandings, "/tournaments/<id:tournament>/standings/publication", required=False)
@blueprint.may_refuse(*KEPT_BACK, "publication-past")
def publish_standings(command: PublishStandings, tournament: str) -> Appended:
    """Show the standings of all closed rounds to everybody, now or at a time set, where the tournament keeps them back.

    `on_purpose` of the tournament says so. Until then everybody but staff sees those that were published last. At the
    time set the service shows those of all rounds that are closed then. A conclusion publishes them, too.
    """
    return gateway.run(tournament, command)


@blueprint.command(CancelStandingsPublication, "/tournaments/<id:tournament>/standings/publication/cancellation")
@blueprint.may_refuse(*KEPT_BACK)
def cancel_standings_publication(command: CancelStandingsPublication, tournament: str) -> Appended:
    """Keep standings back although a time is set for them."""
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
    *("tournament-unknown", "round-unknown", "round-not-closed", "wrong-format", "player-unknown", "venue-unknown"),
    "invalid-cursor",
)
def show_standings(query: StandingsQuery, tournament: str) -> Any:
    """Show the current standings, or those recorded after a round: whole, in pages, or what has changed."""
    need_json_for(query.since)
    round = None if query.round is UNSET else query.round
    with played.reading(tournament) as loaded:
        need_venue(loaded.state.entries, query.venue)
        if same := not_modified(gateway.version(loaded)):
            return same
        order = VIEWS[loaded.state.entries.format].standings_order(loaded, tournament, round)
        version, changed = version_here(loaded.seen), noted(loaded, order, query)
        if changed is not None:
            return structs.replace(standings_since(loaded, order, query, changed), version=version)
        found = cut(rows_wanted(order, loaded.state, query), query, order.players, not_in_standings)
        shown = standings_shown(order, found)
    if wants_csv():
        return standings_file(shown, found.headers)
    if query.since is not UNSET:
        shown = structs.replace(shown, since=None, gone=[], ranks={})
    return structs.replace(shown, version=version), 200, found.headers


@blueprint.get("/tournaments/<id:tournament>/standings/<id:player>")
@blueprint.response(200, ExplainedView)
@blueprint.may_refuse("tournament-unknown", "player-unknown", "wrong-format")
def explain_rank(tournament: str, player: str) -> ExplainedView:
    """Explain a player's values: the games that each value comes from, and its clause."""
    with played.reading(tournament) as loaded:
        about = partial(gateway.events_about, tournament)
        return VIEWS[loaded.state.entries.format].rank_explained(loaded, player, about)


@blueprint.get("/tournaments/<id:tournament>/overlay")
@blueprint.arguments(OverlayQuery, location="query")
@blueprint.response(200, OverlayView)
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown", "venue-unknown", "wrong-format")
def show_overlay(query: OverlayQuery, tournament: str) -> Any:
    """Show what a stream has beside its picture: the round with its clock, the tables, the head of the standings."""
    with played.reading(tournament) as loaded:
        cached = cached_a_moment(loaded.state.entries.visibility == "public" and caller_or_none() is None)
        if same := not_modified(gateway.version(loaded)):
            same.headers.update(cached)
            return same
        views = VIEWS[loaded.state.entries.format]
        order = views.standings_order(loaded, tournament, None)
        return overlay_view(loaded.state, order, query, views.game_view), 200, cached


@blueprint.get("/tournaments/<id:tournament>/awards")
@blueprint.response(200, AwardsView)
@blueprint.may_refuse("tournament-unknown")
def list_awards(tournament: str) -> AwardsView:
    """List awards; they never move a rank."""
    with gateway.reading(tournament) as loaded:
        awards = loaded.state.results.awards.values()
        return AwardsView(
            items=[AwardView(id=one.id, name=one.name, player=one.player, reason=one.reason) for one in awards]
        )


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
@blueprint.may_refuse(*OVER, "round-not-closed", "rounds-remain", "sessions-open", "bracket-moved-on", *ENDING_A_SEASON)
def conclude_tournament(command: Conclude, tournament: str) -> Appended:
    """Conclude the tournament: the standings are final, and the player on top of them has won."""
    with gateway.reading(tournament):
        pass
    if only_shown():
        return gateway.run(tournament, command, first=first.foreseen(tournament))
    first.take(tournament)
    return gateway.run(tournament, command)
