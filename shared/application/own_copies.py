"""Whether the peers hold more of this service's log than it does itself, as after its database was put back alone.

Whoever appended then would give away positions that the peers hold otherwise. So each process asks before its first
command, the worker asks now and then, and while a peer holds more, or something else, nothing is appended. A peer that
does not answer keeps nobody from working: it is asked again.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence

from shared.application.refusals import BehindOwnCopies
from shared.eventlog import status
from shared.eventlog.cursors import copied
from shared.eventlog.database import Database
from shared.eventlog.read import feed_hashes
from shared.eventlog.status import PeerSaid
from shared.logs import get_logger
from shared.messaging.errors import OwnerUnavailable
from shared.messaging.peers import Held, Peers

ASKED_SECONDS = 60.0
"""Between two looks at the peers while all is well."""
AGAIN_SECONDS = 5.0
"""While it is not, or a peer does not answer."""
READ_SECONDS = 1.0
"""For so long a process believes what it last read of what peers said."""

_log = get_logger("muster.handling")


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
