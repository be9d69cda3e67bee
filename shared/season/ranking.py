"""The table of a season from its own logs: members and results as the rules want them, rows as events hold them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import cast

import msgspec

from shared.rules.model import as_text, as_value
from shared.season import ruleset
from shared.season.entries import SEASON_ENTRIES, season_of
from shared.season.ruleset import SeasonRuleset
from shared.season.state import SEASON, RatingShown, ResultCounted, SeasonRowRecorded, Table
from shared.season.table import Move, moves, season_table
from shared.tournament.format import ResultRow
from shared.tournament.people import PLAYING, Player
from shared.tournament.state import Tournament


def table_of(state: Tournament) -> ruleset.SeasonTable:
    """The table as it follows from everything that the season's logs hold."""
    return season_table(season_of(state.entries), members_of(state), gathered_of(state))


def members_of(state: Tournament) -> list[ruleset.Member]:
    """Everybody of the season who is nobody else by now, with their entries in the tournaments that count."""
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
    """By its name, as a pack has to name it."""
    known = state.entries.venues.get(player.venue)
    return known.name if known else ""


def _joined(state: Tournament, player: Player) -> int:
    """The place in the order of the first tournament that is played on the day of joining or later."""
    days = [one.played_on for one in SEASON_ENTRIES.of(state).in_order()]
    return next((order for order, day in enumerate(days, start=1) if day >= player.joined_on), len(days) + 1)


def gathered_of(state: Tournament) -> list[ruleset.Gathered]:
    """The tournaments whose results were taken; their order is that of all that are gathered."""
    taken = SEASON.of(state).taken
    return [
        ruleset.Gathered(
            tournament=one.tournament,
            order=order,
            results=tuple(map(_result, taken[one.tournament].rows)),
            format=one.format,
            tier=one.tier,
            weight=one.weight,
            division=one.division,
        )
        for order, one in enumerate(SEASON_ENTRIES.of(state).in_order(), start=1)
        if one.tournament in taken
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


def rows_recorded(table: ruleset.SeasonTable, before: Table | None) -> list[SeasonRowRecorded]:
    """The rows as events hold them, each with the rank that it had before, where that was another one."""
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
        results=[_result_recorded(one) for one in row.results if one.entry],
        listed_last=row.listed_last,
        barred=list(row.barred),
        status=row.status,
        rating=_rating_recorded(row.rating) if row.rating else None,
        was=was[1] if was is not None and was != (row.division, row.rank) else None,
    )


def _result_recorded(one: ruleset.Counted) -> ResultCounted:
    return ResultCounted(
        tournament=one.tournament,
        entry=one.entry,
        order=one.order,
        points=as_text(one.points),
        place=one.place,
        field=one.field,
        weight=one.weight,
        reason=one.reason,
    )


def _rating_recorded(rated: ruleset.Rated) -> RatingShown:
    return RatingShown(rating=rated.rating, games=rated.games, deviation=rated.deviation, volatility=rated.volatility)


def as_table(rules: SeasonRuleset, rows: Sequence[SeasonRowRecorded]) -> ruleset.SeasonTable:
    """Recorded rows as the rules want a table; by which values each rank was found is not known of them."""
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


def _counted(one: ResultCounted) -> ruleset.Counted:
    return ruleset.Counted(
        tournament=one.tournament,
        order=one.order,
        entry=one.entry,
        place=one.place,
        field=one.field,
        points=as_value(one.points),
        weight=one.weight,
        reason=cast(ruleset.Left, one.reason),
    )


def same_standings(one: Sequence[SeasonRowRecorded], two: Sequence[SeasonRowRecorded]) -> bool:
    """Whether two standings say the same, whatever was before each."""
    without = [[msgspec.structs.replace(row, was=None) for row in rows] for rows in (one, two)]
    return without[0] == without[1]


def moves_between(before: Tournament, after: Tournament, table: ruleset.SeasonTable | None = None) -> tuple[Move, ...]:
    """Return everyone who would have another place or other values, in the order of the table that would be.

    table: of `before`, if it is known already.
    """
    return moves(table or table_of(before), table_of(after))
