"""Events that registration owns of a season: which tournaments it gathers, and who of them is which of its players."""

from __future__ import annotations

from shared.events.base import Event, Part


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
    """A player of a gathered tournament is this player of the season. by_link: proved by that tournament's own link."""

    player: str
    tournament: str
    entry: str
    name: str = ""
    by_link: bool = False


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


OF_REGISTRATION = (
    TournamentGathered,
    TournamentReleased,
    EntryClaimed,
    IdentitiesMerged,
    IdentitySplit,
    DivisionEntered,
    PlayerCarriedOver,
)
