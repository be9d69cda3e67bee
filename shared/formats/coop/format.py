"""The row of the format of co-operative events."""

from __future__ import annotations

from shared.formats.coop import entries, pairing_events, registration_events, scoring_events, seating, sessions
from shared.formats.coop.entries import COOP
from shared.formats.coop.final_results import final_results
from shared.formats.coop.rules.ruleset import CoopRuleset, faults_of_coop
from shared.formats.coop.seating import SEATING
from shared.formats.coop.sessions import SESSIONS
from shared.tournament.format import Format

COOP_FORMAT = Format(
    name="coop",
    ruleset=CoopRuleset,
    faults=faults_of_coop,
    events={
        "registration": registration_events.OF_REGISTRATION,
        "pairing": pairing_events.OF_PAIRING,
        "scoring": scoring_events.OF_SCORING,
    },
    slices=(COOP, SEATING, SESSIONS),
    changes={
        "registration": COOP.changed_by(entries.EVOLVE),
        "pairing": SEATING.changed_by(seating.EVOLVE),
        "scoring": SESSIONS.changed_by(sessions.EVOLVE),
    },
    final_results=final_results,
)
