"""`POST /recopy`, the same on every service: for whoever runs the installation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from marshmallow import fields

from shared.application.rebuild import ReadModel
from shared.application.recopy import LISTED, copy_anew
from shared.application.service import Service
from shared.roles import EVERY_TOURNAMENT, OPERATOR
from shared.web.access import caller
from shared.web.blueprint import Blueprint
from shared.web.fields import Answer, Choice, Identifier, Schema, Text


class EndShown(Answer):
    """Where a copy ends."""

    position = fields.Integer(required=True)
    hash = fields.String(required=True)


class RecopiedShown(Answer):
    """What was replaced, and by what."""

    id = fields.Integer(required=True, metadata={"description": "Of the record: what stood there is kept under it."})
    source = fields.String(required=True)
    tournament = fields.String(required=True)
    old = fields.Nested(EndShown, required=True)
    new = fields.Nested(EndShown, required=True)
    kept = fields.Integer(required=True, metadata={"description": "Events, from the first on, that were the same."})
    replaced = fields.Integer(required=True, metadata={"description": "Events that were set aside."})
    cases = fields.Integer(required=True, metadata={"description": "Of quarantine, that are closed by this."})
    decided = fields.Integer(
        required=True,
        metadata={"description": "Events of this service that were decided on what was replaced; they stay."},
    )
    events = fields.List(fields.String(), required=True, metadata={"description": "Their ids, the first 100."})
    refused = fields.String(
        required=True, metadata={"description": "Why the owner's log was not copied to its end; empty: it was."}
    )


def recopy_blueprint(service: Service, read_models: Sequence[ReadModel]) -> Blueprint:
    """The route, for a service with these read models."""
    blueprint = Blueprint("recopies", description="Copies made anew from their owners.", reads_logs=False)

    class Recopy(Schema):
        """Which copy, and why: both are recorded."""

        source = Choice(*service.sources[1:], required=True)
        tournament = Identifier(required=True)
        reason = Text(500, load_default="")

    @blueprint.post("/recopy")
    @blueprint.allow(OPERATOR, within=EVERY_TOURNAMENT)
    @blueprint.arguments(Recopy)
    @blueprint.response(200, RecopiedShown)
    @blueprint.may_refuse("owner-unavailable", "busy", "schema-outdated")
    def recopy_from_owner(asked: dict[str, Any]) -> dict[str, Any]:
        """Replace a copy that is not its owner's log by what the owner vouches for; nothing of it is lost."""
        done = copy_anew(
            service, read_models, asked["source"], asked["tournament"], actor=caller().actor, reason=asked["reason"]
        )
        recopied = done.recopied
        return {
            "id": recopied.id,
            "source": asked["source"],
            "tournament": asked["tournament"],
            "old": {"position": recopied.old.position, "hash": recopied.old.hash},
            "new": {"position": recopied.new.position, "hash": recopied.new.hash},
            "kept": recopied.kept,
            "replaced": recopied.replaced,
            "cases": recopied.cases,
            "decided": len(done.decided),
            "events": list(done.decided[:LISTED]),
            "refused": done.refused,
        }

    return blueprint
