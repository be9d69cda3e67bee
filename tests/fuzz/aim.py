"""Requests that are made up from the documents, aimed at something that is there.

What is made up names tournaments, players and games that nobody has, and would hardly ever come further than that.
So an id that has the right form is replaced, most of the time, by one of the tournament at hand. What decides is the
request itself, so that the same request is always aimed at the same thing.
"""

from __future__ import annotations

import re
from typing import Any
from zlib import crc32

from schemathesis import Case

from shared.shapes import IDENTIFIER
from tests.fuzz.muster import Evening, Json

THERE: dict[str, tuple[Any, ...]] = {
    "player": ("p1", "p2", "p3", "p14"),
    "round": (1, 2, 2, 3),
    "game": ("r2g1", "r2g2", "r2g3", "r1g1", "r2g7"),
    "venue": ("v1", "v2"),
    "staff": ("s1", "s2", "s3"),
    "award": ("a1",),
    "session": ("r1t1", "r1t2", "r2t1"),
    "party": ("g1",),
    "webhook": ("w1",),
    "delivery": (1,),
    "player_1": ("p1", "p2", "p3"),
    "player_2": ("p4", "p5", "s3", ""),
}
"""What an evening has. r1g1 is of a closed round, r2g7 a bye; p14 waits; round 3 is not paired. Sessions and
parties are of co-operative events."""

_ID = re.compile(IDENTIFIER)


def aim(case: Case[Any], evening: Evening) -> None:
    """Aim a request at a tournament: ids in the address and in the body, conditions, and who asks."""
    chance = chance_of(case)
    path = case.path_parameters or {}
    for name, value in path.items():
        if not _ID.fullmatch(str(value)):
            continue
        if name == "tournament":
            path[name] = evening.id
        elif name in THERE and isinstance(value, type(THERE[name][0])):  # a word for a number is to be refused
            path[name] = _there(name, value, chance)
    if isinstance(case.body, dict | list):
        case.body = _aimed(case.body, chance)
    headers = case.headers
    headers["Accept-Encoding"] = "identity"  # whoever reads the answer for schemathesis unpacks nothing
    roles = _roles(case)
    if roles:
        who = next(role for role in ("organiser", "operator", "player") if role in roles)
        token = evening.token("p1") if who == "player" else evening.muster.token(who)
        headers["Authorization"] = f"Bearer {token}"
    if "Idempotency-Key" not in headers and case.method != "GET" and chance % 3 == 0:
        headers["Idempotency-Key"] = f"key-{evening.id}-{chance}"


def chance_of(case: Case[Any]) -> int:
    """A number that the request as it was made up decides."""
    return crc32(repr((case.path_parameters, case.query, case.body)).encode())


def _roles(case: Case[Any]) -> Json:
    raw = case.operation.definition.raw
    found: Json = raw.get("x-roles", {})
    return found


def _there(name: str, value: Any, chance: int) -> Any:
    """One of what is there, or, one time in eight, what was made up."""
    if chance % 8 == 7:
        return value
    known = THERE[name]
    return known[crc32(f"{name} {chance}".encode()) % len(known)]


def _aimed(value: Any, chance: int) -> Any:
    if isinstance(value, dict):
        return {
            key: _there(key, inner, chance + len(key) + index)
            if key in THERE and isinstance(inner, str) and _ID.fullmatch(inner)
            else _aimed(inner, chance + index)
            for index, (key, inner) in enumerate(value.items())
        }
    if isinstance(value, list):
        return [_aimed(inner, chance + index) for index, inner in enumerate(value)]
    return value
