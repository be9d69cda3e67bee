"""Reactions to scoring's log: a corrected result of the bracket leads another player on."""

from __future__ import annotations

from services.pairing.tournament.commands import FollowBracket
from services.pairing.tournament.unpublished import with_drafts
from shared.log.event import event_id
from shared.service.commands import CommandEnvelope
from shared.service.wiring import Service
from shared.swiss.games import ruleset_of
from shared.swiss.ranking import is_settled, misled_in
from shared.tournament.guards import By, by_rule
from shared.tournament.state import Tournament


class ProcessManager:
    """Called with (tournament, source) after copies have committed. A call that is lost is made up for by the next:
    what is done follows from the state, not from the message."""

    def __init__(self, service: Service) -> None:
        self._service = service

    def __call__(self, tournament: str, source: str) -> None:
        """Pair the places of the bracket again whose players the results no longer lead there."""
        if source != "scoring":
            return
        with self._service.repository.now(tournament) as loaded:
            due = following(with_drafts(loaded.state), tournament)
        if due is not None:
            command, by = due
            key = f"bracket-{by.cause}"
            self._service.handler.run(CommandEnvelope(tournament, command, by, command_id=f"{key}~muster", key=key))


def following(state: Tournament, tournament: str) -> tuple[FollowBracket, By] | None:
    """Return the command that the bracket is due, and the rule that gives it; None while it leads everyone there."""
    latest, results = state.rounds.latest(), state.results
    if latest is None or latest.stage != "elimination" or latest.method == "manual":
        return None
    if results.concluded or state.entries.status == "cancelled" or latest.number in results.closed:
        return None
    before = latest.number - 1
    if not is_settled(state, before) or not misled_in(state, latest):
        return None
    cause = event_id("scoring", tournament, results.standings_changed_at(before))
    return FollowBracket(round=latest.number), by_rule(ruleset_of(state.entries).cut.clause, cause)
