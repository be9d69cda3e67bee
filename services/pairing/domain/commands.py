"""What pairing can be asked to do. Values are checked at the door already."""

from __future__ import annotations

from msgspec import Struct


class Command(Struct, frozen=True, kw_only=True):
    """A request, in the imperative."""


class ByHand(Struct, frozen=True, kw_only=True):
    """A pairing as somebody writes it.

    player_2: empty for a bye, a member of staff for a spare game. kind: empty to follow from player_2; `awarded_bye`
    and `requested_bye` are byes that do not come from the pairing.
    table: None for any free one.
    """

    player_1: str
    player_2: str = ""
    kind: str = ""
    venue: str = ""
    table: int | None = None


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
