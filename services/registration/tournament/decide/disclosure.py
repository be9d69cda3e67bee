"""Who is shown which of a player's personal data. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from services.registration.tournament.refusals import NotYours
from services.registration.tournament.state import player_of
from shared.tournament.guards import By, keep_to_venue
from shared.tournament.state import Tournament

CONTACT = frozenset({"email", "phone", "legal_name"})
NEEDS = frozenset({"needs", "table_reason"})
NOTES = frozenset({"notes"})

SHOWN: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "operator": CONTACT | NEEDS | NOTES,
        "organiser": CONTACT | NEEDS | NOTES,
        "head_referee": NEEDS | NOTES,
        "player": CONTACT | NEEDS,
    }
)
"""Role -> the members that it is shown; an operator counts as an organiser, and nobody else is shown any."""

NOWHERE = "no venue yet"
"""Where a player is who was not told a venue, and did not choose one."""


def need_reason_to_look(state: Tournament, by: By, player: str) -> None:
    """Let players pass to what is theirs, and staff of one venue to what is of players there.

    Raises PlayerUnknown, NotYours, and OtherVenue, also for a player who is at no venue yet.
    """
    found = player_of(state.entries, player)
    if by.role == "player" and by.player != player:
        raise NotYours("Only the player and the organiser see personal data; the head referee sees needs.")
    keep_to_venue(state, by, [found.venue or NOWHERE])


def disclosed(role: str, data: Mapping[str, Any]) -> dict[str, Any]:
    """What a role is shown of personal data."""
    shown = SHOWN.get(role, frozenset())
    return {member: value for member, value in data.items() if member in shown}
