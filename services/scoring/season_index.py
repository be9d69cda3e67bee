"""The index of seasons by tournament, and the process that keeps their results up to date.

A season without tournaments has one row with an empty tournament, so the index names every season.

The worker compares every few seconds where logs end, so no message is needed. A season that is read in between
shows what is still to be taken.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import msgspec
from msgspec import Struct

from services.scoring.season_results import CORRECTED, Found, TakeResults, causes_of, stands
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

NONE = ""
"""In place of a tournament, for a season that counts none yet."""

_INSERT = """INSERT INTO season_tournaments (season, tournament) VALUES (:season, :tournament)
    ON CONFLICT DO NOTHING"""


def gathered_by(state: Tournament) -> list[str]:
    """What the index holds of a season."""
    return sorted(SEASON_ENTRIES.of(state).gathered) or [NONE]


def note(connection: Connection, season: str, tournaments: Iterable[str]) -> None:
    """Put right what a season counts, where the index says something else."""
    wanted = sorted(tournaments)
    sql = "SELECT tournament FROM season_tournaments WHERE season = :season ORDER BY tournament"
    known = connection.rows(sql, season=season)
    if known == [(tournament,) for tournament in wanted]:
        return
    connection.run("DELETE FROM season_tournaments WHERE season = :season", season=season)
    connection.run_many(_INSERT, [{"season": season, "tournament": tournament} for tournament in wanted])


def known_seasons(connection: Connection) -> list[str]:
    """Every season."""
    rows = connection.rows("SELECT DISTINCT season FROM season_tournaments ORDER BY season")
    return [season for (season,) in rows]


def seasons_announced(connection: Connection) -> list[str]:
    """Every season, by the log itself; slower, for where the index may miss one."""
    rows = connection.rows(
        "SELECT tournament, type, version, data FROM events WHERE source = 'registration' AND position = 1"
    )
    return [tournament for tournament, *event in rows if getattr(read_event(*event), "format", "") == "season"]


def seasons_of(connection: Connection, tournament: str) -> list[str]:
    """The seasons that count a tournament."""
    sql = "SELECT season FROM season_tournaments WHERE tournament = :tournament ORDER BY season"
    return [season for (season,) in connection.rows(sql, tournament=tournament)]


def every_line(connection: Connection) -> dict[str, dict[str, Any]]:
    """Season -> what it counts, for comparing with what the log says."""
    sql = "SELECT season, tournament FROM season_tournaments ORDER BY season, tournament"
    lines: dict[str, dict[str, Any]] = {}
    for season, tournament in connection.rows(sql):
        lines.setdefault(season, {"season": season, "tournaments": []})["tournaments"].append(tournament)
    return lines


def line_of(season: str, state: Tournament) -> dict[str, Any] | None:
    """What a season counts as its folded state says it; None for a tournament of another format."""
    if state.entries.format != "season":
        return None
    return {"season": season, "tournaments": gathered_by(state)}


def rewrite(connection: Connection, lines: Sequence[Mapping[str, Any]]) -> None:
    """Put these lines in place of all there were, inside the caller's transaction."""
    connection.run("DELETE FROM season_tournaments")
    rows = [
        {"season": line["season"], "tournament": tournament} for line in lines for tournament in line["tournaments"]
    ]
    connection.run_many(_INSERT, rows)


FOLLOWING = by_rule("season")
"""Who acts when a season follows its tournaments by itself."""

TOGETHER = 5000
"""Rows of tournaments that come for the first time and are taken by one command."""

Heads = dict[str, Head]

_log = get_logger("muster.scoring")


class Due(Struct, frozen=True):
    """What a season has still to take. looked: where the logs of the tournaments ended that were looked at; read: to
    where registration's log of the season was.
    """

    commands: Sequence[TakeResults] = ()
    looked: Mapping[str, Heads] = {}
    read: int = 0


class SeasonProcessManager:
    """The seasons that this process has looked at. A look that is lost is made up for by the next."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._looked: dict[tuple[str, str], Heads] = {}
        self._read: dict[str, int] = {}
        self._all_known = False
        self._lock = threading.Lock()
        self._locks: dict[str, threading.Lock] = {}

    def heard(self, tournament: str, source: str) -> None:
        """Registration's log of a tournament was copied: a season may count other tournaments now."""
        if source != "registration":
            return
        with self._service.repository.now(tournament) as loaded:
            state = loaded.state
            gathered = gathered_by(state) if state.entries.format == "season" else None
        if gathered is not None:
            with self._service.database.writing() as connection:
                note(connection, tournament, gathered)

    def keep_all(self) -> None:
        """Bring every season up to date; the first time also those that the index missed."""
        database = self._service.database
        if not self._all_known:
            with database.reading() as connection:
                announced = seasons_announced(connection)
            for season in announced:
                self.heard(season, "registration")
            self._all_known = True
        with database.reading() as connection:
            seasons = known_seasons(connection)
        for season in seasons:
            try:
                self.keep(season)
            except DATABASE_UNAVAILABLE:
                raise
            except Exception:  # one season that cannot be kept must not stop the others
                _log.exception("a season was not brought up to date", season=season)

    def keep(self, season: str) -> list[CommandResult]:
        """Take what is new of the tournaments of a season in their order, and record the standings that follow."""
        with self._lock:
            lock = self._locks.setdefault(season, threading.Lock())
        with lock:
            due = self._due(season)
            if due.commands:
                self.heard(season, "registration")  # a hint that was lost is made up for here
            results = [
                self._service.handler.run(CommandEnvelope(season, command, FOLLOWING, secrets.token_hex(16)))
                for command in due.commands
            ]
            self._note(season, due)
            return results

    def to_take(self, season: str) -> list[CommandEnvelope]:
        """The commands by which `keep` would take what is new."""
        return [CommandEnvelope(season, command, FOLLOWING, PREVIEW_ID) for command in self._due(season).commands]

    @contextmanager
    def as_it_stands(self, season: str) -> Iterator[LoadedAggregate]:
        """A season with what its tournaments have brought meanwhile, whether that is taken yet or not; nothing is
        appended, since whoever asks has only asked.
        """
        due = self._due(season)
        if due.commands:
            ahead = simulate(self._service.handler, season, due.commands, FOLLOWING)
            if ahead.foreseen:
                yield ahead
                return
        self._note(season, due)
        with self._service.repository.now(season) as loaded:
            yield loaded

    def _due(self, season: str) -> Due:
        """What has to be taken of a season's tournaments.

        Tournaments that come for the first time are taken together, as many as fit; each correction by itself, so
        that the standings which follow have one cause.
        """
        with self._service.repository.now(season) as loaded:
            state = loaded.state
            if state.entries.format != "season":
                return Due()
            order = [one.tournament for one in SEASON_ENTRIES.of(state).in_order()]
            latest = {**SEASON.of(state).taken, **SEASON.of(state).told}
            taken = {tournament: one.heads for tournament, one in latest.items()}
            read = loaded.heads["registration"].position
        with self._service.database.reading() as connection:
            known = heads_of_tournaments(connection, order)
        commands: list[TakeResults] = []
        together: list[Found] = []
        looked: dict[str, Heads] = {}
        for tournament in order:
            heads, before = known.get(tournament, {}), taken.get(tournament, {})
            if not heads or self._looked.get((season, tournament)) == heads or _as_taken(heads, before):
                continue
            found = self.found(tournament, before)
            if before:
                commands.append(TakeResults(found=[found]))
            else:
                together.append(found)
            looked[tournament] = heads
            if sum(len(one.rows) for one in together) >= TOGETHER:
                commands.append(TakeResults(found=together))
                together = []
        if together or self._read.get(season) != read:
            commands.append(TakeResults(found=together))
        return Due(commands, looked, read)

    def _note(self, season: str, due: Due) -> None:
        """Nothing more is due of what was looked at, until logs move on."""
        self._read[season] = due.read
        self._looked |= {(season, tournament): heads for tournament, heads in due.looked.items()}

    def found(self, tournament: str, taken: dict[str, LogEnd]) -> Found:
        """What a tournament's logs say now, and what in them changed it since it was taken."""
        with self._service.repository.now(tournament) as loaded:
            rows = results_of(loaded.state)
            heads = {source: head for source, head in loaded.heads.items() if head.position}
        ends = {name: LogEnd(source=name, position=head.position, hash=head.hash) for name, head in heads.items()}
        with self._service.database.reading() as connection:

            def between(source: str, after: int, upto: int) -> Sequence[Recorded]:
                return require_intact(log_page(connection, source, tournament, after, max(0, upto - after)))

            return Found(tournament=tournament, rows=rows, heads=ends, causes=causes_of(between, taken, ends))

    def counting(self, tournament: str) -> Iterator[tuple[str, LoadedAggregate]]:
        """The seasons that count a tournament, one after the other: the id, and the state by the season's own logs."""
        with self._service.database.reading() as connection:
            seasons = seasons_of(connection, tournament)
        for season in seasons:
            with self._service.repository.now(season) as loaded:
                yield season, loaded

    def concerned(self, tournament: str, after: Tournament, who: Caller) -> list[SeasonConsequences]:
        """What would move in every season that counts a tournament, if it were as `after`; nothing is appended.

        who: asks, and is shown no private season of others.
        """
        with self._service.database.reading() as connection:
            seasons = seasons_of(connection, tournament)
        rows = results_of(after)
        found: list[SeasonConsequences] = []
        for season in seasons if rows else ():
            with self.as_it_stands(season) as loaded:
                state = loaded.state
                if is_visible(season, state, who) and state.entries.status != "cancelled":
                    found.append(
                        SeasonConsequences(
                            season=season,
                            name=state.entries.name,
                            stands=stands(state),
                            moves=moves_view(state, _with_results(state, tournament, rows), table_now(loaded)),
                        )
                    )
        return found


def _as_taken(heads: Heads, taken: dict[str, LogEnd]) -> bool:
    """Whether the logs of a tournament end where they did when its results were taken."""
    return {source: head.position for source, head in heads.items()} == {
        source: end.position for source, end in taken.items()
    }


def _with_results(state: Tournament, tournament: str, rows: list[ResultRow]) -> Tournament:
    """The season as it would be with other results of a tournament."""
    taken = {**SEASON.of(state).taken, tournament: TakenResults(tournament, CORRECTED, rows, {}, [])}
    return SEASON.replaced(state, msgspec.structs.replace(SEASON.of(state), taken=taken))
