"""What registration shows of co-operative events."""

from __future__ import annotations

from typing import Annotated, Any

from services.registration.coop.decide import STILL_WITH
from shared.coop.entries import COOP
from shared.coop.ruleset import missing_of
from shared.coop.sessions import data_of, table_size
from shared.shapes import View
from shared.tournament.state import Tournament


class InvitationView(View, frozen=True, kw_only=True):
    """What a survivor tells those whom they want at their table."""

    player: str
    invitation: str
    party: Annotated[str, "Their party so far; empty for none."]
    players: Annotated[list[str], "Who is in it."]
    places: Annotated[int, "How many more fit at a table."]


class MissingValues(View, frozen=True, kw_only=True):
    """A side without which values a table with it is not set up."""

    scenario: str
    side: Annotated[int, "1 or 2."]
    missing: list[str]


class OperatorDataView(View, frozen=True, kw_only=True):
    """What was entered last. version 0: nothing yet."""

    version: int
    data: dict[str, Any]
    missing: list[MissingValues]


class PartyView(View, frozen=True, kw_only=True):
    """Survivors who sit together."""

    id: str
    players: list[str]


class PartiesView(View, frozen=True, kw_only=True):
    """Every party there is."""

    items: list[PartyView]


def operator_data_view(state: Tournament) -> OperatorDataView:
    """What the operator entered last, with the values of each side that are still missing."""
    data = data_of(state)
    return OperatorDataView(
        version=len(COOP.of(state).data),
        data=COOP.of(state).data[-1] if data else {},
        missing=[
            MissingValues(scenario=sheet.scenario_id, side=number, missing=missing)
            for sheet in (data.scenarios if data else ())
            for number, side in enumerate(sheet.sides, 1)
            if (missing := missing_of(side))
        ],
    )


def parties_view(state: Tournament) -> PartiesView:
    """Who sits together."""
    parties = COOP.of(state).parties.items()
    return PartiesView(items=[PartyView(id=party, players=list(players)) for party, players in parties])


def invitation_view(state: Tournament, player: str, code: str) -> InvitationView:
    """The code by which others come to a survivor's table, and how many more it has places for."""
    party = COOP.of(state).party_of(player)
    members = COOP.of(state).parties.get(party, [player])
    there = sum(state.entries.players[member].status in STILL_WITH for member in members)
    return InvitationView(
        player=player,
        invitation=code,
        party=party,
        players=list(members) if party else [],
        places=max(0, table_size(state).survivors_max - there),
    )
