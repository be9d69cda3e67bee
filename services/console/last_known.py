"""What services answered last, for a page that is asked for while one of them is away, and the note that says so.

Answers are kept apart by the token that asked, so nobody gets what they were not given themselves. Those of players are
not kept: there are many of them, and a phone keeps its page. A service that was found away is not waited for again by
everybody who comes in the next seconds; what is sent to it is, as ever, and what is read to answer a form.
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
"""Of all answers that are kept, and of one."""
AWAY_SECONDS = 3.0
"""For which a service that did not answer is not asked again."""
AWAY = (502, 503, 504)
_USED = "last_known_used"
_WAITED_FOR = "last_known_waited_for"

Question = tuple[str, str, str, str, str]
"""Token, service, address, query, content type."""


class Kept(Struct, frozen=True):
    """An answer. at: when it came, of time.monotonic()."""

    answer: httpx.Response
    at: float


class LastKnown:
    """Answers of this process, the latest ones of so many bytes, and which services are away."""

    def __init__(self) -> None:
        self._answers: OrderedDict[Question, Kept] = OrderedDict()
        self._bytes = 0
        self._away: dict[str, float] = {}
        self._lock = threading.Lock()

    def keep(self, asked: Question, answer: httpx.Response) -> None:
        """Take an answer in, and let go of those that were used longest ago."""
        if len(answer.content) > LARGEST:
            return
        with self._lock:
            self._forget(asked)
            self._answers[asked] = Kept(answer, monotonic())
            self._bytes += len(answer.content)
            while self._bytes > MOST_BYTES:
                self._forget(next(iter(self._answers)))

    def find(self, asked: Question) -> Kept | None:
        """What was answered to this last; None where that is not kept."""
        with self._lock:
            kept = self._answers.get(asked)
            if kept is not None:
                self._answers.move_to_end(asked)
        return kept

    def is_away(self, service: str) -> bool:
        """Whether it did not answer a moment ago."""
        return monotonic() < self._away.get(service, 0.0)

    def was_away(self, service: str) -> bool:
        """Whether it did not answer when it was asked last."""
        return service in self._away

    def note(self, service: str, *, away: bool) -> None:
        """Whether a service answered just now."""
        if away:
            self._away[service] = monotonic() + AWAY_SECONDS
        else:
            self._away.pop(service, None)

    def _forget(self, asked: Question) -> None:
        if (kept := self._answers.pop(asked, None)) is not None:
            self._bytes -= len(kept.answer.content)


class Remembering(Connection):
    """A connection that answers from what is known where the service does not. keeps: whether answers are kept."""

    def __init__(self, other: Connection, known: LastKnown, *, keeps: bool) -> None:
        vars(self).update(vars(other))
        self._known = known
        self._keeps = keeps

    def ask(self, method: str, service: str, address: str, **how: Any) -> httpx.Response:
        known = self._known
        query, headers = how.get("query") or {}, how.get("headers") or {}
        asked = (self.token, service, address, str(sorted(query.items())), headers.get("Accept", ""))
        reads = method == "GET"
        waits = not reads or (_answers_a_form() and service not in g.get(_WAITED_FOR, ()))
        if not waits and known.is_away(service):
            return self._known_or(asked, Unreachable(service, self.urls[service], "it was away a moment ago"))
        if not waits and known.was_away(service):
            how["patience"] = 0.0
            known.note(service, away=True)  # this one tries, and nobody else until it knows
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


def used_for_this_page() -> dict[str, float]:
    """Service -> seconds since the oldest answer of it that stands on this page; none where all are of now."""
    if not has_request_context():
        return {}
    now = monotonic()
    return {service: max(0.0, now - at) for service, at in g.get(_USED, {}).items()}


def _answers_a_form() -> bool:
    """Whether somebody has sent a form: a service is waited for once more, however things stood a moment ago."""
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
    """The services that did not answer for this page, and scoring where nothing is heard of what happens there."""
    found = used_for_this_page()
    deaf = hub_of(current_app).deaf_for((request.view_args or {}).get("event", ""))
    if deaf is not None:
        found["scoring"] = max(deaf, found.get("scoring", 0.0))
    return [
        Away(service, _(TITLES[service]), round(seconds), ago(seconds), _(WORKS[service]), _(FAILS[service]))
        for service, seconds in found.items()
    ]


def left(seconds: int | None) -> int | None:
    """What is left of a time that pairing said: its answer may be one that was known last."""
    return None if seconds is None else seconds - round(used_for_this_page().get("pairing", 0.0))


def ago(seconds: float) -> str:
    """`6 minutes ago`, in the language of the page."""
    return format_timedelta(-round(seconds), granularity="second", threshold=1, add_direction=True, locale=locale())
