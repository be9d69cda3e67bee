"""Players who leave: withdrawn, dropped, disqualified, reinstated; warnings; who moves up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from services.registration.guards import (
    NotYours,
    TooLateToChange,
    active_player,
    need_seat,
    not_active,
    own_or_staff,
    player_of,
)
from shared.log.event import Event
from shared.rules.parts import DEFAULT_STAFF_RULES
from shared.shapes import Command, Id, OptionalReason, Personal, Reason, Text
from shared.tournament.format import rules_of
from shared.tournament.guards import Context, require_decider, require_running
from shared.tournament.people import Entries, Player
from shared.tournament.registration import (
    DisqualificationRevoked,
    PlayerDisqualified,
    PlayerDropped,
    PlayerPromoted,
    PlayerReinstated,
    PlayerWarned,
    PlayerWithdrawn,
)
from shared.tournament.state import Tournament


class WithdrawPlayer(Command, frozen=True, kw_only=True):
    """Why, if anybody should know; it stands in the public log."""

    player: Id
    reason: OptionalReason = ""


class DropPlayer(Command, frozen=True, kw_only=True):
    """Why, if anybody should know; it stands in the public log."""

    player: Id
    reason: OptionalReason = ""


class ReinstatePlayer(Command, frozen=True, kw_only=True):
    """A dropped player comes back."""

    player: Id


class WarnPlayer(Command, frozen=True, kw_only=True):
    """reason: what happened; clause: of the ruleset, where one says so. Both stand in the public log, for ever.

    note: what is not for everybody; kept with the player's personal data, for organiser and head referee.
    """

    player: Id
    reason: Reason
    clause: Annotated[str, Text(40)] = ""
    note: Annotated[str, Text(2000), Personal()] = ""


class DisqualifyPlayer(WarnPlayer, frozen=True, kw_only=True):
    """barred: later events that the player is kept from, as in "this club's events until 2027"; in the public log.

    reason, clause, note: as of a warning.
    """

    barred: Annotated[str, Text(200)] = ""


class RevokeDisqualification(Command, frozen=True, kw_only=True):
    """Why; it stands in the public log."""

    player: Id
    reason: Reason


def withdraw(state: Tournament, command: WithdrawPlayer, context: Context) -> Sequence[Event]:
    """Leaving before round 1 is paired; the seat goes to the first who waits."""
    entries = require_running(state)
    player = player_of(entries, command.player)
    if not own_or_staff(context, command.player):
        raise NotYours("A player may withdraw only themselves.")
    if player.status == "withdrawn":
        return []
    if player.status == "disqualified":
        raise not_active(player)
    if _has_played(state, player) and player.status != "waiting":
        since = "Round 1 is paired" if state.has_begun else "There are results in this season"
        raise TooLateToChange(f"{since}; a player who leaves now has to drop: POST …/drop.", status="leaving")
    withdrawn = PlayerWithdrawn(player=player.id, reason=command.reason, waiting=player.status == "waiting")
    return [withdrawn, *_moving_up(state, player)]


def _has_played(state: Tournament, player: Player) -> bool:
    """Whether leaving would leave something behind: pairings, or entries of a season's tournaments."""
    return state.has_begun or any(part.has_played(player.id) for part in state.formats.values())


def drop(state: Tournament, command: DropPlayer, context: Context) -> Sequence[Event]:
    """No further rounds. Results stay; a game under way is conceded by a result, not by this (AR-AMB-17).

    Who has not been in a pairing yet, or waits, withdraws.
    """
    entries = require_running(state)
    player = player_of(entries, command.player)
    if not own_or_staff(context, command.player):
        raise NotYours("A player may drop only themselves.")
    if player.status == "dropped":
        return []
    if player.status == "waiting" or not _has_played(state, player):
        return withdraw(state, WithdrawPlayer(player=player.id, reason=command.reason), context)
    active_player(entries, command.player)
    closed = state.rounds_closed()
    return [PlayerDropped(player=player.id, after_round=closed, reason=command.reason)]


def reinstate(state: Tournament, command: ReinstatePlayer, context: Context) -> Sequence[Event]:
    """Back from the next pairing on, while there is a seat; missed rounds stay missed."""
    entries = require_running(state)
    player = player_of(entries, command.player)
    if player.status == "active":
        return []
    if player.status != "dropped":
        raise not_active(player)
    need_seat(entries, player)
    return [PlayerReinstated(player=player.id)]


def warn(state: Tournament, command: WarnPlayer, context: Context) -> Sequence[Event]:
    """A reminder without penalty, on record (FF-DQ-1)."""
    player = active_player(require_running(state), command.player)
    return [PlayerWarned(player=player.id, reason=command.reason, clause=command.clause)]


def disqualify(state: Tournament, command: DisqualifyPlayer, context: Context) -> Sequence[Event]:
    """Out of the tournament, with a reason; who may, and what it does to results, is the ruleset's matter.

    Before round 1 is paired the seat goes to the first who waits. Whoever may bar a player from later events does so
    with it, or afterwards (FF-DQ-3).
    Source: AR-STAFF-1, AR-DQ-1, AR-AMB-16, DW-DQ-1, FF-AMB-29.
    """
    entries = require_running(state)
    player = player_of(entries, command.player)
    require_decider(entries, context.by, "disqualification")
    if command.barred:
        require_decider(entries, context.by, "barring")
    again = player.status == "disqualified"
    if again and command.barred in ("", player.barred):
        return []
    if player.status not in ("active", "dropped", "disqualified"):
        raise not_active(player)
    out = PlayerDisqualified(
        player=player.id,
        after_round=player.after_round if again else state.rounds_closed(),
        reason=command.reason,
        clause=command.clause,
        barred=command.barred,
    )
    return [out, *_moving_up(state, player)]


def revoke_disqualification(state: Tournament, command: RevokeDisqualification, context: Context) -> Sequence[Event]:
    """Taken back before the next pairing (FF-AMB-29); the player is active again, or dropped as before."""
    entries = require_running(state)
    player = player_of(entries, command.player)
    require_decider(entries, context.by, "reinstatement")
    if player.status != "disqualified":
        return []
    if player.dropped_before is None:
        if _paired_without(state, player):
            clause = (rules_of(entries).staff or DEFAULT_STAFF_RULES).cites("reinstatement")
            said = "A round was paired without this player; the disqualification stands."
            raise TooLateToChange(said, status="disqualification", clause=clause)
        need_seat(entries, player)
    return [DisqualificationRevoked(player=player.id, reason=command.reason)]


def promotions(entries: Entries, seats: int, leaving: str = "") -> list[Event]:
    """The first of the waiting list move up into the free seats."""
    return [
        PlayerPromoted(player=player.id, instead_of=leaving)
        for player in [p for p in entries.waiting() if p.id != leaving][: max(0, seats)]
    ]


def _moving_up(state: Tournament, leaving: Player) -> list[Event]:
    """Who moves up into the seat of somebody who leaves before round 1 is paired."""
    entries = state.entries
    if leaving.status != "active" or entries.capacity is None or state.has_begun:
        return []
    return promotions(entries, entries.capacity - entries.seated() + 1, leaving.id)


def _paired_without(state: Tournament, player: Player) -> bool:
    """Whether a round was paired after this player left, so that they were not in it."""
    return any(
        round.number > player.after_round
        and not any(player.id in seat.players for seat in round.seats.values())
        and not any(player.id in players for players in round.left_out.values())
        for round in state.rounds.rounds.values()
    )
