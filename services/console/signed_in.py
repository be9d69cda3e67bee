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
from typing import Any

import httpx
from flask import Flask, current_app, g, has_request_context, request, session

from muster_client import Muster, answers
from services.console.last_known import LastKnown, Remembering
from services.console.settings import Settings

EVERY_EVENT = "*"
MOST = 5
"""Tokens that one browser holds: a cookie has room for no more."""
LONGEST = 700
"""Characters of a token that is kept."""
_TOKENS = "tokens"
TOKEN = re.compile(r"[A-Za-z0-9_=-]+\.([A-Za-z0-9_=-]+)\.[A-Za-z0-9_=-]+")
STAFF = ("operator", "organiser", "head_referee", "referee")


@dataclass(frozen=True, slots=True)
class Person:
    """Whoever holds a token, as the token says; the services check it, the console only shows it.

    role: empty for a guest. tournament: `*` for all. venue: where staff act, empty for everywhere. ends: when the token
    does, in seconds since 1970.
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
        """Whether they pair, start and close rounds."""
        return self.organises or self.role == "head_referee"

    def is_same_as(self, other: Person) -> bool:
        """Return True if both tokens are of one person in one role at one place."""
        mine, others = ((one.role, one.actor, one.tournament, one.player, one.venue) for one in (self, other))
        return mine == others

    def acts_at(self, venue: str) -> bool:
        """Whether they do anything about what is at a venue; an empty one belongs to everybody."""
        return self.staff and (not self.venue or venue in ("", self.venue))


GUEST = Person()


def claims_of(token: str) -> dict[str, Any]:
    """What a token says; nothing for what is no token. Nobody has checked it."""
    if not (parts := TOKEN.fullmatch(token)):
        return {}
    try:
        claims = json.loads(base64.urlsafe_b64decode(parts[1] + "=" * (-len(parts[1]) % 4)))
    except (binascii.Error, ValueError, RecursionError):
        return {}
    return claims if isinstance(claims, dict) else {}


def person_of(token: str) -> Person | None:
    """What a token says of its holder; None for what is no token."""
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
    """Return the sign-ins of a browser with a new one, which is used first from then on. None if there is no room.

    Room is made by the sign-ins that were used longest ago, of players first. A player's never takes that of staff.
    """
    kept = [one for one in held if not one.is_same_as(new)]
    while len(kept) >= MOST:
        given_up = next((one for one in kept if not one.staff), kept[0] if new.staff else None)
        if given_up is None:
            return None
        kept.remove(given_up)
    return [*kept, new]


def acting_at(held: Sequence[Person], tournament: str) -> Person:
    """Return the sign-in that pages of a tournament use: the one used last of those that are good there."""
    fitting = [one for one in held if one.tournament in (tournament, EVERY_EVENT)]
    return fitting[-1] if fitting else GUEST


def replaced_by(held: Sequence[Person], new: Person) -> list[Person]:
    """Return the sign-ins that a new one would replace: those that act where it would, and staff pushed out.

    Empty if it replaces none, or if it is the one that acts there already.
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
    """Return the sign-ins of this browser that have not ended, the one used last at the end."""
    kept = session.get(_TOKENS)
    found = [person for token in kept if (person := person_of(token))] if isinstance(kept, list) else []
    return [one for one in found if one.ends > (time.time() if now is None else now)]


def present(tournament: str = "") -> Person:
    """Return who is here, for the pages of an event or for those of none."""
    return acting_at(sign_ins(), tournament)


def sign_in(person: Person) -> bool:
    """Keep a token and use it from now on. Return False if there was no room for it."""
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
    """Forget everything of this browser."""
    session.clear()


_SERVICES = "muster-services"
_KNOWN = "muster-last-known"
PATIENCE = 4.0
"""Seconds for which a page waits for a service that is busy or starting; then it says so."""
IDLE = 60
"""Idle connections that stay open: one for each of twenty threads to each service."""
IDLE_SECONDS = 4.0
"""Seconds for which an idle connection stays open."""


def connect(app: Flask, muster: Muster) -> None:
    """Give an application its way to the services."""
    app.extensions[_SERVICES] = muster
    app.extensions[_KNOWN] = LastKnown()


def muster(person: Person | None = None) -> Muster:
    """The services for whoever is here, or for somebody named; where one is away, what it said last.

    One set of connections serves the whole process.
    """
    who = person if person is not None else here()
    shared: Muster = current_app.extensions[_SERVICES]
    acting = shared.acting_as(who.token)
    known: LastKnown = current_app.extensions[_KNOWN]
    return acting.through(Remembering(acting.connection, known, keeps=not who.player))


def here() -> Person:
    """Who is here, for the event of this page."""
    person: Person = g.person
    return person


def look_who_is_here(_endpoint: str | None, values: dict[str, Any] | None) -> None:
    """Before each page: the token of its event, else that of all."""
    g.person = present((values or {}).get("event", ""))


def address_added(settings: Settings) -> Callable[[httpx.Request], None]:
    """What adds the address of whoever opened the page at hand to a request that is about to be sent."""

    def add(sent: httpx.Request) -> None:
        if settings.trusted_proxies and has_request_context() and request.remote_addr:
            sent.headers["X-Forwarded-For"] = ", ".join([request.remote_addr] * settings.trusted_proxies)

    return add


def own_connections() -> httpx.HTTPTransport:
    """Return the console's pool of connections to the services.

    The pool has no limit: its threads and subscriptions are limited, and none of them ever waits for a connection that
    another one holds. An idle connection closes before the service closes it (after five seconds).
    """
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=IDLE, keepalive_expiry=IDLE_SECONDS)
    return httpx.HTTPTransport(limits=limits)


ALL = "all"
"""In place of a venue in an address: every one of them."""


def venue_shown(event: answers.TournamentView) -> str:
    """The id of a venue; empty for all of them."""
    asked = request.args.get("venue")
    if asked is not None:
        return asked if any(venue.id == asked for venue in event.venues) else ""
    return here().venue


def acts_everywhere(event: answers.TournamentView) -> bool:
    """Whether whoever is here may do what is about every venue: pair, start or close a round."""
    return all(here().acts_at(venue.id) for venue in event.venues if venue.open)


def settles(event: answers.TournamentView, question: str) -> bool:
    """Whether whoever is here may decide something of this kind under the rules of the event, as registration says."""
    role = "organiser" if here().role == "operator" else here().role
    return any(role in one.roles for one in event.decisions if one.question == question)
