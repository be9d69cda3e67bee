"""The roles of actors, and the other person who received the link of a player."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

Role = Literal[
    "operator", "organiser", "head_referee", "referee", "player", "spare", "integration", "service", "rule", "guest"
]
"""Every role of an actor: those of tokens, `rule` for a rule that acts automatically, `guest` for no token."""

OPERATOR = "operator"
ORGANISER = "organiser"
HEAD_REFEREE = "head_referee"
REFEREE = "referee"
PLAYER = "player"
SPARE = "spare"
INTEGRATION = "integration"
SERVICE = "service"

ROLES: Mapping[str, str] = MappingProxyType(
    {
        OPERATOR: "runs the installation; lets organisers announce tournaments",
        ORGANISER: "runs a tournament",
        HEAD_REFEREE: "decides what referees dispute; closes rounds",
        REFEREE: "takes and corrects results, rules on the floor",
        PLAYER: "plays; reports and confirms own games",
        SPARE: "plays against a player who would have no opponent",
        INTEGRATION: "reads events and public answers from outside",
        SERVICE: "one Muster service reading the log of another",
    }
)

ORGANISER_UP = (OPERATOR, ORGANISER)
HEAD_REFEREE_UP = (*ORGANISER_UP, HEAD_REFEREE)
REFEREE_UP = (*HEAD_REFEREE_UP, REFEREE)
"""The roles that include the rights of the named role."""

ISSUED = frozenset({HEAD_REFEREE, REFEREE, PLAYER, SPARE})
"""Roles that a tournament's log grants; their commands need a token whose id is derived from that log."""

LINKED = frozenset({PLAYER, SPARE})
"""Roles whose token may come as a link (`?token=`), on GET only."""

EVERY_TOURNAMENT = "*"

LINK: Final = "link"
ENTRY: Final = "entry"
"""How another person received the link of a player: by requesting it, or by entering the player."""


class Via(Struct, frozen=True, forbid_unknown_fields=True):
    """The person besides the player who received the player's link.

    how: `link` if `by` requested the link, `entry` if `by` entered the player.
    """

    how: Literal["link", "entry"]
    by: Annotated[str, Meta(min_length=1)]
