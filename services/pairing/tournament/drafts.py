"""What a round is made of before it becomes events: who is to be paired, who meets whom, perhaps where, and why."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from services.pairing.tournament.refusals import PlayersWithoutVenue
from services.pairing.tournament.state import named
from shared.rules.model import Draw
from shared.tournament.format import tier_of
from shared.tournament.games import NO_ROSTER, lacks_list
from shared.tournament.people import Entries, Player, Staff
from shared.tournament.state import Tournament

NOT_CHECKED_IN, SITTING_OUT = "not_checked_in", "sitting_out"
"""Why an active player is left out of a round, beside NO_ROSTER."""


class Draft(Struct, frozen=True, kw_only=True):
    """A pairing without its id. venue, table: None where they are still to be found; table 0: it needs none. wave: 1
    for a game that begins with the round, 2 for the next at that table.

    slot: the number in its game id, where it is not the next one (a place in a bracket). bye: how a bye was come by
    that is none of the pairing: `awarded` or `requested`. sides: as of a seat.
    """

    kind: str
    player_1: str
    player_2: str = ""
    venue: str | None = None
    table: int | None = None
    wave: int = 1
    reason: str = ""
    rematch: bool = False
    slot: int | None = None
    bye: str = ""
    sides: list[list[str]] = []

    @property
    def players(self) -> tuple[str, ...]:
        """The players of the tournament who sit here; the spare player is none."""
        if self.sides:
            return tuple(player for side in self.sides for player in side)
        return (self.player_1, self.player_2) if self.kind == "game" else (self.player_1,)


class Plan(Struct, frozen=True, kw_only=True):
    """A whole round: its pairings in order, how they came about, and the draws that were made."""

    stage: str
    method: str
    drafts: Sequence[Draft]
    draws: Sequence[Draw] = ()
    left_out: dict[str, list[str]] = {}
    reason: str = ""


class Field(Struct, frozen=True):
    """Players to be paired, in order of sign-up; and those who are left out, by reason."""

    players: list[str]
    left_out: dict[str, list[str]]


def lacking(entries: Entries, player: Player) -> str:
    """What keeps a player out of the pairing of a first game; empty when nothing does."""
    if tier_of(entries).list_due_for == "pairing" and lacks_list(entries, player):
        return NO_ROSTER
    if entries.check_in and not player.checked_in:
        return NOT_CHECKED_IN
    return ""


def by_venue(state: Tournament, players: list[str]) -> dict[str, list[str]]:
    """The groups to be paired apart: one for each venue, or a single one under "" when the event is paired as one.

    Raises PlayersWithoutVenue with everybody who is at no open venue.
    """
    entries = state.entries
    if entries.pairing_scope != "venue":
        return {"": players}
    groups: dict[str, list[str]] = {venue.id: [] for venue in entries.venues.values() if venue.open}
    nowhere = [entries.players[player] for player in players if entries.players[player].venue not in groups]
    if nowhere:
        raise PlayersWithoutVenue(
            f"{len(nowhere)} player{'s are' if len(nowhere) > 1 else ' is'} at no open venue.",
            players=[named(player) for player in nowhere],
        )
    for player in players:
        groups[entries.players[player].venue].append(player)
    return {venue: group for venue, group in groups.items() if group}


def spares_of(state: Tournament) -> list[Staff]:
    """The spare players who stand by, in the order in which they offered themselves."""
    staff = state.entries.staff
    return [staff[id] for id in state.rounds.spares if id in staff and staff[id].active]
