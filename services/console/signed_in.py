"""Who is signed in: the tokens of a browser, in a cookie that is signed, and that no script can read.

A browser may hold several: an organiser's, and those of a player in several events. The pages of an event use the one
of those that are good there that was used last; a page (`/sign-ins`) switches between them.
"""

from __future__ import annotations

import base64
import binascii
import json
import math
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from flask import session

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
