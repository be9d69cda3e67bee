"""What reverses each command of pairing; a row for each, or why nothing does."""

from __future__ import annotations

from collections.abc import Sequence

from services.pairing.tournament.calls import AnswerCall, CallJudge, TakeCall, WithdrawCall
from services.pairing.tournament.commands import (
    AmendPairings,
    CallTime,
    CancelCutPublication,
    CancelPublication,
    CloseSessionRound,
    ExtendClock,
    GiveUpSeat,
    MakeCut,
    MoveTable,
    OfferSpare,
    OpenSessionRound,
    PairRound,
    PublishCut,
    PublishRound,
    RecallSpare,
    RepairRound,
    ReseatTable,
    StartRound,
    WithdrawRound,
)
from shared.application.undo import TAKEN_BACK, Nothing, Request, Reversal, Reversed, Undoing
from shared.events.base import Event
from shared.formats.coop.seating import SEATING
from shared.shapes import Command
from shared.tournament.events.pairing import RoundPaired, SeatGivenUp
from shared.tournament.state import Tournament

Events = Sequence[Event]


def _paired(before: Tournament, command: PairRound, events: Events) -> Command | Reversal:
    number = next(one.round for one in events if isinstance(one, RoundPaired))
    return WithdrawRound(round=number, reason=TAKEN_BACK)


def _amended(before: Tournament, command: AmendPairings, events: Events) -> Command | Reversal:
    if command.swap is None:
        return Nothing("Amend the games to what they were; the log shows the earlier `pairings` of the round.")
    back = AmendPairings(round=command.round, swap=command.swap, reason=TAKEN_BACK, allow_rematch=True)
    return Reversed(back, ["paired-by-hand"])


def _publishing(before: Tournament, command: PublishRound, events: Events) -> Command | Reversal:
    if command.at is None:
        return Nothing("What everybody has seen stays seen; withdraw the round, and pair it again.")
    earlier = before.rounds.rounds[command.round].publish_at
    return PublishRound(round=command.round, at=earlier) if earlier else CancelPublication(round=command.round)


def _cancelled(before: Tournament, command: CancelPublication, events: Events) -> Command | Reversal:
    return PublishRound(round=command.round, at=before.rounds.rounds[command.round].publish_at)


def _publishing_cut(before: Tournament, command: PublishCut, events: Events) -> Command | Reversal:
    if command.at is None:
        return Nothing("What everybody has seen stays seen; make the cut again, until its first round is paired.")
    earlier = before.rounds.cut_publish_at
    return PublishCut(at=earlier) if earlier else CancelCutPublication()


def _moved(before: Tournament, command: MoveTable, events: Events) -> Command | Reversal:
    seat = before.rounds.rounds[command.round].seats[command.game]
    if not seat.table:
        return Nothing("The game had no table before; move it to another one.")
    return MoveTable(round=command.round, game=command.game, table=seat.table, venue=seat.venue, reason=TAKEN_BACK)


def _offered(before: Tournament, command: OfferSpare, events: Events) -> Command | Reversal:
    return Reversed(RecallSpare(staff=command.staff), sent=Request("DELETE", f"/spare?staff={command.staff}"))


def _recalled(before: Tournament, command: RecallSpare, events: Events) -> Command | Reversal:
    gone = [command.staff] if command.staff else list(before.rounds.spares)
    if len(gone) != 1:
        return Nothing("Several spare players were standing by; offer each of them again.")
    return OfferSpare(staff=gone[0])


def _reseated(before: Tournament, command: ReseatTable, events: Events) -> Command | Reversal:
    table = SEATING.of(before).table(command.session)
    assert table is not None  # who sits elsewhere at it was decided
    return ReseatTable(session=command.session, survivors=list(table.survivors), host=table.host, reason=TAKEN_BACK)


def _given_up(before: Tournament, command: GiveUpSeat, events: Events) -> Command | Reversal:
    promoted = next((one.promoted for one in events if isinstance(one, SeatGivenUp)), "")
    if promoted:
        name = before.entries.name_of(promoted)
        return Nothing(f"{name} has the seat now; make the cut again, as long as its first round is not paired.")
    return Nothing("The opponent goes on; until there is a result, withdraw the first round and make the cut again.")


UNDO: Undoing = {
    PairRound: _paired,
    RepairRound: Nothing("The earlier pairings are gone; change the new ones by hand, or take the round back."),
    WithdrawRound: Nothing("Pair the round again; by hand if it has to be as it was."),
    PublishRound: _publishing,
    CancelPublication: _cancelled,
    AmendPairings: _amended,
    MoveTable: _moved,
    StartRound: Nothing("A clock does not run backwards; give more minutes: POST …/rounds/{round}/extensions."),
    CallTime: Nothing("Players have heard the call; give more minutes: POST …/rounds/{round}/extensions."),
    ExtendClock: Nothing("Minutes that were given stay; players may have counted on them."),
    OfferSpare: _offered,
    RecallSpare: _recalled,
    MakeCut: Nothing("Make the cut again with other places, as long as its first round is not paired."),
    PublishCut: _publishing_cut,
    CancelCutPublication: lambda before, command, events: PublishCut(at=before.rounds.cut_publish_at),
    GiveUpSeat: _given_up,
    CallJudge: Nothing("Withdraw the call: POST …/calls/{call}/withdrawal."),
    TakeCall: Nothing("Answer the call, or have a head referee answer it; whoever called was told that you come."),
    AnswerCall: Nothing("What was said at the table was said; call a judge again if somebody is needed."),
    WithdrawCall: Nothing("Call a judge to the table again."),
    OpenSessionRound: Nothing("Seat its tables again before they are set up; a table without players is not played."),
    ReseatTable: _reseated,
    CloseSessionRound: Nothing("A round of sessions stays closed; its results can still be corrected."),
}
"""Command -> its row. Every command of pairing is here, or a test fails."""
