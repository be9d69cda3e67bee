"""The cut: making, publishing, giving up seats; spare players on standby."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, NamedTuple

from msgspec.structs import replace

from services.pairing.guards import player_of
from services.pairing.plans import PLAYING_STAFF
from services.pairing.publication import NO_CUT_DRAFT, CutDraft, cut_draft, schedule, unschedule
from services.pairing.swiss_bracket import replace_players
from services.pairing.swiss_rounds import cut_places_due, next_round_number
from shared.log.event import Actor, Event
from shared.refusals import Fault, Refusal, expects
from shared.shapes import Command, Id, Whole
from shared.swiss.games import ruleset_of
from shared.swiss.ranking import closed_standings
from shared.tournament.guards import Context, require_running
from shared.tournament.results import StandingRow
from shared.tournament.rounds import (
    CutMade,
    PublishedAt,
    SeatGivenUp,
    SpareAvailable,
    SpareUnavailable,
    require_due,
)
from shared.tournament.state import PrivateRow, Tournament


class OfferSpare(Command, frozen=True, kw_only=True):
    """Put a member of staff on standby as the spare player."""

    staff: Annotated[Id, "The id of a spare player, organiser or referee."]


class RecallSpare(Command, frozen=True, kw_only=True):
    """Take spare players off standby."""

    staff: Annotated[Id, "Default: all spare players on standby."] = ""


class MakeCut(Command, frozen=True, kw_only=True):
    """Make the cut from the recorded standings."""

    places: Annotated[int | None, Whole(2, 1024), "Default: the ruleset's number for these players."] = None


class PublishCut(Command, frozen=True, kw_only=True):
    """Publish a draft cut: now, or at the time `at`. Until then it stays a draft."""

    at: PublishedAt = None
    made: Annotated[CutMade | None, "The draft; added by the service."] = None
    given_up: Annotated[list[SeatGivenUp], "The seats given up in the draft; added by the service."] = []


class CancelCutPublication(Command, frozen=True, kw_only=True):
    """Cancel the scheduled publication of the cut. It stays a draft until someone publishes it."""


class PublishDueCut(Command, frozen=True, kw_only=True):
    """Publish a draft cut whose scheduled time has come. made, given_up: as in PublishCut."""

    at: Annotated[str, "The scheduled time."] = ""
    set_by: Annotated[Actor | None, "The actor who scheduled the publication."] = None
    made: CutMade | None = None
    given_up: list[SeatGivenUp] = []


class GiveUpSeat(Command, frozen=True, kw_only=True):
    """Give up a player's seat in the cut."""

    player: Id


def make(state: Tournament, command: MakeCut, context: Context) -> Sequence[Event]:
    """Take the top active players of the recorded standings into the elimination stage, in that order.

    The cut may be made again until the first elimination round is paired; the last one counts.
    Raises NoCut, CutStands, RoundNotClosed, StandingsNotPublished.
    Source: DW-CUT-1, DW-RND-1, DW-RND-2, AR-CUT-1, FF-CUT-1.
    """
    cut = ruleset_of(require_running(state)).cut
    if cut.bracket == "none":
        detail = "The ruleset has no elimination stage; the final standings decide."
        raise NoCut(detail, status="none", clause=cut.clause)
    after = next_round_number(state) - 1
    if state.rounds.cut and after > state.rounds.cut_after:
        raise CutStands("Elimination has begun.", after_round=state.rounds.cut_after)
    places = command.places or cut_places_due(state, after)
    if not places:
        raise NoCut(
            f"The ruleset has no cut after round {after}; say how many go on.",
            [Fault("/places", "nothing", expects("at-least", least=2))],
            status="places",
            clause=cut.clause,
        )
    if after in state.results.held_back:
        detail = f"The standings after round {after} are held back; publish them, and make the cut from them."
        raise StandingsNotPublished(detail, round=after)
    recorded = state.results.recorded.get(after)
    players = state.entries.players
    ranked = [row.player for row in recorded.rows if players[row.player].status == "active"] if recorded else []
    seeds = ranked[:places]
    if recorded is None or len(seeds) < 2:
        detail = f"A cut needs at least 2 players who can go on; there are {len(seeds)}."
        raise NoCut(detail, status="players", clause=cut.clause)
    if state.rounds.cut == seeds and state.rounds.cut_after == after:
        return []
    return [CutMade(after_round=after, seeds=seeds, made_from=recorded.position)]


def complete(state: Tournament, command: PublishCut | PublishDueCut) -> PublishCut | PublishDueCut:
    """Return the command with the draft that it publishes, so that an audit can decide it from the log only."""
    draft = cut_draft(state)
    if draft is None:
        return command
    command = replace(command, made=draft.made, given_up=draft.given_up)
    if isinstance(command, PublishDueCut):
        command = replace(command, at=draft.publish_at, set_by=draft.set_by)
    return command


def publish(state: Tournament, command: PublishCut, context: Context) -> Sequence[Event | PrivateRow]:
    """Publish a draft cut, or schedule its publication.

    state: without drafts. Raises NoCut, CutAlreadyPublished, PublicationPast.
    """
    if command.at is None:
        return _publish(state, command)
    return schedule(state, _require_draft(state), command.at, context)


def cancel_publication(state: Tournament, command: CancelCutPublication, context: Context) -> Sequence[PrivateRow]:
    """Cancel the scheduled publication of the cut. Raises NoCut, CutAlreadyPublished."""
    return unschedule(_require_draft(state))


def publish_due(state: Tournament, command: PublishDueCut, context: Context) -> Sequence[Event | PrivateRow]:
    """Publish a draft cut whose time has come. Raises NoCut, CutAlreadyPublished, PublicationNotDue."""
    require_due(command.at, context.now, "The cut is")
    return _publish(state, command)


def _publish(state: Tournament, command: PublishCut | PublishDueCut) -> Sequence[Event | PrivateRow]:
    require_running(state)
    if command.made is None:
        raise _no_draft(state)
    return [command.made, *command.given_up, NO_CUT_DRAFT]


def _require_draft(state: Tournament) -> CutDraft:
    require_running(state)
    if (draft := cut_draft(state)) is None:
        raise _no_draft(state)
    return draft


def _no_draft(state: Tournament) -> NoCut | CutAlreadyPublished:
    rounds = state.rounds
    if not rounds.cut:
        return NoCut("No cut was made yet.", status="not-made", clause=ruleset_of(state.entries).cut.clause)
    return CutAlreadyPublished(f"The cut after round {rounds.cut_after} is published.", after_round=rounds.cut_after)


def give_up(state: Tournament, command: GiveUpSeat, context: Context) -> Sequence[Event]:
    """Give up a seat of the cut (DW-AMB-11).

    Before the first elimination round is paired, the next player in the standings moves up. Later the opponent has a
    walkover. In a round that is paired and has not started, the place becomes empty at once.
    """
    require_running(state)
    rounds = state.rounds
    player = player_of(state.entries, command.player)
    if player.id not in rounds.cut:
        raise NotInCut(f"{player.name} is not in the cut.", [Fault("/player", player.id, expects("player-of-cut"))])
    if rounds.given_up.get(player.id) == "":
        return []
    latest = rounds.latest()
    elimination_begun = bool(rounds.bracket) or (latest is not None and latest.stage == "elimination")
    promoted = "" if elimination_begun else _next_in_standings(state)
    given_up: list[Event] = [SeatGivenUp(player=player.id, promoted=promoted)]
    if latest is None or latest.stage != "elimination" or latest.has_started:
        return given_up
    if latest.number in state.results.closed or not any(player.id in seat.players for seat in latest.seats.values()):
        return given_up
    return [*given_up, *replace_players(state, latest, {player.id: ""}, f"{player.name} has given the seat up")]


class LineTie(NamedTuple):
    """A tied group that the cut divides. drawn: True if a recorded draw ordered its players."""

    rows: Sequence[StandingRow]
    drawn: bool


def tie_at_line(state: Tournament) -> LineTie | None:
    """Return the tied group of which some players are in the cut and some are not.

    Return None if a column of the standings separates them, or the standings have changed since or are held back.
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
    """Put a member of staff on standby; at most one per venue, and one without a venue (FF-SPARE-1, FF-AMB-30)."""
    entries = require_running(state)
    rules = ruleset_of(entries).result
    if "spare" not in rules.kinds:
        raise NoSpare("The ruleset has no game against a spare player.", clause=rules.cites("kinds"))
    member = entries.staff.get(command.staff)
    if member is None or not member.active or member.role not in PLAYING_STAFF:
        raise StaffUnknown(
            f"No playing member of the staff has the id {command.staff}.",
            [Fault("/staff", command.staff, expects("spare-player"))],
        )
    if member.id in state.rounds.spares:
        return []
    for id in state.rounds.spares:
        spare = entries.staff[id]
        if spare.active and spare.venue == member.venue:
            raise SpareTaken(f"{spare.name} is already standing by.", staff=id)
    return [SpareAvailable(staff=member.id)]


def recall_spare(state: Tournament, command: RecallSpare, context: Context) -> Sequence[Event]:
    """Take one spare player, or all of them, off standby."""
    require_running(state)
    return [SpareUnavailable(staff=staff) for staff in state.rounds.spares if command.staff in ("", staff)]


def _next_in_standings(state: Tournament) -> str:
    """Return the best active player who is not in the cut and has not given up a seat; empty if there is none."""
    standings = closed_standings(state, state.rounds.cut_after)
    taken = {*state.rounds.cut, *state.rounds.given_up}
    players = state.entries.players
    waiting = [row.player for row in standings.rows if row.player not in taken] if standings else []
    return next((player for player in waiting if players[player].status == "active"), "")


class StaffUnknown(Refusal):
    """No active member of staff has this id, or their role may not play."""

    code = "staff-unknown"


class SpareTaken(Refusal):
    """A spare player is already on standby at the venue."""

    code = "spare-taken"


class NoSpare(Refusal):
    """The ruleset has no games against a spare player."""

    code = "no-spare"


class NoCut(Refusal):
    """The ruleset has no cut, or none can be made now. data: `status` says why."""

    code = "no-cut"


class CutAlreadyPublished(Refusal):
    """The cut is not a draft, or no longer one. data: `after_round`."""

    code = "cut-already-published"


class StandingsNotPublished(Refusal):
    """The standings for the cut are held back. data: `round`."""

    code = "standings-not-published"


class CutStands(Refusal):
    """Elimination has begun, so the cut cannot be made again."""

    code = "cut-stands"


class NotInCut(Refusal):
    """The player has no seat in the cut, or no longer has one."""

    code = "not-in-cut"
