"""Routes of seasons: the tournaments that one gathers, its divisions, and what it takes over from the last one."""

from __future__ import annotations

from typing import Any

from msgspec.structs import asdict

from services.registration.handlers import HANDLERS
from services.registration.season.commands import (
    Carried,
    ContinueSeason,
    EnterDivision,
    GatherTournament,
    ReleaseTournament,
    TournamentToGather,
)
from services.registration.season.decide import not_gathered
from services.registration.season.views import (
    EntryView,
    GatheredView,
    entries_view,
    gathered_view,
    playing,
)
from services.registration.tournament import directory
from shared.application.command_routes import CommandBlueprint
from shared.application.made import Made
from shared.application.service import gateway_of
from shared.application.views import Appended
from shared.application.visibility import is_there
from shared.formats.season.entries import SEASON_ENTRIES, TournamentGathered
from shared.formats.season.state import SEASON
from shared.shapes import Id, Shape
from shared.tournament.state import Tournament
from shared.web.access import caller
from shared.web.paging import Paged, begins_after, page, page_of

OVER = ("tournament-unknown", "tournament-over")


# Beside the command, which holds these players.
class EarlierSeason(Shape, frozen=True, kw_only=True):
    """season: one that is concluded, whose players come into this one."""

    season: Id


gateway = gateway_of("season")
blueprint = CommandBlueprint(
    "seasons", HANDLERS, description="Seasons: tournaments gathered, divisions.", may_refuse=("wrong-format",)
)


@blueprint.post("/tournaments/<id:tournament>/season/tournaments")
@blueprint.allow(*HANDLERS[GatherTournament].roles)
@blueprint.previewed
@blueprint.arguments(TournamentToGather)
@blueprint.response(201, Appended)
@blueprint.makes(Made((TournamentGathered,), "tournament"))
@blueprint.may_refuse(*OVER, "tournament-gathered", "tournament-not-for-season", "division-unknown")
def gather_tournament(body: TournamentToGather, tournament: str) -> Appended:
    """Let the season count a tournament, whether it is announced, running or concluded."""
    with gateway.repository.now(body.tournament) as folded:
        there = as_read(folded.state, body.tournament)
        command = GatherTournament(
            **asdict(body),
            name=there.entries.name,
            format=there.entries.format,
            ruleset=str(there.entries.ruleset.get("id", "")),
            starts_on=there.entries.starts_on,
            own_tier=there.entries.tier,
            status=directory.status_of(there),
        )
    return gateway.run(tournament, command)


@blueprint.get("/tournaments/<id:tournament>/season/tournaments")
@blueprint.response(200, page_of(GatheredView))
@blueprint.may_refuse("tournament-unknown")
def list_gathered(tournament: str) -> dict[str, Any]:
    """List the tournaments that the season counts, in their order."""
    with gateway.reading(tournament) as folded:
        claims, taken = SEASON_ENTRIES.of(folded.state).claims, SEASON.of(folded.state).taken
        gathered = [
            (one, dict(claims.get(one.tournament, {})), one.tournament in taken)
            for one in SEASON_ENTRIES.of(folded.state).in_order()
        ]
    items = []
    for one, claimed, results_taken in gathered:
        with gateway.repository.now(one.tournament) as there:
            items.append(gathered_view(one, claimed, there.state, results_taken=results_taken))
    return {"items": items, "next": None}


@blueprint.command(ReleaseTournament, "/tournaments/<id:tournament>/season/tournaments/<id:gathered>/release")
@blueprint.may_refuse(*OVER, "tournament-not-gathered")
def release_tournament(command: ReleaseTournament, tournament: str) -> Appended:
    """Let the season count a tournament no longer; it may be gathered again."""
    return gateway.run(tournament, command)


@blueprint.get("/tournaments/<id:tournament>/season/tournaments/<id:gathered>/entries")
@blueprint.arguments(Paged, location="query")
@blueprint.response(200, page_of(EntryView))
@blueprint.may_refuse("tournament-unknown", "tournament-not-gathered", "invalid-cursor")
def list_entries(query: Paged, tournament: str, gathered: str) -> Any:
    """List the players of a gathered tournament, and who of the season each of them is."""
    (after,) = begins_after(query, int) or (0,)
    with gateway.reading(tournament) as folded:
        if gathered not in SEASON_ENTRIES.of(folded.state).gathered:
            raise not_gathered(gathered, "/gathered")
        claims = dict(SEASON_ENTRIES.of(folded.state).claims.get(gathered, {}))
    with gateway.repository.now(gathered) as there:
        wanted = [player for player in playing(there.state) if player.order > after]
        players = wanted[: query.limit]
        items = entries_view(gathered, claims, players)
    return page(items, (players[-1].order,) if len(wanted) > len(players) else None)


@blueprint.command(EnterDivision, "/tournaments/<id:tournament>/season/divisions")
@blueprint.may_refuse(*OVER, "division-unknown", "player-unknown")
def enter_division(command: EnterDivision, tournament: str) -> Appended:
    """Let players play in a division from now on."""
    return gateway.run(tournament, command)


@blueprint.post("/tournaments/<id:tournament>/season/continuation")
@blueprint.allow(*HANDLERS[ContinueSeason].roles)
@blueprint.previewed
@blueprint.arguments(EarlierSeason)
@blueprint.response(201, Appended)
@blueprint.may_refuse(*OVER, "season-not-over", "registration-closed", "name-taken", "event-too-large")
def continue_season(body: EarlierSeason, tournament: str) -> Appended:
    """Enter the players of an earlier season, each in the division where its end put them."""
    with gateway.repository.now(body.season) as folded:
        earlier = as_read(folded.state, body.season)
        command = ContinueSeason(
            season=body.season,
            format=earlier.entries.format,
            status=directory.status_of(earlier),
            players=carried(earlier) if earlier.entries.format == "season" else [],
        )
    return gateway.run(tournament, command)


def as_read(state: Tournament, tournament: str) -> Tournament:
    """A tournament other than that of the address, as the caller may read it: a private one of others is not there."""
    return state if is_there(tournament, state, caller()) else Tournament()


def carried(state: Tournament) -> list[Carried]:
    """The players of a season in the order of its last table, each in the division where they go on."""
    players, moves = state.entries.players, {move.player: move.to for move in SEASON.of(state).moves}
    table = SEASON.of(state).table
    rows = table.rows if table else []
    return [
        Carried(
            before=row.player,
            name=players[row.player].name,
            club=players[row.player].club,
            division=moves.get(row.player, row.division),
        )
        for row in rows
        if row.status == "active"
    ]
