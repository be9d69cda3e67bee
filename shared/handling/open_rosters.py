"""When rosters, and the log in which they stand, are open to everybody; one rule for every service (FF-COND-2)."""

from __future__ import annotations

from shared.handling.context import STAFF
from shared.handling.refusals import RostersHidden
from shared.http.roles import EVERY_TOURNAMENT, INTEGRATION, SERVICE
from shared.http.tokens import Caller
from shared.state.tournament import Tournament

TRUSTED = (*STAFF, INTEGRATION, SERVICE)
"""Roles that read rosters before play has begun."""


def refuse_hidden_rosters(tournament: str, state: Tournament, who: Caller | None, *, owner: str = "") -> None:
    """Let everybody read rosters once the first round has begun, before that only the roles of TRUSTED.

    A log without any roster hides nothing, and is open from the beginning.

    who: the caller, None without a token; a token of another tournament counts for nothing here.
    owner: the player whose one roster is asked for, who reads it at any time; empty for those of all.
    Raises RostersHidden. Source: FF-COND-2.
    """
    rosters = owner or any(player.roster for player in state.entries.players.values())
    if state.rounds.begun or not rosters:
        return
    here = who is not None and who.tournament in (tournament, EVERY_TOURNAMENT)
    if who is not None and here and (_trusted(who) or (owner and who.player == owner)):
        return
    raise RostersHidden(
        "Rosters are open once the first round has begun; before that, to staff and integrations"
        + (", and to their owner." if owner else "."),
        roles=sorted(TRUSTED),
    )


def _trusted(who: Caller) -> bool:
    """An integration that is for one venue is not for the rosters of all."""
    return who.role in TRUSTED and not (who.role == INTEGRATION and who.venue)
