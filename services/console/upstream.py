"""The services as the person sees them who is signed in, and the way there.

Behind reverse proxies, the console sends the address of whoever opened a page, so that each guest has an own allowance.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx
from flask import Flask, current_app, g, has_request_context, request

from muster_client import Muster
from services.console.last_known import LastKnown, Remembering
from services.console.settings import Settings
from services.console.signed_in import Person, present

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
