"""The table of a season computed from its logs, and its rows as recorded in events."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import cast

import msgspec

from shared.rules.model import as_text, as_value
from shared.season import ruleset
from shared.season.entries import SEASON_ENTRIES, season_of
from shared.season.ruleset import SeasonRuleset
from shared.season.state import SEASON, RatingShown, RecordedTable, ResultCounted, SeasonRowRecorded
from shared.season.table import Move, moves, season_table
from shared.tournament.format import ResultRow
from shared.tournament.people import PLAYING, Player
from shared.tournament.state import Tournament


def table_of(state: Tournament) -> ruleset.SeasonTable:
    """Return the table that follows from the season's logs."""
    return season_table(season_of(state.entries), members_of(state), results_taken(state))


def members_of(state: Tournament) -> list[ruleset.Member]:
    """Return the current members of the season with their entries in the tournaments that count."""
    season = SEASON_ENTRIES.of(state)
    entries: dict[str, list[ruleset.Entered]] = defaultdict(list)
    for tournament, claims in season.claims.items():
        if tournament in season.gathered:
            for entry, player in claims.items():
                entries[player].append(ruleset.Entered(tournament, entry))
    return [
        ruleset.Member(
            player=player.id,
            entries=tuple(entries[player.id]),
            division=season.divisions.get(player.id, ""),
            venue=_venue(state, player),
            club=player.club,
            status=player.status,  # type: ignore[arg-type]
            joined=_joined(state, player),
        )
        for player in state.entries.players.values()
        if player.status in PLAYING and player.id not in season.merged
    ]


def _venue(state: Tournament, player: Player) -> str:
    """Return the name of the player's venue, since packs refer to venues by name."""
    known = state.entries.venues.get(player.venue)
    return known.name if known else ""


def _joined(state: Tournament, player: Player) -> int:
    """Return the order of the first tournament on or after the day of joining."""
    days = [tournament.played_on for tournament in SEASON_ENTRIES.of(state).in_order()]
    return next((order for order, day in enumerate(days, start=1) if day >= player.joined_on), len(days) + 1)


def results_taken(state: Tournament) -> list[ruleset.TournamentResults]:
    """Return the tournaments whose results were taken. Their order counts all gathered tournaments."""
    taken = SEASON.of(state).taken
    return [
        ruleset.TournamentResults(
            tournament=tournament.tournament,
            order=order,
            results=tuple(map(_result, taken[tournament.tournament].rows)),
            format=tournament.format,
            tier=tournament.tier,
            weight=tournament.weight,
            division=tournament.division,
        )
        for order, tournament in enumerate(SEASON_ENTRIES.of(state).in_order(), start=1)
        if tournament.tournament in taken
    ]


def _result(row: ResultRow) -> ruleset.Result:
    games = tuple(
        ruleset.GamePlayed(
            outcome=game.outcome,  # type: ignore[arg-type]
            opponent=game.opponent,
            kind=game.kind,  # type: ignore[arg-type]
            score=game.score,
            against=game.against,
        )
        for game in row.games
    )
    return ruleset.Result(row.entry, row.place, row.score, games, row.status, row.attended)  # type: ignore[arg-type]


def recorded_rows(table: ruleset.SeasonTable, before: RecordedTable | None) -> list[SeasonRowRecorded]:
    """Return the rows as events record them, each with its previous rank if that differs."""
    ranks = {row.player: (row.division, row.rank) for row in before.rows} if before else {}
    return [_recorded(row, ranks.get(row.player, ("", 0)) if before else None) for row in table.rows]


def _recorded(row: ruleset.SeasonRow, was: tuple[str, int] | None) -> SeasonRowRecorded:
    return SeasonRowRecorded(
        rank=row.rank,
        overall=row.overall,
        player=row.player,
        points=as_text(row.points),
        division=row.division,
        values={column: as_text(value) for column, value in row.values.items()},
        tied=row.tied,
        attended=row.attended,
        results=[_result_recorded(result) for result in row.results if result.entry],
        listed_last=row.listed_last,
        barred=list(row.barred),
        status=row.status,
        rating=_rating_recorded(row.rating) if row.rating else None,
        was=was[1] if was is not None and was != (row.division, row.rank) else None,
    )


def _result_recorded(result: ruleset.CountedResult) -> ResultCounted:
    return ResultCounted(
        tournament=result.tournament,
        entry=result.entry,
        order=result.order,
        points=as_text(result.points),
        place=result.place,
        field=result.field,
        weight=result.weight,
        reason=result.reason,
    )


def _rating_recorded(rated: ruleset.ShownRating) -> RatingShown:
    return RatingShown(rating=rated.rating, games=rated.games, deviation=rated.deviation, volatility=rated.volatility)


def as_table(rules: SeasonRuleset, rows: Sequence[SeasonRowRecorded]) -> ruleset.SeasonTable:
    """Return recorded rows as a table. The values that decided each rank are not recorded."""
    return ruleset.SeasonTable(tuple(rules.columns), tuple(map(_row, rows)), 0)


def _row(row: SeasonRowRecorded) -> ruleset.SeasonRow:
    return ruleset.SeasonRow(
        rank=row.rank,
        overall=row.overall,
        player=row.player,
        division=row.division,
        points=as_value(row.points),
        values={column: as_value(value) for column, value in row.values.items()},
        tied=row.tied,
        attended=row.attended,
        results=tuple(map(_counted, row.results)),
        listed_last=row.listed_last,
        barred=tuple(row.barred),  # type: ignore[arg-type]
        status=row.status,  # type: ignore[arg-type]
    )


def _counted(result: ResultCounted) -> ruleset.CountedResult:
    return ruleset.CountedResult(
        tournament=result.tournament,
        order=result.order,
        entry=result.entry,
        place=result.place,
        field=result.field,
        points=as_value(result.points),
        weight=result.weight,
        reason=cast(ruleset.ExclusionReason, result.reason),
    )


def same_standings(first: Sequence[SeasonRowRecorded], second: Sequence[SeasonRowRecorded]) -> bool:
    """Return True if two standings are equal apart from the previous ranks."""
    without = [[msgspec.structs.replace(row, was=None) for row in rows] for rows in (first, second)]
    return without[0] == without[1]


def rank_moves_between(
    before: Tournament, after: Tournament, table: ruleset.SeasonTable | None = None
) -> tuple[Move, ...]:
    """Return members whose place or values would change, in the new order. table: the table of `before`, if known."""
    return moves(table or table_of(before), table_of(after))
