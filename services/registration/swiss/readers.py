"""Who reads which fields of a roster: the ruleset says so."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from services.registration.swiss.openings import reached
from services.registration.tournament.refusals import RostersHidden
from shared.roles import INTEGRATION, REFEREE_UP, SERVICE
from shared.service.visibility import counts_in
from shared.swiss.games import ruleset_of
from shared.swiss.roster_parts import BY_ROUND_1, Roster, Since, cited, opens, rows_of
from shared.tournament.state import Tournament
from shared.web.tokens import Caller

TRUSTED = (*REFEREE_UP, INTEGRATION, SERVICE)
"""Roles that read, before play has begun, the fields that everybody reads from then on."""


class Reader(Struct, frozen=True):
    """The caller of a request, as a reader of rosters of a tournament.

    player: who of the players the caller is, if any. is_judge: of the staff, and does not play here. is_trusted: has a
    trusted role. moments: those of the ruleset that have come. opponents: the players the caller has met.
    """

    roster: Roster
    player: str
    is_judge: bool
    is_trusted: bool
    moments: frozenset[Since]
    opponents: frozenset[str]

    def sees_whole(self, owner: str) -> bool:
        """Return True for the owner of a roster, and for staff who do not play here."""
        return self.is_judge or (self.player != "" and self.player == owner)

    def fields_open(self, owner: str) -> list[str]:
        """Return the fields of a player's roster that the caller may read now.

        Raises RostersHidden if there are none. Source: FF-COND-2, DW-ROS-1, AR-TIME-6.
        """
        fields = self.roster.fields
        if self.sees_whole(owner):
            return list(fields)
        with_play = [field for field in fields if opens(self.roster, field) in BY_ROUND_1]
        found = [field for field in fields if self._is_open(field, owner) or (self.is_trusted and field in with_play)]
        if found or not fields:
            return found
        raise _hidden(self.roster, with_play)

    def _is_open(self, field: str, owner: str) -> bool:
        """Return True if a row of the ruleset opens a field to the caller by now."""
        return any(
            row.since in self.moments and (row.to == "everybody" or (row.to == "opponents" and owner in self.opponents))
            for row in rows_of(self.roster, field)
        )


def reader_of(tournament: str, state: Tournament, who: Caller | None) -> Reader:
    """Return the caller as a reader of the rosters of a tournament.

    who: None without a token; a token of another tournament counts for nothing here.
    """
    if not counts_in(tournament, state, who):
        who = None
    player = (who and who.player) or ""
    return Reader(
        roster=ruleset_of(state.entries).roster,
        player=player,
        is_judge=_is_judge(state, who),
        is_trusted=_is_trusted(who),
        moments=reached(state),
        opponents=_opponents(state, player),
    )


def _hidden(roster: Roster, later: Sequence[str]) -> RostersHidden:
    """later: fields that are open to everybody once play has begun."""
    if later:
        said = "Rosters are public once the first round has begun; before that, only staff and integrations see them"
    else:
        said = "Rosters are not public; staff see them"
    clause = cited(roster, next(iter(later or roster.fields)))
    return RostersHidden(f"{said}, and their owner.", roles=sorted(TRUSTED), clause=clause)


def _opponents(state: Tournament, player: str) -> frozenset[str]:
    """Return the players with whom a player is paired in a round that has started."""
    if not player:
        return frozenset()
    pairs = [
        (seat.player_1, seat.player_2)
        for round in state.rounds.rounds.values()
        if round.status == "started"
        for seat in round.seats.values()
    ]
    return frozenset(other for pair in pairs if player in pair for other in pair if other != player)


def _is_judge(state: Tournament, who: Caller | None) -> bool:
    """Return True if the caller is of the staff and does not play here."""
    if who is None or who.role not in REFEREE_UP:
        return False
    member = state.entries.staff.get(who.actor)
    return not (member and member.player)


def _is_trusted(who: Caller | None) -> bool:
    """Return True for a trusted role. An integration that is for one venue is not for the rosters of all."""
    return who is not None and who.role in TRUSTED and not (who.role == INTEGRATION and who.venue)
