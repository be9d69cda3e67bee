"""The services as the person sees them who is signed in."""

from __future__ import annotations

from typing import Any

from flask import Flask, current_app, g

from muster_client import Muster
from services.console.last_known import LastKnown, Remembering
from services.console.signed_in import Person, present

_SERVICES = "muster-services"
_KNOWN = "muster-last-known"
PATIENCE = 4.0
"""Seconds for which a page waits for a service that is busy or starting; then it says so."""


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
