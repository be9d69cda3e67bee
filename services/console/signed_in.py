"""Who is signed in: the tokens of a browser, in a cookie that is signed, and that no script can read.

A browser may hold several: an organiser's, and those of a player in several events. The page of an event uses the one
that is of this event, else one that is of all.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
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

    role: empty for a guest. tournament: `*` for all. venue: where staff act, empty for everywhere.
    """

    token: str = ""
    role: str = ""
    actor: str = ""
    tournament: str = ""
    player: str = ""
    venue: str = ""

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
    return Person(token, *said)


def present(tournament: str = "") -> Person:
    """Who is here, for the pages of an event or for those of none."""
    tokens = session.get(_TOKENS, {})
    token = (tokens.get(tournament) if tournament else None) or tokens.get(EVERY_EVENT)
    if token is None and not tournament and tokens:
        return GUEST
    return (person_of(token) if token else None) or GUEST


def sign_in(person: Person) -> None:
    """Keep a token; the one that was kept first goes when there are too many."""
    tokens = {key: token for key, token in session.get(_TOKENS, {}).items() if key != person.tournament}
    tokens[person.tournament] = person.token
    session[_TOKENS] = dict(list(tokens.items())[-MOST:])
    session.permanent = True


def sign_out() -> None:
    """Forget everything of this browser."""
    session.clear()
