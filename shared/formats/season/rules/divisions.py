"""Promotion and relegation at the end of a season: who plays in which division of the next one.

Source: SEA-DIV-1 to SEA-DIV-3.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal

from msgspec import Struct

from shared.formats.season.rules.line import Undecided, groups_of, line
from shared.formats.season.rules.model import SeasonRow, SeasonTable
from shared.formats.season.rules.ruleset import Division, SeasonRuleset


class DivisionMove(Struct, frozen=True):
    """A member goes to another division. rank: in the division before. inactive: attended fewer than the minimum."""

    player: str
    before: str
    after: str
    rank: int
    why: Literal["promoted", "relegated", "inactive"]
    clause: str


class Promotions(Struct, frozen=True):
    """Who goes where: those promoted from each division, then those relegated from it. undecided: for the staff."""

    moves: tuple[DivisionMove, ...]
    undecided: tuple[Undecided, ...] = ()


def promotions(rules: SeasonRuleset, table: SeasonTable, decided: Collection[str] = ()) -> Promotions:
    """Every move between divisions that the table asks for. decided: players whom the staff named in ties.

    Up go the highest ranked eligible members; where fewer are eligible, fewer go. Down go the lowest ranked who are not
    promoted. Who left the season takes one of the places down: the division has lost a member already. Members who
    attended too few tournaments go down first, stay, or go by their rank, as the ruleset says.
    Source: SEA-DIV-1 to SEA-DIV-3.
    """
    moves: list[DivisionMove] = []
    undecided: list[Undecided] = []
    every = rules.divisions.divisions if rules.divisions.used else []
    for index, division in enumerate(every):
        rows = [row for row in table.rows if row.division == division.name]
        up = _up(rules, division, rows, decided)
        risen = {row.player for row in up.rows} | {player for one in up.undecided for player in one.players}
        down = _down(rules, division, [row for row in rows if row.player not in risen], decided)
        if index:
            moves += [_move(rules, row, every[index - 1], "promoted") for row in up.rows]
        if index < len(every) - 1:
            moves += [_move(rules, row, every[index + 1], "inactive") for row in down.inactive]
            moves += [_move(rules, row, every[index + 1], "relegated") for row in down.rows]
        undecided += up.undecided + down.undecided
    return Promotions(tuple(moves), tuple(undecided))


class _Going(Struct, frozen=True):
    rows: tuple[SeasonRow, ...]
    undecided: list[Undecided]
    inactive: tuple[SeasonRow, ...] = ()


def _up(rules: SeasonRuleset, division: Division, rows: Sequence[SeasonRow], decided: Collection[str]) -> _Going:
    eligible = groups_of(row for row in rows if row.eligible)
    found = line(eligible, division.up, rules.divisions.ties, decided)
    return _Going(found.inside, _undecided("up", division, found.places, found.open))


def _down(rules: SeasonRuleset, division: Division, rows: Sequence[SeasonRow], decided: Collection[str]) -> _Going:
    there = [row for row in rows if row.status != "dropped"]
    places = max(0, division.down - (len(rows) - len(there)))
    inactive: tuple[SeasonRow, ...] = ()
    if rules.divisions.inactive != "as_ranked":
        too_few = tuple(row for row in there if row.attended < rules.counting.minimum)
        there = [row for row in there if row.attended >= rules.counting.minimum]
        inactive = too_few if rules.divisions.inactive == "down" else ()
    found = line(groups_of(there, upwards=True), max(0, places - len(inactive)), rules.divisions.ties, decided)
    return _Going(found.inside, _undecided("down", division, found.places, found.open), inactive)


def _undecided(
    what: Literal["up", "down"], division: Division, places: int, players: tuple[str, ...]
) -> list[Undecided]:
    return [Undecided(what, division.name, places, players)] if players else []


def _move(
    rules: SeasonRuleset, row: SeasonRow, after: Division, why: Literal["promoted", "relegated", "inactive"]
) -> DivisionMove:
    field = "inactive" if why == "inactive" else "divisions"
    return DivisionMove(row.player, row.division, after.name, row.rank, why, rules.divisions.cites(field))
