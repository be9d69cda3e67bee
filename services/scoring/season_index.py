"""The index from tournaments to seasons, and the process manager that takes results into seasons.

A season without tournaments has one row with an empty tournament, so the index lists every season.

The worker compares the ends of logs every few seconds, so no message is needed. Reading a season includes results that
are not taken yet.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import msgspec
from msgspec import Struct

from services.scoring.season_results import CORRECTED, CurrentResults, TakeResults, causes_of, has_fixed_standings
from services.scoring.season_views import table_now
from shared.formats.fold import read_event
from shared.formats.options import results_of
from shared.log.database import Connection
from shared.log.event import Head, Recorded
from shared.log.reading import heads_of_tournaments, log_page
from shared.logs import get_logger
from shared.messaging.errors import DATABASE_UNAVAILABLE
from shared.season.entries import SEASON_ENTRIES
from shared.season.state import SEASON, LogEnd, TakenResults
from shared.service.commands import CommandEnvelope, CommandResult
from shared.service.previews import PREVIEW_ID, simulate
from shared.service.state import LoadedAggregate
from shared.service.views import SeasonConsequences, moves_view, require_intact
from shared.service.visibility import is_visible
from shared.service.wiring import Service
from shared.tournament.format import ResultRow
from shared.tournament.guards import by_rule
from shared.tournament.state import Tournament
from shared.web.tokens import Caller

_NO_TOURNAMENT = ""
"""The tournament in the row of a season that counts none yet."""

_INSERT = """INSERT INTO season_tournaments (season, tournament) VALUES (:season, :tournament)
    ON CONFLICT DO NOTHING"""


def gathered_by(state: Tournament) -> list[str]:
    """Return the tournaments of a season for the index."""
    return sorted(SEASON_ENTRIES.of(state).gathered) or [_NO_TOURNAMENT]


def update_index(connection: Connection, season: str, tournaments: Iterable[str]) -> None:
    """Update the tournaments of a season in the index."""
    gathered = sorted(tournaments)
    sql = "SELECT tournament FROM season_tournaments WHERE season = :season ORDER BY tournament"
    rows = connection.rows(sql, season=season)
    if rows == [(tournament,) for tournament in gathered]:
        return
    connection.run("DELETE FROM season_tournaments WHERE season = :season", season=season)
    connection.run_many(_INSERT, [{"season": season, "tournament": tournament} for tournament in gathered])


def known_seasons(connection: Connection) -> list[str]:
    """Return all seasons in the index."""
    rows = connection.rows("SELECT DISTINCT season FROM season_tournaments ORDER BY season")
    return [season for (season,) in rows]


def seasons_announced(connection: Connection) -> list[str]:
    """Return all seasons according to the log. Slower, but complete even if the index is not."""
    rows = connection.rows(
        "SELECT tournament, type, version, data FROM events WHERE source = 'registration' AND position = 1"
    )
    return [tournament for tournament, *event in rows if getattr(read_event(*event), "format", "") == "season"]


def seasons_of(connection: Connection, tournament: str) -> list[str]:
    """Return the seasons that count a tournament."""
    sql = "SELECT season FROM season_tournaments WHERE tournament = :tournament ORDER BY season"
    return [season for (season,) in connection.rows(sql, tournament=tournament)]


def index_entries(connection: Connection) -> dict[str, dict[str, Any]]:
    """Return season -> its entry in the index, for comparison with the log."""
    sql = "SELECT season, tournament FROM season_tournaments ORDER BY season, tournament"
    entries: dict[str, dict[str, Any]] = {}
    for season, tournament in connection.rows(sql):
        entries.setdefault(season, {"season": season, "tournaments": []})["tournaments"].append(tournament)
    return entries


def season_entry(season: str, state: Tournament) -> dict[str, Any] | None:
    """Return the entry of a season according to its state, or None for other formats."""
    if state.entries.format != "season":
        return None
    return {"season": season, "tournaments": gathered_by(state)}


def rewrite_index(connection: Connection, entries: Sequence[Mapping[str, Any]]) -> None:
    """Replace the whole index, inside the caller's transaction."""
    connection.run("DELETE FROM season_tournaments")
    rows = [
        {"season": entry["season"], "tournament": tournament}
        for entry in entries
        for tournament in entry["tournaments"]
    ]
    connection.run_many(_INSERT, rows)


SEASON_RULE = by_rule("season")
"""The actor that takes results into seasons."""

_MAX_ROWS = 5000
"""Approximate maximum of result rows that one command takes from new tournaments."""

Heads = dict[str, Head]

_log = get_logger("muster.scoring")


class Pending(Struct, frozen=True):
    """The results that a season still has to take.

    examined: tournament -> the ends of its logs when examined. read: position in registration's log of the season.
    """

    commands: Sequence[TakeResults] = ()
    examined: Mapping[str, Heads] = {}
    read: int = 0


class SeasonProcessManager:
    """Takes results of tournaments into seasons. What one run misses, the next one takes."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._examined: dict[tuple[str, str], Heads] = {}
        self._registration_read: dict[str, int] = {}
        self._all_known = False
        self._lock = threading.Lock()
        self._locks: dict[str, threading.Lock] = {}

    def on_copies(self, tournament: str, source: str) -> None:
        """Update the index after registration's log of a tournament was copied."""
        if source != "registration":
            return
        with self._service.repository.now(tournament) as loaded:
            state = loaded.state
            gathered = gathered_by(state) if state.entries.format == "season" else None
        if gathered is not None:
            with self._service.database.writing() as connection:
                update_index(connection, tournament, gathered)

    def take_all(self) -> None:
        """Bring all seasons up to date. The first call also repairs the index."""
        database = self._service.database
        if not self._all_known:
            with database.reading() as connection:
                announced = seasons_announced(connection)
            for season in announced:
                self.on_copies(season, "registration")
            self._all_known = True
        with database.reading() as connection:
            seasons = known_seasons(connection)
        for season in seasons:
            try:
                self.take_new(season)
            except DATABASE_UNAVAILABLE:
                raise
            except Exception:  # a failing season must not stop the others
                _log.exception("a season was not brought up to date", season=season)

    def take_new(self, season: str) -> list[CommandResult]:
        """Take new results of a season's tournaments, in order, and record the resulting standings."""
        with self._lock:
            lock = self._locks.setdefault(season, threading.Lock())
        with lock:
            pending = self._pending(season)
            if pending.commands:
                self.on_copies(season, "registration")  # in case the notification of the copy was lost
            results = [
                self._service.handler.run(CommandEnvelope(season, command, SEASON_RULE, secrets.token_hex(16)))
                for command in pending.commands
            ]
            self._remember(season, pending)
            return results

    def pending_commands(self, season: str) -> list[CommandEnvelope]:
        """Return the commands that `take_new` would run."""
        return [CommandEnvelope(season, command, SEASON_RULE, PREVIEW_ID) for command in self._pending(season).commands]

    @contextmanager
    def up_to_date(self, season: str) -> Iterator[LoadedAggregate]:
        """Yield a season including results that are not taken yet. Nothing is appended."""
        pending = self._pending(season)
        if pending.commands:
            ahead = simulate(self._service.handler, season, pending.commands, SEASON_RULE)
            if ahead.foreseen:
                yield ahead
                return
        self._remember(season, pending)
        with self._service.repository.now(season) as loaded:
            yield loaded

    def _pending(self, season: str) -> Pending:
        """Return the results that a season still has to take.

        New tournaments are taken together. Each correction gets its own command, so that the resulting standings have a
        single cause.
        """
        with self._service.repository.now(season) as loaded:
            state = loaded.state
            if state.entries.format != "season":
                return Pending()
            order = [gathered.tournament for gathered in SEASON_ENTRIES.of(state).in_order()]
            latest = {**SEASON.of(state).taken, **SEASON.of(state).told}
            taken = {tournament: results.heads for tournament, results in latest.items()}
            read = loaded.heads["registration"].position
        with self._service.database.reading() as connection:
            heads_by_tournament = heads_of_tournaments(connection, order)
        commands: list[TakeResults] = []
        new_tournaments: list[CurrentResults] = []
        examined: dict[str, Heads] = {}
        for tournament in order:
            heads, before = heads_by_tournament.get(tournament, {}), taken.get(tournament, {})
            if not heads or self._examined.get((season, tournament)) == heads or _is_unchanged(heads, before):
                continue
            results = self.current_results(tournament, before)
            if before:
                commands.append(TakeResults(found=[results]))
            else:
                new_tournaments.append(results)
            examined[tournament] = heads
            if sum(len(results.rows) for results in new_tournaments) >= _MAX_ROWS:
                commands.append(TakeResults(found=new_tournaments))
                new_tournaments = []
        if new_tournaments or self._registration_read.get(season) != read:
            commands.append(TakeResults(found=new_tournaments))
        return Pending(commands, examined, read)

    def _remember(self, season: str, pending: Pending) -> None:
        """Remember the examined logs, so that they are examined again only after they have grown."""
        self._registration_read[season] = pending.read
        self._examined |= {(season, tournament): heads for tournament, heads in pending.examined.items()}

    def current_results(self, tournament: str, taken: dict[str, LogEnd]) -> CurrentResults:
        """Return the current results of a tournament, and the events that changed them since they were taken."""
        with self._service.repository.now(tournament) as loaded:
            rows = results_of(loaded.state)
            heads = {source: head for source, head in loaded.heads.items() if head.position}
        ends = {name: LogEnd(source=name, position=head.position, hash=head.hash) for name, head in heads.items()}
        with self._service.database.reading() as connection:

            def between(source: str, after: int, upto: int) -> Sequence[Recorded]:
                return require_intact(log_page(connection, source, tournament, after, max(0, upto - after)))

            return CurrentResults(tournament=tournament, rows=rows, heads=ends, causes=causes_of(between, taken, ends))

    def counting(self, tournament: str) -> Iterator[tuple[str, LoadedAggregate]]:
        """Yield the id and the state of each season that counts a tournament."""
        with self._service.database.reading() as connection:
            seasons = seasons_of(connection, tournament)
        for season in seasons:
            with self._service.repository.now(season) as loaded:
                yield season, loaded

    def consequences_of(self, tournament: str, after: Tournament, caller: Caller) -> list[SeasonConsequences]:
        """Return the consequences of a changed tournament for the seasons that the caller may see.

        after: the state after the change.
        """
        with self._service.database.reading() as connection:
            seasons = seasons_of(connection, tournament)
        rows = results_of(after)
        consequences: list[SeasonConsequences] = []
        for season in seasons if rows else ():
            with self.up_to_date(season) as loaded:
                state = loaded.state
                if is_visible(season, state, caller) and state.entries.status != "cancelled":
                    consequences.append(
                        SeasonConsequences(
                            season=season,
                            name=state.entries.name,
                            stands=has_fixed_standings(state),
                            moves=moves_view(state, _with_results(state, tournament, rows), table_now(loaded)),
                        )
                    )
        return consequences


def _is_unchanged(heads: Heads, taken: dict[str, LogEnd]) -> bool:
    """Return True if the logs of a tournament have not grown since its results were taken."""
    return {source: head.position for source, head in heads.items()} == {
        source: end.position for source, end in taken.items()
    }


def _with_results(state: Tournament, tournament: str, rows: list[ResultRow]) -> Tournament:
    """Return the season with other results of a tournament."""
    taken = {**SEASON.of(state).taken, tournament: TakenResults(tournament, CORRECTED, rows, {}, [])}
    return SEASON.replaced(state, msgspec.structs.replace(SEASON.of(state), taken=taken))
