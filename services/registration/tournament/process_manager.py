"""What a foreign event means here: how far a tournament is for the directory, repeated absence for a player."""

from __future__ import annotations

from collections.abc import Mapping

from services.registration.tournament import directory
from services.registration.tournament.format import RegistrationFormat
from services.registration.tournament.player_commands import DropAbsentPlayer
from shared.application.commands import CommandEnvelope
from shared.application.service import Service
from shared.events.recorded import event_id
from shared.tournament.context import by_rule


class ProcessManager:
    """Called with (tournament, source) after copies have committed. A call that is lost is made up for by the next:
    what is done follows from the state, not from the message."""

    def __init__(self, service: Service, formats: Mapping[str, RegistrationFormat]) -> None:
        self._service = service
        self._formats = formats
        self._listed: dict[str, str] = {}

    def __call__(self, tournament: str, source: str) -> None:
        """React to what pairing or scoring said."""
        if source not in ("pairing", "scoring"):
            return
        with self._service.repository.now(tournament) as loaded:
            if not loaded.state.entries.status:
                return  # what nobody has announced, as a recopy of a log that was never there
            status = directory.status_of(loaded.state)
            over = status in ("concluded", "cancelled")
            absent = {} if over else self._formats[loaded.state.entries.format].absent(loaded.state)
        if status != self._listed.get(tournament):
            with self._service.database.writing() as connection:
                directory.move(connection, tournament, status)
            self._listed[tournament] = status
        for player, away in absent.items():
            self._service.handler.run(
                CommandEnvelope(
                    tournament,
                    DropAbsentPlayer(player=player),
                    by_rule(away.clause, event_id("scoring", tournament, away.told)),
                    command_id=f"absent-{player}~muster",
                    key=f"absent-{player}",
                )
            )
