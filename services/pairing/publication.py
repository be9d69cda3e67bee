"""Drafts of rounds and cuts, kept as private rows, and their publication.

Decisions see a draft as a round or cut of the state that `with_drafts` returns, and return the events that would change
it. `write_to_drafts` writes these events to the row instead of appending them.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from services.pairing.guards import RoundNotClosed, current_round, seed_of
from services.pairing.rounds import pairing_pages, require_next_round
from shared.log.event import Actor, Event, EventTooLarge, canonical_json
from shared.refusals import Refusal
from shared.rules.parts import DEFAULT_STAFF_RULES
from shared.shapes import Command, Shape
from shared.tournament.format import rules_of
from shared.tournament.guards import CUT, ROUNDS, By, Context, recorded_actor, require_running
from shared.tournament.rounds import (
    EVOLVE,
    CutMade,
    DraftChange,
    PairingAmended,
    PairingsDrawn,
    PublishedAt,
    Round,
    RoundPaired,
    Rounds,
    RoundWithdrawn,
    Seat,
    SeatGivenUp,
    TableMoved,
    future_time,
    require_due,
)
from shared.tournament.state import PrivateRow, Tournament


class Publication(Shape, frozen=True, kw_only=True):
    """The time at which a draft becomes public: now, or at the time `at`."""

    at: PublishedAt = None


class PublishRound(Command, frozen=True, kw_only=True):
    """Publish a draft round: now, or at the time `at`. Until then it stays a draft."""

    round: int
    at: PublishedAt = None
    paired: Annotated[RoundPaired | None, "The draft; added by the service."] = None
    pairings: Annotated[list[Seat], "The pairings of the draft; added by the service."] = []


class CancelPublication(Command, frozen=True, kw_only=True):
    """Cancel the scheduled publication of a draft round. It stays a draft until someone publishes it."""

    round: int


class PublishDueRound(Command, frozen=True, kw_only=True):
    """Publish a draft round whose scheduled time has come. paired, pairings: as in PublishRound."""

    round: int
    at: Annotated[str, "The scheduled time."] = ""
    set_by: Annotated[Actor | None, "The actor who scheduled the publication."] = None
    paired: RoundPaired | None = None
    pairings: list[Seat] = []


ROUND_ROW, CUT_ROW = "round", "cut"
"""Kinds of private rows."""
DRAFT = "draft"
"""Row id: a tournament has at most one draft round and one draft cut."""
MAX_CHANGES = 48 * 1024
"""Maximum bytes of RoundPaired in a draft. Changes by hand accumulate in it, and an event has a size limit."""
NO_ROUND_DRAFT = PrivateRow(ROUND_ROW, DRAFT, None)
NO_CUT_DRAFT = PrivateRow(CUT_ROW, DRAFT, None)
"""Rows that delete a draft."""


class RoundDraft(Struct, frozen=True):
    """A round as its publication will record it.

    base: `Rounds.last_paired` when the draft was paired. A draft with another base is ignored: it was superseded, or
    restored from an older database. publish_at: the scheduled time, or empty. set_by: the actor who scheduled it.
    """

    paired: RoundPaired
    pairings: list[Seat]
    base: int
    publish_at: str = ""
    set_by: Actor | None = None


class CutDraft(Struct, frozen=True):
    """A cut as its publication will record it. base: `Rounds.cut_changed` when it was made. See `RoundDraft`."""

    made: CutMade
    given_up: list[SeatGivenUp]
    base: int
    publish_at: str = ""
    set_by: Actor | None = None


class _LogMetadata(Struct, frozen=True):
    """Metadata of a logged event, for folding an event that is not in a log."""

    position: int
    source: str = "pairing"
    type: str = ""
    version: int = 1
    time: str = ""
    actor: str = ""
    data: str = ""


def round_draft(state: Tournament) -> RoundDraft | None:
    """Return the draft of the next round, or None."""
    draft = state.private.body(ROUND_ROW, DRAFT)
    return draft if isinstance(draft, RoundDraft) and draft.base == state.rounds.last_paired else None


def cut_draft(state: Tournament) -> CutDraft | None:
    """Return the draft of the cut, or None."""
    draft = state.private.body(CUT_ROW, DRAFT)
    return draft if isinstance(draft, CutDraft) and draft.base == state.rounds.cut_changed else None


def with_drafts(state: Tournament) -> Tournament:
    """Return the state with drafts applied as rounds and cuts that are marked as drafts."""
    round, cut = round_draft(state), cut_draft(state)
    if round is None and cut is None:
        return state
    rounds = replace(state.rounds, rounds=dict(state.rounds.rounds), pending=[])
    if cut is not None:
        for event in (cut.made, *cut.given_up):
            _evolve(rounds, event, cut.base)
        rounds.cut_draft, rounds.cut_publish_at = True, cut.publish_at
    if round is not None:
        rounds.pending = list(round.pairings)
        _evolve(rounds, round.paired, round.base)
        drafted = rounds.rounds[round.paired.round]
        drafted.draft, drafted.publish_at = True, round.publish_at
    return replace(state, rounds=rounds)


def _evolve(rounds: Rounds, event: Event, position: int) -> None:
    EVOLVE[type(event)](rounds, event, _LogMetadata(position))


def has_draft_rounds(state: Tournament) -> bool:
    """Return True if newly paired rounds stay drafts until they are published."""
    return ROUNDS in state.entries.on_purpose


def has_draft_cut(state: Tournament) -> bool:
    """Return True if a new cut stays a draft until it is published."""
    return CUT in state.entries.on_purpose


def write_to_drafts(state: Tournament, events: Sequence[Event], context: Context) -> list[Event | PrivateRow]:
    """Apply to the drafts those events that concern a draft. Return the other events and the changed rows.

    state: with drafts, as the decision saw it. events: as the decision returned them. Raises EventTooLarge if a draft
    could no longer be published.
    """
    kept: list[Event | PrivateRow] = []
    old_round, old_cut = round_draft(state), cut_draft(state)
    round, cut, base, drawn = old_round, old_cut, state.rounds.last_paired, list[Seat]()
    for event in events:
        if isinstance(event, PairingsDrawn) and has_draft_rounds(state):
            drawn += event.pairings
        elif isinstance(event, RoundPaired) and has_draft_rounds(state):
            round = RoundDraft(event, drawn, base)
        elif isinstance(event, RoundWithdrawn) and round is not None and event.round == round.paired.round:
            round = None
        elif isinstance(event, PairingAmended | TableMoved) and round is not None and event.round == round.paired.round:
            round = _changed(round, event, recorded_actor(state, context.by), context.now)
        elif isinstance(event, CutMade) and has_draft_cut(state):
            cut = CutDraft(event, [], state.rounds.cut_changed)
        elif isinstance(event, SeatGivenUp) and cut is not None:
            cut = replace(cut, given_up=[*cut.given_up, event])
        else:
            kept.append(event)
            if isinstance(event, RoundWithdrawn):
                base = context.heads[context.source].position + len(kept)
    if round is not old_round:
        kept.append(draft_row(round) if round else NO_ROUND_DRAFT)
    if cut is not old_cut:
        kept.append(draft_row(cut) if cut else NO_CUT_DRAFT)
    return kept


def draft_row(draft: RoundDraft | CutDraft) -> PrivateRow:
    """Return the row of a draft. Raises EventTooLarge if there are too many changes by hand."""
    if isinstance(draft, CutDraft):
        return PrivateRow(CUT_ROW, DRAFT, draft, draft.publish_at)
    size = len(canonical_json(draft.paired).encode())
    if size > MAX_CHANGES:
        raise EventTooLarge(
            f"The changes by hand would take {size} bytes of the event that publishes the round; it holds "
            f"{MAX_CHANGES} at most. Pair the round again."
        )
    answer = {"id": str(draft.paired.round), "left_out": draft.paired.left_out}
    return PrivateRow(ROUND_ROW, DRAFT, draft, draft.publish_at, answer)


def schedule(state: Tournament, draft: RoundDraft | CutDraft, at: str, context: Context) -> list[PrivateRow]:
    """Set the time of publication of a draft. Return no row if it is set to that time already.

    Raises PublicationPast.
    """
    publish_at = future_time(at, context.now)
    if publish_at == draft.publish_at:
        return []
    return [draft_row(replace(draft, publish_at=publish_at, set_by=recorded_actor(state, context.by)))]


def unschedule(draft: RoundDraft | CutDraft) -> list[PrivateRow]:
    """Remove the time of publication of a draft. Return no row if none is set."""
    return [draft_row(replace(draft, publish_at="", set_by=None))] if draft.publish_at else []


def _changed(draft: RoundDraft, event: PairingAmended | TableMoved, actor: Actor, time: str) -> RoundDraft:
    """Return a draft after a change by hand, with the change on record."""
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


def complete(state: Tournament, command: PublishRound | PublishDueRound) -> PublishRound | PublishDueRound:
    """Return the command with the draft that it publishes, so that an audit can decide it from the log only."""
    draft = round_draft(state)
    if draft is None or draft.paired.round != command.round:
        return command
    command = replace(command, paired=draft.paired, pairings=draft.pairings)
    if isinstance(command, PublishDueRound):
        command = replace(command, at=draft.publish_at, set_by=draft.set_by)
    return command


def publish(state: Tournament, command: PublishRound, context: Context) -> Sequence[Event | PrivateRow]:
    """Publish a draft round, or schedule its publication.

    state: without drafts. Raises the refusals of `current_round`, RoundAlreadyPublished, PublicationPast, and
    RoundNotClosed if the previous round was reopened.
    """
    if command.at is None or command.paired is None:
        return _publish(state, command, context)
    return schedule(state, _require_draft(state), command.at, context)


def cancel(state: Tournament, command: CancelPublication, context: Context) -> Sequence[PrivateRow]:
    """Cancel the scheduled publication of a draft round.

    Raises the refusals of `current_round`, and RoundAlreadyPublished.
    """
    round = current_round(state, command.round)
    if not round.draft:
        raise RoundAlreadyPublished(f"Round {round.number} is published.", round=round.number)
    return unschedule(_require_draft(state))


def publish_due(state: Tournament, command: PublishDueRound, context: Context) -> Sequence[Event | PrivateRow]:
    """Publish a draft round whose time has come. Raises the refusals of `publish`, and PublicationNotDue."""
    require_due(command.at, context.now, f"Round {command.round} is", round=command.round)
    return _publish(state, command, context)


def _require_draft(state: Tournament) -> RoundDraft:
    draft = round_draft(state)
    assert draft is not None  # the draft completed the command, or is a round of this state
    return draft


def _publish(state: Tournament, command: PublishRound | PublishDueRound, context: Context) -> list[Event | PrivateRow]:
    paired, pairings = command.paired, command.pairings
    if paired is None:
        round = current_round(state, command.round)
        raise RoundAlreadyPublished(f"Round {round.number} is published.", round=round.number)
    require_running(state)
    require_next_round(state, paired.round)
    players = {player for seat in pairings for player in seat.players}
    if paired.seed and seed_of(state, paired.round, context, players) != paired.seed:
        raise DraftOutdated(
            f"The secret that round {paired.round} was drawn from is lost; pair the round again.", round=paired.round
        )
    before = paired.round - 1
    if before and before not in state.results.closed:
        raise RoundNotClosed(
            f"Round {before} was opened again since round {paired.round} was drafted.",
            round=before,
            games=state.open_games(before),
        )
    return [*pairing_pages(paired.round, pairings), paired, NO_ROUND_DRAFT]


def require_published_cut(state: Tournament) -> None:
    """Raise CutNotPublished if the cut is still a draft."""
    after = state.rounds.cut_after
    if state.rounds.cut_draft:
        raise CutNotPublished(f"The cut after round {after} is a draft; publish it first.", after_round=after)


def refuse_own_game(state: Tournament, by: By, round: Round, players: Collection[str]) -> None:
    """Raise OwnGame if staff change a draft of their own game, and the ruleset leaves that to others (AR-AMB-20).

    players: the players of the changed games, before and after the change.
    """
    rules, member = rules_of(state.entries).staff or DEFAULT_STAFF_RULES, state.entries.staff.get(by.actor)
    if not round.draft or rules.own_games or member is None or member.player not in players:
        return
    clause = rules.cites("own_games")
    raise OwnGame(f"{member.name} plays in what would change; another one of the staff changes it.", clause=clause)


def require_published(round: Round) -> None:
    """Raise RoundNotPublished if the round is still a draft."""
    if round.draft:
        raise RoundNotPublished(f"Round {round.number} is a draft; publish it first.", round=round.number)


class RoundAlreadyPublished(Refusal):
    """The round is not a draft, or no longer one. data: `round`."""

    code = "round-already-published"


class RoundNotPublished(Refusal):
    """The round is a draft, which cannot be played yet. data: `round`."""

    code = "round-not-published"


class DraftOutdated(Refusal):
    """The draft was drawn from a secret that is lost. data: `round`."""

    code = "draft-outdated"


class OwnGame(Refusal):
    """A member of the staff may not change a draft of their own game under this ruleset. data: `clause`."""

    code = "own-game"


class CutNotPublished(Refusal):
    """The cut is a draft, and rounds are only paired from a published cut. data: `after_round`."""

    code = "cut-not-published"
