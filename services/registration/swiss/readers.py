"""Who reads which fields of a roster: the ruleset says so."""

from __future__ import annotations

from collections.abc import Sequence

from services.registration.swiss.openings import reached
from services.registration.tournament.refusals import RostersHidden
from shared.application.visibility import counts_in
from shared.formats.swiss.rules.openness import BY_ROUND_1, cited, opens, rows_of
from shared.formats.swiss.rules.roster_parts import Roster
from shared.formats.swiss.ruleset import ruleset_of
from shared.roles import INTEGRATION, REFEREE_UP, SERVICE
from shared.tournament.state import Tournament
from shared.web.tokens import Caller

TRUSTED = (*REFEREE_UP, INTEGRATION, SERVICE)
"""Roles that read, before play has begun, the fields that everybody reads from then on."""


def sees_whole(tournament: str, state: Tournament, who: Caller | None, owner: str) -> bool:
    """Return True for the owner of a roster, and for staff who do not play here.

    who: the caller, None without a token; a token of another tournament counts for nothing here.
    """
    if who is None or not counts_in(tournament, state, who):
        return False
    return who.player == owner or _judges(state, who)


def fields_open(tournament: str, state: Tournament, who: Caller | None, owner: str) -> list[str]:
    """Return the fields of a player's roster that the caller may read now.

    Raises RostersHidden if there are none. Source: FF-COND-2, DW-ROS-1, AR-TIME-6.
    """
    roster = ruleset_of(state.entries).roster
    if sees_whole(tournament, state, who, owner):
        return list(roster.fields)
    if not counts_in(tournament, state, who):
        who = None
    with_play = [field for field in roster.fields if opens(roster, field) in BY_ROUND_1]
    found = [
        field
        for field in roster.fields
        if _is_open(state, roster, field, who, owner) or (field in with_play and _is_trusted(who))
    ]
    if found or not roster.fields:
        return found
    raise _hidden(roster, with_play)


def _hidden(roster: Roster, later: Sequence[str]) -> RostersHidden:
    """later: fields that are open to everybody once play has begun."""
    if later:
        said = "Rosters are public once the first round has begun; before that, only staff and integrations see them"
    else:
        said = "Rosters are not public; staff see them"
    clause = cited(roster, next(iter(later or roster.fields)))
    return RostersHidden(f"{said}, and their owner.", roles=sorted(TRUSTED), clause=clause)


def _is_open(state: Tournament, roster: Roster, field: str, who: Caller | None, owner: str) -> bool:
    """Return True if a row of the ruleset opens a field to the caller by now."""
    moments = reached(state)
    return any(
        row.since in moments and (row.to == "everybody" or (row.to == "opponents" and _met(state, who, owner)))
        for row in rows_of(roster, field)
    )


def _met(state: Tournament, who: Caller | None, owner: str) -> bool:
    """Return True if the caller and the owner are paired in a round that has started."""
    if who is None or not who.player:
        return False
    return any(
        {seat.player_1, seat.player_2} == {who.player, owner}
        for round in state.rounds.rounds.values()
        if round.status == "started"
        for seat in round.seats.values()
    )


def _judges(state: Tournament, who: Caller) -> bool:
    """Return True if the caller is of the staff and does not play here."""
    member = state.entries.staff.get(who.actor)
    return who.role in REFEREE_UP and not (member and member.player)


def _is_trusted(who: Caller | None) -> bool:
    """Return True for a trusted role. An integration that is for one venue is not for the rosters of all."""
    return who is not None and who.role in TRUSTED and not (who.role == INTEGRATION and who.venue)
