"""What moved between two tables of a season, and what of a member's own results and of others' moved it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from shared.formats.season.rules.model import Counted, SeasonRow, SeasonTable
from shared.rules.model import Value

_NAMED, _COMPARED = 5, 500
"""Players named as having passed a member at most, and changed members at most among whom these are looked for."""


class ResultMove(Struct, frozen=True):
    """A member's result that changed: None where there was, or is, none."""

    tournament: str
    before: Counted | None
    after: Counted | None


class Move(Struct, frozen=True):
    """A member whose rank, division or values are others than before; None where there was, or is, no row.

    results: the member's own that changed; none where only others moved. columns: the values that changed.
    passed_by: members with changes of their own who were not ahead before and are now, five at most; nobody is named
    where more than 500 changed, as after a whole tournament.
    """

    player: str
    division: str
    rank_before: int | None
    rank_after: int | None
    points_before: Value
    points_after: Value
    results: tuple[ResultMove, ...] = ()
    columns: tuple[str, ...] = ()
    passed_by: tuple[str, ...] = ()


def moves(before: SeasonTable, after: SeasonTable) -> tuple[Move, ...]:
    """Every member who stands elsewhere or with other values than before, in the new order; then who is gone."""
    old = {row.player: row for row in before.rows}
    new = {row.player: row for row in after.rows}
    changed = [row for row in after.rows if row.player in old and _own(old[row.player], row)]
    found = [
        _move(old.get(row.player), row, _passed_by(old, row, changed))
        for row in after.rows
        if _differ(old.get(row.player), row)
    ]
    return (*found, *(_move(row, None, ()) for row in before.rows if row.player not in new))


def _own(before: SeasonRow, after: SeasonRow) -> bool:
    return before.values != after.values or before.listed_last != after.listed_last


def _differ(before: SeasonRow | None, after: SeasonRow) -> bool:
    return before is None or (before.rank, before.division) != (after.rank, after.division) or _own(before, after)


def _move(before: SeasonRow | None, after: SeasonRow | None, passed_by: tuple[str, ...]) -> Move:
    row = after or before
    assert row is not None
    return Move(
        player=row.player,
        division=row.division,
        rank_before=before.rank if before else None,
        rank_after=after.rank if after else None,
        points_before=before.points if before else 0,
        points_after=after.points if after else 0,
        results=tuple(_results(before, after)),
        columns=tuple(_columns(before, after)),
        passed_by=passed_by,
    )


def _results(before: SeasonRow | None, after: SeasonRow | None) -> Iterator[ResultMove]:
    old, new = _by_tournament(before), _by_tournament(after)
    for key in sorted({*old, *new}):
        if old.get(key) != new.get(key):
            yield ResultMove(key[1], old.get(key), new.get(key))


def _by_tournament(row: SeasonRow | None) -> Mapping[tuple[int, str, str], Counted]:
    return {(one.order, one.tournament, one.entry): one for one in row.results} if row else {}


def _columns(before: SeasonRow | None, after: SeasonRow | None) -> Iterator[str]:
    old, new = before.values if before else {}, after.values if after else {}
    yield from (column for column in {**old, **new} if old.get(column) != new.get(column))


def _passed_by(old: Mapping[str, SeasonRow], row: SeasonRow, changed: Sequence[SeasonRow]) -> tuple[str, ...]:
    own = old.get(row.player)
    if own is None or row.rank <= own.rank or len(changed) > _COMPARED:
        return ()
    passed = (
        other.player
        for other in changed
        if other.division == row.division == old[other.player].division
        and other.rank < row.rank
        and old[other.player].rank >= own.rank
        and other.player != row.player
    )
    return tuple(name for name, _ in zip(passed, range(_NAMED), strict=False))
