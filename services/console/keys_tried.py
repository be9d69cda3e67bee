"""Keys that somebody brings: typed, in an address, or in a code."""

from __future__ import annotations

from flask import Flask, current_app, request

from muster_client import Problem
from services.console.guesses import Guesses
from services.console.signed_in import Person, person_of
from services.console.upstream import muster

_GUESSES = "muster-guesses"
TOO_OFTEN, FAULTS = 429, 500
"""Statuses, the latter and all above it, by which a service says nothing of a key."""


def connect(app: Flask, guesses: Guesses) -> None:
    """Give an application its count of wrong keys."""
    app.extensions[_GUESSES] = guesses


def whose(key: str, event: str = "") -> Person | None:
    """Whose key this is, if the services take it. event: for a player of which alone it counts.

    Raises TooManyGuesses, and Problem where a service could not look at it.
    """
    if not key:
        return None
    guesses: Guesses = current_app.extensions[_GUESSES]
    address = request.remote_addr or ""
    guesses.check(address)
    person = person_of(key)
    if person is None or (event and (person.tournament != event or not person.player)) or not _is_good(person):
        guesses.wrong(address)
        return None
    return person


def _is_good(person: Person) -> bool:
    asked = muster(person).registration
    try:
        if person.player:
            asked.show_me(person.tournament)
        elif person.tournament == "*":
            asked.list_tournaments(limit=1)
        else:
            asked.show_tournament(person.tournament)
    except Problem as problem:
        if problem.status == TOO_OFTEN or problem.status >= FAULTS:
            raise
        return False
    return True
