"""Shapes at registration's door, and of what it shows."""

from __future__ import annotations

from collections import Counter
from typing import Any

from marshmallow import ValidationError, fields, validate, validates_schema

from shared.handling.schemas import ReceiptShown
from shared.http.faults import FaultShown
from shared.http.fields import Answer, Choice, Day, Flag, Identifier, Name, Schema, Text, WholeNumber
from shared.http.paging import PageQuery

LONGEST_LIST = 2000
"""Players of one request; a longer list is sent in several parts."""

SIGN_UP = "open: anybody signs up for themselves while registration is open; invite_only: staff and integrations do."


class CatalogueItem(Schema):
    """Something a roster may hold. in_list: the list it stands in; fields: what its entry states besides."""

    in_list = fields.String(required=True)
    name = fields.String(required=True)
    points = WholeNumber(0, 1_000_000)
    factions = fields.List(fields.String())
    more = fields.Dict(data_key="fields", attribute="fields")


class Catalogue(Schema):
    """What there is to choose from, for the ruleset with this id. document: where names and prices come from."""

    ruleset = fields.String(required=True)
    document = fields.String(required=True)
    items = fields.List(fields.Nested(CatalogueItem), required=True)


class AnnounceTournament(Schema):
    """A new tournament. `ruleset` names a shipped pack, or `pack` brings one of your own as JSON."""

    name = Name(required=True)
    format = Choice("swiss", "campaign", "coop", load_default="swiss")
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


class RevokeToken(Schema):
    """token_id: as it came with the token (its claim `jti`), for example `t-abc.p17.1772359200123`."""

    token_id = fields.String(required=True, validate=validate.Length(1, 200))
    reason = Text(500, load_default="")


class Contact(Schema):
    """Personal data: kept apart from the log, encrypted, and erased on request."""

    email = fields.Email()
    phone = Text(40)
    legal_name = Name()
    needs = Text(500, metadata={"description": "Accessibility needs; never published."})


class Player(Schema):
    """Somebody who wants to play, under the name they choose to be public."""

    name = Name(required=True)
    faction = Name(load_default="")
    club = Name(load_default="")
    venue = fields.String(load_default="")
    contact = fields.Nested(Contact, load_default=dict)


class JoinPlayer(Player):
    """One player. late: staff take them in after round 1 was paired, where the ruleset allows it."""

    late = Flag(load_default=False)


class JoinPlayers(Schema):
    """A list of players: all of them join, or none."""

    players = fields.List(fields.Nested(Player), required=True, validate=validate.Length(1, LONGEST_LIST))
    late = Flag(load_default=False)


class SignUp(Schema):
    """Somebody who signs up, under the name they choose to be public. email: personal data, kept apart from the log."""

    name = Name(required=True)
    faction = Name(load_default="")
    club = Name(load_default="")
    venue = fields.String(load_default="")
    email = fields.Email()


def _everybody_once(group: list[str]) -> None:
    if len(set(group)) < len(group):
        raise ValidationError("everybody once in a group")


class KeepApart(Schema):
    """groups: ids of players who should not meet in round 1; all groups from now on, none to take them back."""

    groups = fields.List(
        fields.List(Identifier(), validate=(validate.Length(2, 100), _everybody_once)),
        required=True,
        validate=validate.Length(max=1000),
    )


class AmendPlayer(Schema):
    """What changes; the rest stays."""

    name = Name()
    faction = Name()
    club = Name()
    venue = fields.String()


class SubmitRoster(Schema):
    """roster: as the ruleset words it (docs/rulesets.md). override: why staff change it after play began."""

    roster = fields.Dict(required=True)
    override = Text(500, load_default="")


class AcceptRoster(Schema):
    """note: what staff found."""

    note = Text(500, load_default="")


class RejectRoster(Schema):
    """note: what staff found; the player reads it."""

    note = Text(500, minimum=1, required=True)


class CheckIn(Schema):
    """venue: needed only where several are open and the player has none."""

    venue = fields.String(load_default="")


class PinPlayer(Schema):
    """reason: private; it is kept with the player's personal data, not in the log."""

    venue = Identifier(required=True)
    table = WholeNumber(1, 100_000, required=True)
    reason = Text(500, load_default="")


class Ground(Schema):
    """ground: what happened; clause: of the ruleset, where one says so. Both stand in the public log."""

    ground = Text(500, minimum=1, required=True)
    clause = Text(40, load_default="")


class JoinedPlayer(Answer):
    """What became of somebody who asked for a seat."""

    id = fields.String(required=True)
    name = fields.String(required=True)
    status = fields.String(required=True, metadata={"description": "active or waiting."})
    token = fields.String(required=True)
    token_id = fields.String(required=True, metadata={"description": "What a revocation names."})
    link = fields.String(required=True)


class Joined(ReceiptShown):
    """players: what became of each, in the order given; token and link: for the player, token_id: to revoke it by."""

    players = fields.List(fields.Nested(JoinedPlayer))


class Announced(ReceiptShown):
    """token: the organiser's, for this tournament; token_id: to revoke it by."""

    id = fields.String()
    token = fields.String()
    token_id = fields.String()


class Appointed(ReceiptShown):
    """The new member of staff and their token; token_id: to revoke it by."""

    staff = fields.String()
    token = fields.String()
    token_id = fields.String()


class TokenShown(Answer):
    """A token and, for players, the link that carries it."""

    token = fields.String(required=True)
    token_id = fields.String(required=True)
    link = fields.String()


class PinnedTable(Answer):
    """A table that is kept for somebody."""

    venue = fields.String(required=True)
    table = fields.Integer(required=True)


class PlayerShown(Answer):
    """A player as everybody sees them."""

    id = fields.String(required=True)
    name = fields.String(required=True)
    faction = fields.String()
    club = fields.String()
    venue = fields.String()
    status = fields.String(required=True)
    late = fields.Boolean()
    checked_in = fields.Boolean()
    roster = fields.String(metadata={"description": "Empty, submitted, accepted or rejected."})
    pinned = fields.Nested(
        PinnedTable, allow_none=True, metadata={"description": "The table that the player keeps; never why."}
    )
    warnings = fields.Integer()
    after_round = fields.Integer()
    waiting_position = fields.Integer(metadata={"description": "From 1, for those who wait."})


class PlayersQuery(PageQuery):
    """status: only players of this status."""

    status = Choice("active", "waiting", "dropped", "disqualified", "withdrawn", load_default=None, allow_none=True)


class TableOfVenue(Answer):
    """A table of a venue."""

    table = fields.Integer(required=True)
    accessible = fields.Boolean(required=True)


class VenueShown(Answer):
    """A venue with its tables."""

    id = fields.String(required=True)
    name = fields.String(required=True)
    open = fields.Boolean(required=True)
    tables = fields.List(fields.Nested(TableOfVenue), required=True)


class StaffShown(Answer):
    """A member of staff."""

    id = fields.String(required=True)
    name = fields.String(required=True)
    role = fields.String(required=True)
    venue = fields.String(required=True, metadata={"description": "Empty: all of them."})
    player = fields.String(metadata={"description": "Whom they play as; empty: they do not play."})


class TierShown(Answer):
    """What depends on the level of play, each with its clause."""

    id = fields.String(required=True)
    rounds = fields.String(required=True, metadata={"description": "table, or organiser."})
    list_due = fields.Boolean(required=True, metadata={"description": "No first game without an accepted list."})
    judge_may_play = fields.Boolean(required=True)
    kept_apart = fields.Boolean(required=True, metadata={"description": "Players may ask not to meet in round 1."})
    clauses = fields.Dict(keys=fields.String(), values=fields.String(), required=True)


class DecisionShown(Answer):
    """A question that staff settle, and the roles that do so here."""

    question = fields.String(
        required=True, metadata={"description": "rulings, final, disqualification, reinstatement or lists."}
    )
    roles = fields.List(fields.String(), required=True)
    clause = fields.String(required=True, metadata={"description": "Empty: the ruleset says nothing of it."})


class TournamentShown(Answer):
    """A tournament with its venues and staff."""

    id = fields.String(required=True)
    name = fields.String(required=True)
    format = fields.String(required=True)
    status = fields.String(required=True)
    ruleset = fields.Dict(required=True)
    tier = fields.String()
    starts_on = fields.String()
    ends_on = fields.String()
    capacity = fields.Integer(allow_none=True)
    rounds = fields.Integer(allow_none=True)
    pairing_scope = fields.String()
    visibility = fields.String()
    check_in = fields.Boolean()
    sign_up = fields.String(metadata={"description": "open or invite_only."})
    registration_open = fields.Boolean()
    organiser = fields.String(metadata={"description": "The actor who announced the tournament."})
    kept_apart = fields.List(
        fields.List(fields.String()), metadata={"description": "Groups that should not meet in round 1."}
    )
    tier_rules = fields.Nested(TierShown)
    decisions = fields.List(fields.Nested(DecisionShown))
    players = fields.Dict(keys=fields.String(), values=fields.Integer())
    venues = fields.List(fields.Nested(VenueShown))
    staff = fields.List(fields.Nested(StaffShown))


class TournamentListed(Answer):
    """A line of the directory."""

    tournament = fields.String(required=True)
    name = fields.String(required=True)
    format = fields.String(required=True)
    ruleset = fields.String(required=True)
    status = fields.String(required=True)
    starts_on = fields.String()
    visibility = fields.String()
    players = fields.Integer()
    announced_at = fields.String()


class OptionShown(Answer):
    """What an organiser may set."""

    key = fields.String(required=True)
    title = fields.String(required=True)
    kind = fields.String(required=True, metadata={"description": "flag, choice, whole or bands."})
    default = fields.Raw(required=True, allow_none=True, metadata={"description": "As its kind has it; null: none."})


class RulesetListed(Answer):
    """A ruleset in short."""

    id = fields.String(required=True)
    title = fields.String(required=True)
    version = fields.String(required=True)
    format = fields.String(required=True)
    tiers = fields.List(fields.String(), required=True)
    options = fields.List(fields.Nested(OptionShown), required=True)


class RulesetsShown(Answer):
    """The shipped rulesets."""

    rulesets = fields.List(fields.Nested(RulesetListed), required=True)


class RosterTaken(ReceiptShown):
    """advice: what the document advises against in the roster, which is legal all the same."""

    advice = fields.List(fields.Nested(FaultShown), required=True)


class BlankForm(Answer):
    """A form as it is printed; scoring fills it in: GET /tournaments/{id}/forms/{form}."""

    id = fields.String(required=True)
    name = fields.String(required=True)
    holds = fields.String(
        required=True, metadata={"description": "rounds, roster, sides, pairings, standings or players."}
    )
    filled_by = fields.String(required=True, metadata={"description": "player or staff."})
    heading = fields.List(fields.String(), required=True)
    columns = fields.List(fields.String(), required=True)
    lines = fields.Integer(required=True, metadata={"description": "On one sheet; 0: as many as are needed."})
    order = fields.String(required=True, metadata={"description": "upwards: the lowest line is used first."})
    copies = fields.Integer(required=True)
    copies_a_round = fields.Integer(required=True, metadata={"description": "More copies for each planned round."})
    clause = fields.String(required=True)


class RulesetShown(RulesetListed):
    """A ruleset with what depends on its tiers, who of the staff settles what, its forms, and the whole pack."""

    tier_rules = fields.List(fields.Nested(TierShown), required=True)
    decisions = fields.List(fields.Nested(DecisionShown), required=True)
    forms = fields.List(fields.Nested(BlankForm), required=True)
    ruleset = fields.Dict(required=True)


class RosterShown(Answer):
    """A roster as submitted last; open to everybody once it is accepted and play has begun, else to staff and owner."""

    player = fields.String(required=True)
    status = fields.String(required=True)
    note = fields.String(metadata={"description": "What staff said when they accepted or rejected it."})
    roster = fields.Dict(required=True)
    faults = fields.List(fields.Nested(FaultShown))
    advice = fields.List(
        fields.Nested(FaultShown), metadata={"description": "What the document advises against; it is legal."}
    )


class Personal(Answer):
    """What a player gave for staff alone."""

    player = fields.String(required=True)
    data = fields.Dict(required=True)
