"""What registration shows, from the folded state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from services.registration.tournament import directory
from services.registration.tournament.packs import decision_view, tier_view
from shared.rules.staff import answerers
from shared.tournament.entries import Entries, Player
from shared.tournament.guards import appointed
from shared.tournament.ruleset import rules_of, tier_of
from shared.tournament.state import Tournament


def tournament_view(tournament: str, state: Tournament, dates: Mapping[str, Any] | None) -> dict[str, Any]:
    """A tournament with its venues, its staff and how many players are in which status. dates: what is due when."""
    entries = state.entries
    return {
        "id": tournament,
        "name": entries.name,
        "format": entries.format,
        "status": directory.status_of(state),
        "ruleset": entries.ruleset,
        "tier": entries.tier,
        "starts_on": entries.starts_on,
        "ends_on": entries.ends_on,
        "capacity": entries.capacity,
        "rounds": entries.rounds,
        "pairing_scope": entries.pairing_scope,
        "visibility": entries.visibility,
        "check_in": entries.check_in,
        "sign_up": entries.sign_up,
        "registration_open": entries.registration_open,
        "organiser": entries.organiser,
        "kept_apart": entries.kept_apart,
        "tier_rules": tier_view(tier_of(entries)),
        "dates": dates,
        "decisions": [decision_view(who) for who in answerers(rules_of(entries).staff, appointed(entries))],
        "rehearsal": entries.rehearsal,
        "players": dict(Counter(player.status for player in entries.players.values())),
        "venues": [
            {
                "id": venue.id,
                "name": venue.name,
                "open": venue.open,
                "tables": [{"table": table, "accessible": kept} for table, kept in sorted(venue.tables.items())],
            }
            for venue in entries.venues.values()
        ],
        "staff": [
            {
                "id": member.id,
                "name": member.name,
                "role": member.role,
                "venue": member.venue,
                "player": member.player,
            }
            for member in entries.staff.values()
            if member.active
        ],
    }


def waiting_places(entries: Entries) -> dict[str, int]:
    """Everybody who waits -> their place on the waiting list, from 1."""
    return {player.id: place for place, player in enumerate(entries.waiting(), start=1)}


def player_view(player: Player, waiting: Mapping[str, int]) -> dict[str, Any]:
    """A player as everybody sees them: never why a table is theirs, never personal data."""
    shown: dict[str, Any] = {
        "id": player.id,
        "name": player.name,
        "external_id": player.external_id,
        "faction": player.faction,
        "club": player.club,
        "venue": player.venue,
        "status": player.status,
        "late": player.late,
        "checked_in": player.checked_in,
        "roster": player.roster,
        "pinned": {"venue": player.pinned[0], "table": player.pinned[1]} if player.pinned else None,
        "warnings": player.warnings,
        "barred": player.barred,
        "after_round": player.after_round,
    }
    if player.status == "waiting":
        shown["waiting_position"] = waiting[player.id]
    return shown
