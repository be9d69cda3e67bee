"""Tokens for tests, signed as an installation would sign them, with the ids that a tournament's log issued."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from deploy.stack import issuer_of
from shared.keys import TICKETS
from shared.roles import EVERY_TOURNAMENT, ISSUED, PLAYER, SERVICE
from shared.settings import load
from shared.tournament.guards import By, tokens_of
from shared.tournament.people import Entries
from shared.web import tokens
from shared.web.tokens import Issuer

YEARS = 10 * 365 * 86_400
"""Seconds for which a token is good where a test says nothing else."""
ASKING = "pairing"
"""The service that asks where a test does not say which."""

EntriesOf = Callable[[str], Entries]
"""Tournament -> what registration's log says of it."""


def issued_id(tournament: str, entries: Entries, who: str) -> str:
    """Return the id of the oldest token that the log issued to a player or staff and that still counts."""
    good = (id for id in tokens_of(tournament, entries, who) if id not in entries.revoked)
    return next(good, f"{tournament}.{who}.test")


def with_token(tournament: str, entries: Entries, by: By) -> By:
    """Return a caller with the id of their token, where the log issued one and the test names none."""
    if by.token or (by.role not in ISSUED and by.actor not in entries.staff):
        return by
    return replace(by, token=issued_id(tournament, entries, by.actor))


def member_of(entries: Entries, role: str) -> str:
    """Return the id of somebody appointed to a role, for everywhere; empty where there is none."""
    members = (member.id for member in entries.staff.values() if member.role == role and member.active)
    return next((id for id in members if not entries.staff[id].venue), "")


class Tokens:
    """The tokens of one installation, each signed once. env: describes it; its keys stay as they are.

    entries: of a tournament by its id, from which the ids of tokens of players and staff follow.
    """

    def __init__(self, env: Mapping[str, str], entries: EntriesOf = lambda tournament: Entries()) -> None:
        self._env = env
        self._entries = entries
        self._signed: dict[str, str] = {}

    def of(self, role: str, tournament: str = EVERY_TOURNAMENT, **claims: Any) -> str:
        """As `token_of`; the token of a player or of staff has the id that the log issued, unless one is given."""
        if tournament != EVERY_TOURNAMENT and (role in ISSUED or "actor" in claims):
            entries = self._entries(tournament)
            if role in ISSUED - {PLAYER}:
                claims.setdefault("actor", member_of(entries, role) or role)
            if role in ISSUED or claims["actor"] in entries.staff:
                claims.setdefault("jti", issued_id(tournament, entries, claims.get("actor") or claims["player"]))
        wanted = repr((role, tournament, sorted(claims.items())))
        if wanted not in self._signed:
            self._signed[wanted] = token_of(self._env, role, tournament, **claims)
        return self._signed[wanted]


def token_of(env: Mapping[str, str], role: str, tournament: str = EVERY_TOURNAMENT, **claims: Any) -> str:
    """A token of the installation that an environment describes, signed with the key that signs for the role.

    A service's is signed by the service itself, and is for every tournament.
    """
    actor = claims.pop("actor", claims.get("player") or (ASKING if role == SERVICE else role))
    tournament = EVERY_TOURNAMENT if role == SERVICE else tournament
    if role == SERVICE:
        issuer = Issuer(actor, load(actor, env).signing_keys[0])
    elif role in ISSUED:
        issuer = Issuer(TICKETS, load("registration", env).ticket_keys[0])
    else:
        issuer = issuer_of(env)
    given = {"jti": f"{tournament}.{actor}.test", "iat": 1_750_000_000, **claims}
    given = {"exp": given["iat"] + YEARS, **given}
    return tokens.mint(issuer, actor=actor, role=role, tournament=tournament, **given)
