"""The actor line of an event: who did it, acting as what, and through whose link. Pure.

    organiser                               the name is the role
    p1, player                              with a link of their own
    p1, player, entered by s2               with the link that came when s2 entered them
    p1, player, by a link of s2             with a link that s2 asked for
    s2, referee of v1                       appointed for one venue
    rule                                    nobody asked: it follows from a rule

It is recorded and hashed as it stands, and people read it as it stands. Parts are parted by `, `; in names a comma, a
percent sign and a line's end are written as `%2C`, `%25` and so on, so that a line is read in one way only.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import unquote

from msgspec import Struct

GUEST = "guest"
"""Whoever has no token: both the name and the role."""

ROLES = frozenset(
    {"operator", "organiser", "head_referee", "referee", "player", "spare", "integration", "service", "rule", GUEST}
)
"""Every role that somebody acts in."""

_LINK, _ENTRY = "by a link of ", "entered by "
_NUMBERED = re.compile(r"(t-[^ ]*\.)?[ps][1-9][0-9]*")
_PARTING = re.compile(r"[%,\x00-\x1f\x7f]")


NOT_FREE = "a name of their own or of their club: not that of a role, and not like p1 or s1"
"""What a name has to be that `is_free_name`."""


def is_free_name(name: str) -> bool:
    """Return True if a name cannot be read as that of a role, a player or a member of staff."""
    return name not in ROLES and not _NUMBERED.fullmatch(name)


class Actor(Struct, frozen=True):
    """Who acted. role: one of ROLES, empty for a name that says no more.

    venue: the id of the venue that they act at, empty for everywhere. issuer: who of the staff asked for the link
    that was used. entered_by: who entered the player, and so was handed the link that was used.
    """

    name: str
    role: str = ""
    venue: str = ""
    issuer: str = ""
    entered_by: str = ""

    @property
    def holder(self) -> str:
        """Who besides the player was handed the link; empty where nobody was."""
        return self.issuer or self.entered_by


def line_of(actor: Actor, venues: Mapping[str, str] | None = None) -> str:
    """The actor line. venues: id -> what people call it, for a line that is shown and not recorded."""
    parts = [_quoted(actor.name)]
    if actor.venue:
        parts.append(f"{_words(actor.role)} of {_quoted((venues or {}).get(actor.venue, actor.venue))}")
    elif actor.role != actor.name and actor.role:
        parts.append(_words(actor.role))
    if actor.issuer:
        parts.append(_LINK + _quoted(actor.issuer))
    elif actor.entered_by:
        parts.append(_ENTRY + _quoted(actor.entered_by))
    return ", ".join(parts)


def actor_of(line: str) -> Actor:
    """Who a recorded line is about. A name that is a role needs no other."""
    name, *more = line.split(", ")
    issuer = entered_by = ""
    if more and more[-1].startswith(_LINK):
        issuer = unquote(more.pop().removeprefix(_LINK))
    elif more and more[-1].startswith(_ENTRY):
        entered_by = unquote(more.pop().removeprefix(_ENTRY))
    if not more:
        return Actor(unquote(name), name if name in ROLES else "", "", issuer, entered_by)
    role, _, venue = more[0].partition(" of ")
    return Actor(unquote(name), role.replace(" ", "_"), unquote(venue), issuer, entered_by)


def name_in(line: str) -> str:
    """The name in an actor line, as `actor_of` has it."""
    name, parted, _ = line.partition(", ")
    return unquote(name) if parted or "%" in name else name


def in_one_hand(one: str, other: str) -> str:
    """Who was handed the links behind both of two actor lines, and asked for one at least; empty where nobody was.

    Whoever enters a whole field is handed every link of it; that both sides of a game have such links says nothing.
    """
    if _LINK not in one and _LINK not in other:
        return ""
    first, second = actor_of(one), actor_of(other)
    asked = first.issuer or second.issuer
    return asked if asked and first.holder == second.holder else ""


def _words(role: str) -> str:
    return role.replace("_", " ")


def _quoted(name: str) -> str:
    return _PARTING.sub(lambda found: f"%{ord(found[0]):02X}", name)
