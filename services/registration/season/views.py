"""What registration shows of a season: its tournaments, their entries, and who is who."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from services.registration.tournament import directory
from shared.events.base import Event
from shared.formats.season.entries import SEASON_ENTRIES, SeasonEntries
from shared.formats.season.ranking import moves_between
from shared.formats.season.state import SEASON
from shared.tournament.entries import PLAYING, Player
from shared.tournament.state import Tournament


def gathered_view(state: Tournament) -> list[dict[str, Any]]:
    """The tournaments in their order, as the season's own logs know them."""
    return [
        {
            **{name: getattr(one, name) for name in one.__struct_fields__ if name != "added"},
            "results_taken": one.tournament in SEASON.of(state).taken,
            "claims": dict(SEASON_ENTRIES.of(state).claims.get(one.tournament, {})),
        }
        for one in SEASON_ENTRIES.of(state).in_order()
    ]


def with_entries(shown: Mapping[str, Any], there: Tournament) -> dict[str, Any]:
    """A gathered tournament with how far it is, and how many of its players are claimed."""
    entries = [player.id for player in playing(there)]
    return {
        **shown,
        "status": directory.status_of(there),
        "entries": len(entries),
        "claimed": sum(entry in shown["claims"] for entry in entries),
    }


def playing(state: Tournament) -> Iterator[Player]:
    """Everybody who has or had a seat in a tournament."""
    return (player for player in state.entries.players.values() if player.status in PLAYING)


def entries_view(gathered: str, claims: Mapping[str, str], players: Sequence[Player]) -> list[dict[str, Any]]:
    """Entries of a gathered tournament with whose they are."""
    return [
        {
            "tournament": gathered,
            "entry": player.id,
            "name": player.name,
            "status": player.status,
            "player": claims.get(player.id, ""),
        }
        for player in players
    ]


def identity_view(state: Tournament, player: Player) -> dict[str, Any]:
    """A player of the season, with the entries that are theirs."""
    season = SEASON_ENTRIES.of(state)
    now = season.identity(player.id)
    before = season.before.get(player.id)
    return {
        "player": player.id,
        "name": player.name,
        "status": player.status,
        "division": season.divisions.get(player.id, ""),
        "merged_into": now if now != player.id else "",
        "entries": msgspec.to_builtins(season.entries_of(player.id)),
        "before": {"tournament": before[0], "entry": before[1]} if before else None,
    }


def consequences_view(before: Tournament, after: Tournament, events: Sequence[Event]) -> dict[str, Any]:
    """What a change of identities would move; nothing of it is appended."""
    return {
        "events": [type(event).__name__ for event in events],
        "moves": moves_between(before, after),
        "twice": [
            found for found in _twice(SEASON_ENTRIES.of(after)) if found not in _twice(SEASON_ENTRIES.of(before))
        ],
    }


def _twice(season: SeasonEntries) -> list[str]:
    """Tournaments in which somebody has two entries."""
    return [
        tournament
        for tournament, claims in season.claims.items()
        if any(number > 1 for number in Counter(claims.values()).values())
    ]
