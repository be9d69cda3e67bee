"""Rounds and cuts that are not published yet: private rows of pairing, and how commands change them.

Decisions know a draft as a round or cut of the state `with_drafts`, and return the events that would change it. For a
draft these events are not appended: `keep_back` turns them into the row that takes the place of the one before.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from shared.log.event import Actor, Event, EventTooLarge, canonical
from shared.tournament.guards import CUT, ROUNDS, Context, recorded_actor
from shared.tournament.rounds import (
    EVOLVE,
    CutMade,
    DraftChange,
    PairingAmended,
    PairingsDrawn,
    RoundPaired,
    Rounds,
    RoundWithdrawn,
    Seat,
    SeatGivenUp,
    TableMoved,
)
from shared.tournament.state import PrivateRow, Tournament

ROUND_ROW, CUT_ROW = "round", "cut"
"""Kinds of rows."""
DRAFT = "draft"
"""The id of a row: a tournament has one draft of a round, and one of a cut."""
LARGEST_CHANGES = 48 * 1024
"""Bytes of RoundPaired in a draft; its changes by hand are the part of it that grows."""


class RoundDraft(Struct, frozen=True):
    """A round as its publication would record it.

    base: `Rounds.last_paired` when it was paired. A draft with another base is superseded, or came back with an older
    database, and counts for nothing. publish_at: when it is to be published, empty for no time; set_by: by whom.
    """

    paired: RoundPaired
    pairings: list[Seat]
    base: int
    publish_at: str = ""
    set_by: Actor | None = None


class CutDraft(Struct, frozen=True):
    """A cut as its publication would record it. base: `Rounds.cut_changed` when it was made; as of `RoundDraft`."""

    made: CutMade
    given_up: list[SeatGivenUp]
    base: int
    publish_at: str = ""
    set_by: Actor | None = None


class _Place(Struct, frozen=True):
    """What folding asks of an event, for one that is in no log."""

    position: int
    source: str = "pairing"
    type: str = ""
    version: int = 1
    time: str = ""
    actor: str = ""
    data: str = ""


def round_draft(state: Tournament) -> RoundDraft | None:
    """Return the draft of the next round, if there is one."""
    draft = state.private.body(ROUND_ROW, DRAFT)
    return draft if isinstance(draft, RoundDraft) and draft.base == state.rounds.last_paired else None


def cut_draft(state: Tournament) -> CutDraft | None:
    """Return the draft of the cut, if there is one."""
    draft = state.private.body(CUT_ROW, DRAFT)
    return draft if isinstance(draft, CutDraft) and draft.base == state.rounds.cut_changed else None


def with_drafts(state: Tournament) -> Tournament:
    """Return the state in which drafts are rounds and cuts like others, marked as drafts; the state itself if none."""
    round, cut = round_draft(state), cut_draft(state)
    if round is None and cut is None:
        return state
    rounds = replace(state.rounds, rounds=dict(state.rounds.rounds), drawn=[])
    if cut is not None:
        for event in (cut.made, *cut.given_up):
            _evolve(rounds, event, cut.base)
        rounds.cut_draft, rounds.cut_publish_at = True, cut.publish_at
    if round is not None:
        rounds.drawn = list(round.pairings)
        _evolve(rounds, round.paired, round.base)
        drafted = rounds.rounds[round.paired.round]
        drafted.draft, drafted.publish_at = True, round.publish_at
    return replace(state, rounds=rounds)


def _evolve(rounds: Rounds, event: Event, position: int) -> None:
    EVOLVE[type(event)](rounds, event, _Place(position))


def drafts_rounds(state: Tournament) -> bool:
    """Return True if a round that is paired now is a draft at first."""
    return ROUNDS in state.entries.on_purpose


def drafts_cut(state: Tournament) -> bool:
    """Return True if a cut that is made now is a draft at first."""
    return CUT in state.entries.on_purpose


def keep_back(state: Tournament, events: Sequence[Event], context: Context) -> list[Event | PrivateRow]:
    """Return the events to append, and the rows of the drafts that the others change.

    state: with drafts, as the decision saw it. events: as it returned them. Raises EventTooLarge if a draft could not
    be published any more.
    """
    kept: list[Event | PrivateRow] = []
    known, known_cut = round_draft(state), cut_draft(state)
    round, cut, base, drawn = known, known_cut, state.rounds.last_paired, list[Seat]()
    for event in events:
        if isinstance(event, PairingsDrawn) and drafts_rounds(state):
            drawn += event.pairings
        elif isinstance(event, RoundPaired) and drafts_rounds(state):
            round = RoundDraft(event, drawn, base)
        elif isinstance(event, RoundWithdrawn) and round is not None and event.round == round.paired.round:
            round = None
        elif isinstance(event, PairingAmended | TableMoved) and round is not None and event.round == round.paired.round:
            round = _changed(round, event, recorded_actor(state, context.by), context.now)
        elif isinstance(event, CutMade) and drafts_cut(state):
            cut = CutDraft(event, [], state.rounds.cut_changed)
        elif isinstance(event, SeatGivenUp) and cut is not None:
            cut = replace(cut, given_up=[*cut.given_up, event])
        else:
            kept.append(event)
            if isinstance(event, RoundWithdrawn):
                base = context.heads[context.source].position + len(kept)
    if round is not known:
        kept.append(round_row(round))
    if cut is not known_cut:
        kept.append(cut_row(cut))
    return kept


def round_row(draft: RoundDraft | None) -> PrivateRow:
    """Return the row of the draft of a round; None removes it. Raises EventTooLarge."""
    if draft is None:
        return PrivateRow(ROUND_ROW, DRAFT, None)
    size = len(canonical(draft.paired).encode())
    if size > LARGEST_CHANGES:
        raise EventTooLarge(
            f"The changes by hand would take {size} bytes of the event that publishes the round; it holds "
            f"{LARGEST_CHANGES} at most. Pair the round again."
        )
    answer = {"id": str(draft.paired.round), "left_out": draft.paired.left_out}
    return PrivateRow(ROUND_ROW, DRAFT, draft, draft.publish_at, answer)


def cut_row(draft: CutDraft | None) -> PrivateRow:
    """Return the row of the draft of the cut; None removes it."""
    return PrivateRow(CUT_ROW, DRAFT, draft, draft.publish_at if draft else "")


def _changed(draft: RoundDraft, event: PairingAmended | TableMoved, actor: Actor, time: str) -> RoundDraft:
    """Return a draft after a change by hand, which is kept with it."""
    seats = {seat.game: seat for seat in draft.pairings}
    if isinstance(event, TableMoved):
        after = [replace(seats[event.game], venue=event.venue, table=event.table, wave=1)]
        removed: list[str] = []
    else:
        after, removed = event.pairings, event.removed
    before = [seats[game] for game in dict.fromkeys((*removed, *(seat.game for seat in after))) if game in seats]
    games = draft.paired.games + sum(seat.game not in seats for seat in after)
    for game in removed:
        del seats[game]
    seats.update((seat.game, seat) for seat in after)
    change = DraftChange(actor=actor, time=time, reason=event.reason, before=before, after=after)
    paired = replace(draft.paired, games=games, changes=[*draft.paired.changes, change])
    return replace(draft, paired=paired, pairings=list(seats.values()))
