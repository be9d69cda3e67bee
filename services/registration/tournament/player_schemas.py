"""Shapes at registration's door of what is said of players."""

from __future__ import annotations

from marshmallow import ValidationError, fields, validate

from shared.web.fields import PERSONAL, Choice, Flag, Identifier, Name, Schema, Text
from shared.web.paging import PageQuery

LONGEST_LIST = 2000
"""Players of one request; a longer list is sent in several parts."""


class Contact(Schema):
    """Personal data: kept apart from the log, encrypted, and erased on request."""

    email = fields.Email(metadata=PERSONAL)
    phone = Text(40, metadata=PERSONAL)
    legal_name = Name(metadata=PERSONAL)
    needs = Text(500, metadata={**PERSONAL, "description": "Accessibility needs; never published."})


class Player(Schema):
    """Somebody who wants to play, under the name they choose to be public.

    external_id: who they are in your files and systems, public too; of one player each.
    """

    name = Name(required=True)
    faction = Name(load_default="")
    club = Name(load_default="")
    venue = fields.String(load_default="")
    external_id = Name(load_default="")
    contact = fields.Nested(Contact, load_default=dict)


class JoinPlayer(Player):
    """One player. late: staff take them in after round 1 was paired, where the ruleset allows it."""

    late = Flag(load_default=False)


class IssueLink(Schema):
    """A new link. reason: stands in the public log. revoke_older: every other link of the player ends."""

    reason = Text(500, load_default="")
    revoke_older = Flag(load_default=False)


class JoinPlayers(Schema):
    """A list of players: all of them join, or none."""

    players = fields.List(fields.Nested(Player), required=True, validate=validate.Length(1, LONGEST_LIST))
    late = Flag(load_default=False)


class Guest(Schema):
    """Somebody who signs up, under the name they choose to be public.

    email; legal_name, where the organiser has to know it: personal data, kept apart from the log.
    """

    name = Name(required=True)
    faction = Name(load_default="")
    club = Name(load_default="")
    venue = fields.String(load_default="")
    email = fields.Email(metadata=PERSONAL)
    legal_name = Name(metadata=PERSONAL)


class SignUp(Guest):
    """Somebody who signs up. invitation: of a survivor of a co-operative event, to sit at every table with them."""

    invitation = Text(100, load_default="")


class SignUpParty(Schema):
    """A company that sits together: all of them sign up, or none."""

    players = fields.List(fields.Nested(Guest), required=True, validate=validate.Length(1, 100))


def _everybody_once(group: list[str]) -> None:
    if len(set(group)) < len(group):
        raise ValidationError("everybody once")


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
    external_id = Name()


class SubmitRoster(Schema):
    """roster: as the ruleset words it (docs/rulesets.md). override: why staff change it after play began."""

    roster = fields.Dict(required=True)
    override = Text(500, load_default="")


class AcceptRoster(Schema):
    """note: what staff found."""

    note = Text(500, load_default="")


class AcceptRosters(Schema):
    """Rosters of several players: all of them are accepted, or none. note: what staff found, of each of them."""

    players = fields.List(Identifier(), required=True, validate=(validate.Length(1, LONGEST_LIST), _everybody_once))
    note = Text(500, load_default="")


class RejectRoster(Schema):
    """note: what staff found; the player reads it."""

    note = Text(500, minimum=1, required=True)


class Ground(Schema):
    """ground: what happened; clause: of the ruleset, where one says so. Both stand in the public log, for ever.

    note: what is not for everybody; kept with the player's personal data, for organiser and head referee.
    """

    ground = Text(500, minimum=1, required=True)
    clause = Text(40, load_default="")
    note = Text(2000, load_default="", metadata=PERSONAL)


class Disqualification(Ground):
    """barred: later events that the player is kept from, as in "this club's events until 2027"; in the public log."""

    barred = Text(200, load_default="")


STATUSES = ("active", "waiting", "dropped", "disqualified", "withdrawn")


class PlayersQuery(PageQuery):
    """status: only players of this status. roster: of this state. external_id: only who has this id elsewhere."""

    external_id = fields.String()
    roster = Choice("none", "submitted", "accepted", "rejected", load_default=None, allow_none=True)
    status = Choice(*STATUSES, load_default=None, allow_none=True)


class ExportQuery(Schema):
    """status: only players of this status; left out: all but those who withdrew."""

    status = Choice(*STATUSES, load_default=None, allow_none=True)
