"""What registration's log says of a season: its ruleset, the tournaments it gathers, who is who in them, divisions."""

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
    """A player of a gathered tournament, by their id there."""

    tournament: str
    entry: str


class TournamentGathered(Event, frozen=True, kw_only=True):
    """The season counts a tournament from now on. name, format, ruleset: as it was announced.

    played_on: the calendar day by which it has its place among the others. division: whose players it is for; empty:
    all. tier: of the season's weights. weight: per cent, where an organiser gave it one of its own.
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
    """The season counts the tournament no longer; who was who in it stays known."""

    tournament: str
    reason: str


class EntryClaimed(Event, frozen=True, kw_only=True):
    """A player of a gathered tournament is this player of the season. by_link: proved by that tournament's own link.

    external_id: of the player in that tournament.
    """

    player: str
    tournament: str
    entry: str
    name: str = ""
    by_link: bool = False
    external_id: str = ""


class IdentitiesMerged(Event, frozen=True, kw_only=True):
    """Two players of the season are one: `player` is `into` from now on, with these entries."""

    player: str
    into: str
    entries: list[EntryNamed] = []
    reason: str = ""


class IdentitySplit(Event, frozen=True, kw_only=True):
    """Entries of a player are somebody else's: `into`, who is new here or was merged with `player` before."""

    player: str
    into: str
    entries: list[EntryNamed]
    reason: str = ""


class DivisionEntered(Event, frozen=True, kw_only=True):
    """Players of the season play in this division from now on."""

    division: str
    players: list[str]
    reason: str = ""


class PlayerCarriedOver(Event, frozen=True, kw_only=True):
    """A player of the season is this player of an earlier one."""

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
    """The ruleset of a season. Raises PackRefused for another format, which nobody asks for this."""
    return read_ruleset(entries.ruleset, SeasonRuleset)


class GatheredTournament(Struct, gc=False):
    """A tournament that counts. added: how many were gathered before it, itself included."""

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
    """A player who is another one now, with the entries that came along."""

    into: str
    entries: list[EntryNamed]


class SeasonEntries(FormatState):
    """The fold. claims: tournament -> player there -> player of the season, also of tournaments that were released.

    external_ids: tournament -> player there -> their external id, where they have one. merged: players who are others
    now. before: player -> (earlier season, player there).
    """

    gathered: dict[str, GatheredTournament] = field(default_factory=dict)
    added: int = 0
    claims: dict[str, dict[str, str]] = field(default_factory=dict)
    external_ids: dict[str, dict[str, str]] = field(default_factory=dict)
    merged: dict[str, Merge] = field(default_factory=dict)
    divisions: dict[str, str] = field(default_factory=dict)
    before: dict[str, tuple[str, str]] = field(default_factory=dict)

    def identity(self, player: str) -> str:
        """Who a player of the season is by now: themselves, or whom they were merged with in the end."""
        while player in self.merged:
            player = self.merged[player].into
        return player

    def entries_of(self, player: str) -> list[EntryNamed]:
        """The entries of a player of the season, of released tournaments too; sorted."""
        return [
            EntryNamed(tournament=tournament, entry=entry)
            for tournament, claims in sorted(self.claims.items())
            for entry, owner in sorted(claims.items())
            if owner == player
        ]

    def has_played(self, player: str) -> bool:
        """Whether tournaments of the season know the player."""
        return bool(self.entries_of(player))

    def in_order(self) -> list[GatheredTournament]:
        """The tournaments by the day they are played on, those of one day as they were gathered."""
        return sorted(self.gathered.values(), key=lambda one: (one.played_on, one.added))


SEASON_ENTRIES = Slice("season_entries", SeasonEntries)


def _gathered(season: SeasonEntries, event: TournamentGathered, told: StoredEvent) -> None:
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


def _released(season: SeasonEntries, event: TournamentReleased, told: StoredEvent) -> None:
    del season.gathered[event.tournament]


def _claimed(season: SeasonEntries, event: EntryClaimed, told: StoredEvent) -> None:
    season.claims.setdefault(event.tournament, {})[event.entry] = event.player
    if event.external_id:
        season.external_ids.setdefault(event.tournament, {})[event.entry] = event.external_id


def _hand_over(season: SeasonEntries, entries: list[EntryNamed], player: str) -> None:
    for one in entries:
        season.claims.setdefault(one.tournament, {})[one.entry] = player


def _merged(season: SeasonEntries, event: IdentitiesMerged, told: StoredEvent) -> None:
    season.merged[event.player] = Merge(event.into, list(event.entries))
    _hand_over(season, event.entries, event.into)


def _split(season: SeasonEntries, event: IdentitySplit, told: StoredEvent) -> None:
    season.merged.pop(event.into, None)
    _hand_over(season, event.entries, event.into)


def _division(season: SeasonEntries, event: DivisionEntered, told: StoredEvent) -> None:
    for player in event.players:
        season.divisions[player] = event.division


def _carried(season: SeasonEntries, event: PlayerCarriedOver, told: StoredEvent) -> None:
    season.before[event.player] = (event.season, event.before)


EVOLVE: Mapping[type, Callable[[SeasonEntries, Any, StoredEvent], None]] = MappingProxyType(
    {
        TournamentGathered: _gathered,
        TournamentReleased: _released,
        EntryClaimed: _claimed,
        IdentitiesMerged: _merged,
        IdentitySplit: _split,
        DivisionEntered: _division,
        PlayerCarriedOver: _carried,
    }
)
"""Event -> what it changes."""
