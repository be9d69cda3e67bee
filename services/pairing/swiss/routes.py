"""Routes of the elimination stage and of spare players."""

from __future__ import annotations

from typing import Any

from services.pairing.handlers import HANDLERS
from services.pairing.swiss.views import CutView, cut_view
from services.pairing.swiss.views_bracket import BracketView, bracket_view
from services.pairing.tournament.commands import (
    CancelCutPublication,
    GiveUpSeat,
    MakeCut,
    OfferSpare,
    Publication,
    PublishCut,
    RecallSpare,
)
from shared.service.command_routes import CommandBlueprint
from shared.service.views import Appended
from shared.service.wiring import gateway_of
from shared.web.request import not_modified

OVER = ("tournament-unknown", "tournament-over", "other-venue")


gateway = gateway_of("swiss")
blueprint = CommandBlueprint(
    "stages", HANDLERS, description="The cut and its bracket; spare players.", may_refuse=("wrong-format",)
)


@blueprint.command(MakeCut, "/tournaments/<id:tournament>/cut", required=False)
@blueprint.may_refuse(*OVER, "no-cut", "cut-stands", "round-not-closed", "standings-not-published")
def make_cut(command: MakeCut, tournament: str) -> Appended:
    """Say who goes on to elimination, from the recorded standings."""
    return gateway.run(tournament, command)


@blueprint.post("/tournaments/<id:tournament>/cut/publication")
@blueprint.allow(*HANDLERS[PublishCut].roles)
@blueprint.previewed
@blueprint.arguments(Publication, required=False)
@blueprint.response(201, Appended)
@blueprint.may_refuse(*OVER, "no-cut", "cut-already-published", "publication-past")
def publish_cut(body: Publication, tournament: str) -> Appended:
    """Show a cut to everybody that is a draft, now or at a time set; it is one where the tournament says so.

    `on_purpose` of the tournament says so. At the time set the service publishes the cut as it stands then.
    """
    return gateway.run(tournament, PublishCut(at=body.at))


@blueprint.command(CancelCutPublication, "/tournaments/<id:tournament>/cut/publication/cancellation")
@blueprint.may_refuse(*OVER, "no-cut", "cut-already-published")
def cancel_cut_publication(command: CancelCutPublication, tournament: str) -> Appended:
    """Keep a cut back although a time is set for it."""
    return gateway.run(tournament, command)


@blueprint.get("/tournaments/<id:tournament>/cut")
@blueprint.response(200, CutView)
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown")
def show_cut(tournament: str) -> Any:
    """Show the seats of the elimination stage, in seeding order; none without a cut."""
    with gateway.reading(tournament) as loaded:
        return not_modified(gateway.version(loaded)) or cut_view(loaded.state)


@blueprint.get("/tournaments/<id:tournament>/bracket")
@blueprint.response(200, BracketView)
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown")
def show_bracket(tournament: str) -> Any:
    """Show the bracket as a tree: every game, also those to come, and where its winner goes on; none without a cut."""
    with gateway.reading(tournament) as loaded:
        return not_modified(gateway.version(loaded)) or bracket_view(loaded.state)


@blueprint.command(GiveUpSeat, "/tournaments/<id:tournament>/cut/given-up")
@blueprint.may_refuse(*OVER, "player-unknown", "not-in-cut")
def give_up_seat(command: GiveUpSeat, tournament: str) -> Appended:
    """Give a seat up: before the first elimination pairing the next one moves up, later it is a walkover."""
    return gateway.run(tournament, command)


@blueprint.command(OfferSpare, "/tournaments/<id:tournament>/spare")
@blueprint.may_refuse(*OVER, "staff-unknown", "spare-taken", "no-spare")
def offer_spare(command: OfferSpare, tournament: str) -> Appended:
    """Have a member of staff stand by, to play instead of a bye."""
    return gateway.run(tournament, command)


@blueprint.delete("/tournaments/<id:tournament>/spare")
@blueprint.allow(*HANDLERS[RecallSpare].roles)
@blueprint.previewed
@blueprint.arguments(RecallSpare, location="query")
@blueprint.response(200, Appended)
@blueprint.may_refuse(*OVER)
def recall_spare(command: RecallSpare, tournament: str) -> Appended:
    """Have no spare player any more; an odd number means a bye again."""
    return gateway.run(tournament, command)
