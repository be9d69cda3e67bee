"""Shapes that the other rooms of registration still take from here."""

from __future__ import annotations

from marshmallow import fields

from services.registration.tournament import views
from shared.application.schemas import ReceiptShown
from shared.web.derived import schema_of

JoinedPlayer = schema_of(views.JoinedPlayer)


class Joined(ReceiptShown):
    """players: what became of each, in the order given; token and link: for the player, token_id: to revoke it by."""

    players = fields.List(fields.Nested(JoinedPlayer), required=True)
