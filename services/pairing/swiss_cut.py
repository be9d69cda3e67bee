"""The cut: made, published, seats given up; spare players who stand by."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, NamedTuple

from msgspec.structs import replace

from services.pairing.guards import player_of
from services.pairing.plans import PLAYING_STAFF
from services.pairing.publication import CutDraft, cut_draft, cut_row
from services.pairing.swiss_bracket import replaced
from services.pairing.swiss_rounds import due_places, ready_for_next
from shared.log.event import Actor, Event
from shared.refusals import Fault, Refusal, expects
from shared.shapes import Command, Id, Whole
from shared.swiss.games import ruleset_of
from shared.swiss.ranking import closed_standings
from shared.tournament.guards import Context, recorded_actor, require_running
from shared.tournament.results import StandingRow
from shared.tournament.rounds import (
    CutMade,
    PublishedAt,
    SeatGivenUp,
    SpareAvailable,
    SpareUnavailable,
    future_time,
    require_due,
)
from shared.tournament.state import PrivateRow, Tournament


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


class GiveUpSeat(Command, frozen=True, kw_only=True):
    """player: who gives the seat up."""

    player: Id


def make(state: Tournament, command: MakeCut, context: Context) -> Sequence[Event]:
    """The first so many of the recorded standings who are still there go on, in that order.

    Until the first elimination pairing it may be made again, and the last one holds.
    Raises NoCut, CutStands, RoundNotClosed, StandingsNotPublished.
    Source: DW-CUT-1, DW-RND-1, DW-RND-2, AR-CUT-1, FF-CUT-1.
    """
    cut = ruleset_of(require_running(state)).cut
    if cut.bracket == "none":
        said = "The ruleset has no elimination stage; the final standings decide."
        raise NoCut(said, status="none", clause=cut.clause)
    after = ready_for_next(state) - 1
    if state.rounds.cut and after > state.rounds.cut_after:
        raise CutStands("Elimination has begun.", after_round=state.rounds.cut_after)
    places = command.places or due_places(state, after)
    if not places:
        raise NoCut(
            f"The ruleset has no cut after round {after}; say how many go on.",
            [Fault("/places", "nothing", expects("at-least", least=2))],
            status="places",
            clause=cut.clause,
        )
    if after in state.results.held_back:
        said = f"The standings after round {after} are held back; publish them, and make the cut from them."
        raise StandingsNotPublished(said, round=after)
    recorded = state.results.recorded.get(after)
    players = state.entries.players
    ranked = [row.player for row in recorded.rows if players[row.player].status == "active"] if recorded else []
    seeds = ranked[:places]
    if recorded is None or len(seeds) < 2:
        said = f"A cut needs at least 2 players who can go on; there are {len(seeds)}."
        raise NoCut(said, status="players", clause=cut.clause)
    if state.rounds.cut == seeds and state.rounds.cut_after == after:
        return []
    return [CutMade(after_round=after, seeds=seeds, made_from=recorded.position)]


def complete(state: Tournament, command: PublishCut | PublishDueCut) -> PublishCut | PublishDueCut:
    """Return the command with the draft that it publishes, so that it can be decided from the log alone."""
    draft = cut_draft(state)
    if draft is None:
        return command
    whole = replace(command, made=draft.made, given_up=draft.given_up)
    return replace(whole, at=draft.publish_at, set_by=draft.set_by) if isinstance(whole, PublishDueCut) else whole


def publish(state: Tournament, command: PublishCut, context: Context) -> Sequence[Event | PrivateRow]:
    """Publish the draft of the cut as it is; or set the time at which that happens.

    state: without drafts. Raises NoCut, CutAlreadyPublished, PublicationPast.
    """
    if command.at is None:
        return _published(state, command.made, command.given_up)
    draft = _draft_of_cut(state)
    at = future_time(command.at, context.now)
    if at == draft.publish_at:
        return []
    return [cut_row(replace(draft, publish_at=at, set_by=recorded_actor(state, context.by)))]


def cancel_publication(state: Tournament, command: CancelCutPublication, context: Context) -> Sequence[PrivateRow]:
    """Cancel the time set for the draft of the cut. Raises NoCut, CutAlreadyPublished."""
    draft = _draft_of_cut(state)
    return [cut_row(replace(draft, publish_at="", set_by=None))] if draft.publish_at else []


def publish_due(state: Tournament, command: PublishDueCut, context: Context) -> Sequence[Event | PrivateRow]:
    """Publish the draft of the cut whose time has come. Raises NoCut, CutAlreadyPublished, PublicationNotDue."""
    require_due(command.at, context.now, "The cut is")
    return _published(state, command.made, command.given_up)


def _published(
    state: Tournament, made: CutMade | None, given_up: Sequence[SeatGivenUp]
) -> Sequence[Event | PrivateRow]:
    require_running(state)
    if made is None:
        raise _no_draft(state)
    return [made, *given_up, cut_row(None)]


def _draft_of_cut(state: Tournament) -> CutDraft:
    """Return the draft of the cut. Raises NoCut, CutAlreadyPublished."""
    require_running(state)
    if (draft := cut_draft(state)) is None:
        raise _no_draft(state)
    return draft


def _no_draft(state: Tournament) -> NoCut | CutAlreadyPublished:
    rounds = state.rounds
    if not rounds.cut:
        return NoCut("No cut was made yet.", status="not-made", clause=ruleset_of(state.entries).cut.clause)
    said = f"The cut after round {rounds.cut_after} is published."
    return CutAlreadyPublished(said, after_round=rounds.cut_after)


def give_up(state: Tournament, command: GiveUpSeat, context: Context) -> Sequence[Event]:
    """Before the first elimination pairing the next in the standings moves up; later it is a walkover. DW-AMB-11.

    In a round that is paired and has not started the place is empty at once, and the other places stay.
    """
    require_running(state)
    rounds = state.rounds
    player = player_of(state.entries, command.player)
    if player.id not in rounds.cut:
        raise NotInCut(f"{player.name} is not in the cut.", [Fault("/player", player.id, expects("player-of-cut"))])
    if rounds.given_up.get(player.id) == "":
        return []
    latest = rounds.latest()
    begun = bool(rounds.bracket) or (latest is not None and latest.stage == "elimination")
    promoted = "" if begun else _next_in_standings(state)
    given_up: list[Event] = [SeatGivenUp(player=player.id, promoted=promoted)]
    if latest is None or latest.stage != "elimination" or latest.status == "started":
        return given_up
    if latest.number in state.results.closed or not any(player.id in seat.players for seat in latest.seats.values()):
        return given_up
    return [*given_up, *replaced(state, latest, {player.id: ""}, f"{player.name} has given the seat up")]


class LineTie(NamedTuple):
    """The whole tied group through which the line of a cut goes. drawn: a recorded draw put its players in order."""

    rows: Sequence[StandingRow]
    drawn: bool


def tie_at_line(state: Tournament) -> LineTie | None:
    """Return the tied players of whom some are in the cut and some are not; None if a column separates the two.

    None too where the standings from which the cut was made are others by now, or not shown.
    """
    rounds = state.rounds
    recorded = state.results.recorded.get(rounds.cut_after)
    if not rounds.cut or recorded is None or recorded.position != rounds.cut_made_from:
        return None
    last = max(place for place, row in enumerate(recorded.rows) if row.player in rounds.cut)
    values = recorded.rows[last].values
    group = [row for row in recorded.rows if row.tied and row.values == values and row.status != "disqualified"]
    if not any(row in group and row.status == "active" for row in recorded.rows[last + 1 :]):
        return None
    players = {row.player for row in group}
    return LineTie(group, any(players <= set(draw.order) for draw in recorded.draws))


def offer_spare(state: Tournament, command: OfferSpare, context: Context) -> Sequence[Event]:
    """Somebody of the staff stands by; one is enough for a venue, or for everywhere (FF-SPARE-1, FF-AMB-30)."""
    entries = require_running(state)
    form = ruleset_of(entries).result
    if "spare" not in form.kinds:
        raise NoSpare("The ruleset has no game against a spare player.", clause=form.cites("kinds"))
    member = entries.staff.get(command.staff)
    if member is None or not member.active or member.role not in PLAYING_STAFF:
        raise StaffUnknown(
            f"No playing member of the staff has the id {command.staff}.",
            [Fault("/staff", command.staff, expects("spare-player"))],
        )
    if member.id in state.rounds.spares:
        return []
    for other in state.rounds.spares:
        if entries.staff[other].active and entries.staff[other].venue == member.venue:
            raise SpareTaken(f"{entries.staff[other].name} is already standing by.", staff=other)
    return [SpareAvailable(staff=member.id)]


def recall_spare(state: Tournament, command: RecallSpare, context: Context) -> Sequence[Event]:
    """No spare player any more: this one, or all of them."""
    require_running(state)
    leaving = [staff for staff in state.rounds.spares if command.staff in ("", staff)]
    return [SpareUnavailable(staff=staff) for staff in leaving]


def _next_in_standings(state: Tournament) -> str:
    """The best who is active, not in the cut, and has not given a seat up; empty when there is nobody."""
    standings = closed_standings(state, state.rounds.cut_after)
    taken = {*state.rounds.cut, *state.rounds.given_up}
    players = state.entries.players
    waiting = [row.player for row in standings.rows if row.player not in taken] if standings else []
    return next((player for player in waiting if players[player].status == "active"), "")


class StaffUnknown(Refusal):
    """Nobody of this id is on the staff, or their role does not play."""

    code = "staff-unknown"


class SpareTaken(Refusal):
    """There is a spare player already, and one is enough for a venue."""

    code = "spare-taken"


class NoSpare(Refusal):
    """The ruleset has no results of games against a spare player."""

    code = "no-spare"


class NoCut(Refusal):
    """The ruleset has no elimination stage, or not now; data: `status`, which of it."""

    code = "no-cut"


class CutAlreadyPublished(Refusal):
    """The cut is no draft, or none any more. data.after_round: after which round it was made."""

    code = "cut-already-published"


class StandingsNotPublished(Refusal):
    """The standings that a cut is made from are held back. data.round: after which round."""

    code = "standings-not-published"


class CutStands(Refusal):
    """Elimination has begun; the cut is not made again."""

    code = "cut-stands"


class NotInCut(Refusal):
    """The player has no seat in the bracket, or not any more."""

    code = "not-in-cut"
