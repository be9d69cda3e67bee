"""Routes of seasons: the tournaments that one gathers, its divisions, and what it takes over from the last one."""

from __future__ import annotations

from typing import Any

from services.registration.handlers import HANDLERS
from services.registration.season import elsewhere
from services.registration.season.commands import (
    ContinueSeason,
    EnterDivision,
    GatherTournament,
    ReleaseTournament,
    TournamentToGather,
)
from services.registration.season.decide import not_gathered
from services.registration.season.views import EntryView, GatheredView
from shared.season.entries import SEASON_ENTRIES, TournamentGathered
from shared.season.state import SEASON
from shared.service.command_routes import CommandBlueprint, Made
from shared.service.views import Appended
from shared.service.wiring import gateway_of
from shared.shapes import Id, Shape
from shared.web.auth import caller
from shared.web.paging import Paged, all_of, begins_after, page, page_of

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
    """Gather a tournament: the season counts it, whether it is announced, running or concluded."""
    return gateway.run(tournament, elsewhere.to_gather(gateway.repository, body, caller()))


@blueprint.get("/tournaments/<id:tournament>/season/tournaments")
@blueprint.response(200, page_of(GatheredView))
@blueprint.may_refuse("tournament-unknown")
def list_gathered(tournament: str) -> dict[str, Any]:
    """List the tournaments that the season counts, in their order."""
    with gateway.reading(tournament) as loaded:
        claims, taken = SEASON_ENTRIES.of(loaded.state).claims, SEASON.of(loaded.state).taken
        gathered = [
            (one, dict(claims.get(one.tournament, {})), one.tournament in taken)
            for one in SEASON_ENTRIES.of(loaded.state).in_order()
        ]
    return all_of(elsewhere.gathered_now(gateway.repository, gathered))


@blueprint.command(ReleaseTournament, "/tournaments/<id:tournament>/season/tournaments/<id:gathered>/release")
@blueprint.may_refuse(*OVER, "tournament-not-gathered")
def release_tournament(command: ReleaseTournament, tournament: str) -> Appended:
    """Stop counting a tournament in the season; it can be gathered again."""
    return gateway.run(tournament, command)


@blueprint.get("/tournaments/<id:tournament>/season/tournaments/<id:gathered>/entries")
@blueprint.arguments(Paged, location="query")
@blueprint.response(200, page_of(EntryView))
@blueprint.may_refuse("tournament-unknown", "tournament-not-gathered", "invalid-cursor")
def list_entries(query: Paged, tournament: str, gathered: str) -> Any:
    """List the players of a gathered tournament, and which player of the season each of them is."""
    (after,) = begins_after(query.after, int) or (0,)
    with gateway.reading(tournament) as loaded:
        if gathered not in SEASON_ENTRIES.of(loaded.state).gathered:
            raise not_gathered(gathered, "/gathered")
        claims = dict(SEASON_ENTRIES.of(loaded.state).claims.get(gathered, {}))
    items, last, total = elsewhere.entries_now(gateway.repository, gathered, claims, after, query.limit)
    return page(items, None if last is None else (last,), total)


@blueprint.command(EnterDivision, "/tournaments/<id:tournament>/season/divisions")
@blueprint.may_refuse(*OVER, "division-unknown", "player-unknown")
def enter_division(command: EnterDivision, tournament: str) -> Appended:
    """Put players into a division from now on."""
    return gateway.run(tournament, command)


@blueprint.post("/tournaments/<id:tournament>/season/continuation")
@blueprint.allow(*HANDLERS[ContinueSeason].roles)
@blueprint.previewed
@blueprint.arguments(EarlierSeason)
@blueprint.response(201, Appended)
@blueprint.may_refuse(*OVER, "season-not-over", "registration-closed", "name-taken", "event-too-large")
def continue_season(body: EarlierSeason, tournament: str) -> Appended:
    """Enter the players of an earlier season, each in the division where that season's end put them."""
    return gateway.run(tournament, elsewhere.to_continue(gateway.repository, body.season, caller()))
