"""Routes of seasons: the tournaments that one gathers, its divisions, and what it takes over from the last one."""

from __future__ import annotations

from typing import Any

from flask import jsonify

from services.registration import directory, schemas, schemas_season
from services.registration.domain import season_commands as ask
from services.registration.domain.season import not_gathered
from services.registration.season_shown import (
    consequences_shown,
    entries_shown,
    gathered_shown,
    playing,
    with_entries,
)
from shared.handling.front import Front, shown
from shared.handling.schemas import ReceiptShown
from shared.handling.visibility import is_there
from shared.http.access import caller
from shared.http.blueprint import Blueprint
from shared.http.paging import PageQuery, begins_after, page, page_of
from shared.http.roles import OPERATOR, ORGANISER
from shared.state.tournament import Tournament

LEADING = (OPERATOR, ORGANISER)
PREVIEW = "With `preview=true`: what would move."
OVER = ("tournament-unknown", "tournament-over")


def seasons_blueprint(front: Front) -> Blueprint:
    """What a season counts."""
    blueprint = Blueprint(
        "seasons", description="Seasons: tournaments gathered, divisions.", may_refuse=("wrong-format",)
    )

    def run(tournament: str, command: Any) -> dict[str, Any]:
        return shown(front.command(tournament, command, fresh=True), tournament)

    def run_or_preview(query: dict[str, Any], tournament: str, command: Any) -> Any:
        if query["preview"]:
            before, after, events = front.preview(tournament, command, fresh=True)
            return jsonify(consequences_shown(before.state, after, events))
        return run(tournament, command)

    @blueprint.post("/tournaments/<id:tournament>/season/tournaments")
    @blueprint.allow(*LEADING)
    @blueprint.arguments(schemas_season.GatherTournament)
    @blueprint.response(201, ReceiptShown)
    @blueprint.may_refuse(*OVER, "tournament-gathered", "tournament-not-for-season", "division-unknown")
    def gather_tournament(body: dict[str, Any], tournament: str) -> dict[str, Any]:
        """Let the season count a tournament, whether it is announced, running or concluded."""
        with front.folds.now(body["tournament"]) as folded:
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
        return run(tournament, ask.GatherTournament(**body, **facts))

    @blueprint.get("/tournaments/<id:tournament>/season/tournaments")
    @blueprint.response(200, page_of(schemas_season.GatheredShown))
    @blueprint.may_refuse("tournament-unknown")
    def list_gathered(tournament: str) -> dict[str, Any]:
        """List the tournaments that the season counts, in their order."""
        with front.reading(tournament) as folded:
            gathered = gathered_shown(folded.state)
        items = []
        for one in gathered:
            with front.folds.now(one["tournament"]) as there:
                items.append(with_entries(one, there.state))
        return {"items": items, "next": None}

    @blueprint.post("/tournaments/<id:tournament>/season/tournaments/<id:gathered>/release")
    @blueprint.allow(*LEADING)
    @blueprint.arguments(schemas_season.PreviewQuery, location="query")
    @blueprint.arguments(schemas.Reason)
    @blueprint.response(201, ReceiptShown)
    @blueprint.alternative(200, schemas_season.IdentityConsequences, description=PREVIEW)
    @blueprint.may_refuse(*OVER, "tournament-not-gathered")
    def release_tournament(query: dict[str, Any], body: dict[str, Any], tournament: str, gathered: str) -> Any:
        """Let the season count a tournament no longer; it may be gathered again."""
        return run_or_preview(query, tournament, ask.ReleaseTournament(tournament=gathered, **body))

    @blueprint.get("/tournaments/<id:tournament>/season/tournaments/<id:gathered>/entries")
    @blueprint.arguments(PageQuery, location="query")
    @blueprint.response(200, page_of(schemas_season.EntryShown))
    @blueprint.may_refuse("tournament-unknown", "tournament-not-gathered", "invalid-cursor")
    def list_entries(query: dict[str, Any], tournament: str, gathered: str) -> Any:
        """List the players of a gathered tournament, and who of the season each of them is."""
        (after,) = begins_after(query, int) or (0,)
        with front.reading(tournament) as folded:
            if gathered not in folded.state.season_entries.gathered:
                raise not_gathered(gathered, "/gathered")
            claims = dict(folded.state.season_entries.claims.get(gathered, {}))
        with front.folds.now(gathered) as there:
            wanted = [player for player in playing(there.state) if player.order > after]
            players = wanted[: query["limit"]]
            items = entries_shown(gathered, claims, players)
        return page(items, (players[-1].order,) if len(wanted) > len(players) else None)

    @blueprint.post("/tournaments/<id:tournament>/season/divisions")
    @blueprint.allow(*LEADING)
    @blueprint.arguments(schemas_season.PreviewQuery, location="query")
    @blueprint.arguments(schemas_season.EnterDivision)
    @blueprint.response(201, ReceiptShown)
    @blueprint.alternative(200, schemas_season.IdentityConsequences, description=PREVIEW)
    @blueprint.may_refuse(*OVER, "division-unknown", "player-unknown")
    def enter_division(query: dict[str, Any], body: dict[str, Any], tournament: str) -> Any:
        """Let players play in a division from now on."""
        return run_or_preview(query, tournament, ask.EnterDivision(**body))

    @blueprint.post("/tournaments/<id:tournament>/season/continuation")
    @blueprint.allow(*LEADING)
    @blueprint.arguments(schemas_season.ContinueSeason)
    @blueprint.response(201, ReceiptShown)
    @blueprint.may_refuse(*OVER, "season-not-over", "registration-closed", "name-taken", "event-too-large")
    def continue_season(body: dict[str, Any], tournament: str) -> dict[str, Any]:
        """Enter the players of an earlier season, each in the division where its end put them."""
        with front.folds.now(body["season"]) as folded:
            earlier = as_read(folded.state, body["season"])
            command = ask.ContinueSeason(
                season=body["season"],
                format=earlier.entries.format,
                status=directory.status_of(earlier),
                players=carried(earlier) if earlier.entries.format == "season" else [],
            )
        return run(tournament, command)

    return blueprint


def as_read(state: Tournament, tournament: str) -> Tournament:
    """A tournament other than that of the address, as the caller may read it: a private one of others is not there."""
    return state if is_there(tournament, state, caller()) else Tournament()


def carried(state: Tournament) -> list[ask.Carried]:
    """The players of a season in the order of its last table, each in the division where they go on."""
    players, moves = state.entries.players, {move.player: move.to for move in state.season.moves}
    rows = state.season.table.rows if state.season.table else []
    return [
        ask.Carried(
            before=row.player,
            name=players[row.player].name,
            club=players[row.player].club,
            division=moves.get(row.player, row.division),
        )
        for row in rows
        if row.status == "active"
    ]
