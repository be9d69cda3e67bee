"""The row of the format of seasons, which no other season counts."""

from __future__ import annotations

from shared.formats.season import entries, scoring_events, state
from shared.formats.season.entries import SEASON_ENTRIES
from shared.formats.season.rules.ruleset import SeasonRuleset
from shared.formats.season.rules.semantic_checks import faults_of_season
from shared.formats.season.state import SEASON
from shared.tournament.format import Format

SEASON_FORMAT = Format(
    name="season",
    ruleset=SeasonRuleset,
    faults=faults_of_season,
    events={"registration": entries.OF_REGISTRATION, "scoring": scoring_events.OF_SCORING},
    slices=(SEASON_ENTRIES, SEASON),
    changes={"registration": SEASON_ENTRIES.changed_by(entries.EVOLVE), "scoring": SEASON.changed_by(state.EVOLVE)},
)
