"""The person who is signed in: tokens in a signed cookie, the services as that person sees them, and their venue."""

from __future__ import annotations

import base64
import binascii
import json
import math
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Any

import httpx
from flask import Flask, abort, current_app, g, has_request_context, redirect, request, session, url_for
from flask.typing import ResponseReturnValue

from muster_client import Muster, answers
from services.console.last_known import AnswerCache, CachingConnection
from services.console.settings import Settings

EVERY_EVENT = "*"
MOST = 5
"""Sign-ins per browser: a cookie has no room for more."""
LONGEST = 700
"""Characters of a token that is accepted."""
_TOKENS = "tokens"
TOKEN = re.compile(r"[A-Za-z0-9_=-]+\.([A-Za-z0-9_=-]+)\.[A-Za-z0-9_=-]+")
STAFF = ("operator", "organiser", "head_referee", "referee")


@dataclass(frozen=True, slots=True)
class Person:
    """The holder of a token, according to the token, which only the services verify.

    role: empty for a guest. tournament: `*` for all. venue: where staff act, empty for everywhere. ends: expiry of the
    token, in seconds since 1970.
    """

    token: str = ""
    role: str = ""
    actor: str = ""
    tournament: str = ""
    player: str = ""
    venue: str = ""
    ends: float = math.inf

    @property
    def staff(self) -> bool:
        return self.role in STAFF

    @property
    def organises(self) -> bool:
        return self.role in ("operator", "organiser")

    @property
    def heads(self) -> bool:
        """True for roles that pair, start and close rounds."""
        return self.organises or self.role == "head_referee"

    def is_same_as(self, other: Person) -> bool:
        """Return True if both tokens are of one person in one role at one place."""
        mine, others = ((one.role, one.actor, one.tournament, one.player, one.venue) for one in (self, other))
        return mine == others

    def acts_at(self, venue: str) -> bool:
        """Return True if the person acts at a venue; an empty venue belongs to all staff."""
        return self.staff and (not self.venue or venue in ("", self.venue))


GUEST = Person()


def claims_of(token: str) -> dict[str, Any]:
    """Return the unverified claims of a token; empty if it is not a token."""
    if not (parts := TOKEN.fullmatch(token)):
        return {}
    try:
        claims = json.loads(base64.urlsafe_b64decode(parts[1] + "=" * (-len(parts[1]) % 4)))
    except (binascii.Error, ValueError, RecursionError):
        return {}
    return claims if isinstance(claims, dict) else {}


def person_of(token: str) -> Person | None:
    """Return the holder of a token, unverified; None if it is not a token."""
    if len(token) > LONGEST:
        return None
    claims = claims_of(token)
    said = [claims.get(name) or "" for name in ("role", "sub", "tournament", "player", "venue")]
    if not all(isinstance(one, str) for one in said) or not said[0] or not said[2]:
        return None
    ends = claims.get("exp")
    role, actor, tournament, player, venue = said
    return Person(token, role, actor, tournament, player, venue, ends if isinstance(ends, int) else math.inf)


def add_sign_in(held: Sequence[Person], new: Person) -> list[Person] | None:
    """Return the sign-ins of a browser with a new one, which is used first. None if there is no room.

    Room is made by dropping the sign-ins used longest ago, players first. A player's never displaces that of staff.
    """
    kept = [one for one in held if not one.is_same_as(new)]
    while len(kept) >= MOST:
        given_up = next((one for one in kept if not one.staff), kept[0] if new.staff else None)
        if given_up is None:
            return None
        kept.remove(given_up)
    return [*kept, new]


def acting_at(held: Sequence[Person], tournament: str) -> Person:
    """Return the sign-in for pages of a tournament: the last used one that is valid there."""
    fitting = [one for one in held if one.tournament in (tournament, EVERY_EVENT)]
    return fitting[-1] if fitting else GUEST


def replaced_by(held: Sequence[Person], new: Person) -> list[Person]:
    """Return the sign-ins that a new one would replace: those used where it would be, and staff displaced by it.

    Empty if it replaces none, or if it is already in use there.
    """
    places = {one.tournament for one in held} | {new.tournament} if new.tournament == EVERY_EVENT else {new.tournament}
    acting = [acting_at(held, place) for place in sorted(places)]
    after = add_sign_in(held, new) or []
    pushed_out = [one for one in held if one.staff and not any(one.is_same_as(kept) for kept in after)]
    found: list[Person] = []
    for one in [*acting, *pushed_out]:
        if one.token and not one.is_same_as(new) and one not in found:
            found.append(one)
    return found


def sign_ins(now: float | None = None) -> list[Person]:
    """Return the unexpired sign-ins of this browser, the last used one at the end."""
    kept = session.get(_TOKENS)
    found = [person for token in kept if (person := person_of(token))] if isinstance(kept, list) else []
    return [one for one in found if one.ends > (time.time() if now is None else now)]


def person_for(tournament: str = "") -> Person:
    """Return the person for the pages of an event, or for pages outside events if no id is given."""
    return acting_at(sign_ins(), tournament)


def sign_in(person: Person) -> bool:
    """Add a token and use it from now on. Return False if there was no room for it."""
    after = add_sign_in(sign_ins(), person)
    if after is not None:
        _keep(after)
    return after is not None


def forget(person: Person) -> None:
    """Sign out of one of the sign-ins."""
    _keep([one for one in sign_ins() if not one.is_same_as(person)])


def _keep(held: Sequence[Person]) -> None:
    session[_TOKENS] = [one.token for one in held]
    session.permanent = True


def sign_out() -> None:
    session.clear()


_SERVICES = "muster-services"
_KNOWN = "muster-last-known"
PATIENCE = 4.0
"""Seconds to wait for a busy or starting service."""
IDLE = 60
"""Idle connections kept open: one for each of twenty threads to each service."""
IDLE_SECONDS = 4.0
"""Seconds for which an idle connection stays open."""


def connect(app: Flask, muster: Muster) -> None:
    """Give an application its services."""
    app.extensions[_SERVICES] = muster
    app.extensions[_KNOWN] = AnswerCache()


def muster(person: Person | None = None) -> Muster:
    """Return the services for the signed-in person, or another one, with cached answers while one is away.

    One connection pool serves the whole process.
    """
    who = person if person is not None else current_person()
    shared: Muster = current_app.extensions[_SERVICES]
    acting = shared.acting_as(who.token)
    known: AnswerCache = current_app.extensions[_KNOWN]
    return acting.through(CachingConnection(acting.connection, known, keeps=not who.player))


def uncached_muster() -> Muster:
    """Return the services for the signed-in person without cached answers: for whole logs."""
    shared: Muster = current_app.extensions[_SERVICES]
    return shared.acting_as(current_person().token)


def current_person() -> Person:
    """Return the person for the event of this page."""
    person: Person = g.person
    return person


def load_person(_endpoint: str | None, values: dict[str, Any] | None) -> None:
    """Set the person of a page before it is rendered."""
    g.person = person_for((values or {}).get("event", ""))


def forward_address(settings: Settings) -> Callable[[httpx.Request], None]:
    """Return a hook that adds the browser's address to requests of the console."""

    def add(sent: httpx.Request) -> None:
        if settings.trusted_proxies and has_request_context() and request.remote_addr:
            sent.headers["X-Forwarded-For"] = ", ".join([request.remote_addr] * settings.trusted_proxies)

    return add


def own_connections() -> httpx.HTTPTransport:
    """Return the console's connection pool to the services.

    The pool has no limit: threads and subscriptions are limited, so none waits for another one's connection. An idle
    connection closes before the service closes it (after five seconds).
    """
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=IDLE, keepalive_expiry=IDLE_SECONDS)
    return httpx.HTTPTransport(limits=limits)


ALL = "all"
"""In place of a venue in an address: all venues."""


def venue_shown(event: answers.TournamentView) -> str:
    """Return the id of the venue that a page shows; empty for all."""
    asked = request.args.get("venue")
    if asked is not None:
        return asked if any(venue.id == asked for venue in event.venues) else ""
    return current_person().venue


def acts_everywhere(event: answers.TournamentView) -> bool:
    """Return True if the person acts at every venue, as pairing, starting and closing a round requires."""
    return all(current_person().acts_at(venue.id) for venue in event.venues if venue.open)


def may_decide(event: answers.TournamentView, question: str) -> bool:
    """Return True if the person may decide a question under the rules of the event, according to registration."""
    role = "organiser" if current_person().role == "operator" else current_person().role
    return any(role in one.roles for one in event.decisions if one.question == question)


View = Callable[..., ResponseReturnValue]


def only_for(may: Callable[[Person], bool]) -> Callable[[View], View]:
    """Restrict a view to some people; the others are asked to sign in, or refused.

    may: returns True for a person who may see it. The services decide what the person may do there.
    """

    def decorator(view: View) -> View:
        @wraps(view)
        def guarded(**parts: Any) -> ResponseReturnValue:
            if may(current_person()):
                return view(**parts)
            if request.method == "GET" and not current_person().token:
                return redirect(url_for("home.enter"))
            return abort(403)

        return guarded

    return decorator
