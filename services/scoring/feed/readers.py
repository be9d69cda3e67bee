"""Which tournaments a reader of the feed sees, and which of their events."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256

import msgspec

from services.scoring.feed.places import Place
from services.scoring.feed.result_lines import Results
from services.scoring.feed.views import ResultLine
from shared.formats.fold import read_event
from shared.log.database import Connection
from shared.log.event import Recorded
from shared.roles import EVERY_TOURNAMENT, OPERATOR, ORGANISER, SERVICE
from shared.tournament.registration import INSTALLATION, TournamentAnnounced
from shared.web.tokens import Caller


class Reader(msgspec.Struct, frozen=True):
    """Who reads, as far as it decides what they see. tournament: the one that they read alone; "*": all; empty: the
    public ones.

    types, venue: what the token is for, where it is for some events alone. watches: reads the installation's own log.
    results: reads games instead of events.
    organiser: reads the tournaments that this organiser announced as staff do, and of others what everybody reads;
    empty for other readers.
    """

    tournament: str = ""
    watches: bool = False
    types: tuple[str, ...] = ()
    venue: str = ""
    results: bool = False
    organiser: str = ""

    @property
    def digest(self) -> str:
        """Eight digits that stand in this reader's cursors: one who sees other events cannot go on from them."""
        members = msgspec.to_builtins(self)
        del members["results"]  # the view changes nothing of what somebody may see
        if not self.organiser:
            del members["organiser"]
        return sha256(msgspec.json.encode(members)).hexdigest()[:8]


def reader_of(who: Caller | None, *, results: bool = False) -> Reader:
    """Return the reader that a caller is. who: None without a token. results: reads games instead of events."""
    if who is None:
        return Reader(results=results)
    return Reader(
        who.tournament,
        who.tournament == EVERY_TOURNAMENT and who.role in (OPERATOR, SERVICE),
        tuple(sorted(who.types)),
        who.venue or "",
        results,
        who.actor if who.role == ORGANISER and who.tournament == EVERY_TOURNAMENT else "",
    )


class Tournaments:
    """What never changes of tournaments, looked up once in a process."""

    def __init__(self) -> None:
        self._announced: dict[str, TournamentAnnounced] = {}

    def is_public(self, connection: Connection, tournament: str) -> bool:
        """Whether everybody sees a tournament."""
        announced = self._announcement(connection, tournament)
        return announced is not None and announced.visibility == "public"

    def is_announced_by(self, connection: Connection, tournament: str, organiser: str) -> bool:
        """Return True if this organiser announced the tournament."""
        announced = self._announcement(connection, tournament)
        return announced is not None and announced.organiser == organiser

    def _announcement(self, connection: Connection, tournament: str) -> TournamentAnnounced | None:
        if tournament not in self._announced:
            sql = """SELECT type, version, data FROM events
                WHERE source = 'registration' AND tournament = :tournament AND position = 1"""
            row = connection.one(sql, tournament=tournament)
            event = read_event(*row) if row else None
            if not isinstance(event, TournamentAnnounced):
                return None
            self._announced[tournament] = msgspec.structs.replace(event, ruleset={})
        return self._announced[tournament]


class Sight:
    """What one reader sees, for as long as one answer is made.

    tournament: the one that they ask for; empty for all that they see. wanted: of what they see, the events that they
    ask for; None for all. venues: results are of games at all of them, or at none. results: makes them; needed for a
    reader of results alone.
    """

    def __init__(
        self,
        reader: Reader,
        tournaments: Tournaments,
        tournament: str = "",
        wanted: Callable[[Recorded], bool] | None = None,
        venues: tuple[str, ...] = (),
        results: Results | None = None,
    ) -> None:
        self.reader = reader
        self.results = results if reader.results else None
        self._venues = venues
        self.tournament = tournament or ("" if reader.tournament == EVERY_TOURNAMENT else reader.tournament)
        self._tournaments = tournaments
        self._wanted = wanted

    def asks_for(self, event: Recorded) -> bool:
        """Whether an event is one of those that they ask for."""
        return self._wanted is None or self._wanted(event)

    def results_at(self, connection: Connection, place: Place, event: Recorded) -> list[ResultLine]:
        """Return the games that an event is about, as far as they are asked for."""
        if self.results is None or not self.is_there(connection, event.tournament) or not self.asks_for(event):
            return []
        lines = self.results.at(connection, place, event)
        return [line for line in lines if not line.venue or all(line.venue == venue for venue in self._venues)]

    def is_there(self, connection: Connection, tournament: str) -> bool:
        """Whether there is such a tournament for the reader."""
        if tournament == INSTALLATION:
            return self.reader.watches
        if self.reader.tournament and self._counts(connection, tournament):
            return self.reader.tournament in (tournament, EVERY_TOURNAMENT)
        return self._tournaments.is_public(connection, tournament)

    def _counts(self, connection: Connection, tournament: str) -> bool:
        """Whether the reader's token counts in a tournament: an organiser's does in those that they announced."""
        organiser = self.reader.organiser
        return not organiser or self._tournaments.is_announced_by(connection, tournament, organiser)
