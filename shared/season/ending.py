"""The end of a season: promotion and relegation, the title, the cut to a final, and invitations.

Promotion and the final draw a line across a ranking. Members who share the last place are all in, all out, or named by
staff. Source: SEA-DIV-1 to SEA-DIV-3, SEA-FINAL-1, SEA-FINAL-2.
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


class UndecidedTie(Struct, frozen=True):
    """Members who share the last place above a line. Staff names `places` of them.

    division: empty if the line is drawn through the whole season.
    """

    what: Literal["up", "down", "final"]
    division: str
    places: int
    players: tuple[str, ...]


class Line(Struct, frozen=True):
    """The members above a line, in order, and the tie that staff must still settle.

    places: how many of `open` staff must name.
    """

    inside: tuple[SeasonRow, ...]
    places: int = 0
    open: tuple[str, ...] = ()


def draw_line(groups: Iterable[Sequence[SeasonRow]], places: int, ties: Ties, decided: Collection[str]) -> Line:
    """Draw a line after the first `places` members of groups of equals, best group first.

    decided: members named by staff. They settle a tie if as many of its group are named as there are places.
    """
    inside: list[SeasonRow] = []
    for group in groups:
        free_places = places - len(inside)
        if len(group) <= free_places:
            inside += group
            continue
        named = [row for row in group if row.player in decided]
        if free_places < 1 or ties == "none":
            break
        if ties == "all":
            inside += group
        elif len(named) == free_places:
            inside += named
        else:
            return Line(tuple(inside), free_places, tuple(row.player for row in group))
        break
    return Line(tuple(inside))


def rank_groups(rows: Iterable[SeasonRow], *, overall: bool = False, last_first: bool = False) -> list[list[SeasonRow]]:
    """Return groups of rows that share a rank: best first, or last first. overall: use the ranks over all divisions."""

    def rank(row: SeasonRow) -> int:
        return row.overall if overall else row.rank

    ordered = sorted(rows, key=lambda row: (rank(row), row.player))
    groups = [list(group) for _, group in groupby(ordered, key=rank)]
    return groups[::-1] if last_first else groups


class DivisionChange(Struct, frozen=True):
    """A move to another division.

    rank: rank in the old division.
    reason: `inactive` if the member attended fewer tournaments than the minimum.
    """

    player: str
    before: str
    after: str
    rank: int
    reason: Literal["promoted", "relegated", "inactive"]
    clause: str


class Promotions(Struct, frozen=True):
    """Moves between divisions: promotions from each division, then relegations. undecided: ties for staff."""

    moves: tuple[DivisionChange, ...]
    undecided: tuple[UndecidedTie, ...] = ()


def promotions(rules: SeasonRuleset, table: SeasonTable, decided: Collection[str] = ()) -> Promotions:
    """Return every move between divisions (SEA-DIV-1 to SEA-DIV-3). decided: members named by staff in ties.

    The highest eligible members are promoted; if fewer are eligible, fewer are promoted. The lowest members who are not
    promoted are relegated. A member who left the season takes up one of the relegation places. Members who attended too
    few tournaments are relegated first, stay, or move by rank, as the ruleset says.
    """
    moves: list[DivisionChange] = []
    undecided: list[UndecidedTie] = []
    divisions = rules.divisions.divisions if rules.divisions.used else []
    for index, division in enumerate(divisions):
        rows = [row for row in table.rows if row.division == division.name]
        up = _promote(rules, division, rows, decided)
        promoted = {row.player for row in up.rows} | {player for tie in up.undecided for player in tie.players}
        down = _relegate(rules, division, [row for row in rows if row.player not in promoted], decided)
        if index:
            moves += [_move(rules, row, divisions[index - 1], "promoted") for row in up.rows]
        if index < len(divisions) - 1:
            moves += [_move(rules, row, divisions[index + 1], "inactive") for row in down.inactive]
            moves += [_move(rules, row, divisions[index + 1], "relegated") for row in down.rows]
        undecided += up.undecided + down.undecided
    return Promotions(tuple(moves), tuple(undecided))


class _Moving(Struct, frozen=True):
    rows: tuple[SeasonRow, ...]
    undecided: list[UndecidedTie]
    inactive: tuple[SeasonRow, ...] = ()


def _promote(rules: SeasonRuleset, division: Division, rows: Sequence[SeasonRow], decided: Collection[str]) -> _Moving:
    eligible = rank_groups(row for row in rows if row.eligible)
    drawn = draw_line(eligible, division.up, rules.divisions.ties, decided)
    return _Moving(drawn.inside, _tie("up", division, drawn.places, drawn.open))


def _relegate(rules: SeasonRuleset, division: Division, rows: Sequence[SeasonRow], decided: Collection[str]) -> _Moving:
    remaining = [row for row in rows if row.status != "dropped"]
    places = max(0, division.down - (len(rows) - len(remaining)))
    inactive: tuple[SeasonRow, ...] = ()
    if rules.divisions.inactive != "as_ranked":
        too_few = tuple(row for row in remaining if row.attended < rules.counting.minimum)
        remaining = [row for row in remaining if row.attended >= rules.counting.minimum]
        inactive = too_few if rules.divisions.inactive == "down" else ()
    drawn = draw_line(
        rank_groups(remaining, last_first=True), max(0, places - len(inactive)), rules.divisions.ties, decided
    )
    return _Moving(drawn.inside, _tie("down", division, drawn.places, drawn.open), inactive)


def _tie(what: Literal["up", "down"], division: Division, places: int, players: tuple[str, ...]) -> list[UndecidedTie]:
    return [UndecidedTie(what, division.name, places, players)] if players else []


def _move(
    rules: SeasonRuleset, row: SeasonRow, after: Division, reason: Literal["promoted", "relegated", "inactive"]
) -> DivisionChange:
    field = "inactive" if reason == "inactive" else "divisions"
    return DivisionChange(row.player, row.division, after.name, row.rank, reason, rules.divisions.cites(field))


class Invited(Struct, frozen=True):
    """A player of the final.

    seed: from 1.
    rank: in the division or in the season.
    instead: replaces a member who declined.
    """

    seed: int
    player: str
    division: str
    rank: int
    instead: bool


class Cut(Struct, frozen=True):
    """The players of the final in seed order. undecided: ties for staff."""

    invited: tuple[Invited, ...]
    undecided: tuple[UndecidedTie, ...] = ()


def final_cut(
    rules: SeasonRuleset, table: SeasonTable, declined: Collection[str] = (), decided: Collection[str] = ()
) -> Cut:
    """Return the players of the final (SEA-FINAL-1, SEA-FINAL-2).

    They are the first eligible members of the season, or of each division, who attended enough tournaments. Empty if
    the ruleset has no final.
    declined: members who declined; the next ones are invited if the ruleset replaces them.
    decided: members named by staff in ties.
    """
    invited: list[Invited] = []
    undecided: list[UndecidedTie] = []
    for division, rows in _fields_of_final(rules, table) if rules.final.to else ():
        eligible = [row for row in rows if row.eligible and row.attended >= rules.final.minimum]
        available = [row for row in eligible if row.player not in declined]
        first_invited = {row.player for row in _line_of_final(rules, eligible, decided).inside}
        drawn = (
            _line_of_final(rules, available, decided)
            if rules.final.replaced
            else _line_of_final(rules, eligible, decided)
        )
        for row in drawn.inside:
            if row.player not in declined:
                rank = row.rank if rules.final.per == "division" else row.overall
                instead = row.player not in first_invited
                invited.append(Invited(len(invited) + 1, row.player, row.division, rank, instead))
        if drawn.open:
            undecided.append(UndecidedTie("final", division, drawn.places, drawn.open))
    return Cut(tuple(invited), tuple(undecided))


def _fields_of_final(rules: SeasonRuleset, table: SeasonTable) -> Iterator[tuple[str, Sequence[SeasonRow]]]:
    if rules.final.per == "season":
        yield "", table.rows
        return
    for name in rules.division_names:
        yield name, [row for row in table.rows if row.division == name]


def _line_of_final(rules: SeasonRuleset, rows: Sequence[SeasonRow], decided: Collection[str]) -> Line:
    groups = rank_groups(rows, overall=rules.final.per == "season")
    return draw_line(groups, rules.final.to, rules.final.ties, decided)


def moves_of(state: Tournament, named: Collection[str]) -> tuple[list[DivisionMove], Sequence[UndecidedTie]]:
    """Return the moves by the current table, and the unsettled ties. named: members named by staff in ties."""
    decided = promotions(season_of(state.entries), table_of(state), named)
    moves = [
        DivisionMove(
            player=move.player,
            division=move.before,
            to=move.after,
            rank=move.rank,
            reason=move.reason,
            clause=move.clause,
        )
        for move in decided.moves
    ]
    return moves, decided.undecided


def title_of(state: Tournament, draws: Draws) -> tuple[str, list[DrawMade]]:
    """Return the winner: the first of the highest division, drawn by lot among several."""
    rows = table_of(state).rows
    top = rows[0].division if rows else ""
    first = [row.player for row in rows if row.division == top and row.rank == 1 and row.status != "disqualified"]
    return title_winner(first, len(SEASON.of(state).taken), draws)


def end_of(state: Tournament, named: Sequence[str], draws: Draws, *, reason: str) -> list[Event]:
    """Return the events at the end of a season, and again if a later correction counts and changes them."""
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
    """Return True if the title holder has or shares the first place of the highest division."""
    rows = table_of(state).rows
    top = rows[0].division if rows else ""
    return any(row.player == state.results.winner and row.division == top and row.rank == 1 for row in rows)


def next_invited(state: Tournament, player: str, named: Collection[str]) -> tuple[str, Sequence[UndecidedTie]]:
    """Return the player invited when another declines (empty if none), and the unsettled ties for that place.

    named: members named by staff for that place, in addition to those named before.
    """
    final, rules = SEASON.of(state).final, season_of(state.entries)
    if final is None or not rules.final.replaced:
        return "", ()
    declined = {invited for invited, answer in final.answers.items() if answer == DECLINED} | {player}
    table = table_of(state)
    new_cut = final_cut(rules, table, declined, {*final.named, *named})
    leaving = table.row(player)
    division = leaving.division if leaving and rules.final.per == "division" else ""
    candidates = (
        invited.player
        for invited in new_cut.invited
        if invited.player not in final.answers and division in ("", invited.division)
    )
    return next(candidates, ""), [invited for invited in new_cut.undecided if division in ("", invited.division)]
