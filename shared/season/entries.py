"""Registration's part of a season: the tournaments it counts, the identities of players, and divisions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from msgspec import Struct, field

from shared.log.event import Event, Part, StoredEvent
from shared.season.ruleset import SeasonRuleset
from shared.tournament.format import read_ruleset
from shared.tournament.people import Entries
from shared.tournament.state import FormatState, Slice


class EntryNamed(Part, frozen=True, kw_only=True):
    """A player of a counted tournament.

    - `tournament`: id of the tournament.
    - `entry`: id of the player in that tournament.
    """

    tournament: str
    entry: str


class TournamentGathered(Event, frozen=True, kw_only=True):
    """The season counts a tournament from now on.

    - `tournament`: id of the tournament.
    - `name`: its name, as announced.
    - `format`: its format, as announced.
    - `ruleset`: its ruleset, as announced.
    - `played_on`: the calendar day, YYYY-MM-DD, that sets its place in the order of tournaments.
    - `division`: name of the division whose players it is for; empty for all.
    - `tier`: its tier in the weights of the season.
    - `weight`: its weight in per cent, if an organiser set one; absent otherwise.
    """

    tournament: str
    name: str
    format: str
    ruleset: str
    played_on: str
    division: str = ""
    tier: str = ""
    weight: int | None = None


class TournamentReleased(Event, frozen=True, kw_only=True):
    """The season no longer counts a tournament. The identities of its players stay known.

    - `tournament`: id of the tournament.
    - `reason`: why it was released.
    """

    tournament: str
    reason: str


class EntryClaimed(Event, frozen=True, kw_only=True):
    """A player of a counted tournament was identified as a player of the season.

    - `player`: id of the player of the season.
    - `tournament`: id of the tournament.
    - `entry`: id of the player in that tournament.
    - `name`: name of the player in that tournament.
    - `by_link`: true if the player proved it with the link of that tournament.
    - `external_id`: external id of the player in that tournament; empty if there is none.
    """

    player: str
    tournament: str
    entry: str
    name: str = ""
    by_link: bool = False
    external_id: str = ""


class IdentitiesMerged(Event, frozen=True, kw_only=True):
    """Two players of the season turned out to be one person.

    - `player`: id that is no longer used.
    - `into`: id that the person has from now on.
    - `entries`: entries that moved from `player` to `into`.
    - `reason`: why they were merged.
    """

    player: str
    into: str
    entries: list[EntryNamed] = []
    reason: str = ""


class IdentitySplit(Event, frozen=True, kw_only=True):
    """Entries of a player turned out to belong to another person.

    - `player`: id of the player who loses the entries.
    - `into`: id of the other person, who is new or was merged with `player` before.
    - `entries`: the entries that moved.
    - `reason`: why they were split.
    """

    player: str
    into: str
    entries: list[EntryNamed]
    reason: str = ""


class DivisionEntered(Event, frozen=True, kw_only=True):
    """Players of the season were placed in a division.

    - `division`: name of the division.
    - `players`: ids of the players.
    - `reason`: why they were placed there.
    """

    division: str
    players: list[str]
    reason: str = ""


class PlayerCarriedOver(Event, frozen=True, kw_only=True):
    """A player of the season was identified as a player of an earlier season.

    - `player`: id of the player.
    - `season`: id of the earlier season.
    - `before`: id of the player in the earlier season.
    """

    player: str
    season: str
    before: str


REGISTRATION_EVENTS = (
    TournamentGathered,
    TournamentReleased,
    EntryClaimed,
    IdentitiesMerged,
    IdentitySplit,
    DivisionEntered,
    PlayerCarriedOver,
)


def season_of(entries: Entries) -> SeasonRuleset:
    """Return the ruleset of a season. Raise PackRefused for a ruleset of another format."""
    return read_ruleset(entries.ruleset, SeasonRuleset)


class GatheredTournament(Struct, gc=False):
    """A tournament that counts. added: its number in the order of gathering, from 1."""

    tournament: str
    name: str
    format: str
    ruleset: str
    played_on: str
    division: str = ""
    tier: str = ""
    weight: int | None = None
    added: int = 0


class Merge(Struct, gc=False):
    """The identity that replaced a player, and the entries that moved to it."""

    into: str
    entries: list[EntryNamed]


class SeasonEntries(FormatState):
    """State of registration's log of a season.

    gathered: tournament -> its data. added: number of tournaments gathered so far.
    claims: tournament -> player there -> player of the season, for released tournaments too.
    external_ids: tournament -> player there -> external id, if there is one.
    merged: player -> the identity that replaced it.
    divisions: player -> division.
    before: player -> earlier season and the player's id there.
    """

    gathered: dict[str, GatheredTournament] = field(default_factory=dict)
    added: int = 0
    claims: dict[str, dict[str, str]] = field(default_factory=dict)
    external_ids: dict[str, dict[str, str]] = field(default_factory=dict)
    merged: dict[str, Merge] = field(default_factory=dict)
    divisions: dict[str, str] = field(default_factory=dict)
    before: dict[str, tuple[str, str]] = field(default_factory=dict)

    def identity(self, player: str) -> str:
        """Return the current identity of a player, after all merges."""
        while player in self.merged:
            player = self.merged[player].into
        return player

    def entries_of(self, player: str) -> list[EntryNamed]:
        """Return the entries of a player, sorted, including those of released tournaments."""
        return [
            EntryNamed(tournament=tournament, entry=entry)
            for tournament, claims in sorted(self.claims.items())
            for entry, owner in sorted(claims.items())
            if owner == player
        ]

    def has_played(self, player: str) -> bool:
        """Return True if any tournament of the season knows the player."""
        return bool(self.entries_of(player))

    def in_order(self) -> list[GatheredTournament]:
        """Return the tournaments by day; those of one day in the order of gathering."""
        return sorted(self.gathered.values(), key=lambda tournament: (tournament.played_on, tournament.added))


SEASON_ENTRIES = Slice("season_entries", SeasonEntries)


def _add_tournament(season: SeasonEntries, event: TournamentGathered, stored: StoredEvent) -> None:
    season.added += 1
    season.gathered[event.tournament] = GatheredTournament(
        event.tournament,
        event.name,
        event.format,
        event.ruleset,
        event.played_on,
        event.division,
        event.tier,
        event.weight,
        season.added,
    )


def _remove_tournament(season: SeasonEntries, event: TournamentReleased, stored: StoredEvent) -> None:
    del season.gathered[event.tournament]


def _claim_entry(season: SeasonEntries, event: EntryClaimed, stored: StoredEvent) -> None:
    season.claims.setdefault(event.tournament, {})[event.entry] = event.player
    if event.external_id:
        season.external_ids.setdefault(event.tournament, {})[event.entry] = event.external_id


def _hand_over(season: SeasonEntries, entries: list[EntryNamed], player: str) -> None:
    for named in entries:
        season.claims.setdefault(named.tournament, {})[named.entry] = player


def _merge_identities(season: SeasonEntries, event: IdentitiesMerged, stored: StoredEvent) -> None:
    season.merged[event.player] = Merge(event.into, list(event.entries))
    _hand_over(season, event.entries, event.into)


def _split_identity(season: SeasonEntries, event: IdentitySplit, stored: StoredEvent) -> None:
    season.merged.pop(event.into, None)
    _hand_over(season, event.entries, event.into)


def _enter_division(season: SeasonEntries, event: DivisionEntered, stored: StoredEvent) -> None:
    for player in event.players:
        season.divisions[player] = event.division


def _carry_over(season: SeasonEntries, event: PlayerCarriedOver, stored: StoredEvent) -> None:
    season.before[event.player] = (event.season, event.before)


EVOLVE: Mapping[type, Callable[[SeasonEntries, Any, StoredEvent], None]] = MappingProxyType(
    {
        TournamentGathered: _add_tournament,
        TournamentReleased: _remove_tournament,
        EntryClaimed: _claim_entry,
        IdentitiesMerged: _merge_identities,
        IdentitySplit: _split_identity,
        DivisionEntered: _enter_division,
        PlayerCarriedOver: _carry_over,
    }
)
"""Event -> its change of the state."""
