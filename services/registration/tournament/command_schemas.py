"""Shapes at registration's door."""

from __future__ import annotations

from collections import Counter
from typing import Any

from marshmallow import ValidationError, fields, validate, validates_schema

from services.registration.formats import FORMATS
from shared.web.fields import Choice, Day, Flag, Identifier, Name, Schema, Text, WholeNumber

SIGN_UP = "open: anybody signs up for themselves while registration is open; invite_only: staff and integrations do."


class CatalogueItem(Schema):
    """Something a roster may hold. in_list: the list it stands in; fields: what its entry states besides."""

    in_list = fields.String(required=True)
    name = fields.String(required=True)
    points = WholeNumber(0, 1_000_000)
    factions = fields.List(fields.String())
    more = fields.Dict(data_key="fields", attribute="fields")
    released = fields.String(metadata={"description": "The day it came out, YYYY-MM-DD."})
    release = fields.String(metadata={"description": "Its kind, as the ruleset's `legality.weekdays` names it."})
    legal_from = fields.String(
        metadata={"description": "The day from which it is legal here, whatever the delay after its release says."}
    )


class Catalogue(Schema):
    """What there is to choose from, for the ruleset with this id. document: where names and prices come from."""

    ruleset = fields.String(required=True)
    document = fields.String(required=True)
    items = fields.List(fields.Nested(CatalogueItem), required=True)


class AnnounceTournament(Schema):
    """A new tournament. `ruleset` names a shipped pack, or `pack` brings one of your own as JSON."""

    name = Name(required=True)
    format = Choice(
        *FORMATS,
        load_default="",
        metadata={"description": "That of the ruleset, if it is said."},
    )
    ruleset = fields.String(metadata={"description": "Id of a shipped ruleset: GET /rulesets."})
    pack = fields.Dict(metadata={"description": "A whole ruleset pack as JSON, instead of `ruleset`."})
    options = fields.Dict(
        keys=fields.String(), load_default=dict, metadata={"description": "What the ruleset lets an organiser set."}
    )
    catalogues = fields.List(
        fields.Nested(Catalogue),
        load_default=list,
        validate=validate.Length(max=20),
        metadata={"description": "What rosters may hold and what it costs."},
    )
    tier = fields.String(load_default="", metadata={"description": "One of the ruleset's tiers; empty: its first."})
    starts_on = Day(load_default=None, allow_none=True)
    ends_on = Day(load_default=None, allow_none=True)
    capacity = WholeNumber(2, 100_000, load_default=None, allow_none=True)
    rounds = WholeNumber(1, 64, load_default=None, allow_none=True)
    pairing_scope = Choice("event", "venue", load_default="event")
    visibility = Choice("public", "private", load_default="public")
    check_in = Flag(
        load_default=False, metadata={"description": "Whether round 1 pairs only players who are checked in."}
    )
    sign_up = Choice("open", "invite_only", load_default="invite_only", metadata={"description": SIGN_UP})
    rehearsal = Flag(load_default=False, metadata={"description": "Nothing counts; made-up operator's data are taken."})
    operator_data = fields.Dict(
        load_default=None,
        allow_none=True,
        metadata={"description": "Of a co-operative game: what its sheets and cards say (docs/rulesets.md)."},
    )


class AmendTournament(Schema):
    """What changes; the rest stays. The number of rounds only until round 1 is paired."""

    name = Name()
    starts_on = Day()
    ends_on = Day()
    capacity = WholeNumber(2, 100_000)
    rounds = WholeNumber(1, 64)
    sign_up = Choice("open", "invite_only", metadata={"description": SIGN_UP})


class Reason(Schema):
    """Why; it stands in the public log."""

    reason = Text(500, minimum=1, required=True)


class OptionalReason(Schema):
    """Why, if anybody should know; it stands in the public log."""

    reason = Text(500, load_default="")


class Empty(Schema):
    """No members."""


class Table(Schema):
    """A table of a venue."""

    table = WholeNumber(1, 100_000, required=True)
    accessible = Flag(load_default=False)


def _tables(required: bool) -> fields.List[list[dict[str, object]]]:
    rules = (validate.Length(max=10_000), _each_once)
    if required:
        return fields.List(fields.Nested(Table), required=True, validate=rules)
    return fields.List(fields.Nested(Table), load_default=list, validate=rules)


def _each_once(tables: list[dict[str, Any]]) -> None:
    again = sorted(number for number, times in Counter(table["table"] for table in tables).items() if times > 1)
    if again:
        raise ValidationError(f"each table once; twice or more: {', '.join(map(str, again))}")


class OpenVenue(Schema):
    """A venue; `tables` one by one, or `table_count` for 1 to that number."""

    name = Name(required=True)
    tables = _tables(required=False)
    table_count = WholeNumber(0, 10_000, load_default=0)

    @validates_schema
    def _one_of_both(self, data: dict[str, Any], **_: object) -> None:
        if data.get("tables") and data.get("table_count"):
            raise ValidationError("nothing, or `tables` left out", "table_count")


class ChangeTables(Schema):
    """All tables of the venue from now on."""

    tables = _tables(required=True)


class AppointStaff(Schema):
    """A member of staff; the answer carries their token. venue: they act there only; empty: everywhere.

    player: the id of the player whom they play as, if they do. override: why, where the tier lets no judge play.
    """

    name = Name(required=True)
    role = Choice("organiser", "head_referee", "referee", "spare", "integration", required=True)
    venue = fields.String(load_default="")
    player = fields.String(load_default="")
    override = Text(500, load_default="")


class EnterStaff(Schema):
    """player: the id of the player whom they play as. override: why, where the tier lets no judge play."""

    player = Identifier(required=True)
    override = Text(500, load_default="")


class DismissStaff(OptionalReason):
    """revoke_links: players' links that they asked for, or got by entering the player, end too."""

    revoke_links = Flag(load_default=False)


class RevokeToken(Schema):
    """token_id: as it came with the token (its claim `jti`), for example `t-abc.p17.1772359200123`."""

    token_id = fields.String(required=True, validate=validate.Length(1, 200))
    reason = Text(500, load_default="")
