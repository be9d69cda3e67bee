"""Leaving players: withdrawal, drop, disqualification, reinstatement; warnings; promotion from the waiting list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from services.registration.guards import (
    NotYours,
    TooLateToChange,
    active_player,
    is_self_or_staff,
    player_not_active,
    player_of,
    require_seat,
)
from shared.log.event import Event
from shared.rules.parts import DEFAULT_STAFF_RULES
from shared.shapes import Command, Id, OptionalReason, Personal, Reason, Text
from shared.tournament.format import rules_of
from shared.tournament.guards import Context, require_decider, require_running
from shared.tournament.parts import rounds_closed_for
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
    """Withdraw a player before round 1 is paired."""

    player: Id
    reason: Annotated[OptionalReason, "Public."] = ""


class DropPlayer(Command, frozen=True, kw_only=True):
    """Drop a player from further rounds."""

    player: Id
    reason: Annotated[OptionalReason, "Public."] = ""


class ReinstatePlayer(Command, frozen=True, kw_only=True):
    """Reinstate a player who has dropped."""

    player: Id


class WarnPlayer(Command, frozen=True, kw_only=True):
    """Warn a player. `reason` and `clause` are public, permanently."""

    player: Id
    reason: Reason
    clause: Annotated[str, Text(40), "The clause of the ruleset, if there is one."] = ""
    note: Annotated[
        str,
        Text(2000),
        Personal(),
        "A private note for organiser and head referee, stored with the player's personal data.",
    ] = ""


class DisqualifyPlayer(WarnPlayer, frozen=True, kw_only=True):
    """Disqualify a player. `reason`, `clause` and `barred` are public, permanently."""

    barred: Annotated[
        str, Text(200), 'Later events that the player may not join, for example "this club\'s events until 2027".'
    ] = ""


class RevokeDisqualification(Command, frozen=True, kw_only=True):
    """Revoke a disqualification."""

    player: Id
    reason: Annotated[Reason, "Public."]


def withdraw(state: Tournament, command: WithdrawPlayer, context: Context) -> Sequence[Event]:
    """Withdraw a player before round 1 is paired. The seat goes to the first player on the waiting list."""
    entries = require_running(state)
    player = player_of(entries, command.player)
    if not is_self_or_staff(context, command.player):
        raise NotYours("A player may withdraw only themselves.")
    if player.status == "withdrawn":
        return []
    if player.status == "disqualified":
        raise player_not_active(player)
    if _has_played(state, player) and player.status != "waiting":
        cause = "Round 1 is paired" if state.has_begun else "There are results in this season"
        raise TooLateToChange(f"{cause}; a player who leaves now has to drop: POST …/drop.", status="leaving")
    withdrawn = PlayerWithdrawn(player=player.id, reason=command.reason, waiting=player.status == "waiting")
    return [withdrawn, *_promotions_after(state, player)]


def _has_played(state: Tournament, player: Player) -> bool:
    """Return True if the tournament has begun, or the player has results in a season."""
    return state.has_begun or any(part.has_played(player.id) for part in state.formats.values())


def drop(state: Tournament, command: DropPlayer, context: Context) -> Sequence[Event]:
    """Drop a player from further rounds. Results stay; a running game is conceded by a result (AR-AMB-17).

    Players who wait, or drop before round 1 is paired, are withdrawn instead.
    """
    entries = require_running(state)
    player = player_of(entries, command.player)
    if not is_self_or_staff(context, command.player):
        raise NotYours("A player may drop only themselves.")
    if player.status == "dropped":
        return []
    if player.status == "waiting" or not _has_played(state, player):
        return withdraw(state, WithdrawPlayer(player=player.id, reason=command.reason), context)
    active_player(entries, command.player)
    closed = rounds_closed_for(state, player.id)
    return [PlayerDropped(player=player.id, after_round=closed, reason=command.reason)]


def reinstate(state: Tournament, command: ReinstatePlayer, context: Context) -> Sequence[Event]:
    """Reinstate a dropped player from the next pairing on, if a seat is free."""
    entries = require_running(state)
    player = player_of(entries, command.player)
    if player.status == "active":
        return []
    if player.status != "dropped":
        raise player_not_active(player)
    require_seat(entries, player)
    return [PlayerReinstated(player=player.id)]


def warn(state: Tournament, command: WarnPlayer, context: Context) -> Sequence[Event]:
    """Record a warning, which has no penalty (FF-DQ-1)."""
    player = active_player(require_running(state), command.player)
    return [PlayerWarned(player=player.id, reason=command.reason, clause=command.clause)]


def disqualify(state: Tournament, command: DisqualifyPlayer, context: Context) -> Sequence[Event]:
    """Disqualify a player. The ruleset says who may do it, and what happens to results.

    Before round 1 is paired the seat goes to the first player on the waiting list. A bar from later events can be
    given at once, or added later by disqualifying the player again (FF-DQ-3).
    Source: AR-STAFF-1, AR-DQ-1, AR-AMB-16, DW-DQ-1, FF-AMB-29.
    """
    entries = require_running(state)
    player = player_of(entries, command.player)
    require_decider(entries, context.by, "disqualification")
    if command.barred:
        require_decider(entries, context.by, "barring")
    already = player.status == "disqualified"
    if already and command.barred in ("", player.barred):
        return []
    if player.status not in ("active", "dropped", "disqualified"):
        raise player_not_active(player)
    disqualified = PlayerDisqualified(
        player=player.id,
        after_round=player.after_round if already else rounds_closed_for(state, player.id),
        reason=command.reason,
        clause=command.clause,
        barred=command.barred,
    )
    return [disqualified, *_promotions_after(state, player)]


def revoke_disqualification(state: Tournament, command: RevokeDisqualification, context: Context) -> Sequence[Event]:
    """Revoke a disqualification before the next pairing (FF-AMB-29). The player gets back the former status."""
    entries = require_running(state)
    player = player_of(entries, command.player)
    require_decider(entries, context.by, "reinstatement")
    if player.status != "disqualified":
        return []
    if player.dropped_before is None:
        if _paired_without(state, player):
            clause = (rules_of(entries).staff or DEFAULT_STAFF_RULES).cites("reinstatement")
            detail = "A round was paired without this player; the disqualification stands."
            raise TooLateToChange(detail, status="disqualification", clause=clause)
        require_seat(entries, player)
    return [DisqualificationRevoked(player=player.id, reason=command.reason)]


def promotions(entries: Entries, seats: int, leaving: str = "") -> list[Event]:
    """Return the promotions of the first players on the waiting list into free seats. leaving: player to skip."""
    waiting = [player for player in entries.waiting() if player.id != leaving]
    return [PlayerPromoted(player=player.id, instead_of=leaving) for player in waiting[: max(0, seats)]]


def _promotions_after(state: Tournament, leaving: Player) -> list[Event]:
    """Return the promotions after a player leaves; none once round 1 is paired."""
    entries = state.entries
    if leaving.status != "active" or entries.capacity is None or state.has_begun:
        return []
    return promotions(entries, entries.capacity - entries.seated() + 1, leaving.id)


def _paired_without(state: Tournament, player: Player) -> bool:
    """Return True if a round was paired without the player after they left."""
    return any(
        round.number > player.after_round
        and not any(player.id in seat.players for seat in round.seats.values())
        and not any(player.id in players for players in round.left_out.values())
        for round in state.rounds.rounds.values()
    )
