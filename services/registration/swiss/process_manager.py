"""Reactions of Swiss tournaments: rosters open when play begins or the tournament is over; absent players drop."""

from __future__ import annotations

from services.registration.swiss.commands import DropAbsentPlayer, OpenRosters
from services.registration.swiss.decide import dropped_for_absence
from services.registration.swiss.openings import due_rosters, reached, sealed_now
from services.registration.swiss.sealed_lists import NOTHING, all_kept, forget_opened, lost
from services.registration.tournament import directory
from services.registration.tournament.commands import LONGEST_LIST
from shared.log.event import event_id
from shared.service.commands import CommandEnvelope
from shared.service.wiring import Service
from shared.swiss.games import ruleset_of
from shared.tournament.guards import by_rule
from shared.tournament.rounds import in_pages

PAGE_BYTES = 100_000
"""Bytes of the rosters that one command opens, which become one event."""

Known = tuple[frozenset[str], int]
"""The moments that have come, and the position of registration's log."""


class RosterOpener:
    """Opens rosters of a tournament as soon as they are due. What is done follows from state and rows, so that a call
    that is lost is made up for by the next."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._done: dict[str, Known] = {}

    def __call__(self, tournament: str, source: str) -> None:
        """React to what pairing or scoring said."""
        if source in ("pairing", "scoring"):
            self.open_due(tournament)

    def open_due(self, tournament: str) -> None:
        """Open what is due and has not been opened. A row that does not fit its digest is passed over."""
        with self._service.repository.now(tournament) as loaded:
            state = loaded.state
            if state.entries.format != "swiss":
                return
            known: Known = (reached(state), loaded.heads["registration"].position)
            if self._done.get(tournament) == known:
                return
            due, later = due_rosters(state), bool(sealed_now(state))
            clause = ruleset_of(state.entries).roster.cites("open")
        if due:
            with self._service.database.reading() as connection:
                rows = all_kept(connection, tournament)
            found = [rows.get(one.player, NOTHING).opened(one) for one in due]
            rosters = [one for one in found if one is not None]
            for page in in_pages(rosters, LONGEST_LIST, PAGE_BYTES) if rosters else ():
                key = f"open-rosters-{known[1]}-{page[0].player}"
                command = OpenRosters(rosters=page)
                also = None if later else forget_opened
                self._service.handler.run(
                    CommandEnvelope(tournament, command, by_rule(clause), f"{key}~muster", key, also=also)
                )
        self._done[tournament] = known

    def open_over(self) -> None:
        """Open the rosters of tournaments that are over: a cancellation is registration's own event."""
        sql = """SELECT tournament FROM directory WHERE status IN ('concluded', 'cancelled')
            AND EXISTS (SELECT 1 FROM sealed_lists WHERE sealed_lists.tournament = directory.tournament)"""
        with self._service.database.reading() as connection:
            tournaments = [tournament for (tournament,) in connection.rows(sql)]
        for tournament in tournaments:
            self.open_due(tournament)


class AbsenceWatch:
    """Drops players who stayed away too often. What is done follows from the state, so a lost call is made up for."""

    def __init__(self, service: Service) -> None:
        self._service = service

    def __call__(self, tournament: str, source: str) -> None:
        """React to what pairing or scoring said."""
        if source not in ("pairing", "scoring"):
            return
        with self._service.repository.now(tournament) as loaded:
            over = directory.status_of(loaded.state) in ("concluded", "cancelled")
            absent = {} if over or loaded.state.entries.format != "swiss" else dropped_for_absence(loaded.state)
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


def lost_lists(service: Service) -> list[str]:
    """Return "tournament/player" for each roster of which the log has digests and no row has the content."""
    sql = """SELECT tournament FROM directory WHERE format = 'swiss' AND status IN ('announced', 'running')
        ORDER BY tournament"""
    with service.database.reading() as connection:
        tournaments = [tournament for (tournament,) in connection.rows(sql)]
    found = []
    for tournament in tournaments:
        with service.database.reading() as connection:
            rows = all_kept(connection, tournament)
        with service.repository.now(tournament) as loaded:
            found += [f"{tournament}/{player}" for player in lost(loaded.state.entries, rows)]
    return found
