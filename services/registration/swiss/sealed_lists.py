"""What the log holds of lists as digests alone: the parts themselves, and the secrets by which they are checked.

They stand in a table of registration, written in the transaction of their event. Peers copy logs, and not this table.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import orjson
from msgspec import Struct

from shared.eventlog.database import Connection
from shared.events.recorded import Recorded
from shared.formats.fold import data_of
from shared.formats.swiss.rules.openness import salt_of, seal, sealed_fields
from shared.formats.swiss.rules.roster_parts import Roster
from shared.tournament.entries import Player

SECRET = 32
"""Bytes of a secret, so that nobody finds a part by trying all lists that there are."""

_INSERT = """INSERT INTO sealed_lists (tournament, player, position, secret, parts)
    VALUES (:tournament, :player, :position, :secret, :parts) ON CONFLICT DO NOTHING"""


class Kept(Struct, frozen=True):
    """What registration keeps of the list that a player handed in last. parts: field -> its value, None for none."""

    secret: str
    parts: Mapping[str, Any]

    def fits(self, player: Player, field: str) -> bool:
        """Whether a part is the one that the log has the digest of."""
        digest = player.roster_sealed.get(field)
        return field in self.parts and seal(salt_of(self.secret, field), field, self.parts[field]) == digest

    def shown(self, player: Player) -> dict[str, Any]:
        """The parts that are those of the log, without fields that the list has not."""
        return {field: value for field, value in self.parts.items() if value is not None and self.fits(player, field)}


NOTHING = Kept("", {})


def kept(connection: Connection, tournament: str, player: str) -> Kept:
    """What is kept of a player's list; `NOTHING` where nothing is."""
    sql = """SELECT secret, parts FROM sealed_lists
        WHERE tournament = :tournament AND player = :player ORDER BY position DESC LIMIT 1"""
    row = connection.one(sql, tournament=tournament, player=player)
    return Kept(row[0], orjson.loads(row[1])) if row else NOTHING


def secret_for(roster: Roster, sheet: Mapping[str, Any], before: Kept) -> str:
    """The secret of a submission: that of the one before where its hidden parts are the same, else a new one.

    So who hands the same list in again changes nothing. Empty where the ruleset hides nothing.
    """
    hidden = sealed_fields(roster)
    if not hidden:
        return ""
    same = before.secret and all(before.parts.get(field) == sheet.get(field) for field in hidden)
    return before.secret if same else secrets.token_hex(SECRET)


def keeping(roster: Roster, sheet: Mapping[str, Any], secret: str) -> Callable[[Connection, Sequence[Recorded]], None]:
    """What writes the hidden parts of a submission beside its event."""
    parts = {field: sheet.get(field) for field in sealed_fields(roster)}

    def write(connection: Connection, recorded: Sequence[Recorded]) -> None:
        for event in recorded:
            if event.type == "RosterSubmitted" and secret:
                connection.run(
                    _INSERT,
                    tournament=event.tournament,
                    player=data_of(event)["player"],
                    position=event.position,
                    secret=secret,
                    parts=orjson.dumps(parts).decode(),
                )

    return write
