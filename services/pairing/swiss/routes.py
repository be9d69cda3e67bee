"""Routes of the elimination stage and of spare players."""

from __future__ import annotations

from typing import Any

from services.pairing.handlers import HANDLERS
from services.pairing.tournament import command_schemas as schemas
from services.pairing.tournament import view_schemas, views
from services.pairing.tournament.commands import GiveUpSeat, MakeCut, OfferSpare, RecallSpare
from services.pairing.tournament.routes.optional import optional_body
from shared.application.schemas import ReceiptShown
from shared.application.service import gateway_of
from shared.application.views import Appended
from shared.web.blueprint import Blueprint
from shared.web.request import not_modified

OVER = ("tournament-unknown", "tournament-over", "other-venue")


gateway = gateway_of("swiss")
blueprint = Blueprint("stages", description="The cut and its bracket; spare players.", may_refuse=("wrong-format",))


@blueprint.post("/tournaments/<id:tournament>/cut")
@blueprint.allow(*HANDLERS[MakeCut].roles)
@optional_body(blueprint, schemas.MakeCut)
@blueprint.response(201, ReceiptShown)
@blueprint.may_refuse(*OVER, "no-cut", "cut-stands", "round-not-closed")
def make_cut(body: dict[str, Any], tournament: str) -> Appended:
    """Say who goes on to elimination, from the recorded standings."""
    return gateway.run(tournament, MakeCut(**body))


@blueprint.get("/tournaments/<id:tournament>/cut")
@blueprint.response(200, view_schemas.CutShown)
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown")
def show_cut(tournament: str) -> Any:
    """Show the seats of the elimination stage, in seeding order; none without a cut."""
    with gateway.reading(tournament) as folded:
        return not_modified(gateway.version(folded)) or views.cut_view(folded.state)


@blueprint.post("/tournaments/<id:tournament>/cut/given-up")
@blueprint.allow(*HANDLERS[GiveUpSeat].roles)
@blueprint.arguments(schemas.GiveUpSeat)
@blueprint.response(201, ReceiptShown)
@blueprint.may_refuse(*OVER, "player-unknown", "not-in-cut")
def give_up_seat(body: dict[str, Any], tournament: str) -> Appended:
    """Give a seat up: before the first elimination pairing the next one moves up, later it is a walkover."""
    return gateway.run(tournament, GiveUpSeat(**body))


@blueprint.post("/tournaments/<id:tournament>/spare")
@blueprint.allow(*HANDLERS[OfferSpare].roles)
@blueprint.arguments(schemas.OfferSpare)
@blueprint.response(201, ReceiptShown)
@blueprint.may_refuse(*OVER, "staff-unknown", "spare-taken", "no-spare")
def offer_spare(body: dict[str, Any], tournament: str) -> Appended:
    """Have a member of staff stand by, to play instead of a bye."""
    return gateway.run(tournament, OfferSpare(**body))


@blueprint.delete("/tournaments/<id:tournament>/spare")
@blueprint.allow(*HANDLERS[RecallSpare].roles)
@blueprint.arguments(schemas.RecallSpare, location="query")
@blueprint.response(200, ReceiptShown)
@blueprint.may_refuse(*OVER)
def recall_spare(query: dict[str, Any], tournament: str) -> Appended:
    """Have no spare player any more; an odd number means a bye again."""
    return gateway.run(tournament, RecallSpare(**query))
