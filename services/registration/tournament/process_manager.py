"""What a foreign event means here in every format: how far a tournament is for the directory."""

from __future__ import annotations

from services.registration.tournament import directory
from shared.service.wiring import Service


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
        with self._service.repository.now(tournament) as loaded:
            if not loaded.state.entries.status:
                return  # what nobody has announced, as a recopy of a log that was never there
            status = directory.status_of(loaded.state)
        if status != self._listed.get(tournament):
            with self._service.database.writing() as connection:
                directory.move(connection, tournament, status)
            self._listed[tournament] = status
