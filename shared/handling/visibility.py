"""For whom a tournament is there, and whose token is still good in it; one rule for every service.

A private tournament is there for those who have a token for it, and for nobody else: to them it is as unknown as one
that nobody announced.
"""

from __future__ import annotations

from shared.handling.refusals import UnknownTournament
from shared.http.refusals import TokenRevoked
from shared.http.tokens import EVERY_TOURNAMENT, Caller
from shared.state.tournament import Tournament


def is_there(tournament: str, state: Tournament, who: Caller | None) -> bool:
    """Whether there is such a tournament for the caller; who: None without a token."""
    if state.entries.visibility == "private":
        return who is not None and who.tournament in (tournament, EVERY_TOURNAMENT)
    return bool(state.entries.status)


def admit(tournament: str, state: Tournament, who: Caller | None) -> None:
    """Raises UnknownTournament where there is none for the caller, TokenRevoked where their token was taken back."""
    if not is_there(tournament, state, who):
        raise unknown_tournament()
    if who is not None:
        refuse_revoked(tournament, state, who)


def refuse_revoked(tournament: str, state: Tournament, who: Caller) -> None:
    """Raises TokenRevoked. A tournament takes back tokens of its own; it has no say over those of another or of all."""
    if who.tournament != tournament:
        return
    member = state.entries.staff.get(who.actor)
    if who.jti in state.entries.revoked or (member is not None and not member.active):
        raise TokenRevoked("The token was revoked by an organiser.")


def unknown_tournament() -> UnknownTournament:
    """What everybody is told for whom a tournament is not there."""
    return UnknownTournament("There is no tournament with this id.")
