"""The season format, with the names that `shared/tournament/format.py` requires. Seasons do not nest."""

from __future__ import annotations

from shared.season import entries, state
from shared.season.checks import faults_of_season as faults
from shared.season.entries import SEASON_ENTRIES
from shared.season.ranking import recorded_rows, same_standings, table_of
from shared.season.ruleset import SeasonRuleset
from shared.season.state import SCORING_EVENTS, SEASON, SeasonStandingsRecorded
from shared.season.table import rows_as_json
from shared.tournament.format import Placings, Replay
from shared.tournament.state import Tournament

__all__ = ["CHANGES", "EVENTS", "REPLAY", "RULESET", "SLICES", "faults", "final_results", "planned_rounds"]


def placings(state: Tournament, number: int, recorded: SeasonStandingsRecorded | None) -> Placings:
    """Return the members, division by division, with the values of the ruleset and the rating."""
    table = table_of(state)
    rows = rows_as_json(table)
    names = {name for row in rows for name in row}
    return Placings(
        columns=["rank", *({"division"} & names), "player", *table.columns, "attended", *({"rating"} & names)],
        rows=rows,
        marks=("eligible", "tied", "status"),
    )


def at_hand(state: Tournament) -> int:
    """Return the number of the last recorded standings, or the next number if the standings have changed since."""
    recorded = SEASON.of(state).table
    if recorded is None:
        return 1
    same = same_standings(recorded_rows(table_of(state), recorded), recorded.rows)
    return recorded.number if same else recorded.number + 1


def numbers(state: Tournament) -> range:
    """Return the numbers of all recorded standings, from 1."""
    recorded = SEASON.of(state).table
    return range(1, recorded.number + 1 if recorded else 1)


def planned_rounds(state: Tournament) -> int | None:
    """Return the number of rounds that the organiser announced."""
    return state.entries.rounds


RULESET = SeasonRuleset
EVENTS = {"registration": entries.REGISTRATION_EVENTS, "scoring": SCORING_EVENTS}
SLICES = (SEASON_ENTRIES, SEASON)
CHANGES = {"registration": SEASON_ENTRIES.changed_by(entries.EVOLVE), "scoring": SEASON.changed_by(state.EVOLVE)}
REPLAY = Replay(
    recording=SeasonStandingsRecorded,
    number="number",
    recorded_numbers=numbers,
    current_number=at_hand,
    placings=placings,
    provisional_message="something has changed since standings were recorded: these are provisional",
)
final_results = None
