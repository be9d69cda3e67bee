"""What scoring shows of a campaign's games."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, UnsetType

from services.scoring.campaign.games import faults_of_readiness
from services.scoring.tournament.views import GameView, ScoreView, seat_view
from shared.campaign.facts import rivals_of
from shared.campaign.league import LeagueGame, bye, league_game, league_points, mustered_for, sides_of
from shared.campaign.state import campaign_of
from shared.service.views import ExternalId, FaultView, faults_view
from shared.shapes import View
from shared.tournament.rounds import Seat
from shared.tournament.state import Tournament


class GroupScore(View, frozen=True, kw_only=True):
    """How a campaign's game ended for one group."""

    group: str
    outcome: str
    values: dict[str, int]


class SideView(View, frozen=True, kw_only=True):
    """One group before a campaign's game: on which side it stands, what is recorded, and what is still due."""

    group: str
    name: str
    external_id: ExternalId
    side: Annotated[int, "From 1; groups of one side are allies."]
    rivals: Annotated[list[str], "The groups of all other sides."]
    fielded: Annotated[list[str] | None, "null: not mustered."]
    jams: dict[str, bool]
    judged_rival_evil: Annotated[bool | None, "Whether a die made any rival evil; null: none was rolled."]
    judged: Annotated[dict[str, bool], "Rival -> whether a die made it evil."]
    objective: Annotated[str, "Empty: not rolled."]


class CampaignScoreView(ScoreView, frozen=True, kw_only=True):
    """What the ruleset makes of a result: outcome and values of each side."""

    groups: Annotated[
        list[GroupScore] | UnsetType, "Campaigns: the same of each group; 1 and 2 are the first two of them."
    ] = UNSET


class CampaignGameView(GameView, frozen=True, kw_only=True):
    """A game of a campaign; a bye has no sides, and nothing is due before it."""

    score: CampaignScoreView | UnsetType = UNSET
    sides: Annotated[list[SideView] | UnsetType, "Campaigns: every group before the game."] = UNSET
    due: Annotated[list[FaultView] | UnsetType, "Campaigns: what comes before the game."] = UNSET


def campaign_game_view(state: Tournament, round: int, seat: Seat) -> CampaignGameView:
    """A game with what was recorded before it, what is still due, and what was said of its result."""
    game, result = seat_view(state, round, seat), state.results.results.get(seat.game)
    score: CampaignScoreView | UnsetType = UNSET
    sides: list[SideView] | UnsetType = UNSET
    due: list[FaultView] | UnsetType = UNSET
    if seat.kind == "bye":
        score = score_view(state, round, bye(seat.player_1))
    else:
        sides = [side_view(state, seat, group) for group in seat.players]
        due = [] if result else faults_view(faults_of_readiness(state, state.rounds.rounds[round], seat))
        score = score_view(state, round, league_game(seat, result.facts)) if result else UNSET
    return CampaignGameView(
        id=game.id,
        round=game.round,
        kind=game.kind,
        venue=game.venue,
        table=game.table,
        wave=game.wave,
        player_1=game.player_1,
        player_2=game.player_2,
        name_1=game.name_1,
        name_2=game.name_2,
        external_id_1=game.external_id_1,
        external_id_2=game.external_id_2,
        status=game.status,
        binds=game.binds,
        improbable=game.improbable,
        held=game.held,
        facts=game.facts,
        reported_by=game.reported_by,
        counter_facts=game.counter_facts,
        ruling=game.ruling,
        both_links_of=game.both_links_of,
        appealed=game.appealed,
        contest=game.contest,
        score=score,
        sides=sides,
        due=due,
    )


def side_view(state: Tournament, seat: Seat, group: str) -> SideView:
    """One group as far as it is recorded before the game, and on which side it stands. FS-GAM-1 to FS-GAM-5."""
    mustered, sides = mustered_for(state, seat.game, group), sides_of(seat)
    judged = {} if mustered is None else mustered.judged
    return SideView(
        group=group,
        name=state.entries.name_of(group),
        external_id=state.entries.external_id_of(group),
        side=next(number for number, side in enumerate(sides, 1) if group in side),
        rivals=list(rivals_of(sides, group)),
        fielded=None if mustered is None else list(mustered.fielded),
        jams={} if mustered is None else dict(mustered.jammed),
        judged_rival_evil=any(judged.values()) if judged else None,
        judged=dict(judged),
        objective="" if mustered is None else mustered.objective,
    )


def score_view(state: Tournament, round: int, game: LeagueGame) -> CampaignScoreView:
    """How a game ended for each group, with its league and victory points; in 1 and 2 for the first two. FS-LGE-1."""
    options = campaign_of(state.entries, round).options
    told = [
        GroupScore(group=group, outcome=ending, values={"league_points": league_points(options, ending), "vp": vp})
        for group, ending, vp in zip(game.groups, game.endings, game.vp, strict=True)
    ]
    first, second = told[0], told[1] if len(told) > 1 else None
    return CampaignScoreView(
        outcome_1=first.outcome,
        outcome_2=second.outcome if second else None,
        values_1=first.values,
        values_2=second.values if second else {},
        groups=told,
    )
