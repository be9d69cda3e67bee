"""What pairing shows of rounds of sessions, and the shapes of what is asked and shown."""

from __future__ import annotations

from typing import Any

from marshmallow import fields, validate
from msgspec import structs

from services.pairing.tournament.state import name_of
from shared.formats.coop.seating import SeatedTable, SessionRound
from shared.formats.coop.sessions import SESSIONS
from shared.tournament.state import Tournament
from shared.web.fields import Answer, Identifier, Name, Schema, Text, WholeNumber

MOST_TABLES = 2000
MOST_SEATS = 100
ROUNDS = 1000


def _survivors() -> fields.List[str]:
    return fields.List(Identifier(), required=True, validate=validate.Length(max=MOST_SEATS))


class TableByHand(Schema):
    """A table by hand. host: who confirms what it reports; left out, the first survivor.

    scenario, loyal_faction: assigned to this table; left out, those of the round.
    """

    survivors = _survivors()
    host = Identifier(load_default="")
    scenario = Identifier(load_default="")
    loyal_faction = Name(load_default="")


class OpenSessionRound(Schema):
    """All members may be left out: then everybody is seated, parties together and company new where it can be.

    round: the one that is meant, so that a request that comes twice seats once. scenario, loyal_faction: assigned to
    every table; left out, each table chooses.
    """

    round = WholeNumber(1, ROUNDS, load_default=None, allow_none=True)
    tables = fields.List(
        fields.Nested(TableByHand), load_default=None, allow_none=True, validate=validate.Length(1, MOST_TABLES)
    )
    scenario = Identifier(load_default="")
    loyal_faction = Name(load_default="")
    reason = Text(500, load_default="", metadata={"description": "Why it is seated by hand; stands in the log."})


class ReseatTable(Schema):
    """survivors: all who sit there from now on; none where the table is not played."""

    survivors = _survivors()
    host = Identifier(load_default="")
    reason = Text(500, minimum=1, required=True)


class SeatedShown(Answer):
    """A table of a round of sessions."""

    session = fields.String(required=True)
    venue = fields.String(required=True)
    table = fields.Integer(required=True, metadata={"description": "0: no number."})
    survivors = fields.List(fields.String(), required=True)
    names = fields.List(fields.String(), required=True)
    host = fields.String(required=True)
    scenario = fields.String(metadata={"description": "Assigned by the organiser; empty: the table chooses."})
    loyal_faction = fields.String()
    status = fields.String(required=True, metadata={"description": "seated, playing, ended, binding or not_played."})


class SessionRoundShown(Answer):
    """A round of sessions with its tables."""

    round = fields.Integer(required=True)
    method = fields.String(required=True, metadata={"description": "drawn or manual."})
    seed = fields.String()
    closed = fields.Boolean(required=True)
    waiting = fields.List(fields.String(), required=True)
    not_there = fields.List(fields.String(), required=True)
    tables = fields.List(fields.Nested(SeatedShown), required=True)


class SessionRoundsShown(Answer):
    """Every round of sessions."""

    rounds = fields.List(fields.Nested(SessionRoundShown), required=True)


def session_round_view(state: Tournament, round: SessionRound) -> dict[str, Any]:
    """A round of sessions with its tables."""
    tables = [_table_view(state, table) for table in round.tables.values()]
    return structs.asdict(round) | {"round": round.number, "tables": tables}


def _table_view(state: Tournament, table: SeatedTable) -> dict[str, Any]:
    names = [name_of(state.entries, survivor) for survivor in table.survivors]
    return structs.asdict(table) | {"names": names, "status": _status(state, table)}


def _status(state: Tournament, table: SeatedTable) -> str:
    session = SESSIONS.of(state).sessions.get(table.session)
    if session is None:
        return "seated" if table.survivors else "not_played"
    return "binding" if session.binds else session.status
