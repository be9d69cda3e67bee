"""Views of a campaign's games and league table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Annotated

from msgspec import UNSET, UnsetType

from services.scoring.campaign_games import faults_of_readiness
from services.scoring.campaign_views_groups import event_in
from services.scoring.guards import PlayerUnknown, RoundNotClosed, RoundUnknown
from services.scoring.views_games import GameView, ScoreView, seat_view
from services.scoring.views_standings import (
    About,
    ExplainedView,
    NeighbourView,
    Order,
    RankMoved,
    RowMoved,
    RowView,
    ShareView,
    StandingsMoved,
    StandingsView,
    ValueMoved,
    ValueView,
    standings_moved,
)
from shared.campaign.evolve import evolve
from shared.campaign.facts import rivals_of
from shared.campaign.group import rating_parts
from shared.campaign.league import (
    Compared,
    LeagueGame,
    bye,
    comparison_values,
    games_by_round,
    games_played,
    latest_round,
    league_game,
    league_points,
    mustered_for,
    ratings_after,
    separated_by,
    sides_of,
    standing_rows,
    table_after,
)
from shared.campaign.outcomes import GroupAccepted, GroupEntered, GroupRatingFinalised
from shared.campaign.roster import Group
from shared.campaign.state import ENLISTED, rules_at
from shared.refusals import Fault, expects
from shared.service.state import LoadedAggregate
from shared.service.views import EventView, ExternalId, FaultView, faults_view
from shared.shapes import View
from shared.tournament.results import StandingRow
from shared.tournament.rounds import Seat
from shared.tournament.state import Tournament


class GroupScore(View, frozen=True, kw_only=True):
    """The outcome of a campaign's game for one group."""

    group: str
    outcome: str
    values: dict[str, int]


class SideView(View, frozen=True, kw_only=True):
    """A group before a campaign's game, with everything recorded so far."""

    group: str
    name: str
    external_id: ExternalId
    side: Annotated[int, "The number of the side, from 1. Groups on one side are allies."]
    rivals: Annotated[list[str], "The groups on all other sides."]
    fielded: Annotated[list[str] | None, "The members who play. null: not mustered."]
    jams: dict[str, bool]
    judged_rival_evil: Annotated[bool | None, "Any rival was judged evil. null: no judgement was rolled."]
    judged: Annotated[dict[str, bool], "Rival -> it was judged evil."]
    objective: Annotated[str, "The objective. Empty: not rolled."]


class CampaignScoreView(ScoreView, frozen=True, kw_only=True):
    """The score of a campaign's game."""

    groups: Annotated[
        list[GroupScore] | UnsetType,
        "Campaigns: the score of each group. `outcome_1` and `outcome_2` are those of the first two.",
    ] = UNSET


class CampaignGameView(GameView, frozen=True, kw_only=True):
    """A game of a campaign. Byes have no sides and need no preparation."""

    score: CampaignScoreView | UnsetType = UNSET
    sides: Annotated[list[SideView] | UnsetType, "Campaigns: the groups, as prepared before the game."] = UNSET
    due: Annotated[list[FaultView] | UnsetType, "Campaigns: what must be recorded before the game."] = UNSET


def game_view(state: Tournament, round: int, seat: Seat) -> CampaignGameView:
    """Return the view of a game."""
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
        table_label=game.table_label,
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
        reported_at=game.reported_at,
        report=game.report,
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
    """Return the view of a group before its game (FS-GAM-1 to FS-GAM-5)."""
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
    """Return the score of each group: outcome, league points and victory points (FS-LGE-1)."""
    options = rules_at(state.entries, round).options
    group_scores = [
        GroupScore(group=group, outcome=ending, values={"league_points": league_points(options, ending), "vp": vp})
        for group, ending, vp in zip(game.groups, game.endings, game.vp, strict=True)
    ]
    first, second = group_scores[0], group_scores[1] if len(group_scores) > 1 else None
    return CampaignScoreView(
        outcome_1=first.outcome,
        outcome_2=second.outcome if second else None,
        values_1=first.values,
        values_2=second.values if second else {},
        groups=group_scores,
    )


_COLUMNS = ("league_points", "group_rating", "total_vp")
_CLAUSES: Mapping[str, str] = {
    "league_points": "FS-LGE-1",
    "group_rating": "FS-RAT-1",
    "total_vp": "FS-LGE-2",
    "head_to_head": "FS-AMB-59",
}


def standings_order(loaded: LoadedAggregate, tournament: str, round: int | None) -> Order[StandingRow]:
    """Return the league table after a closed round, or the current one if `round` is None.

    Raises RoundUnknown, RoundNotClosed. Source: FS-LGE-2, FS-LGE-3.
    """
    state = loaded.state
    latest = latest_round(state)
    number = latest if round is None else round
    if round is not None and round not in state.rounds.rounds:
        raise RoundUnknown(
            f"Round {round} is not paired.", [Fault("/round", str(round), expects("paired-round"))], round=round
        )
    recorded = state.results.recorded.get(number)
    if round is not None and recorded is None:
        raise RoundNotClosed(f"Round {round} is not closed; ask without a round for the present order.", round=round)
    current_rows = standing_rows(table_after(state, number))
    rows = current_rows if round is None or recorded is None else recorded.rows
    about = StandingsView(
        tournament=tournament,
        round=number,
        final=state.results.concluded and number == latest,
        provisional=recorded is None or rows != recorded.rows,
        columns=list(_COLUMNS),
        items=[],
        draws=[],
        next=None,
        total=len(rows),
    )

    def render(selected: Sequence[StandingRow]) -> list[RowView]:
        return _rows_view(state, rows, number, selected)

    return Order(rows=rows, draws=(), render=render, about=about, comparable_rows=lambda: render(rows))


def _rows_view(
    state: Tournament, rows: Sequence[StandingRow], round: int, selected: Sequence[StandingRow]
) -> list[RowView]:
    """Return the views of selected rows. rows: the complete table, in which neighbours are compared."""
    values = _comparison_values(state, round)
    separators = {two.player: separated_by(values[one.player], values[two.player]) for one, two in pairwise(rows)}
    return [
        RowView(
            rank=row.rank,
            player=row.player,
            name=state.entries.name_of(row.player),
            external_id=state.entries.external_id_of(row.player),
            values=row.values,
            tied=row.tied,
            status=row.status,
            separated_by=separators.get(row.player, ""),
        )
        for row in selected
    ]


def _comparison_values(state: Tournament, round: int) -> dict[str, dict[Compared, int]]:
    ratings = ratings_after(state, round)
    return comparison_values(rules_at(state.entries, round), ratings, games_played(state, round))


def explain_rank(loaded: LoadedAggregate, player: str, about: About) -> ExplainedView:
    """Return the origin of a group's values, and what separates it from its neighbours. Raises PlayerUnknown."""
    state, events = loaded.state, about(lambda data: data.get("group") == player, player)
    round = latest_round(state)
    rules, rows, values = (
        rules_at(state.entries, round),
        standing_rows(table_after(state, round)),
        _comparison_values(state, round),
    )
    if player not in values:
        fault = Fault("/player", player, expects("player-in-table"))
        raise PlayerUnknown(f"No group of {player} is in the league.", [fault])
    own = values[player]
    played = [(number, game) for number, game in games_by_round(state, round) if player in game.groups]
    points = {id: group_values["league_points"] for id, group_values in values.items()}

    def shares(of: str) -> list[ShareView]:
        shares_of_games: list[ShareView] = []
        for number, game in played:
            place = game.groups.index(player)
            alone = len(game.groups) == 1
            if of == "head_to_head" and (alone or any(points[one] != points[player] for one in game.groups)):
                continue
            met = game.rivals_of(player)
            value = game.vp[place] if of == "total_vp" else league_points(rules.options, game.endings[place])
            opponent = met[0] if len(met) == 1 else ""
            shares_of_games.append(ShareView(round=number, opponent=opponent, opponents=list(met), value=str(value)))
        return shares_of_games

    place = next(index for index, row in enumerate(rows) if row.player == player)
    rated_in, rated = _last_rated(state, player, events)
    parts = rating_parts(rules_at(state.entries, rated_in), rated)

    def neighbour(index: int) -> NeighbourView | None:
        if not 0 <= index < len(rows):
            return None
        other = rows[index].player
        return NeighbourView(
            player=other, name=state.entries.name_of(other), separated_by=separated_by(own, values[other])
        )

    return ExplainedView(
        player=player,
        name=state.entries.name_of(player),
        rank=rows[place].rank,
        values=[
            ValueView(
                column=column,
                clause=_CLAUSES[column],
                value=str(rows[place].values[column] if column in _COLUMNS else own["head_to_head"]),
                shares=[] if column == "group_rating" else shares(column),
                parts=parts if column == "group_rating" else UNSET,
            )
            for column in (*_COLUMNS, *(["head_to_head"] if "head_to_head" in own else []))
        ],
        above=neighbour(place - 1),
        below=neighbour(place + 1),
    )


def _last_rated(state: Tournament, player: str, events: Sequence[EventView]) -> tuple[int, Group]:
    """Return the round in which a group's rating was last made final, and the group at that time (FS-RAT-3)."""
    built = ENLISTED.of(state).groups.get(player)
    rated = group = built or Group(player, "")
    round = 0
    for event in events:
        outcome = event_in(event)
        if isinstance(outcome, GroupEntered):
            rated = outcome.entered.state
        if outcome is not None and not isinstance(outcome, GroupAccepted):
            group = evolve(group, [outcome])
        if isinstance(outcome, GroupRatingFinalised):
            round, rated = event.data["round"], group
    return round, rated


def consequences(before: Tournament, after: Tournament) -> StandingsMoved:
    """Return the changes to the league between two states."""
    latest = latest_round(before)
    was = {row.player: row for row in standing_rows(table_after(before, latest))}
    ranks = [
        RowMoved(
            player=row.player,
            name=before.entries.name_of(row.player),
            rank=RankMoved(before=old.rank, after=row.rank),
            values={
                column: ValueMoved(before=old.values[column], after=row.values[column])
                for column in _COLUMNS
                if old.values[column] != row.values[column]
            },
        )
        for row in standing_rows(table_after(after, latest))
        if ((old := was[row.player]).rank, old.values) != (row.rank, row.values)
    ]
    return standings_moved(before, after, standings_round=latest, ranks=ranks)
