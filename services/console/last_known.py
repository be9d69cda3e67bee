"""The last answers of the services, shown while a service is away, and the note that says so.

Answers are cached per token, so no one sees data that was not sent to them. Answers for players are not cached: there
are many players, and a phone keeps its own pages. After a service failed to respond, pages do not wait for it again for
a few seconds. Requests that change something, and reads that answer a form, always try.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping
from time import monotonic
from types import MappingProxyType
from typing import Any

import httpx
from babel.dates import format_timedelta
from flask import current_app, g, has_request_context, request
from msgspec import Struct

from muster_client import MusterError, Problem, UnexpectedAnswer, Unreachable
from muster_client.connection import Connection
from services.console.language import N_, _, locale
from services.console.live.hub import hub_of

MOST_BYTES, LARGEST = 32 * 1024 * 1024, 512 * 1024
"""Bytes of all cached answers, and of one."""
AWAY_SECONDS = 3.0
"""Seconds without requests to a service that did not respond."""
AWAY = (502, 503, 504)
_USED = "last_known_used"
_WAITED_FOR = "last_known_waited_for"

Question = tuple[str, str, str, str, str]
"""Token, service, address, query, content type."""


class Kept(Struct, frozen=True):
    """An answer. at: when it came, of time.monotonic()."""

    answer: httpx.Response
    at: float


class AnswerCache:
    """The cached answers of this process, least recently used first, and the services that are away."""

    def __init__(self) -> None:
        self._answers: OrderedDict[Question, Kept] = OrderedDict()
        self._bytes = 0
        self._away: dict[str, float] = {}
        self._lock = threading.Lock()

    def keep(self, asked: Question, answer: httpx.Response) -> None:
        """Cache an answer; drop the least recently used ones beyond the limit."""
        if len(answer.content) > LARGEST:
            return
        with self._lock:
            self._forget(asked)
            self._answers[asked] = Kept(answer, monotonic())
            self._bytes += len(answer.content)
            while self._bytes > MOST_BYTES:
                self._forget(next(iter(self._answers)))

    def find(self, asked: Question) -> Kept | None:
        """Return the last answer to a request; None if it is not cached."""
        with self._lock:
            kept = self._answers.get(asked)
            if kept is not None:
                self._answers.move_to_end(asked)
        return kept

    def is_away(self, service: str) -> bool:
        """Return True if a service failed to respond within the last seconds."""
        return monotonic() < self._away.get(service, 0.0)

    def was_away(self, service: str) -> bool:
        """Return True if a service failed to respond to the last request."""
        return service in self._away

    def note(self, service: str, *, away: bool) -> None:
        """Record whether a service responded."""
        if away:
            self._away[service] = monotonic() + AWAY_SECONDS
        else:
            self._away.pop(service, None)

    def _forget(self, asked: Question) -> None:
        if (kept := self._answers.pop(asked, None)) is not None:
            self._bytes -= len(kept.answer.content)


class CachingConnection(Connection):
    """A connection that falls back to the cache while a service is away. keeps: True if answers are cached."""

    def __init__(self, other: Connection, known: AnswerCache, *, keeps: bool) -> None:
        vars(self).update(vars(other))
        self._known = known
        self._keeps = keeps

    def ask(self, method: str, service: str, address: str, **how: Any) -> httpx.Response:
        known = self._known
        query, headers = how.get("query") or {}, how.get("headers") or {}
        asked = (self.token, service, address, str(sorted(query.items())), headers.get("Accept", ""))
        reads = method == "GET"
        waits = not reads or (_is_answering_a_form() and service not in g.get(_WAITED_FOR, ()))
        if not waits and known.is_away(service):
            return self._known_or(asked, Unreachable(service, self.urls[service], "it was away a moment ago"))
        if not waits and known.was_away(service):
            how["patience"] = 0.0
            known.note(service, away=True)  # this request tries; others wait for its outcome
        try:
            answer = super().ask(method, service, address, **how)
        except MusterError as error:
            known.note(service, away=isinstance(error, Unreachable))
            if isinstance(error, Unreachable) and has_request_context():
                g.setdefault(_WAITED_FOR, set()).add(service)
            if not reads or not _is_away(error):
                raise
            return self._known_or(asked, error)
        known.note(service, away=False)
        if reads and self._keeps and answer.status_code == 200:
            known.keep(asked, answer)
        return answer

    def _known_or(self, asked: Question, error: MusterError) -> httpx.Response:
        kept = self._known.find(asked)
        if kept is None:
            raise error
        if has_request_context():
            used = g.setdefault(_USED, {})
            used[asked[1]] = min(kept.at, used.get(asked[1], kept.at))
        return kept.answer


def ages_of_cached_answers() -> dict[str, float]:
    """Return service -> age in seconds of the oldest cached answer on this page; empty if all answers are current."""
    if not has_request_context():
        return {}
    now = monotonic()
    return {service: max(0.0, now - at) for service, at in g.get(_USED, {}).items()}


def _is_answering_a_form() -> bool:
    """Return True if the request sends a form: then a service is tried once more, even if it was just away."""
    return has_request_context() and request.method == "POST"


def _is_away(error: MusterError) -> bool:
    if isinstance(error, (Problem, UnexpectedAnswer)):
        return error.status in AWAY
    return isinstance(error, Unreachable)


TITLES: Mapping[str, str] = MappingProxyType(
    {
        "registration": N_("Registration is away"),
        "pairing": N_("Pairing is away"),
        "scoring": N_("Scoring is away"),
    }
)
WORKS: Mapping[str, str] = MappingProxyType(
    {
        "registration": N_("pairings, the clock, results and standings."),
        "pairing": N_("players, lists, results and standings."),
        "scoring": N_(
            "pairings, the clock, players and lists. Results that players send stay on their phones and "
            "are sent automatically later."
        ),
    }
)
FAILS: Mapping[str, str] = MappingProxyType(
    {
        "registration": N_("adding players, check-in, lists and sign-up."),
        "pairing": N_("pairing, publishing and starting rounds, time calls."),
        "scoring": N_("entering and correcting results, closing the round."),
    }
)


class Away(Struct, frozen=True):
    """seconds: how old the oldest answer of the service is, ago: in words. works, fails: what does."""

    service: str
    title: str
    seconds: int
    ago: str
    works: str
    fails: str


def away() -> list[Away]:
    """Return the services that are away for this page; scoring also if the event's subscription is down."""
    found = ages_of_cached_answers()
    down = hub_of(current_app).seconds_down((request.view_args or {}).get("event", ""))
    if down is not None:
        found["scoring"] = max(down, found.get("scoring", 0.0))
    return [
        Away(service, _(TITLES[service]), round(seconds), ago(seconds), _(WORKS[service]), _(FAILS[service]))
        for service, seconds in found.items()
    ]


def left(seconds: int | None) -> int | None:
    """Return the remaining seconds, corrected by the age of a cached answer of pairing."""
    return None if seconds is None else seconds - round(ages_of_cached_answers().get("pairing", 0.0))


def ago(seconds: float) -> str:
    """Return an age as text, such as `6 minutes ago`."""
    return format_timedelta(-round(seconds), granularity="second", threshold=1, add_direction=True, locale=locale())
