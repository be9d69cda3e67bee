"""Routes of the elimination stage and of spare players."""

from __future__ import annotations

from typing import Any

from services.pairing import answers, queries, schemas
from services.pairing.api.optional import optional_body
from services.pairing.api.rounds import LEADING
from services.pairing.domain import commands as ask
from shared.handling.front import Front, shown
from shared.handling.schemas import ReceiptShown
from shared.http import asked
from shared.http.blueprint import Blueprint

OVER = ("tournament-unknown", "tournament-over", "other-venue")


def stages_blueprint(front: Front) -> Blueprint:
    """Who goes on to elimination, and who stands by instead of a bye."""
    blueprint = Blueprint("stages", description="The cut and its bracket; spare players.", may_refuse=("wrong-format",))

    def run(tournament: str, command: Any) -> dict[str, Any]:
        return shown(front.command(tournament, command, fresh=True), tournament)

    @blueprint.post("/tournaments/<id:tournament>/cut")
    @blueprint.allow(*LEADING)
    @optional_body(blueprint, schemas.MakeCut)
    @blueprint.response(201, ReceiptShown)
    @blueprint.may_refuse(*OVER, "no-cut", "cut-stands", "round-not-closed")
    def make_cut(body: dict[str, Any], tournament: str) -> dict[str, Any]:
        """Say who goes on to elimination, from the recorded standings."""
        return run(tournament, ask.MakeCut(**body))

    @blueprint.get("/tournaments/<id:tournament>/cut")
    @blueprint.response(200, answers.CutShown)
    @blueprint.versioned()
    @blueprint.may_refuse("tournament-unknown")
    def show_cut(tournament: str) -> Any:
        """Show the seats of the elimination stage, in seeding order; none without a cut."""
        with front.reading(tournament) as folded:
            return asked.not_modified(front.version(folded)) or queries.cut_shown(folded.state)

    @blueprint.post("/tournaments/<id:tournament>/cut/given-up")
    @blueprint.allow(*LEADING)
    @blueprint.arguments(schemas.GiveUpSeat)
    @blueprint.response(201, ReceiptShown)
    @blueprint.may_refuse(*OVER, "player-unknown", "not-in-cut")
    def give_up_seat(body: dict[str, Any], tournament: str) -> dict[str, Any]:
        """Give a seat up: before the first elimination pairing the next one moves up, later it is a walkover."""
        return run(tournament, ask.GiveUpSeat(**body))

    @blueprint.post("/tournaments/<id:tournament>/spare")
    @blueprint.allow(*LEADING)
    @blueprint.arguments(schemas.OfferSpare)
    @blueprint.response(201, ReceiptShown)
    @blueprint.may_refuse(*OVER, "staff-unknown", "spare-taken", "no-spare")
    def offer_spare(body: dict[str, Any], tournament: str) -> dict[str, Any]:
        """Have a member of staff stand by, to play instead of a bye."""
        return run(tournament, ask.OfferSpare(**body))

    @blueprint.delete("/tournaments/<id:tournament>/spare")
    @blueprint.allow(*LEADING)
    @blueprint.arguments(schemas.RecallSpare, location="query")
    @blueprint.response(200, ReceiptShown)
    @blueprint.may_refuse(*OVER)
    def recall_spare(query: dict[str, Any], tournament: str) -> dict[str, Any]:
        """Have no spare player any more; an odd number means a bye again."""
        return run(tournament, ask.RecallSpare(**query))

    return blueprint
