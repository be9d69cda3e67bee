"""Whether whoever gives a command may give it, as the tournament's own state says. Pure.

Staff and players stand in the log, with what was taken back. Operators, integrations and whoever else has a token of
the installation do not: no log proves what they may do, and the door alone has looked.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from msgspec import Struct

from shared.events.actors import GUEST
from shared.roles import ORGANISER, PLAYER
from shared.tournament.context import RULE, By
from shared.tournament.entries import Entries

NUMBERED_STAFF = re.compile(r"s[1-9][0-9]*")
"""The ids of staff; nobody else is called so."""


class Lack(Struct, frozen=True):
    """Why somebody may not give a command. taken_back: they might once."""

    detail: str
    taken_back: bool = False


def lack_of_authority(entries: Entries, by: By, roles: Collection[str], by_rule: bool = False) -> Lack | None:
    """Why somebody may not give a command, as far as the state tells; None where they may.

    roles: those that may give it; none where that takes no role. by_rule: whether a rule gives it, and nobody else.
    """
    if by_rule != (by.role == RULE):
        return Lack("A rule alone gives this command." if by_rule else "No rule gives this command.")
    if by.role == RULE:
        return None if not by.issuer else Lack("A rule acts by no link.")
    if roles and by.role not in roles:
        return Lack(f"The role {by.role or 'none'} may not do this; these may: {', '.join(sorted(roles))}.")
    if by.token and by.token in entries.revoked:
        return Lack("The token was revoked by staff of the tournament.", taken_back=True)
    if by.role == PLAYER:
        return _lack_of_player(entries, by) if roles and "." not in by.actor else None
    member = entries.staff.get(by.actor)
    if member is None:
        return Lack(f"Nobody was appointed as {by.actor}.") if NUMBERED_STAFF.fullmatch(by.actor) else None
    if not member.active:
        return Lack(f"{member.name} was dismissed.", taken_back=True)
    if by.role != member.role:
        return Lack(f"{member.name} was appointed as {member.role}, not as {by.role}.")
    return None


def _lack_of_player(entries: Entries, by: By) -> Lack | None:
    if by.player not in entries.players or by.actor != by.player:
        return Lack(f"{by.actor} is no player of this tournament.")
    return None


def provable(entries: Entries, by: By) -> bool:
    """Whether the log tells who that is: a rule, a guest, a player, staff, or the organiser who announced it."""
    announced = by.role == ORGANISER and (not entries.status or by.actor in (ORGANISER, entries.organiser))
    return announced or by.role in (RULE, GUEST, PLAYER) or by.actor in entries.staff
