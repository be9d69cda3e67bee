"""Shapes of what several services take or answer alike."""

from __future__ import annotations

from marshmallow import fields, validate

from shared.web.fields import Answer, Schema, WholeNumber


class ActorShown(Answer):
    """Who acted, taken apart; what does not apply is left out."""

    name = fields.String(
        required=True, metadata={"description": "The id in the token: of a player, a member of staff …"}
    )
    role = fields.String(metadata={"description": "The role that they acted in; none: Muster itself, by a rule."})
    venue = fields.String(metadata={"description": "The id of the venue that they act at; none: everywhere."})
    issuer = fields.String(metadata={"description": "Who of the staff asked for the link that was used."})
    entered_by = fields.String(
        metadata={"description": "Who entered the player, and so was handed the link that was used."}
    )


class EventShown(Answer):
    """An event as recorded."""

    id = fields.String(required=True)
    source = fields.String(required=True, metadata={"description": "The service whose log holds it."})
    type = fields.String(required=True)
    position = fields.Integer(required=True, metadata={"description": "In its log, from 1."})
    time = fields.String(required=True, metadata={"description": "RFC 3339, UTC."})
    actor = fields.String(
        required=True, metadata={"description": "Who, in which role: `p1, player` or `s2, referee of Hall B`."}
    )
    by = fields.Nested(ActorShown, required=True)
    data = fields.Dict(required=True)


class ReceiptShown(Answer):
    """What a command did."""

    tournament = fields.String(required=True)
    events = fields.List(
        fields.Nested(EventShown), required=True, metadata={"description": "Appended events; empty: nothing changed."}
    )


class HeadShown(Answer):
    """Where a log ends."""

    position = fields.Integer(required=True)
    hash = fields.String(required=True)


class HeadsShown(Answer):
    """Where the logs of a tournament end, as far as this service holds them."""

    tournament = fields.String(required=True)
    heads = fields.Dict(keys=fields.String(), values=fields.Nested(HeadShown), required=True)


def form_titles() -> fields.Dict:
    """The member that says what is printed for the words of a form."""
    about = "What is printed for every word of heading and columns."
    return fields.Dict(keys=fields.String(), values=fields.String(), required=True, metadata={"description": about})


class FormPrinted(Answer):
    """What stands on a form of a ruleset; how many copies there are is said by whoever shows it."""

    id = fields.String(required=True)
    name = fields.String(required=True)
    holds = fields.String(
        required=True, metadata={"description": "rounds, roster, sides, builder, pairings, standings or players."}
    )
    filled_by = fields.String(required=True, metadata={"description": "player or staff."})
    heading = fields.List(fields.String(), required=True)
    columns = fields.List(fields.String(), required=True)
    titles = form_titles()
    instructions = fields.List(
        fields.String(), required=True, metadata={"description": "What whoever fills it in reads first."}
    )
    lines = fields.Integer(required=True, metadata={"description": "On one sheet; 0: as many as are needed."})
    order = fields.String(required=True, metadata={"description": "upwards: the lowest line is used first."})
    clause = fields.String(required=True)


class SheetShown(Answer):
    """A printed sheet. What is empty is written by hand."""

    about = fields.String(required=True, metadata={"description": "The player, game or venue; empty: everybody."})
    heading = fields.Dict(keys=fields.String(), values=fields.String(), required=True)
    columns = fields.List(fields.String(), required=True)
    lines = fields.List(
        fields.List(fields.String()),
        required=True,
        metadata={"description": "From top to bottom; a text for each column."},
    )


class DieTold(Schema):
    """A die as it lay on the table."""

    sides = WholeNumber(required=True)
    natural = WholeNumber(required=True, metadata={"description": "The face, as it lay."})


class RollTold(Schema):
    """Dice that were rolled at a table; without any, the service rolls. The roller is the player, unless it is said."""

    dice = fields.List(fields.Nested(DieTold), load_default=list, validate=validate.Length(max=9))
    rolled_by = fields.String(load_default="", metadata={"description": "The id of a player or a member of staff."})
    witnessed_by = fields.String(load_default="", metadata={"description": "Somebody else who was there."})


class CountedShown(Answer):
    """A result. left: why it does not count; empty: it counts."""

    entry = fields.String(required=True)
    place = fields.Integer(required=True)
    points = fields.Raw(required=True, metadata={"description": "A whole number, or a decimal as a string."})
    left = fields.String(required=True)


class ResultMoved(Answer):
    """A result of one's own that changed; null where there was, or is, none."""

    tournament = fields.String(required=True)
    before = fields.Nested(CountedShown, required=True, allow_none=True)
    after = fields.Nested(CountedShown, required=True, allow_none=True)


class PassedBy(Answer):
    """Somebody who was not ahead before, and is now."""

    player = fields.String(required=True)
    name = fields.String(required=True)


class SeasonMoveShown(Answer):
    """Somebody of a season who stands elsewhere or with other values; no rank: not in the table."""

    player = fields.String(required=True)
    name = fields.String(required=True)
    division = fields.String(required=True)
    rank_before = fields.Integer(required=True, allow_none=True)
    rank_after = fields.Integer(required=True, allow_none=True)
    points_before = fields.Raw(required=True, metadata={"description": "A whole number, or a decimal as a string."})
    points_after = fields.Raw(required=True)
    columns = fields.List(fields.String(), required=True, metadata={"description": "Values that are others."})
    results = fields.List(fields.Nested(ResultMoved), required=True)
    passed_by = fields.List(fields.Nested(PassedBy), required=True, metadata={"description": "Five at most."})


class SeasonConsequences(Answer):
    """What a correction would move in a season that counts the tournament.

    stands: the season is over, and its standings stand; the correction is only told.
    """

    season = fields.String(required=True)
    name = fields.String(required=True)
    stands = fields.Boolean(required=True)
    moves = fields.List(fields.Nested(SeasonMoveShown), required=True)
