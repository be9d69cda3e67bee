"""What pairing can be asked to do, with the shape of each member."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

from msgspec import UNSET, UnsetType

from shared.log.event import Actor
from shared.refusals import Expected, expects
from shared.shapes import Command, Id, Name, OptionalReason, Reason, Shape, Size, TableNumber, Text, Whole
from shared.tournament.rounds import PAGE, CutMade, PublishedAt, RoundPaired, Seat, SeatGivenUp

LONGEST_ROUND = 5000
"""Pairings of one round by hand."""

LARGEST_GAME = 100
"""Sides of a game, and groups of a side."""

ROUNDS = 1000
MOST_TABLES = 2000
"""Of a round of sessions."""
MOST_SEATS = 100
"""At one of them."""

Players = Annotated[list[Id], Size(LONGEST_ROUND)]
Survivors = Annotated[list[Id], Size(MOST_SEATS)]
Meant = Annotated[int | None, Whole(1, ROUNDS)]
"""The round that is meant, so that a request that comes twice has its effect once; None for the next."""


KindByHand = Literal["game", "bye", "spare", "awarded_bye", "requested_bye"]


class ByHand(Shape, frozen=True, kw_only=True):
    """A pairing by hand. Without `player_2` it is a bye; with a member of staff, a game against the spare player.

    table: left out, any free one of the venue; a bye has none, whatever is written. sides: in a campaign, of a game of
    three or more groups, in place of `player_1` and `player_2`.
    """

    player_1: Annotated[Id, "Needed where there are no `sides`."] = ""
    player_2: Id | None = None
    kind: KindByHand | UnsetType = UNSET
    venue: Annotated[Id, "Needed only where it does not follow."] = ""
    table: TableNumber | None = None
    wave: Annotated[
        int,
        Whole(1, LONGEST_ROUND),
        "With a table: 2 for the second game of the round there, 3 for the third.",
    ] = 1
    sides: Annotated[
        list[Annotated[list[Id], Size(LARGEST_GAME)]],
        Size(LARGEST_GAME),
        "Every side with its groups: two sides or more, three groups or more.",
    ] = []

    @staticmethod
    def wrong(said: Mapping[str, Any]) -> Mapping[str, Expected]:
        """Two players, or sides."""
        if not said["sides"]:
            return {} if said["player_1"] else {"player_1": expects("player-or-sides")}
        beside = next((name for name in ("player_1", "player_2") if said[name]), "")
        return {beside: expects("nothing-beside", member="sides")} if beside else {}

    @property
    def places(self) -> Iterator[tuple[str, str]]:
        """Everybody who is named, staff too, each with the member of the request where it stands."""
        yield from ((name, who) for name in ("player_1", "player_2") if (who := getattr(self, name)))
        for number, side in enumerate(self.sides):
            yield from ((f"sides/{number}/{index}", who) for index, who in enumerate(side))

    @property
    def named(self) -> list[str]:
        """Everybody who is named, as often as they are."""
        return [who for _, who in self.places]


class ByeGiven(Shape, frozen=True, kw_only=True):
    """A bye that does not come from the pairing. kind: `awarded` before the start, or `requested` by the player."""

    player: Id
    kind: Literal["awarded", "requested"]


class PairRound(Command, frozen=True, kw_only=True):
    """All members may be left out: then the next round is paired by the ruleset.

    round: the one that is meant, so that a request that comes twice pairs once. pairings: the whole round by hand;
    every active player is in one of them or in `sitting_out`. byes: given before the pairing, where the ruleset says
    what they are worth; the others are paired.
    """

    round: Meant = None
    scenario: Annotated[str, Text(100), "The scenario of the whole round; needed if rounds have one."] = ""
    pairings: Annotated[list[ByHand] | None, Size(LONGEST_ROUND, 1)] = None
    sitting_out: Players = []
    byes: Annotated[list[ByeGiven], Size(LONGEST_ROUND)] = []
    allow_rematch: bool = False
    reason: Annotated[OptionalReason, "Why it is paired by hand; the log keeps it."] = ""


class RepairRound(PairRound, frozen=True, kw_only=True):
    """Why the round is paired again, and how: as for pairing it."""

    round: int
    reason: Reason


class Publication(Shape, frozen=True, kw_only=True):
    """When everybody sees a draft: from now on, or from the time `at`."""

    at: PublishedAt = None


class PublishRound(Command, frozen=True, kw_only=True):
    """A draft, which everybody sees from now on; or `at` a time set, until which it stays a draft.

    paired, pairings: the draft as it is recorded; the service adds it.
    """

    round: int
    at: PublishedAt = None
    paired: RoundPaired | None = None
    pairings: list[Seat] = []


class CancelPublication(Command, frozen=True, kw_only=True):
    """A draft whose time is set stays one until it is published by hand, or another time is set."""

    round: int


class PublishDueRound(Command, frozen=True, kw_only=True):
    """A draft whose time has come. at, set_by: the time, and who set it. paired, pairings: as of PublishRound."""

    round: int
    at: str = ""
    set_by: Actor | None = None
    paired: RoundPaired | None = None
    pairings: list[Seat] = []


class WithdrawRound(Command, frozen=True, kw_only=True):
    """Why; it stands in the public log."""

    round: int
    reason: Reason


class AmendPairings(Command, frozen=True, kw_only=True):
    """Two players change places (`swap`), or games as they are to be from now on (`pairings`)."""

    round: int
    reason: Reason
    swap: Annotated[tuple[Id, Id] | None, Size(2, 2)] = None
    pairings: Annotated[list[ByHand], Size(PAGE)] = []
    sitting_out: Players = []
    allow_rematch: bool = False


class MoveTable(Command, frozen=True, kw_only=True):
    """Where the game goes on. venue: left out, the same. The reason stands in the public log: nothing private in it."""

    round: int
    game: Id
    table: TableNumber
    venue: Id = ""
    reason: OptionalReason = ""


class StartRound(Command, frozen=True, kw_only=True):
    """minutes: left out, the ruleset's. overtime: minutes after the end until every game ends; left out, the same."""

    round: int
    minutes: Annotated[int | None, Whole(1, 1440)] = None
    overtime: Annotated[int | None, Whole(0, 120)] = None


class CallTime(Command, frozen=True, kw_only=True):
    """call: start, halfway, ten_minutes, end, hard_stop: those that the ruleset has."""

    round: int
    call: Id


class ExtendClock(Command, frozen=True, kw_only=True):
    """game: left out, the whole round."""

    round: int
    minutes: Annotated[int, Whole(1, 600)]
    reason: Reason
    game: Id = ""


class OfferSpare(Command, frozen=True, kw_only=True):
    """staff: the id of a spare player, organiser or referee."""

    staff: Id


class RecallSpare(Command, frozen=True, kw_only=True):
    """staff: left out, everybody who stands by."""

    staff: Id = ""


class MakeCut(Command, frozen=True, kw_only=True):
    """places: left out, what the ruleset says for so many players."""

    places: Annotated[int | None, Whole(2, 1024)] = None


class PublishCut(Command, frozen=True, kw_only=True):
    """The cut, which everybody sees from now on; or `at` a time set, until which it stays a draft.

    made, given_up: the draft as it is recorded; the service adds it.
    """

    at: PublishedAt = None
    made: CutMade | None = None
    given_up: list[SeatGivenUp] = []


class CancelCutPublication(Command, frozen=True, kw_only=True):
    """A cut whose time is set stays a draft until it is published by hand, or another time is set."""


class PublishDueCut(Command, frozen=True, kw_only=True):
    """A cut whose time has come. at, set_by: the time, and who set it. made, given_up: as of PublishCut."""

    at: str = ""
    set_by: Actor | None = None
    made: CutMade | None = None
    given_up: list[SeatGivenUp] = []


class FollowBracket(Command, frozen=True, kw_only=True):
    """A round of the bracket, after a correction by which another player goes on."""

    round: int


class GiveUpSeat(Command, frozen=True, kw_only=True):
    """player: who gives the seat up."""

    player: Id


class TableByHand(Shape, frozen=True, kw_only=True):
    """A table by hand. host: who confirms what it reports; left out, the first survivor.

    scenario, loyal_faction: assigned to this table; left out, those of the round.
    """

    survivors: Survivors
    host: Id = ""
    scenario: Id = ""
    loyal_faction: Annotated[str, Name()] = ""


class OpenSessionRound(Command, frozen=True, kw_only=True):
    """All members may be left out: then everybody is seated, parties together and company new where it can be.

    round: the one that is meant, so that a request that comes twice seats once. scenario, loyal_faction: assigned to
    every table; left out, each table chooses.
    """

    round: Meant = None
    tables: Annotated[list[TableByHand] | None, Size(MOST_TABLES, 1)] = None
    scenario: Id = ""
    loyal_faction: Annotated[str, Name()] = ""
    reason: Annotated[OptionalReason, "Why it is seated by hand; the log keeps it."] = ""


class ReseatTable(Command, frozen=True, kw_only=True):
    """survivors: all who sit there from now on; none where the table is not played. host: left out, who it was, where
    they are still there."""

    session: Id
    survivors: Survivors
    reason: Reason
    host: Id = ""


class CloseSessionRound(Command, frozen=True, kw_only=True):
    """A round of sessions is over."""

    round: int
