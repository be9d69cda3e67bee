"""How a season ends, from its own logs: divisions, the title, the final; for those who decide and those who audit."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from shared.formats.season.entries import season_of
from shared.formats.season.ranking import table_of
from shared.formats.season.rules.ending import Cut, Undecided, cut, promotions
from shared.formats.season.rules.model import SeasonTable
from shared.formats.season.rules.ruleset import SeasonRuleset
from shared.formats.season.scoring_events import DivisionMove, DivisionsDecided
from shared.formats.season.state import DECLINED, SEASON
from shared.log.event import Event
from shared.rules.draw import Draws
from shared.tournament.events.pairing import DrawMade
from shared.tournament.events.scoring import TournamentConcluded
from shared.tournament.placings import winner_of_first
from shared.tournament.state import Tournament


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
    return winner_of_first(first, len(SEASON.of(state).taken), draws)


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
