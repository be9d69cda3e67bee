"""What a foreign event means here: how far a tournament is for the directory, repeated absence for a player."""

from __future__ import annotations

from services.registration.tournament import directory
from services.registration.tournament.commands import DropPlayer
from shared.application.command_handler import CommandEnvelope
from shared.application.service import Service
from shared.formats.swiss.rules.absences import repeatedly_absent
from shared.formats.swiss.ruleset import swiss_or_none
from shared.rules.model import FactsKind
from shared.tournament.context import By
from shared.tournament.state import Tournament

MUSTER = By("muster", "operator", rule=True)
"""Who acts when a rule acts by itself."""


class ProcessManager:
    """Called with (tournament, source) after copies have committed. A call that is lost is made up for by the next:
    what is done follows from the state, not from the message."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._listed: dict[str, str] = {}

    def __call__(self, tournament: str, source: str) -> None:
        """React to what pairing or scoring said."""
        if source not in ("pairing", "scoring"):
            return
        with self._service.repository.now(tournament) as folded:
            if not folded.state.entries.status:
                return  # what nobody has announced, as a recopy of a log that was never there
            status = directory.status_of(folded.state)
            over = status in ("concluded", "cancelled")
            absent = [] if over else dropped_for_absence(folded.state)
        if status != self._listed.get(tournament):
            with self._service.database.writing() as connection:
                directory.move(connection, tournament, status)
            self._listed[tournament] = status
        for player in absent:
            self._service.handler.run(
                CommandEnvelope(
                    tournament,
                    DropPlayer(player=player, reason="did not come to a game again (AR-AMB-18)"),
                    MUSTER,
                    command_id=f"absent-{player}~muster",
                    key=f"absent-{player}",
                )
            )


def dropped_for_absence(state: Tournament) -> list[str]:
    """Active players who stayed away from as many games as end a tournament for a player (AR-AMB-18, DW-AMB-17)."""
    ruleset = swiss_or_none(state.entries)
    if ruleset is None or not state.results.absences:
        return []
    away: list[tuple[FactsKind, str]] = []
    for round in state.rounds.rounds.values():
        for game in round.seats.keys() & state.results.absences.keys():
            seat, kind = round.seats[game], state.results.results[game].facts["kind"]
            away += [(kind, (seat.player_1, seat.player_2)[side - 1]) for side in state.results.absences[game]]
    over = repeatedly_absent(ruleset, away)
    return [player.id for player in state.entries.active() if player.id in over]
