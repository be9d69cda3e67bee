"""Shapes of seasons at registration's door, and of what it shows."""

from __future__ import annotations

from marshmallow import fields, validate

from services.registration.tournament.view_schemas import Joined, JoinedPlayer
from shared.application.schemas import SeasonMoveShown
from shared.web.fields import Answer, Day, Identifier, Name, Schema, Text, WholeNumber

MOST_CLAIMS = 500


class GatherTournament(Schema):
    """A tournament that the season is to count.

    played_on: by which day it has its place among the others; left out: the day it starts on. tier: one that the season
    weighs; left out: the tournament's own, where that is one. weight: in per cent.
    """

    tournament = Identifier(required=True)
    played_on = Day(load_default=None, allow_none=True)
    division = Name(load_default="")
    tier = Name(load_default="")
    weight = WholeNumber(1, 10_000, load_default=None, allow_none=True)


class ClaimOfEntry(Schema):
    """An entry of a gathered tournament. player: of the season; left out: a new one, called `name` or as there."""

    tournament = Identifier(required=True)
    entry = Identifier(required=True, metadata={"description": "The id of the player in that tournament."})
    player = Identifier(load_default="")
    name = Name(load_default="")


class ClaimEntries(Schema):
    """All of them, or none and every fault."""

    claims = fields.List(fields.Nested(ClaimOfEntry), required=True, validate=validate.Length(1, MOST_CLAIMS))


class ClaimByName(Schema):
    """Everybody of this tournament who is nobody's yet: a player of the season of the same name, or a new one."""

    tournament = Identifier(required=True)


class ClaimOwn(Schema):
    """season_token: of the player of the season that one is already; left out: a new one, called `name` or as there."""

    season_token = fields.String(load_default="", validate=validate.Length(max=2048))
    name = Name(load_default="")


class MergeIdentities(Schema):
    """`player` is `into`, and why that is known."""

    player = Identifier(required=True)
    into = Identifier(required=True)
    reason = Text(500, minimum=1, required=True)


class EntryOfPlayer(Schema):
    """An entry, by tournament and the id of the player there."""

    tournament = Identifier(required=True)
    entry = Identifier(required=True)


class SplitIdentity(Schema):
    """Entries that are not this player's; left out: all that came with `into`.

    into: a player who was merged with this one; left out: a new one, called `name`.
    """

    player = Identifier(required=True)
    entries = fields.List(fields.Nested(EntryOfPlayer), load_default=list, validate=validate.Length(max=MOST_CLAIMS))
    into = Identifier(load_default="")
    name = Name(load_default="")
    reason = Text(500, minimum=1, required=True)


class PreviewQuery(Schema):
    """preview: answer what would move, and append nothing."""

    preview = fields.Boolean(load_default=False)


class EnterDivision(Schema):
    """Players who play in this division from now on."""

    division = Name(required=True)
    players = fields.List(Identifier(), required=True, validate=validate.Length(1, MOST_CLAIMS))
    reason = Text(500, load_default="")


class ContinueSeason(Schema):
    """season: one that is concluded, whose players come into this one."""

    season = Identifier(required=True)


class GatheredShown(Answer):
    """A tournament that the season counts."""

    tournament = fields.String(required=True)
    name = fields.String(required=True)
    format = fields.String(required=True)
    ruleset = fields.String(required=True)
    played_on = fields.String(required=True)
    division = fields.String(metadata={"description": "Whose players it is for; empty: all."})
    tier = fields.String()
    weight = fields.Integer(allow_none=True, metadata={"description": "In per cent, where it was given by hand."})
    status = fields.String(required=True, metadata={"description": "announced, running, concluded or cancelled."})
    results_taken = fields.Boolean(required=True)
    entries = fields.Integer(required=True)
    claimed = fields.Integer(required=True)


class EntryShown(Answer):
    """An entry of a gathered tournament. player: of the season; empty: nobody has claimed it."""

    tournament = fields.String(required=True)
    entry = fields.String(required=True)
    name = fields.String(required=True)
    status = fields.String(required=True)
    player = fields.String(required=True)


class EntryOwned(Answer):
    """An entry of a player of the season."""

    tournament = fields.String(required=True)
    entry = fields.String(required=True)


class IdentityShown(Answer):
    """A player of the season with all entries that are theirs. merged_into: who they are by now, empty: themselves."""

    player = fields.String(required=True)
    name = fields.String(required=True)
    status = fields.String(required=True)
    division = fields.String()
    merged_into = fields.String()
    entries = fields.List(fields.Nested(EntryOwned), required=True)
    before = fields.Nested(EntryOwned, allow_none=True, metadata={"description": "Who they were in which season."})


class ClaimedShown(Joined):
    """claimed: the player of the season that the entry is; players: whoever is new, with their link."""

    claimed = fields.String()
    players = fields.List(fields.Nested(JoinedPlayer))


class IdentityConsequences(Answer):
    """What would follow; nothing was appended. twice: tournaments in which one player would have two entries."""

    events = fields.List(fields.String(), required=True)
    moves = fields.List(fields.Nested(SeasonMoveShown), required=True)
    twice = fields.List(fields.String(), required=True)
