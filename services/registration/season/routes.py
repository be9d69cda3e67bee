"""Routes of seasons: the tournaments that one gathers, its divisions, and what it takes over from the last one."""

from __future__ import annotations

from typing import Any

from flask import jsonify

from services.registration.handlers import HANDLERS
from services.registration.season import schemas as schemas_season
from services.registration.season.commands import (
    Carried,
    ContinueSeason,
    EnterDivision,
    GatherTournament,
    ReleaseTournament,
)
from services.registration.season.decide import not_gathered
from services.registration.season.views import consequences_view, entries_view, gathered_view, playing, with_entries
from services.registration.tournament import command_schemas as schemas
from services.registration.tournament import directory
from shared.application.schemas import ReceiptShown
from shared.application.service import gateway_of
from shared.application.views import Appended
from shared.application.visibility import is_there
from shared.formats.season.entries import SEASON_ENTRIES
from shared.formats.season.state import SEASON
from shared.tournament.state import Tournament
from shared.web.access import caller
from shared.web.blueprint import Blueprint
from shared.web.paging import PageQuery, begins_after, page, page_of

PREVIEW = "With `preview=true`: what would move."
OVER = ("tournament-unknown", "tournament-over")


gateway = gateway_of("season")
blueprint = Blueprint("seasons", description="Seasons: tournaments gathered, divisions.", may_refuse=("wrong-format",))


def _run_or_preview(query: dict[str, Any], tournament: str, command: Any) -> Any:
    if query["preview"]:
        before, after, events = gateway.preview(tournament, command)
        return jsonify(consequences_view(before.state, after, events))
    return gateway.run(tournament, command)


@blueprint.post("/tournaments/<id:tournament>/season/tournaments")
@blueprint.allow(*HANDLERS[GatherTournament].roles)
@blueprint.arguments(schemas_season.GatherTournament)
@blueprint.response(201, ReceiptShown)
@blueprint.may_refuse(*OVER, "tournament-gathered", "tournament-not-for-season", "division-unknown")
def gather_tournament(body: dict[str, Any], tournament: str) -> Appended:
    """Let the season count a tournament, whether it is announced, running or concluded."""
    with gateway.repository.now(body["tournament"]) as folded:
        there = as_read(folded.state, body["tournament"])
        entries, status = there.entries, directory.status_of(there)
        facts: dict[str, Any] = {
            "name": entries.name,
            "format": entries.format,
            "ruleset": str(entries.ruleset.get("id", "")),
            "starts_on": entries.starts_on,
            "own_tier": entries.tier,
            "status": status,
        }
    body["played_on"] = body["played_on"].isoformat() if body["played_on"] else ""
    return gateway.run(tournament, GatherTournament(**body, **facts))


@blueprint.get("/tournaments/<id:tournament>/season/tournaments")
@blueprint.response(200, page_of(schemas_season.GatheredShown))
@blueprint.may_refuse("tournament-unknown")
def list_gathered(tournament: str) -> dict[str, Any]:
    """List the tournaments that the season counts, in their order."""
    with gateway.reading(tournament) as folded:
        gathered = gathered_view(folded.state)
    items = []
    for one in gathered:
        with gateway.repository.now(one["tournament"]) as there:
            items.append(with_entries(one, there.state))
    return {"items": items, "next": None}


@blueprint.post("/tournaments/<id:tournament>/season/tournaments/<id:gathered>/release")
@blueprint.allow(*HANDLERS[ReleaseTournament].roles)
@blueprint.arguments(schemas_season.PreviewQuery, location="query")
@blueprint.arguments(schemas.Reason)
@blueprint.response(201, ReceiptShown)
@blueprint.alternative(200, schemas_season.IdentityConsequences, description=PREVIEW)
@blueprint.may_refuse(*OVER, "tournament-not-gathered")
def release_tournament(query: dict[str, Any], body: dict[str, Any], tournament: str, gathered: str) -> Any:
    """Let the season count a tournament no longer; it may be gathered again."""
    return _run_or_preview(query, tournament, ReleaseTournament(tournament=gathered, **body))


@blueprint.get("/tournaments/<id:tournament>/season/tournaments/<id:gathered>/entries")
@blueprint.arguments(PageQuery, location="query")
@blueprint.response(200, page_of(schemas_season.EntryShown))
@blueprint.may_refuse("tournament-unknown", "tournament-not-gathered", "invalid-cursor")
def list_entries(query: dict[str, Any], tournament: str, gathered: str) -> Any:
    """List the players of a gathered tournament, and who of the season each of them is."""
    (after,) = begins_after(query, int) or (0,)
    with gateway.reading(tournament) as folded:
        if gathered not in SEASON_ENTRIES.of(folded.state).gathered:
            raise not_gathered(gathered, "/gathered")
        claims = dict(SEASON_ENTRIES.of(folded.state).claims.get(gathered, {}))
    with gateway.repository.now(gathered) as there:
        wanted = [player for player in playing(there.state) if player.order > after]
        players = wanted[: query["limit"]]
        items = entries_view(gathered, claims, players)
    return page(items, (players[-1].order,) if len(wanted) > len(players) else None)


@blueprint.post("/tournaments/<id:tournament>/season/divisions")
@blueprint.allow(*HANDLERS[EnterDivision].roles)
@blueprint.arguments(schemas_season.PreviewQuery, location="query")
@blueprint.arguments(schemas_season.EnterDivision)
@blueprint.response(201, ReceiptShown)
@blueprint.alternative(200, schemas_season.IdentityConsequences, description=PREVIEW)
@blueprint.may_refuse(*OVER, "division-unknown", "player-unknown")
def enter_division(query: dict[str, Any], body: dict[str, Any], tournament: str) -> Any:
    """Let players play in a division from now on."""
    return _run_or_preview(query, tournament, EnterDivision(**body))


@blueprint.post("/tournaments/<id:tournament>/season/continuation")
@blueprint.allow(*HANDLERS[ContinueSeason].roles)
@blueprint.arguments(schemas_season.ContinueSeason)
@blueprint.response(201, ReceiptShown)
@blueprint.may_refuse(*OVER, "season-not-over", "registration-closed", "name-taken", "event-too-large")
def continue_season(body: dict[str, Any], tournament: str) -> Appended:
    """Enter the players of an earlier season, each in the division where its end put them."""
    with gateway.repository.now(body["season"]) as folded:
        earlier = as_read(folded.state, body["season"])
        command = ContinueSeason(
            season=body["season"],
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
