"""Tables of pairing: the handler of each command (decision, roles, venues) and the module of each format."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from services.pairing import (
    amendments,
    calls,
    campaign_rounds,
    coop_rounds,
    publication,
    rounds,
    swiss_bracket,
    swiss_clocks,
    swiss_cut,
    swiss_rounds,
)
from services.pairing.amendments import AmendPairings, MoveTable
from services.pairing.calls import AnswerCall, CallJudge, TakeCall, WithdrawCall
from services.pairing.coop_rounds import CloseSessionRound, OpenSessionRound, ReseatTable
from services.pairing.formats import PairingFormat
from services.pairing.guards import round_of
from services.pairing.publication import (
    CUT_ROW,
    DRAFT,
    ROUND_ROW,
    CancelPublication,
    PublishDueRound,
    PublishRound,
    cut_draft,
    drafts_of,
    write_to_drafts,
)
from services.pairing.rounds import PairRound, RepairRound, WithdrawRound
from services.pairing.swiss_bracket import FollowBracket
from services.pairing.swiss_clocks import CallTime, ExtendClock, StartRound
from services.pairing.swiss_cut import (
    CancelCutPublication,
    GiveUpSeat,
    MakeCut,
    OfferSpare,
    PublishCut,
    PublishDueCut,
    RecallSpare,
)
from shared.coop.seating import SEATING, venue_of_session
from shared.log.event import Event
from shared.roles import HEAD_REFEREE_UP, PLAYER, REFEREE_UP, SPARE
from shared.service.handlers import Decide, DecideWithRows, Handler, Version, by_format, with_versions
from shared.shapes import Command
from shared.tournament.guards import (
    Context,
    KeepDraws,
    ReadBeacon,
    game_venues,
    keep_draws,
    open_venues,
    player_venues,
    read_beacon,
    round_venues,
)
from shared.tournament.state import CALL, PrivateRow, Tournament, calls_of

FORMATS: dict[str, PairingFormat] = {"swiss": swiss_rounds, "campaign": campaign_rounds}
"""Format -> its module."""


OfCall = TakeCall | AnswerCall | WithdrawCall
OfParts = CallTime | CancelPublication | ExtendClock | StartRound | WithdrawRound
OfRound = AmendPairings | CancelPublication | MoveTable | PublishRound | RepairRound | StartRound | WithdrawRound


def _with_drafts_as_rows(decide: Decide) -> DecideWithRows:
    """Return the decision with changes to drafts written to private rows instead of the log."""

    def decide_on_drafts(state: Tournament, command: Any, context: Context) -> Sequence[Event | PrivateRow]:
        return write_to_drafts(state, decide(state, command, context), context)

    return decide_on_drafts


def _all_venues(state: Tournament, command: Command) -> list[str]:
    return open_venues(state)


def _paired_venues(state: Tournament, command: PairRound) -> list[str]:
    """Return the named venue, and those of pairings by hand; all open venues if none is named."""
    if not command.venue:
        return open_venues(state)
    return [command.venue, *(pairing.venue for pairing in command.pairings or ())]


def _venues_of_parts(state: Tournament, command: OfParts) -> list[str]:
    return [command.venue] if command.venue else round_venues(state, command.round)


def _published_venues(state: Tournament, command: PublishRound) -> list[str]:
    published = [seat for other in command.others if other.published for seat in other.pairings]
    return [seat.venue for seat in (*command.pairings, *published)]


def _last_paired(state: Tournament, command: PublishRound) -> int:
    return state.rounds.last_paired_at(command.venue)


def _round_revision(state: Tournament, command: OfRound) -> int:
    drafts = drafts_of(
        state, command.round, getattr(command, "venue", "") if not isinstance(command, MoveTable) else ""
    )
    return max((state.private.revision_of(ROUND_ROW, venue or DRAFT) for venue in drafts), default=0)


def _cut_revision(state: Tournament, command: object) -> int:
    return state.private.revision_of(CUT_ROW, DRAFT) if cut_draft(state) else 0


def _amended_venues(state: Tournament, command: AmendPairings) -> list[str]:
    """Return the current and the new venues of the games that change."""
    players = {player for pairing in command.pairings for player in pairing.participant_ids}
    players |= {*command.sitting_out, *(command.swap or ())}
    round = state.rounds.rounds.get(command.round)
    current = [seat.venue for seat in round.seats.values() if players & seat.all_players] if round else []
    return [*current, *(pairing.venue for pairing in command.pairings)]


def _moved_game_venues(state: Tournament, command: MoveTable) -> list[str]:
    return [*game_venues(state, command.game), command.venue]


def _extended_venues(state: Tournament, command: ExtendClock) -> list[str]:
    return game_venues(state, command.game) if command.game else _venues_of_parts(state, command)


def _offered_spare_venues(state: Tournament, command: OfferSpare) -> list[str]:
    return _staff_venues(state, [command.staff])


def _recalled_spare_venues(state: Tournament, command: RecallSpare) -> list[str]:
    return _staff_venues(state, [command.staff] if command.staff else state.rounds.spares)


def _staff_venues(state: Tournament, staff: Iterable[str]) -> list[str]:
    return [state.entries.staff[id].venue for id in staff if id in state.entries.staff]


def _seat_venues(state: Tournament, command: GiveUpSeat) -> list[str]:
    return player_venues(state, command.player)


def _session_venues(state: Tournament, command: ReseatTable) -> list[str]:
    return venue_of_session(state, command.session)


def _called_game_venues(state: Tournament, command: CallJudge) -> list[str]:
    return game_venues(state, command.game)


def _call_venues(state: Tournament, command: OfCall) -> list[str]:
    call = calls_of(state).get(command.call)
    return [call.venue] if call else []


def _call_changed(state: Tournament, command: OfCall) -> int:
    return 0


def _call_revision(state: Tournament, command: OfCall) -> int:
    return state.private.revision_of(CALL, command.call)


def _round_changed(state: Tournament, command: OfRound) -> int:
    return round_of(state, command.round).changed


def _round_of_game(state: Tournament, command: CallJudge) -> int:
    rounds = (round for round in state.rounds.rounds.values() if command.game in round.seats)
    return max((round.changed for round in rounds), default=0)


def _cut_changed(state: Tournament, command: object) -> int:
    return state.rounds.cut_changed


def _session_round_changed(state: Tournament, command: CloseSessionRound) -> int:
    round = SEATING.of(state).rounds.get(command.round)
    return round.changed if round else 0


def _table_changed(state: Tournament, command: ReseatTable) -> int:
    table = SEATING.of(state).table(command.session)
    return table.changed if table else 0


THINGS: Mapping[str, Version] = {
    "call": _call_changed,
    "session": _table_changed,
    "round": _round_changed,
    "game": _round_of_game,
}
"""Command member -> function that returns the last change of the resource that the member names. A game belongs to its
round."""
NEW_ROUNDS = (PairRound, OpenSessionRound)

_ROWS: dict[type, Handler] = {
    KeepDraws: Handler(keep_draws, by_rule=True, private=True, formats=("swiss", "campaign", "coop")),
    ReadBeacon: Handler(read_beacon, by_rule=True, private=True, formats=("swiss", "campaign", "coop")),
    PairRound: Handler(
        _with_drafts_as_rows(by_format(FORMATS, lambda format, *args: format.pair(*args))),
        HEAD_REFEREE_UP,
        venues=_paired_venues,
        formats=FORMATS,
        requires_latest=True,
        slow=True,
        drafts=True,
        private=True,
    ),
    RepairRound: Handler(
        _with_drafts_as_rows(by_format(FORMATS, lambda format, *args: rounds.repair(format.pair, *args))),
        HEAD_REFEREE_UP,
        venues=_paired_venues,
        formats=FORMATS,
        requires_latest=True,
        slow=True,
        drafts=True,
        private=True,
        revision=_round_revision,
    ),
    WithdrawRound: Handler(
        _with_drafts_as_rows(rounds.withdraw),
        HEAD_REFEREE_UP,
        venues=_venues_of_parts,
        formats=FORMATS,
        requires_latest=True,
        drafts=True,
        private=True,
        revision=_round_revision,
    ),
    PublishRound: Handler(
        publication.publish,
        HEAD_REFEREE_UP,
        venues=_published_venues,
        formats=FORMATS,
        version=_last_paired,
        requires_latest=True,
        private=True,
        complete=publication.complete,
        revision=_round_revision,
    ),
    CancelPublication: Handler(
        publication.cancel,
        HEAD_REFEREE_UP,
        venues=_venues_of_parts,
        formats=FORMATS,
        requires_latest=True,
        drafts=True,
        private=True,
        revision=_round_revision,
    ),
    PublishDueRound: Handler(
        publication.publish_due,
        formats=FORMATS,
        by_rule=True,
        private=True,
        complete=publication.complete,
    ),
    AmendPairings: Handler(
        _with_drafts_as_rows(by_format(FORMATS, lambda format, *args: format.amend(*args))),
        HEAD_REFEREE_UP,
        venues=_amended_venues,
        formats=FORMATS,
        requires_latest=True,
        drafts=True,
        private=True,
        revision=_round_revision,
    ),
    MoveTable: Handler(
        _with_drafts_as_rows(amendments.move),
        REFEREE_UP,
        venues=_moved_game_venues,
        formats=FORMATS,
        requires_latest=True,
        drafts=True,
        private=True,
        revision=_round_revision,
    ),
    StartRound: Handler(
        swiss_clocks.start,
        HEAD_REFEREE_UP,
        venues=_venues_of_parts,
        formats=("swiss",),
        requires_latest=True,
        drafts=True,
    ),
    CallTime: Handler(swiss_clocks.call, REFEREE_UP, venues=_venues_of_parts, formats=("swiss",), drafts=True),
    ExtendClock: Handler(swiss_clocks.extend, REFEREE_UP, venues=_extended_venues, formats=("swiss",), drafts=True),
    OfferSpare: Handler(
        swiss_cut.offer_spare,
        HEAD_REFEREE_UP,
        venues=_offered_spare_venues,
        formats=("swiss",),
        requires_latest=True,
        drafts=True,
    ),
    RecallSpare: Handler(
        swiss_cut.recall_spare,
        HEAD_REFEREE_UP,
        venues=_recalled_spare_venues,
        formats=("swiss",),
        requires_latest=True,
        drafts=True,
    ),
    MakeCut: Handler(
        _with_drafts_as_rows(swiss_cut.make),
        HEAD_REFEREE_UP,
        venues=_all_venues,
        formats=("swiss",),
        version=_cut_changed,
        requires_latest=True,
        slow=True,
        drafts=True,
        private=True,
        revision=_cut_revision,
    ),
    PublishCut: Handler(
        swiss_cut.publish,
        HEAD_REFEREE_UP,
        venues=_all_venues,
        formats=("swiss",),
        version=_cut_changed,
        requires_latest=True,
        private=True,
        complete=swiss_cut.complete,
        revision=_cut_revision,
    ),
    CancelCutPublication: Handler(
        swiss_cut.cancel_publication,
        HEAD_REFEREE_UP,
        venues=_all_venues,
        formats=("swiss",),
        version=_cut_changed,
        requires_latest=True,
        private=True,
        revision=_cut_revision,
    ),
    PublishDueCut: Handler(
        swiss_cut.publish_due, formats=("swiss",), by_rule=True, private=True, complete=swiss_cut.complete
    ),
    FollowBracket: Handler(
        _with_drafts_as_rows(swiss_bracket.follow),
        formats=("swiss",),
        by_rule=True,
        slow=True,
        drafts=True,
        private=True,
    ),
    GiveUpSeat: Handler(
        _with_drafts_as_rows(swiss_cut.give_up),
        HEAD_REFEREE_UP,
        venues=_seat_venues,
        formats=("swiss",),
        version=_cut_changed,
        requires_latest=True,
        drafts=True,
        private=True,
        revision=_cut_revision,
    ),
    CallJudge: Handler(
        calls.call_judge, (*REFEREE_UP, SPARE, PLAYER), venues=_called_game_venues, formats=FORMATS, private=True
    ),
    TakeCall: Handler(
        calls.take, REFEREE_UP, venues=_call_venues, formats=FORMATS, private=True, revision=_call_revision
    ),
    AnswerCall: Handler(
        calls.answer, REFEREE_UP, venues=_call_venues, formats=FORMATS, private=True, revision=_call_revision
    ),
    WithdrawCall: Handler(
        calls.withdraw,
        (*REFEREE_UP, SPARE, PLAYER),
        venues=_call_venues,
        formats=FORMATS,
        private=True,
        revision=_call_revision,
    ),
    OpenSessionRound: Handler(
        coop_rounds.open_round,
        HEAD_REFEREE_UP,
        venues=_all_venues,
        formats=("coop",),
        requires_latest=True,
        slow=True,
        drafts=True,
    ),
    ReseatTable: Handler(
        coop_rounds.reseat,
        HEAD_REFEREE_UP,
        venues=_session_venues,
        formats=("coop",),
        requires_latest=True,
        drafts=True,
    ),
    CloseSessionRound: Handler(
        coop_rounds.close_round,
        HEAD_REFEREE_UP,
        venues=_all_venues,
        formats=("coop",),
        version=_session_round_changed,
        requires_latest=True,
        drafts=True,
    ),
}
HANDLERS = with_versions(_ROWS, THINGS, NEW_ROUNDS)
"""Command -> its row. Every command of pairing is here, or a test fails."""
