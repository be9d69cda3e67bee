"""A subscription of an event's feed, and the kinds of pages that each event concerns."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from time import monotonic
from types import MappingProxyType

import structlog
from msgspec import Struct

from muster_client import Muster, MusterError, Problem
from muster_client.lines import Event
from muster_client.stream import Stream

EVENT, STAFF, PLAYERS, LISTS = "event", "staff", "players", "lists"
ROUND, CALLS = "round", "calls"
GAMES, STANDINGS, AWARDS = "games", "standings", "awards"
KINDS = (EVENT, STAFF, PLAYERS, LISTS, ROUND, CALLS, GAMES, STANDINGS, AWARDS)
"""The parts of an event that pages show and that may change."""

KINDS_OF_SOURCE: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"registration": (PLAYERS,), "pairing": (ROUND,), "scoring": (GAMES, STANDINGS)}
)
"""Service -> kinds that its events change, for types that the table below does not list."""
NOTHING: tuple[str, ...] = ()
KINDS_OF_TYPE: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "TournamentAnnounced": (EVENT,),
        "TournamentAmended": (EVENT,),
        "RulesetMoved": (EVENT, ROUND, STANDINGS),
        "TournamentCancelled": (EVENT,),
        "VenueOpened": (EVENT,),
        "VenueAmended": (EVENT, ROUND, CALLS, GAMES),
        "TablesChanged": (EVENT, ROUND, CALLS, GAMES),
        "VenueClosed": (EVENT,),
        "RegistrationClosed": (EVENT,),
        "RegistrationReopened": (EVENT,),
        "ScreenSet": (EVENT,),
        "ScreenRemoved": (EVENT,),
        "StaffAppointed": (STAFF,),
        "StaffEntered": (STAFF, PLAYERS),
        "StaffDismissed": (STAFF,),
        "TokenRevoked": NOTHING,
        "InstallationTokenRevoked": NOTHING,
        "OrganiserTokenIssued": NOTHING,
        "PlayerLinkIssued": NOTHING,
        "RosterSubmitted": (LISTS,),
        "RosterAccepted": (LISTS,),
        "RosterRejected": (LISTS,),
        "RostersOpened": (LISTS,),
        "SeatGiven": (EVENT, PLAYERS),
        "SeatTakenBack": (EVENT, PLAYERS),
        "PlayerDropped": (PLAYERS, STANDINGS),
        "PlayerReinstated": (PLAYERS, STANDINGS),
        "PlayerDisqualified": (PLAYERS, GAMES, STANDINGS),
        "DisqualificationRevoked": (PLAYERS, GAMES, STANDINGS),
        "SpareAvailable": (STAFF,),
        "SpareUnavailable": (STAFF,),
        "ResultReported": (GAMES,),
        "ReportChanged": (GAMES,),
        "ResultDisputed": (GAMES,),
        "RulingAppealed": (GAMES,),
        "StandingsRecorded": (STANDINGS,),
        "PartClosed": (ROUND,),
        "PartSetAside": (ROUND, STANDINGS),
        "RoundClosed": (ROUND, STANDINGS),
        "RoundReopened": (ROUND, STANDINGS),
        "CoinEntered": (STANDINGS,),
        "AwardGiven": (AWARDS,),
        "AwardWithdrawn": (AWARDS,),
        "TournamentConcluded": (EVENT, ROUND, STANDINGS),
        "WebhookSubscribed": NOTHING,
        "WebhookChanged": NOTHING,
        "WebhookSecretRotated": NOTHING,
        "WebhookEnabled": NOTHING,
        "WebhookDisabled": NOTHING,
        "WebhookReplayed": NOTHING,
        "WebhookDeleted": NOTHING,
    }
)
UNPUBLISHED = (CALLS, ROUND)
"""Kinds that may change without an event."""
MOST_IDS = 2_000
"""Ids of games or players that are kept apart; beyond that a change covers all."""
LONGEST_ID = 64
"""Characters."""


class Concern(Struct, frozen=True):
    """What a page shows. kinds: empty for all. about: the games and players that all its parts are about, if any."""

    kinds: frozenset[str] = frozenset()
    about: frozenset[str] = frozenset()


EVERYTHING = Concern()
MOST_ABOUT = 50
"""Ids that a page may name; a page that names more hears of all."""


def concern_of(kinds: str, about: str) -> Concern:
    """Return the concern that a page names, with words separated by spaces. Unknown words are left out."""
    ids = about.split(maxsplit=MOST_ABOUT)
    named = frozenset(ids) if len(ids) <= MOST_ABOUT and all(len(id) <= LONGEST_ID for id in ids) else frozenset()
    return Concern(frozenset(kinds.split(maxsplit=2 * len(KINDS))) & frozenset(KINDS), named)


class Changes(Struct):
    """Changes by kind: ids of the games or players concerned, None for all of them."""

    of: dict[str, set[str] | None] = {}

    def __bool__(self) -> bool:
        return bool(self.of)

    def add(self, event: Event) -> None:
        """Add an event, as far as its reader may see it."""
        id = _about(event)
        for kind in kinds_of(event.source, event.type):
            self._add(kind, {id} if id else None)

    def add_all(self, kinds: Iterable[str] = KINDS) -> None:
        """Mark all of these kinds as changed."""
        self.of.update(dict.fromkeys(kinds))

    def merge(self, other: Changes) -> None:
        """Add other changes."""
        for kind, ids in other.of.items():
            self._add(kind, ids)

    def concerning(self, concern: Concern) -> Changes:
        """Return the changes that a page shows."""
        found = Changes()
        for kind, ids in self.of.items():
            if concern.kinds and kind not in concern.kinds:
                continue
            if ids is None or not concern.about:
                found.of[kind] = ids
            elif mine := ids & concern.about:
                found.of[kind] = mine
        return found

    def _add(self, kind: str, ids: set[str] | None) -> None:
        known = self.of.setdefault(kind, set())
        if known is None:
            return
        if ids is not None:
            known |= ids
        if ids is None or len(known) > MOST_IDS:
            self.of[kind] = None


def kinds_of(source: str, type: str) -> tuple[str, ...]:
    """Return the kinds that an event of this type changes; for an unknown type the usual ones of its service."""
    return KINDS_OF_TYPE.get(type, KINDS_OF_SOURCE.get(source, (EVENT,)))


def _about(event: Event) -> str:
    """Return the game or player that an event is about; empty if it is about several, or hidden."""
    data = event.data or {}
    id = data.get("game") or data.get("player")
    return id if isinstance(id, str) and len(id) <= LONGEST_ID else ""


LONGEST_PAUSE = 5.0
"""Seconds between two attempts while scoring is away."""
PAUSE = 3.0
"""Seconds after a refusal until the next attempt."""
RECENT_SECONDS = 10.0
"""Changes this recent are sent to new listeners: their page may have been rendered before."""
GRACE_SECONDS = 4.0
"""Seconds that a connection may be lost before listeners hear of it: scoring may be restarting."""
POLL_SECONDS = 1.5
"""Seconds between two checks for drafts and calls."""
REFUSED = (401, 403)
"""Statuses for a token without access."""

_log = structlog.get_logger("muster.console")


class Key(Struct, frozen=True):
    """An event and an audience: the people who see the same of it; empty for the public."""

    event: str
    audience: str = ""


class Watch:
    """A subscription of an event's feed.

    tokens: tokens of the current listeners; the first one is used to read, and a guest's is empty. wake: called when
    there are changes. refuse: called with a token that has lost access. is_up: True if the subscription is up, since
    `changed_at` (time.monotonic()); None while unknown.
    """

    def __init__(
        self,
        key: Key,
        muster: Muster,
        tokens: Callable[[], Iterable[str]],
        wake: Callable[[], None],
        refuse: Callable[[str], None],
    ) -> None:
        self.key = key
        self.is_up: bool | None = None  # not known yet
        self.changed_at = monotonic()
        self._muster = muster
        self._tokens = tokens
        self._wake = wake
        self._refuse = refuse
        self._news = Changes()
        self._recent: list[tuple[float, Changes]] = []
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._stream: Stream | None = None

    @property
    def seconds_down(self) -> float | None:
        """Seconds since the subscription went down; None if it is up, or down for only a moment."""
        seconds = monotonic() - self.changed_at
        return seconds if self.is_up is False and seconds >= GRACE_SECONDS else None

    def start(self) -> None:
        """Start reading in threads; for staff, also poll for what is in no feed."""
        threading.Thread(target=self._run, name=f"live {self.key.event}", daemon=True).start()
        if self.key.audience:
            threading.Thread(target=self._poll, name=f"unpublished {self.key.event}", daemon=True).start()

    def close(self) -> None:
        """Stop reading. The threads end within seconds."""
        self._ended.set()
        if self._stream is not None:
            self._stream.close()

    def take(self) -> Changes:
        """Return the changes since the last call."""
        now = monotonic()
        with self._lock:
            news, self._news = self._news, Changes()
            self._recent = [one for one in self._recent if now - one[0] < RECENT_SECONDS]
            if news:
                self._recent.append((now, news))
        return news

    def recent(self) -> Changes:
        """Return the recent changes."""
        found = Changes()
        with self._lock:
            for _, changes in self._recent:
                found.merge(changes)
        return found

    def _run(self) -> None:
        while not self._ended.is_set():
            token = next(iter(self._tokens()), None)
            if token is None:  # the last one is leaving
                self._ended.wait(PAUSE)
                continue
            try:
                self._read(token)
            except Problem as problem:
                if problem.status in REFUSED:
                    self._refuse(token)
                    continue
                self._set_up(False)
                self._ended.wait(PAUSE)
            except Exception as error:  # any failure: try again, so that listeners are not left without a subscription
                known = isinstance(error, MusterError)
                _log.warning("live pages: the subscription failed", error=str(error), exc_info=None if known else error)
                self._set_up(False)
                self._ended.wait(PAUSE)

    def _poll(self) -> None:
        """Poll pairing for changes of drafts and calls until it refuses the tokens: they are not those of staff."""
        revision: int | None = None
        while not self._ended.is_set():
            token = next(iter(self._tokens()), None)
            if token is None:  # the last one is leaving
                self._ended.wait(PAUSE)
                continue
            now = revision
            try:
                now = self._muster.acting_as(token).pairing.show_unpublished(self.key.event).revision
            except Problem as problem:
                if problem.status in REFUSED:
                    return
            except MusterError as error:  # the subscription says that services are away
                _log.info("polling for drafts and calls failed", error=str(error))
            if revision is not None and now != revision:
                self._take_in(lambda news: news.add_all(UNPUBLISHED))
            revision = now
            self._ended.wait(POLL_SECONDS)

    def _read(self, token: str) -> None:
        """Read until closed. Raises MusterError if the feed refuses."""
        muster = self._muster.acting_as(token)
        is_first = True

        def set_up(now: bool) -> None:
            nonlocal is_first
            if now and is_first:  # changes before the subscription are unknown
                is_first = False
                self._take_in(Changes.add_all)
            self._set_up(now)

        self._stream = muster.stream("now", tournament=self.key.event, stands=set_up, longest_pause=LONGEST_PAUSE)
        if self._ended.is_set():
            return
        for event in self._stream:
            # Later requests must be answered at least from this event on.
            muster.connection.seen.note(event.tournament, f"{event.source}={event.position}")
            self._take_in(lambda news, event=event: news.add(event))  # type: ignore[misc]

    def _take_in(self, adding: Callable[[Changes], None]) -> None:
        with self._lock:
            adding(self._news)
            some = bool(self._news)
        if some:
            self._wake()

    def _set_up(self, now: bool) -> None:
        if now != self.is_up:
            self.is_up, self.changed_at = now, monotonic()
            self._wake()
