"""Gates: conditions that must hold before a service uses its database, appends, copies an event, or answers.

Schema: it must be at the revision that this code expects, or newer. A good result is kept; a bad one is checked again
at the next request, so no process has to be restarted after a migration.

Own log: no peer may hold events of this service's log that the service itself has lost, for example after a backup was
restored. New events would take positions that the peers have already assigned. Each process asks its peers before its
first command, and the worker asks regularly. While a peer is ahead or differs, nothing is appended. A peer that does
not answer does not block commands; it is asked again.

Copies: a copied event must have a known type and version, belong to its source, and hold canonical data, actor and
command that match their schemas. A log must begin with an announcement.

Muster-Seen: an answer waits briefly until this service has read what the caller has seen elsewhere. A waiting request
holds a thread, so some threads are reserved for requests that need not wait. Callers without a token, and callers of
one address, can take only a part of the places. All others are told to retry.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager

from sqlalchemy.exc import SQLAlchemyError

from shared.formats.fold import CATALOGUE, read_event
from shared.log.command_record import UnreadableCommand, read_record
from shared.log.copies import count_copied
from shared.log.database import Database
from shared.log.event import LARGEST_COMMAND, LARGEST_EVENT, NotAnActor, Recorded, byte_length, is_canonical, read_actor
from shared.log.log import BrokenLog
from shared.log.reading import feed_hashes
from shared.log.schema import SchemaStatus, expected_revisions, migration_folders, revision_names, schema_status
from shared.logs import get_logger
from shared.messaging import status
from shared.messaging.errors import DATABASE_UNAVAILABLE, OwnerUnavailable
from shared.messaging.inbox import ANNOUNCER, NEWER, DeferredEvent
from shared.messaging.peers import CopySummary, Peers
from shared.messaging.status import PeerStatus
from shared.roles import SERVICE
from shared.service.refusals import BehindOwnCopies
from shared.service.state import Repository
from shared.service.visibility import is_visible, unknown_tournament
from shared.tournament.registration import INSTALLATION, OF_INSTALLATION
from shared.tournament.webhooks import OF_WEBHOOKS
from shared.web.limits import rate_key
from shared.web.refusals import NotYetSeen, SchemaOutdated
from shared.web.request import this_request
from shared.web.tokens import Caller
from shared.web.versions import missing_positions, not_yet_seen, refuse_implausible

SCHEMA_SECONDS = 5
"""Retry-After while the schema is outdated."""

_log = get_logger("muster.handling")


class SchemaGate:
    """Checks that the schema of the service's database has everything that the code needs."""

    def __init__(self, database: Database, service: str) -> None:
        self._database = database
        self._service = service
        self._expected = expected_revisions(migration_folders(service))
        self._is_current = False
        self._last: SchemaStatus | None = None

    @property
    def advice(self) -> str:
        """The command that an operator runs if the schema is missing or outdated."""
        return f"python -m deploy.migrate {self._service}"

    @property
    def is_outdated(self) -> bool:
        """True if the last check found a schema that is missing or outdated."""
        return self._last is not None and bool(self._last.missing)

    def check(self) -> SchemaStatus:
        """Read the revisions of the schema from the database. Raises the database's errors."""
        with self._database.reading() as connection:
            current = schema_status(connection, self._expected)
        self._is_current = not current.missing
        if current != self._last and current.missing:
            _log.error("the schema of the database is missing or older", **self.summary(current), advice=self.advice)
        elif current != self._last and (self._last is not None or current.newer):
            _log.warning("the schema of the database is good", **self.summary(current))
        self._last = current
        return current

    def require_current(self) -> None:
        """Raise SchemaOutdated if the schema is outdated; raises the database's errors if it has to be read."""
        if not self._is_current and self.check().missing:
            raise SchemaOutdated(
                "The database of this service has not been upgraded yet; nothing was done.",
                retry_after=SCHEMA_SECONDS,
            )

    def hindrance(self) -> str:
        """Return why a worker cannot run now; empty if it can."""
        try:
            current = self.check()
        except DATABASE_UNAVAILABLE:
            return "the database does not answer"
        except SQLAlchemyError as error:
            return f"the database cannot be asked for its schema: {type(error).__name__}"
        return f"the database lacks {', '.join(current.missing)}: {self.advice}" if current.missing else ""

    def recheck(self) -> None:
        """Check again after a failed statement: an older backup may have been restored. Raises SchemaOutdated."""
        self._is_current = False
        self.require_current()

    @staticmethod
    def summary(current: SchemaStatus) -> dict[str, object]:
        """Return the revisions of the schema, for readiness and the log."""
        return {
            "found": ", ".join(revision_names(current.found)) or "none",
            "expected": ", ".join(revision_names(current.expected)),
        }


CHECK_SECONDS = 60.0
"""Interval between two checks of the peers while all is well."""
RECHECK_SECONDS = 5.0
"""Interval while a peer is ahead or does not answer."""
CACHE_SECONDS = 1.0
"""How long a process uses the findings that it last read from the database."""


class OwnCopies:
    """Compares the service's own log with the copies that its peers hold.

    peers: the client that sends requests to the peers. names: names of the peers.
    """

    def __init__(self, database: Database, source: str, peers: Peers, names: Sequence[str]) -> None:
        self._database = database
        self._source = source
        self._peers = peers
        self._names = names
        self._was_checked = False
        self._due = 0.0
        self._read_at = -CACHE_SECONDS
        self._findings: list[PeerStatus] = []
        self._lock = threading.Lock()

    def require_none_ahead(self, otherwise: str = "it appends none") -> None:
        """Raise BehindOwnCopies if a peer holds events that the own log has lost.

        otherwise: clause for the error text that says what the service does not do meanwhile.
        """
        if any(finding.trouble for finding in self.findings()):
            # The details name tournaments, so only /readyz shows them; this answer is public.
            raise BehindOwnCopies(
                f"The database of {self._source} has lost events that its peers hold; {otherwise} until an "
                f"operator has run `muster recover --service {self._source}`.",
                retry_after=int(RECHECK_SECONDS),
            )

    def findings(self) -> list[PeerStatus]:
        """Return the last finding about each peer. Asks the peers if this process has never done so."""
        if not self._was_checked:
            self.check_once()
        now = time.monotonic()
        if now - self._read_at >= CACHE_SECONDS:
            with self._database.reading() as connection:
                self._findings = status.peer_statuses(connection)
            self._read_at = now
        return self._findings

    def check_once(self) -> None:
        """Ask the peers, unless this process has done so."""
        with self._lock:
            if not self._was_checked:
                self.check()

    def check_if_due(self) -> None:
        """Ask the peers if the interval is over."""
        if time.monotonic() >= self._due:
            self.check()

    def check(self) -> list[str]:
        """Ask every peer now, and store whether it is ahead of the own log. Return the peers that did not answer."""
        silent = []
        for peer in self._names:
            try:
                held = self._peers.held(peer)
            except OwnerUnavailable as error:
                silent.append(peer)
                _log.info("a peer was not asked for its copies", peer=peer, error=str(error))
                continue
            self._store(peer, self._lead_of(held))
        self._was_checked = True
        self._read_at = -CACHE_SECONDS
        is_well = not silent and not any(finding.trouble for finding in self.findings())
        self._due = time.monotonic() + (CHECK_SECONDS if is_well else RECHECK_SECONDS)
        return silent

    def _lead_of(self, held: CopySummary) -> str:
        """Describe the events that a peer holds and this service's own log lacks; empty if there are none.

        The own log is read after the peer was asked, so it cannot be older than the peer's answer.
        """
        last = held.last
        with self._database.reading() as connection:
            own = count_copied(connection, self._source)
            at = feed_hashes(connection, self._source, last.feed, last.feed + 1) if last else []
        if last is not None and at != [(last.feed, last.tournament, last.position, last.hash)]:
            what = f"{last.tournament}.{self._source}.{last.position} at feed position {last.feed}"
            return f"holds {what}, where this database has {'another event' if at else 'none'}"
        return f"holds {held.events} events, this database {own}" if held.events > own else ""

    def _store(self, peer: str, trouble: str) -> None:
        with self._database.reading() as connection:
            before = {finding.peer: finding for finding in status.peer_statuses(connection)}.get(peer)
        now = time.time() * 1000
        if before and before.trouble == trouble and abs(now - before.checked) < CHECK_SECONDS / 2 * 1000:
            return
        if trouble and not (before and before.trouble):
            _log.error(
                "a peer holds what the own log lacks: nothing is appended before `muster recover`",
                peer=peer,
                trouble=trouble,
            )
        with self._database.writing() as connection:
            status.record_peer_status(connection, peer, trouble)


ANNOUNCEMENT = "TournamentAnnounced"
"""The first event of the log of a tournament."""


def event_fault(event: Recorded) -> BrokenLog | None:
    """Return why an event must not be copied, judged by the event alone; None if it may."""
    known = CATALOGUE.get(event.type)
    if known is None or event.version > known.version:
        return DeferredEvent(event, f"waits for newer code: {event.type}, version {event.version}", NEWER)
    if event.source not in known.owners:
        return BrokenLog(event, f"{event.type} is no event of {event.source}")
    if event.type not in OF_WEBHOOKS and (event.tournament == INSTALLATION) != (event.type in OF_INSTALLATION):
        return BrokenLog(event, f"{event.type} is no event of {event.tournament}")
    if (
        event.source == ANNOUNCER
        and event.tournament != INSTALLATION
        and (event.position == 1) != (event.type == ANNOUNCEMENT)
    ):
        return BrokenLog(event, f"a log of {ANNOUNCER} begins with {ANNOUNCEMENT}, and holds it nowhere else")
    if byte_length(event.data) > LARGEST_EVENT:
        return BrokenLog(event, f"its data have more than {LARGEST_EVENT} bytes")
    if byte_length(event.command) > LARGEST_COMMAND:
        return BrokenLog(event, f"its command has more than {LARGEST_COMMAND} bytes")
    try:
        if not is_canonical(event.data):
            return BrokenLog(event, "its data are not canonical JSON")
        read_event(event.type, event.version, event.data)
    except Exception as error:  # raised by a reader, or by an upcast of unexpected data
        return BrokenLog(event, f"its data do not fit {event.type}, version {event.version}: {error}")
    try:
        read_actor(event.actor)
    except NotAnActor as error:
        return BrokenLog(event, f"its {error}")
    return _fault_of_record(event)


def _fault_of_record(event: Recorded) -> BrokenLog | None:
    """Return the fault of a recorded command, judged by its form. Only an audit can check its content."""
    if not event.command:
        return None
    try:
        read_record(event)
        return None if is_canonical(event.command) else BrokenLog(event, "its command is not canonical JSON")
    except (UnreadableCommand, ValueError, RecursionError) as error:
        return BrokenLog(event, f"its command cannot be read: {error}")


POLL_SECONDS = 0.005
"""Interval between two reads of the copies while a request waits."""
RETRY_SECONDS = 1
"""Retry-After for a request that found no place to wait."""

CatchUp = Callable[[str], Collection[str]]
"""Copies the latest events of a tournament from their owners. Returns the owners that did not answer."""


class SeenGate:
    """Lets requests of a process wait for copies, within limits.

    source: the own log. catch_up: asks the owners of the other logs. threads: number of threads that answer requests.
    seconds: longest wait of a request.
    """

    def __init__(self, repository: Repository, source: str, catch_up: CatchUp, threads: int, seconds: float) -> None:
        self.catch_up = catch_up
        self._repository = repository
        self._source = source
        self._seconds = seconds
        self._places = max(1, threads - max(1, threads // 4))
        self._for_guests = max(1, self._places // 2)
        self._for_one_address = max(1, self._for_guests - 1)
        self._guests: Counter[str] = Counter()
        self._taken = 0
        self._lock = threading.Lock()

    @contextmanager
    def place(self, *, guest: bool) -> Iterator[None]:
        """Hold a place for a waiting request inside the block. guest: the caller has no token.

        Raises NotYetSeen if no place is free.
        """
        guests = [rate_key(this_request())] if guest else []
        with self._lock:
            if self._taken >= self._places or any(map(self._is_refused, guests)):
                detail = "This service has not read that far yet, and too many requests are waiting for it already."
                raise NotYetSeen(detail, retry_after=RETRY_SECONDS)
            self._taken += 1
            self._guests.update(guests)
        try:
            yield
        finally:
            with self._lock:
                self._taken -= 1
                self._guests -= Counter(guests)

    def _is_refused(self, address: str) -> bool:
        """Return True if guests in total, or the guests at this address, have reached their limit of places."""
        return self._guests.total() >= self._for_guests or self._guests[address] >= self._for_one_address

    def others_may_know(self, caller: Caller | None) -> bool:
        """Return True if the other services may know a tournament that is unknown here.

        Registration announces all tournaments, so it asks no one. A request of another service is not passed on: the
        two could ask each other without end.
        """
        return self._source != ANNOUNCER and (caller is None or caller.role != SERVICE)

    def until_read(self, tournament: str, required: Mapping[str, int], caller: Caller | None) -> None:
        """Wait until this service has read as far as `required`: source -> position.

        Raises NotYetSeen if that takes too long or too many requests wait, ImplausibleSeen, UnknownTournament.
        """
        missing, seen, known = self._missing(tournament, required, caller)
        if not missing:
            return
        if known:
            refuse_implausible(missing, seen, self._source)
        elif not self.others_may_know(caller):
            raise unknown_tournament()
        with self.place(guest=caller is None):
            self._wait(tournament, required, known, caller)

    def _wait(self, tournament: str, required: Mapping[str, int], known: bool, caller: Caller | None) -> None:
        started = time.monotonic()
        silent: Collection[str] | None = None  # owners that did not answer, once they were asked
        while True:
            waited = time.monotonic() - started
            if silent is None and (not known or waited > self._seconds / 10):
                silent = self.catch_up(tournament)
            missing, seen, known = self._missing(tournament, required, caller)
            if not missing:
                return
            if silent is not None:
                if not known and ANNOUNCER not in silent:
                    raise unknown_tournament()
                # The owners of the missing events have answered, so no more events are on the way.
                if not missing.keys() & set(silent):
                    raise not_yet_seen(missing, seen)
            if waited > self._seconds:
                raise not_yet_seen(missing, seen)
            time.sleep(POLL_SECONDS)

    def _missing(
        self, tournament: str, required: Mapping[str, int], caller: Caller | None
    ) -> tuple[dict[str, int], dict[str, int], bool]:
        """Return the positions still missing, the positions read, and whether the tournament is known.

        A tournament that the caller may not see counts as unknown.
        """
        with self._repository.now(tournament) as loaded:
            known = is_visible(tournament, loaded.state, caller)
            seen = loaded.seen if known else dict.fromkeys(loaded.seen, 0)
        return missing_positions({source: required[source] for source in required if source in seen}, seen), seen, known
