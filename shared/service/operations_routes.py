"""The routes `POST /fsck`, `/rebuild`, `/recover` and `/recopy`, the same for every service, for operators."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from shared.messaging.envelope import LARGEST_FEED
from shared.roles import EVERY_TOURNAMENT, OPERATOR
from shared.service.fsck import Checked, check
from shared.service.rebuild import Difference, ReadModel, rebuild
from shared.service.recovery import LISTED, Recovered, recopy_log, recover
from shared.service.views import HeadView
from shared.service.wiring import Service
from shared.shapes import Id, Open, OptionalReason, Shape, View, Whole
from shared.web.auth import require_caller, require_everywhere
from shared.web.blueprint import Blueprint
from shared.web.schema import OpenTypes, deferred

Peer = Annotated[str, Open("peer")]
"""A service whose log is copied here."""


class RebuiltView(View, frozen=True, kw_only=True):
    """The result of a rebuild."""

    tournaments: int
    events: Annotated[int, "Events that were verified and folded."]
    snapshots: int
    lines: Annotated[int, "Lines in read models."]
    differences: list[Difference]


def rebuild_blueprint(service: Service, read_models: Sequence[ReadModel]) -> Blueprint:
    """Return the routes that rebuild and check this service."""
    blueprint = Blueprint("operations", description="For operators of the installation.", reads_logs=False)

    @blueprint.post("/rebuild")
    @blueprint.allow(OPERATOR, within=None)
    @blueprint.response(200, RebuiltView)
    @blueprint.may_refuse("wrong-tournament", "schema-outdated")
    def rebuild_from_logs() -> RebuiltView:
        """Delete every cache and read model, rebuild them from the logs, and report what differed."""
        require_everywhere((OPERATOR,))
        rebuilt = rebuild(service, read_models)
        return RebuiltView(
            tournaments=rebuilt.tournaments,
            events=rebuilt.events,
            snapshots=rebuilt.snapshots,
            lines=rebuilt.lines,
            differences=rebuilt.differences,
        )

    @blueprint.post("/fsck")
    @blueprint.allow(OPERATOR, within=None)
    @blueprint.response(200, Checked)
    @blueprint.may_refuse("wrong-tournament", "schema-outdated")
    def check_database() -> Checked:
        """Check every log, copy, snapshot and read model and the feed for damage; repair nothing."""
        require_everywhere((OPERATOR,))
        return check(service, read_models)

    return blueprint


class Recover(Shape, frozen=True, kw_only=True):
    """The peers not to ask (`without`), and the feed position that a subscriber has read up to."""

    without: list[Peer] = []
    feed: Annotated[int, Whole(0, LARGEST_FEED)] = 0


def recovery_blueprint(service: Service, read_models: Sequence[ReadModel]) -> Blueprint:
    """Return the route that recovers lost events from peers."""
    blueprint = Blueprint("recovery", description="Recovery of lost events from copies.", reads_logs=False)

    @blueprint.post("/recover")
    @blueprint.allow(OPERATOR, within=EVERY_TOURNAMENT)
    @blueprint.arguments(deferred(Recover, opened=_peers(service)))
    @blueprint.response(200, Recovered)
    @blueprint.may_refuse(
        "schema-outdated", "peer-unavailable", "peers-disagree", "own-log-forked", "feed-beyond", "busy"
    )
    def recover_from_peers(body: Recover) -> Recovered:
        """Restore events of this service's log that its database has lost and its peers still hold."""
        return recover(service, read_models, without=body.without, feed=body.feed, actor=require_caller().actor)

    return blueprint


class Recopy(Shape, frozen=True, kw_only=True):
    """The copy to replace, and the reason; both are recorded."""

    source: Peer
    tournament: Id
    reason: OptionalReason = ""


class EndView(HeadView, frozen=True, kw_only=True):
    """The end of a copy."""


class RecopiedView(View, frozen=True, kw_only=True):
    """The result of a recopy."""

    id: Annotated[int, "The id of the record under which the replaced events are kept."]
    source: str
    tournament: str
    old: EndView
    new: EndView
    kept: Annotated[int, "Events at the start that are the same in both."]
    replaced: Annotated[int, "Events that were set aside."]
    cases: Annotated[int, "Quarantine cases that were closed."]
    decided: Annotated[int, "Events of this service whose decision depended on replaced events; they stay."]
    events: Annotated[list[str], "The ids of the first 100 of them."]
    refused: Annotated[str, "Why the owner's log was not copied to its end; empty if it was."]


def recopy_blueprint(service: Service, read_models: Sequence[ReadModel]) -> Blueprint:
    """Return the route that replaces a copy."""
    blueprint = Blueprint("recopies", description="Replacement of copies by their owners' logs.", reads_logs=False)

    @blueprint.post("/recopy")
    @blueprint.allow(OPERATOR, within=EVERY_TOURNAMENT)
    @blueprint.arguments(deferred(Recopy, opened=_peers(service)))
    @blueprint.response(200, RecopiedView)
    @blueprint.may_refuse("owner-unavailable", "busy", "schema-outdated")
    def recopy_from_owner(body: Recopy) -> RecopiedView:
        """Replace a copy that differs from its owner's log; the replaced events are kept aside."""
        done = recopy_log(
            service, read_models, body.source, body.tournament, actor=require_caller().actor, reason=body.reason
        )
        recopied = done.recopied
        return RecopiedView(
            id=recopied.id,
            source=body.source,
            tournament=body.tournament,
            old=EndView(position=recopied.old.position, hash=recopied.old.hash),
            new=EndView(position=recopied.new.position, hash=recopied.new.hash),
            kept=recopied.kept,
            replaced=recopied.replaced,
            cases=recopied.cases,
            decided=len(done.decided),
            events=list(done.decided[:LISTED]),
            refused=done.refused,
        )

    return blueprint


def _peers(service: Service) -> OpenTypes:
    return {"peer": Literal.__getitem__(tuple(service.sources[1:]))}
