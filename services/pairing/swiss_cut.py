"""Decisions about the elimination stage and about spare players: who goes on, who gives a seat up, who stands by."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from services.pairing.swiss.decide import due_places, ready_for_next
from services.pairing.swiss.elimination import replaced
from services.pairing.tournament.commands import (
    CancelCutPublication,
    GiveUpSeat,
    MakeCut,
    OfferSpare,
    PublishCut,
    PublishDueCut,
    RecallSpare,
)
from services.pairing.tournament.manual import PLAYING_STAFF
from services.pairing.tournament.refusals import (
    CutAlreadyPublished,
    CutStands,
    NoCut,
    NoSpare,
    NotInCut,
    SpareTaken,
    StaffUnknown,
    StandingsNotPublished,
)
from services.pairing.tournament.state import player_of
from services.pairing.tournament.unpublished import CutDraft, cut_draft, cut_row
from shared.log.event import Event
from shared.refusals import Fault, expects
from shared.swiss.games import ruleset_of
from shared.swiss.ranking import closed_standings
from shared.tournament.guards import Context, recorded_actor, running
from shared.tournament.results import StandingRow
from shared.tournament.rounds import (
    CutMade,
    SeatGivenUp,
    SpareAvailable,
    SpareUnavailable,
    need_due,
    time_to_come,
)
from shared.tournament.state import PrivateRow, Tournament


def make(state: Tournament, command: MakeCut, context: Context) -> Sequence[Event]:
    """The first so many of the recorded standings who are still there go on, in that order.

    Until the first elimination pairing it may be made again, and the last one holds.
    Raises NoCut, CutStands, RoundNotClosed, StandingsNotPublished.
    Source: DW-CUT-1, DW-RND-1, DW-RND-2, AR-CUT-1, FF-CUT-1.
    """
    cut = ruleset_of(running(state)).cut
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
    at = time_to_come(command.at, context.now)
    if at == draft.publish_at:
        return []
    return [cut_row(replace(draft, publish_at=at, set_by=recorded_actor(state, context.by)))]


def cancel_publication(state: Tournament, command: CancelCutPublication, context: Context) -> Sequence[PrivateRow]:
    """Cancel the time set for the draft of the cut. Raises NoCut, CutAlreadyPublished."""
    draft = _draft_of_cut(state)
    return [cut_row(replace(draft, publish_at="", set_by=None))] if draft.publish_at else []


def publish_due(state: Tournament, command: PublishDueCut, context: Context) -> Sequence[Event | PrivateRow]:
    """Publish the draft of the cut whose time has come. Raises NoCut, CutAlreadyPublished, PublicationNotDue."""
    need_due(command.at, context.now, "The cut is")
    return _published(state, command.made, command.given_up)


def _published(
    state: Tournament, made: CutMade | None, given_up: Sequence[SeatGivenUp]
) -> Sequence[Event | PrivateRow]:
    running(state)
    if made is None:
        raise _no_draft(state)
    return [made, *given_up, cut_row(None)]


def _draft_of_cut(state: Tournament) -> CutDraft:
    """Return the draft of the cut. Raises NoCut, CutAlreadyPublished."""
    running(state)
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
    running(state)
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
    entries = running(state)
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
    running(state)
    leaving = [staff for staff in state.rounds.spares if command.staff in ("", staff)]
    return [SpareUnavailable(staff=staff) for staff in leaving]


def _next_in_standings(state: Tournament) -> str:
    """The best who is active, not in the cut, and has not given a seat up; empty when there is nobody."""
    standings = closed_standings(state, state.rounds.cut_after)
    taken = {*state.rounds.cut, *state.rounds.given_up}
    players = state.entries.players
    waiting = [row.player for row in standings.rows if row.player not in taken] if standings else []
    return next((player for player in waiting if players[player].status == "active"), "")
