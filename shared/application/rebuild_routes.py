"""`POST /rebuild`, the same on every service: for whoever runs the installation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from marshmallow import fields

from shared.application.rebuild import ReadModel, rebuild
from shared.application.service import Service
from shared.roles import OPERATOR
from shared.web.access import require_everywhere
from shared.web.blueprint import Blueprint
from shared.web.fields import Answer


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
