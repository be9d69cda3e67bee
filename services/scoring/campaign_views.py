"""What scoring shows of a campaign's league: the table, why a group stands where it does, what a correction moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from msgspec import UNSET

from services.scoring.campaign.views.groups import event_in
from services.scoring.tournament.refusals import PlayerUnknown, RoundNotClosed, RoundUnknown
from services.scoring.tournament.views_consequences import (
    RankMoved,
    RowMoved,
    StandingsMoved,
    ValueMoved,
    standings_moved,
)
from services.scoring.tournament.views_standings import (
    ExplainedView,
    NeighbourView,
    Order,
    RowView,
    ShareView,
    StandingsView,
    ValueView,
)
from shared.campaign.evolve import evolve
from shared.campaign.group import rating_parts
from shared.campaign.league import (
    Compared,
    as_rows,
    compared,
    games_by_round,
    games_played,
    league_points,
    ratings_after,
    round_at_hand,
    separated_by,
    table_after,
)
from shared.campaign.outcomes import GroupAccepted, GroupEntered, GroupRatingFinalised
from shared.campaign.roster import Group
from shared.campaign.state import ENLISTED, campaign_of
from shared.refusals import Fault, expects
from shared.service.views import EventView
from shared.tournament.results import StandingRow
from shared.tournament.state import Tournament

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
    latest = round_at_hand(state)
    number = latest if round is None else round
    if round is not None and round not in state.rounds.rounds:
        raise RoundUnknown(
            f"Round {round} is not paired.", [Fault("/round", str(round), expects("paired-round"))], round=round
        )
    recorded = state.results.recorded.get(number)
    if round is not None and recorded is None:
        raise RoundNotClosed(f"Round {round} is not closed; ask without a round for the present order.", round=round)
    present = as_rows(table_after(state, number))
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
    values = _compared(state, round)
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


def _compared(state: Tournament, round: int) -> dict[str, dict[Compared, int]]:
    ratings = ratings_after(state, round)
    return compared(campaign_of(state.entries, round), ratings, games_played(state, round))


def rank_in_league_explained(state: Tournament, player: str, events: Sequence[EventView]) -> ExplainedView:
    """Where every value of a row comes from: points and VP game by game, the rating by its parts; and what separates
    it from its neighbours. events: of scoring about the group, as answers show them. Raises PlayerUnknown."""
    round = round_at_hand(state)
    rules, rows, values = campaign_of(state.entries, round), as_rows(table_after(state, round)), _compared(state, round)
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
    parts = rating_parts(campaign_of(state.entries, rated_in), rated)

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


def league_consequences(before: Tournament, after: Tournament) -> StandingsMoved:
    """What a command would move in the league; nothing of it is appended."""
    latest = round_at_hand(before)
    was = {row.player: row for row in as_rows(table_after(before, latest))}
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
        for row in as_rows(table_after(after, latest))
        if ((old := was[row.player]).rank, old.values) != (row.rank, row.values)
    ]
    return standings_moved(before, after, standings_round=latest, ranks=ranks)
