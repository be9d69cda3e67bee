"""What scoring shows of a command in a co-operative event before anybody decides: what would move."""

from __future__ import annotations

from shared.formats.coop.at_tables import ranking_after
from shared.formats.coop.seating import SEATING
from shared.shapes import View
from shared.tournament.state import Tournament


class TableMoved(View, frozen=True, kw_only=True):
    """A table that would stand elsewhere. before: null where it did not count."""

    session: str
    before: int | None
    after: int


class SurvivorMoved(View, frozen=True, kw_only=True):
    """A survivor who would stand elsewhere or with another sum."""

    player: str
    name: str
    before: int | None
    after: int
    points_before: int | None
    points_after: int


class RankingMoved(View, frozen=True, kw_only=True):
    """What would move in the ranking of a round of sessions, which is the latest."""

    round: int
    tables: list[TableMoved]
    survivors: list[SurvivorMoved]


def ranking_moved(before: Tournament, after: Tournament) -> RankingMoved:
    """What a command would move in the latest round of sessions; nothing of it is appended."""
    number = max(SEATING.of(before).rounds)
    was, would = ranking_after(before, number), ranking_after(after, number)
    ranks = {row.session: row.rank for row in was.tables}
    survivors = {row.player: row for row in was.survivors}
    moved = [(survivors.get(row.player), row) for row in would.survivors if survivors.get(row.player) != row]
    return RankingMoved(
        round=number,
        tables=[
            TableMoved(session=row.session, before=ranks.get(row.session), after=row.rank)
            for row in would.tables
            if ranks.get(row.session) != row.rank
        ],
        survivors=[
            SurvivorMoved(
                player=row.player,
                name=before.entries.name_of(row.player),
                before=old.rank if old else None,
                after=row.rank,
                points_before=old.points if old else None,
                points_after=row.points,
            )
            for old, row in moved
        ],
    )
