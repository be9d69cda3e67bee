"""Gates: what must hold before a service uses its database, appends, takes a foreign event, or answers.

The schema must stand where this code expects it, or further. The database is asked once, and then only while it was
wrong or when readiness asks. So nobody has to start anything again: as soon as somebody has migrated, the next look
finds it.

No peer may hold more of this service's log than it does itself, as after its database was put back alone. Whoever
appended then would give away positions that the peers hold otherwise. So each process asks before its first command,
the worker asks now and then, and while a peer holds more, or something else, nothing is appended. A peer that does not
answer keeps nobody from working: it is asked again.

A copy takes a foreign event of a type that its source appends and of a version that is known, whose data are canonical
and fit the schema, and so do its actor and what it carries of a command; and a log begins with what begins a log.

An answer waits for a moment until this service has read what the caller has seen elsewhere. A request that waits holds
a thread. So some threads are always left for those that need not wait, and callers without a token cannot take all the
places from those who have one, nor one address all of theirs; the others are told to come again.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager

from sqlalchemy.exc import SQLAlchemyError

from shared.formats.fold import CATALOGUE, read_event
from shared.log.command_record import NoCommand, read_record
from shared.log.copies import copied
from shared.log.database import Database
from shared.log.event import LARGEST_COMMAND, LARGEST_EVENT, NotAnActor, Recorded, is_canonical, read_actor, size_of
from shared.log.log import Broken
from shared.log.reading import feed_hashes
from shared.log.schema import Standing, expected_revisions, named, places, standing
from shared.logs import get_logger
from shared.messaging import status
from shared.messaging.errors import DATABASE_AWAY, OwnerUnavailable
from shared.messaging.inbox import ANNOUNCER, NEWER, NotYet
from shared.messaging.peers import Held, Peers
from shared.messaging.status import PeerSaid
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
"""Seconds that callers are asked to wait for whoever migrates."""

_log = get_logger("muster.handling")


class SchemaGate:
    """Lets through once the schema of the service's database holds all that its code needs."""

    def __init__(self, database: Database, service: str) -> None:
        self._database = database
        self._service = service
        self._expected = expected_revisions(places(service))
        self._good = False
        self._said: Standing | None = None

    @property
    def advice(self) -> str:
        """What an operator does about a schema that is missing or older."""
        return f"python -m deploy.migrate {self._service}"

    @property
    def wrong(self) -> bool:
        """Whether the last look found a schema that is missing or older."""
        return self._said is not None and bool(self._said.missing)

    def look(self) -> Standing:
        """Ask the database where it stands. Raises the database's errors."""
        with self._database.reading() as connection:
            found = standing(connection, self._expected)
        self._good = not found.missing
        if found != self._said and found.missing:
            _log.error("the schema of the database is missing or older", **self.told(found), advice=self.advice)
        elif found != self._said and (self._said is not None or found.newer):
            _log.warning("the schema of the database is good", **self.told(found))
        self._said = found
        return found

    def need(self) -> None:
        """Raises SchemaOutdated, and the database's errors where it has to be asked."""
        if not self._good and self.look().missing:
            raise SchemaOutdated(
                "The database of this service has not been upgraded yet; nothing was done.",
                retry_after=SCHEMA_SECONDS,
            )

    def hindrance(self) -> str:
        """Why a worker may not run now; empty where it may."""
        try:
            found = self.look()
        except DATABASE_AWAY:
            return "the database does not answer"
        except SQLAlchemyError as error:
            return f"the database cannot be asked for its schema: {type(error).__name__}"
        return f"the database lacks {', '.join(found.missing)}: {self.advice}" if found.missing else ""

    def doubt(self) -> None:
        """Look again after a statement that the database did not understand: it may have been put back to an earlier
        schema meanwhile. Raises SchemaOutdated then."""
        self._good = False
        self.need()

    @staticmethod
    def told(found: Standing) -> dict[str, object]:
        """Where the database stands, as readiness and the log say it."""
        return {"found": ", ".join(named(found.found)) or "none", "expected": ", ".join(named(found.expected))}


ASKED_SECONDS = 60.0
"""Between two looks at the peers while all is well."""
AGAIN_SECONDS = 5.0
"""While it is not, or a peer does not answer."""
READ_SECONDS = 1.0
"""For so long a process believes what it last read of what peers said."""


class OwnCopies:
    """Compares the own log with its copies. peers: asks; names: whom."""

    def __init__(self, database: Database, source: str, peers: Peers, names: Sequence[str]) -> None:
        self._database = database
        self._source = source
        self._peers = peers
        self._names = names
        self._asked = False
        self._due = 0.0
        self._read_at = -READ_SECONDS
        self._said: list[PeerSaid] = []
        self._lock = threading.Lock()

    def require_none_ahead(self, otherwise: str = "it appends none") -> None:
        """Raise BehindOwnCopies while a peer holds what the own log does not, or it is being taken back.

        otherwise: what the service does not do meanwhile, as a clause of the sentence.
        """
        ahead = [said for said in self.said() if said.trouble]
        if ahead:
            # What exactly they hold is for /readyz: it names tournaments, and this is answered to anybody.
            raise BehindOwnCopies(
                f"The database of {self._source} has lost events that its peers hold; {otherwise} until an "
                f"operator has run `muster recover --service {self._source}`.",
                retry_after=int(AGAIN_SECONDS),
            )

    def said(self) -> list[PeerSaid]:
        """What each peer said last; asks them where this process never did."""
        if not self._asked:
            self.ask_once()
        now = time.monotonic()
        if now - self._read_at >= READ_SECONDS:
            with self._database.reading() as connection:
                self._said = status.peers_said(connection)
            self._read_at = now
        return self._said

    def ask_once(self) -> None:
        """Ask the peers, unless this process has done so."""
        with self._lock:
            if not self._asked:
                self.look()

    def look_now_and_then(self) -> None:
        """Ask the peers when it is time for that."""
        if time.monotonic() >= self._due:
            self.look()

    def look(self) -> list[str]:
        """Ask every peer now, and write down what it holds beyond the own log; returns those that did not answer."""
        silent = []
        for peer in self._names:
            try:
                held = self._peers.held(peer)
            except OwnerUnavailable as error:
                silent.append(peer)
                _log.info("a peer was not asked for its copies", peer=peer, error=str(error))
                continue
            self._say(peer, self._beyond(held))
        self._asked = True
        self._read_at = -READ_SECONDS
        well = not silent and not any(said.trouble for said in self.said())
        self._due = time.monotonic() + (ASKED_SECONDS if well else AGAIN_SECONDS)
        return silent

    def _beyond(self, held: Held) -> str:
        """What a peer holds that is not here. The own log is read after the peer was asked, so it is never too old."""
        last = held.last
        with self._database.reading() as connection:
            own = copied(connection, self._source)
            at = feed_hashes(connection, self._source, last.feed, last.feed + 1) if last else []
        if last is not None and at != [(last.feed, last.tournament, last.position, last.hash)]:
            what = f"{last.tournament}.{self._source}.{last.position} at feed position {last.feed}"
            return f"holds {what}, where this database has {'another event' if at else 'none'}"
        return f"holds {held.events} events, this database {own}" if held.events > own else ""

    def _say(self, peer: str, trouble: str) -> None:
        with self._database.reading() as connection:
            before = {said.peer: said for said in status.peers_said(connection)}.get(peer)
        now = time.time() * 1000
        if before and before.trouble == trouble and abs(now - before.checked) < ASKED_SECONDS / 2 * 1000:
            return
        if trouble and not (before and before.trouble):
            _log.error(
                "a peer holds what the own log lacks: nothing is appended before `muster recover`",
                peer=peer,
                trouble=trouble,
            )
        with self._database.writing() as connection:
            status.say_of_peer(connection, peer, trouble)


ANNOUNCEMENT = "TournamentAnnounced"
"""With what the log of a tournament begins."""


def event_fault(event: Recorded) -> Broken | None:
    """Why a copy must not take an event, as far as the event itself tells; None where it may."""
    known = CATALOGUE.get(event.type)
    if known is None or event.version > known.version:
        return NotYet(event, f"waits for newer code: {event.type}, version {event.version}", NEWER)
    if event.source not in known.owners:
        return Broken(event, f"{event.type} is no event of {event.source}")
    if event.type not in OF_WEBHOOKS and (event.tournament == INSTALLATION) != (event.type in OF_INSTALLATION):
        return Broken(event, f"{event.type} is no event of {event.tournament}")
    if (
        event.source == ANNOUNCER
        and event.tournament != INSTALLATION
        and (event.position == 1) != (event.type == ANNOUNCEMENT)
    ):
        return Broken(event, f"a log of {ANNOUNCER} begins with {ANNOUNCEMENT}, and holds it nowhere else")
    if size_of(event.data) > LARGEST_EVENT:
        return Broken(event, f"its data have more than {LARGEST_EVENT} bytes")
    if size_of(event.command) > LARGEST_COMMAND:
        return Broken(event, f"its command has more than {LARGEST_COMMAND} bytes")
    try:
        if not is_canonical(event.data):
            return Broken(event, "its data are not canonical JSON")
        read_event(event.type, event.version, event.data)
    except Exception as error:  # of a reader, or of an upcast that met something else than it was made for
        return Broken(event, f"its data do not fit {event.type}, version {event.version}: {error}")
    try:
        read_actor(event.actor)
    except NotAnActor as error:
        return Broken(event, f"its {error}")
    return _fault_of_record(event)


def _fault_of_record(event: Recorded) -> Broken | None:
    """Whether the command has its form. What it says, an audit looks at: only its service knows it."""
    if not event.command:
        return None
    try:
        read_record(event)
        return None if is_canonical(event.command) else Broken(event, "its command is not canonical JSON")
    except (NoCommand, ValueError, RecursionError) as error:
        return Broken(event, f"its command cannot be read: {error}")


POLL_SECONDS = 0.005
"""Seconds between two looks at the copies."""
UNREAD_SECONDS = 1
"""Seconds after which somebody who found no place may try again."""

CatchUp = Callable[[str], Collection[str]]
"""Copies of one tournament are brought up to date from their owners; returns those that did not answer."""


class SeenGate:
    """The places of a process. source: its own log; threads: that answer requests in it; seconds: at most for each.

    catch_up: asks the owners of the other logs.
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
        """A place for as long as the block lasts. guest: without a token. Raises NotYetSeen where there is none."""
        guests = [rate_key(this_request())] if guest else []
        with self._lock:
            if self._taken >= self._places or any(map(self._is_refused, guests)):
                detail = "This service has not read that far yet, and too many requests are waiting for it already."
                raise NotYetSeen(detail, retry_after=UNREAD_SECONDS)
            self._taken += 1
            self._guests.update(guests)
        try:
            yield
        finally:
            with self._lock:
                self._taken -= 1
                self._guests -= Counter(guests)

    def _is_refused(self, address: str) -> bool:
        """Return True if guests, or those of this address, have as many places as they may."""
        return self._guests.total() >= self._for_guests or self._guests[address] >= self._for_one_address

    def others_may_know(self, who: Caller | None) -> bool:
        """Whether the owners are worth asking about a tournament that is not known here.

        Registration announces them all; and a service that asks would be asked back, and ask again.
        """
        return self._source != ANNOUNCER and (who is None or who.role != SERVICE)

    def until_read(self, tournament: str, wanted: Mapping[str, int], who: Caller | None) -> None:
        """Wait until this service has read as far as `wanted`.

        Raises NotYetSeen when that takes too long or too many wait, ImplausibleSeen, UnknownTournament.
        """
        missing, seen, known = self._missing(tournament, wanted, who)
        if not missing:
            return
        if known:
            refuse_implausible(missing, seen, self._source)
        elif not self.others_may_know(who):
            raise unknown_tournament()
        with self.place(guest=who is None):
            self._wait(tournament, wanted, known, who)

    def _wait(self, tournament: str, wanted: Mapping[str, int], known: bool, who: Caller | None) -> None:
        started = time.monotonic()
        silent: Collection[str] | None = None  # owners that did not answer, once they were asked
        while True:
            waited = time.monotonic() - started
            if silent is None and (not known or waited > self._seconds / 10):
                silent = self.catch_up(tournament)
            missing, seen, known = self._missing(tournament, wanted, who)
            if not missing:
                return
            if silent is not None:
                if not known and ANNOUNCER not in silent:
                    raise unknown_tournament()
                # Whoever owns what is missing has said how far its log goes: nothing is on its way.
                if not missing.keys() & set(silent):
                    raise not_yet_seen(missing, seen)
            if waited > self._seconds:
                raise not_yet_seen(missing, seen)
            time.sleep(POLL_SECONDS)

    def _missing(
        self, tournament: str, wanted: Mapping[str, int], who: Caller | None
    ) -> tuple[dict[str, int], dict[str, int], bool]:
        """What is wanted and not read yet, how far each log is read, whether the tournament is known.

        One that is not there for the caller is as unknown as one that nobody announced, and nothing of it is read.
        """
        with self._repository.now(tournament) as loaded:
            known = is_visible(tournament, loaded.state, who)
            seen = loaded.seen if known else dict.fromkeys(loaded.seen, 0)
        return missing_positions({source: wanted[source] for source in wanted if source in seen}, seen), seen, known
