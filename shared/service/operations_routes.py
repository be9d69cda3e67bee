"""`POST /fsck`, `/rebuild`, `/recover` and `/recopy`, the same on every service: for whoever runs the installation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from shared.messaging.envelope import LARGEST_FEED
from shared.roles import EVERY_TOURNAMENT, OPERATOR
from shared.service.fsck import LogCheck, check
from shared.service.rebuild import Difference, ReadModel, rebuild
from shared.service.recovery import LISTED, Recovery, recopy_log, recover
from shared.service.views import HeadView
from shared.service.wiring import Service
from shared.shapes import Id, Open, OptionalReason, Shape, View, Whole
from shared.web.auth import caller, require_everywhere
from shared.web.blueprint import Blueprint
from shared.web.schema import OpenTypes, deferred

Peer = Annotated[str, Open("peer")]
"""A service whose log is copied here."""


class RebuiltView(View, frozen=True, kw_only=True):
    """What was made anew from the logs."""

    tournaments: int
    events: Annotated[int, "Verified and folded, from the first one on."]
    snapshots: int
    lines: Annotated[int, "Lines of read models."]
    differences: list[Difference]


def rebuild_blueprint(service: Service, read_models: Sequence[ReadModel]) -> Blueprint:
    """The routes, for a service with these read models."""
    blueprint = Blueprint("operations", description="For whoever runs the installation.", reads_logs=False)

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
    @blueprint.response(200, LogCheck)
    @blueprint.may_refuse("wrong-tournament", "schema-outdated")
    def check_database() -> LogCheck:
        """Check every log, copy, snapshot and read model and the feed for damage; repair nothing."""
        require_everywhere((OPERATOR,))
        return check(service, read_models)

    return blueprint


class Recover(Shape, frozen=True, kw_only=True):
    """Whom not to ask, and how far a subscriber has read."""

    without: list[Peer] = []
    feed: Annotated[int, Whole(0, LARGEST_FEED)] = 0


def recovery_blueprint(service: Service, read_models: Sequence[ReadModel]) -> Blueprint:
    """The route, for a service with these read models."""
    blueprint = Blueprint("recovery", description="What was lost, taken back from copies.", reads_logs=False)

    @blueprint.post("/recover")
    @blueprint.allow(OPERATOR, within=EVERY_TOURNAMENT)
    @blueprint.arguments(deferred(Recover, opened=_peers(service)))
    @blueprint.response(200, Recovery)
    @blueprint.may_refuse(
        "schema-outdated", "peer-unavailable", "peers-disagree", "own-log-forked", "feed-beyond", "busy"
    )
    def recover_from_peers(asked: Recover) -> Recovery:
        """Restore events of this service's log that its database has lost and its peers still hold."""
        return recover(service, read_models, without=asked.without, feed=asked.feed, actor=caller().actor)

    return blueprint


class Recopy(Shape, frozen=True, kw_only=True):
    """Which copy, and why: both are recorded."""

    source: Peer
    tournament: Id
    reason: OptionalReason = ""


class EndView(HeadView, frozen=True, kw_only=True):
    """Where a copy ends."""


class RecopiedView(View, frozen=True, kw_only=True):
    """What was replaced, and by what."""

    id: Annotated[int, "The id of the record under which the replaced events are kept."]
    source: str
    tournament: str
    old: EndView
    new: EndView
    kept: Annotated[int, "Events at the start that were the same."]
    replaced: Annotated[int, "Events that were set aside."]
    cases: Annotated[int, "Cases of quarantine that this closes."]
    decided: Annotated[int, "Events of this service that were decided on what was replaced; they stay."]
    events: Annotated[list[str], "Their ids, the first 100."]
    refused: Annotated[str, "Why the owner's log was not copied to its end; empty: it was."]


def recopy_blueprint(service: Service, read_models: Sequence[ReadModel]) -> Blueprint:
    """The route, for a service with these read models."""
    blueprint = Blueprint("recopies", description="Copies made again from their owners.", reads_logs=False)

    @blueprint.post("/recopy")
    @blueprint.allow(OPERATOR, within=EVERY_TOURNAMENT)
    @blueprint.arguments(deferred(Recopy, opened=_peers(service)))
    @blueprint.response(200, RecopiedView)
    @blueprint.may_refuse("owner-unavailable", "busy", "schema-outdated")
    def recopy_from_owner(asked: Recopy) -> RecopiedView:
        """Replace a copy that differs from its owner's log; the replaced events are kept aside."""
        done = recopy_log(
            service, read_models, asked.source, asked.tournament, actor=caller().actor, reason=asked.reason
        )
        recopied = done.recopied
        return RecopiedView(
            id=recopied.id,
            source=asked.source,
            tournament=asked.tournament,
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
