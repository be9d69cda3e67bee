"""Drafts of rounds and cuts, kept as private rows, and their publication.

Decisions see a draft as a round or cut of the state that `with_drafts` returns, and return the events that would change
it. `write_to_drafts` writes these events to the row instead of appending them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from services.pairing.guards import RoundNotClosed, current_parts, require_next_part, seed_of
from services.pairing.rounds import pairing_pages, require_next_round
from shared.log.event import Actor, Event, EventTooLarge, canonical_json
from shared.refusals import Refusal
from shared.rules.parts import DEFAULT_STAFF_RULES
from shared.shapes import Command, Id, Shape
from shared.tournament.format import rules_of
from shared.tournament.guards import CUT, ROUNDS, By, Context, recorded_actor, require_running
from shared.tournament.parts import describe_parts
from shared.tournament.rounds import (
    EVOLVE,
    WHOLE,
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


OfDraft = Annotated[Id, "The venue whose part of the round is meant. Default: every part that is a draft."]


class RoundPublication(Publication, frozen=True, kw_only=True):
    """The time at which a draft round, or its part at one venue, becomes public."""

    venue: OfDraft = ""


class OtherDraft(Shape, frozen=True, kw_only=True):
    """Another draft of the same round. published: False if it stays a draft, and only keeps its draw."""

    paired: RoundPaired
    pairings: list[Seat] = []
    published: bool = True


class PublishRound(Command, frozen=True, kw_only=True):
    """Publish a draft round, or its part at one venue: now, or at the time `at`. Until then it stays a draft."""

    round: int
    venue: OfDraft = ""
    at: PublishedAt = None
    paired: Annotated[RoundPaired | None, "The draft; added by the service."] = None
    pairings: Annotated[list[Seat], "The pairings of the draft; added by the service."] = []
    others: Annotated[list[OtherDraft], "The drafts of other venues; added by the service."] = []


class CancelPublication(Command, frozen=True, kw_only=True):
    """Cancel the scheduled publication of a draft. It stays a draft until someone publishes it."""

    round: int
    venue: OfDraft = ""


class PublishDueRound(Command, frozen=True, kw_only=True):
    """Publish a draft whose scheduled time has come. paired, pairings, others: as in PublishRound."""

    round: int
    venue: str = ""
    at: Annotated[str, "The scheduled time."] = ""
    set_by: Annotated[Actor | None, "The actor who scheduled the publication."] = None
    paired: RoundPaired | None = None
    pairings: list[Seat] = []
    others: list[OtherDraft] = []


ROUND_ROW, CUT_ROW = "round", "cut"
"""Kinds of private rows."""
DRAFT = "draft"
"""Row id of the draft of a whole round, and of the cut. The draft of a part has the id of its venue."""
MAX_CHANGES = 48 * 1024
"""Maximum bytes of RoundPaired in a draft. Changes by hand accumulate in it, and an event has a size limit."""
NO_CUT_DRAFT = PrivateRow(CUT_ROW, DRAFT, None)
"""The row that deletes the draft of the cut."""


def no_round_draft(venue: str) -> PrivateRow:
    """Return the row that deletes the draft of a round, or of its part at a venue."""
    return PrivateRow(ROUND_ROW, venue or DRAFT, None)


class RoundDraft(Struct, frozen=True):
    """A round as its publication will record it.

    base: `Rounds.last_paired_at` its venue when the draft was paired. A draft with another base is ignored: it was
    superseded, or restored from an older database. publish_at: the scheduled time, or empty. set_by: the actor who
    scheduled it.
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


def round_draft(state: Tournament, venue: str = WHOLE) -> RoundDraft | None:
    """Return the draft of the next round, or of the next part at a venue; None if there is none."""
    draft = state.private.body(ROUND_ROW, venue or DRAFT)
    return draft if isinstance(draft, RoundDraft) and draft.base == state.rounds.last_paired_at(venue) else None


def round_drafts(state: Tournament) -> dict[str, RoundDraft]:
    """Return the drafts by venue, in the order in which they were made."""
    venues = [id if id != DRAFT else WHOLE for id in state.private.bodies(ROUND_ROW)]
    return {venue: draft for venue in venues if (draft := round_draft(state, venue))}


def drafts_of(state: Tournament, number: int, venue: str) -> dict[str, RoundDraft]:
    """Return the drafts of a round by venue: the one at a venue, or all of them if the venue is empty."""
    drafts = round_drafts(state).items()
    return {part: draft for part, draft in drafts if draft.paired.round == number and venue in ("", part)}


def cut_draft(state: Tournament) -> CutDraft | None:
    """Return the draft of the cut, or None."""
    draft = state.private.body(CUT_ROW, DRAFT)
    return draft if isinstance(draft, CutDraft) and draft.base == state.rounds.cut_changed else None


def with_drafts(state: Tournament) -> Tournament:
    """Return the state with drafts applied as rounds, parts and cuts that are marked as drafts."""
    drafts, cut = round_drafts(state), cut_draft(state)
    if not drafts and cut is None:
        return state
    rounds = copy_of(state.rounds)
    if cut is not None:
        for event in (cut.made, *cut.given_up):
            _evolve(rounds, event, cut.base)
        rounds.cut_draft, rounds.cut_publish_at = True, cut.publish_at
    last_paired, paired_at = rounds.last_paired, dict(rounds.paired_at)
    for venue, draft in drafts.items():
        rounds.pending = list(draft.pairings)
        _evolve(rounds, draft.paired, draft.base)
        drafted = rounds.rounds[draft.paired.round]
        drafted.drafts = {**drafted.drafts, venue: draft.publish_at}
    rounds.last_paired, rounds.paired_at = last_paired, paired_at
    return replace(state, rounds=rounds)


def copy_of(rounds: Rounds) -> Rounds:
    """Return a copy to which pairings can be applied without changing the original."""
    return replace(rounds, rounds=dict(rounds.rounds), pending=[], paired_at=dict(rounds.paired_at))


def with_pairings(state: Tournament, events: Sequence[Event]) -> Tournament:
    """Return the state after these pairings of a round, or of parts of it."""
    rounds = copy_of(state.rounds)
    for event in events:
        _evolve(rounds, event, rounds.last_paired)
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
    known, old_cut = round_drafts(state), cut_draft(state)
    drafts, cut, drawn = dict(known), old_cut, list[Seat]()
    bases = {venue: state.rounds.last_paired_at(venue) for venue in ("", *state.entries.venues)}
    for event in events:
        if isinstance(event, PairingsDrawn) and has_draft_rounds(state):
            drawn += event.pairings
        elif isinstance(event, RoundPaired) and has_draft_rounds(state):
            drafts[event.venue], drawn = RoundDraft(event, drawn, bases[event.venue]), []
        elif isinstance(event, RoundWithdrawn) and (taken := _withdrawn_drafts(drafts, event)):
            drafts = {venue: draft for venue, draft in drafts.items() if venue not in taken}
            round = state.rounds.rounds[event.round]
            if not event.venue and not round.draft:  # some of its parts are published
                kept.append(event)
        elif isinstance(event, PairingAmended | TableMoved) and (venue := _changed_draft(state, event)) is not None:
            drafts[venue] = _changed(drafts[venue], event, recorded_actor(state, context.by), context.now)
        elif isinstance(event, CutMade) and has_draft_cut(state):
            cut = CutDraft(event, [], state.rounds.cut_changed)
        elif isinstance(event, SeatGivenUp) and cut is not None:
            cut = replace(cut, given_up=[*cut.given_up, event])
        else:
            kept.append(event)
            if isinstance(event, RoundWithdrawn):
                position = context.heads[context.source].position + len(kept)
                bases |= dict.fromkeys(bases if not event.venue else ["", event.venue], position)
    left_out: dict[str, list[str]] = {}
    for venue, draft in drafts.items():
        for why, players in draft.paired.left_out.items() if draft is not known.get(venue) else ():
            left_out[why] = [*left_out.get(why, ()), *players]
    for venue in {**known, **drafts}:
        if drafts.get(venue) is not known.get(venue):
            kept.append(draft_row(drafts[venue], left_out) if venue in drafts else no_round_draft(venue))
    if cut is not old_cut:
        kept.append(draft_row(cut) if cut else NO_CUT_DRAFT)
    return kept


def _withdrawn_drafts(drafts: Mapping[str, RoundDraft], event: RoundWithdrawn) -> list[str]:
    """Return the venues of the drafts that a withdrawal removes."""
    return [
        venue for venue, draft in drafts.items() if draft.paired.round == event.round and event.venue in ("", venue)
    ]


def _changed_draft(state: Tournament, event: PairingAmended | TableMoved) -> str | None:
    """Return the venue of the draft that an event changes; None if it changes what is published.

    Raises RoundNotPublished if it changes several drafts, or drafts and published games.
    """
    round = state.rounds.rounds[event.round]
    if not round.drafts or WHOLE in round.drafts:
        return WHOLE if round.drafts else None
    games = [event.game] if isinstance(event, TableMoved) else [*event.removed, *(seat.game for seat in event.pairings)]
    venues = {round.seats[game].venue for game in games if game in round.seats}
    venues |= {event.venue} if isinstance(event, TableMoved) else {seat.venue for seat in event.pairings}
    if venues.isdisjoint(round.drafts):
        return None
    if len(venues) > 1:
        places = ", ".join(sorted(venues.intersection(round.drafts)))
        raise RoundNotPublished(
            f"Round {round.number} is a draft at {places}; publish it there before games change between venues.",
            round=round.number,
        )
    return venues.pop()


def draft_row(draft: RoundDraft | CutDraft, left_out: Mapping[str, list[str]] = {}) -> PrivateRow:
    """Return the row of a draft. Raises EventTooLarge if there are too many changes by hand.

    left_out: players left out of all drafts that the command makes, for its answer.
    """
    if isinstance(draft, CutDraft):
        return PrivateRow(CUT_ROW, DRAFT, draft, draft.publish_at)
    size = len(canonical_json(draft.paired).encode())
    if size > MAX_CHANGES:
        raise EventTooLarge(
            f"The changes by hand would take {size} bytes of the event that publishes the round; it holds "
            f"{MAX_CHANGES} at most. Pair the round again."
        )
    answer = {"id": str(draft.paired.round), "left_out": left_out or draft.paired.left_out}
    return PrivateRow(ROUND_ROW, draft.paired.venue or DRAFT, draft, draft.publish_at, answer)


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
    """Return the command with the drafts that it is about, so that an audit can decide it from the log only."""
    drafts = drafts_of(state, command.round, command.venue)
    if not drafts:
        return command
    first, *others = drafts.values()
    rest = [draft for venue, draft in round_drafts(state).items() if venue not in drafts]
    command = replace(
        command,
        paired=first.paired,
        pairings=first.pairings,
        others=[
            *(OtherDraft(paired=draft.paired, pairings=draft.pairings) for draft in others),
            *(OtherDraft(paired=draft.paired, pairings=draft.pairings, published=False) for draft in rest),
        ],
    )
    if isinstance(command, PublishDueRound):
        command = replace(command, at=first.publish_at, set_by=first.set_by)
    return command


def publish(state: Tournament, command: PublishRound, context: Context) -> Sequence[Event | PrivateRow]:
    """Publish a draft round or part, or schedule its publication.

    state: without drafts. Raises the refusals of `current_round`, RoundAlreadyPublished, PublicationPast, and
    RoundNotClosed if the previous round was reopened.
    """
    if command.at is None or command.paired is None:
        return _publish(state, command, context)
    drafts = drafts_of(state, command.round, command.venue)
    return [row for draft in drafts.values() for row in schedule(state, draft, command.at, context)]


def cancel(state: Tournament, command: CancelPublication, context: Context) -> Sequence[PrivateRow]:
    """Cancel the scheduled publication of a draft round or part.

    Raises the refusals of `current_parts`, and RoundAlreadyPublished.
    """
    round, parts = current_parts(state, command.round, command.venue)
    drafts = drafts_of(state, command.round, command.venue)
    if not drafts:
        raise RoundAlreadyPublished(
            f"Round {round.number} is published{describe_parts(round, parts)}.", round=round.number
        )
    return [row for draft in drafts.values() for row in unschedule(draft)]


def publish_due(state: Tournament, command: PublishDueRound, context: Context) -> Sequence[Event | PrivateRow]:
    """Publish a draft whose time has come. Raises the refusals of `publish`, and PublicationNotDue."""
    require_due(command.at, context.now, f"Round {command.round} is", round=command.round)
    return _publish(state, command, context)


def _publish(state: Tournament, command: PublishRound | PublishDueRound, context: Context) -> list[Event | PrivateRow]:
    if command.paired is None:
        round, parts = current_parts(state, command.round, command.venue)
        raise RoundAlreadyPublished(
            f"Round {round.number} is published{describe_parts(round, parts)}.", round=round.number
        )
    require_running(state)
    drafts = [OtherDraft(paired=command.paired, pairings=command.pairings), *command.others]
    events: list[Event | PrivateRow] = []
    for draft in drafts:
        if draft.published:
            _require_current(state, draft, context)
            paired = draft.paired
            events += [*pairing_pages(paired.round, draft.pairings), paired, no_round_draft(paired.venue)]
        else:
            _seed_of(state, draft, context)  # asked with the secret that ends now: the draft keeps its draw
    return events


def _seed_of(state: Tournament, draft: OtherDraft, context: Context) -> str:
    players = {player for seat in draft.pairings for player in seat.players}
    return seed_of(state, draft.paired.round, context, players, draft.paired.venue) if draft.paired.seed else ""


def _require_current(state: Tournament, draft: OtherDraft, context: Context) -> None:
    """Raise a refusal unless a draft can still be published."""
    number, venue = draft.paired.round, draft.paired.venue
    if venue:
        require_next_part(state, number, venue)
    else:
        require_next_round(state, number)
    if _seed_of(state, draft, context) != draft.paired.seed:
        raise DraftOutdated(
            f"The secret that round {number} was drawn from is lost; pair the round again.", round=number
        )
    before = number - 1
    if before and not venue and before not in state.results.closed:
        raise RoundNotClosed(
            f"Round {before} was opened again since round {number} was drafted.",
            round=before,
            games=state.open_games(before),
        )


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
    if not round.drafts or rules.own_games or member is None or member.player not in players:
        return
    clause = rules.cites("own_games")
    raise OwnGame(f"{member.name} plays in what would change; another one of the staff changes it.", clause=clause)


def require_published(round: Round, parts: Sequence[str]) -> None:
    """Raise RoundNotPublished if one of these parts of the round is still a draft."""
    drafts = [part for part in parts if round.is_draft(part)]
    if drafts:
        where = describe_parts(round, drafts)
        raise RoundNotPublished(f"Round {round.number} is a draft{where}; publish it first.", round=round.number)


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
