"""Shapes of what every service answers alike."""

from __future__ import annotations

from marshmallow import fields

from shared.web.fields import Answer


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
