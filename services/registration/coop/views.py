"""What registration shows of co-operative events."""

from __future__ import annotations

from typing import Any

from services.registration.coop.decide import STILL_WITH
from shared.formats.coop.at_tables import data_of, table_size
from shared.formats.coop.entries import COOP
from shared.formats.coop.rules.data import missing_of
from shared.tournament.state import Tournament


def operator_data_view(state: Tournament) -> dict[str, Any]:
    """What the operator entered last, with the values of each side that are still missing."""
    data = data_of(state)
    sides = (
        [(sheet.scenario_id, number, side) for sheet in data.scenarios for number, side in enumerate(sheet.sides, 1)]
        if data
        else []
    )
    return {
        "version": len(COOP.of(state).data),
        "data": COOP.of(state).data[-1] if data else {},
        "missing": [
            {"scenario": scenario, "side": number, "missing": missing}
            for scenario, number, side in sides
            if (missing := missing_of(side))
        ],
    }


def invitation_view(state: Tournament, player: str, code: str) -> dict[str, Any]:
    """The code by which others come to a survivor's table, and how many more it has places for."""
    party = COOP.of(state).party_of(player)
    members = COOP.of(state).parties.get(party, [player])
    there = sum(state.entries.players[member].status in STILL_WITH for member in members)
    return {
        "player": player,
        "invitation": code,
        "party": party,
        "players": members if party else [],
        "places": max(0, table_size(state).survivors_max - there),
    }
