"""Who reads which parts of rosters, and the log that holds them: the ruleset says it, and every service keeps to it."""

from __future__ import annotations

from collections.abc import Sequence

from shared.application.visibility import counts_in
from shared.formats.swiss.rules.openness import cited, opens, rows_of, sealed_fields
from shared.formats.swiss.rules.roster_parts import Roster, Since
from shared.formats.swiss.ruleset import ruleset_of
from shared.roles import INTEGRATION, REFEREE_UP, SERVICE
from shared.tournament.guards import RostersHidden
from shared.tournament.state import Tournament
from shared.web.tokens import Caller

TRUSTED = (*REFEREE_UP, INTEGRATION, SERVICE)
"""Roles that read, before play has begun, whatever everybody reads from then on."""
ABOUT_ROSTERS = frozenset({"RosterSubmitted", "RosterAccepted", "RosterRejected"})
NOTHING: frozenset[str] = frozenset()


def fields_open(tournament: str, state: Tournament, who: Caller | None, owner: str = "") -> list[str]:
    """The fields of a player's roster that the caller may read now, as the ruleset has them.

    who: the caller, None without a token; a token of another tournament counts for nothing here.
    owner: the player whose roster it is; empty for what may be read of everybody's.
    Staff read all of it; one who plays here reads what players do.
    Raises RostersHidden where nothing may be read. Source: FF-COND-2, DW-ROS-1, AR-TIME-6.
    """
    roster = ruleset_of(state.entries).roster
    if not counts_in(tournament, state, who):
        who = None
    if who is not None and ((owner and who.player == owner) or _judges(state, who)):
        return list(roster.fields)
    sealed = sealed_fields(roster)
    found = [
        field
        for field in roster.fields
        if _opened(state, roster, field, who, owner) or (field not in sealed and trusted(who))
    ]
    if found or not roster.fields:
        return found
    raise _hidden(roster, [field for field in roster.fields if field not in sealed], owner)


def hidden_from(tournament: str, state: Tournament, who: Caller | None) -> frozenset[str]:
    """The types of events of which the caller sees the envelope alone: those about rosters, before play has begun.

    None once all that registration's log holds of rosters is open to everybody, and for TRUSTED. What stays hidden for
    longer is not in the log.
    """
    if not any(player.roster for player in state.entries.players.values()):
        return NOTHING
    here = counts_in(tournament, state, who)
    if _reached(state, "round_1") or (here and trusted(who)) or not opens_with_play(state):
        return NOTHING
    return ABOUT_ROSTERS


def opens_with_play(state: Tournament) -> bool:
    """Whether the ruleset opens with the first round what registration's log holds of rosters."""
    roster = ruleset_of(state.entries).roster
    return any(opens(roster, field) == "round_1" for field in roster.fields)


def _hidden(roster: Roster, later: Sequence[str], owner: str) -> RostersHidden:
    """What is told to whoever may read nothing. later: fields that are open to everybody once play has begun."""
    if later:
        said = "Rosters are public once the first round has begun; before that, only staff and integrations see them"
    else:
        said = "Rosters are not public; staff see them"
    clause = cited(roster, next(iter(later or roster.fields)))
    return RostersHidden(said + (", and to their owner." if owner else "."), roles=sorted(TRUSTED), clause=clause)


def _opened(state: Tournament, roster: Roster, field: str, who: Caller | None, owner: str) -> bool:
    """Whether a row of the ruleset opens a field to the caller by now."""
    return any(
        _reached(state, row.since) and (row.to == "everybody" or (row.to == "opponents" and _met(state, who, owner)))
        for row in rows_of(roster, field)
    )


def _reached(state: Tournament, since: Since) -> bool:
    if since == "submission":
        return True
    over = state.results.concluded or state.entries.status == "cancelled"
    return over if since == "end" else state.rounds.begun


def _met(state: Tournament, who: Caller | None, owner: str) -> bool:
    """Whether the caller and the owner are paired in a round that has started."""
    if who is None or not who.player or not owner:
        return False
    return any(
        {seat.player_1, seat.player_2} == {who.player, owner}
        for round in state.rounds.rounds.values()
        if round.status == "started"
        for seat in round.seats.values()
    )


def _judges(state: Tournament, who: Caller) -> bool:
    """Whether the caller is of the staff and plays here as nobody."""
    member = state.entries.staff.get(who.actor)
    return who.role in REFEREE_UP and not (member and member.player)


def trusted(who: Caller | None) -> bool:
    """Whether a caller reads of rosters before play has begun, in a tournament that their token is for.

    An integration that is for one venue is not for the rosters of all.
    """
    return who is not None and who.role in TRUSTED and not (who.role == INTEGRATION and who.venue)
