"""Views of a campaign's games and of its league table."""

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


def game_view(state: Tournament, round: int, seat: Seat) -> CampaignGameView:
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
    options = rules_at(state.entries, round).options
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


COLUMNS = ("league_points", "group_rating", "total_vp")
CLAUSES: Mapping[str, str] = {
    "league_points": "FS-LGE-1",
    "group_rating": "FS-RAT-1",
    "total_vp": "FS-LGE-2",
    "head_to_head": "FS-AMB-59",
}


def league_order(state: Tournament, tournament: str, round: int | None) -> Order[StandingRow]:
    """The table after a closed round as recorded, or (round None) as it is at this moment.

    Raises RoundUnknown, RoundNotClosed. Source: FS-LGE-2, FS-LGE-3.
    """
    latest = latest_round(state)
    number = latest if round is None else round
    if round is not None and round not in state.rounds.rounds:
        raise RoundUnknown(
            f"Round {round} is not paired.", [Fault("/round", str(round), expects("paired-round"))], round=round
        )
    recorded = state.results.recorded.get(number)
    if round is not None and recorded is None:
        raise RoundNotClosed(f"Round {round} is not closed; ask without a round for the present order.", round=round)
    present = standing_rows(table_after(state, number))
    rows = present if round is None or recorded is None else recorded.rows
    about = StandingsView(
        tournament=tournament,
        round=number,
        final=state.results.concluded and number == latest,
        provisional=recorded is None or rows != recorded.rows,
        columns=list(COLUMNS),
        items=[],
        draws=[],
        next=None,
        total=len(rows),
    )

    def shown(wanted: Sequence[StandingRow]) -> list[RowView]:
        return _rows_view(state, rows, number, wanted)

    return Order(rows=rows, draws=(), shown=shown, about=about, compared=lambda: shown(rows))


def _rows_view(
    state: Tournament, rows: Sequence[StandingRow], round: int, wanted: Sequence[StandingRow]
) -> list[RowView]:
    """What separates a row is said of the one above it in the whole table, whichever rows are wanted."""
    values = _comparison_values(state, round)
    apart = {two.player: separated_by(values[one.player], values[two.player]) for one, two in pairwise(rows)}
    return [
        RowView(
            rank=row.rank,
            player=row.player,
            name=state.entries.name_of(row.player),
            external_id=state.entries.external_id_of(row.player),
            values=row.values,
            tied=row.tied,
            status=row.status,
            separated_by=apart.get(row.player, ""),
        )
        for row in wanted
    ]


def _comparison_values(state: Tournament, round: int) -> dict[str, dict[Compared, int]]:
    ratings = ratings_after(state, round)
    return comparison_values(rules_at(state.entries, round), ratings, games_played(state, round))


def rank_in_league_explained(state: Tournament, player: str, events: Sequence[EventView]) -> ExplainedView:
    """Where every value of a row comes from: points and VP game by game, the rating by its parts; and what separates
    it from its neighbours. events: of scoring about the group, as answers show them. Raises PlayerUnknown."""
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
    points = {id: made["league_points"] for id, made in values.items()}

    def shares(of: str) -> list[ShareView]:
        found: list[ShareView] = []
        for number, game in played:
            place = game.groups.index(player)
            alone = len(game.groups) == 1
            if of == "head_to_head" and (alone or any(points[one] != points[player] for one in game.groups)):
                continue
            met = game.rivals_of(player)
            value = game.vp[place] if of == "total_vp" else league_points(rules.options, game.endings[place])
            opponent = met[0] if len(met) == 1 else ""
            found.append(ShareView(round=number, opponent=opponent, opponents=list(met), value=str(value)))
        return found

    place = next(index for index, row in enumerate(rows) if row.player == player)
    rated_in, rated = _as_rated(state, player, events)
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
                clause=CLAUSES[column],
                value=str(rows[place].values[column] if column in COLUMNS else own["head_to_head"]),
                shares=[] if column == "group_rating" else shares(column),
                parts=parts if column == "group_rating" else UNSET,
            )
            for column in (*COLUMNS, *(["head_to_head"] if "head_to_head" in own else []))
        ],
        above=neighbour(place - 1),
        below=neighbour(place + 1),
    )


def _as_rated(state: Tournament, player: str, events: Sequence[EventView]) -> tuple[int, Group]:
    """The round in which the rating of a group was made final last, and the group as it was then. FS-RAT-3."""
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
    """What a command would move in the league; nothing of it is appended."""
    latest = latest_round(before)
    was = {row.player: row for row in standing_rows(table_after(before, latest))}
    ranks = [
        RowMoved(
            player=row.player,
            name=before.entries.name_of(row.player),
            rank=RankMoved(before=old.rank, after=row.rank),
            values={
                column: ValueMoved(before=old.values[column], after=row.values[column])
                for column in COLUMNS
                if old.values[column] != row.values[column]
            },
        )
        for row in standing_rows(table_after(after, latest))
        if ((old := was[row.player]).rank, old.values) != (row.rank, row.values)
    ]
    return standings_moved(before, after, standings_round=latest, ranks=ranks)


def standings_order(loaded: LoadedAggregate, tournament: str, round: int | None) -> Order[StandingRow]:
    """Return the league table after a closed round as recorded; round None: that of this moment."""
    return league_order(loaded.state, tournament, round)


def rank_explained(loaded: LoadedAggregate, player: str, about: About) -> ExplainedView:
    """Return where the values of a group come from, by the events that concern it."""
    events = about(lambda data: data.get("group") == player, player)
    return rank_in_league_explained(loaded.state, player, events)
