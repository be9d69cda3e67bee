"""Keys that somebody brings: typed, in an address, or in a code; and how many that open nothing they may try.

Keys are signed, and nobody guesses one; but each try asks a service. Only what was wrong is counted, so that a hall
behind one address signs in as fast as it likes. Beyond a number of wrong keys in ten minutes an address waits for the
rest of them; beyond a number of everybody's, each address that was wrong once. Counted in memory, for as many addresses
as there is room for.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from threading import Lock

from flask import Flask, current_app, request

from muster_client import Problem
from services.console.signed_in import Person, person_of
from services.console.upstream import muster
from shared.addresses import network_of

SECONDS = 600
OF_ONE = 30
OF_ALL = 600
ADDRESSES = 10_000
"""Held at once; the one that began longest ago goes first."""


class TooManyGuesses(Exception):
    """An address has to wait. wait: seconds."""

    def __init__(self, wait: int) -> None:
        super().__init__(f"too many keys that open nothing; {wait} seconds to wait")
        self.wait = wait


class Guesses:
    """Wrong keys by address. clock: seconds that only go forward."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = Lock()
        self._wrong: dict[str, tuple[int, float]] = {}
        self._in_all = (0, 0.0)

    def check(self, address: str) -> None:
        """Let somebody try a key. Raises TooManyGuesses."""
        with self._lock:
            now = self._clock()
            wrong, until = _running(self._wrong.get(network_of(address)), now)
            in_all, _ = _running(self._in_all, now)
            if wrong >= (1 if in_all >= OF_ALL else OF_ONE):
                raise TooManyGuesses(max(1, math.ceil(until - now)))

    def wrong(self, address: str) -> None:
        """Note that a key opened nothing."""
        with self._lock:
            now = self._clock()
            who = network_of(address)
            wrong, until = _running(self._wrong.pop(who, None), now)
            while len(self._wrong) >= ADDRESSES:
                del self._wrong[next(iter(self._wrong))]
            self._wrong[who] = (wrong + 1, until)
            in_all, end = _running(self._in_all, now)
            self._in_all = (in_all + 1, end)


def _running(counted: tuple[int, float] | None, now: float) -> tuple[int, float]:
    """What was counted in a window that still runs, and when it ends; else a new window."""
    return counted if counted is not None and counted[1] > now else (0, now + SECONDS)


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
