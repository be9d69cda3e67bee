"""The end of a season: promotion and relegation, the title, the cut to a final, and invitations.

Both draw a line across a ranking: so many are in; those who share the last place are all in, all out, or left to the
staff.

Source: SEA-DIV-1 to SEA-DIV-3, SEA-FINAL-1, SEA-FINAL-2.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Literal

from msgspec import Struct

from shared.log.event import Event
from shared.rules.model import Draws
from shared.season.entries import season_of
from shared.season.ranking import table_of
from shared.season.ruleset import Division, SeasonRow, SeasonRuleset, SeasonTable, Ties
from shared.season.state import DECLINED, SEASON, DivisionMove, DivisionsDecided
from shared.tournament.format import title_winner
from shared.tournament.results import TournamentConcluded
from shared.tournament.rounds import DrawMade
from shared.tournament.state import Tournament


class Undecided(Struct, frozen=True):
    """Players who share the last place above a line: the staff names so many of them.

    division: empty where the line is drawn through the whole season.
    """

    what: Literal["up", "down", "final"]
    division: str
    places: int
    players: tuple[str, ...]


class Line(Struct, frozen=True):
    """Who is above the line, in order; and how many of whom the staff has still to name."""

    inside: tuple[SeasonRow, ...]
    places: int = 0
    open: tuple[str, ...] = ()


def line(groups: Iterable[Sequence[SeasonRow]], places: int, ties: Ties, decided: Collection[str]) -> Line:
    """The first `places` of groups of equals, the best group first.

    decided: players the staff has named; they settle a tie when they are as many of its group as there are places.
    """
    inside: list[SeasonRow] = []
    for group in groups:
        free = places - len(inside)
        if len(group) <= free:
            inside += group
            continue
        named = [row for row in group if row.player in decided]
        if free < 1 or ties == "none":
            break
        if ties == "all":
            inside += group
        elif len(named) == free:
            inside += named
        else:
            return Line(tuple(inside), free, tuple(row.player for row in group))
        break
    return Line(tuple(inside))


def groups_of(rows: Iterable[SeasonRow], *, overall: bool = False, upwards: bool = False) -> list[list[SeasonRow]]:
    """Rows that share a rank, the best first; or the last first. overall: by the rank among all divisions."""

    def rank(row: SeasonRow) -> int:
        return row.overall if overall else row.rank

    ordered = sorted(rows, key=lambda row: (rank(row), row.player))
    groups = [list(group) for _, group in groupby(ordered, key=rank)]
    return groups[::-1] if upwards else groups


class DivisionChange(Struct, frozen=True):
    """A member goes to another division. rank: in the division before. inactive: attended fewer than the minimum."""

    player: str
    before: str
    after: str
    rank: int
    reason: Literal["promoted", "relegated", "inactive"]
    clause: str


class Promotions(Struct, frozen=True):
    """Who goes where: those promoted from each division, then those relegated from it. undecided: for the staff."""

    moves: tuple[DivisionChange, ...]
    undecided: tuple[Undecided, ...] = ()


def promotions(rules: SeasonRuleset, table: SeasonTable, decided: Collection[str] = ()) -> Promotions:
    """Every move between divisions that the table asks for. decided: players whom the staff named in ties.

    Up go the highest ranked eligible members; where fewer are eligible, fewer go. Down go the lowest ranked who are not
    promoted. Who left the season takes one of the places down: the division has lost a member already. Members who
    attended too few tournaments go down first, stay, or go by their rank, as the ruleset says.
    Source: SEA-DIV-1 to SEA-DIV-3.
    """
    moves: list[DivisionChange] = []
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
    rules: SeasonRuleset, row: SeasonRow, after: Division, reason: Literal["promoted", "relegated", "inactive"]
) -> DivisionChange:
    field = "inactive" if reason == "inactive" else "divisions"
    return DivisionChange(row.player, row.division, after.name, row.rank, reason, rules.divisions.cites(field))


class Invited(Struct, frozen=True):
    """A member of the final. seed: from 1. rank: in the division, or in the season. instead: for who declined."""

    seed: int
    player: str
    division: str
    rank: int
    instead: bool


class Cut(Struct, frozen=True):
    """The final's players in order of their seeds. undecided: ties at the line that the staff settles."""

    invited: tuple[Invited, ...]
    undecided: tuple[Undecided, ...] = ()


def cut(rules: SeasonRuleset, table: SeasonTable, declined: Collection[str] = (), decided: Collection[str] = ()) -> Cut:
    """Who plays the final: so many of the season, or of each division, who are eligible and attended enough.

    declined: members who were invited and do not come; the next one is invited where the ruleset replaces them.
    decided: players whom the staff named in ties. Nobody where the ruleset has no final.
    Source: SEA-FINAL-1, SEA-FINAL-2.
    """
    invited: list[Invited] = []
    undecided: list[Undecided] = []
    for division, rows in _fields(rules, table) if rules.final.to else ():
        able = [row for row in rows if row.eligible and row.attended >= rules.final.minimum]
        coming = [row for row in able if row.player not in declined]
        first = {row.player for row in _line(rules, able, decided).inside}
        found = _line(rules, coming, decided) if rules.final.replaced else _line(rules, able, decided)
        for row in found.inside:
            if row.player not in declined:
                rank = row.rank if rules.final.per == "division" else row.overall
                instead = row.player not in first
                invited.append(Invited(len(invited) + 1, row.player, row.division, rank, instead))
        if found.open:
            undecided.append(Undecided("final", division, found.places, found.open))
    return Cut(tuple(invited), tuple(undecided))


def _fields(rules: SeasonRuleset, table: SeasonTable) -> Iterator[tuple[str, Sequence[SeasonRow]]]:
    if rules.final.per == "season":
        yield "", table.rows
        return
    for name in rules.division_names:
        yield name, [row for row in table.rows if row.division == name]


def _line(rules: SeasonRuleset, rows: Sequence[SeasonRow], decided: Collection[str]) -> Line:
    groups = groups_of(rows, overall=rules.final.per == "season")
    return line(groups, rules.final.to, rules.final.ties, decided)


def moves_of(state: Tournament, named: Collection[str]) -> tuple[list[DivisionMove], Sequence[Undecided]]:
    """Who goes up and down by the table as it is, and the ties that nobody has settled. named: by staff, in ties."""
    found = promotions(season_of(state.entries), table_of(state), named)
    moves = [
        DivisionMove(
            player=one.player, division=one.before, to=one.after, rank=one.rank, reason=one.reason, clause=one.clause
        )
        for one in found.moves
    ]
    return moves, found.undecided


def title_of(state: Tournament, draws: Draws) -> tuple[str, list[DrawMade]]:
    """Who has won: the first of the highest division; of several who share the place one is drawn."""
    rows = table_of(state).rows
    top = rows[0].division if rows else ""
    first = [row.player for row in rows if row.division == top and row.rank == 1 and row.status != "disqualified"]
    return title_winner(first, len(SEASON.of(state).taken), draws)


def end_of(state: Tournament, named: Sequence[str], draws: Draws, *, reason: str) -> list[Event]:
    """What is said at the end of a season, and again when a correction after the end counts and changes it."""
    rules = season_of(state.entries)
    events: list[Event] = []
    if rules.divisions.used and rules.divisions.divisions:
        moves, _ = moves_of(state, named)
        if not state.results.concluded or (moves, sorted(named)) != (
            SEASON.of(state).moves,
            SEASON.of(state).moves_named,
        ):
            events.append(DivisionsDecided(moves=moves, named=sorted(named)))
    winner, drawn = title_of(state, draws)
    if not state.results.concluded or not _still_first(state):
        events.append(
            TournamentConcluded(winner=winner, rounds=len(SEASON.of(state).taken), reason=reason, draws=drawn)
        )
    return events


def _still_first(state: Tournament) -> bool:
    """Whether who has the title stands, or shares, the first place of the highest division."""
    rows = table_of(state).rows
    top = rows[0].division if rows else ""
    return any(row.player == state.results.winner and row.division == top and row.rank == 1 for row in rows)


def cut_of(table: SeasonTable, rules: SeasonRuleset, declined: Collection[str], named: Collection[str]) -> Cut:
    """The players of the final by a table."""
    return cut(rules, table, declined, named)


def next_invited(state: Tournament, player: str, named: Collection[str]) -> tuple[str, Sequence[Undecided]]:
    """Who is invited when a player declines, empty for nobody; and the ties for that place that nobody has settled.

    named: by staff, in a tie for that place; those named before hold too.
    """
    final, rules = SEASON.of(state).final, season_of(state.entries)
    if final is None or not rules.final.replaced:
        return "", ()
    declined = {one for one, answer in final.answers.items() if answer == DECLINED} | {player}
    table = table_of(state)
    found = cut_of(table, rules, declined, {*final.named, *named})
    leaving = table.row(player)
    division = leaving.division if leaving and rules.final.per == "division" else ""
    coming = (one.player for one in found.invited if one.player not in final.answers and division in ("", one.division))
    return next(coming, ""), [one for one in found.undecided if division in ("", one.division)]
