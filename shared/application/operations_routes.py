"""`POST /rebuild`, `/recover` and `/recopy`, the same on every service: for whoever runs the installation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from marshmallow import fields

from shared.application.rebuild import ReadModel, rebuild
from shared.application.recopy import LISTED, copy_anew
from shared.application.recovery import recover
from shared.application.service import Service
from shared.messaging.wire import LARGEST_FEED
from shared.roles import EVERY_TOURNAMENT, OPERATOR
from shared.web.access import caller, require_everywhere
from shared.web.blueprint import Blueprint
from shared.web.fields import Answer, Choice, Identifier, Schema, Text, WholeNumber


class DifferenceShown(Answer):
    """Something that was not as the logs say, and is now."""

    what = fields.String(required=True, metadata={"description": "log, memory, snapshot, or the name of a read model."})
    tournament = fields.String(required=True)
    where = fields.String(required=True, metadata={"description": "Inside of it, as a JSON pointer."})
    found = fields.String(required=True)
    expected = fields.String(required=True)


class RebuiltShown(Answer):
    """What was made anew from the logs."""

    tournaments = fields.Integer(required=True)
    events = fields.Integer(required=True, metadata={"description": "Verified and folded, from the first one on."})
    snapshots = fields.Integer(required=True)
    lines = fields.Integer(required=True, metadata={"description": "Of read models."})
    differences = fields.List(fields.Nested(DifferenceShown), required=True)


def rebuild_blueprint(service: Service, read_models: Sequence[ReadModel]) -> Blueprint:
    """The route, for a service with these read models."""
    blueprint = Blueprint("operations", description="For whoever runs the installation.", reads_logs=False)

    @blueprint.post("/rebuild")
    @blueprint.allow(OPERATOR, within=None)
    @blueprint.response(200, RebuiltShown)
    @blueprint.may_refuse("wrong-tournament", "schema-outdated")
    def rebuild_from_logs() -> dict[str, Any]:
        """Delete every cache and read model, make them anew from the logs, and say what had been different."""
        require_everywhere((OPERATOR,))
        shown: dict[str, Any] = msgspec.to_builtins(rebuild(service, read_models))
        return shown

    return blueprint


class RecoveredShown(Answer):
    """What was taken back from the peers."""

    peers = fields.List(fields.String(), required=True, metadata={"description": "Who was asked."})
    events = fields.Integer(required=True, metadata={"description": "That came back, of all tournaments."})
    tournaments = fields.Integer(required=True, metadata={"description": "Whose log got events back."})
    feed = fields.Integer(required=True, metadata={"description": "Where the feed ends now."})
    guessed = fields.Integer(required=True, metadata={"description": "Feed positions of which no peer knew the event."})


def recovery_blueprint(service: Service, read_models: Sequence[ReadModel]) -> Blueprint:
    """The route, for a service with these read models."""
    blueprint = Blueprint("recovery", description="What was lost, taken back from copies.", reads_logs=False)

    class Recover(Schema):
        """Whom not to ask, and how far a subscriber has read."""

        without = fields.List(Choice(*service.sources[1:]), load_default=list)
        feed = WholeNumber(0, LARGEST_FEED, load_default=0)

    @blueprint.post("/recover")
    @blueprint.allow(OPERATOR, within=EVERY_TOURNAMENT)
    @blueprint.arguments(Recover)
    @blueprint.response(200, RecoveredShown)
    @blueprint.may_refuse(
        "schema-outdated", "peer-unavailable", "peers-disagree", "own-log-forked", "feed-beyond", "busy"
    )
    def recover_from_peers(asked: dict[str, Any]) -> dict[str, Any]:
        """Take back from the peers what they hold of this service's log and its database does not."""
        done = recover(service, read_models, without=asked["without"], feed=asked["feed"])
        shown: dict[str, Any] = msgspec.to_builtins(done)
        return shown

    return blueprint


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
