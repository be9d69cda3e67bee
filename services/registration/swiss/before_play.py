"""What lists are due when, and who drops because they stayed away."""

from __future__ import annotations

from datetime import date
from typing import Any

from shared.formats.swiss.rules.absences import repeatedly_absent
from shared.formats.swiss.rules.legality import list_due, released_by
from shared.formats.swiss.ruleset import ruleset_of
from shared.rules.model import FactsKind
from shared.tournament.entries import Entries
from shared.tournament.state import Tournament


def dropped_for_absence(state: Tournament) -> list[str]:
    """Active players who stayed away from as many games as end a tournament for a player (AR-AMB-18, DW-AMB-17)."""
    if not state.results.absences:
        return []
    away: list[tuple[FactsKind, str]] = []
    for round in state.rounds.rounds.values():
        for game in round.seats.keys() & state.results.absences.keys():
            seat, kind = round.seats[game], state.results.results[game].facts["kind"]
            away += [(kind, (seat.player_1, seat.player_2)[side - 1]) for side in state.results.absences[game]]
    over = repeatedly_absent(ruleset_of(state.entries), away)
    return [player.id for player in state.entries.active() if player.id in over]


def dates_of_lists(entries: Entries) -> dict[str, Any] | None:
    """Until when lists are due and releases are legal; None where the first day or such a rule is missing."""
    ruleset = ruleset_of(entries)
    rule = ruleset.legality
    if not entries.starts_on or rule is None:
        return None
    first_day = date.fromisoformat(entries.starts_on)
    return {
        "lists_due_on": list_due(ruleset, first_day).isoformat(),
        "released_by": released_by(ruleset, first_day).isoformat(),
        "clauses": {"lists_due_on": rule.cites("list_due_days"), "released_by": rule.cites("delay_days")},
    }
