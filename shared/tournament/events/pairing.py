"""Events that pairing owns: rounds, who meets whom where, clocks, the cut. A page holds 500 pairings at most."""

from __future__ import annotations

from typing import ClassVar

from msgspec import field

from shared.log.event import Actor, Event, Part

PAGE = 500
"""Rows in one page of pairings or standings; larger rounds are several pages, appended together."""


class Seat(Part, frozen=True, kw_only=True):
    """One pairing: its game's id, its kind (game, bye, spare), who, where, and why.

    table 0: no table (a bye, or a tournament without tables). wave: of games played one after another at too few
    tables; 1 begins with the round. player_2 is empty for a bye. bye: `awarded` before the start, or `requested` by
    the player; empty for one of the pairing. sides: of a game of three or more groups, every side with its groups,
    player_1 and player_2 being the first of the first two; empty for a game of two (Fallout Skirmish §1.1, §3.2).
    """

    game: str
    kind: str
    player_1: str
    player_2: str = ""
    venue: str = ""
    table: int = 0
    wave: int = 1
    reason: str = ""
    rematch: bool = False
    bye: str = ""
    sides: list[list[str]] = field(default_factory=list)

    @property
    def players(self) -> tuple[str, ...]:
        """All who sit here, side by side; the spare player is in no player list."""
        if self.sides:
            return tuple(player for side in self.sides for player in side)
        return (self.player_1, self.player_2) if self.kind == "game" else (self.player_1,)

    @property
    def everybody(self) -> set[str]:
        """All who sit here, the spare player too."""
        return {*self.players, *filter(None, (self.player_1, self.player_2))}

    def allies_of(self, player: str) -> tuple[str, ...]:
        """The others on a player's side."""
        side: list[str] = next((side for side in self.sides if player in side), [])
        return tuple(other for other in side if other != player)

    def rivals_of(self, player: str) -> tuple[str, ...]:
        """All on other sides than a player's, in the order of the sides."""
        own = {player, *self.allies_of(player)}
        return tuple(other for other in self.players if other not in own)


class DrawMade(Part, frozen=True, kw_only=True):
    """A recorded draw: purpose, round and group with the order that the seed gave."""

    purpose: str
    round: int
    order: list[str]
    seed: str


class DraftChange(Part, frozen=True, kw_only=True):
    """A change that somebody made to a draft of a round before it was published.

    actor, time: who and when, as of an event. before: the pairings that it replaced, after: those it put in place.
    """

    actor: Actor
    time: str
    reason: str
    before: list[Seat] = field(default_factory=list)
    after: list[Seat] = field(default_factory=list)


class PairingsDrawn(Event, frozen=True, kw_only=True):
    """A page of a round's pairings; RoundPaired follows the last page in the same transaction."""

    round: int
    page: int
    pages: int
    pairings: list[Seat]


class RoundPaired(Event, frozen=True, kw_only=True):
    """A round stands, not yet begun.

    stage: "swiss", "elimination", or "league" in a campaign. method: the policy's name, or "manual".
    seed: of the draws, 64 hex digits.
    made_from: position in scoring's log of the standings that the pairings were made from; 0 for the first round.
    left_out: why -> active players who were not paired (no_roster, not_checked_in, sitting_out; in a campaign
    no_group, wiped_out).
    reason: of a round entered by hand. changes: what was changed by hand between the pairing and its publication, in
    order: undone from the last to the first, they give the pairings that the rules made.
    """

    ends_secret: ClassVar[bool] = True

    round: int
    stage: str
    method: str
    games: int
    seed: str = ""
    draws: list[DrawMade] = field(default_factory=list)
    made_from: int = 0
    scenario: str = ""
    left_out: dict[str, list[str]] = field(default_factory=dict)
    reason: str = ""
    changes: list[DraftChange] = field(default_factory=list)


class PairingAmended(Event, frozen=True, kw_only=True):
    """Pairings of a round were changed before their results; the games named here, as they stand now.

    By hand, or in a bracket after a seat was given up or a correction lets another player go on.

    A game between other players than before has an id of its own, so that no result is ever taken for another's.
    removed: games that are played no more.
    """

    round: int
    pairings: list[Seat]
    reason: str
    removed: list[str] = field(default_factory=list)


class TableMoved(Event, frozen=True, kw_only=True):
    """A game goes on at another table; who plays whom is untouched."""

    round: int
    game: str
    venue: str
    table: int
    reason: str = ""


class RoundWithdrawn(Event, frozen=True, kw_only=True):
    """The round is taken back as if it had never been paired; its number is free again."""

    round: int
    reason: str


class RoundStarted(Event, frozen=True, kw_only=True):
    """The clock runs. ends_at: when time is called; overtime: minutes after that until the hard stop, if any.

    held: players whose game waits until their list is accepted; everybody else plays.
    """

    round: int
    minutes: int
    ends_at: str
    overtime: int | None = None
    held: list[str] = field(default_factory=list)


class TimeCalled(Event, frozen=True, kw_only=True):
    """A call was made: start, halfway, ten_minutes, end, hard_stop."""

    round: int
    call: str


class ClockExtended(Event, frozen=True, kw_only=True):
    """The round, or one game of it, has more time. ends_at: the new end of whichever it is."""

    round: int
    minutes: int
    ends_at: str
    reason: str
    game: str = ""


class SpareAvailable(Event, frozen=True, kw_only=True):
    """A spare player can be seated instead of a bye from the next pairing on; at most one for each venue."""

    staff: str


class SpareUnavailable(Event, frozen=True, kw_only=True):
    """This spare player no more; without one an odd number means a bye."""

    staff: str
    reason: str = ""


class CutMade(Event, frozen=True, kw_only=True):
    """Who goes on to elimination, in seeding order; made again before the first such pairing, the last one holds."""

    after_round: int
    seeds: list[str]
    made_from: int


class SeatGivenUp(Event, frozen=True, kw_only=True):
    """A place in the bracket was given up; `promoted` takes it, or nobody does (a walkover)."""

    player: str
    promoted: str = ""
