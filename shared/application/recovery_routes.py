"""`POST /recover`, the same on every service: for whoever runs the installation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from marshmallow import fields

from shared.application.rebuild import ReadModel
from shared.application.recovery import recover
from shared.application.service import Service
from shared.messaging.wire import LARGEST_FEED
from shared.roles import EVERY_TOURNAMENT, OPERATOR
from shared.web.blueprint import Blueprint
from shared.web.fields import Answer, Choice, Schema, WholeNumber


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
