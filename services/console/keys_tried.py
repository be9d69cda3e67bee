"""Keys that people bring (typed, in an address, in a code): check them, and slow down addresses that try wrong ones.

A key is a signed token, so the public keys of the installation tell a forged, damaged or expired one here, without a
request to a service. Only a key that was signed here is looked up at the services, which know whether it was revoked.
Wrong keys take from an allowance of their address that refills every second; a good key takes nothing and always gets
in, however many wrong ones came from the same address.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from threading import Lock
from typing import NamedTuple

from flask import Flask, current_app, request

from muster_client import Problem
from services.console.signed_in import Person, person_of
from services.console.upstream import muster
from shared.environment import network_of
from shared.keys import PublicKeys
from shared.web.refusals import TokenExpired, TokenNotYetValid, Unauthenticated
from shared.web.tokens import Verifier

AT_ONCE = 30
"""Wrong keys that an address may try in quick succession."""
PER_SECOND = 1.0
"""Wrong keys that it may try from then on."""
ADDRESSES = 10_000
"""Addresses that are remembered; the one that was wrong longest ago is forgotten first."""


class TooManyGuesses(Exception):
    """A wrong key from an address that has used up its allowance. wait: seconds until the next one."""

    def __init__(self, wait: int) -> None:
        super().__init__(f"too many wrong keys; {wait} seconds to wait")
        self.wait = wait


class Allowance(NamedTuple):
    """left: wrong keys that an address may still try. at: when that was so, in seconds of the clock."""

    left: float
    at: float


def after_wrong_key(before: Allowance, now: float) -> Allowance:
    """Return the allowance after one more wrong key; `left` is negative if there was none for it."""
    refilled = min(float(AT_ONCE), before.left + (now - before.at) * PER_SECOND)
    return Allowance(refilled - 1, now)


class Guesses:
    """Allowances for wrong keys, by address. clock: seconds that only go forward."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = Lock()
        self._allowances: dict[str, Allowance] = {}

    def take(self, address: str) -> None:
        """Count a wrong key. Raises TooManyGuesses beyond the allowance, which such a key does not reduce further."""
        with self._lock:
            now, network = self._clock(), network_of(address)
            after = after_wrong_key(self._allowances.pop(network, Allowance(AT_ONCE, now)), now)
            while len(self._allowances) >= ADDRESSES:
                del self._allowances[next(iter(self._allowances))]
            self._allowances[network] = after if after.left >= 0 else Allowance(after.left + 1, now)
        if after.left < 0:
            raise TooManyGuesses(max(1, math.ceil(-after.left / PER_SECOND)))


class Keys(NamedTuple):
    """verifier: checks the signature of keys; None where the public keys are not known, so that a service must."""

    verifier: Verifier | None
    guesses: Guesses


_KEYS = "muster-keys-tried"
TOO_OFTEN, FAULTS = 429, 500
"""Statuses, the latter and all above it, by which a service says nothing of a key."""


def connect(app: Flask, token_keys: PublicKeys, guesses: Guesses | None = None) -> None:
    """Give an application the public keys of the installation (purpose -> kid -> key) and its allowances."""
    verifier = Verifier(token_keys) if any(token_keys.values()) else None
    app.extensions[_KEYS] = Keys(verifier, guesses or Guesses())


def owner_of(key: str, event: str = "") -> Person | None:
    """Return the owner of a key; None if it is empty, or wrong. event: for a player of which alone it is good.

    Raises TooManyGuesses for a wrong key beyond the allowance, and Problem where a service could not look it up.
    """
    if not key:
        return None
    keys: Keys = current_app.extensions[_KEYS]
    person = person_of(key)
    if person is not None and _fits(person, event) and _is_signed_here(keys.verifier, key) and _is_in_force(person):
        return person
    keys.guesses.take(request.remote_addr or "")
    return None


def _fits(person: Person, event: str) -> bool:
    return not event or (person.tournament == event and bool(person.player))


def _is_signed_here(verifier: Verifier | None, key: str) -> bool:
    if verifier is None:
        return True
    try:
        verifier.verify(key)
    except (Unauthenticated, TokenExpired, TokenNotYetValid):
        return False
    return True


def _is_in_force(person: Person) -> bool:
    """Return True if the services take the key of this person. Raises Problem if they could not look it up."""
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
