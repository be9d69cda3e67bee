"""Waiting until this service has read what the caller has seen elsewhere: for a moment, and in few places.

A request that waits holds a thread. So some threads are always left for those that need not wait, and callers without
a token cannot take all the places from those who have one, nor one address all of theirs; the others are told to come
again.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager

from shared.application.repository import Repository
from shared.application.visibility import is_there, unknown_tournament
from shared.messaging.admission import ANNOUNCER
from shared.roles import SERVICE
from shared.web.limits import rate_key
from shared.web.refusals import NotYetSeen
from shared.web.request import this_request
from shared.web.tokens import Caller
from shared.web.versions import behind, not_yet_seen, refuse_implausible

POLL = 0.005
"""Seconds between two looks at the copies."""
RETRY_AFTER = 1
"""Seconds after which somebody who found no place may try again."""

CatchUp = Callable[[str], Collection[str]]
"""Copies of one tournament are brought up to date from their owners; returns those that did not answer."""


class Waiting:
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
                raise NotYetSeen(detail, retry_after=RETRY_AFTER)
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
            time.sleep(POLL)

    def _missing(
        self, tournament: str, wanted: Mapping[str, int], who: Caller | None
    ) -> tuple[dict[str, int], dict[str, int], bool]:
        """What is wanted and not read yet, how far each log is read, whether the tournament is known.

        One that is not there for the caller is as unknown as one that nobody announced, and nothing of it is read.
        """
        with self._repository.now(tournament) as loaded:
            known = is_there(tournament, loaded.state, who)
            seen = loaded.seen if known else dict.fromkeys(loaded.seen, 0)
        return behind({source: wanted[source] for source in wanted if source in seen}, seen), seen, known
