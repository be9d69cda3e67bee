"""Drafts of rounds and cuts, kept as private rows, and their publication.

A draft is a private row. Decisions see it as a round or cut of the state that `with_drafts` returns, and return the
events that would change it. `keep_back` does not append these events: it writes them to the row.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec import Struct
from msgspec.structs import replace

from services.pairing.guards import RoundNotClosed, current_round, seed_of
from services.pairing.rounds import pairings_drawn, refuse_other_than_next
from shared.log.event import Actor, Event, EventTooLarge, canonical
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


def complete(state: Tournament, command: PublishRound | PublishDueRound) -> PublishRound | PublishDueRound:
    """Return the command with the draft that it publishes, so that it can be decided from the log alone."""
    draft = round_draft(state)
    if draft is None or draft.paired.round != command.round:
        return command
    whole = replace(command, paired=draft.paired, pairings=draft.pairings)
    return replace(whole, at=draft.publish_at, set_by=draft.set_by) if isinstance(whole, PublishDueRound) else whole


def publish(state: Tournament, command: PublishRound, context: Context) -> Sequence[Event | PrivateRow]:
    """Publish a draft as it is; or set the time at which that happens.

    state: without drafts. Raises as `current_round`, RoundAlreadyPublished, RoundNotClosed if the round before was
    opened again, and PublicationPast.
    """
    paired = _need_draft(state, command.round, command.paired)
    if command.at is None:
        return _published(state, paired, command.pairings, context)
    at, draft = future_time(command.at, context.now), _draft(state)
    if at == draft.publish_at:
        return []
    return [round_row(replace(draft, publish_at=at, set_by=recorded_actor(state, context.by)))]


def cancel(state: Tournament, command: CancelPublication, context: Context) -> Sequence[PrivateRow]:
    """Cancel the time set for a draft. Raises as `current_round`, and RoundAlreadyPublished."""
    round = current_round(state, command.round)
    if not round.draft:
        raise RoundAlreadyPublished(f"Round {round.number} is published.", round=round.number)
    return [round_row(replace(_draft(state), publish_at="", set_by=None))] if round.publish_at else []


def publish_due(state: Tournament, command: PublishDueRound, context: Context) -> Sequence[Event | PrivateRow]:
    """Publish a draft whose time has come. Raises as `publish`, and PublicationNotDue."""
    require_due(command.at, context.now, f"Round {command.round} is", round=command.round)
    return _published(state, _need_draft(state, command.round, command.paired), command.pairings, context)


def _draft(state: Tournament) -> RoundDraft:
    draft = round_draft(state)
    assert draft is not None  # it completed the command, or is a round of this state
    return draft


def _need_draft(state: Tournament, number: int, paired: RoundPaired | None) -> RoundPaired:
    if paired is None:
        round = current_round(state, number)
        raise RoundAlreadyPublished(f"Round {round.number} is published.", round=round.number)
    return paired


def _published(
    state: Tournament, paired: RoundPaired, pairings: Sequence[Seat], context: Context
) -> list[Event | PrivateRow]:
    require_running(state)
    refuse_other_than_next(state, paired.round)
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
    return [*pairings_drawn(paired.round, pairings), paired, round_row(None)]


def refuse_draft_of_cut(state: Tournament) -> None:
    """Raises CutNotPublished for a cut that is still a draft."""
    after = state.rounds.cut_after
    if state.rounds.cut_draft:
        raise CutNotPublished(f"The cut after round {after} is a draft; publish it first.", after_round=after)


def refuse_own_game(state: Tournament, by: By, round: Round, players: Collection[str]) -> None:
    """Staff who play change no draft of their own game where the ruleset leaves their games to others (AR-AMB-20).

    players: who sits in what changes, before or after. Raises OwnGame.
    """
    rules, member = rules_of(state.entries).staff or DEFAULT_STAFF_RULES, state.entries.staff.get(by.actor)
    if not round.draft or rules.own_games or member is None or member.player not in players:
        return
    clause = rules.cites("own_games")
    raise OwnGame(f"{member.name} plays in what would change; another one of the staff changes it.", clause=clause)


def refuse_draft(round: Round) -> None:
    """Raises RoundNotPublished for a round that is still a draft."""
    if round.draft:
        raise RoundNotPublished(f"Round {round.number} is a draft; publish it first.", round=round.number)


class RoundAlreadyPublished(Refusal):
    """The round is no draft, or none any more. data.round: which."""

    code = "round-already-published"


class RoundNotPublished(Refusal):
    """The round is a draft, which nobody plays. data.round: which."""

    code = "round-not-published"


class DraftOutdated(Refusal):
    """The draft was drawn from a secret that is lost. data.round: which round."""

    code = "draft-outdated"


class OwnGame(Refusal):
    """Somebody of the staff changes a draft of their own game, and the ruleset leaves it to another one.

    data.clause: that says so.
    """

    code = "own-game"


class CutNotPublished(Refusal):
    """The cut is a draft, from which nothing is paired. data.after_round: after which round it was made."""

    code = "cut-not-published"
