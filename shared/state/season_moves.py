"""What would move in a season, compared before anybody decides."""

from __future__ import annotations

from msgspec import Struct

from shared.events.season_scoring import SeasonRowRecorded
from shared.state.season_ranking import rows_recorded, table_of
from shared.state.tournament import Tournament


class SeasonMove(Struct, frozen=True, kw_only=True):
    """Somebody who would stand elsewhere or with other points; rank 0: not in the table."""

    player: str
    name: str
    rank_before: int
    rank_after: int
    points_before: int | str
    points_after: int | str
    division_before: str = ""
    division_after: str = ""


def moves_between(before: Tournament, after: Tournament) -> list[SeasonMove]:
    """Everybody whose rank, points or division would be another, in the order of the table that would be."""
    was = {row.player: row for row in rows_recorded(table_of(before), None)}
    would = {row.player: row for row in rows_recorded(table_of(after), None)}
    players = {**after.entries.players, **before.entries.players}
    return [
        _move(player, players[player].name, was.get(player), would.get(player))
        for player in {**would, **was}
        if _stand(was.get(player)) != _stand(would.get(player))
    ]


def _stand(row: SeasonRowRecorded | None) -> tuple[int, int | str, str]:
    return (row.rank, row.points, row.division) if row else (0, 0, "")


def _move(player: str, name: str, was: SeasonRowRecorded | None, would: SeasonRowRecorded | None) -> SeasonMove:
    (rank_before, points_before, division_before), (rank, points, division) = _stand(was), _stand(would)
    return SeasonMove(
        player=player,
        name=name,
        rank_before=rank_before,
        rank_after=rank,
        points_before=points_before,
        points_after=points,
        division_before=division_before,
        division_after=division,
    )
