"""What pairing can be asked to do. Values are checked at the door already."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct


class Command(Struct, frozen=True, kw_only=True):
    """A request, in the imperative."""


class ByHand(Struct, frozen=True, kw_only=True):
    """A pairing as somebody writes it.

    player_2: empty for a bye, a member of staff for a spare game. kind: empty to follow from player_2; `awarded_bye`
    and `requested_bye` are byes that do not come from the pairing.
    table: None for any free one. wave: in which a game at that table is played, where one follows another there.
    sides: of a game of three or more groups, in place of player_1 and player_2.
    """

    player_1: str = ""
    player_2: str = ""
    kind: str = ""
    venue: str = ""
    table: int | None = None
    wave: int = 1
    sides: list[list[str]] = []

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


class ByeGiven(Struct, frozen=True, kw_only=True):
    """A bye that does not come from the pairing. kind: `awarded` before the start, or `requested` by the player."""

    player: str
    kind: str


class PairRound(Command, frozen=True, kw_only=True):
    """round: the one that is meant; None for the next. pairings: the whole round by hand; None to have it paired.

    sitting_out: active players who are left out of a round by hand on purpose. byes: given before the pairing; who has
    one is left out of it.
    """

    round: int | None = None
    scenario: str = ""
    pairings: list[ByHand] | None = None
    sitting_out: list[str] = []
    byes: list[ByeGiven] = []
    allow_rematch: bool = False
    reason: str = ""


class RepairRound(Command, frozen=True, kw_only=True):
    """Take a round back that has not begun, and pair it again."""

    round: int
    reason: str
    again: PairRound


class WithdrawRound(Command, frozen=True, kw_only=True):
    round: int
    reason: str


class AmendPairings(Command, frozen=True, kw_only=True):
    """swap: two players who change places; or pairings: games as they are to be from now on."""

    round: int
    reason: str
    swap: tuple[str, str] | None = None
    pairings: list[ByHand] = []
    sitting_out: list[str] = []
    allow_rematch: bool = False


class MoveTable(Command, frozen=True, kw_only=True):
    """venue: empty to stay in the venue."""

    round: int
    game: str
    table: int
    venue: str = ""
    reason: str = ""


class StartRound(Command, frozen=True, kw_only=True):
    """minutes, overtime (until every game ends, once time was called): None for the ruleset's."""

    round: int
    minutes: int | None = None
    overtime: int | None = None


class CallTime(Command, frozen=True, kw_only=True):
    round: int
    call: str


class ExtendClock(Command, frozen=True, kw_only=True):
    """game: empty for the whole round."""

    round: int
    minutes: int
    reason: str
    game: str = ""


class OfferSpare(Command, frozen=True, kw_only=True):
    staff: str


class RecallSpare(Command, frozen=True, kw_only=True):
    """staff: empty for every spare player there is."""

    staff: str = ""
    reason: str = ""


class MakeCut(Command, frozen=True, kw_only=True):
    """places: None for what the ruleset says for so many players."""

    places: int | None = None


class GiveUpSeat(Command, frozen=True, kw_only=True):
    player: str


class TableByHand(Struct, frozen=True, kw_only=True):
    """A table as somebody writes it. host: empty for the first survivor. scenario, loyal_faction: as for the round."""

    survivors: list[str]
    host: str = ""
    scenario: str = ""
    loyal_faction: str = ""


class OpenSessionRound(Command, frozen=True, kw_only=True):
    """round: the one that is meant; None for the next. tables: by hand; None to have everybody seated.

    scenario, loyal_faction: assigned to every table; empty where the tables choose.
    """

    round: int | None = None
    tables: list[TableByHand] | None = None
    scenario: str = ""
    loyal_faction: str = ""
    reason: str = ""


class ReseatTable(Command, frozen=True, kw_only=True):
    """survivors: all who sit there from now on. host: empty to keep it, where they are still there."""

    session: str
    survivors: list[str]
    reason: str
    host: str = ""


class CloseSessionRound(Command, frozen=True, kw_only=True):
    round: int
